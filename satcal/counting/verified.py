"""Counting by ``satcal-verified``, extracted from proofs in Coq (see ``theorem/``).

What the program says is the number of tilings by the
definition in ``theorem/Spec.v``, whatever satcal believes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from satcal.counting.cubes import Cube, remaining
from satcal.errors import BudgetExhausted, Disagreement, Missing, Stopped
from satcal.puzzle.demands import Demand, check_reveal, place
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover
from satcal.puzzle.shapes import drawn

NAME = "satcal-verified"
HOW = (
    f"{NAME} is neither in SATCAL_VERIFIED nor on the PATH; in a checkout of satcal: "
    "`apt-get install coq ocaml-nox libcoq-stdlib`, then `make theorem`, which builds it as "
    f"theorem/build/{NAME}"
)


def program() -> str:
    """Return the path of the program; raise Missing if it is not there."""
    named = os.environ.get("SATCAL_VERIFIED")
    if named and not (Path(named).is_file() and os.access(named, os.X_OK)):
        raise Missing(f"SATCAL_VERIFIED={named} is no program that can be run; {HOW}")
    path = named or shutil.which(NAME)
    if path is None:
        raise Missing(HOW)
    return path


def counts(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    deadline: float | None = None,
    demands: Sequence[Demand] = (),
) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal, from one run of the program.

    The definition knows no demands. So each way to fill the demanded cells leaves a smaller
    puzzle, whose number the program says; that these are all the ways is left to satcal.

    Raises:
        Missing: there is no such program.
        BudgetExhausted: the deadline, a ``time.monotonic()`` reading, passed.
        Stopped: the program ended without a table.
        Disagreement: its table has other reveals than the puzzle.
    """
    if not reveals:
        return {}
    if demands:
        return {reveal: _placed(puzzle, reveal, demands, deadline) for reveal in reveals}
    try:
        done = subprocess.run(
            [program(), "table", "-"],
            input=plain_text(puzzle, reveals),
            capture_output=True,
            text=True,
            timeout=None if deadline is None else max(0.0, deadline - time.monotonic()),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BudgetExhausted("stopped by the time limit") from error
    if done.returncode:
        message = done.stderr.strip() or f"exit {done.returncode}"
        raise Stopped(f"{NAME} ended without a table: {message}")
    texts = {token: text for text, token in _tokens(puzzle, reveals).items()}
    table: dict[Reveal, int] = {}
    for line in done.stdout.splitlines():
        *labels, tilings = line.split(",")
        if texts.keys() >= set(labels) and tilings.isdigit():
            table[tuple(texts[label] for label in labels)] = int(tilings)
    if missing := [reveal for reveal in reveals if reveal not in table]:
        raise Disagreement(f"{NAME} has no row for {' '.join(missing[0]) or 'the board'}")
    return {reveal: table[reveal] for reveal in reveals}


def _placed(
    puzzle: Puzzle, reveal: Reveal, demands: Sequence[Demand], deadline: float | None
) -> int:
    check_reveal(puzzle, reveal, demands)
    parts = _filled(puzzle, reveal, demands)
    return sum(counts(part, [()], deadline)[()] if part.cells else 1 for part in parts)


def _filled(
    puzzle: Puzzle, reveal: Reveal, demands: Sequence[Demand], chosen: Cube = ()
) -> Iterator[Puzzle]:
    """Yield what each way to fill the demanded cells leaves."""
    rest = remaining(puzzle, reveal, chosen)
    left = place(cover(rest, ()), demands)
    demanded = left.by_cell.keys() & {cell for demand in demands for cell in demand.cells}
    if not demanded:
        yield rest
        return
    cell = min(demanded)
    for number in left.by_cell[cell]:
        yield from _filled(puzzle, reveal, demands, (*chosen, (cell, left.placements[number])))


def plain_text(puzzle: Puzzle, reveals: Sequence[Reveal]) -> str:
    """Return the puzzle in the program's words; of labels, only the reveals'."""
    tokens = _tokens(puzzle, reveals)
    board = dict.fromkeys(puzzle.cells, "*")
    board |= {cell: tokens.get(label.text, "*") for cell, label in puzzle.label_at.items()}
    lines = ["board"]
    for row in range(puzzle.rows):
        lines.append(" ".join(board.get((row, c), ".") for c in range(puzzle.columns)))
    for number, labels in enumerate(puzzle.categories.values()):  # a name may have blanks
        named = [tokens[text] for text in labels if text in tokens]
        lines.append(" ".join(["category", str(number), *named]))
    for piece in puzzle.drawn:
        flip = "" if piece.flip else " no-flip"
        lines += [f"piece {piece.name} copies {piece.copies}{flip}", *drawn(piece.shape)]
    return "\n".join(lines) + "\n"


def label_names(puzzle: Puzzle, reveal: Reveal) -> list[str]:
    """Return what the program's text calls the labels of a reveal."""
    return list(_tokens(puzzle, [reveal]).values())


def _tokens(puzzle: Puzzle, reveals: Sequence[Reveal]) -> dict[str, str]:
    """Return names of labels, such as ``0.11``, that are no words of the program's."""
    wanted = {text for reveal in reveals for text in reveal}
    return {
        text: f"{number}.{place}"
        for number, labels in enumerate(puzzle.categories.values())
        for place, text in enumerate(labels)
        if text in wanted
    }
