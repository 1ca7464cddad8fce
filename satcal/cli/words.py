"""From the words of a command line to a board, its rows and the pieces on the table.

A word is a board if it is the name or title of a library puzzle, in any case, or ends in ``.toml``.
A file of that name in the folder never makes a word a board. All other words are dates.

>>> import datetime
>>> today = datetime.date(2026, 11, 26)
>>> selection = select(["Rhombus", "Oct", "6"], today=today)
>>> selection.puzzle.name, [str(row) for row in selection.rows]
('rhombus', ['2026-10-06'])
>>> len(select(["a-puzzle-a-day", "all"], today=today).rows)
366
"""

from __future__ import annotations

import datetime
import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

import cloup

from satcal.errors import OptionError
from satcal.puzzle import when
from satcal.puzzle.loading import ALIASES, library, library_text, load
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import parse_place
from satcal.puzzle.when import Row

DEFAULT_BOARD = "a-puzzle-a-day"


@dataclass(frozen=True)
class Selection:
    """What a command is about: a puzzle, rows of it, and the pieces on the table."""

    puzzle: Puzzle
    rows: Sequence[Row]
    place: tuple[Placement, ...] = ()

    @property
    def reveals(self) -> list[Reveal]:
        """The distinct reveals of the rows."""
        return list(dict.fromkeys(row.reveal for row in self.rows))


def select(
    words: Sequence[str],
    *,
    board: str | None = None,
    date: str | None = None,
    year: int | None = None,
    reveal: str | None = None,
    all_reveals: bool = False,
    place: Sequence[str] = (),
    today: datetime.date | None = None,
) -> Selection:
    """Return the selection of words and options; without a date, the date is today.

    Raises:
        OptionError: two boards.
        UnknownName: a word that is neither a board nor a date.
        RevealError: no such date or reveal on the board.
    """
    today = today or datetime.date.today()
    named, rest = split_board(words)
    if board and named and named != board:
        raise OptionError(f"two boards, {board} and {named}; give one")
    puzzle = load(board or named or os.environ.get("SATCAL_BOARD") or DEFAULT_BOARD)
    text = " ".join([*rest, date or "", str(year or "")]).strip()
    rows = []
    if reveal:
        rows.append(Row(puzzle.check_reveal(tuple(re.split(r"[,\s]+", reveal)))))
    if all_reveals or (not text and not rows and not puzzle.categories):
        rows += [Row(every) for every in puzzle.reveals()]
    if text or not rows:
        rows += when.rows(puzzle, text or "today", today)
    placed = tuple(p for one in place for p in parse_place(puzzle, one))
    return Selection(puzzle, list(dict.fromkeys(rows)), placed)


def split_board(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the board that is among the words, and the other words.

    >>> split_board(["RHOMBUS", "Oct", "6"]), split_board(["Praxis Rhombus"])
    (('rhombus', ['Oct', '6']), ('rhombus', []))
    """
    boards: list[str] = []
    rest: list[str] = []
    for word in words:
        name = board_named(word)
        (boards if name else rest).append(name or word)
    if len(boards) > 1:
        raise OptionError(f"two boards, {' and '.join(boards)}; give one")
    return (boards[0] if boards else None), rest


def board_named(word: str) -> str | None:
    """Return the board that a word names, or None."""
    if word.endswith((".toml", ".txt")):
        return word
    name = ALIASES.get(word.casefold(), word.casefold())
    if name in library():
        return name
    # titles have several words, or letters beside which a date has a figure
    if " " in word and not any(mark.isdigit() for mark in word):
        titles = {tomllib.loads(library_text(n))["title"].casefold(): n for n in library()}
        return titles.get(word.casefold())
    return None


selecting = cloup.option_group(
    "Which board and dates",
    "Words say the same: satcal count rhombus Oct 20..Nov 3 2026",
    cloup.option("-b", "--board", metavar="NAME|FILE", help="Library puzzle, or a .toml file."),
    cloup.option("--date", metavar="WORDS", help="Day, month, year, today, A..B, or all."),
    cloup.option("--year", type=int, metavar="YYYY", help="All dates of a year."),
    cloup.option("--reveal", metavar="LABELS", help="Labels to uncover, such as Thu,Oct,23."),
    cloup.option("--all-reveals", is_flag=True, help="Every combination of labels."),
    cloup.option(
        "--place",
        multiple=True,
        metavar="PIECES|FILE",
        help="Pieces on the board, such as 'O: 1 2 3 8 9 10'; or a drawing.",
    ),
)
"""The options of every command that takes dates; their values go to :func:`select`."""
