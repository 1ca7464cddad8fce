"""Counting and checking by ``satcal-verified``, extracted from proofs in Coq (see ``theorem/``).

What the program says is the number of tilings by the definition in ``theorem/Spec.v``, whatever
satcal believes. It draws the puzzle that it was given again, which is compared.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from satcal.counting.settings import Question
from satcal.errors import BudgetExhausted, CertificateRefused, Disagreement, Missing, Stopped
from satcal.processes import limited
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.shapes import drawn

NAME = "satcal-verified"
BUILT = Path(__file__).parents[2] / "theorem" / "build" / NAME
"""Where ``make theorem`` leaves the program in a checkout."""
HOW = (
    f"{NAME} is not built: in a checkout of satcal, `apt-get install coq ocaml-nox "
    f"libcoq-stdlib`, then `make theorem`; if it is built elsewhere, put it on the PATH or set "
    "SATCAL_VERIFIED to its path"
)


def program() -> str:
    """The path of the program: as SATCAL_VERIFIED says, as built here, or on the PATH.

    Raises:
        Missing: it is in none of these places.
    """
    named = os.environ.get("SATCAL_VERIFIED")
    if named and not _runs(Path(named)):
        raise Missing(f"SATCAL_VERIFIED={named} is not a program that can be run; {HOW}")
    path = named or (str(BUILT) if _runs(BUILT) else shutil.which(NAME))
    if path is None:
        raise Missing(HOW)
    return path


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def counts(question: Question, deadline: float | None = None) -> dict[Reveal, int]:
    """The number of tilings of each reveal of a question, from one run of the program.

    Raises:
        Missing: there is no such program.
        BudgetExhausted: the deadline, a ``time.monotonic()`` reading, passed.
        Stopped: the program ended without a table.
        Disagreement: it drew another puzzle, or its table has other reveals.
    """
    puzzle, reveals = question.puzzle, list(question.reveals)
    if not reveals:
        return {}
    text = plain_text(puzzle, reveals)
    try:
        done = subprocess.run(
            [program(), "table", "-"],
            input=text,
            capture_output=True,
            text=True,
            timeout=None if deadline is None else max(0.0, deadline - time.monotonic()),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BudgetExhausted("stopped by the time limit") from error
    if done.returncode:
        raise Stopped(f"{NAME} ended without a table: {_message(done)}")
    texts = {token: label for label, token in _tokens(puzzle, reveals).items()}
    table: dict[Reveal, int] = {}
    for row in _rows(text, done.stdout):
        *tokens, tilings = row.split(",")
        if texts.keys() >= set(tokens) and tilings.isdecimal():
            table[tuple(texts[token] for token in tokens)] = int(tilings)
    if missing := [reveal for reveal in reveals if reveal not in table]:
        raise Disagreement(f"{NAME} has no row for {' '.join(missing[0]) or 'the board'}")
    return {reveal: table[reveal] for reveal in reveals}


def proved(puzzle: Puzzle, reveals: Sequence[Reveal], trees: bytes) -> list[int]:
    """The number of tilings of each reveal that search trees prove, says the program.

    ``trees`` are those of the reveals, one after another, as docs/reference/certificates.md
    describes their bytes, not compressed.

    Raises:
        Missing: there is no such program.
        CertificateRefused: the trees prove nothing of the kind.
        Stopped: the program ended without a verdict.
        Disagreement: it drew another puzzle, or speaks of other reveals.
    """
    text, tokens = plain_text(puzzle, reveals), _tokens(puzzle, reveals)
    named = [[tokens[label] for label in reveal] for reveal in reveals]
    with tempfile.TemporaryFile() as file:
        file.write(trees)
        file.seek(0)
        path = f"/dev/fd/{file.fileno()}"
        done = subprocess.run(
            limited([program(), "check", "-", path, *(" ".join(labels) for labels in named)]),
            input=text,
            pass_fds=[file.fileno()],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode == 2:
        raise CertificateRefused(f"{NAME} refuses it: {_message(done)}")
    if done.returncode:
        raise Stopped(f"{NAME} ended without a verdict: {_message(done)}")
    rows = [row.rpartition(",") for row in _rows(text, done.stdout)]
    if [labels for labels, _, _ in rows] != [",".join(labels) for labels in named]:
        raise Disagreement(f"{NAME} answered for other reveals than those asked; please report it")
    return [int(number) for _, _, number in rows]


def _message(done: subprocess.CompletedProcess[str]) -> str:
    return done.stderr.strip().removeprefix(f"{NAME}: ") or f"exit {done.returncode}"


def _rows(text: str, output: str) -> list[str]:
    """What the program wrote below the puzzle, which has to be the one that it was given."""
    echo = "".join(f"# {line}\n" for line in text.splitlines())
    if not output.startswith(echo):
        raise Disagreement(
            f"{NAME} read a different puzzle from the one it was given; please report it"
        )
    return output[len(echo) :].splitlines()


def plain_text(puzzle: Puzzle, reveals: Sequence[Reveal]) -> str:
    """The puzzle in the program's words (``satcal-verified --help``).

    Of labels it has only the reveals', by names such as ``0.11`` that hold nothing but digits.
    """
    tokens = _tokens(puzzle, reveals)
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
        lines += [head, *drawn(piece.shape)] * piece.copies
    return "\n".join(lines) + "\n"


def _tokens(puzzle: Puzzle, reveals: Sequence[Reveal]) -> dict[str, str]:
    """What the program's text calls the labels of the reveals."""
    wanted = {text for reveal in reveals for text in reveal}
    return {
        text: f"{index}.{place}"
        for index, labels in enumerate(puzzle.categories.values())
        for place, text in enumerate(labels)
        if text in wanted
    }
