"""Moving the labels of a board: is there an arrangement that treats every date well enough?

The tilings of a date depend on its two uncovered cells alone. A survey counts them for every
pair of cells; which label goes where is then a question for a SAT solver. Labels that meet the
same others, such as the seven months of 31 days, are one class: the solver chooses its cells.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import replace

import pysolvers
from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Solver

from satcal.counting.survey import CellSet, survey
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.shapes import Cell

SOLVER = "cadical195"
Class = tuple[str, ...]
"""Labels that meet the same labels of the other category in the reveals that are asked."""


def arrange(
    puzzle: Puzzle, reveals: Sequence[Reveal], least: int, most: int | None = None,
    outlines: int = 1, seed: int = 0, told: Callable[[str], None] = lambda text: None,
) -> Puzzle | None:  # fmt: skip
    """Return the puzzle with its labels so moved that all reveals have enough tilings, if any is.

    With several outlines the squares of the board are moved, too, by a climb: one goes where
    there is none, and the new board is kept if no fewer pairs of uncovered cells fit. Where more
    do, a SAT solver is asked for places of the labels.

    Each of the ``reveals`` is to have at least ``least`` tilings and no more than ``most``. Of
    ``outlines`` boards its own comes first, and ``told`` is told of each; ``seed`` is of the
    squares' moves. Where there is none, that is proved only for the boards tried.

    Raises:
        OptionError: the puzzle has not two categories with each label on one cell, or its board is
            a whole rectangle.
    """
    if len(puzzle.categories) != 2 or any(len(x.cells) != 1 for x in puzzle.labels.values()):
        raise OptionError(
            f"{puzzle.name}: labels are moved on boards of two categories, each label on one cell"
        )
    square = set(itertools.product(range(puzzle.rows), range(puzzle.columns)))
    if outlines > 1 and square == set(puzzle.cells):
        raise OptionError(f"{puzzle.name}: its outline is a whole rectangle, so no square can move")
    generator = random.Random(seed)
    best = -1
    for number in range(outlines):
        candidate = _moved_square(puzzle, square, generator) if number else puzzle
        counts = survey(candidate).counts
        fitting = {
            cells
            for cells, tilings in counts.items()
            if least <= tilings and (most is None or tilings <= most)
        }
        told(f"{max(best, len(fitting)):,} of {len(counts):,} pairs of cells fit")
        if len(fitting) > best:
            arranged = placed(candidate, reveals, counts.keys() - fitting)
            if arranged:
                return arranged
        if len(fitting) >= best:
            best, puzzle = len(fitting), candidate
    return None


def placed(
    puzzle: Puzzle, reveals: Sequence[Reveal], excluded: Collection[CellSet]
) -> Puzzle | None:
    """Return the puzzle with its labels so moved that no reveal leaves an excluded pair, if any."""
    classes = _classes(puzzle, reveals)
    numbers = IDPool()
    clauses: list[list[int]] = []
    for which in classes:
        literals = [numbers.id((which, cell)) for cell in puzzle.cells]
        chosen = CardEnc.equals(literals, len(which), vpool=numbers, encoding=EncType.seqcounter)
        clauses += chosen.clauses
    for cell in puzzle.cells:
        for one, other in itertools.combinations(classes, 2):
            clauses.append([-numbers.id((one, cell)), -numbers.id((other, cell))])
    asked = set(reveals)
    pairs = [(a, b) for a, b in itertools.product(classes, repeat=2) if (a[0], b[0]) in asked]
    for left, right in sorted(excluded):
        for a, b in pairs:
            for here, there in ((left, right), (right, left)):
                clauses.append([-numbers.id((a, here)), -numbers.id((b, there))])
    with Solver(SOLVER, bootstrap_with=clauses) as solver:
        try:
            if not solver.solve():
                return None
        except pysolvers.error as error:  # so PySAT says in its own words that Ctrl-C was pressed
            raise KeyboardInterrupt from error
        true = set(solver.get_model())
    to: dict[Cell, Cell] = {}
    for which in classes:
        cells = [cell for cell in puzzle.cells if numbers.id((which, cell)) in true]
        to |= {puzzle.labels[text].cells[0]: cell for text, cell in zip(which, cells, strict=True)}
    return moved(puzzle, to)


def moved(puzzle: Puzzle, to: Mapping[Cell, Cell]) -> Puzzle:
    """Return the puzzle with the labels of some cells on other ones."""
    labels = {
        text: replace(label, cells=tuple(to.get(cell, cell) for cell in label.cells))
        for text, label in puzzle.labels.items()
    }
    return replace(puzzle, labels=labels)


def _moved_square(puzzle: Puzzle, square: Set[Cell], generator: random.Random) -> Puzzle:
    """Return the puzzle with some cell, and the label on it, elsewhere in the square."""
    old = generator.choice(puzzle.cells)
    place = generator.choice(sorted(square - set(puzzle.cells)))
    cells = (*(cell for cell in puzzle.cells if cell != old), place)
    return replace(moved(puzzle, {old: place}), cells=tuple(sorted(cells)))


def _classes(puzzle: Puzzle, reveals: Sequence[Reveal]) -> list[Class]:
    meets: dict[str, set[str]] = defaultdict(set)
    for one, other in reveals:
        meets[one].add(other)
        meets[other].add(one)
    together: dict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
    for category, texts in puzzle.categories.items():
        for text in texts:
            together[category, frozenset(meets[text])].append(text)
    return list(map(tuple, together.values()))
