"""How Sphinx builds the documentation: `make docs`. It asks no network."""

from typing import Any

import click
from docutils import nodes
from sphinx_click.ext import ClickDirective

from satcal.cli.main import cli
from satcal.version import __version__

project = "satcal"
author = "The satcal developers"
project_copyright = author  # no year: the same input gives the same bytes
release = __version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_click",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
root_doc = "docs/index"
include_patterns = [  # seen from the project's folder, so that links between these files hold
    "docs/**",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "encodings/README.md",
    "encodings/family/README.md",
    "results/*.md",
    "results/benchmarks/*.md",
    "results/certificates/README.md",
    "results/design/README.md",
    "theorem/README.md",
]
suppress_warnings = [
    "misc.highlighting_failure",  # one example is a broken file on purpose
    "myst.header",  # results/claims.md is what a command prints, from its third heading on
]
myst_heading_anchors = 3
# folders are links where the files are browsed, and plain text here; the tests follow them
nitpick_ignore_regex = [("myst", r"(\.\./)*[a-z/-]+")]
nb_execution_mode = "off"  # the tests run the notebooks; their outputs would differ by machine
autodoc_member_order = "bysource"
autodoc_typehints = "description"

html_baseurl = ""  # the address of the site, where it has one; what needs it is left out
html_theme = "furo"
html_title = "satcal"
html_favicon = "../satcal/site/static/icon.svg"
templates_path = ["_templates"]
html_additional_pages = {"index": "to-docs.html"}
html_static_path = ["_static"]
html_extra_path = ["counts/play"]  # the boards to play, as `satcal site` writes them
html_css_files = ["satcal.css"]
html_last_updated_fmt = None
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#9c6a1b",
        "color-brand-content": "#7d5314",
        "color-background-primary": "#fbf6ec",
        "color-background-secondary": "#f1e6d4",
        "color-foreground-primary": "#33291f",
        "color-background-border": "#d5c09c",
    },
    "dark_css_variables": {
        "color-brand-primary": "#e7b659",
        "color-brand-content": "#e7b659",
        "color-background-primary": "#1c1917",
        "color-background-secondary": "#26221e",
        "color-foreground-primary": "#efe7da",
        "color-background-border": "#494139",
    },
}


class Options(ClickDirective):
    """``.. options:: NAME``: the help of a command, under the heading that its page has already."""

    def _load_module(self, name: str) -> click.Command:
        command = cli.get_command(click.Context(cli), name)
        if command is None:
            raise self.error(f"there is no command {name!r}")
        return command

    def run(self) -> list[nodes.Node]:
        """What sphinx-click says, without its title."""
        self.options = {"prog": f"satcal {self.arguments[0]}", "nested": "full"}
        (section,) = super().run()
        return section.children[1:]


def give_title(app: Any, page: str, source: list[str]) -> None:
    """What `satcal claims` prints begins with a third heading; the list of pages wants a first."""
    if page == "results/claims":
        source[0] = f"# Each verdict\n\n{source[0]}"


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_directive("options", Options)
    app.connect("source-read", give_title)
