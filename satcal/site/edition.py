"""The files of the page, and the data of each puzzle, with which a browser counts by itself.

``NAME.json`` is the puzzle, ``NAME.year.json`` the counts of all reveals in canonical order,
``NAME.evidence.json`` the evidence for them (:mod:`.evidence`), ``NAME.bin`` the diagram
(:mod:`.packing`), and ``puzzles.json`` the list of puzzles. ``satcal site`` writes them and the
page (:mod:`.page`) into a folder with relative links, or into one file (:mod:`.single`); ``satcal
serve`` serves the same files.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from pathlib import Path

from satcal.draw.theme import TINTS, VIRIDIS, load_theme
from satcal.errors import FileTrouble
from satcal.files import locking, make_folder, write_bytes
from satcal.progress import Progress, ignore
from satcal.published.shipped import shipped_ratings
from satcal.puzzle.description import describe
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover_of, filling_order
from satcal.site.page import LANGUAGES, ON_DEMAND, compact, index_page, missing_page, static_files
from satcal.version import __version__

DATA = "data/"
TO_REPLACE = '{ version: "", files: [] }'  # in offline.js; version and files take its place


def puzzle_list(
    puzzles: Iterable[tuple[str, Puzzle]], first: str, served: bool, jobs: bool = False
) -> bytes:
    """Return ``puzzles.json``: the puzzles, the first board, and whether the server has jobs.

    A puzzle with dates has with it what the page needs to rate it on any of them.
    """
    entries = [
        {
            "name": name,
            "title": puzzle.title or puzzle.name,
            "dates": puzzle.calendar.parts is not None,
            "rated": _rated_reveals(puzzle) if puzzle.calendar.parts else None,
            "digest": puzzle.digest[:16],
        }
        for name, puzzle in puzzles
    ]
    return compact(
        {
            "served": served,
            "jobs": jobs,
            "version": __version__,
            "first": first,
            "heat": VIRIDIS,
            "puzzles": entries,
        }
    )


def puzzle_json(puzzle: Puzzle, name: str) -> bytes:
    """Return ``NAME.json``: a puzzle without its tilings; cells are numbered in their order.

    ``difficulty`` is the run-length encoding of a letter per reveal, in canonical order: E (easy),
    F (fair), G (fair, of the harder half), H (hard), or ``-`` (no solutions). It is empty for a
    board outside the library.
    """
    index = {cell: number for number, cell in enumerate(puzzle.cells)}
    label = {cell: label.text for cell, label in puzzle.label_at.items()}
    colours, tints = load_theme().piece_colours(puzzle), list(TINTS)
    return compact(
        {
            **describe(puzzle),
            "name": name,
            "cells": [
                {"row": cell[0], "column": cell[1], "label": label.get(cell)}
                for cell in puzzle.cells
            ],
            "labels": {
                text: [index[cell] for cell in label.cells] for text, label in puzzle.labels.items()
            },
            **_rated_reveals(puzzle),
            "pieces": [
                {
                    "name": piece.name,
                    "copies": piece.copies,
                    "colour": colours[piece.name],
                    "tint": tints[number % len(tints)],
                    "orientations": piece.orientations,
                }
                for number, piece in enumerate(puzzle.pieces)
            ],
            "order": filling_order(cover_of(puzzle, None)),
        }
    )


def _rated_reveals(puzzle: Puzzle) -> dict[str, object]:
    """Return the fields of a puzzle from which a browser finds the rating of a date."""
    return {
        "categories": [
            {"name": category, "labels": labels} for category, labels in puzzle.categories.items()
        ],
        "calendar": puzzle.calendar.parts and dict(puzzle.calendar.parts),
        "difficulty": encode_runs(shipped_ratings(puzzle)),
    }


def encode_runs(letters: str) -> str:
    """Return the run-length encoding of a text.

    >>> encode_runs("EEFE"), encode_runs("")
    ('2E1F1E', '')
    """
    return "".join(f"{len(list(run))}{letter}" for letter, run in groupby(letters))


def data_files(
    puzzles: Mapping[str, Puzzle],
    first: str,
    certified: Collection[str] = (),
    progress: Progress = ignore,
) -> dict[str, bytes]:
    """Return the files of puzzles by path; ``certified`` names the puzzles with certificates."""
    from satcal.diagram.puzzle import open_diagram
    from satcal.site.evidence import certificate_name, certificates, evidence_json
    from satcal.site.packing import pack

    files = {f"{DATA}puzzles.json": puzzle_list(puzzles.items(), first, served=False)}
    for done, (name, puzzle) in enumerate(puzzles.items()):

        def step(part: int, parts: int, _: str, done: int = done, name: str = name) -> None:
            progress(done, len(puzzles), f"{name}: {part:,} of {parts:,}")

        diagram = open_diagram(puzzle, list(puzzle.reveals()), progress=step)
        files[f"{DATA}{name}.json"] = puzzle_json(puzzle, name)
        files[f"{DATA}{name}.bin"] = pack(diagram.diagram)
        by_reveal = certificates(puzzle, step) if name in certified else {}
        reveals = [",".join(reveal) for reveal in by_reveal]
        files[f"{DATA}{name}.evidence.json"] = evidence_json(puzzle, reveals)
        for reveal, certificate in by_reveal.items():
            files[f"{DATA}{name}.trees/{certificate_name(reveal)}"] = certificate
        if puzzle.categories:
            files[f"{DATA}{name}.year.json"] = compact([*map(str, diagram.counts().values())])
    return files


def build_site(
    folder: Path,
    puzzles: Mapping[str, Puzzle],
    first: str,
    force: bool = False,
    address: str | None = None,
    certified: Collection[str] = (),
    progress: Progress = ignore,
    languages: tuple[str, ...] = LANGUAGES,
    style: bytes = b"",
) -> int:
    """Write the page and the data of puzzles into a folder; return the size in bytes.

    ``address`` is the URL of the page, because previews on other sites need absolute links.
    ``certified`` names the puzzles with certificates. ``languages`` and ``style`` are those of
    :func:`~satcal.site.page.page_files`.

    Raises:
        FileTrouble: the folder is not empty, and ``force`` is false.
        Stopped: another process writes into the folder, the disk is full, or permission is missing.
    """
    with locking(folder):
        if not force and folder.is_dir() and any(folder.iterdir()):
            raise FileTrouble(f"{folder} is not empty; name another folder or add --force")
        files = static_files(languages, style)
        url = address and address.rstrip("/") + "/"
        files["index.html"] = index_page(files["index.html"], dict.fromkeys([first, *puzzles]), url)
        files["404.html"] = missing_page(files["404.html"], url)
        # a browser asks for another language when it needs it
        other_language = re.compile(f"sentences-(?!{languages[0]}\\b).*")
        needed = [
            name
            for name in files
            if not (ON_DEMAND.fullmatch(name) or other_language.match(name) or name == "offline.js")
        ]
        files |= data_files(puzzles, first, certified, progress)
        files["offline.js"] = _make_offline_script(files, ["./", *needed])
        make_folder(folder / DATA)
        # last the files that refer to the others: a browser starts with them
        for path in sorted(files, key=lambda path: (path == "offline.js", path == "index.html")):
            write_bytes(folder / path, files[path])
    return sum(map(len, files.values()))


def _make_offline_script(files: Mapping[str, bytes], needed: list[str]) -> bytes:
    """Return the service worker that caches the page; its version is a digest of all files."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.encode() + b"\0" + files[path])
    values = json.dumps({"version": digest.hexdigest()[:12], "files": sorted(needed)})
    return files["offline.js"].replace(TO_REPLACE.encode(), values.encode())
