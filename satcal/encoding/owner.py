"""*owner*: a variable for each cell and each piece that can cover it, true exactly if it does.

Let x1, ..., xn be the placements of one piece (or the labels of one category) on a cell. Their
owner o is defined in both directions, and a cell has one owner ::

    ¬xi ∨ o                   a placement owns its cells
    ¬o ∨ x1 ∨ ... ∨ xn        an owner has a placement there
    o1 ∨ ... ∨ op             a cell has an owner
    ¬oi ∨ ¬oj   (i < j)       it has one only

Then for each piece ::

    x1 ∨ x2 ∨ ... ∨ xn        it is placed
    ¬x ∨ ¬o                   not beside a placement x: for its owners o of other cells

The last kind takes the place of conflicts between the placements of a piece with one copy. A piece
with copies has the conflicts of :mod:`satcal.encoding.plain` instead.

Without copies, a cell with n placements of p pieces takes ``n + p + p*(p-1)//2 + 1`` clauses and p
auxiliaries; a piece of area a, with n placements on c cells in all, ``1 + n*(c - a)`` clauses.

>>> import satcal
>>> formula = satcal.formula("a-puzzle-a-day", "Oct 6", encoding="owner")
>>> formula.nv, len(formula.clauses), formula.names[682]
(1000, 28998, 'owner of cell r0c0 is O')

Unit propagation may imply more than that of *plain*: an owner that is false excludes all placements
of its piece on the cell. There are as many models as tilings.

W. Klieber, G. Kwon, `Efficient CNF encoding for selecting 1 from n objects
<https://www.cs.cmu.edu/~wklieber/papers/2007_efficient-cnf-encoding-for-selecting-1.pdf>`_ (CFV
2007): the owners are commander variables, whose groups mean something.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from satcal.encoding import plain
from satcal.encoding.formula import Formula, Groups, cell_text
from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import Cell


def exactly(formula: Formula, groups: Groups, bound: int) -> None:
    """Add "exactly ``bound``" over groups; for bound 1 with an owner (commander) per group.

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
    """Add the exact cover through owners."""
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
