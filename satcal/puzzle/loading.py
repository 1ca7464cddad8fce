"""Finding puzzles: the library by name, files by path, piece sets, the plain text form."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from satcal.errors import FileTrouble, UnknownName, did_you_mean
from satcal.files import read_text
from satcal.puzzle import toml
from satcal.puzzle.calendar import ENGLISH, connect
from satcal.puzzle.model import Puzzle

MAX_FILE = 256 * 1024  # the largest library puzzle has 2 KiB
ALIASES = {"dragonfjord": "a-puzzle-a-day"}
_LIBRARY = Path(__file__).with_name("library")


@cache
def library() -> tuple[str, ...]:
    """Return the names of the puzzles in the library, sorted."""
    return tuple(sorted(path.stem for path in _LIBRARY.glob("*.toml")))


def library_text(name: str) -> str:
    """Return the TOML text of a library puzzle."""
    return (_LIBRARY / f"{name}.toml").read_text("utf-8")


def load(board: str, pieces: str | None = None, flip: str | None = None) -> Puzzle:
    """Return a puzzle from the library or from a file.

    ``board`` is a library name or alias, the path of a TOML file, or that of a ``puzzle.txt``
    with its ``shapes.txt`` (or the folder of both); ``pieces`` a name or path whose piece set
    replaces the puzzle's own; ``flip`` as :meth:`Puzzle.with_flips`.

    Raises:
        UnknownName: neither in the library nor a file.
        PuzzleError, FormatError, FileTrouble, TooLarge: what is wrong with the file, and where.
    """
    path, own_pieces = _find(board, "board"), pieces is None
    if path.is_dir() or path.suffix == ".txt":
        puzzle = _load_plain(path / "puzzle.txt" if path.is_dir() else path, own_pieces)
    else:
        puzzle = toml.parse_puzzle(read_text(path, "puzzle", MAX_FILE), str(path), own_pieces)
    if pieces is not None:
        path = _find(pieces, "pieces")
        drawn = toml.parse_pieces(read_text(path, "piece set", MAX_FILE), str(path))
        name = f"{puzzle.name}+{toml.name_from(Path(pieces).stem)}"[: toml.LONGEST_NAME]
        puzzle = replace(puzzle, drawn=drawn, name=name)
    if flip is not None:
        puzzle = puzzle.with_flips(flip)
    toml.check_area(puzzle)
    return puzzle


def origin_of(board: str, pieces: str | None = None, flip: str | None = None) -> str:
    """Return what names a puzzle: library names as they are, files by their whole path."""
    whole = {"--board": _whole(board), "--pieces": pieces and _whole(pieces), "--flip": flip}
    return " ".join(f"{option} {text}" for option, text in whole.items() if text)


def _whole(name: str) -> str:
    name = ALIASES.get(name, name)
    return name if name in library() else str(Path(name).resolve())


def _load_plain(path: Path, own_pieces: bool) -> Puzzle:
    """Return the puzzle of a grid (``-`` for no cell) and of the ``shapes.txt`` beside it.

    Labels that are months, days or weekdays in English make the categories.
    """
    grid, shapes = read_text(path, "puzzle", MAX_FILE), path.with_name("shapes.txt")
    blocks = read_text(shapes, "piece set", MAX_FILE) if own_pieces else ""
    with toml.errors_in(str(path)):
        cells, labelled = toml.parse_board(re.sub(r"(?<!\S)-(?!\S)", ".", grid))
        present = {
            category: tuple(label for label in labels if label in labelled)
            for category, labels in ENGLISH.items()
        }
        categories = {category: labels for category, labels in present.items() if labels}
        labels = toml.assign_labels(labelled, categories)
    with toml.errors_in(str(shapes)):
        pieces = toml.parse_blocks(blocks) if own_pieces else ()
    calendar = connect(categories, None)
    return Puzzle(toml.name_from(str(path)), cells, labels, categories, pieces, calendar)


def _find(text: str, option: str) -> Path:
    """Return the file of a library puzzle, or the file or folder of that path."""
    name, path = ALIASES.get(text, text), Path(text)
    if name in library():
        return _LIBRARY / f"{name}.toml"
    try:
        if path.exists():
            return path
    except (OSError, ValueError) as error:
        raise FileTrouble(f"{option} {text!r}: not a usable path ({error})") from error
    if path.suffix in (".toml", ".txt") or len(path.parts) > 1:
        raise FileTrouble(f"{option} {text}: no such file")
    hint = did_you_mean(text, [*library(), *ALIASES]) or "; `satcal boards` lists the library"
    raise UnknownName(f"no {option} '{text}' in the library and no file of that name{hint}")
