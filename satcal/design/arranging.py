"""Moving the labels of a board: is there an arrangement that treats every date well enough?

The tilings of a date depend on its two uncovered cells alone. A survey counts them for every
pair of cells; which label goes where is then a question for a SAT solver. Labels that meet the
same others, such as the seven months of 31 days, are one class: the solver chooses its cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Solver

from satcal.counting.survey import survey
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.shapes import Cell

SOLVER = "cadical195"
Class = tuple[str, ...]
"""Labels that meet the same labels of the other category in the reveals that are asked."""


def arrange(
    puzzle: Puzzle, reveals: Sequence[Reveal], least: int, most: int | None = None
) -> Puzzle | None:
    """Return the puzzle with its labels so moved that all reveals have enough tilings, if any is.

    Args:
        puzzle: a puzzle of two categories, each label on one cell.
        reveals: those that are asked for.
        least: tilings that each reveal must have.
        most: tilings that none may exceed.

    Raises:
        OptionError: the puzzle has other labels.
    """
    if len(puzzle.categories) != 2 or any(len(x.cells) != 1 for x in puzzle.labels.values()):
        raise OptionError(
            f"{puzzle.name}: labels are moved on boards of two categories, each label on one cell"
        )
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
    first, second = puzzle.categories.values()
    pairs = [
        (a, b)
        for a, b in itertools.product(classes, repeat=2)
        if a[0] in first and b[0] in second and (a[0], b[0]) in asked
    ]
    for (left, right), tilings in survey(puzzle).counts.items():
        if tilings < least or (most is not None and tilings > most):
            for a, b in pairs:
                for here, there in ((left, right), (right, left)):
                    clauses.append([-numbers.id((a, here)), -numbers.id((b, there))])
    with Solver(SOLVER, bootstrap_with=clauses) as solver:
        if not solver.solve():
            return None
        true = set(solver.get_model())
    places = {
        which: [cell for cell in puzzle.cells if numbers.id((which, cell)) in true]
        for which in classes
    }
    return _moved(puzzle, places)


def _classes(puzzle: Puzzle, reveals: Sequence[Reveal]) -> list[Class]:
    meets: dict[str, set[str]] = {text: set() for text in puzzle.labels}
    for one, other in reveals:
        meets[one].add(other)
        meets[other].add(one)
    together: dict[tuple[str, frozenset[str]], list[str]] = {}
    for texts in puzzle.categories.values():
        for text in texts:
            key = (puzzle.labels[text].category, frozenset(meets[text]))
            together.setdefault(key, []).append(text)
    return list(map(tuple, together.values()))


def _moved(puzzle: Puzzle, places: Mapping[Class, Sequence[Cell]]) -> Puzzle:
    """Return the puzzle with the labels of each class on its cells, row by row."""
    at = {
        text: cell
        for which, cells in places.items()
        for text, cell in zip(which, cells, strict=True)
    }
    labels = {text: replace(label, cells=(at[text],)) for text, label in puzzle.labels.items()}
    return replace(puzzle, labels=labels)
