"""DIMACS CNF: what SAT solvers and model counters read, with a comment that names each variable.

The comments ``c t pmc`` and ``c p show`` are those of the model counting competition; they
make the options the variables that a projected counter counts over. clasp ignores them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.encoding.formats.comments import CHUNK, chunks, printable
from satcal.encoding.formula import Formula
from satcal.errors import OptionError


def write(formula: Formula, about: Sequence[str]) -> Iterator[str]:
    """Return the text of a formula in chunks.

    Args:
        formula: clauses alone.
        about: lines for the head of the file.

    Raises:
        OptionError: the formula has native constraints, which are no clauses.
    """
    if formula.atmosts:
        raise OptionError(
            "the encoding native has constraints that are no clauses, so there is no DIMACS of "
            "it; use --encoding ladder, or --format opb, which has such constraints"
        )
    return _text(formula, about)


def _text(formula: Formula, about: Sequence[str]) -> Iterator[str]:
    yield "c t pmc\n"
    yield from chunks(f"c {printable(line)}" for line in about)
    names = range(1, formula.variables + 1)
    yield from chunks(f"c var {number} {printable(formula.name(number))}" for number in names)
    yield f"p cnf {formula.variables} {len(formula.clauses)}\n"
    yield " ".join(["c p show", *map(str, range(1, formula.shown + 1)), "0\n"])
    for start in range(0, len(formula.clauses), CHUNK):
        part = formula.clauses[start : start + CHUNK]
        yield "".join([" ".join(map(str, [*clause, 0])) + "\n" for clause in part])
