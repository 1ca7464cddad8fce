"""The files of the page, without data: those of ``static``, and what tables of satcal add to them.

The sentences of a language are one file in ``sentences``. The page loads them in two: those of the
table, and more that the first count does not need.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from satcal.designing.polyominoes import list_polyominoes
from satcal.draw.theme import TINTS, load_theme, repeat_colours
from satcal.proof.normal import RANGES
from satcal.puzzle.calendar import NAMES

STATIC = Path(__file__).parent / "static"
SERVED = {
    *("api.js", "claims.html", "claims.js", "docs.html", "docs.js", "prove.js"),
    "sentences-served.json",
}
"""The files that work only with `satcal serve`."""
ON_DEMAND = re.compile(r"404\.html|.*\.(?:png|txt)")
"""The names of files that a browser requests only when it needs them."""
TOKENS = ("background", "board", "text", "frame", "line", "grid", "revealed", "revealed_line")
"""The colours of a theme that are properties of the style sheet."""
OWN_STYLE = "own.css"
SENTENCES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    path.stem: json.loads(path.read_bytes())
    for path in sorted(Path(__file__).parent.glob("sentences/*.json"))
}
"""The sentences by language, part and name."""
LANGUAGES = tuple(sorted(SENTENCES, key=lambda language: (language != "en", language)))
"""The languages; the first one is used where none of a visitor's is there."""
_STATIC_IMPORT = re.compile(r'^import .*"\./([\w-]+\.js)";', re.MULTILINE)
_EMPTY_ELEMENT = re.compile(r'<[^<>]* data-text="([\w-]+)"[^<>]*>(?=</)')


@cache
def page_files(languages: tuple[str, ...] = LANGUAGES, style: bytes = b"") -> Mapping[str, bytes]:
    """Return the files of the page, by name.

    ``languages`` are those that visitors may choose; ``style`` is a style sheet of the host.
    """
    # types.js and types-page.js are for tsc alone
    paths = [p for p in sorted(STATIC.iterdir()) if p.is_file() and not p.stem.startswith("types")]
    files = {path.name: path.read_bytes() for path in paths}
    preloads = make_preloads(files)
    files["index.html"] = files["index.html"].replace(b"<main>", preloads + b"<main>", 1)
    files["style.css"] = theme_tokens() + files["style.css"]
    files["check.js"] = files["check.js"].replace(b'RANGES = ""', f'RANGES = "{RANGES}"'.encode())
    if style:
        files[OWN_STYLE] = style
        link = f'<link rel="stylesheet" href="{OWN_STYLE}">\n<main>'.encode()
        files["index.html"] = files["index.html"].replace(b"<main>", link, 1)
    data = {"drawing.json": drawing_data(), "calendar-names.json": calendar_names()}
    return {
        **sentence_files(languages),
        **{name: compact(value) for name, value in data.items()},
    } | {
        name: fill_in(content, languages) if name.endswith(".html") else content
        for name, content in files.items()
    }


def static_files(languages: tuple[str, ...], style: bytes) -> dict[str, bytes]:
    """Return the files of the page that need no server."""
    files = page_files(languages, style)
    return {name: content for name, content in files.items() if name not in SERVED}


def drawing_data() -> dict[str, object]:
    """Return what the page needs to know of boards that it draws: characters, colours, pieces."""
    tints = 3 * list(TINTS)
    colours = [*zip(tints, repeat_colours(load_theme(), len(tints)), strict=True)]
    shapes = [list_polyominoes(size) for size in range(1, 7)]
    return {"ranges": RANGES, "colours": colours, "polyominoes": shapes}


def calendar_names() -> list[str]:
    """Return the names of months and weekdays in all languages, a line for each list."""
    return [line for line in NAMES.read_text("utf-8").splitlines() if line[:1] != "#"]


def theme_tokens() -> bytes:
    """Return the colours of the themes as properties of a style sheet, light then dark."""
    light, dark = load_theme("light"), load_theme("dark")
    pairs = (
        f"--{name.replace('_', '-')}: light-dark({getattr(light, name)}, {getattr(dark, name)});"
        for name in TOKENS
    )
    return f":root {{ {' '.join(pairs)} }}\n".encode()


def sentence_files(languages: Iterable[str]) -> dict[str, bytes]:
    """Return the files of sentences that a browser loads."""
    suffix = {"table": "", "more": "-more", "make": "-make"}
    files = {
        f"sentences-{language}{suffix[part]}.json": compact(SENTENCES[language][part])
        for language in languages
        for part in suffix
    }
    return files | {"sentences-served.json": compact(SENTENCES["en"]["served"])}


def make_preloads(files: Mapping[str, bytes]) -> bytes:
    """Return the preload links for all modules of the first view."""
    needed = ["app.js"]
    for name in needed:  # the list grows
        modules = _STATIC_IMPORT.findall(files[name].decode())
        needed += [module for module in modules if module not in needed]
    link = '<link rel="modulepreload" fetchpriority="low" href="{}">\n'
    return "".join(map(link.format, sorted(needed[1:]))).encode()


def fill_in(content: bytes, languages: tuple[str, ...]) -> bytes:
    """Return an HTML file with sentences in its elements, and the list of languages."""
    parts = {**SENTENCES["en"], **SENTENCES[languages[0]]}
    sentences = {name: text for part in parts.values() for name, text in part.items()}
    text = _EMPTY_ELEMENT.sub(
        lambda match: match[0] + html.escape(sentences[match[1]], quote=False), content.decode()
    )
    start = f'<html data-languages="{" ".join(languages)}" lang="{languages[0]}"'
    return text.replace('<html lang="en"', start, 1).encode()


def index_page(index: bytes, boards: Iterable[str], address: str | None = None) -> bytes:
    """Return ``index.html`` for boards, the default board first.

    ``address`` is the URL of the page with a slash at its end, because previews on other sites need
    absolute links.
    """
    names = html.escape(" ".join(boards)).encode()
    index = index.replace(b"<html ", b'<html data-boards="' + names + b'" ', 1)
    if not address:
        return index
    url = html.escape(address).encode()
    tag = b'<meta property="og:url" content="' + url + b'">\n'
    preview = b'<meta property="og:image" content="'
    return index.replace(preview, tag + preview + url)


def missing_page(page: bytes, address: str | None) -> bytes:
    """Return ``404.html``; without the address of the page its links fit a file beside it."""
    url = html.escape(address or "./").encode()
    return re.sub(rb'(?<=href=")(?:\./)?', lambda _: url, page)


def compact(value: object) -> bytes:
    """Return a value as compact JSON; a dataclass is an object with its fields."""
    return json.dumps(value, default=vars, ensure_ascii=False, separators=(",", ":")).encode()
