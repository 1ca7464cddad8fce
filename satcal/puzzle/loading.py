"""Finding puzzles: the library by name, files by path, piece sets, the plain text form."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

from satcal.errors import FileTrouble, UnknownName, did_you_mean
from satcal.files import read_text
from satcal.puzzle.model import Puzzle
from satcal.puzzle.plaintext import parse_plain
from satcal.puzzle.toml import LONGEST_NAME, check_area, name_from, parse_pieces, parse_puzzle

MAX_FILE = 256 * 1024  # the largest library puzzle has 2 KiB
ALIASES = {"dragonfjord": "a-puzzle-a-day"}


@cache
def library() -> tuple[str, ...]:
    """Return the names of the puzzles in the library, sorted."""
    folder = resources.files("satcal.puzzle") / "library"
    return tuple(
        sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    )


def library_text(name: str) -> str:
    """Return the TOML text of a library puzzle."""
    return (resources.files("satcal.puzzle") / "library" / f"{name}.toml").read_text("utf-8")


def load(board: str, pieces: str | None = None, flip: str | None = None) -> Puzzle:
    """Return a puzzle from the library or from a file.

    Args:
        board: a library name or alias, the path of a TOML file, or the path of a
            ``puzzle.txt`` with its ``shapes.txt`` beside it (or the folder of both).
        pieces: a library name or path whose piece set replaces the puzzle's own.
        flip: ``all``, ``none`` or piece names (``N,L4``): which may be turned over.

    Raises:
        UnknownName: neither in the library nor a file.
        PuzzleError, FormatError, FileTrouble, TooLarge: what is wrong with the file, and where.
    """
    found = _find(board, own_pieces=pieces is None)
    if pieces is not None:
        name = f"{found.name}+{name_from(Path(pieces).stem)}"[:LONGEST_NAME]
        found = replace(found, drawn=_find_pieces(pieces), name=name)
    if flip is not None:
        found = found.with_flips(flip)
    check_area(found)
    return found


def origin_of(board: str, pieces: str | None = None, flip: str | None = None) -> str:
    """Return what names a puzzle: library names as they are, files by their whole path."""
    named = [("--board", board), ("--pieces", pieces)]
    said = [f"{option} {_whole(name)}" for option, name in named if name]
    return " ".join([*said, f"--flip {flip}"] if flip else said)


def _whole(name: str) -> str:
    found = ALIASES.get(name, name)
    return found if found in library() else str(Path(name).resolve())


def _find(board: str, own_pieces: bool) -> Puzzle:
    name = ALIASES.get(board, board)
    if name in library():
        return parse_puzzle(library_text(name), name, own_pieces)
    path = _existing(board, "board")
    if path.is_dir() or path.suffix == ".txt":
        grid = path / "puzzle.txt" if path.is_dir() else path
        shapes = grid.with_name("shapes.txt")
        return parse_plain(
            read_text(grid, "puzzle", MAX_FILE),
            read_text(shapes, "piece set", MAX_FILE) if own_pieces else None,
            str(grid),
            str(shapes),
        )
    return parse_puzzle(read_text(path, "puzzle", MAX_FILE), str(path), own_pieces)


def _find_pieces(pieces: str):  # type: ignore[no-untyped-def]
    name = ALIASES.get(pieces, pieces)
    if name in library():
        return parse_pieces(library_text(name), name)
    path = _existing(pieces, "pieces")
    text = read_text(path, "piece set", MAX_FILE)
    return parse_pieces(text, str(path))


def _existing(text: str, what: str) -> Path:
    path = Path(text)
    try:
        if path.exists():
            return path
    except (OSError, ValueError) as error:
        raise FileTrouble(f"{what} {text!r}: not a usable path ({error})") from error
    if path.suffix in (".toml", ".txt") or len(path.parts) > 1:
        raise FileTrouble(f"{what} {text}: no such file")
    known = [*library(), *ALIASES]
    raise UnknownName(
        f"no {what} '{text}' in the library and no file of that name"
        + (did_you_mean(text, known) or "; `satcal boards` lists the library")
    )
