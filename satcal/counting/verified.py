"""Counting by ``satcal-verified``, a program extracted from proofs in Coq (see ``theorem/``).

satcal writes the puzzle as text and reads the program's table; what the program says is the
number of tilings by the definition in ``theorem/Spec.v``, whatever satcal believes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from satcal.errors import BudgetExhausted, Disagreement, Missing, OptionError, Stopped
from satcal.puzzle.model import Puzzle, Reveal

NAME = "satcal-verified"
HOW = (
    f"{NAME} is neither in SATCAL_VERIFIED nor on the PATH; in a checkout of satcal: "
    "`apt-get install coq ocaml-nox libcoq-stdlib`, then `make theorem`, which builds it as "
    f"theorem/build/{NAME}"
)


def program() -> str:
    """Return the path of the program.

    Raises:
        Missing: it is not there; the text says how to get it.
    """
    named = os.environ.get("SATCAL_VERIFIED")
    if named:
        if Path(named).is_file() and os.access(named, os.X_OK):
            return named
        raise Missing(f"SATCAL_VERIFIED={named} is no program that can be run; {HOW}")
    found = shutil.which(NAME)
    if found is None:
        raise Missing(HOW)
    return found


def counts(
    puzzle: Puzzle, reveals: Sequence[Reveal], deadline: float | None = None
) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal, from one run of the program.

    Raises:
        Missing: there is no such program.
        BudgetExhausted: the deadline, a ``time.monotonic()`` reading, passed.
        Stopped: the program ended without a table.
        Disagreement: its table has other reveals than the puzzle.
    """
    if not reveals:
        return {}
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    try:
        done = subprocess.run(
            [program(), "table", "-"],
            input=plain_text(puzzle, reveals),
            capture_output=True,
            text=True,
            timeout=left,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BudgetExhausted("stopped by the time limit") from error
    if done.returncode:
        said = done.stderr.strip() or f"exit {done.returncode}"
        raise Stopped(f"{NAME} ended without a table: {said}")
    names = _names(puzzle, reveals)
    found: dict[Reveal, int] = {}
    for line in done.stdout.splitlines():
        *labels, tilings = line.split(",")
        if all(label in names for label in labels) and tilings.isdigit():
            found[tuple(names[label] for label in labels)] = int(tilings)
    if missing := [reveal for reveal in reveals if reveal not in found]:
        raise Disagreement(f"{NAME} has no row for {' '.join(missing[0]) or 'the board'}")
    return {reveal: found[reveal] for reveal in reveals}


def plain_text(puzzle: Puzzle, reveals: Iterable[Reveal]) -> str:
    """Return the puzzle in the program's words; only labels of the reveals keep a name.

    A label is called by the numbers of its category and of itself, ``0.11``: whatever stands
    on the board, it cannot be mistaken for a word of the program's.
    """
    tokens = {text: token for token, text in _names(puzzle, list(reveals)).items()}
    cells = dict.fromkeys(puzzle.cells, "*")
    cells |= {cell: tokens.get(label.text, "*") for cell, label in puzzle.label_at.items()}
    columns = range(puzzle.columns)
    lines = ["board"]
    lines += [" ".join(cells.get((r, c), ".") for c in columns) for r in range(puzzle.rows)]
    for name, labels in puzzle.categories.items():
        lines.append(" ".join(["category", name, *(tokens[x] for x in labels if x in tokens)]))
    for piece in puzzle.drawn:
        flip = "" if piece.flip else " no-flip"
        lines.append(f"piece {piece.name} copies {piece.copies}{flip}")
        high, wide = (1 + max(axis) for axis in zip(*piece.shape, strict=True))
        lines += ["".join(".#"[(r, c) in piece.shape] for c in range(wide)) for r in range(high)]
    return "\n".join(lines) + "\n"


def label_names(puzzle: Puzzle, reveal: Reveal) -> list[str]:
    """Return what :func:`plain_text` calls the labels of a reveal."""
    return [*_names(puzzle, [reveal])]


def refuse(demands: bool, up_to_symmetry: bool) -> None:
    """Refuse what the program does not count.

    Raises:
        OptionError: something is placed already, or classes are asked for.
    """
    if demands or up_to_symmetry:
        raise OptionError(
            "the method verified counts all tilings; leave out --place and --up-to-symmetry"
        )


def _names(puzzle: Puzzle, reveals: Sequence[Reveal]) -> dict[str, str]:
    wanted = {text for reveal in reveals for text in reveal}
    return {
        f"{number}.{place}": text
        for number, labels in enumerate(puzzle.categories.values())
        for place, text in enumerate(labels)
        if text in wanted
    }
