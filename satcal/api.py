"""The Python interface: what ``import satcal`` offers, besides the errors.

>>> import satcal
>>> satcal.count("a-puzzle-a-day", "Oct 6")
7

A puzzle is a :class:`Puzzle`, or the name or path of one; a reveal a date, a string (``Oct 6``,
``2025-10-06``, ``Thu,Oct,23``) or its labels, by default today's; ``place`` is what is placed
already: placements, also as text (``N:r2c3,r2c4,r2c5,r3c5,r3c6``, ``N@r2c3``). ``progress`` is
told how many steps are done, of how many, and which was the last. Bad input is an InputError, a
value of a wrong type a TypeError; both say what is wanted.
"""

from __future__ import annotations

import datetime
import json
import os
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf
from numbers import Integral, Real
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING, Any, TypeVar

from satcal import errors
from satcal.counting.count import count_reveals, executing
from satcal.counting.hint import Hint
from satcal.counting.hint import hint as hint_of
from satcal.counting.settings import Settings
from satcal.counting.tilings import Source, diagram_for
from satcal.draw import pictures, shown
from satcal.draw.shown import Progress, Table, Tiling
from satcal.draw.svg import Picture
from satcal.draw.theme import load_theme
from satcal.encoding.export import export as text_of
from satcal.errors import *  # noqa: F403 - its __all__ is offered, too
from satcal.errors import NoTiling, OptionError, UnknownName
from satcal.processes import LONGEST, cores
from satcal.puzzle import toml
from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.ranges import Range, Row, select

if TYPE_CHECKING:
    from pysat.formula import CNF

    from satcal.diagram.puzzle import PuzzleDiagram
    from satcal.evidence.checking import Report

__all__ = [
    "Hint", "Picture", "Placement", "Puzzle", "Reveal", "Table", "Tiling", "certify",
    "check", "count", "count_all", "export", "formula", "hint", "kth_tiling", "library", "load",
    "load_drawing", "load_toml", "picture", "random_tiling", "table", "tilings",
]  # fmt: skip
__all__ += errors.__all__

Board = Puzzle | str | os.PathLike[str]
When = datetime.date | str | Sequence[str | int] | Row
Dates = int | str | Iterable[When]
"""A year, the text of a year or month, or reveals one by one."""
Place = str | Iterable[str | Placement | Demand]
_Of = TypeVar("_Of")
_Asked = tuple[_Of, Reveal, tuple[Demand, ...]]


def load_toml(text: str) -> Puzzle:
    """Return the puzzle of the text of a TOML file; raise PuzzleError or TooLarge if none."""
    if not isinstance(text, str):
        raise _wrong("text", text, "the text of a puzzle file")
    puzzle = toml.parse_puzzle(text, "puzzle")
    toml.check_area(puzzle)
    return puzzle


def load_drawing(
    board: str, pieces: Mapping[str, str], categories: Mapping[str, Sequence[str]] | None = None
) -> Puzzle:
    """Return the puzzle of a board and of pieces by name, drawn as in a puzzle file.

    ``categories`` has the labels of each; by default months, days and weekdays in English.
    """
    if not isinstance(board, str) or not isinstance(pieces, Mapping):
        raise _wrong("board, pieces", (board, pieces), "text, and a dict of texts by name")
    if not isinstance(categories, Mapping | None):
        raise _wrong("categories", categories, "a dict of lists of labels by name")
    if categories is None:
        every = {key: [x for x in names if x in board.split()] for key, names in ENGLISH.items()}
        categories = {key: labels for key, labels in every.items() if labels}
    lines = ['name = "drawing"', f"board = {json.dumps(board)}"]
    for key, table in {"categories": categories, "pieces": pieces}.items():
        lines += [f"[{key}]", *(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in table.items())]
    return load_toml("\n".join(lines))


def count(
    puzzle: Board, reveal: When | None = None, *, place: Place = (), method: str = "diagram",
    progress: Progress | None = None,
) -> int:  # fmt: skip
    """Return the number of tilings of a reveal, or of those that remain; see :func:`count_all`."""
    puzzle, wanted, demands = _asked(puzzle, reveal, place)
    counts = count_all(puzzle, [wanted], place=demands, method=method, progress=progress)
    return counts[wanted]


def count_all(
    puzzle: Board, reveals: Dates | None = None, *, place: Place = (), method: str = "diagram",
    jobs: int | None = None, time_limit: float | None = None, use_cache: bool = True,
    progress: Progress | None = None,
) -> dict[Reveal, int]:  # fmt: skip
    """Return the number of tilings of many reveals (None: all), counted in parallel.

    ``method`` is diagram, sat, search or verified; ``jobs`` a number of processes. ``use_cache``
    is about the diagrams kept in the user's cache directory.

    Raises:
        BudgetExhausted: the time limit (seconds) ended the run before all were counted.
        InputError, Disagreement, Stopped, Missing: a count failed; the text says why.
    """
    _check(Integral, 1, maxsize, jobs=jobs)
    _check(Real, 0, LONGEST, time_limit=time_limit)
    puzzle = _puzzle(puzzle)
    demands, wanted = _demands(puzzle, place), [row.reveal for row in _rows(puzzle, reveals)]
    settings = Settings(
        method, demands=demands, jobs=jobs, time_limit=time_limit, use_cache=use_cache
    )

    def on_layer(name: str, layer: int, layers: int, states: int) -> None:
        if progress:
            progress(layer, layers, f"{name}, {states:,} states")

    counts: dict[Reveal, int] = {}
    for reveal, outcome in count_reveals(puzzle, wanted, settings, on_layer=on_layer):
        counts[reveal] = outcome.require(reveal)
        if progress and not settings.at_once:
            progress(len(counts), len(set(wanted)), " ".join(reveal))
    return {reveal: counts[reveal] for reveal in wanted}


def table(
    puzzle: Board, dates: Dates | None = None, *, place: Place = (), method: str = "diagram",
    progress: Progress | None = None,
) -> Table:  # fmt: skip
    """Return the counts of :func:`count_all` as records with the fields of ``satcal count``."""
    puzzle = _puzzle(puzzle)
    rows = _rows(puzzle, dates)
    counts = count_all(puzzle, rows, place=place, method=method, progress=progress)
    return Table(
        {"date": str(row.date or ""), **dict(zip(puzzle.categories, row.reveal, strict=True)),
         "tilings": counts[row.reveal], "methods": method}
        for row in rows
    )  # fmt: skip


def tilings(
    puzzle: Board, reveal: When | None = None, *, place: Place = (), method: str = "diagram"
) -> Iterator[Tiling]:
    """Yield the tilings of a reveal, each once; those of ``sat`` are verified."""
    puzzle, wanted, demands = _asked(puzzle, reveal, place)
    every = Source(puzzle, [wanted], Settings(method, demands=demands)).tilings(wanted)
    return (Tiling(each, puzzle, wanted) for each in every)


def kth_tiling(
    puzzle: Board, reveal: When | None = None, k: int = 0, *, place: Place = ()
) -> Tiling:
    """Return the k-th of :func:`tilings`, from 0; raise NoTiling if there are not so many."""
    _check(Integral, -inf, inf, k=k)
    diagram, wanted, demands = _diagram(puzzle, reveal, place)
    return Tiling(diagram.tiling(int(k or 0), wanted, demands), diagram.puzzle, wanted)


def random_tiling(
    puzzle: Board, reveal: When | None = None, *, seed: int | None = None, place: Place = ()
) -> Tiling:
    """Return a tiling, all equally likely, with a ``seed`` always the same; or raise NoTiling."""
    _check(Integral, -inf, inf, seed=seed)
    diagram, wanted, demands = _diagram(puzzle, reveal, place)
    return Tiling(diagram.random(random.Random(seed), wanted, demands), diagram.puzzle, wanted)


def hint(puzzle: Board, reveal: When | None = None, *, place: Place = ()) -> Hint:
    """Return how many tilings remain, and where each piece that is not placed yet can go."""
    return hint_of(*_diagram(puzzle, reveal, place))


def export(
    puzzle: Board, reveal: When | None = None, *, format: str = "dimacs",
    encoding: str | None = None, place: Place = (), open: bool = False,
) -> str:  # fmt: skip
    """Return what ``satcal export`` writes: DIMACS, or another format; ``open`` is all reveals."""
    puzzle = _puzzle(puzzle)
    wanted, demands = None if open else _row(puzzle, reveal).reveal, _demands(puzzle, place)
    return text_of(puzzle, wanted, format=format, encoding=encoding, demands=demands)


def formula(
    puzzle: Board, reveal: When | None = None, *, encoding: str | None = None,
    place: Place = (), open: bool = False,
) -> CNF:  # fmt: skip
    """Return the DIMACS of :func:`export` as PySAT's CNF, comments and all."""
    from pysat.formula import CNF

    return CNF(from_string=export(puzzle, reveal, encoding=encoding, place=place, open=open))


def certify(
    puzzle: Board, reveal: When | None = None, *, progress: Progress | None = None
) -> bytes:
    """Return a certificate: the tilings of a reveal, and proofs that there are no others."""
    from satcal.evidence.certify import certify

    puzzle, wanted, _ = _asked(puzzle, reveal)
    with executing(cores()) as executor:
        return certify(puzzle, wanted, executor=executor, progress=progress)


def check(
    certificate: bytes | str | os.PathLike[str], checkers: Sequence[str] = (), *,
    limit: int | None = None, memory: int | None = None, seconds: float | None = None,
    export: str | os.PathLike[str] | None = None, progress: Progress | None = None,
) -> Report:  # fmt: skip
    """Return what a certificate, or the file of one, proves; all ``checkers`` must accept it.

    A process of its own checks it, within ``memory`` (bytes) and ``seconds``. ``limit`` is of all
    parts together, decompressed, and ``export`` a folder for the proofs. Errors as for
    :func:`satcal.evidence.checking.check_within`.
    """
    from satcal.evidence import checking

    if not isinstance(certificate, bytes):
        if not isinstance(certificate, str | os.PathLike):
            raise _wrong("certificate", certificate, "the bytes of a certificate, or a path")
        certificate = checking.read(Path(certificate))
    if isinstance(checkers, str) or not isinstance(checkers, Sequence):
        raise _wrong("checkers", checkers, "a list of names")
    _check(Integral, 1, maxsize, limit=limit, memory=memory)
    _check(Real, 0, LONGEST, seconds=seconds)
    bounds = {"limit": limit, "memory": memory, "seconds": seconds}
    given: Any = {name: bound for name, bound in bounds.items() if bound is not None}
    folder = None if export is None else Path(export)
    return checking.check_within(
        certificate, checkers, **given, export=folder,
        progress=progress and (lambda done, of: progress(done, of, "proofs")),
    )  # fmt: skip


def picture(
    puzzle: Board | Tiling, what: str = "board", when: When | Dates | None = None, *,
    theme: str = "light", place: Place = (), seed: int | None = None, limit: int = 500,
    title: str = "", progress: Progress | None = None,
) -> Picture:  # fmt: skip
    """Return a picture, as of ``satcal draw``; a notebook shows it, ``.svg()`` is its text.

    ``what`` is board, pieces, tiling (of a ``seed``, or the first that is found), sheet (of at
    most ``limit`` tilings) or year, whose ``title`` says which dates it shows. Of a
    :class:`Tiling`, only the theme can be chosen. Raises NoTiling if there is nothing to draw.
    """
    _check(Integral, 1, maxsize, limit=limit)
    _check(Integral, -inf, inf, seed=seed)
    if isinstance(puzzle, Tiling):
        return shown.tiling_picture(puzzle, theme)
    puzzle, colours = _puzzle(puzzle), load_theme(theme)
    demands = _demands(puzzle, place)
    if what == "board":
        return pictures.board_picture(puzzle, colours)
    if what == "pieces":
        return pictures.pieces_picture(puzzle, colours)
    if what == "year":
        when = datetime.date.today().year if when is None else when
        rows = _rows(puzzle, when)
        title = title or (str(when) if isinstance(when, int | str) else f"{rows[0]} to {rows[-1]}")
        tilings = shown.one_a_day(puzzle, rows, demands, seed or 0, progress)
        if not any(tilings.values()):
            raise NoTiling(f"no tiling on any date of {title}: nothing to draw")
        return pictures.year_picture(puzzle, tilings, colours, title)
    if what not in ("tiling", "sheet"):
        raise UnknownName(f"no picture '{what}'; choose board, pieces, tiling, sheet or year")
    row = _row(puzzle, when)
    if what == "tiling" and seed is None:
        # one tiling is found sooner by the solver than by a diagram that has yet to be built
        settings = Settings(method="sat", lemmas="none", demands=demands)
        source = Source(puzzle, [row.reveal], settings, alone=True)
        some = list(islice(source.tilings(row.reveal), 1))
    else:
        diagram, wanted, _ = _diagram(puzzle, row, demands)
        total, drawing = diagram.count(wanted, demands), random.Random(f"{seed} {row}")
        if what == "tiling" and total:
            some = [diagram.random(drawing, wanted, demands)]
        else:
            some = list(islice(diagram.tilings(wanted, demands), limit))
    if not some:
        raise NoTiling(f"no tiling for {str(row) or puzzle.name}, so there is nothing to draw")
    if what == "tiling":
        return pictures.tiling_picture(puzzle, row.reveal, some[0], colours, str(row))
    return pictures.sheet_picture(puzzle, row.reveal, some, total, colours, str(row))


def _wrong(name: str, value: object, wanted: str) -> TypeError:
    return TypeError(f"{name}: give {wanted}, not the {type(value).__name__} {value!r:.60}")


def _check(kind: type[Any], least: float, most: float, **values: Any) -> None:
    """Raise for what is no number of a kind, or not within the bounds; None is left out."""
    noun = "a whole number" if kind is Integral else "a number of seconds"
    for name, value in values.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, kind):
            raise _wrong(name, value, noun)
        if not least <= value <= most:
            raise OptionError(f"{name} {value}: give {noun} from {least:,} to {most:,}")


def _puzzle(puzzle: Board) -> Puzzle:
    return puzzle if isinstance(puzzle, Puzzle) else load(puzzle)


def _row(puzzle: Puzzle, when: Any) -> Row:
    """Return the row of a reveal, of today by default."""
    if isinstance(when, Row):
        return when
    if when is None:
        return select(puzzle, Range(), datetime.date.today())[0]
    if isinstance(when, datetime.datetime):  # pandas' are, too
        when = when.date()
    return Row(puzzle.reveal(when), when if isinstance(when, datetime.date) else None)


def _rows(puzzle: Puzzle, dates: Any) -> list[Row]:
    """Return the rows of many reveals, all by default."""
    if dates is None or isinstance(dates, int | str):
        wanted = Range(all_reveals=True) if dates is None else Range(date=str(dates))
        return select(puzzle, wanted, datetime.date.today())
    if not isinstance(dates, Iterable):
        raise _wrong("dates", dates, "a year, a month such as '2025-12', or a list of reveals")
    return [_row(puzzle, when) for when in dates]


def _demands(puzzle: Puzzle, place: Place) -> tuple[Demand, ...]:
    listed = [place] if isinstance(place, str) else place
    demands: list[Demand] = []
    for each in listed if isinstance(listed, Iterable) else [listed]:
        if not isinstance(each, str | Placement | Demand):
            raise _wrong("place", each, "placements, or text such as 'N@r2c3'")
        demands += [each] if isinstance(each, Demand) else parse_demands(puzzle, [str(each)])
    return tuple(demands)


def _asked(puzzle: Board, reveal: When | None, place: Place = ()) -> _Asked[Puzzle]:
    puzzle = _puzzle(puzzle)
    return puzzle, _row(puzzle, reveal).reveal, _demands(puzzle, place)


def _diagram(puzzle: Board, reveal: When | None, place: Place) -> _Asked[PuzzleDiagram]:
    puzzle, wanted, demands = _asked(puzzle, reveal, place)
    return diagram_for(puzzle, [wanted], Settings(demands=demands)), wanted, demands
