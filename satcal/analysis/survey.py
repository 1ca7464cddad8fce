"""Surveys: the tilings of a board for every set of cells that may stay uncovered.

A reveal leaves one label per category uncovered. A survey counts every set of cells of the same
size, all at once.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.model import DiagramError
from satcal.diagram.puzzle import build_problem
from satcal.diagram.reveals import RevealCounts
from satcal.errors import Disagreement, TooLarge
from satcal.progress import Progress
from satcal.puzzle.model import Label, Placement, Puzzle, cell_name
from satcal.puzzle.placed import compatible_options
from satcal.puzzle.placements import cover_of
from satcal.puzzle.shapes import Cell, components, sum_areas

CellSet = tuple[Cell, ...]
"""Cells in row-major order."""

MAX_UNCOVERED = 4
"""The most cells that may stay uncovered.

A 50-cell board has 230,300 sets of four, and 2.1 million of five.
"""

MEMORY_LIMIT = 4 * 10**9
"""Bytes; the board ``weekday`` of the library takes 1.1e9 at its peak."""

_GAP = "uncovered"  # the category of all cells, since each may stay uncovered


@dataclass(frozen=True)
class Survey:
    """The number of tilings for every set of ``size`` cells that may stay uncovered.

    ``counts`` is in the order of ``itertools.combinations`` over the cells that no placed piece
    covers.
    """

    puzzle: Puzzle
    size: int
    counts: Mapping[CellSet, int]
    place: tuple[Placement, ...]

    def __repr__(self) -> str:
        sets = f"{len(self.counts):,} sets of {self.size}"
        counts = f"{len(self.having(0)):,} without a tiling, {len(self.having(1)):,} with one"
        return f"<Survey of {self.puzzle.name}: {sets}, {counts}>"

    @property
    def total(self) -> int:
        """The number of tilings of all sets together."""
        return sum(self.counts.values())

    def having(self, tilings: int) -> list[CellSet]:
        """Return the sets with exactly that many tilings."""
        return [cells for cells, count in self.counts.items() if count == tilings]

    def labels(self, cells: CellSet) -> list[str]:
        """Return the labels on cells, or the names of cells without a label."""
        at = self.puzzle.label_at
        return [at[cell].text if cell in at else cell_name(cell) for cell in cells]

    def board_without(self, cells: CellSet) -> Puzzle:
        """Return the board without these cells and without labels.

        Its only reveal is the empty one. If no pieces are placed, it has as many tilings as this
        set.
        """
        others = tuple(cell for cell in self.puzzle.cells if cell not in cells)
        name = " ".join([self.puzzle.name, *(["without", *self.labels(cells)] if cells else ())])
        return replace(self.puzzle, name=name, cells=others, labels={}, categories={})

    def cuts_off(self, cells: CellSet) -> bool:
        """Return whether a component of the other cells has an area that no pieces add up to."""
        parts = components(self._free_cells.difference(cells))
        return any(len(part) not in self._areas for part in parts)

    @cached_property
    def _free_cells(self) -> frozenset[Cell]:
        """The cells that no placed piece covers."""
        return frozenset(self.puzzle.cells).difference(*(p.cells for p in self.place))

    @cached_property
    def _areas(self) -> set[int]:
        """The total area of every combination of the remaining pieces."""
        copies = Counter({piece.name: piece.copies for piece in self.puzzle.pieces})
        copies.subtract(placement.piece for placement in self.place)
        area = {piece.name: piece.area for piece in self.puzzle.pieces}
        return sum_areas((0, area[name]) for name in copies.elements())


def count_sets(
    puzzle: Puzzle,
    place: Sequence[Placement] = (),
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Survey:
    """Return the survey of a puzzle's board and pieces, whatever its labels.

    All tilings contain ``place``. ``memory_limit`` bounds the estimated memory, in bytes.

    Raises:
        TooLarge: sets of more than ``MAX_UNCOVERED`` cells, or too much memory.
        PlacementError: placements overlap, or are more than the copies of a piece.
        Disagreement: the counts do not add up to the diagram's total.
    """
    size = len(puzzle.cells) - puzzle.area
    if size > MAX_UNCOVERED:
        raise TooLarge(
            f"survey of {puzzle.name}: the pieces leave {size} cells uncovered, and sets of more "
            f"than {MAX_UNCOVERED} are not surveyed; add pieces, or use satcal count"
        )
    labels: dict[str, Label] = {}  # each cell is a label of one category, so that it is an option
    if size:
        labels = {cell_name(cell): Label(cell_name(cell), _GAP, (cell,)) for cell in puzzle.cells}
    categories = {_GAP: tuple(labels)} if size else {}
    cover = cover_of(replace(puzzle, labels=labels, categories=categories), None)
    options = np.flatnonzero(compatible_options(cover, place)).tolist()
    problem = build_problem(cover)
    if size:
        problem = replace(problem, copies=[*problem.copies[:-1], size])
    try:
        diagram = build(problem, options, memory_limit, progress)
        counting = RevealCounts(Tilings(diagram))
        counting.check_memory(memory_limit)
        table = counting.count()
    except DiagramError as error:
        raise TooLarge(f"survey of {puzzle.name}: {error}; add pieces") from error
    covered = {cell for placement in place for cell in placement.cells}
    free_cells = [cell for cell in cover.cells if cell not in covered]
    option_of = {
        option.cells[0]: number
        for number, option in enumerate(cover.options)
        if isinstance(option, Label)
    }
    in_order = problem.mask.__getitem__  # of filling, as in the table
    counts = {
        cells: table.at(sorted((option_of[cell] for cell in cells), key=in_order))
        for cells in itertools.combinations(free_cells, size)
    }
    result = Survey(puzzle, size, counts, tuple(place))
    if result.total != (total := Tilings(diagram).count()):
        raise Disagreement(
            f"survey of {puzzle.name}: {result.total} tilings by sets of cells, {total} in the "
            "diagram; please report it"
        )
    return result
