"""Cubes: a reveal of many tilings, cut into parts that are counted or proved alone.

A cut takes the cell that the fewest placements cover; a cube chooses one of them. Each
tiling is in exactly one cube, whatever the diagram says that decides where to cut: it
only makes the parts even. The rest of a cube is a smaller puzzle without labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from satcal.counting.settings import Cutting, Question
from satcal.counting.tilings import diagram_for
from satcal.errors import TooLarge
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placements import cover_of
from satcal.puzzle.shapes import Cell

Cube = tuple[tuple[Cell, Placement], ...]
"""Chosen cells, and the placements on them; the empty cube is all of a reveal."""
Plan = tuple[Reveal, list[Cube]]
"""A reveal, and its cubes."""


def plans(question: Question, cutting: Cutting, deadline: float | None = None) -> list[Plan]:
    """The reveals of a question with their cubes, none of more tilings than the cutting says.

    A board that is too large for the diagram is not cut.

    Raises:
        BudgetExhausted: the deadline passed.
    """
    puzzle = question.puzzle
    try:
        diagram = diagram_for(question, cutting.diagram, deadline)
    except TooLarge:
        return [(reveal, [()]) for reveal in question.reveals]

    def cubes(reveal: Reveal, cube: Cube) -> Iterator[Cube]:
        if diagram.count(reveal, [_demand(chosen) for _, chosen in cube]) <= cutting.most:
            yield cube
            return
        todo = cover_of(remaining(puzzle, reveal, cube), ())
        cell = min(todo.cells, key=lambda cell: (len(todo.by_cell[cell]), cell))
        for index in todo.by_cell[cell]:
            yield from cubes(reveal, (*cube, (cell, todo.placements[index])))

    return [(reveal, list(cubes(reveal, ()))) for reveal in question.reveals]


def shares(question: Question) -> list[tuple[Demand, ...]]:
    """Demands that cut a question about one reveal: each tiling meets one of them, and no two.

    They are the placements on the cell in the middle of the board: the largest share
    then needs a half to a sixth of the memory of the whole
    (results/benchmarks/shares.md), with a cell in a corner hardly less than the whole.
    """
    cover = place(cover_of(question.puzzle, question.reveal), question.demands)
    row, column = (sum(axis) / len(cover.cells) for axis in zip(*cover.cells, strict=True))
    undecided = [cell for cell in cover.cells if len(cover.by_cell[cell]) > 1] or cover.cells
    middle = min(undecided, key=lambda cell: (cell[0] - row) ** 2 + (cell[1] - column) ** 2)
    return [(*question.demands, _demand(cover.placements[n])) for n in cover.by_cell[middle]]


def _demand(placement: Placement) -> Demand:
    return Demand(placement.piece, placement.cells, whole=True)


def remaining(puzzle: Puzzle, reveal: Reveal, cube: Cube) -> Puzzle:
    """The puzzle, without labels, that a reveal and a cube leave."""
    gone = puzzle.uncovered(reveal).union(*(chosen.cells for _, chosen in cube))
    used = [chosen.piece for _, chosen in cube]
    left = {piece: piece.copies - used.count(piece.name) for piece in puzzle.pieces}
    return Puzzle(
        name=puzzle.name,
        cells=tuple(cell for cell in puzzle.cells if cell not in gone),
        labels={},
        categories={},
        drawn=tuple(replace(piece, copies=copies) for piece, copies in left.items() if copies),
        calendar=Calendar(),
    )
