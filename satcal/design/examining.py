"""All that a maker wants to know of a puzzle before the wood is cut."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import NamedTuple

from satcal.design.changes import Change, Places, both_faces, exchanges, one_face, places
from satcal.design.upright import holding, sliding
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell, Shape, orientations
from satcal.puzzle.symmetry import symmetries

LARGE = 100_000  # nodes: to count less than all is quicker there
KILLERS = 2  # reveals that are asked before all are counted: the hardest refute most


class Near(NamedTuple):
    """A puzzle of the library, and how many cells, labels and pieces are others there."""

    board: str
    cells: int
    labels: int
    pieces: int


@dataclass(frozen=True)
class Examination:
    """What is known of a puzzle.

    ``counts`` are the tilings of the reveals that are asked: the dates, or all where there are
    none; ``held`` those in which no piece slides out. ``used``: in how many tilings of all
    reveals each placement is. ``doubled`` has a list of changes for each piece left out;
    ``tried`` are, by their kind, those that might give every reveal a tiling, if some has none.
    ``near`` is the library, the nearest first, and ``shown`` has a tiling of the ``hardest``
    reveal that has one, and one that ``holds``.
    """

    puzzle: Puzzle
    counts: Mapping[Reveal, int]
    used: Mapping[Placement, int]
    one_face: Sequence[Change]
    doubled: Sequence[Sequence[Change]]
    places: Places | None
    tried: Mapping[str, Sequence[Change]]
    held: Mapping[Reveal, int]
    near: Sequence[Near]
    shown: Mapping[str, tuple[Reveal, Tiling]]

    def equivalent(self) -> list[list[Reveal]]:
        """Return the classes of reveals that a symmetry of the board makes one puzzle."""
        group = symmetries(replace(self.puzzle, labels={}, categories={}))
        classes: dict[tuple[Cell, ...], list[Reveal]] = defaultdict(list)
        for reveal in self.counts:
            cells = self.puzzle.uncovered(reveal)
            images = (tuple(sorted(each.image[cell] for cell in cells)) for each in group)
            classes[min(images)].append(reveal)
        return list(classes.values())


def examine(
    puzzle: Puzzle, executor: Executor, told: Callable[[str], None] = lambda text: None
) -> Examination:
    """Return what is known of a puzzle; the answer is the same on one core and on many.

    ``told`` is told of four steps, and of each piece that is left out.

    Raises:
        TooLarge: its diagram needs too much memory.
    """
    every = list(puzzle.reveals())
    dates = [r for r in every if puzzle.calendar.parts and puzzle.calendar.is_date(r)]
    reveals = dates or every
    surveyed = executor.submit(places, puzzle, reveals)
    diagram = open_diagram(puzzle, every)
    tilings, nodes = diagram.counts(), diagram.diagram.nodes
    counts = {reveal: tilings[reveal] for reveal in reveals}
    hardest = sorted(reveals, key=counts.__getitem__)[: KILLERS if nodes > LARGE else 0]
    names = [piece.name for piece in puzzle.pieces]
    tasks = [executor.submit(exchanges, puzzle, reveals, hardest, n, False, nodes) for n in names]
    without = [reveal for reveal in reveals if not counts[reveal]]
    others = [
        executor.submit(exchanges, puzzle, reveals, without[:KILLERS], name, True, nodes)
        for name in names[: len(names) * bool(without)]
    ]
    told("tilings")
    faces = list(one_face(diagram, reveals))
    told("faces")
    held = holding(diagram, reveals)
    told("held upright")
    doubled = []
    for name, task in zip(names, tasks, strict=True):
        doubled.append(task.result())
        told(f"{name} left out")
    known = surveyed.result()
    told("labels")
    tried: dict[str, Sequence[Change]] = {}
    if without:
        tried["labels change places"] = known.best if known else ()
        tried["a piece gets both faces"] = list(both_faces(puzzle, reveals))
        exchanged = [*doubled, *(task.result() for task in others)]
        tried["another piece"] = list(itertools.chain.from_iterable(exchanged))
        tried["all labels elsewhere"] = known.moved if known else ()
    return Examination(
        puzzle, counts, diagram.containing(), faces, doubled, known, tried, held,
        sorted(_near(puzzle), key=lambda near: (sum(near[1:]), near.board)),
        dict(_shown(diagram, counts, held)),
    )  # fmt: skip


def _shown(
    diagram: PuzzleDiagram, counts: Mapping[Reveal, int], held: Mapping[Reveal, int]
) -> Iterator[tuple[str, tuple[Reveal, Tiling]]]:
    if solvable := [reveal for reveal, tilings in counts.items() if tilings]:
        hardest = min(solvable, key=counts.__getitem__)
        yield "hardest", (hardest, diagram.tiling(0, hardest))
    if any(held.values()):
        reveal = max(held, key=lambda each: held[each] / max(1, counts[each]))
        every = diagram.tilings(reveal)
        yield "holds", (reveal, next(t for t in every if not sliding(diagram.puzzle, t, reveal)))


def _near(puzzle: Puzzle) -> Iterator[Near]:
    """Yield how far each puzzle of the library is, both boards as they are drawn."""
    own, pieces = _labels(puzzle), _pieces(puzzle)
    for other in map(load, library()):
        theirs, rest = _labels(other), _pieces(other)
        moved = sum(own[cell] != theirs[cell] for cell in own.keys() & theirs.keys())
        exchanged = max((pieces - rest).total(), (rest - pieces).total())
        yield Near(other.name, len(own.keys() ^ theirs.keys()), moved, exchanged)


def _labels(puzzle: Puzzle) -> dict[Cell, str]:
    at, (top, left) = puzzle.label_at, map(min, zip(*puzzle.cells, strict=True))
    return {
        (cell[0] - top, cell[1] - left): at[cell].text.casefold() if cell in at else ""
        for cell in puzzle.cells
    }


def _pieces(puzzle: Puzzle) -> Counter[frozenset[Shape]]:
    every = [[frozenset(orientations(piece.shape))] * piece.copies for piece in puzzle.drawn]
    return Counter(itertools.chain.from_iterable(every))
