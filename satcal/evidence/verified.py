"""A certificate's text for ``satcal-verified check``, whose theorem needs no line of satcal's.

Placements and clauses keep the numbers of docs/certificates.md. What is written wrongly here
can only be refused: the program draws again what it was given, and tells what it has proved.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from itertools import takewhile

from satcal.counting.verified import NAME, label_names, plain_text, program
from satcal.errors import CertificateRefused, Stopped
from satcal.processes import limited
from satcal.proof.certificate import Opened
from satcal.proof.formula import cubes_cover, task
from satcal.proof.replay import lemmas
from satcal.puzzle.model import Puzzle


def ask(data: bytes, puzzle: Puzzle) -> None:
    """Have the program check each section of a certificate.

    Raises:
        Missing: there is no such program.
        CertificateRefused: it refuses one.
        Stopped: it ends without a verdict.
    """
    opened = Opened(data)
    for number, stated in enumerate(opened.stated, start=1):
        done = subprocess.run(
            limited([program(), "check", "-", *label_names(puzzle, stated.reveal)]),
            input="\n".join(text(opened, number, puzzle)),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        where = f"{' '.join(stated.reveal) or 'the board'}: {NAME}"
        message = done.stderr.strip() or f"exit {done.returncode}"
        if done.returncode == 2:
            raise CertificateRefused(f"{where} refuses it: {message}")
        last = done.stdout.rstrip("\n").rpartition("\n")[2]
        if done.returncode or last.rpartition(",")[2] != str(stated.tilings):
            raise Stopped(f"{where} ended without a verdict: {message}")


def text(opened: Opened, number: int, puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines for a section of a certificate."""
    reveal = opened.stated[number - 1].reveal
    todo, cubes = task(puzzle, reveal), opened.cubes(number)
    numbers = {placed: place for place, placed in enumerate(todo.placements(), start=1)}
    tilings = opened.tilings(number)
    yield plain_text(puzzle, [reveal]) + "tilings"
    for tiling in tilings:
        yield " ".join(str(numbers.get(placed, 0)) for placed in tiling)
    before: tuple[object, ...] = ()
    for index, (cube, rest) in enumerate(zip(cubes, cubes_cover(todo, cubes), strict=True), 1):
        chosen = {placed for _, placed in cube}
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(cube, before, strict=False))])
        yield from (f"cell {row} {column}" for (row, column), _ in cube[same + bool(before) :])
        before = cube
        yield "proof"
        given = len(rest.cells) + sum(copies > 0 for _, _, copies in rest.copies)
        given += sum(chosen.issubset(tiling) for tiling in tilings)
        name = opened.proof(number, index)
        yield from proof_lines(opened.content(name), name, given)


def proof_lines(content: bytes, name: str, given: int) -> Iterator[str]:
    """Yield a proof's lemmas, as they are numbered behind so many clauses."""
    for clause, (codes, hints) in enumerate(lemmas(content, name), start=given):
        literals = [-1 - (code >> 1) if code & 1 else 1 + (code >> 1) for code in codes]
        used = [(clause - (hint >> 1)) * (-1 if hint & 1 else 1) for hint in hints]
        yield " ".join(map(str, [*literals, 0, *used]))
