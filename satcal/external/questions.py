"""What programs are asked: an exact cover as a text, and what satcal says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter
from satcal.encoding import encoding
from satcal.encoding.export import DEFAULT_ENCODING, export
from satcal.errors import FileTrouble, FormatError
from satcal.files import read_text
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Puzzle, Reveal, labels_in
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover

GOLDEN = ("board", "reveal", "tilings", "encoding", "file")
"""What is read of an entry of the manifest of golden files."""
MAX_GOLDEN = 64 * 1024 * 1024  # bytes of a formula


@dataclass(frozen=True)
class Question:
    """A cover whose tilings a program is to count; ``tilings`` is what satcal says.

    The formula has this ``encoding``, or is the golden ``file``.
    """

    cover: Cover
    tilings: int
    encoding: str = DEFAULT_ENCODING
    place: tuple[Placement, ...] = ()
    file: Path | None = None

    @property
    def determined(self) -> bool:
        """Whether the formula has one model for each tiling, and not more."""
        return encoding(self.encoding).determined

    @property
    def copies(self) -> bool:
        """Whether a piece is to be used more than once."""
        return any(item.copies > 1 for item in self.cover.items)

    def text(self, format: str) -> str:
        """Return the question in one of satcal's export formats."""
        if format == "dimacs" and self.file is not None:
            return read_text(self.file, "golden file", MAX_GOLDEN)
        name = self.encoding if format == "dimacs" else None
        puzzle, reveal = self.cover.puzzle, self.cover.reveal
        return export(puzzle, reveal, format=format, encoding=name, place=self.place)

    @cached_property
    def models(self) -> list[frozenset[int]]:
        """The tilings as sets of option numbers (1-based), in satcal's order."""
        cover, puzzle = self.cover, self.cover.puzzle
        number = {option: n for n, option in enumerate(cover.options, start=1)}
        reveals = list(puzzle.reveals()) if cover.reveal is None else [cover.reveal]
        return [
            # in an open cover labels are options as well
            frozenset(number[option] for option in tiling)
            | frozenset(number[puzzle.labels[text]] for text in reveal if cover.reveal is None)
            for reveal in reveals
            for tiling in DiagramMethod().tilings(puzzle, reveal, self.place, Meter())
        ]


def questions(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    place: tuple[Placement, ...] = (),
    encoding: str = DEFAULT_ENCODING,
) -> Iterator[Question]:
    """Yield a question for each reveal; the diagram knows the answers."""
    for reveal, tilings in DiagramMethod().counts(puzzle, reveals, place, Meter()).items():
        yield Question(cover_with(puzzle, reveal, place), tilings, encoding, place)


def golden_questions(folder: Path) -> Iterator[Question]:
    """Yield a question for each golden file of a folder; the manifest's counts are the answers.

    Raises:
        FileTrouble, FormatError: it is not a folder of golden files.
    """
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        raise FileTrouble(f"--golden {folder}: no golden files there; `make golden` writes them")
    try:
        files = json.loads(read_text(manifest, "manifest"))["files"]
        golden = [[entry[key] for key in GOLDEN] for entry in files]
    except (ValueError, TypeError, LookupError) as error:
        raise FormatError(f"{manifest}: damaged; `make golden` rewrites it") from error
    for board, labels, tilings, name, file in golden:
        own = folder / "puzzles" / f"{board}.toml"
        puzzle = load(str(own) if own.exists() else board)
        reveal = None if labels == "open" else puzzle.check_reveal(labels_in(labels))
        yield Question(cover_with(puzzle, reveal, ()), tilings, name, file=folder / file)
