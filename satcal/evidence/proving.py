"""A solver's proof that a formula has no model, in the compact form of certificates.

The solver's LRAT proof names every clause that it used. Those that the replay applies by itself
are dropped, and with them the hints that then do nothing and the lemmas that are not needed.
Nothing here has to be trusted.
"""

from __future__ import annotations

import tempfile
from bisect import bisect
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import numpy as np

from satcal.counting.sat import STATIC
from satcal.counting.settings import DEFAULT
from satcal.errors import Disagreement
from satcal.evidence.lrat import Standard
from satcal.proof.formula import Clause, Formula
from satcal.proof.replay import as_clause, taken
from satcal.puzzle.shapes import cell_order

BLOCK = 1 << 24  # bytes decoded at once: a long proof has gigabytes of them


@dataclass
class Lemma:
    """The literals of a clause, coded, and the numbers of the clauses that show it."""

    codes: list[int]
    hints: list[int]


def refute(formula: Formula) -> bytes:
    """Return a proof for :func:`satcal.proof.replay.replay` that a formula has no model.

    Raises TooLarge for too many clauses, Disagreement if it has one or the solver errs.
    """
    given = formula.clauses
    if Clause(0, 0) in given:  # nothing covers a cell, or the cube is a whole tiling
        return encode({0: Lemma([], [1 + given.index(Clause(0, 0))])}, formula)
    # CaDiCaL decides the last variable first: placements by falling first cell
    cells = {cell for _, covered in formula.placements for cell in covered}
    rank = {cell: number for number, cell in enumerate(cell_order(cells))}
    first = [min(rank[cell] for cell in covered) for _, covered in formula.placements]
    outside = [0, *sorted(range(1, len(first) + 1), key=lambda x: (-first[x - 1], x))]
    inside = {variable: number for number, variable in enumerate(outside)}
    standard = Standard(formula)
    raw = _solved(
        [inside[literal] if literal > 0 else -inside[-literal] for literal in clause]
        for clause in standard.implied + standard.given
    )
    return compact(raw, formula, len(standard.implied), outside)


def _solved(clauses: Iterable[list[int]]) -> bytes:
    """Return the binary LRAT proof that one run of the solver writes."""
    import pysolvers  # as PySAT's own class starts to trace before hints can be asked for

    solver = pysolvers.cadical195_new()
    try:
        with tempfile.TemporaryFile() as file:
            for option, value in {**STATIC[DEFAULT], "lrat": 1}.items():
                pysolvers.cadical195_set(solver, option, value)
            trace = pysolvers.cadical195_tracepr(solver, file)
            for clause in clauses:
                pysolvers.cadical195_add_cl(solver, clause)
            if pysolvers.cadical195_solve(solver, [], 0):
                raise Disagreement(
                    "the solver finds one more tiling in a second run, so its count is wrong; "
                    "please report it"
                )
            pysolvers.flushpr(trace)
            file.seek(0)
            return file.read()
    finally:
        pysolvers.cadical195_del(solver, None)


def compact(raw: bytes, formula: Formula, implied: int, variables: Sequence[int]) -> bytes:
    """Return a proof for the replay, made of the binary LRAT proof that a solver has written.

    Before the formula, the solver was given so many ``implied`` clauses, none of them
    unit, which the replay applies by itself. ``variables`` holds per variable of the
    solver (index 0 unused) its number in the formula. Raises Disagreement if the proof
    ends before the empty clause, or does not show it.
    """
    lemmas = _needed(_read(raw, implied, variables, len(formula.clauses)))
    _drop_idle_hints(lemmas, formula)
    return encode(_needed(lemmas), formula)


def _read(raw: bytes, implied: int, variables: Sequence[int], given: int) -> dict[int, Lemma]:
    """Return the solver's lemmas up to the empty one, without the hints at implied clauses.

    Units may lead the solver to lemmas while it is still given the formula; these take numbers
    between those of the formula's clauses.
    """
    codes = [2 * variable - sign for variable in variables for sign in (2, 1)]
    letters_and_literals = max(len(codes), 127)
    values = _varints(raw, letters_and_literals, 2 * implied)
    named: list[int] = []  # the solver's numbers of its lemmas, ascending
    renumbered: dict[int, int] = {}
    lemmas: dict[int, Lemma] = {}
    start = 0
    with suppress(ValueError):  # there is no 0 any more
        while True:
            end = values.index(0, start)
            if values[start] == ord("a"):  # and not "d", a deletion
                number, *literals = values[start + 1 : end]
                start, end = end + 1, values.index(0, end + 1)
                hinted = [value >> 1 for value in values[start:end] if value > 2 * implied]
                hints = [renumbered.get(x) or x - implied - bisect(named, x) for x in hinted]
                named.append(number >> 1)
                renumbered[number >> 1] = new = given + len(named)
                lemmas[new] = Lemma(sorted(codes[x] for x in literals), hints)
                if not literals:
                    return lemmas
            start = end + 1
    raise Disagreement("the solver's proof ends before the empty clause; please report it")


def _varints(raw: bytes, low: int, high: int) -> list[int]:
    """Return the numbers of a stream of 7-bit groups, least first, bit 8 on all but the last.

    Those between the bounds (``low < number <= high``) may be missing: they name implied clauses.
    """
    data = np.frombuffer(raw, np.uint8)
    numbers: list[int] = []
    start = 0
    while start < len(data):
        block = data[start : start + BLOCK]
        ends = np.flatnonzero(block < 128)
        if not len(ends):
            break
        start += int(ends[-1]) + 1
        shifts = 7 * (np.diff(ends, prepend=-1) - 1)
        least = block[ends].astype(np.int64) << shifts
        kept = (least <= low) | (least + (1 << shifts) > high)
        ends, shifts, values = ends[kept], shifts[kept], least[kept]
        for place in range(1, int(shifts.max(initial=0)) // 7 + 1):
            has = np.flatnonzero(shifts >= 7 * place)
            groups = block[ends[has] - place].astype(np.int64) & 127
            values[has] |= groups << (shifts[has] - 7 * place)
        numbers += values.tolist()
    return numbers


def _needed(lemmas: dict[int, Lemma]) -> dict[int, Lemma]:
    """Return the lemmas that the last one needs, in order."""
    wanted = {max(lemmas)}
    for number in reversed(lemmas):
        if number in wanted:
            wanted.update(lemmas[number].hints)
    return {number: lemma for number, lemma in lemmas.items() if number in wanted}


def _drop_idle_hints(lemmas: dict[int, Lemma], formula: Formula) -> None:
    """Drop the hints that do nothing once exclusions are applied at once."""
    clauses = dict(enumerate(formula.clauses, start=1))
    for number, lemma in lemmas.items():
        clauses[number] = clause = as_clause(formula, lemma.codes, "the solver's proof")
        true, false = 0, clause.positive
        for code in lemma.codes:
            if code & 1:
                true, false = taken(formula, true, false, code >> 1)
        useful: list[int] = []
        absurd = False
        for hint in lemma.hints:
            positive, negative = clauses[hint]
            if positive & true or negative & false:
                continue
            useful.append(hint)
            positive, negative = positive & ~false, negative & ~true
            absurd = not (positive or negative)
            if absurd:
                break
            if positive:
                true, false = taken(formula, true, false, positive.bit_length() - 1)
            false |= negative
        if not absurd:
            raise Disagreement("a step of the solver's proof does not follow; please report it")
        lemma.hints = useful


def encode(lemmas: dict[int, Lemma], formula: Formula) -> bytes:
    """Return the bytes of a proof; clauses are forgotten at their last use.

    ``lemmas`` are in order, by numbers that hints use; the formula's clauses have theirs from 1.
    """
    place = {n: index for index, n in enumerate(lemmas, start=len(formula.clauses) + 1)}
    last = {hint: number for number, lemma in lemmas.items() for hint in lemma.hints}
    sizes: list[int] = []
    literals: list[int] = []
    hints: list[int] = []
    for number, lemma in lemmas.items():
        sizes += (len(lemma.codes), len(lemma.hints))
        literals += (b - a - 1 for a, b in zip([-1, *lemma.codes], lemma.codes, strict=False))
        hints += (
            2 * (place[number] - 1 - place.get(hint, hint)) + (last[hint] == number)
            for hint in lemma.hints
        )
    return b"".join(map(_groups, [len(lemmas), *sizes, *literals, *hints]))


@cache
def _groups(number: int) -> bytes:
    """Return the bytes of a number; few numbers make up a proof."""
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)
