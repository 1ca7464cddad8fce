"""Exact covers by a solver that counts.

The readers of the formats share no code with the writers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pysat.solvers import Solver

from oracle import Tiling
from satcal.puzzle.placements import Cover

ENCODINGS_FOLDER = Path(__file__).parents[2] / "encodings"


def read_dlx(text: str) -> tuple[dict[str, int], list[tuple[str, ...]]]:
    """Read Knuth's exact-cover text: how often each item is to be covered, and the options."""
    items, *options = [line.split() for line in text.splitlines() if not line.startswith("|")]
    wanted: dict[str, int] = {}
    for token in items:
        bounds, _, name = token.rpartition("|")
        low, _, high = bounds.partition(":")
        assert low == high or not high, token
        assert 0 < len(name.encode()) <= 8, "Knuth's programs take eight bytes"
        assert name not in wanted
        wanted[name] = int(low or 1)
    for option in options:
        assert len(set(option)) == len(option)
        assert wanted.keys() >= set(option)
    return wanted, [tuple(option) for option in options]


def read_opb(text: str) -> list[tuple[int, Sequence[int]]]:
    """Read OPB equations: the sum, and the variables; comments stand above them."""
    head, *lines = text.splitlines()
    counts = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", head)
    assert counts
    body = [line for line in lines if not line.startswith("*")]
    assert lines[-len(body) :] == body
    assert len(body) == int(counts[2])
    equations = []
    for line in body:
        if line == "+1 x1 >= 2 ;":
            return [(1, ())]
        terms, bound = line.removesuffix(" ;").split(" = ")
        variables = tuple(int(x) for x in re.findall(r"\+1 x(\d+)", terms))
        assert terms == " ".join(f"+1 x{x}" for x in variables)
        assert max(variables) <= int(counts[1])
        equations.append((int(bound), variables))
    return equations


def solve_exactly(equations: list[tuple[int, Sequence[int]]]) -> Iterator[frozenset[int]]:
    """Yield the sets of variables that meet every "this many of these"."""
    with Solver("minicard") as solver:
        for bound, variables in equations:
            solver.add_clause(variables)  # minicard takes no bound below 0 for no variable
            solver.add_atmost(variables, bound)
            solver.add_atmost([-x for x in variables], len(variables) - bound)
        for model in solver.enum_models():
            yield frozenset(x for x in model if x > 0)


def solve_opb(text: str) -> list[frozenset[int]]:
    """Return the sets of variables that meet all equations."""
    return list(solve_exactly(read_opb(text)))


def solve_dlx(text: str) -> list[frozenset[int]]:
    """Return the exact covers of Knuth's text as sets of option numbers, from 1 on."""
    wanted, options = read_dlx(text)
    having = {name: [n for n, option in enumerate(options, 1) if name in option] for name in wanted}
    return list(solve_exactly([(many, having[name]) for name, many in wanted.items()]))


def found_options(cover: Cover, chosen: Iterable[int]) -> tuple[tuple[str, ...], Tiling]:
    """Return the labels and the tiling that true option variables stand for."""
    options = [cover.options[number - 1] for number in sorted(chosen)]
    labels = tuple(option.text for option in options if hasattr(option, "text"))
    placed = frozenset((o.piece, frozenset(o.cells)) for o in options if hasattr(o, "piece"))
    return labels, placed
