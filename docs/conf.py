"""How Sphinx builds the documentation: `make docs`. It asks no network."""

import json
import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes

from satcal.version import __version__

sys.path.append(str(Path(__file__).parent / "_extensions"))

project = "satcal"
author = "The satcal developers"
project_copyright = author  # no year: the same input gives the same bytes
release = __version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "options_directive",
    "search_numbers",
    "stacked_tables",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
root_doc = "docs/index"
include_patterns = [  # seen from the project's folder, so that links between these files hold
    "docs/**",
    "README.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/README.md",
    "encodings/README.md",
    "results/*.md",
    "results/benchmarks/**.md",
    "results/certificates/README.md",
    "results/design/README.md",
    "theorem/README.md",
]
suppress_warnings = [
    "misc.highlighting_failure",  # one example is a broken file on purpose
]
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_inline", "html_image"]
smartquotes = False  # it would make one dash of the two before an option
# folders are links where the files are browsed; `unlink` makes plain text of them here
nitpick_ignore_regex = [("myst", r"(\.\./)*[a-z/-]+")]
nb_execution_mode = "cache"  # of the last build, where no cell has changed
nb_execution_cache_path = "build/notebooks"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"

html_baseurl = ""  # the address of the site, where it has one; what needs it is left out
html_theme = "furo"
html_title = "satcal"
html_favicon = "../satcal/site/static/icon.svg"
templates_path = ["_templates"]
html_additional_pages = {"index": "to-docs.html", "404": "404.html"}
html_static_path = ["_static", "../satcal/site/static/heading.woff2"]
html_extra_path = ["counts/play"]  # the boards to play, as `satcal site` writes them
html_css_files = ["satcal.css"]
SCRIPTS = ("today.js", "year.js", "search.js", "access.js")
html_js_files = [(name, {"defer": "defer"}) for name in SCRIPTS]

pygments_style = "a11y-high-contrast-light"  # 4.5:1 on the background of code
html_last_updated_fmt = None
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#845512",
        "color-brand-content": "#7d5314",
        "color-background-primary": "#fbf6ec",
        "color-background-secondary": "#f1e6d4",
        "color-foreground-primary": "#33291f",
        "color-foreground-muted": "#665c50",
        "color-background-border": "#d5c09c",
    },
    "dark_css_variables": {
        "color-brand-primary": "#e7b659",
        "color-brand-content": "#e7b659",
        "color-background-primary": "#1c1917",
        "color-background-secondary": "#26221e",
        "color-foreground-primary": "#efe7da",
        "color-foreground-muted": "#a59a8b",
        "color-background-border": "#494139",
    },
}


UNLISTED = re.compile("README|CHANGELOG|CODE_OF_CONDUCT|benchmarks/README|results/(?!README).*")
"""Pages that others link to, and that are neither in the menu nor in the search index."""
MARKS = "---\norphan: true\nnosearch: true\n---\n\n"


def mark_unlisted(app: Any, page: str, source: list[str]) -> None:
    """Keep notes of measurements and the changelog out of the menu and of the search."""
    if UNLISTED.fullmatch(page):
        source[0] = MARKS + source[0]


def mend_page(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give the headings of the menu their level; drop the CSS of notebooks where none is shown."""
    if menu := context.get("furo_navigation_tree"):
        context["furo_navigation_tree"] = menu.replace(
            'role="heading"', 'role="heading" aria-level="2"'
        )
    if not str(app.env.doc2path(page)).endswith(".ipynb"):
        context["css_files"] = [
            file for file in context["css_files"] if "mystnb" not in str(file.filename)
        ]


def offer_files(app: Any, page: str, source: list[str]) -> None:
    """List the files beside a page, which says what they are."""
    folder = Path(app.srcdir, page).parent
    found = sorted(path for pattern in BESIDE.get(page, ()) for path in folder.glob(pattern))
    names = [path.relative_to(folder).as_posix() for path in found]
    if names:
        listed = "\n".join(f"- {{download}}`{name} <{name}>`" for name in names)
        source[0] += f"\n\n## Download\n\n{listed}\n"


BESIDE = {
    "encodings/README": ("manifest.json", "*.cnf.xz", "puzzles/*.toml"),
    "results/certificates/README": ("*.satcert",),
}


def offer_notebook(app: Any, page: str, source: list[str]) -> None:
    """Say under the title of a notebook where it is."""
    if str(app.env.doc2path(page)).endswith(".ipynb"):
        notebook = json.loads(source[0])
        name = f"{page.rpartition('/')[2]}.ipynb"
        notebook["cells"][0]["source"] += [f"\n\nDownload it: {{download}}`{name} <{name}>`."]
        source[0] = json.dumps(notebook)


def unlink(app: Any, doctree: nodes.document, page: str) -> None:
    """Make plain text of the links to folders, which have no page here."""
    folder = Path(app.srcdir, page).parent
    for link in list(doctree.findall(nodes.reference)):
        if (target := link.get("refid", "")) and (folder / target).is_dir():
            link.replace_self(link.children)


def public(app: Any, what: str, name: str, thing: object, skip: bool, options: Any) -> bool | None:
    """Pass over what the package alone calls of a picture."""
    inner = getattr(thing, "__qualname__", "")
    return True if inner in INNER else None


INNER = {f"Picture.{name}" for name in ("add", "headline", "credit", "encode")}


def setup(app: Any) -> None:
    """Connect the functions above, as Sphinx asks."""
    app.connect("source-read", mark_unlisted)
    app.connect("source-read", offer_files)
    app.connect("source-read", offer_notebook)
    app.connect("doctree-resolved", unlink)
    app.connect("html-page-context", mend_page, priority=900)  # after the theme
    app.connect("autodoc-skip-member", public)
