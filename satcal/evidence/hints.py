"""From a solver's LRAT proof to the compact form that certificates hold.

The solver names every clause that it used, conflicts of two placements among them. Those the
replay applies by itself, so they are dropped, and with them the hints that then do nothing and
the lemmas that the empty clause does not need. Nothing here has to be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

import numpy as np

from satcal.errors import Disagreement
from satcal.proof.formula import Clause, Formula
from satcal.proof.replay import taken

_ADD = ord("a")
BLOCK = 1 << 24  # bytes decoded at once: a long proof has gigabytes of them


@dataclass
class Lemma:
    """A clause, and the numbers of the clauses that show it; ``codes`` are its literals."""

    codes: list[int]
    hints: list[int]


def compact(raw: bytes, formula: Formula, implied: int, variables: Sequence[int]) -> bytes:
    """Return a proof for :func:`satcal.proof.replay.replay`.

    Args:
        raw: the binary LRAT proof that a solver has written.
        formula: what it refutes.
        implied: how many clauses the solver was given first, of those that the replay applies by
            itself; none of them is unit. Then it was given those of the formula, in order.
        variables: per variable of the solver (index 0 unused) its number in the formula.

    Raises:
        Disagreement: the proof ends before the empty clause, or does not show it.
    """
    lemmas = _read(raw, implied, variables)
    last = max(lemmas)
    numbers = _numbers(lemmas, implied, len(formula.clauses))
    for lemma in lemmas.values():
        lemma.hints = [numbers[hint] for hint in lemma.hints]
    lemmas = _needed({numbers[number]: lemma for number, lemma in lemmas.items()}, numbers[last])
    _clean(lemmas, formula)
    return encode(_needed(lemmas, numbers[last]), formula)


def _read(raw: bytes, implied: int, variables: Sequence[int]) -> dict[int, Lemma]:
    """Return the solver's lemmas by its own numbers up to the empty one, which is the last.

    Hints at implied clauses are left out.
    """
    codes = [code for its in variables for code in (2 * its - 2, 2 * its - 1)]
    values = _varints(raw, max(len(codes), 127), 2 * implied)  # letters and literals are below
    lemmas: dict[int, Lemma] = {}
    start = 0
    while start < len(values):
        end = _find(values, start)
        if values[start] == _ADD:
            stop = _find(values, end + 1)
            if stop == len(values):
                break
            number, *literals = values[start + 1 : end]
            hints = [value >> 1 for value in values[end + 1 : stop] if value > 2 * implied]
            lemmas[number >> 1] = Lemma(sorted([codes[literal] for literal in literals]), hints)
            if not literals:
                return lemmas
            end = stop
        start = end + 1
    raise Disagreement("the solver's proof ends before the empty clause; please report it")


def _numbers(lemmas: Iterable[int], implied: int, given: int) -> dict[int, int]:
    """Return by the solver's number of a clause its own: given ones from 1, then the lemmas.

    While the solver is given the clauses of the formula, units may already lead it to lemmas,
    which take numbers between theirs.
    """
    taken_by = set(lemmas)
    free = (number for number in count(implied + 1) if number not in taken_by)
    numbers = {next(free): number for number in range(1, given + 1)}
    return numbers | {number: index for index, number in enumerate(lemmas, start=given + 1)}


def _find(values: list[int], start: int) -> int:
    """Return where the next 0 is; the end of the list if there is none."""
    try:
        return values.index(0, start)
    except ValueError:
        return len(values)


def _varints(raw: bytes, low: int, high: int) -> list[int]:
    """Return the numbers of a stream of 7-bit groups, least first, bit 8 on all but the last.

    Most of them name clauses that the replay applies by itself, so those between the bounds
    (``low < number <= high``) need not be among them.
    """
    data = np.frombuffer(raw, np.uint8)
    found: list[int] = []
    start = 0
    while start < len(data):
        block = data[start : start + BLOCK]
        ends = np.flatnonzero(block < 128)
        if not len(ends):
            break
        shifts = 7 * (np.diff(ends, prepend=-1) - 1)
        least = block[ends].astype(np.int64) << shifts
        kept = (least <= low) | (least + (1 << shifts) > high)
        ends, shifts, values = ends[kept], shifts[kept], least[kept]
        for place in range(1, int(shifts.max(initial=0)) // 7 + 1):
            has = np.flatnonzero(shifts >= 7 * place)
            groups = block[ends[has] - place].astype(np.int64) & 127
            values[has] |= groups << (shifts[has] - 7 * place)
        found += values.tolist()
        start += int(np.flatnonzero(block < 128)[-1]) + 1
    return found


def _needed(lemmas: dict[int, Lemma], last: int) -> dict[int, Lemma]:
    """Return the lemmas that the last one needs, in order."""
    wanted = {last}
    for number in reversed(lemmas):
        if number in wanted:
            wanted.update(lemmas[number].hints)
    return {number: lemma for number, lemma in lemmas.items() if number in wanted}


def _clean(lemmas: dict[int, Lemma], formula: Formula) -> None:
    """Drop the hints that do nothing once exclusions are applied at once.

    Raises:
        Disagreement: a lemma does not follow from its hints.
    """
    clauses = dict(enumerate(formula.clauses, start=1))
    for number, lemma in lemmas.items():
        clauses[number] = clause = _clause(lemma.codes)
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


def _clause(codes: Iterable[int]) -> Clause:
    sides = [0, 0]
    for code in codes:
        sides[code & 1] |= 1 << (code >> 1)
    return Clause(*sides)


def encode(lemmas: dict[int, Lemma], formula: Formula) -> bytes:
    """Return the bytes of a proof; clauses are forgotten at their last use.

    Args:
        lemmas: in order, by numbers that hints use; the formula's clauses have theirs from 1.
        formula: what is refuted.
    """
    given = len(formula.clauses)
    place = {number: given + index for index, number in enumerate(lemmas, start=1)}
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
    """Return the bytes of a number; few numbers are many of them."""
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)
