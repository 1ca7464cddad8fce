"""From the words of a command line to a board, its rows and the pieces already placed.

A word is a board if it is the name of a library puzzle or, without figures, its title, in any
case, or ends in ``.toml`` or ``.txt``. A file of that name in the folder never makes a word a
board. All other words are dates.

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
import math
import os
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click
import cloup
from cloup.constraints import constraint, mutually_exclusive

from satcal.counting.methods import NAMES
from satcal.errors import OptionError, RevealError, TooLarge, UnknownName, did_you_mean
from satcal.processes import LONGEST
from satcal.puzzle import when
from satcal.puzzle.calendar import YEARS
from satcal.puzzle.loading import ALIASES, library, library_text, load
from satcal.puzzle.model import Placement, Puzzle, Reveal, labels_in
from satcal.puzzle.placed import parse_place, text_or_file
from satcal.puzzle.when import Row

DEFAULT_BOARD = "a-puzzle-a-day"
MANY = 20_000
"""More reveals than any board without years has."""
GIB = 2**30
MAX_REVEALS = 1_000_000
"""Reveals of one command; more would take days."""
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Selection:
    """What a command is about: a puzzle, rows of it, and the pieces already placed."""

    puzzle: Puzzle
    rows: Sequence[Row]
    reveals: Sequence[Reveal]
    """The distinct reveals of the rows."""
    place: tuple[Placement, ...] = ()

    @property
    def row(self) -> Row:
        """The only row.

        Raises:
            OptionError: there are several.
        """
        if len(self.rows) != 1:
            raise OptionError(
                f"this command takes one date, not {len(self.rows):,}; give a day or --reveal"
            )
        return self.rows[0]


def select(
    words: Sequence[str],
    *,
    board: str | None = None,
    date: str | None = None,
    year: int | None = None,
    reveal: Sequence[str] = (),
    all_reveals: bool = False,
    place: Sequence[str] = (),
    today: datetime.date | None = None,
) -> Selection:
    """Return the selection of words and options; without a date, the date is today.

    Raises:
        OptionError: two boards, or reveals beside dates.
        UnknownName: a word that is neither a board nor a date.
        RevealError: no such date or reveal on the board.
    """
    name, rest = name_and_rest(words, board)
    puzzle = load(name)
    text = " ".join([*rest, date or "", str(year or "")]).strip()
    if text and (reveal or all_reveals):
        raise OptionError(f"'{text}' is a date; give dates or reveals, not both")
    rows = [Row(each) for one in reveal for each in puzzle.reveals_with(labels_in(one))]
    if all_reveals or (not text and not rows and puzzle.calendar.parts is None):
        announce(puzzle)
        rows = [Row(reveal) for reveal in puzzle.reveals()]
    elif not rows:
        if text.casefold() == when.ALL:
            announce(puzzle)
        context = click.get_current_context(silent=True)
        day = today or (context.obj if context else None) or datetime.date.today()
        try:
            rows = when.rows(puzzle, text or when.TODAY, day)
        except RevealError as error:
            raise spelling_error(text, error) from error
    rows = list(dict.fromkeys(rows))
    reveals = list(dict.fromkeys(row.reveal for row in rows))
    placed = read_place(puzzle, place, reveals) if place else ()
    return Selection(puzzle, rows, reveals, placed)


def announce(puzzle: Puzzle) -> None:
    """Say how many reveals a board has, if they are many, and how to ask for fewer.

    Raises:
        TooLarge: there are more than a million.
    """
    number = math.prod(map(len, puzzle.categories.values()))
    fewer = "a year, such as 2027," if puzzle.calendar.parts else "--reveal"
    if number > MAX_REVEALS:
        raise TooLarge(
            f"{number:,} reveals would take days, more than {MAX_REVEALS:,} are not counted at "
            f"once; {fewer} asks for fewer"
        )
    if number > MANY:
        click.echo(f"satcal: {number:,} reveals may take hours; {fewer} asks for fewer", err=True)


def spelling_error(text: str, error: RevealError) -> RevealError | UnknownName:
    """Return the error for words that are not dates: one of them may be a misspelt board."""
    for word in text.split():
        if word in NAMES:
            return UnknownName(f"'{word}' is a method; write --method diagram,sat,search")
        if hint := did_you_mean(word, library(), 0.75):
            return UnknownName(f"'{word}' is not a board or a date{hint}")
    return error


def read_place(
    puzzle: Puzzle, place: Sequence[str], reveals: Sequence[Reveal] = ()
) -> tuple[Placement, ...]:
    """Return the pieces of ``--place``; say on stderr where a letter is not that of the shape."""
    notes: list[str] = []
    placed = parse_place(puzzle, *map(text_or_file, place), notes=notes, reveals=reveals)
    for note in notes:
        click.echo(f"satcal: {note}", err=True)
    return placed


def board_name(words: Sequence[str], board: str | None = None) -> str:
    """Return the name or path of the board of a command that has nothing to do with dates.

    Raises:
        OptionError: two boards, or a word that is not a board.
    """
    name, rest = name_and_rest(words, board)
    if rest:
        hint = did_you_mean(rest[0], library(), 0.6) or "; a file of your own ends in .toml"
        raise OptionError(f"'{' '.join(rest)}' is not a board{hint}")
    return name


def name_and_rest(words: Sequence[str], board: str | None) -> tuple[str, list[str]]:
    """Return the name or path of the board, and the words that name none.

    >>> name_and_rest(["RHOMBUS", "Oct", "6"], None), name_and_rest(["Praxis Rhombus"], "rhombus")
    (('rhombus', ['Oct', '6']), ('rhombus', []))
    """
    names = {word: board_named(word) for word in words}
    boards = [name for name in names.values() if name]
    boards += [board_named(board) or board] if board else []
    if len(set(boards)) > 1:
        raise OptionError(f"two boards, {' and '.join(dict.fromkeys(boards))}; give one")
    if not boards and (usual := os.environ.get("SATCAL_BOARD")):
        boards = [board_named(usual) or usual]
    return (boards or [DEFAULT_BOARD])[0], [word for word in words if not names[word]]


def board_named(word: str) -> str | None:
    """Return the board that a word names, or None."""
    if word.endswith((".toml", ".txt")):
        return word
    name = ALIASES.get(word.casefold(), word.casefold())
    if name in library():
        return name
    # with a figure it is taken for a date
    if " " in word and not any(mark.isdigit() for mark in word):
        titles = {tomllib.loads(library_text(n))["title"].casefold(): n for n in library()}
        return titles.get(word.casefold())
    return None


def complete_board(context: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """Return the names of the library that begin so."""
    return [name for name in (*library(), *ALIASES) if name.startswith(start.casefold())]


class Number(click.FloatRange):
    """A number within bounds; click would let ``nan`` and ``inf`` pass."""

    def convert(self, value: Any, *where: Any) -> Any:
        """Return the number."""
        number = super().convert(value, *where)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", *where)
        return number


YEAR = click.IntRange(YEARS[0], YEARS[-1])
SECONDS = Number(0, LONGEST)
BOUNDED = click.IntRange(1, 1024)
"""The number of processes that an option may ask for."""

board_option = cloup.option(
    "-b",
    "--board",
    metavar="NAME|FILE",
    shell_complete=complete_board,
    help="Default: $SATCAL_BOARD, or a-puzzle-a-day.",
)
board_argument = click.argument("words", nargs=-1, metavar="[BOARD]", shell_complete=complete_board)
date_option = cloup.option("--date", metavar="WORDS", help="A day, 2026-10, 2026, A..B, all.")
reveal_option = cloup.option(
    "--reveal", multiple=True, metavar="LABELS", help="What stays uncovered: Thu,Oct,23."
)
words_argument = click.argument(
    "words", nargs=-1, metavar="[BOARD] [DATES]...", shell_complete=complete_board
)


def selecting(command: Command) -> Command:
    """Add the words and options of dates; pass all of them to :func:`select`."""
    options = cloup.option_group(
        "Board and dates",
        board_option,
        date_option,
        cloup.option("--year", type=YEAR, metavar="YYYY", help="All dates of a year."),
        reveal_option,
        cloup.option("--all-reveals", is_flag=True, help="Every combination of labels."),
    )
    return words_argument(options(one_of("date", "year", "reveal", "all_reveals")(command)))


def one_of(*options: str) -> Callable[[Command], Command]:
    """Allow at most one of some options."""
    return constraint(mutually_exclusive, options)


placing = cloup.option(
    "--place",
    multiple=True,
    metavar="PIECES|FILE",
    help="'O: 1 2 3 8 9 10; P: Jan Feb Jul Aug Sep', as printed on the cells; or by row and column "
    "from 0: 'O: r0c0 r0c1'; or a file with a drawing.",
)
"""For commands that accept pieces already placed; its value goes to :func:`select`."""


def memory_option(
    default: float | None, help: str, least: float = 0
) -> Callable[[Command], Command]:
    """Return the option ``--memory-limit``, which passes on bytes."""
    return cloup.option(
        "--memory-limit",
        type=Number(least),
        default=default,
        callback=lambda context, option, size: None if size is None else int(size * GIB),
        metavar="GB",
        help=help,
    )
