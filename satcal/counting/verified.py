"""The method ``verified``: a program that is extracted from proofs in Coq (see ``theorem/``).

Its answer is the number of tilings by the definition in ``theorem/Spec.v``. It counts all reveals
in one run, and does not list tilings. Its output repeats the puzzle that it read, which is compared
with the input. It also checks the search trees of certificates.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from satcal.counting.method import Meter, Method, key_of
from satcal.errors import (
    BudgetExhausted,
    CertificateRefused,
    Disagreement,
    Missing,
    OptionError,
    Stopped,
)
from satcal.files import read_bytes
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling, name_reveal
from satcal.puzzle.shapes import shape_rows
from satcal.resources import limit_command

NAME = "satcal-verified"
BUILT = Path(__file__).parents[2] / "theorem" / "build" / NAME
"""The path of the program in a checkout, after ``make theorem``."""
INSTALL_HINT = (
    f"{NAME} is not built: in a checkout of satcal, `apt-get install coq ocaml-nox "
    f"libcoq-stdlib`, then `make theorem`; if it is built elsewhere, put it on the PATH or set "
    "SATCAL_VERIFIED to its path"
)


@dataclass(frozen=True)
class Verified(Method):
    """Count by the program whose proofs are in ``theorem/``."""

    name = "verified"
    one_by_one = False

    def key(self) -> str:
        """Return the key under which counts are stored, with a digest of the program."""
        data = read_bytes(Path(program()), "program")
        return key_of(self.name, program=hashlib.sha256(data).hexdigest()[:32])

    def tilings(
        self, puzzle: Puzzle, reveal: Reveal, place: Sequence[Placement], meter: Meter
    ) -> Iterator[Tiling]:
        """Raise OptionError, as the program does not list tilings."""
        raise OptionError("the method verified lists no tilings; use --method diagram")

    def counts(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement], meter: Meter
    ) -> dict[Reveal, int]:
        """Return the number of tilings of each reveal, from one run of the program.

        Raises:
            OptionError: pieces are placed, which the definition does not have.
            Missing: the program is not installed.
            BudgetExhausted: the meter's time is up.
            Stopped: the program ended without a table.
            Disagreement: the program read another puzzle, or its table has other reveals.
        """
        if place:
            raise OptionError("the method verified takes no --place; use another method")
        timeout = None if meter.until is None else max(0.0, meter.until - time.monotonic())
        text, tokens = plain_text(puzzle, reveals), tokens_by_label(puzzle, reveals)
        table = {}
        for row in run_program(["table", "-"], text, text, timeout=timeout):
            row_tokens, _, tilings = row.rpartition(",")
            table[row_tokens] = tilings  # the head of the table is such a row, too
        counts = {}
        for reveal in reveals:
            tilings = table.get(",".join(tokens[label] for label in reveal), "")
            if not tilings.isdecimal():
                raise Disagreement(f"{NAME} has no row for {name_reveal(reveal)}")
            counts[reveal] = int(tilings)
        return counts


def program() -> str:
    """Return the path of the program: SATCAL_VERIFIED, in this checkout, or on the PATH.

    Raises:
        Missing: the program is in none of these places.
    """
    setting = os.environ.get("SATCAL_VERIFIED")
    path = shutil.which(setting or BUILT) or ("" if setting else shutil.which(NAME))
    if not path:
        fault = f"SATCAL_VERIFIED={setting} is not a program that can be run; " if setting else ""
        raise Missing(f"{fault}{INSTALL_HINT}")
    return path


def prove_counts(puzzle: Puzzle, reveals: Sequence[Reveal], trees: bytes) -> list[int]:
    """Return the number of tilings of each reveal that search trees prove, by the program.

    ``trees`` has the tree of each reveal, one after another and not compressed, in the bytes that
    docs/reference/certificates.md describes.

    Raises:
        Missing: the program is not installed.
        CertificateRefused: the program refuses the trees.
        Stopped: the program ended without a verdict.
        Disagreement: the program read another puzzle, or answered for other reveals.
    """
    text, tokens = plain_text(puzzle, reveals), tokens_by_label(puzzle, reveals)
    token_lists = [[tokens[label] for label in reveal] for reveal in reveals]
    questions = "".join(f"{' '.join(row)}\n" for row in token_lists)
    with tempfile.TemporaryFile() as board, tempfile.TemporaryFile() as forest:
        for file, data in ((board, text.encode()), (forest, trees)):
            file.write(data)
            file.seek(0)
        inherited = (board.fileno(), forest.fileno())
        arguments = ["check", *(f"/dev/fd/{number}" for number in inherited)]
        rows = run_program(arguments, text, questions, pass_fds=inherited)
    parts = [row.rpartition(",") for row in rows]
    if [row for row, _, _ in parts] != [",".join(row) for row in token_lists]:
        raise Disagreement(f"{NAME} answered for other reveals than those asked; please report it")
    return [int(number) for _, _, number in parts]


def run_program(arguments: Sequence[str], text: str, given: str, **options: Any) -> list[str]:
    """Return the lines that the program writes below the puzzle ``text``, which it repeats.

    ``given`` is its standard input, ``options`` are for :func:`subprocess.run`.

    Raises:
        BudgetExhausted: the time is up.
        CertificateRefused: the program refuses trees.
        Stopped: the program ended without an answer.
        Disagreement: the puzzle is not the one that the program was given.
    """
    command = limit_command([program(), *arguments])
    try:
        result: subprocess.CompletedProcess[str] = subprocess.run(
            command, input=given, capture_output=True, text=True, check=False, **options
        )
    except subprocess.TimeoutExpired as error:
        raise BudgetExhausted("time limit reached") from error
    reason = result.stderr.strip().removeprefix(f"{NAME}: ") or f"exit {result.returncode}"
    if result.returncode == 2 and arguments[0] == "check":
        raise CertificateRefused(f"{NAME} refuses it: {reason}")
    if result.returncode:
        raise Stopped(f"{NAME} ended without an answer: {reason}")
    echo = "".join(f"# {line}\n" for line in text.splitlines())
    if not result.stdout.startswith(echo):
        raise Disagreement(
            f"{NAME} read a different puzzle from the one it was given; please report it"
        )
    return result.stdout[len(echo) :].splitlines()


def plain_text(puzzle: Puzzle, reveals: Sequence[Reveal]) -> str:
    """Return the puzzle in the program's format (``satcal-verified --help``).

    It has only the labels of the reveals, as tokens such as ``0.11``.
    """
    tokens = tokens_by_label(puzzle, reveals)
    board = dict.fromkeys(puzzle.cells, "*")
    board |= {cell: tokens.get(label.text, "*") for cell, label in puzzle.label_at.items()}
    height, width = (1 + max(axis) for axis in zip(*puzzle.cells, strict=True))
    lines = ["board"]
    for row in range(height):
        lines.append(" ".join(board.get((row, column), ".") for column in range(width)))
    for labels in puzzle.categories.values():
        lines.append(" ".join(["category", *(tokens[text] for text in labels if text in tokens)]))
    for piece in puzzle.drawn:
        head = "piece" if piece.flip else "piece no-flip"
        lines += [head, *shape_rows(piece.shape)] * piece.copies
    return "\n".join(lines) + "\n"


def tokens_by_label(puzzle: Puzzle, reveals: Sequence[Reveal]) -> dict[str, str]:
    """Return the token of each label of the reveals in the program's format."""
    texts = {text for reveal in reveals for text in reveal}
    return {
        text: f"{category}.{number}"
        for category, labels in enumerate(puzzle.categories.values())
        for number, text in enumerate(labels)
        if text in texts
    }
