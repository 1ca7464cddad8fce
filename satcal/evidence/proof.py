"""DRAT proofs: the text that a certificate holds, and the binary form that solvers write.

A step adds a clause, or deletes one (``d`` before it); each is a line of literals that ends
with 0 (Wetzler, Heule and Hunt, *DRAT-trim*, SAT 2014).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from satcal.errors import CertificateRefused, Disagreement

Step = tuple[bool, list[int]]
"""Whether the clause is deleted, and its literals."""

MAX_VARIABLE = 1_000_000  # extension variables a proof may introduce; ours introduce none
_LINE = re.compile(rb"(d )?(-?[1-9][0-9]{0,6} )*0")
_ADD, _DELETE = ord("a"), ord("d")


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


def from_binary(raw: bytes, numbers: Sequence[int]) -> bytes:
    """Return the text of a binary proof up to its empty clause, its variables renumbered.

    Args:
        raw: the bytes that a solver has written.
        numbers: per variable of the solver (index 0 unused) its number in the formula.

    Raises:
        Disagreement: the proof ends before the empty clause, so the solver's answer is void.
    """
    values = _varints(raw)
    ends = np.flatnonzero(values == 0)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    signs = np.where(values & 1, -1, 1)
    table = np.asarray(numbers, np.int64)
    # what is no literal (a step's first byte) may lie beyond the table
    signed = (signs * table[np.minimum(values >> 1, len(table) - 1)]).tolist()
    lines = []
    for start, end, kind in zip(
        starts.tolist(), ends.tolist(), values[starts].tolist(), strict=True
    ):
        if kind not in (_ADD, _DELETE):
            break
        words = " ".join(map(str, [*signed[start + 1 : end], 0]))
        lines.append(f"d {words}" if kind == _DELETE else words)
        if kind == _ADD and end == start + 1:
            return "\n".join([*lines, ""]).encode()
    raise Disagreement("the solver's proof ends before the empty clause; try another solver")


def _varints(raw: bytes) -> npt.NDArray[np.int64]:
    """Return the numbers of a stream of 7-bit groups, least first, bit 8 on all but the last."""
    data = np.frombuffer(raw, np.uint8)
    ends = np.flatnonzero(data < 128)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    sizes = ends - starts + 1
    values = np.zeros(len(ends), np.int64)
    for place in range(int(sizes.max(initial=0))):
        has = sizes > place
        values[has] |= (data[starts[has] + place].astype(np.int64) & 127) << (7 * place)
    return values
