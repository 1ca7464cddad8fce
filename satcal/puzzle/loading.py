"""Finding puzzles: in the library by name, in files by path."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from satcal.errors import (
    FileTrouble,
    OptionError,
    PuzzleError,
    UnknownName,
    did_you_mean,
    quoted,
)
from satcal.files import failing, read_text
from satcal.puzzle import toml
from satcal.puzzle.calendar import ENGLISH, connect
from satcal.puzzle.faults import Ended, Kept
from satcal.puzzle.model import Puzzle
from satcal.toml import Faults

MAX_FILE = 256 * 1024  # the largest library puzzle has 2 KiB
ALIASES = {"dragonfjord": "a-puzzle-a-day"}
Name = str | os.PathLike[str]
_LIBRARY = Path(__file__).with_name("library")


@cache
def library() -> tuple[str, ...]:
    """The names of the puzzles in the library, sorted."""
    return tuple(sorted(path.stem for path in _LIBRARY.glob("*.toml")))


def library_text(name: str) -> str:
    """The TOML text of a library puzzle."""
    return (_LIBRARY / f"{name}.toml").read_text("utf-8")


def template() -> str:
    """A small puzzle's TOML text, with a comment before each key that explains it."""
    return Path(__file__).with_name("template.toml").read_text("utf-8")


def load(board: Name, pieces: Name | None = None, flip: str | None = None) -> Puzzle:
    """A puzzle from the library or from a file.

    ``board`` is a library name or alias, the path of a TOML file, or that of a
    ``puzzle.txt`` with a ``shapes.txt`` (or the folder of both); ``pieces`` a name or path
    whose piece set replaces the puzzle's own; ``flip`` as :meth:`Puzzle.with_flips`.

    Raises:
        UnknownName: neither in the library nor a file.
        PuzzleError, FormatError, FileTrouble, TooLarge: the file is wrong.
    """
    try:
        puzzle = read(board, pieces, Faults())
    except PuzzleError as error:
        kept = Kept()
        with suppress(Ended):
            read(board, pieces, kept)
        if more := len(kept.findings) - 1:
            files = f"{board} --pieces {pieces}" if pieces else board
            raise PuzzleError(f"{error} ({more} more: `satcal lint {files}` lists all)") from error
        raise
    if flip is not None:
        if not isinstance(flip, str):
            kind = type(flip).__name__
            raise TypeError(
                f"flip: give 'all', 'none' or names such as 'N,P', not the {kind} {flip!r:.60}"
            )
        puzzle = puzzle.with_flips(flip)
    toml.check_area(puzzle)
    return puzzle


def read(board: Name, pieces: Name | None, faults: Faults) -> Puzzle:
    """The puzzle as :func:`load` does, before its area is checked."""
    path, own_pieces = find(board, "board"), pieces is None
    if path.is_dir():
        puzzle = _read_plain(path / "puzzle.txt", own_pieces, faults)
    elif path.suffix == ".txt":
        puzzle = _read_plain(path, own_pieces, faults)
    else:
        text = read_text(path, "puzzle", MAX_FILE)
        puzzle = toml.parse_puzzle(text, quoted(path), own_pieces, faults)
    if pieces is not None:
        path = find(pieces, "pieces")
        drawn = toml.parse_pieces(read_text(path, "piece set", MAX_FILE), quoted(path), faults)
        name = f"{puzzle.name}+{toml.name_from(Path(pieces).stem)}"[: toml.LONGEST_NAME]
        puzzle = replace(puzzle, drawn=drawn, name=name, designer="")
    return puzzle


def origin_of(board: str, pieces: str | None = None, flip: str | None = None) -> str:
    """The options that name a puzzle, by library names and absolute paths of files."""
    origin = f"--board {_absolute(board)}"
    if pieces:
        origin += f" --pieces {_absolute(pieces)}"
    return f"{origin} --flip {flip}" if flip else origin


def _absolute(name: str) -> str:
    name = ALIASES.get(name, name)
    return name if name in library() else str(Path(name).resolve())


def _read_plain(path: Path, own_pieces: bool, faults: Faults) -> Puzzle:
    """The puzzle of a grid (``-`` is no cell) and of the ``shapes.txt`` beside it.

    Labels that are months, days or weekdays in English make the categories.
    """
    grid, shapes = read_text(path, "puzzle", MAX_FILE), path.with_name("shapes.txt")
    blocks = read_text(shapes, "piece set", MAX_FILE) if own_pieces else ""
    with faults.of(quoted(path), grid):
        cells, labelled = toml.parse_board(re.sub(r"(?<!\S)-(?!\S)", ".", grid), faults)
        categories = {}
        for category, english in ENGLISH.items():
            present = tuple(label for label in english if label in labelled)
            if present:
                categories[category] = present
        labels = toml.assign_labels(labelled, categories, faults)
    with faults.of(quoted(shapes), blocks):
        pieces = toml.parse_blocks(blocks, faults) if own_pieces else ()
    name, calendar = toml.name_from(str(path)), connect(categories, None)
    return Puzzle(name, cells, labels, categories, pieces, calendar)


def find(given: Name, option: str) -> Path:
    """The file of a library puzzle, or the file or folder of that path."""
    if not isinstance(given, str | os.PathLike):
        kind = type(given).__name__
        raise TypeError(
            f"{option}: give a name or path such as 'rhombus', not the {kind} {given!r}"
        )
    text = os.fspath(given)
    if "\n" in text.strip() and "=" in text:
        raise OptionError(f"{option}: this is the text of a puzzle; load_toml reads that")
    name, path = ALIASES.get(text, text), Path(text)
    if name in library():
        return _LIBRARY / f"{name}.toml"
    try:
        if path.exists() or path.is_symlink():  # who reads it says where a link leads nowhere
            return path
    except (OSError, ValueError) as error:
        raise FileTrouble(f"{option} {text!r}: not a usable path ({error})") from error
    if path.suffix in (".toml", ".txt") or len(path.parts) > 1:
        with failing(f"{option} {quoted(text)}"):
            here = "" if path.is_absolute() else f" in {quoted(Path.cwd())}"
        raise FileTrouble(f"{option} {quoted(text)}: no such file{here}")
    raise UnknownName(
        f"no {option} {text!r} in the library and no file of that name"
        + (did_you_mean(text, [*library(), *ALIASES]) or "; `satcal boards` lists the library")
    )
