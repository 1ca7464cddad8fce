"""The proofs of certificates of format 1: DRAT in text form, held to unit propagation.

A step adds a clause, or deletes one (``d`` before it); each is a line of literals that ends
with 0 (Wetzler, Heule and Hunt, *DRAT-trim*, SAT 2014). satcal writes such proofs no longer.
"""

from __future__ import annotations

import re

from satcal.errors import CertificateRefused

Step = tuple[bool, list[int]]
"""Whether the clause is deleted, and its literals."""

MAX_VARIABLE = 1_000_000
_LINE = re.compile(rb"(d )?(-?[1-9][0-9]{0,6} )*0")


def parse(text: bytes, name: str) -> list[Step]:
    """Return the steps of a proof's text.

    Raises:
        CertificateRefused: a line is no step, or no step adds the empty clause.
    """
    if not text.endswith(b"\n"):
        raise CertificateRefused(f"{name}: it is empty, or cut off within its last line")
    steps: list[Step] = []
    empty = False
    for number, line in enumerate(text[:-1].split(b"\n"), start=1):
        if not _LINE.fullmatch(line):
            raise CertificateRefused(f"{name}: line {number} is no step of a proof")
        deletes = line[:1] == b"d"
        literals = list(map(int, line[2:].split() if deletes else line.split()))[:-1]
        if any(abs(literal) > MAX_VARIABLE for literal in literals):
            raise CertificateRefused(f"{name}: line {number}: a variable above {MAX_VARIABLE}")
        empty = empty or not (deletes or literals)
        steps.append((deletes, literals))
    if not empty:
        raise CertificateRefused(f"{name}: no step derives the empty clause")
    return steps
