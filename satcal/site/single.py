"""The page as a single file with all modules, the worker and the data.

A page on a disk cannot load modules or data, so each module becomes a function that returns its
exports and is called on the first import. Only the forms of import and export that are matched here
are allowed in modules. The file contains all languages, because people pass it on.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping

from satcal.puzzle.model import Puzzle
from satcal.site.edition import data_files
from satcal.site.page import LANGUAGES, OWN_STYLE, static_files

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([\w-]+\.js)";$', re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'import\("\./([\w-]+\.js)"\)')
_EXPORT = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
# modules do not use names with a dollar sign
_START = """const $modules = {%s};
const $made = {};
const $use = (name) => ($made[name] ??= $modules[name]());
"""


def one_file(
    puzzles: Mapping[str, Puzzle],
    first: str,
    languages: tuple[str, ...] = LANGUAGES,
    own_style: bytes = b"",
) -> bytes:
    """Return the page with puzzles as a single HTML file, with the style sheet of a host."""
    files = static_files(languages, own_style)
    text = {name: files[name].decode() for name in files if name.endswith((".js", ".css", ".html"))}
    data = data_files(puzzles, first) | {
        name: content for name, content in files.items() if name.endswith(".json")
    }
    embedded = {
        "files": {name: _embed(name, content) for name, content in data.items()},
        "worker": bundle("worker.js", text),
    }
    sheets = ("style.css", "languages.css", "sheet.css", "make.css", "contrast.css", OWN_STYLE)
    style = "".join(text.get(name, "") for name in sheets)
    for name in ("heading.woff2", "arrow.svg"):
        style = style.replace(name, data_url(name, files[name]))
    icon = data_url("icon.svg", files["icon.svg"])
    head = re.sub(
        r"<link rel=.*>\n|<script.*</script>\n|<meta property=.*>\n|<title>.*\n|"
        r'<meta name="description".*>\n',
        "",
        text["index.html"],
    ).replace("<meta name", f"{name_board(puzzles[first])}<meta name", 1)
    scripts = [
        f"globalThis.satcal = {_escape(json.dumps(embedded, ensure_ascii=False))};",
        text["start.js"],
        f"(async () => {{\n{_escape(bundle('app.js', text))}}})();",
    ]
    tags = "".join(f"<script>\n{script}\n</script>\n" for script in scripts)
    style = (
        f"<style>\n{style}</style>\n<style media=print data-sheets>\n{text['print.css']}</style>\n"
    )
    page = head.replace("<main>", f'<link rel="icon" href="{icon}">\n{style}<main>', 1)
    return page.replace("</html>", f"{tags}</html>").encode()


def name_board(puzzle: Puzzle) -> str:
    """Return the title of the page of a board, and its description for searches and previews."""
    title = html.escape(puzzle.title or puzzle.name)
    aim = "everything but today's date" if puzzle.calendar.parts else "the board with all pieces"
    about = f"Play {title}: cover {aim}. Hints, every solution, also offline."
    return f'<title>{title}</title>\n<meta name="description" content="{about}">\n'


def data_url(name: str, content: bytes) -> str:
    """Return the URL that is the content of a file."""
    media_type = {"svg": "image/svg+xml", "woff2": "font/woff2"}[name.rpartition(".")[2]]
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def bundle(start: str, text: Mapping[str, str]) -> str:
    """Return a script with a module and all modules that it imports."""
    bodies: dict[str, str] = {}
    todo = [start]
    while todo:
        name = todo.pop()
        if name in bodies or name not in text:
            continue
        bodies[name], imports = _to_function(name, text[name])
        todo += imports
    functions = ",\n".join(f'"{name}": {body}' for name, body in sorted(bodies.items()))
    return f'{_START % functions}$use("{start}");\n'


def _to_function(name: str, text: str) -> tuple[str, list[str]]:
    """Return a module as a function, and the names of the modules that it imports."""
    text = _COMMENT.sub("", text)  # types in comments name modules, too
    imports = [name for _, name in _IMPORT.findall(text)] + _DYNAMIC_IMPORT.findall(text)
    exports = _EXPORT.findall(text)
    body = _IMPORT.sub(_replace_import, text)
    body = _DYNAMIC_IMPORT.sub(r'Promise.resolve("\1").then($use)', body)
    body = re.sub(r"^export (?=async |const |function |class )", "", body, flags=re.MULTILINE)
    if other := _OTHER_FORM.search(body):
        raise ValueError(f"{name}: {other[0]}: not a form that one file can hold")
    return f"async () => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}}", imports


def _replace_import(match: re.Match[str]) -> str:
    """Return the replacement for an import of a module."""
    names = (match[1] or "").replace(" as ", ": ")
    return f'const {{{names}}} = await $use("{match[2]}");'


def _embed(name: str, content: bytes) -> object:
    """Return the content of a data file: the value of JSON, or bytes as base64."""
    if name.endswith(".json"):
        return json.loads(content)
    return base64.b64encode(content).decode()


def _escape(script: str) -> str:
    """Return a script in which closing tags and comments are escaped for HTML."""
    return script.replace("</", "<\\/").replace("<!--", "<\\!--")
