"""The replay of a proof: does unit propagation, as the proof directs it, refute the formula?

A proof is a list of lemmas, the last one empty. Each lemma is a clause, with hints: the numbers
of earlier clauses. To see that a lemma follows, assume that it is false, and look at the hinted
clauses in order. Each must have all its literals false but one, which then has to be true; the
last must have them all false, which is absurd. So the lemma is true in every assignment that
the clauses before it allow, and the empty one says that there is none (Cruz-Filipe and others,
*Efficient Certified RAT Verification*, CADE 2017, without RAT). What every exact cover knows is
applied at once and never written down: a placement that becomes true makes those false that
share a cell with it, and when as many placements of a piece are true as it has copies, its
others too.

A proof's bytes are numbers in groups of 7 bits, the least first, bit 8 set on all but the last.
First the number of lemmas; for each its number of literals and of hints; then all literals; then
all hints. The literals 1, -1, 2, -2, … are 0, 1, 2, 3, …; those of a lemma ascend, and each is
written as the number of those left out before it. A hint is twice the number of clauses between
the one that is meant and the lemma, plus 1 where that clause is forgotten after its use.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from satcal.errors import CertificateRefused
from satcal.proof.formula import Clause, Formula

GROUPS = 4  # of 7 bits: numbers below 2 ** 28


def replay(formula: Formula, content: bytes, name: str) -> int:
    """Return the number of lemmas of a proof that refutes the formula.

    Raises CertificateRefused, which names the step, if it is no such proof.
    """
    clauses = dict(enumerate(formula.clauses, start=1))
    step, refuted = 0, False
    for step, (literals, hints) in enumerate(lemmas(content, name), start=1):
        where = f"{name}: step {step}"
        if refuted:
            raise CertificateRefused(f"{where} comes after the empty clause")
        number = len(formula.clauses) + step
        clauses[number] = _followed(formula, clauses, number, literals, hints, where)
        refuted = not literals
    if not refuted:
        raise CertificateRefused(f"{name}: step {step} is the last one, and not the empty clause")
    return step


def _followed(
    formula: Formula, clauses: dict[int, Clause], number: int,
    literals: Sequence[int], hints: Sequence[int], where: str,
) -> Clause:  # fmt: skip
    """Return the lemma as a clause, if its hints show that it follows."""
    lemma = as_clause(formula, literals, where)
    true, false = 0, lemma.positive
    for literal in literals:
        if literal & 1:
            true, false = taken(formula, true, false, literal >> 1)
    if true & false:
        raise CertificateRefused(f"{where}: no assignment makes this clause false")
    absurd = False
    for hint in hints:
        hinted = number - 1 - (hint >> 1)
        clause = clauses.pop(hinted, None) if hint & 1 else clauses.get(hinted)
        if clause is None:
            raise CertificateRefused(f"{where}: there is no clause {hinted}, or it is forgotten")
        if absurd:
            raise CertificateRefused(f"{where}: the hint {hinted} follows a clause that is false")
        if clause.positive & true or clause.negative & false:
            raise CertificateRefused(f"{where}: the hint {hinted} is true already")
        positive, negative = clause.positive & ~false, clause.negative & ~true
        left = positive.bit_count() + negative.bit_count()
        if left > 1:
            raise CertificateRefused(f"{where}: the hint {hinted} has {left} literals left")
        if positive:
            true, false = taken(formula, true, false, positive.bit_length() - 1)
        false |= negative
        absurd = not left
    if not absurd:
        raise CertificateRefused(f"{where}: this clause does not follow from its hints")
    return lemma


def taken(formula: Formula, true: int, false: int, variable: int) -> tuple[int, int]:
    """Return what is true and what is false when a placement is true, too."""
    true |= 1 << variable
    rivals, copies = formula.rivals[variable]
    false |= formula.sharing[variable]
    if (true & rivals).bit_count() >= copies:
        false |= rivals & ~true
    return true, false


def as_clause(formula: Formula, literals: Sequence[int], where: str) -> Clause:
    """Return literals as a clause."""
    sides = [0, 0]
    for literal in literals:
        if literal >= 2 * len(formula.placements):
            raise CertificateRefused(f"{where}: there is no variable {1 + (literal >> 1)}")
        sides[literal & 1] |= 1 << (literal >> 1)
    return Clause(*sides)


def lemmas(content: bytes, name: str) -> Iterator[tuple[list[int], Sequence[int]]]:
    """Yield each lemma's literals, ascending, and its hints, as they are coded."""
    numbers = _numbers(content, name)
    sizes = numbers[1 : 1 + 2 * numbers[0]] if numbers else numbers
    literal_at = 1 + len(sizes)
    hint_at = literal_at + sum(sizes[::2])
    if not numbers or len(sizes) != 2 * numbers[0] or len(numbers) != literal_at + sum(sizes):
        raise CertificateRefused(f"{name}: it holds more or fewer numbers than it states")
    for literal_count, hint_count in zip(sizes[::2], sizes[1::2], strict=True):
        literals: list[int] = []
        literal = -1
        for skipped in numbers[literal_at : literal_at + literal_count]:
            literal += 1 + skipped
            literals.append(literal)
        yield literals, numbers[hint_at : hint_at + hint_count]
        literal_at, hint_at = literal_at + literal_count, hint_at + hint_count


def _numbers(content: bytes, name: str) -> array[int]:
    """Return the numbers that the bytes stand for."""
    numbers = array("I")
    value = groups = 0
    for position, byte in enumerate(content):
        value |= (byte & 127) << 7 * groups
        groups += 1
        if groups > GROUPS:
            raise CertificateRefused(f"{name}: byte {position}: a number of 2 ** 28 or more")
        if byte >= 128:
            continue
        if groups > 1 and not byte:
            raise CertificateRefused(f"{name}: byte {position}: a number with leading zeros")
        numbers.append(value)
        value = groups = 0
    if groups:
        raise CertificateRefused(f"{name}: it is cut off within a number")
    return numbers
