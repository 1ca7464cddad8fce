"""The owner encoding: a variable per cell and piece tells whether the piece covers the cell."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from satcal.encoding import plain
from satcal.encoding.formula import Formula, Groups, cell_text
from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import Cell


def exactly(formula: Formula, groups: Groups, bound: int) -> None:
    """Add "exactly ``bound``" over groups; for bound 1 with a variable per group (commander).

    >>> formula = Formula(["a", "b"])
    >>> exactly(formula, [[1, 2]], 1)
    >>> formula.clauses
    [[-1, 3], [-2, 3], [-3, 1, 2], [-1, -2], [3]]
    """
    if bound == 1:
        named = [(f"group {index}", group) for index, group in enumerate(groups) if group]
        owners = [_owner(formula, group, name) for name, group in named]
        for group in groups:
            formula.at_most_one(group)
        groups = [owners]
    plain.exactly(formula, groups, bound)


def _owner(formula: Formula, literals: Sequence[int], name: str) -> int:
    """Return a new variable that is true exactly when one of the literals is."""
    owner = formula.new(name)
    for literal in literals:
        formula.implies([literal], owner)
    formula.implies([owner], *literals)
    return owner


def encode(cover: Cover, formula: Formula) -> None:
    """Add the exact cover through owners.

    A piece with one copy needs no conflicts between its placements: each placement implies that
    the piece owns no cell outside it. A piece with several copies needs the conflicts of the plain
    encoding.
    """
    owners: list[dict[Cell, int]] = [{} for _ in cover.items]
    for cell in cover.cells:
        by_item: dict[int, list[int]] = {}
        for index in cover.by_cell[cell]:
            by_item.setdefault(cover.item_of[index], []).append(index + 1)
        for item, literals in by_item.items():
            name = f"owner of {cell_text(cell)} is {cover.items[item].name}"
            owners[item][cell] = _owner(formula, literals, name)
        plain.exactly(formula, [[owners[item][cell] for item in by_item]], 1)
    for owner_of, (_, copies, options) in zip(owners, cover.items, strict=True):
        formula.at_least_one(index + 1 for index in options)
        if copies == 1:
            for index, (cell, owner) in itertools.product(options, owner_of.items()):
                if cell not in cover.options[index].cells:
                    formula.not_both(index + 1, owner)
        else:
            conflicts = plain.cell_conflicts(cover, formula)
            for a, b in sorted(conflicts.intersection(itertools.combinations(options, 2))):
                formula.not_both(a + 1, b + 1)
            plain.forbid_disjoint_sets(cover, formula, options, copies + 1, conflicts)
