"""The sizes that encodings/README.md and the page of each encoding state in closed form."""

from __future__ import annotations

import importlib
import itertools
import re
from collections import Counter
from math import ceil, comb, log2

import pytest
from pysat.solvers import Solver

from helpers.solvers import ENCODINGS_FOLDER
from satcal.encoding import ENCODINGS, encode
from satcal.encoding.formula import Formula, constraints
from satcal.puzzle.loading import load
from satcal.puzzle.placements import Cover, cover_of
from satcal.puzzle.shapes import cell_order

README = (ENCODINGS_FOLDER / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("\n## Encodings\n")[2].partition("\n## ")[0]
ROWS = {
    name: cells
    for line in SECTION.splitlines()
    if re.match(r"\| \[?`", line)
    for cells in [[cell.strip().strip("`") for cell in line.split("|")[2:-1]]]
    for name in re.findall("`([a-z-]+)`", line.split("|")[1])
}


def stated(name: str, **values: int) -> int:
    """Return the first number of clauses that the page of an encoding states and ``values`` fit."""
    page = importlib.import_module(f"satcal.encoding.{name}").__doc__
    for formula in re.findall(r"``([^`]+)``\s+clauses", page):
        if set(re.findall("[a-z]", formula)) == values.keys():
            return int(eval(formula, {}, dict(values)))
    raise AssertionError(f"{name}: no clauses by {', '.join(values)}")


def exactly_one(name: str, n: int) -> Formula:
    formula = Formula([f"v{variable}" for variable in range(1, n + 1)])
    ENCODINGS[name].exactly(formula, [[variable] for variable in range(1, n + 1)], 1)
    return formula


def test_the_table_has_every_encoding_with_clauses():
    assert ROWS.keys() == {name for name, each in ENCODINGS.items() if each.dimacs}
    for name, (_, _, _, determined) in ROWS.items():
        assert determined == ("yes" if ENCODINGS[name].determined else "no")


@pytest.mark.parametrize("name", ROWS)
def test_exactly_one_of_n_has_the_stated_size_and_propagates_as_stated(name):
    auxiliaries, clauses, consistent, _ = ROWS[name]
    for n in (3, 4, 5, 7, 8, 9, 16, 17, 33, 64):
        formula, values = exactly_one(name, n), {"n": n, "k": ceil(log2(n))}
        sizes = {auxiliaries: formula.variables - n, clauses: len(formula.clauses)}
        for text, size in sizes.items():
            if text != "-":
                assert eval(text, values) == size, (n, text)
    everything = set(range(1, 10))
    with Solver(name="minisat22", bootstrap_with=exactly_one(name, 9).clauses) as solver:
        follows = all(
            {-other for other in everything - {one}} <= set(solver.propagate([one])[1])
            and one in solver.propagate([-other for other in everything - {one}])[1]
            for one in everything
        )
    assert follows == (consistent == "yes")


def ladder_size(cover: Cover) -> tuple[int, int]:
    """Return the auxiliaries and clauses of the ladder, by its page."""
    rank = {cell: index for index, cell in enumerate(cell_order(cover.cells))}
    first = [min(rank[cell] for cell in option.cells) for option in cover.options]
    auxiliaries, clauses = 0, sum(comb(n, 2) for n in Counter(first).values())
    for _, _, literals in constraints(cover):
        steps = Counter(first[literal - 1] for literal in literals)
        a, z, n, m = steps[min(steps)], steps[max(steps)], len(literals), len(steps)
        auxiliaries += m - 1
        clauses += stated("ladder", n=n, a=a, z=z, m=m) if m > 1 else 1
    return auxiliaries, clauses


def plain_size(cover: Cover) -> tuple[int, int]:
    groups = {tuple(literals) for _, _, literals in constraints(cover)}
    pairs = {pair for group in groups for pair in itertools.combinations(group, 2)}
    return 0, stated("plain", g=len(groups), p=len(pairs))


def owner_size(cover: Cover) -> tuple[int, int]:
    auxiliaries = clauses = 0
    owned: Counter[int] = Counter()
    for options in cover.by_cell.values():
        items = {cover.item_of[index] for index in options}
        owned.update(items)
        n, p = len(options), len(items)
        auxiliaries += p
        clauses += stated("owner", n=n, p=p)
    for index, item in enumerate(cover.items):
        area = len(cover.options[item.options[0]].cells)
        clauses += stated("owner", n=len(item.options), c=owned[index], a=area)
    return auxiliaries, clauses


@pytest.mark.parametrize(
    ("name", "size"), [("plain", plain_size), ("owner", owner_size), ("ladder", ladder_size)]
)
def test_a_formula_has_the_stated_size(name, size):
    cover = cover_of(load("month-7x5"), ("31",))
    formula = encode(cover, name)
    assert size(cover) == (formula.variables - len(cover.options), len(formula.clauses))
