"""*plain*: a clause for what must be, a clause for each conflict, no auxiliary variable.

Let S be a set of options: those that cover one cell, that place one piece, or that reveal a label
of one category. With a single copy of each piece the clauses say of each S ::

    x1 ∨ x2 ∨ ... ∨ xn        one is used
    ¬xi ∨ ¬xj   (i < j)       no two are

first all of the first kind, then all of the second, sorted. Equal clauses are written once: g
different sets and p different pairs make ``g + p`` clauses.

Of a piece with k > 1 copies no k + 1 are used: ¬x0 ∨ ... ∨ ¬xk for any k + 1 of its placements that
are pairwise disjoint. That at least k are used needs no clause: all copies together have the area
of the cells to cover.

>>> import satcal
>>> formula = satcal.formula("a-puzzle-a-day", "Oct 6", encoding="plain")
>>> formula.nv, len(formula.clauses)
(681, 127013)

Unit propagation is arc consistent for each S. There are as many models as tilings. Beyond
5,000,000 clauses it is refused.

A. Frisch, P. Giannaros, *SAT encodings of the at-most-k constraint: some old, some new, some fast,
some slow* (ModRef 2010), call it pairwise, for k copies binomial.
"""

from __future__ import annotations

import itertools
from math import comb

from satcal.encoding.formula import Formula, Groups, constraints, literals_in
from satcal.errors import TooLarge
from satcal.puzzle.placements import Cover

MAX_CLAUSES = 5_000_000  # about 1 GB as Python lists
Conflicts = set[tuple[int, int]]
"""Pairs of options (0-based) that no tiling has both of."""


def exactly(formula: Formula, groups: Groups, bound: int) -> None:
    """Add "exactly ``bound`` of the literals" as one clause for each way to break it.

    >>> formula = Formula(["a", "b", "c"])
    >>> exactly(formula, [[1], [2], [3]], 2)
    >>> formula.clauses
    [[-1, -2, -3], [1, 2], [1, 3], [2, 3]]
    """
    literals = literals_in(groups)
    for chosen in itertools.combinations(literals, bound + 1):
        formula.at_least_one(-literal for literal in chosen)
    size = max(0, len(literals) - bound + 1)  # too few literals make the empty clause
    for chosen in itertools.combinations(literals, size):
        formula.at_least_one(chosen)


def encode(cover: Cover, formula: Formula) -> None:
    """Add the exact cover: each cell by one option, each piece as often as it has copies.

    No clause is written twice: a solver that drops one of two equal clauses deletes it in its
    proof, and a checker may take both for deleted. With few options left, two cells, or a cell and
    a piece, may have the same options.
    """
    alternatives = (tuple(literals) for _, _, literals in constraints(cover))
    for literals in dict.fromkeys(alternatives):
        formula.at_least_one(literals)
    conflicts = cell_conflicts(cover, formula)
    for _, copies, options in cover.items:
        if copies == 1:
            _check_steps(formula, len(conflicts) + comb(len(options), 2))
            conflicts.update(itertools.combinations(options, 2))
    for a, b in sorted(conflicts):
        formula.not_both(a + 1, b + 1)
    for _, copies, options in cover.items:
        if copies > 1:
            forbid_disjoint_sets(cover, formula, options, copies + 1, conflicts)


def cell_conflicts(cover: Cover, formula: Formula) -> Conflicts:
    """Return the pairs of options that share a cell."""
    pairs: Conflicts = set()
    for options in cover.by_cell.values():
        _check_steps(formula, len(pairs) + comb(len(options), 2))
        pairs.update(itertools.combinations(options, 2))
    return pairs


def forbid_disjoint_sets(
    cover: Cover, formula: Formula, options: list[int], size: int, conflicts: Conflicts
) -> None:
    """Forbid the sets of ``size`` options that no conflict forbids already."""
    if not options or size * len(cover.options[options[0]].cells) > len(cover.cells):
        return
    stack: list[tuple[list[int], list[int], int]] = [([], options, 0)]
    steps = 0
    while stack:
        steps += 1
        _check_steps(formula, steps)
        chosen, rest, index = stack.pop()
        if len(chosen) == size:
            formula.at_least_one(-option - 1 for option in chosen)
        elif len(rest) - index >= size - len(chosen):
            option = rest[index]
            beside = [other for other in rest[index + 1 :] if (option, other) not in conflicts]
            stack += [(chosen, rest, index + 1), ([*chosen, option], beside, 0)]


def _check_steps(formula: Formula, steps: int) -> None:
    if len(formula.clauses) + steps > MAX_CLAUSES:
        raise TooLarge(
            f"this encoding takes more than {MAX_CLAUSES} steps: the board is large, or its pieces "
            "have copies, which need clauses over sets of placements; use --encoding ladder"
        )
