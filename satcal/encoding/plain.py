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
    if len(literals) < bound:
        formula.add()
        return
    _check(formula, comb(len(literals), bound + 1) + comb(len(literals), bound - 1))
    at_most(formula, literals, bound)
    for chosen in itertools.combinations(literals, len(literals) - bound + 1):
        formula.add(*chosen)


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
    # where few options are left, two cells, or a cell and a piece, may have the same ones
    least = [cover.by_cell[cell] for cell in cover.cells] + [found for _, _, found in cover.items]
    for numbers in dict.fromkeys(map(tuple, least)):
        formula.add(*(number + 1 for number in numbers))
    conflicts = shared_cells(cover, formula)
    for _, copies, options in cover.items:
        if copies == 1:
            _check(formula, len(conflicts) + comb(len(options), 2))
            conflicts.update(itertools.combinations(options, 2))
    formula.clauses += ([-a - 1, -b - 1] for a, b in sorted(conflicts))
    for _, copies, options in cover.items:
        if copies > 1:
            add_disjoint(cover, formula, options, copies + 1, conflicts)


def shared_cells(cover: Cover, formula: Formula) -> set[tuple[int, int]]:
    """Return the pairs of options (0-based) that share a cell, of which no two stand together."""
    pairs: set[tuple[int, int]] = set()
    for options in cover.by_cell.values():
        _check(formula, len(pairs) + comb(len(options), 2))
        pairs.update(itertools.combinations(options, 2))
    return pairs


def add_disjoint(
    cover: Cover, formula: Formula, options: list[int], size: int, conflicts: set[tuple[int, int]]
) -> None:
    """Forbid every set of ``size`` options of a piece that no conflict forbids already.

    Raises:
        TooLarge: too many sets, or too many smaller ones on the way to them.
    """
    if not options or size * len(cover.options[options[0]].cells) > len(cover.cells):
        return
    stack: list[tuple[Clause, list[int], int]] = [([], options, 0)]
    steps = 0
    while stack:
        steps += 1
        _check(formula, steps)
        chosen, rest, index = stack.pop()
        if len(chosen) == size:
            formula.clauses.append([-number - 1 for number in chosen])
        elif len(rest) - index >= size - len(chosen):
            number = rest[index]
            beside = [other for other in rest[index + 1 :] if (number, other) not in conflicts]
            stack += [(chosen, rest, index + 1), ([*chosen, number], beside, 0)]


def _check(formula: Formula, more: int) -> None:
    if len(formula.clauses) + more > MAX_CLAUSES:
        raise TooLarge(
            f"this encoding takes more than {MAX_CLAUSES} steps: the board is large, or its pieces "
            "have copies, which conflict in sets and not in pairs; use --encoding ladder"
        )
