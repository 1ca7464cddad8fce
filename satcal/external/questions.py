"""What programs are asked: an exact cover as a text, and what satcal says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from satcal.counting.settings import Question
from satcal.counting.tilings import diagram_for
from satcal.encoding import encoding
from satcal.encoding.export import DEFAULT_ENCODING, export
from satcal.errors import FileTrouble, FormatError
from satcal.files import read_text
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, cover_of
from satcal.puzzle.ranges import labels_in

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

_GOLDEN = ("board", "reveal", "tilings", "encoding", "file")  # of an entry of the manifest
MAX_GOLDEN = 64 * 1024 * 1024  # bytes of a formula


@dataclass(frozen=True)
class Challenge:
    """A cover whose tilings a program is to count.

    ``tilings`` is what satcal says; ``listed`` yields them with their reveals. The formula has
    this ``encoding``, or is the golden ``file``.
    """

    cover: Cover
    tilings: int
    listed: Callable[[], Iterable[tuple[Reveal, Tiling]]]
    encoding: str = DEFAULT_ENCODING
    demands: tuple[Demand, ...] = ()
    file: Path | None = None

    @property
    def determined(self) -> bool:
        """Whether the formula has one model for each tiling, and not more."""
        return encoding(self.encoding).determined

    @property
    def copies(self) -> bool:
        """Whether a piece is to be used more than once."""
        return any(copies > 1 for _, copies, _ in self.cover.items)

    def text(self, format: str) -> str:
        """The question in one of satcal's export formats."""
        if format == "dimacs" and self.file is not None:
            return read_text(self.file, "golden file", MAX_GOLDEN)
        name = self.encoding if format == "dimacs" else None
        reveal, demands = self.cover.reveal, self.demands
        return export(self.cover.puzzle, reveal, format=format, encoding=name, demands=demands)

    @cached_property
    def models(self) -> list[frozenset[int]]:
        """The tilings as sets of option numbers (1-based), in satcal's order."""
        number = {option: n for n, option in enumerate(self.cover.options, start=1)}
        labels = self.cover.puzzle.labels
        is_open = self.cover.reveal is None  # then labels are options, too
        return [
            frozenset(number[option] for option in tiling)
            | frozenset(number[labels[text]] for text in reveal if is_open)
            for reveal, tiling in self.listed()
        ]


def questions(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    demands: tuple[Demand, ...] = (),
    encoding: str = DEFAULT_ENCODING,
) -> Iterator[Challenge]:
    """Yield a question for each distinct reveal; the diagram knows the answers."""
    wanted = list(dict.fromkeys(reveals))
    diagram = diagram_for(Question(puzzle, wanted, demands))
    for reveal in wanted:
        cover = place(cover_of(puzzle, reveal), demands)
        listed = partial(_listed, lambda: diagram, [reveal], demands)
        yield Challenge(cover, diagram.count(reveal, demands), listed, encoding, demands)


def golden_questions(folder: Path) -> Iterator[Challenge]:
    """Yield a question for each golden file of a folder; the manifest's counts are the answers.

    Raises FileTrouble, or FormatError, if it is no folder of golden files.
    """
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        raise FileTrouble(f"--golden {folder}: no golden files there; `make golden` writes them")
    try:
        files = json.loads(read_text(manifest, "manifest"))["files"]
        golden = [[entry[key] for key in _GOLDEN] for entry in files]
    except (ValueError, TypeError, LookupError) as error:
        raise FormatError(f"{manifest}: damaged; `make golden` rewrites it") from error
    for board, text, tilings, name, file in golden:
        own = folder / "puzzles" / f"{board}.toml"
        puzzle = load(str(own) if own.exists() else board)
        reveal = None if text == "open" else puzzle.check_reveal(labels_in(text))
        reveals = list(puzzle.reveals()) if reveal is None else [reveal]
        listed = partial(_listed, partial(diagram_for, Question(puzzle, reveals)), reveals)
        yield Challenge(cover_of(puzzle, reveal), tilings, listed, name, file=folder / file)


def _listed(
    opened: Callable[[], PuzzleDiagram],
    reveals: Sequence[Reveal],
    demands: tuple[Demand, ...] = (),
) -> Iterator[tuple[Reveal, Tiling]]:
    diagram = opened()
    for reveal in reveals:
        yield from ((reveal, tiling) for tiling in diagram.tilings(reveal, demands))
