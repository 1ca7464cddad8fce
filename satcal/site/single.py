"""The page as one file that works from a disk, a mail or a chat: modules, worker, data inside.

A browser loads no module and no data from a file, so each module becomes a function that returns
what it exports, called when it is first imported. The modules keep to the few forms of import and
export that are matched here; others are refused. All languages are inside: a file is passed on.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping

from satcal.puzzle.model import Puzzle
from satcal.site.edition import DATA, LANGUAGES, SERVED, data_files, page_files

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([\w-]+\.js)";$', re.MULTILINE)
_LATER = re.compile(r'import\("\./([\w-]+\.js)"\)')
_SENTENCES = re.compile(r"import\(`\./(sentences-[^`]*)`\)")  # of the language that is in use
_EXPORT = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.MULTILINE)
_REST = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
# modules do not use names with a dollar sign
_START = """const $modules = {%s};
const $made = {};
const $use = (name) => ($made[name] ??= $modules[name]());
"""


def one_file(puzzles: Mapping[str, Puzzle], first: str) -> bytes:
    """Return the page with these puzzles as one file of HTML."""
    files = {name: content for name, content in page_files().items() if name not in SERVED}
    text = {name: files[name].decode() for name in files if name.endswith((".js", ".css", ".html"))}
    inside = {
        "files": {
            name: _embedded(name, content) for name, content in data_files(puzzles, first).items()
        },
        "worker": bundle("worker.js", text),
    }
    font = f"data:font/woff2;base64,{base64.b64encode(files['heading.woff2']).decode()}"
    sheets = ("style.css", "languages.css", "sheet.css", "contrast.css")
    style = "".join(text[name] for name in sheets).replace("heading.woff2", font)
    icon = f"data:image/svg+xml;base64,{base64.b64encode(files['icon.svg']).decode()}"
    head = re.sub(
        r"<link rel=.*>\n|<script.*</script>\n|<meta property=.*>\n", "", text["index.html"]
    )
    scripts = [
        f"globalThis.satcal = {_safe(json.dumps(inside, ensure_ascii=False))};",
        text["start.js"],
        f"(async () => {{\n{_safe(bundle('app.js', text))}}})();",
    ]
    tags = "".join(f"<script>\n{script}\n</script>\n" for script in scripts)
    style = (
        f"<style>\n{style}</style>\n<style media=print data-sheets>\n{text['print.css']}</style>\n"
    )
    html = head.replace("<main>", f'<link rel="icon" href="{icon}">\n{style}<main>', 1)
    return html.replace("</html>", f"{tags}</html>").encode()


def bundle(start: str, text: Mapping[str, str]) -> str:
    """Return a script that does what a module does, with all that it imports inside."""
    found: dict[str, str] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in found or name not in text:
            continue
        found[name], needed = _function(name, text[name])
        waiting += needed
    functions = ",\n".join(f'"{name}": {body}' for name, body in sorted(found.items()))
    return f'{_START % functions}$use("{start}");\n'


def _function(name: str, text: str) -> tuple[str, list[str]]:
    """Return a module as a function, and the modules that it names."""
    text = _COMMENT.sub("", text)  # types name modules as well
    needed = [name for _, name in _IMPORT.findall(text)] + _LATER.findall(text)
    if _SENTENCES.search(text):
        needed += [f"sentences-{each}{more}.js" for each in LANGUAGES for more in ("", "-more")]
    exported = _EXPORT.findall(text)
    body = _IMPORT.sub(_use, text)
    body = _LATER.sub(r'Promise.resolve("\1").then($use)', body)
    body = _SENTENCES.sub(r"Promise.resolve(`\1`).then($use)", body)
    body = re.sub(r"^export (?=async |const |function |class )", "", body, flags=re.MULTILINE)
    if rest := _REST.search(body):
        raise ValueError(f"{name}: {rest[0]}: not a form that one file can hold")
    return f"async () => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}}", needed


def _use(found: re.Match[str]) -> str:
    """Return what an import of a module becomes."""
    names = (found[1] or "").replace(" as ", ": ")
    return f'const {{{names}}} = await $use("{found[2]}");'


def _embedded(name: str, content: bytes) -> object:
    """Return a file of data: the value of its JSON, or its bytes as base64."""
    if name.startswith(DATA) and name.endswith(".json"):
        return json.loads(content)
    return base64.b64encode(content).decode()


def _safe(script: str) -> str:
    """Return a script that does not end where its text has a closing tag."""
    return script.replace("</", "<\\/").replace("<!--", "<\\!--")
