"""The plain encoding: at-least-one clauses and pairwise conflicts, no auxiliary variable."""

from __future__ import annotations

import itertools
from math import comb

from satcal.encoding.formula import Clause, Formula, Groups
from satcal.errors import TooLarge
from satcal.puzzle.placements import Cover

MAX_CLAUSES = 5_000_000  # about 1 GB as Python lists; boards with copies get there first


def exactly(formula: Formula, groups: Groups, bound: int) -> None:
    """Add "exactly ``bound`` of the literals" as one clause for each way to break it.

    Two of three literals:

    >>> formula = Formula(3)
    >>> exactly(formula, [[1], [2], [3]], 2)
    >>> formula.clauses
    [[-1, -2, -3], [1, 2], [1, 3], [2, 3]]
    """
    literals = [literal for group in groups for literal in group]
    at_most(formula, literals, bound)
    for chosen in itertools.combinations(literals, len(literals) - bound + 1):
        formula.add(*chosen)
    if len(literals) < bound:
        formula.add()


def at_most(formula: Formula, literals: list[int], bound: int) -> None:
    """Add "at most ``bound``": no ``bound + 1`` of the literals together."""
    _check(formula, comb(len(literals), bound + 1))
    for chosen in itertools.combinations(literals, bound + 1):
        formula.add(*(-literal for literal in chosen))


def encode(cover: Cover, formula: Formula) -> None:
    """Add the exact cover: each cell by one option, each piece as often as it has copies.

    At least one option per cell and per item, no two options that share a cell or the only
    copy of a piece. Of a piece with k copies no k + 1 disjoint placements stand together;
    that at least k do follows from the area: every cell is covered, no piece is used more
    often than it has copies, and all copies together have just the area of the cells.
    No clause is written twice, so a solver's proof never deletes the only copy of one.
    """
    for cell in cover.cells:
        formula.add(*(number + 1 for number in cover.by_cell[cell]))
    for _, _, options in cover.items:
        formula.add(*(number + 1 for number in options))
    conflicts = {
        pair for options in cover.by_cell.values() for pair in itertools.combinations(options, 2)
    }
    for _, copies, options in cover.items:
        if copies == 1:
            conflicts.update(itertools.combinations(options, 2))
    formula.clauses += ([-a - 1, -b - 1] for a, b in sorted(conflicts))
    for _, copies, options in cover.items:
        if copies > 1:
            add_disjoint(formula, options, copies + 1, conflicts)


def add_disjoint(
    formula: Formula, options: list[int], size: int, conflicts: set[tuple[int, int]]
) -> None:
    """Forbid every set of ``size`` options that no pairwise conflict forbids already."""

    def extend(chosen: Clause, rest: list[int]) -> None:
        if len(chosen) == size:
            formula.clauses.append([-number - 1 for number in chosen])
            _check(formula, 0)
            return
        for index, number in enumerate(rest):
            beside = [other for other in rest[index + 1 :] if (number, other) not in conflicts]
            extend([*chosen, number], beside)

    extend([], options)


def _check(formula: Formula, more: int) -> None:
    if len(formula.clauses) + more > MAX_CLAUSES:
        raise TooLarge(
            f"the plain encoding needs more than {MAX_CLAUSES} clauses, because pieces with "
            "copies conflict in sets, not in pairs; use --encoding ladder"
        )
