"""The ladder encoding: counters over placements in the order of their first cells.

A variable tells whether at least j copies of a piece start at or before a cell, or whether a cell
is covered by a placement that starts at or before another cell. A state of the tiling diagram has
the same information. So a solver can learn clauses about states, not only about placements.
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

    Options with the same first cell exclude each other by the ladder of that cell. So only the last
    step of a cell's ladder (the options that start at the cell) needs conflicts.
    """
    order = cell_order(cover.cells)
    rank = {cell: index for index, cell in enumerate(order)}
    first = [min(rank[cell] for cell in option.cells) for option in cover.options]
    for index, cell in enumerate(order):
        steps = _steps(cover.by_cell[cell], first)
        covered = f"{cell_text(cell)} covered"
        names = [f"{covered} from {cell_text(order[k])} or before" for k in steps]
        formula.at_most_one(steps.get(index, ()))
        exactly(formula, list(steps.values()), 1, names, exclusive=True)
    for item, copies, options in cover.items:
        steps = _steps(options, first)
        names = [f"{item} starts at {cell_text(order[k])} or before" for k in steps]
        exactly(formula, list(steps.values()), copies, names, exclusive=True)


def _steps(options: Sequence[int], first: Sequence[int]) -> dict[int, list[int]]:
    """Return the variables of the options by first cell, in the order of the cells."""
    steps: dict[int, list[int]] = {}
    for index in sorted(options, key=lambda option: first[option]):
        steps.setdefault(first[index], []).append(index + 1)
    return steps
