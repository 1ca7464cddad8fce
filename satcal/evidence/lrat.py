"""Formulas and proofs in the forms that other checkers read: DIMACS, LRAT, DRUP.

What satcal's own replay applies without writing it down is put back as clauses: against two
placements that share a cell, and against more placements of a piece than it has copies. LRAT
(Cruz-Filipe and others, CADE 2017) names those as hints too.

A certificate of format 1 holds DRUP: DRAT in text form (Wetzler, Heule and Hunt, SAT 2014), held
to unit propagation. satcal writes such proofs no longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.formula import Clause, Formula
from satcal.proof.replay import as_clause, lemmas

Literals = tuple[int, ...]
MAX_CLAUSES = 5_000_000
_DRUP_LINE = re.compile(rb"(d )?(-?[1-9][0-9]{0,5} )*0")  # variables below a million


class Step(NamedTuple):
    """A lemma, the numbers of the clauses that show it, and of those forgotten after it.

    In DRUP it has no hints, and may be a clause that it ``deletes`` instead.
    """

    literals: Literals
    hints: Sequence[int] = ()
    forgotten: Sequence[int] = ()
    deletes: bool = False


class Standard:
    """A formula with its implied clauses, and proofs of it step by step.

    ``clauses`` are numbered from 1: those ``given`` by the formula, then the ``implied`` ones.
    Raises TooLarge if there are more than ``MAX_CLAUSES``.
    """

    def __init__(self, formula: Formula) -> None:
        self._formula = formula
        self.variables = len(formula.placements)
        self.given = [
            (*(1 + x for x in _bits(positive)), *(-1 - x for x in _bits(negative)))
            for positive, negative in formula.clauses
        ]
        self.implied = list(islice(_implied(formula), MAX_CLAUSES + 1 - len(self.given)))
        self.clauses = self.given + self.implied
        if len(self.clauses) > MAX_CLAUSES:
            raise TooLarge(
                f"a standard formula of more than {MAX_CLAUSES} clauses: the board is large, "
                "or its pieces have copies; satcal's own replay needs none of them"
            )

    def dimacs(self) -> str:
        """Return the formula as a DIMACS file."""
        lines = (" ".join(map(str, (*clause, 0))) for clause in self.clauses)
        top = f"p cnf {self.variables} {len(self.clauses)}"
        return "\n".join([top, *lines, ""])

    def lrat(self, steps: Iterable[Step]) -> str:
        """Return steps as an LRAT file."""
        lines: list[str] = []
        for number, step in enumerate(steps, start=len(self.clauses) + 1):
            lines.append(" ".join(map(str, (number, *step.literals, 0, *step.hints, 0))))
            if step.forgotten and step.literals:  # nothing comes after the empty clause
                lines.append(f"{number} d {' '.join(map(str, step.forgotten))} 0")
        return "\n".join([*lines, ""])

    def steps(self, content: bytes, name: str) -> Iterator[Step]:
        """Yield the steps of a proof that satcal's own replay has accepted."""
        given, shift = len(self.given), len(self.implied)
        implied = {clause: number for number, clause in enumerate(self.implied, start=given + 1)}
        known = dict(enumerate(self._formula.clauses, start=1))
        for number, (codes, hints) in enumerate(lemmas(content, name), start=given + 1):
            literals = literals_of(codes)
            hinted = [number - 1 - (hint >> 1) for hint in hints]
            chain: list[int] = []
            excluding = self._excluding(literals, [known[each] for each in hinted])
            for each, clauses in zip(hinted, excluding, strict=True):
                chain += (implied[clause] for clause in clauses)
                chain.append(each + shift * (each > given))
            forgotten = [x for x, hint in zip(hinted, hints, strict=True) if hint & 1]
            for each in forgotten:
                del known[each]
            known[number] = as_clause(self._formula, codes, name)
            yield Step(literals, chain, [x + shift * (x > given) for x in forgotten])

    def _excluding(self, lemma: Literals, hinted: Iterable[Clause]) -> Iterator[list[Literals]]:
        """Yield for each hint the implied clauses that make its placements false."""
        sharing = self._formula.sharing
        true = [-literal - 1 for literal in lemma if literal < 0]
        false = sum(1 << (literal - 1) for literal in lemma if literal > 0)
        for positive, negative in hinted:
            excluded: list[list[int]] = []
            left = positive & ~false
            for one in true:
                excluded += ([one, other] for other in _bits(left & sharing[one]))
                left &= ~sharing[one]
            for variable in _bits(left):
                rivals, copies = self._formula.rivals[variable]
                together = [one for one in true if rivals >> one & 1]
                if len(together) >= copies:
                    excluded.append([*together, variable])
                    left &= ~(1 << variable)
            yield [tuple(-1 - x for x in sorted(each)) for each in excluded]
            false |= positive & ~left | negative & ~sum(1 << one for one in true)
            true += _bits(left)


def _implied(formula: Formula) -> Iterator[Literals]:
    """Yield the clauses that the replay applies by itself, in ascending order."""
    for one, (rivals, copies) in enumerate(formula.rivals):
        others = formula.sharing[one] | (rivals if copies == 1 else 0)
        yield from [(-1 - one, -2 - one - other) for other in _bits(others >> (one + 1))]
    for rivals, copies in dict.fromkeys(formula.rivals):
        if copies > 1:
            yield from _apart(formula.sharing, rivals, copies + 1)


def _apart(sharing: list[int], rivals: int, size: int) -> Iterator[Literals]:
    """Yield a clause against each set of so many disjoint placements."""
    steps = 0
    stack: list[tuple[Literals, int]] = [((), rivals)]
    while stack:
        chosen, rest = stack.pop()
        if len(chosen) == size:
            yield chosen
            continue
        for variable in _bits(rest):
            steps += 1
            if steps > MAX_CLAUSES:
                raise TooLarge("a piece has too many copies for a standard formula")
            beside = rest & ~sharing[variable] & -(2 << variable)
            stack.append(((*chosen, -1 - variable), beside))


def _bits(mask: int) -> list[int]:
    """Return the numbers of the bits that are set, ascending."""
    size = (mask.bit_length() + 7) // 8
    data = np.frombuffer(mask.to_bytes(size, "little"), np.uint8)
    bits: list[int] = np.flatnonzero(np.unpackbits(data, bitorder="little")).tolist()
    return bits


def literals_of(codes: Iterable[int]) -> Literals:
    """Return the codes 0, 1, 2, 3, … as the literals 1, -1, 2, -2, …."""
    return tuple(-1 - (code >> 1) if code & 1 else 1 + (code >> 1) for code in codes)


def drup_text(steps: Iterable[Step]) -> str:
    """Return steps as a DRUP file."""
    return "".join(
        f"{'d ' if step.deletes else ''}{' '.join(map(str, (*step.literals, 0)))}\n"
        for step in steps
    )


def parse_drup(text: bytes, name: str) -> list[Step]:
    """Return the steps of a proof of format 1.

    Raises CertificateRefused if a line is no step, or no step adds the empty clause.
    """
    if not text.endswith(b"\n"):
        raise CertificateRefused(f"{name}: it is empty, or cut off within its last line")
    steps: list[Step] = []
    for number, line in enumerate(text[:-1].split(b"\n"), start=1):
        if not _DRUP_LINE.fullmatch(line):
            raise CertificateRefused(f"{name}: line {number} is no step of a proof")
        *literals, _ = map(int, line.removeprefix(b"d ").split())
        steps.append(Step(tuple(literals), deletes=line.startswith(b"d")))
    if Step(()) not in steps:
        raise CertificateRefused(f"{name}: no step derives the empty clause")
    return steps
