"""The ladder: "exactly" over placements in the order of their first cells.

Its variables say how many copies of a piece start at or before a cell, and whether a cell
is covered from there: what a state of the tiling diagram knows, so that a solver learns
about states and not only about placements.
"""

from __future__ import annotations

from collections.abc import Sequence

from satcal.encoding.formula import Formula, Groups, LiteralOrBool, cell_label, literals_in
from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import cell_order


def exactly(
    formula: Formula, groups: Groups, bound: int, names: Sequence[str] = (), exclusive: bool = False
) -> None:
    """Add "exactly ``bound`` of the literals", a counter whose steps are the groups.

    No group is empty, and ``bound`` is at least 1. ``names`` says what is true of each
    step's variable, ``exclusive`` that other clauses forbid two literals of one group.

    The variable of step k and number j is true just when at least j literals of the
    steps 0 to k are:

    >>> formula = Formula(["a", "b", "c"])
    >>> exactly(formula, [[1], [2], [3]], 1)
    >>> formula.clauses  # 4 is "1", 5 is "1 or 2"
    [[-1, 4], [-4, 1], [-4, -2], [-4, 5], [-2, 5], [-5, 4, 2], [-5, -3], [5, 3]]
    """
    if not groups:
        formula.at_least_one([])
        return
    if not exclusive:
        if bound > 1:  # two of a step may be true, and a step counts one
            groups = [[literal] for literal in literals_in(groups)]
        for step in groups:
            formula.at_most_one(step)
    # so_far[j] is "at least j in the steps before this one"
    so_far: list[LiteralOrBool] = [True, *[False] * bound]
    for index, step in enumerate(groups):
        for literal in step:
            formula.implies([so_far[bound]], -literal)
        if index < len(groups) - 1:
            name = names[index] if names else f"step {index}"
            now: list[LiteralOrBool] = [True]
            for j in range(1, bound + 1):
                label = f"{name}, {j}" if bound > 1 else name
                now.append(_at_least(formula, so_far[j], so_far[j - 1], step, label))
            so_far = now
    formula.implies([], so_far[bound], *groups[-1])
    formula.implies([], so_far[bound], so_far[bound - 1])


def _at_least(
    formula: Formula,
    had: LiteralOrBool,
    had_one_less: LiteralOrBool,
    step: Sequence[int],
    name: str,
) -> LiteralOrBool:
    """Return the truth of "at least j now": had j before, or j - 1 and one of the step."""
    if had_one_less is False:
        return False
    now = formula.new(name)
    formula.implies([had], now)
    for literal in step:
        formula.implies([literal, had_one_less], now)
    formula.implies([now], had, *step)
    formula.implies([now], had_one_less)
    return now


def encode(cover: Cover, formula: Formula) -> None:
    """Add the exact cover by a ladder per cell and per piece.

    Options with the same first cell exclude each other there, so only the last step of a
    cell's ladder (the options that start at the cell) needs conflicts of its own.
    """
    order = cell_order(cover.cells)
    rank = {cell: index for index, cell in enumerate(order)}
    first = [min(rank[cell] for cell in option.cells) for option in cover.options]
    for index, cell in enumerate(order):
        steps = _steps(cover.by_cell[cell], first)
        covered = f"{cell_label(cell)} covered"
        names = [f"{covered} from {cell_label(order[k])} or before" for k in steps]
        formula.at_most_one(steps.get(index, ()))
        exactly(formula, list(steps.values()), 1, names, exclusive=True)
    for item, copies, options in cover.items:
        steps = _steps(options, first)
        names = [f"{item} starts at {cell_label(order[k])} or before" for k in steps]
        exactly(formula, list(steps.values()), copies, names, exclusive=True)


def _steps(options: Sequence[int], first: Sequence[int]) -> dict[int, list[int]]:
    """Return the variables of the options by first cell, in the order of the cells."""
    steps: dict[int, list[int]] = {}
    for index in sorted(options, key=lambda option: first[option]):
        steps.setdefault(first[index], []).append(index + 1)
    return steps
