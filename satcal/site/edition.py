"""The files of the page: its own, and for each puzzle what a browser needs to count by itself.

``NAME.json`` is the puzzle, ``NAME.year.json`` the counts of all reveals, ``NAME.belief.json``
what stands behind them (:mod:`.belief`), ``NAME.bin`` the diagram (:mod:`.packing`),
``puzzles.json`` the list of them. ``satcal site`` writes them into a folder, in which every link
is relative, or into one file (:mod:`.single`); ``satcal serve`` serves the same.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from satcal.draw.theme import load_theme
from satcal.errors import FileTrouble
from satcal.files import write_bytes
from satcal.progress import Progress
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover_of, filling_order
from satcal.version import __version__

if TYPE_CHECKING:  # a server, which asks other processes for diagrams, needs no numpy
    from satcal.diagram.puzzle import PuzzleDiagram

STATIC = Path(__file__).parent / "static"
DATA = "data/"
KEPT = '{ version: "", files: [] }'  # of offline.js: what it is to keep, and to be known by
SERVED = {  # what asks a server of ours and is nothing without one; and what nobody loads
    "api.js",
    "claims.html",
    "claims.js",
    "definition.js",
    "make.html",
    "make.js",
    "prove.js",
}
# what a browser asks for by itself, when it needs it
UNASKED = {"heading.LICENSE.txt", "icon-192.png", "icon-512.png", "icon-apple.png", "preview.png"}
_SENTENCE = re.compile(r'^  "([\w-]+)": "([^"\\]*)",$', re.MULTILINE)  # without plural forms
_UNSAID = re.compile(r'<[^<>]* data-say="([\w-]+)"[^<>]*>(?=</)')
KINDS = ("json", "year.json", "belief.json", "bin")


@cache
def page() -> Mapping[str, bytes]:
    """The files of the page, by name."""
    files = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file()}
    sentences = dict(_SENTENCE.findall(files["sentences-en.js"].decode()))
    return {
        name: spelled(content, sentences) if name.endswith(".html") else content
        for name, content in files.items()
    }


def spelled(content: bytes, sentences: Mapping[str, str]) -> bytes:
    """A file of HTML whose elements show their words before a script gives them their words."""
    text = _UNSAID.sub(
        lambda match: match[0] + html.escape(sentences[match[1]], quote=False), content.decode()
    )
    return text.encode()


def front(boards: Iterable[str], address: str | None = None) -> bytes:
    """``index.html`` of an edition with these boards, first the one that is shown first.

    ``address`` is where it will be: only an absolute link to the preview is shown by others.
    """
    names = html.escape(" ".join(boards)).encode()
    index = page()["index.html"].replace(b"<html ", b'<html data-boards="' + names + b'" ', 1)
    if not address:
        return index
    there = html.escape(address.rstrip("/") + "/").encode()
    tag = b'<meta property="og:url" content="' + there + b'">\n'
    preview = b'<meta property="og:image" content="'
    return index.replace(preview, tag + preview + there)


def library(
    puzzles: Iterable[tuple[str, Puzzle]], first: str, served: bool, jobs: bool = False
) -> bytes:
    """``puzzles.json``: what the page offers, which puzzle it shows first, who may have jobs."""
    listed = [
        {
            "name": name,
            "title": puzzle.title or puzzle.name,
            "dates": puzzle.calendar.parts is not None,
        }
        for name, puzzle in puzzles
    ]
    return compact(
        {
            "served": served,
            "jobs": jobs,
            "version": __version__,
            "first": first,
            "heat": load_theme().heat,
            "puzzles": listed,
        }
    )


def describe(puzzle: Puzzle, name: str) -> bytes:
    """``NAME.json``: a puzzle without its tilings. A cell is its number, in their order."""
    at = {cell: index for index, cell in enumerate(puzzle.cells)}
    label = {cell: label.text for cell, label in puzzle.label_at.items()}
    colours = load_theme().piece_colours(puzzle)
    return compact(
        {
            "name": name,
            "digest": puzzle.digest,
            "title": puzzle.title or puzzle.name,
            "designer": puzzle.designer,
            "source": puzzle.source,
            "rows": puzzle.rows,
            "columns": puzzle.columns,
            "cells": [
                {"row": cell[0], "column": cell[1], "label": label.get(cell)}
                for cell in puzzle.cells
            ],
            "labels": {
                text: [at[cell] for cell in label.cells] for text, label in puzzle.labels.items()
            },
            "categories": [
                {"name": category, "labels": labels}
                for category, labels in puzzle.categories.items()
            ],
            "calendar": puzzle.calendar.parts and dict(puzzle.calendar.parts),
            "pieces": [
                {
                    "name": piece.name,
                    "copies": piece.copies,
                    "colour": colours[piece.name],
                    "orientations": piece.orientations,
                }
                for piece in puzzle.pieces
            ],
            "order": filling_order(cover_of(puzzle, None)),
        }
    )


def year(diagram: PuzzleDiagram) -> bytes:
    """The text of ``NAME.year.json``: the counts of all reveals, in canonical order, as texts."""
    return compact([str(count) for count in diagram.counts().values()])


def data(
    puzzles: Mapping[str, Puzzle],
    first: str,
    proofs: Collection[str] = (),
    progress: Progress | None = None,
) -> dict[str, bytes]:
    """The files of puzzles, by path; ``proofs`` are the puzzles whose certificates are written."""
    from satcal.diagram.puzzle import open_diagram
    from satcal.site.belief import belief, certificates, tree_name
    from satcal.site.packing import pack

    files = {f"{DATA}puzzles.json": library(puzzles.items(), first, served=False)}
    for done, (name, puzzle) in enumerate(puzzles.items(), start=1):
        diagram = open_diagram(puzzle, list(puzzle.reveals()))
        files[f"{DATA}{name}.json"] = describe(puzzle, name)
        files[f"{DATA}{name}.bin"] = pack(diagram.diagram)
        trees = certificates(puzzle) if name in proofs else {}
        files[f"{DATA}{name}.belief.json"] = belief(puzzle, [",".join(reveal) for reveal in trees])
        for reveal, certificate in trees.items():
            files[f"{DATA}{name}.trees/{tree_name(reveal)}"] = certificate
        if puzzle.categories:
            files[f"{DATA}{name}.year.json"] = year(diagram)
        if progress:
            progress(done, len(puzzles), name)
    return files


def write(
    folder: Path,
    puzzles: Mapping[str, Puzzle],
    first: str,
    force: bool = False,
    address: str | None = None,
    proofs: Collection[str] = (),
    progress: Progress | None = None,
) -> int:
    """Write the static edition of these puzzles; return its size in bytes.

    ``address`` is where it will be: only an absolute link to the preview is shown by others.
    ``proofs`` are the puzzles for each reveal of which a certificate is written.

    Raises:
        FileTrouble: there is something in the folder and ``force`` is false, or it cannot be
            written.
    """
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise FileTrouble(f"{folder} is not empty; name another folder or pass --force")
    files = {name: content for name, content in page().items() if name not in SERVED}
    files["index.html"] = front(dict.fromkeys([first, *puzzles]), address)
    needed = {"./", *files} - UNASKED - {"offline.js"}
    files |= data(puzzles, first, proofs, progress)
    files["offline.js"] = _offline(files, needed)
    try:
        (folder / DATA).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(f"{folder}: cannot be made: {error.strerror}") from error
    for path in _former(folder) - files.keys():
        (folder / path).unlink(missing_ok=True)
    for name in proofs:
        (folder / DATA / f"{name}.trees").mkdir(exist_ok=True)
    for path, content in files.items():
        write_bytes(folder / path, content)
    return sum(map(len, files.values()))


def _former(folder: Path) -> set[str]:
    """The files of the puzzles that an edition lists which is there already."""
    try:
        listed = json.loads((folder / DATA / "puzzles.json").read_bytes())["puzzles"]
        names = [entry["name"] for entry in listed if re.fullmatch(r"[\w-]+", entry["name"])]
    except (OSError, ValueError, LookupError, TypeError):
        return set()
    former = {f"{DATA}{name}.{kind}" for name in names for kind in KINDS}
    trees = [path for name in names for path in (folder / DATA / f"{name}.trees").glob("*.satcert")]
    former |= {path.relative_to(folder).as_posix() for path in trees}
    return former | {name for name in SERVED if (folder / name).is_file()}


def _offline(files: Mapping[str, bytes], needed: set[str]) -> bytes:
    """The service worker that keeps what the page needs, and is another one for other files."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.encode() + b"\0" + files[path])
    kept = json.dumps({"version": digest.hexdigest()[:12], "files": sorted(needed)})
    return files["offline.js"].replace(KEPT.encode(), kept.encode())


def compact(value: object) -> bytes:
    """A value as compact JSON, and a dataclass as its fields."""
    return json.dumps(value, default=vars, ensure_ascii=False, separators=(",", ":")).encode()
