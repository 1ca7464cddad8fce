"""All that a maker wants to know of a puzzle before the wood is cut."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import NamedTuple

from satcal.design.changes import SHOWN, Change, Places, exchanges, one_face, places, turned_over
from satcal.design.upright import holding, sliding
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell, Shape, orientations
from satcal.puzzle.symmetry import symmetries

LARGE = 100_000  # nodes: to count less than all is quicker there
STEPS = 4
KILLERS = 2  # reveals that are asked before all are counted: the hardest refute most


class Figures(NamedTuple):
    """What counts are like."""

    dates: int
    without: int
    unique: int
    fewest: int
    median: float
    most: int


class Near(NamedTuple):
    """How far a puzzle of the library is: cells, labels and pieces that differ."""

    name: str
    cells: int
    labels: int
    pieces: int
    squares: int


@dataclass(frozen=True)
class Examination:
    """What is known of a puzzle.

    ``counts`` are the tilings of the reveals that are asked: the dates, or all where there are
    none; ``held`` those in which no piece slides out. ``used``: in how many tilings of all
    reveals each placement is. ``doubled`` has a list of changes for each piece left out; ``tried``
    are those, by their kind, that might give every reveal a tiling, if some has none. ``near`` is
    the library, the nearest first, and ``shown`` has a tiling of the ``hardest`` reveal that has
    one, and one that ``holds``.
    """

    puzzle: Puzzle
    counts: Mapping[Reveal, int]
    used: Mapping[Placement, int]
    one_face: Sequence[Change]
    doubled: Mapping[str, Sequence[Change]]
    places: Places | None
    tried: Sequence[Sequence[Change]]
    held: Mapping[Reveal, int]
    near: Sequence[Near]
    shown: Mapping[str, tuple[Reveal, Tiling]]

    @property
    def without(self) -> list[Reveal]:
        """The reveals without a tiling."""
        return [reveal for reveal, tilings in self.counts.items() if not tilings]

    @property
    def unique(self) -> list[Reveal]:
        """The reveals with exactly one tiling."""
        return [reveal for reveal, tilings in self.counts.items() if tilings == 1]

    @property
    def figures(self) -> Figures:
        """The figures of all counts."""
        return figures_of(list(self.counts.values()))

    @property
    def remedies(self) -> list[Change]:
        """The changes of each kind that give every reveal a tiling, the kindest first."""
        good = [[c for c in kind if c.solves] for kind in self.tried]
        best = [sorted(kind, key=lambda c: (-min(c.counts), -sum(c.counts))) for kind in good]
        return [change for kind in best for change in kind[:SHOWN]]

    @property
    def relief(self) -> Change | None:
        """The change that leaves the fewest reveals without a tiling, if fewer than now."""
        counted = [c for kind in self.tried for c in kind if c.counts]
        best = min(counted, key=lambda c: (c.counts.count(0), -sum(c.counts)), default=None)
        return best if best and best.counts.count(0) < len(self.without) else None

    def profile(self, category: int) -> dict[str, Figures]:
        """Return the figures of the reveals that share a label of a category."""
        groups: dict[str, list[int]] = defaultdict(list)
        for reveal, tilings in self.counts.items():
            groups[reveal[category]].append(tilings)
        names = list(self.puzzle.categories.values())[category]
        return {text: figures_of(groups[text]) for text in names if text in groups}

    def covering(self) -> dict[Cell, int]:
        """Return by how many placements that occur in a tiling each cell is covered."""
        covered = Counter(cell for p, n in self.used.items() if n for cell in p.cells)
        return {cell: covered[cell] for cell in self.puzzle.cells}

    def equivalent(self) -> list[list[Reveal]]:
        """Return the classes of reveals that a symmetry of the board makes one puzzle."""
        group = symmetries(replace(self.puzzle, labels={}, categories={}))
        classes: dict[tuple[Cell, ...], list[Reveal]] = defaultdict(list)
        for reveal in self.counts:
            cells = self.puzzle.uncovered(reveal)
            images = (tuple(sorted(s.image[cell] for cell in cells)) for s in group)
            classes[min(images)].append(reveal)
        return list(classes.values())


def figures_of(counts: Sequence[int]) -> Figures:
    """Return the figures of some counts."""
    return Figures(
        len(counts), counts.count(0), counts.count(1), min(counts), statistics.median(counts),
        max(counts),
    )  # fmt: skip


def asked(puzzle: Puzzle) -> list[Reveal]:
    """Return the dates of a puzzle, or all its reveals where it has none."""
    reveals = list(puzzle.reveals())
    if puzzle.calendar.parts is None:
        return reveals
    return [reveal for reveal in reveals if puzzle.calendar.is_date(reveal)] or reveals


def examine(
    puzzle: Puzzle, executor: Executor, told: Callable[[str], None] = lambda text: None
) -> Examination:
    """Return what is known of a puzzle; the answer is the same on one core and on many.

    ``told`` is told of each step: there are ``STEPS``, and one for each piece.

    Raises:
        TooLarge: its diagram needs too much memory.
    """
    reveals = asked(puzzle)
    surveyed = executor.submit(places, puzzle, reveals)
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    every = diagram.counts()
    counts = {reveal: every[reveal] for reveal in reveals}
    ordered, nodes = sorted(reveals, key=counts.__getitem__), diagram.diagram.nodes
    hard = ordered[:KILLERS] if nodes > LARGE else []
    names = [piece.name for piece in puzzle.pieces]
    tasks = [executor.submit(exchanges, puzzle, reveals, hard, n, False, nodes) for n in names]
    without = [reveal for reveal in reveals if not counts[reveal]]
    foreign = [
        executor.submit(exchanges, puzzle, reveals, without[:KILLERS], name, True, nodes)
        for name in (names if without else ())
    ]
    told("tilings")
    faces = list(one_face(diagram, reveals))
    told("faces")
    held = holding(diagram, reveals)
    told("held upright")
    doubled = {}
    for name, task in zip(names, tasks, strict=True):
        doubled[name] = task.result()
        told(f"{name} left out")
    known = surveyed.result()
    told("labels")
    kinds: list[Sequence[Change]] = []
    if without:
        kinds = [known.kindest if known else (), list(turned_over(puzzle, reveals))]
        kinds += [[c for each in doubled.values() for c in each]]
        kinds += [[c for task in foreign for c in task.result()]]
        kinds += [[known.moved] if known and known.moved else []]
    return Examination(
        puzzle, counts, diagram.containing(), faces, doubled, known, kinds, held,
        sorted(_near(puzzle), key=lambda near: (near.squares, near.name)),
        _shown(diagram, counts, held),
    )  # fmt: skip


def _shown(
    diagram: PuzzleDiagram, counts: Mapping[Reveal, int], held: Mapping[Reveal, int]
) -> dict[str, tuple[Reveal, Tiling]]:
    """Return a tiling of the hardest reveal that has one, and one that holds."""
    shown = {}
    solvable = [reveal for reveal, tilings in counts.items() if tilings]
    if solvable:
        hardest = min(solvable, key=counts.__getitem__)
        shown["hardest"] = hardest, diagram.tiling(0, hardest)
    if any(held.values()):
        reveal = max(held, key=lambda each: held[each] / max(1, counts[each]))
        tilings = diagram.tilings(reveal)
        shown["holds"] = reveal, next(t for t in tilings if not sliding(diagram.puzzle, t, reveal))
    return shown


def _near(puzzle: Puzzle) -> Iterator[Near]:
    """Yield how far each puzzle of the library is, its board turned so that it is nearest."""
    own, own_labels = _pieces(puzzle), _labels(puzzle)
    for other in map(load, library()):
        theirs = _labels(other)
        apart = [
            (len(turned.keys() ^ theirs.keys()),
             sum(turned[cell] != theirs[cell] for cell in turned.keys() & theirs.keys()))
            for turned in _turned(own_labels)
        ]  # fmt: skip
        cells, labels = min(apart, key=sum)
        more, less = own - _pieces(other), _pieces(other) - own
        squares = max(sum(len(min(p)) * n for p, n in each.items()) for each in (more, less))
        pieces = max(more.total(), less.total())
        yield Near(other.name, cells, labels, pieces, cells + labels + squares)


def _labels(puzzle: Puzzle) -> dict[Cell, str]:
    """Return the text on each cell, in small letters, as boards are compared."""
    at, top, left = puzzle.label_at, *map(min, zip(*puzzle.cells, strict=True))
    return {
        (row - top, column - left): at[row, column].text.casefold() if (row, column) in at else ""
        for row, column in puzzle.cells
    }


def _turned(labels: Mapping[Cell, str]) -> Iterator[dict[Cell, str]]:
    """Yield a board turned and turned over, in all eight ways."""
    for over, quarters in itertools.product((1, -1), range(4)):
        cells = [(row, over * column) for row, column in labels]
        for _ in range(quarters):
            cells = [(column, -row) for row, column in cells]
        top, left = map(min, zip(*cells, strict=True))
        places = ((row - top, column - left) for row, column in cells)
        yield dict(zip(places, labels.values(), strict=True))


def _pieces(puzzle: Puzzle) -> Counter[frozenset[Shape]]:
    """Return the pieces, whether they may be turned over or not."""
    every = [[frozenset(orientations(piece.shape))] * piece.copies for piece in puzzle.drawn]
    return Counter(itertools.chain.from_iterable(every))
