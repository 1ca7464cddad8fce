"""Surveys: the tilings of a board for every set of cells that may stay uncovered.

A puzzle leaves one label per category uncovered; a survey
allows any cells, and counts them all at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from satcal.diagram.build import build
from satcal.diagram.graph import Diagram, Tilings
from satcal.diagram.model import DiagramError, MemoryLimitError
from satcal.diagram.puzzle import problem_of
from satcal.diagram.uncovered import count_uncovered
from satcal.errors import Disagreement, PlacementError, TooLarge
from satcal.progress import Progress
from satcal.puzzle.model import Label, Placement, Puzzle, Tiling, cell_name
from satcal.puzzle.placed import allowed
from satcal.puzzle.placements import Cover, cover_of
from satcal.puzzle.pruner import Pruner, Remaining, after_using, unfillable
from satcal.puzzle.shapes import Cell

CellSet = tuple[Cell, ...]
"""Cells in row-major order."""

MAX_CELLS = 4
"""Cells of a set: a 50-cell board has 230,300 sets of four, and 2.1 million of five."""

MEMORY_LIMIT = 4 * 10**9
"""Bytes; the board ``weekday``, the largest of the library, takes 0.9e9 at its peak."""

_GAP = "uncovered"


@dataclass(frozen=True)
class Impasse:
    """A cell that cannot be covered: the placements on it, and what each cuts off."""

    cell: Cell
    ways: tuple[Placement, ...]
    cut_off: tuple[CellSet, ...]


@dataclass(frozen=True)
class Survey:
    """The number of tilings for every set of ``size`` cells that may stay uncovered.

    ``counts`` is in the order of ``itertools.combinations`` of
    the board's cells, without those that are placed already.
    """

    puzzle: Puzzle
    size: int
    counts: Mapping[CellSet, int]
    placed: tuple[Placement, ...]
    _cover: Cover
    _diagram: Diagram

    def __repr__(self) -> str:
        sets = f"{len(self.counts):,} sets of {self.size}"
        few = f"{len(self.having(0)):,} without a tiling, {len(self.having(1)):,} with one"
        return f"<Survey of {self.puzzle.name}: {sets}, {few}>"

    @property
    def total(self) -> int:
        """The number of tilings of all sets together."""
        return sum(self.counts.values())

    def having(self, tilings: int) -> list[CellSet]:
        """The sets with exactly that many tilings."""
        return [cells for cells, count in self.counts.items() if count == tilings]

    def labels(self, cells: CellSet) -> list[str]:
        """The labels on cells, or their names where there is none."""
        at = self.puzzle.label_at
        return [at[cell].text if cell in at else cell_name(cell) for cell in cells]

    def board_without(self, cells: CellSet) -> Puzzle:
        """The board without these cells, on which no label is left to be uncovered.

        Its one reveal, the empty one, has the tilings of this set.
        """
        cells_left = tuple(cell for cell in self.puzzle.cells if cell not in cells)
        name = " ".join([self.puzzle.name, *(["without", *self.labels(cells)] if cells else ())])
        return replace(self.puzzle, name=name, cells=cells_left, labels={}, categories={})

    def tilings(self, cells: CellSet) -> Iterator[Tiling]:
        """Yield the tilings that leave exactly these cells uncovered."""
        options = self._cover.options
        keep = [isinstance(o, Placement) or o.cells[0] in cells for o in options]
        return map(self._cover.tiling, Tilings(self._diagram, np.array(keep, bool)))

    def cut_off(self, cells: CellSet) -> frozenset[Cell]:
        """The smallest uncovered part whose area no remaining pieces fill, empty if none."""
        free, left = self._uncovered_and_left
        return frozenset(self._smallest_part(free.difference(cells), left))

    def impasse(self, cells: CellSet) -> Impasse | None:
        """A cell of which every placement cuts off a part that the other pieces cannot fill.

        All uncovered cells are tried, those with the fewest placements first. None if there is
        no such cell: the set may have no tiling all the same.
        """
        free, left = self._uncovered_and_left
        free = free.difference(cells)
        ways_at: dict[Cell, list[Placement]] = {cell: [] for cell in sorted(free)}
        for placed in self._cover.placements:
            if free.issuperset(placed.cells):
                for cell in placed.cells:
                    ways_at[cell].append(placed)
        for cell, ways in sorted(ways_at.items(), key=lambda item: (len(item[1]), item[0])):
            parts = [
                self._smallest_part(
                    free.difference(way.cells), self._after_using(left, [way.piece])
                )
                for way in ways
            ]
            if all(parts):
                return Impasse(cell, tuple(ways), tuple(parts))
        return None

    @cached_property
    def _pruner(self) -> Pruner:
        return Pruner(replace(self._cover, reveal=(), options=self._cover.placements))

    @cached_property
    def _uncovered_and_left(self) -> tuple[frozenset[Cell], Remaining]:
        """The cells that nothing covers, and the copies of each piece that are left."""
        free = frozenset(self.puzzle.cells).difference(*(p.cells for p in self.placed))
        return free, self._after_using(self._pruner.copies, [p.piece for p in self.placed])

    def _smallest_part(self, rest: frozenset[Cell], remaining: Remaining) -> CellSet:
        # sorted cells, so that parts of one size have an order
        parts = unfillable(rest, self._pruner.sums(remaining))
        ordered = [tuple(sorted(part)) for part in parts]
        return min(ordered, key=lambda part: (len(part), part), default=())

    def _after_using(self, remaining: Remaining, pieces: Iterable[str]) -> Remaining:
        names = [name for name, _, _ in self._cover.items]
        return after_using(remaining, [names.index(piece) for piece in pieces])


def survey(
    puzzle: Puzzle,
    placed: Sequence[Placement] = (),
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Survey:
    """The survey of a puzzle's board and pieces; its labels play no part.

    ``placed`` is on the board already, ``memory_limit`` in bytes, by estimate.

    Raises:
        TooLarge: sets of more than ``MAX_CELLS`` cells, or too much memory.
        PlacementError: pieces that overlap, or too few cells left.
        Disagreement: the counts do not add up to those of the diagram.
    """
    size = len(puzzle.cells) - puzzle.area
    if size > MAX_CELLS:
        raise TooLarge(
            f"survey of {puzzle.name}: the pieces leave {size} cells uncovered, and sets of more "
            f"than {MAX_CELLS} are not surveyed; add pieces"
        )
    labels: dict[str, Label] = {}  # every cell is a label of the only category
    if size:
        labels = {cell_name(cell): Label(cell_name(cell), _GAP, (cell,)) for cell in puzzle.cells}
    categories = {_GAP: tuple(labels)} if size else {}
    cover = cover_of(replace(puzzle, labels=labels, categories=categories), None)
    keep = np.flatnonzero(allowed(cover, placed)).tolist()
    problem = problem_of(cover)
    if size:
        problem = replace(problem, copies=[*problem.copies[:-1], size], categories=0)
    try:
        diagram = build(problem, keep, memory_limit, progress)
        table = count_uncovered(diagram, size, memory_limit)
    except DiagramError as error:
        way_out = "; raise --memory-limit" if isinstance(error, MemoryLimitError) else ""
        raise TooLarge(f"survey of {puzzle.name}: {error}{way_out}") from error
    covered = {cell for placement in placed for cell in placement.cells}
    free = [cell for cell in cover.cells if cell not in covered]
    if len(free) < size:
        must = f"{size} cell{'' if size == 1 else 's'} of {puzzle.name} must stay uncovered"
        raise PlacementError(f"place: too many cells are covered: {must}; remove a piece")
    rank = {  # of each cell in the order of filling
        option.cells[0]: mask.bit_length() - 1
        for option, mask in zip(cover.options, problem.mask, strict=True)
        if isinstance(option, Label)
    }
    counts = {
        cells: int(table[tuple(sorted(rank[cell] for cell in cells))])
        for cells in itertools.combinations(free, size)
    }
    surveyed = Survey(puzzle, size, counts, tuple(placed), cover, diagram)
    if surveyed.total != (total := Tilings(diagram).count()):
        raise Disagreement(
            f"survey of {puzzle.name}: {surveyed.total} tilings by sets of cells, {total} in the "
            "diagram; please report it"
        )
    return surveyed
