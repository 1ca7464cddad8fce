"""*ladder*: counters over placements in the order of their first cells.

Order the cells row by row, or column by column if the board is wider than high. A placement
*starts* at its first cell in that order. A counter adds up the placements on a cell (to k = 1), or
those of a piece or category (to k = its copies), in m steps: its placements grouped by start. After
step i, but the last, it has the variables s(i, j), "at least j so far", for j up to k and i. They
are defined in both directions; s(i, 0) is true, s(0, j) false, and clauses with them shrink ::

    ¬s(i-1, j) ∨ s(i, j)                      it has been j before
    ¬x ∨ ¬s(i-1, j-1) ∨ s(i, j)               it was j - 1, and x of this step is true
    ¬s(i, j) ∨ s(i-1, j) ∨ x1 ∨ ... ∨ xn      otherwise it is not: x1, ..., xn are the step
    ¬s(i, j) ∨ s(i-1, j-1)
    ¬s(i-1, k) ∨ ¬x                           no more than k
    s(m-1, k) ∨ x1 ∨ ... ∨ xn                 in the end k
    s(m-1, k) ∨ s(m-1, k-1)

Two placements that start at one cell exclude each other there, pairwise. For k = 1 the names of the
variables leave j out.

Without copies, n placements in m > 1 steps, a of them in the first and z in the last, take
``2*n - a - z + 2*m - 2`` clauses and m - 1 auxiliaries (for m = 1 one clause and none); then come
the pairs that start at the same cell.

>>> import satcal
>>> formula = satcal.formula("a-puzzle-a-day", "Oct 6", encoding="ladder")
>>> formula.nv, len(formula.clauses), formula.names[682]
(1244, 17728, 'cell r0c1 covered from cell r0c0 or before')

A state of the tiling diagram knows which pieces are used and which cells are covered by placements
that started. These variables say the same, so a solver learns about states, not only placements.
Unit propagation is arc consistent for each counter. There are as many models as tilings.

C. Sinz, `Towards an optimal CNF encoding of Boolean cardinality constraints
<https://doi.org/10.1007/11564751_73>`_ (CP 2005): sequential counters, here with groups as steps.
For k = 1 they are the ladder of I. Gent, P. Nightingale, *A new encoding of AllDifferent into SAT*
(ModRef 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

from satcal.encoding.formula import Formula, Groups, LiteralOrBool, cell_text, literals_in
from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import cell_order


def exactly(
    formula: Formula, groups: Groups, bound: int, names: Sequence[str] = (), exclusive: bool = False
) -> None:
    """Add "exactly ``bound`` of the literals" by a counter whose steps are the groups.

    Groups must not be empty, and ``bound`` must be at least 1. ``names`` are those of the steps'
    variables. ``exclusive`` tells that the caller adds clauses that forbid two literals of one
    group; else this function adds them.

    The variable of step k and number j is true if and only if at least j literals of the steps 0 to
    k are:

    >>> formula = Formula(["a", "b", "c"])
    >>> exactly(formula, [[1], [2], [3]], 1)
    >>> formula.clauses  # 4 is "1", 5 is "1 or 2"
    [[-1, 4], [-4, 1], [-4, -2], [-4, 5], [-2, 5], [-5, 4, 2], [-5, -3], [5, 3]]
    """
    if not groups:
        formula.at_least_one([])
        return
    if not exclusive:
        if bound > 1:  # a step can count only one, so each literal gets its own
            groups = [[literal] for literal in literals_in(groups)]
        for step in groups:
            formula.at_most_one(step)
    # at_least[j] is "at least j in the steps before this one"
    at_least: list[LiteralOrBool] = [True, *[False] * bound]
    for index, step in enumerate(groups):
        for literal in step:
            formula.implies([at_least[bound]], -literal)
        if index < len(groups) - 1:
            name = names[index] if names else f"step {index}"
            next_at_least: list[LiteralOrBool] = [True]
            for j in range(1, bound + 1):
                label = f"{name}, {j}" if bound > 1 else name
                variable = _add_step(formula, at_least[j - 1], at_least[j], step, label)
                next_at_least.append(variable)
            at_least = next_at_least
    formula.implies([], at_least[bound], *groups[-1])
    formula.implies([], at_least[bound], at_least[bound - 1])


def _add_step(
    formula: Formula,
    at_least_j_minus_1: LiteralOrBool,
    at_least_j: LiteralOrBool,
    step: Sequence[int],
    name: str,
) -> LiteralOrBool:
    """Return "at least j with this step": at least j before it, or j - 1 and one of the step."""
    if at_least_j_minus_1 is False:
        return False
    variable = formula.new(name)
    formula.implies([at_least_j], variable)
    for literal in step:
        formula.implies([literal, at_least_j_minus_1], variable)
    formula.implies([variable], at_least_j, *step)
    formula.implies([variable], at_least_j_minus_1)
    return variable


def encode(cover: Cover, formula: Formula) -> None:
    """Add the exact cover by a ladder per cell and per piece.

    Of a cell's ladder only the last step, the options that start at the cell, needs conflicts:
    those of another step exclude each other by the ladder of the cell where they start.
    """
    order = cell_order(cover.cells)
    rank = {cell: index for index, cell in enumerate(order)}
    first = [min(rank[cell] for cell in option.cells) for option in cover.options]
    for index, cell in enumerate(order):
        steps = _group_by_start(cover.by_cell[cell], first)
        covered = f"{cell_text(cell)} covered"
        names = [f"{covered} from {cell_text(order[k])} or before" for k in steps]
        formula.at_most_one(steps.get(index, ()))
        exactly(formula, list(steps.values()), 1, names, exclusive=True)
    for item, copies, options in cover.items:
        steps = _group_by_start(options, first)
        names = [f"{item} starts at {cell_text(order[k])} or before" for k in steps]
        exactly(formula, list(steps.values()), copies, names, exclusive=True)


def _group_by_start(options: Sequence[int], first: Sequence[int]) -> dict[int, list[int]]:
    """Return the variables of the options by first cell, in the order of the cells."""
    steps: dict[int, list[int]] = {}
    for index in sorted(options, key=lambda option: first[option]):
        steps.setdefault(first[index], []).append(index + 1)
    return steps
