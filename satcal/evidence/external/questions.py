"""What programs are asked: an exact cover as a text, and what satcal says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from satcal.counting.settings import Settings
from satcal.counting.tilings import diagram_for
from satcal.encoding import encoding
from satcal.encoding.export import export
from satcal.encoding.formats import DEFAULT_ENCODING
from satcal.errors import FileTrouble
from satcal.files import read_text
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.place import Demand, place
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.ranges import labels_in

MAX_GOLDEN = 64 * 1024 * 1024  # bytes of a formula
TOLERANCE = 0.8  # what ApproxMC's authors take where they measure it


@dataclass(frozen=True)
class Question:
    """A cover whose tilings a program is to count.

    ``tilings`` is what satcal says, ``listed`` yields them with their reveals when a program
    wants to know which; ``encoding`` is that of the formula, ``file`` the golden file with it.
    An approximate count may be wrong by a factor of 1 + ``tolerance``.
    """

    whole: Cover
    tilings: int
    listed: Callable[[], Iterable[tuple[Reveal, Tiling]]]
    encoding: str = DEFAULT_ENCODING
    demands: tuple[Demand, ...] = ()
    file: Path | None = None
    tolerance: float = TOLERANCE

    @property
    def determined(self) -> bool:
        """Whether the formula has one model for each tiling, and not more."""
        return encoding(self.encoding).determined

    @property
    def copies(self) -> bool:
        """Whether a piece is to be used more than once."""
        return any(copies > 1 for _, copies, _ in self.whole.items)

    def text(self, format: str) -> str:
        """Return the question in one of satcal's export formats."""
        if format == "dimacs" and self.file is not None:
            return read_text(self.file, "golden file", MAX_GOLDEN)
        name = self.encoding if format == "dimacs" else None
        reveal, demands = self.whole.reveal, self.demands
        return "".join(
            export(self.whole.puzzle, reveal, format=format, encoding=name, demands=demands)
        )

    @cached_property
    def models(self) -> list[frozenset[int]]:
        """The tilings as sets of option numbers (1-based), in satcal's order."""
        number = {option: n for n, option in enumerate(self.whole.options, start=1)}
        labels = self.whole.puzzle.labels
        is_open = self.whole.reveal is None
        return [
            frozenset(number[option] for option in tiling)
            | (frozenset(number[labels[text]] for text in reveal) if is_open else frozenset())
            for reveal, tiling in self.listed()
        ]


def questions(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    *,
    demands: tuple[Demand, ...] = (),
    encoding: str = DEFAULT_ENCODING,
    tolerance: float = TOLERANCE,
) -> Iterator[Question]:
    """Yield a question for each distinct reveal; the diagram knows the answers.

    Raises:
        PlacementError, TooLarge: as :func:`satcal.counting.tilings.diagram_for`.
    """
    wanted = list(dict.fromkeys(reveals))
    settings = Settings(demands=demands)
    diagram = diagram_for(puzzle, wanted, settings)

    def each(reveal: Reveal) -> Iterator[tuple[Reveal, Tiling]]:
        return ((reveal, tiling) for tiling in diagram.tilings(reveal, demands))

    for reveal in wanted:
        whole = place(cover(puzzle, reveal), demands)
        count = diagram.count(reveal, demands)
        yield Question(whole, count, partial(each, reveal), encoding, demands, tolerance=tolerance)


def golden_questions(folder: Path, tolerance: float = TOLERANCE) -> Iterator[Question]:
    """Yield a question for each golden file of a folder; the manifest's counts are the answers.

    Raises:
        FileTrouble: it is no folder of golden files.
    """
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        raise FileTrouble(f"--golden {folder}: no golden files there; `make golden` writes them")
    for golden in json.loads(read_text(manifest, "manifest"))["files"]:
        own = folder / "puzzles" / f"{golden['board']}.toml"
        puzzle = load(str(own) if own.exists() else golden["board"])
        is_open = golden["reveal"] == "open"
        reveal = None if is_open else puzzle.check_reveal(labels_in(golden["reveal"]))
        listed = _every(puzzle, [reveal] if reveal is not None else list(puzzle.reveals()))
        yield Question(
            cover(puzzle, reveal), golden["tilings"], listed, golden["encoding"],
            file=folder / golden["file"], tolerance=tolerance,
        )  # fmt: skip


def _every(
    puzzle: Puzzle, reveals: Sequence[Reveal]
) -> Callable[[], Iterator[tuple[Reveal, Tiling]]]:
    def listed() -> Iterator[tuple[Reveal, Tiling]]:
        diagram = diagram_for(puzzle, reveals, Settings())
        for reveal in reveals:
            yield from ((reveal, tiling) for tiling in diagram.tilings(reveal, ()))

    return listed
