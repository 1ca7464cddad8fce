"""The files of the page: its own, and for each puzzle what a browser needs to count by itself.

``NAME.json`` is the puzzle, ``NAME.year.json`` the counts of all reveals, ``NAME.bin`` the diagram
(:mod:`.packing`), ``puzzles.json`` the list of them. ``satcal site`` writes them into a folder, in
which every link is relative; ``satcal serve`` serves the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from satcal.draw.theme import load_theme
from satcal.errors import FileTrouble
from satcal.files import write_bytes
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover, filling_order
from satcal.version import __version__

if TYPE_CHECKING:  # a server, which asks other processes for diagrams, needs no numpy
    from satcal.diagram.puzzle import PuzzleDiagram

STATIC = Path(__file__).parent / "static"
DATA = "data/"
KEPT = '{ version: "", files: [] }'  # of offline.js: what it is to keep, and to be known by


@cache
def page() -> Mapping[str, bytes]:
    """Return the files of the page, by name."""
    return {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file()}


def library(puzzles: Iterable[tuple[str, Puzzle]], first: str, served: bool) -> bytes:
    """Return ``puzzles.json``: what the page offers, and which puzzle it shows first."""
    return compact({
        "served": served, "version": __version__, "first": first, "heat": load_theme().heat,
        "puzzles": [
            {"name": name, "title": puzzle.title or puzzle.name,
             "dates": puzzle.calendar.parts is not None}
            for name, puzzle in puzzles
        ],
    })  # fmt: skip


def describe(puzzle: Puzzle, name: str) -> bytes:
    """Return ``NAME.json``: a puzzle without its tilings. A cell is its number, in their order."""
    at = {cell: number for number, cell in enumerate(puzzle.cells)}
    label = {cell: label.text for cell, label in puzzle.label_at.items()}
    colours = load_theme().piece_colours(puzzle)
    return compact({
        "name": name, "title": puzzle.title or puzzle.name,
        "designer": puzzle.designer, "source": puzzle.source,
        "rows": puzzle.rows, "columns": puzzle.columns,
        "cells": [{"row": cell[0], "column": cell[1], "label": label.get(cell)}
                  for cell in puzzle.cells],
        "labels": {text: [at[cell] for cell in label.cells]
                   for text, label in puzzle.labels.items()},
        "categories": [{"name": category, "labels": labels}
                       for category, labels in puzzle.categories.items()],
        "calendar": puzzle.calendar.parts and dict(puzzle.calendar.parts),
        "pieces": [
            {"name": piece.name, "copies": piece.copies, "colour": colours[piece.name],
             "orientations": piece.orientations}
            for piece in puzzle.pieces
        ],
        "order": filling_order(cover(puzzle, None)),
    })  # fmt: skip


def year(diagram: PuzzleDiagram) -> bytes:
    """Return ``NAME.year.json``: the counts of all reveals, in canonical order, as texts."""
    return compact([str(count) for count in diagram.counts().values()])


def write(folder: Path, puzzles: Mapping[str, Puzzle], first: str, force: bool = False) -> int:
    """Write the static edition of these puzzles; return its size in bytes.

    Raises:
        FileTrouble: there is something in the folder and ``force`` is false, or it cannot be
            written.
    """
    from satcal.diagram.puzzle import open_diagram
    from satcal.site.packing import pack

    if not force and folder.is_dir() and any(folder.iterdir()):
        raise FileTrouble(f"{folder} is not empty; name another folder or pass --force")
    files = dict(page())
    files[f"{DATA}puzzles.json"] = library(puzzles.items(), first, served=False)
    for name, puzzle in puzzles.items():
        diagram = open_diagram(puzzle, list(puzzle.reveals()))
        files[f"{DATA}{name}.json"] = describe(puzzle, name)
        files[f"{DATA}{name}.bin"] = pack(diagram.diagram)
        if puzzle.categories:
            files[f"{DATA}{name}.year.json"] = year(diagram)
    files["offline.js"] = _offline(files)
    try:
        (folder / DATA).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(f"{folder}: cannot be made: {error.strerror}") from error
    for path in _former(folder) - files.keys():
        (folder / path).unlink(missing_ok=True)
    for path, content in files.items():
        write_bytes(folder / path, content)
    return sum(map(len, files.values()))


def _former(folder: Path) -> set[str]:
    """Return the files of the puzzles that an edition lists which is there already."""
    try:
        listed = json.loads((folder / DATA / "puzzles.json").read_bytes())["puzzles"]
        names = [each["name"] for each in listed if re.fullmatch(r"[\w-]+", each["name"])]
    except (OSError, ValueError, LookupError, TypeError):
        return set()
    return {f"{DATA}{name}.{kind}" for name in names for kind in ("json", "year.json", "bin")}


def _offline(files: Mapping[str, bytes]) -> bytes:
    """Return the service worker that keeps all of these files."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.encode() + b"\0" + files[path])
    names = ["./", *sorted(files.keys() - {"offline.js"})]
    kept = json.dumps({"version": digest.hexdigest()[:12], "files": names})
    return files["offline.js"].replace(KEPT.encode(), kept.encode())


def compact(value: object) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
