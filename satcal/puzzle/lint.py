"""All that is wrong with a puzzle file, and what is legal but odd."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
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
    """All that is wrong and odd, in the order of the checks, at most ``MOST`` of it.

    Arguments and errors are those of :func:`satcal.puzzle.loading.load`; what that raises for
    what a file says is a finding here.
    """
    faults = Kept()
    with suppress(Ended):
        puzzle = read(board, pieces, faults)
        wrong = {finding.see.rpartition("#")[2] for finding in faults.findings} | faults.lost
        if not faults.lost & {"board", "categories", "pieces", "area"}:
            _look_at_area(puzzle, faults)
        _look_at_pieces(puzzle, faults, board="board" not in wrong)
        if not wrong & {"board", "categories", "calendar"}:
            faults.return_to_board()
            _look_at_dates(puzzle, faults)
    return faults.findings[:MOST]


def _look_at_area(puzzle: Puzzle, faults: Kept) -> None:
    """Say for how many reveals the pieces have the area that remains, unless for all."""
    try:
        check_area(puzzle)
    except PuzzleError as error:
        reveals = Counter([len(puzzle.cells)])  # by the number of cells that they leave to cover
        for labels in puzzle.categories.values():
            sizes, before = [len(puzzle.labels[text].cells) for text in labels], reveals
            reveals = Counter()
            for left, size in itertools.product(before, sizes):
                reveals[left - size] += before[left]
        number, wanted = reveals[puzzle.area], " or ".join(map(str, sorted(reveals)))
        advice = (
            f"it adds up for only {number:,} of {reveals.total():,} reveals; give all labels of a "
            "category the same number of cells"
            if number
            else f"the areas never add up; draw pieces with {wanted} squares in total"
        )
        faults.keep(f"{error}; {advice}", "area")


def _look_at_dates(puzzle: Puzzle, faults: Kept) -> None:
    """Say which labels no date uses, or why there are no dates."""
    if puzzle.calendar.parts is None:
        like = dict(_like_calendar(puzzle))
        if (ENGLISH.keys() & puzzle.categories) or like.keys() & {"month", "day"}:
            reason = f"the puzzle has no dates: {puzzle.calendar.reason}"
            advice = (f"; if {name} has the {part}s, call it {part}" for part, name in like.items())
            faults.keep(reason + "".join(advice), "calendar", kind="odd")
        return
    dates = (reveal for reveal in puzzle.reveals() if puzzle.calendar.is_date(reveal))
    used = set(itertools.chain.from_iterable(dates))
    for name, labels in puzzle.categories.items():
        for index, text in enumerate(labels):
            if text not in used:
                unused = f"no date uses the label '{text}'"
                faults.keep(unused, "categories", name, index, kind="odd")


def _like_calendar(puzzle: Puzzle) -> Iterator[tuple[str, str]]:
    """Yield each of month, day and weekday with a category that may be it under another name.

    Nobody knows the months of all languages, so it is one with as many labels.
    """
    for part, english in ENGLISH.items():
        for name, labels in puzzle.categories.items():
            named = ENGLISH.keys() & {name} or part in puzzle.categories
            if len(labels) == len(english) and not named:
                yield part, name


def _look_at_pieces(puzzle: Puzzle, faults: Kept, board: bool) -> None:
    """Say which pieces are copies of others, and with a ``board`` which fit nowhere on it."""
    first: dict[frozenset[Shape], str] = {}
    for piece in puzzle.drawn:
        same = first.setdefault(frozenset(piece.orientations), piece.name)
        if same != piece.name:
            text = f"piece {piece.name} has the same shape as {same}, so both count as copies of "
            text += same
            faults.keep(text, "pieces", piece.name, kind="odd")
        alone = replace(puzzle, drawn=(piece,))
        if board and next(placements(alone, puzzle.cells), None) is None:
            text = f"piece {piece.name} fits nowhere on the board, so there is no tiling"
            faults.keep(text, "pieces", piece.name, kind="odd")
