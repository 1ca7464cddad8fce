"""Checkers and a counter that share no line with satcal: the programs of docs/, one for LRAT."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).parents[2] / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"stranger_{name}", DOCS / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = load("check")
COUNT = load("count")


def accepts(data: bytes) -> list[tuple[str, tuple[str, ...], int]] | None:
    """What the stranger's checker has proved: names, reveals, tilings; None if it refuses."""
    try:
        proved: list[tuple[str, tuple[str, ...], int]] = CHECK.check(data)
    except (CHECK.Refused, UnicodeDecodeError):
        return None
    return proved


def replay(dimacs: str, lrat: str) -> int:
    """Return the number of lemmas of a proof that refutes the formula.

    A second replayer: LRAT without RAT, over sets of literals. It reads the standard files alone:
    pairs that exclude each other are clauses like all others.

    Raises:
        ValueError, KeyError: a file is not in its form, or a lemma does not follow from its hints.
    """
    head, *rows = dimacs.splitlines()
    p, cnf, variables, many = head.split()
    if (p, cnf) != ("p", "cnf") or len(rows) != int(many):
        raise ValueError("no DIMACS file")
    clauses = {number: _clause(row.split(), variables) for number, row in enumerate(rows, start=1)}
    last, lemmas, refuted = len(clauses), 0, False
    for line in lrat.splitlines():
        first, *words = line.split()
        number = int(first)
        if words[0] == "d":
            for gone in words[1:-1]:
                del clauses[int(gone)]
            continue
        if refuted:
            raise ValueError(f"a lemma comes after the empty clause: {line}")
        if number <= last:
            raise ValueError(f"the numbers do not ascend: {line}")
        end = words.index("0") + 1
        lemma = _clause(words[:end], variables)
        _follow(clauses, lemma, [int(word) for word in words[end:-1]], line)
        clauses[number] = lemma
        last, lemmas, refuted = number, lemmas + 1, not lemma
    if not refuted:
        raise ValueError("the empty clause is not derived")
    return lemmas


def _clause(words: list[str], variables: str) -> frozenset[int]:
    *literals, zero = map(int, words)
    if zero or any(not 0 < abs(literal) <= int(variables) for literal in literals):
        raise ValueError(f"no clause: {words}")
    return frozenset(literals)


def _follow(
    clauses: dict[int, frozenset[int]], lemma: frozenset[int], hints: list[int], line: str
) -> None:
    false = set(lemma)
    for position, hint in enumerate(hints, start=1):
        left = clauses[hint] - false
        if not left and position == len(hints):
            return
        if len(left) != 1:
            raise ValueError(f"hint {hint} leaves {len(left)} literals: {line}")
        false |= {-literal for literal in left}
    raise ValueError(f"no hint is false: {line}")
