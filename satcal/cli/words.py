"""The words of a command line, which select a board, dates and placed pieces.

A word is a board if it names a ``.toml`` or ``.txt`` file, which may be compressed, or if it is the
name of a library puzzle or a title without a digit, in capitals or not. For a command with
``--place``, a ``.txt`` file without ``shapes.txt`` beside it is a drawing of placed pieces. All
other words are dates, even if a file has that name.

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
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import click

from satcal.cli.options import refuse_several
from satcal.errors import (
    OptionError,
    PlacementError,
    RevealError,
    TooLarge,
    UnknownName,
    did_you_mean,
)
from satcal.puzzle import when
from satcal.puzzle.loading import ALIASES, is_file_name, library, library_text, load
from satcal.puzzle.model import Placement, Puzzle, Reveal, labels_in
from satcal.puzzle.placed import parse_place, read_text_or_file
from satcal.puzzle.plain import SHAPES
from satcal.puzzle.rows import ALL, Row, Selection, list_rows

DEFAULT_BOARD = "a-puzzle-a-day"
STDIN = "-"
MAX_DRAWING = 2**20  # bytes on standard input
MAX_REVEALS = 1_000_000
"""Limit on the reveals of one command; only boards with labels for years have more."""


def select(
    words: Sequence[str],
    *,
    board: str | None = None,
    date: Sequence[str] = (),
    year: Sequence[int] = (),
    reveal: Sequence[str] = (),
    all_reveals: bool = False,
    place: Sequence[str] | None = None,
    today: datetime.date | None = None,
) -> Selection:
    """Return the selection that words and options name; the default date is today.

    For a command with ``--place``, a word may also name a file with a drawing of placed pieces.

    Raises:
        OptionError: there are two boards, or both reveals and dates.
        UnknownName: a word is neither a board nor a date.
        RevealError: the board has no such date or reveal.
    """
    refuse_several(
        {"--date": date, "--year": year, "--reveal": reveal, "--all-reveals": all_reveals}
    )
    drawings = [word for word in words if place is not None and is_drawing(word)]
    names, date_words = split_boards([word for word in words if word not in drawings], board)
    puzzle = load(names[0])
    words_text = " ".join(date_words)
    # words stand before each option, as in Oct 6 --year 2026 --year 2027
    texts = [f"{words_text} {option}".strip() for option in (*date, *year) or [""]]
    text = " ".join(texts)
    if text and (reveal or all_reveals):
        raise OptionError(f"'{text}' is a date; give dates or reveals, not both")
    rows = [Row(match) for part in reveal for match in puzzle.reveals_with(labels_in(part))]
    if all_reveals or (not text and not rows and puzzle.calendar.parts is None):
        check_number_of_reveals(puzzle)
        rows = [Row(reveal) for reveal in puzzle.reveals()]
    elif not rows:
        if ALL in map(str.casefold, texts):
            check_number_of_reveals(puzzle)
        context = click.get_current_context(silent=True)
        day = today or (context.obj if context else None) or datetime.date.today()
        try:
            rows = [row for text in texts for row in list_rows(puzzle, text or when.TODAY, day)]
        except RevealError as error:
            raise explain(text, error, puzzle) from error
        rows.sort(key=lambda row: row.date or datetime.date.min)
    rows = list(dict.fromkeys(rows))
    reveals = list(dict.fromkeys(row.reveal for row in rows))
    pieces = [*(place or ()), *drawings]
    try:
        placements = read_placements(puzzle, pieces, reveals) if pieces else ()
    except PlacementError as error:
        board_hint = f"; a board needs its pieces beside it, in {SHAPES}" if drawings else ""
        raise PlacementError(" ".join([*drawings, f"{error}{board_hint}"])) from error
    return Selection(puzzle, rows, placements)


def check_number_of_reveals(puzzle: Puzzle) -> None:
    """Raise TooLarge if a board has more than ``MAX_REVEALS``."""
    number = puzzle.number_of_reveals
    if number > MAX_REVEALS:
        way = "a year, such as 2027" if puzzle.calendar.parts else "--reveal"
        raise TooLarge(f"{number:,} reveals are more than the limit of {MAX_REVEALS:,}; give {way}")


def explain(text: str, error: RevealError, puzzle: Puzzle) -> RevealError | UnknownName:
    """Return the error for a text that is not a date: it names a board or a piece in it."""
    for word in text.split():
        if (name := word.rstrip(":")) in [piece.name for piece in puzzle.drawn]:
            cells = " ".join([*text.split(word, 1)[1].split()[:2], "..."])
            return UnknownName(f"'{word}' is a piece, not a date; write --place '{name}: {cells}'")
        if hint := did_you_mean(word, library(), 0.75):
            return UnknownName(f"'{word}' is not a board or a date{hint}")
    way = "" if puzzle.calendar.parts else "; use --reveal or --all-reveals"
    return RevealError(f"{error}{way}")


def read_placements(
    puzzle: Puzzle, place: Sequence[str], reveals: Sequence[Reveal] = ()
) -> tuple[Placement, ...]:
    """Return the placements of ``--place``; warn of wrong names of pieces."""
    notes: list[str] = []
    texts = [read_stdin(MAX_DRAWING) if w == STDIN else read_text_or_file(w) for w in place]
    placements = parse_place(puzzle, *texts, notes=notes, reveals=reveals)
    for note in notes:
        click.echo(f"satcal: {note}", err=True)
    return placements


def read_stdin(limit: int) -> str:
    """Return the text on standard input.

    Raises:
        TooLarge: it has more than ``limit`` bytes.
    """
    data = sys.stdin.buffer.read(limit + 1)
    if len(data) > limit:
        raise TooLarge(f"standard input: more than {limit:,} bytes; is it the right text?")
    return data.decode("utf-8", "replace")


def read_board(words: Sequence[str], board: str | None = None) -> str:
    """Return the name or path of the board, for a command without dates.

    Raises:
        OptionError: there are two boards, or a word is not a board.
    """
    return read_boards(words, board, most=1)[0]


def load_board(words: Sequence[str] = (), board: str | None = None) -> Puzzle:
    """Return the puzzle of :func:`read_board`."""
    return load(read_board(words, board))


def read_boards(
    words: Sequence[str], board: str | None = None, most: int | None = None
) -> list[str]:
    """Return the names or paths of boards; raise OptionError for any other word."""
    names, other_words = split_boards(words, board, most)
    if other_words:
        hint = did_you_mean(other_words[0], library(), 0.6) or "; a file of your own ends in .toml"
        raise OptionError(f"'{' '.join(other_words)}' is not a board{hint}")
    return names


def split_boards(
    words: Sequence[str], board: str | None, most: int | None = 1
) -> tuple[list[str], list[str]]:
    """Return the names or paths of at most so many boards, and the other words.

    >>> split_boards(["RHOMBUS", "Oct", "6"], None), split_boards(["Praxis Rhombus"], "rhombus")
    ((['rhombus'], ['Oct', '6']), (['rhombus'], []))
    """
    names = {word: find_board(word) for word in words}
    boards = [name for name in names.values() if name]
    boards += [find_board(board) or board] if board else []
    if not boards and (default := os.environ.get("SATCAL_BOARD")):
        boards = [find_board(default) or default]
    boards = list(dict.fromkeys(boards)) or [DEFAULT_BOARD]
    if most and len(boards) > most:
        raise OptionError(f"two boards, {' and '.join(boards)}; give one")
    return boards, [word for word in words if not names[word]]


def is_drawing(word: str) -> bool:
    """Return whether a word names a .txt file without pieces, and so without a board."""
    path = Path(word)
    return ".txt" in path.suffixes and path.is_file() and not path.with_name(SHAPES).is_file()


def find_board(word: str) -> str | None:
    """Return the name or path of the board that a word names, or None."""
    if is_file_name(word):
        return word
    name = ALIASES.get(word.casefold(), word.casefold())
    if name in library():
        return name
    # a word with a digit is a date
    if " " in word and not any(character.isdigit() for character in word):
        titles = {tomllib.loads(library_text(n))["title"].casefold(): n for n in library()}
        return titles.get(word.casefold())
    return None
