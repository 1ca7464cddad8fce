"""The Python interface: the functions of ``import satcal``.

>>> import satcal
>>> satcal.count("a-puzzle-a-day", "Oct 6")
7

A ``board`` is a :class:`Puzzle`, or the name or path of one. A ``date`` is a date, a string
(``Oct 6``, ``2025-10-06``, ``Thu,Oct,23``) or the labels of a reveal, by default today. Text
without a year means this year, which matters on a board with weekdays. ``place`` has the pieces
already placed: placements, or text (``O: 1 2 3 8 9 10``). The ``settings`` of the method sat are
``encoding``, ``solver`` and ``lemmas``. ``jobs`` is a number of processes, and ``time_limit`` is in
seconds. ``progress`` is a function called with (steps done, total, last step); True shows them in a
notebook or on a terminal. Bad input raises an InputError that says what to write.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from inspect import isfunction
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from satcal.analysis.difficulty import Difficulty, difficulties
from satcal.analysis.hint import Hint, make_hint
from satcal.arguments import (
    Board,
    Date,
    Dates,
    Place,
    put_into_words,
    select,
    select_all,
    to_puzzle,
)
from satcal.counting import run
from satcal.counting.method import Method
from satcal.counting.methods import method_named
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.draw import pictures
from satcal.draw.notebook import Table, Tiling
from satcal.draw.svg import Picture
from satcal.draw.theme import load_theme
from satcal.errors import NoTiling, OptionError, unknown
from satcal.files import read_text
from satcal.formulas import decode, export, formula
from satcal.processes import LocalProcesses
from satcal.progress import ProgressOption, reporting
from satcal.published.shipped import confirm
from satcal.puzzle.loading import library, load, parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.rows import Selection

if TYPE_CHECKING:
    from pandas import DataFrame

    from satcal.analysis.survey import Survey
    from satcal.certificates.checking import Report
    from satcal.published.evaluating import Lookup
    from satcal.published.verdicts import Verdict

__all__ = [
    "Placement",
    "Puzzle",
    "Tiling",
    "certify",
    "check",
    "claims",
    "count",
    "count_all",
    "decode",
    "design",
    "difficulty",
    "export",
    "formula",
    "hint",
    "library",
    "load",
    "load_toml",
    "picture",
    "solve",
    "survey",
    "table",
    "tilings",
]


def load_toml(text: str) -> Puzzle:
    """Return the puzzle that the text of a TOML file describes."""
    return parse_puzzle(text, "puzzle")


def count(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    time_limit: float | None = None,
    **settings: str,
) -> int:
    """Return the number of tilings of a date that contain the placed pieces.

    Arguments and errors are as in :func:`count_all`.
    """
    selection = select(board, date, place)
    counter = method_named(method, **settings)
    return count_exactly(selection, counter, time_limit)[selection.row.reveal]


def count_all(
    board: Board,
    dates: Dates | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    jobs: int | None = None,
    time_limit: float | None = None,
    progress: ProgressOption = None,
    **settings: str,
) -> dict[Reveal, int]:
    """Count the tilings of many dates (None: all reveals) in parallel.

    ``method`` is diagram, sat, search, listing or verified.

    Raises:
        BudgetExhausted: the time limit ended the run before all dates were counted.
        Disagreement: a count differs from the shipped table.
        InputError, Stopped, Missing: a count failed; the text says why.
    """
    selection = select_all(board, dates, place)
    counter = method_named(method, **settings)
    return count_exactly(selection, counter, time_limit, jobs, progress)


def count_exactly(
    selection: Selection,
    method: Method,
    time_limit: float | None = None,
    jobs: int | None = None,
    progress: ProgressOption = None,
) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal, as the shipped table has it."""
    until = None if time_limit is None else time.monotonic() + time_limit
    with reporting(progress) as report:
        limits = run.Limits(until, jobs)
        counts = run.exact_counts(run.count(selection, method, limits, progress=report))
    if not selection.place:
        confirm(selection.puzzle, counts)
    return counts


def table(
    board: Board,
    dates: Dates | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    progress: ProgressOption = None,
) -> Table:
    """Return the counts of :func:`count_all` as records with the fields of ``satcal count``."""
    selection = select_all(board, dates, place)
    puzzle, rows = selection.puzzle, selection.rows
    counts = count_exactly(selection, method_named(method), progress=progress)
    return Table(
        (row.record(puzzle, tilings=counts[row.reveal], methods=method) for row in rows), puzzle
    )


def tilings(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    **settings: str,
) -> Iterator[Tiling]:
    """Return an iterator over the tilings of a date; those of sat are verified."""
    selection = select(board, date, place)
    puzzle, reveal = selection.puzzle, selection.row.reveal
    counter = method_named(method, **settings)
    return (Tiling(tiling, puzzle, reveal) for tiling in run.tilings(selection, counter))


def solve(
    board: Board,
    date: Date | None = None,
    *,
    index: int = 0,
    seed: int | None = None,
    place: Place = (),
) -> Tiling:
    """Return the tiling with an index, from 0, in the order of :func:`tilings`.

    With a ``seed``, return a uniformly random tiling.

    Raises:
        NoTiling: there is no tiling, or none with this index.
    """
    selection = select(board, date, place)
    puzzle, reveal, place = selection.puzzle, selection.row.reveal, selection.place
    diagram = get_diagram(puzzle, reveal, place)
    if seed is not None and (count := diagram.count(reveal, place)):
        index = random.Random(int(seed)).randrange(count)
    return Tiling(diagram.tiling(index, reveal, place), puzzle, reveal)


@lru_cache(maxsize=1)
def get_diagram(puzzle: Puzzle, reveal: Reveal, place: tuple[Placement, ...]) -> PuzzleDiagram:
    """Open a diagram; the last one is cached, because the next call often needs it again."""
    return open_diagram(puzzle, [reveal], place)


def hint(board: Board, date: Date | None = None, *, place: Place = ()) -> Hint:
    """Return the number of remaining tilings, and the possible placements of each other piece.

    ``cell`` says where to start, ``next()`` what to place there. If no tiling remains, ``advice``
    says which pieces to take back.
    """
    selection = select(board, date, place)
    reveal = selection.row.reveal
    return make_hint(get_diagram(selection.puzzle, reveal, ()), reveal, selection.place)


def difficulty(board: Board, date: Date | None = None, *, place: Place = ()) -> Difficulty:
    """Return the difficulty of a date: its rating, and the number of guesses."""
    selection = select(board, date, place)
    return next(difficulties(selection.puzzle, selection.reveals, selection.place))


def survey(board: Board, *, place: Place = (), progress: ProgressOption = None) -> Survey:
    """Return the number of tilings for every set of cells that may stay uncovered.

    ``counts`` maps each set to its count; ``having(0)`` lists the sets without a tiling,
    ``having(1)`` those with exactly one.
    """
    from satcal.analysis.survey import count_sets

    selection = select_all(board, (), place)
    with reporting(progress) as report:
        return count_sets(selection.puzzle, selection.place, progress=report)


def picture(
    board: Board,
    dates: Dates | None = None,
    *,
    limit: int = 1,
    place: Place = (),
    theme: str = "light",
) -> Picture:
    """Return a picture of the board and its pieces, or of solutions; a notebook displays it.

    With ``dates``, it shows at most ``limit`` solutions of each date. ``.svg()`` is its text, and
    ``.save(path)`` writes it as .svg, .png or .pdf.

    Raises:
        NoTiling: there is nothing to draw.
    """
    colours = load_theme(theme)
    if dates is None:
        return pictures.board_picture(to_puzzle(board), colours)
    selection = select_all(board, dates, place)
    puzzle, place = selection.puzzle, selection.place
    diagram = open_diagram(puzzle, selection.reveals, place)
    solutions = [
        (row, n, tiling)
        for row in selection.rows
        for n, tiling in enumerate(islice(diagram.tilings(row.reveal, place), limit), start=1)
    ]
    if not solutions:
        raise NoTiling("there is no tiling, so there is nothing to draw")
    return pictures.solutions_picture(puzzle, solutions, colours)


def certify(
    board: Board,
    dates: Dates | None = None,
    *,
    jobs: int | None = None,
    progress: ProgressOption = None,
) -> bytes:
    """Return a certificate that proves the number of tilings of each date, by default of today."""
    from satcal.certificates.certify import make_certificate

    selection = select(board, None) if dates is None else select_all(board, dates)
    with (
        reporting(progress) as report,
        LocalProcesses(jobs, tasks=len(selection.reveals)) as executor,
    ):
        return make_certificate(selection.puzzle, selection.reveals, executor, report)[0]


def check(
    certificate: bytes | str | os.PathLike[str],
    checkers: Sequence[str] = (),
    *,
    board: Board | None = None,
    progress: ProgressOption = None,
    **limits: Any,
) -> Report:
    """Return what a certificate proves, given its bytes or its path.

    A separate process checks it, and all ``checkers`` must accept it. With ``board``, it must be
    about that board. The ``limits`` are ``memory`` (bytes) and ``seconds``.

    Raises:
        CertificateRefused: the certificate does not prove its numbers.
        Stopped: a limit ended the check.
    """
    from satcal.certificates import checking

    source = certificate if isinstance(certificate, bytes) else Path(certificate)
    with reporting(progress) as report:
        puzzle = None if board is None else to_puzzle(board)
        return checking.check_within(source, checkers, board=puzzle, **limits, step=report)


def claims(
    *files: str | os.PathLike[str] | DataFrame,
    board: Board | None = None,
    progress: ProgressOption = None,
) -> list[Verdict]:
    """Return the verdicts on the statements of claim files, by default of those in satcal.

    With ``board``, the files are tables of that board: ``theirs.csv``, or a frame of pandas, with
    dates or labels, and numbers. A table is one statement; its verdict has ``wrong_rows()``.
    ``as_fields()`` is the row of a verdict in ``satcal claims --format csv``.
    """
    from satcal.published.evaluating import Lookup
    from satcal.published.examination import judge_all
    from satcal.published.reading import claim_files, load_claims

    lookup = Lookup()
    tables = [file for file in files if hasattr(file, "to_csv") or Path(file).suffix != ".toml"]
    if len(tables) != (0 if board is None else len(files)):
        raise OptionError("board: a table needs its board; a claim file (.toml) names its own")
    if board is not None:
        return [judge_table(file, to_puzzle(board), lookup) for file in tables]
    statements = load_claims(Path(cast("Any", file)) for file in files or claim_files())
    with reporting(progress) as report:
        return judge_all(statements, lookup, report)


def judge_table(table: Any, puzzle: Puzzle, lookup: Lookup) -> Verdict:
    """Return the verdict on a table: a file, or a frame of pandas."""
    from satcal.published import examination
    from satcal.published.sheets import MAX_BYTES

    if hasattr(table, "to_csv"):
        path, text = Path("table"), table.to_csv(index=table.index.name is not None)
    else:
        path = Path(table)
        text = read_text(path, "table", MAX_BYTES)
    return examination.judge_table(path, text, puzzle, lookup)


def design(
    board: Board,
    sizes: str = "7x5,1x6",
    *,
    allow: Sequence[str] = (),
    must: Sequence[str] = (),
    at_least: int = 1,
    goal: str = "few",
    tries: int = 50_000,
    seed: int = 0,
    jobs: int | None = None,
    progress: ProgressOption = None,
) -> list[Puzzle]:
    """Return puzzles with sets of pieces that solve every date of a board, the best first.

    The arguments are the options of ``satcal design``. All sets are tried if they are at most
    ``tries``; otherwise hill climbing starts from a ``seed``.
    """
    from satcal.designing.deciding import GOALS, Requirement, select_reveals
    from satcal.designing.exploring import Explorer, explore, sort_best_first
    from satcal.designing.space import build_space, parse_sizes

    if goal not in GOALS:
        raise unknown("goal", goal, GOALS, OptionError)
    puzzle = to_puzzle(board)
    space = build_space(puzzle, parse_sizes(sizes), None, allow, must)
    requirement = Requirement(space, select_reveals(puzzle), at_least, goal == "no-flips")
    total = min(len(space), tries)
    with reporting(progress) as report, LocalProcesses(jobs) as executor:
        explorer = Explorer(requirement, executor, lambda number: report(number, total, "sets"))
        explore(explorer, [goal], tries, seed)
    return [
        space.puzzle(decision.pieces, "-".join([puzzle.name, *decision.pieces]))
        for decision in sort_best_first(explorer.decisions.values(), requirement, [goal])
    ]


put_into_words(function for name in __all__ if isfunction(function := globals()[name]))
