"""All that is wrong with a puzzle file, and what is legal but odd, each with its line."""

from __future__ import annotations

import itertools
from collections import Counter
from contextlib import suppress
from dataclasses import replace

from satcal.errors import PuzzleError
from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.faults import MOST, Ended, Finding, Kept
from satcal.puzzle.loading import read
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import placements
from satcal.puzzle.shapes import Shape
from satcal.puzzle.toml import check_area


def lint(board: str, pieces: str | None = None) -> list[Finding]:
    """Return all that is wrong and odd, in the order of the lines, at most ``MOST`` of it.

    Arguments and errors are those of :func:`satcal.puzzle.loading.load`; what that raises for
    what a file says is a finding here.
    """
    faults = Kept()
    with suppress(Ended):
        puzzle = read(board, pieces, faults)
        wrong = {finding.see.rpartition("#")[2] for finding in faults.findings}
        if not faults.lost & {"board", "categories", "pieces", "area"}:
            _look_at_area(puzzle, faults)
        if not wrong & {"board", "categories", "calendar"}:
            _look_at_dates(puzzle, faults)
        _look_at_pieces(puzzle, faults, board="board" not in wrong)
    return sorted(faults.findings[:MOST], key=lambda finding: (finding.file, finding.line))


def _look_at_area(puzzle: Puzzle, faults: Kept) -> None:
    """Say for how many reveals the pieces have the area that remains, unless for all."""
    try:
        check_area(puzzle)
    except PuzzleError as error:
        reveals = Counter([0])  # by the number of cells that they leave uncovered
        for labels in puzzle.categories.values():
            each = Counter(len(puzzle.labels[text].cells) for text in labels)
            reveals, before = Counter(), reveals
            for (some, times), (more, ways) in itertools.product(before.items(), each.items()):
                reveals[some + more] += times * ways
        if number := reveals[len(puzzle.cells) - puzzle.area]:
            advice = f"only {number:,} of {reveals.total():,} reveals; labels of one category need "
            advice += "equally many cells"
        else:
            wanted = sorted({len(puzzle.cells) - size for size in reveals})
            advice = f"no reveal; it would with pieces of {' or '.join(map(str, wanted))} squares"
        faults.keep(f"{error}: it adds up for {advice}", "area")


def _look_at_dates(puzzle: Puzzle, faults: Kept) -> None:
    """Say which labels no date uses, or why there are no dates."""
    if puzzle.calendar.parts is None:
        if ENGLISH.keys() & puzzle.categories:
            faults.keep(f"there are no dates: {puzzle.calendar.reason}", "calendar", odd=True)
        return
    dates = (reveal for reveal in puzzle.reveals() if puzzle.calendar.is_date(reveal))
    used = set(itertools.chain.from_iterable(dates))
    for name, labels in puzzle.categories.items():
        for number, text in enumerate(labels):
            if text not in used:
                faults.keep(f"no date has the {name} {text}", "categories", name, number, odd=True)


def _look_at_pieces(puzzle: Puzzle, faults: Kept, board: bool) -> None:
    """Say which pieces are copies of others, and with a ``board`` which fit nowhere on it."""
    first: dict[frozenset[Shape], str] = {}
    for piece in puzzle.drawn:
        same = first.setdefault(frozenset(piece.orientations), piece.name)
        if same != piece.name:
            faults.keep(
                f"piece {piece.name} is the piece {same} up to a turn: they are counted as copies "
                f"of one; give {same} copies instead, if that is meant",
                "pieces", piece.name, odd=True,
            )  # fmt: skip
        alone = replace(puzzle, drawn=(piece,))
        if board and next(placements(alone, puzzle.cells), None) is None:
            text = f"piece {piece.name} fits nowhere on the board, so there is no tiling"
            faults.keep(text, "pieces", piece.name, odd=True)
