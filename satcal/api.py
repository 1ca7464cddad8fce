"""The Python interface: what ``import satcal`` offers, besides the errors.

>>> import satcal
>>> satcal.count("a-puzzle-a-day", "Oct 6")
7

A ``board`` is a :class:`Puzzle`, or the name or path of one. A ``date`` is a date, a string
(``Oct 6``, ``2025-10-06``, ``Thu,Oct,23``) or the labels of a reveal, by default ``today``: the
system's, unless it is given. Text without a year means the year of ``today``, which matters on a
board with weekdays. ``place`` is what is placed already: placements, also as text
(``O: 1 2 3 8 9 10``). ``progress`` is a function called with (steps done, total, last step); True
shows them, in a notebook and on a terminal. Bad input is an InputError that says what is wanted.
"""

from __future__ import annotations

import datetime
import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from satcal.analysis.difficulty import Difficulty, difficulties
from satcal.analysis.hint import Hint
from satcal.analysis.hint import hint as hint_of
from satcal.arguments import Board, Date, Dates, Place, placed_on, puzzle_of, row_of, rows_of
from satcal.counting import run
from satcal.counting.method import Method
from satcal.counting.methods import method_named
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.draw import pictures
from satcal.draw.notebook import Table, Tiling
from satcal.draw.svg import Picture
from satcal.draw.theme import load_theme
from satcal.errors import NoTiling, OptionError, unknown
from satcal.processes import LocalProcesses, cores
from satcal.progress import ProgressOption, reporting
from satcal.published.shipped import confirm
from satcal.puzzle.loading import library, load, parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal

if TYPE_CHECKING:
    from pandas import DataFrame
    from pysat.formula import CNF

    from satcal.analysis.survey import Survey
    from satcal.certificates.checking import Report
    from satcal.encoding.cnf import PuzzleFormula
    from satcal.encoding.decode import ExportedFormula
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
MARKS = {"*": "opb", "%": "asp"}
"""The format of a formula by its first character; every other one is DIMACS."""


def load_toml(text: str) -> Puzzle:
    """Return the puzzle that the text of a TOML file describes."""
    return parse_puzzle(text, "puzzle")


def count(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    encoding: str | None = None,
    solver: str | None = None,
    lemmas: str | None = None,
    time_limit: float | None = None,
    today: datetime.date | None = None,
) -> int:
    """Return the number of tilings of a date; with ``place``, of those that remain.

    Arguments and errors are as for :func:`count_all`.
    """
    puzzle = puzzle_of(board)
    row = row_of(puzzle, date, today)
    by = method_named(method, encoding=encoding, solver=solver, lemmas=lemmas)
    placed = placed_on(puzzle, place, [row.reveal])
    return counts_of(puzzle, [row.reveal], placed, by, time_limit)[row.reveal]


def count_all(
    board: Board,
    dates: Dates | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    encoding: str | None = None,
    solver: str | None = None,
    lemmas: str | None = None,
    jobs: int | None = None,
    time_limit: float | None = None,
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> dict[Reveal, int]:
    """Return the numbers of tilings of many dates (None: all reveals), counted in parallel.

    ``method`` is diagram, sat, search or verified. ``encoding``, ``solver`` and ``lemmas`` are
    settings of sat; ``jobs`` is a number of processes, ``time_limit`` one of seconds.

    Raises:
        BudgetExhausted: the time limit ended the run before all were counted.
        Disagreement: satcal's shipped table has another number.
        InputError, Stopped, Missing: a count failed; the text says why.
    """
    puzzle = puzzle_of(board)
    by = method_named(method, encoding=encoding, solver=solver, lemmas=lemmas)
    reveals = [row.reveal for row in rows_of(puzzle, dates, today)]
    placed = placed_on(puzzle, place, reveals)
    return counts_of(puzzle, reveals, placed, by, time_limit, jobs, progress)


def counts_of(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    placed: Sequence[Placement],
    method: Method,
    time_limit: float | None = None,
    jobs: int | None = None,
    progress: ProgressOption = None,
) -> dict[Reveal, int]:
    """Return the exact counts of reveals, in their order, or raise the first error."""
    until = None if time_limit is None else time.monotonic() + time_limit
    counts = dict.fromkeys(reveals, 0)
    with reporting(progress) as report:
        counting = run.count(
            puzzle, reveals, method, place=placed, jobs=jobs, until=until, progress=report
        )
        with closing(counting):
            for number, counted in enumerate(counting, start=1):
                if counted.error is not None:
                    raise counted.error
                counts[counted.reveal] = counted.tilings
                report(number, len(counts), " ".join(counted.reveal))
    if not placed:
        confirm(puzzle, counts)
    return counts


def table(
    board: Board,
    dates: Dates | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> Table:
    """Return the counts of :func:`count_all` as records with the fields of ``satcal count``."""
    puzzle = puzzle_of(board)
    rows, placed = rows_of(puzzle, dates, today), placed_on(puzzle, place)
    reveals = [row.reveal for row in rows]
    counts = counts_of(puzzle, reveals, placed, method_named(method), progress=progress)
    records = (
        {
            "date": str(row.date or ""),
            **dict(zip(puzzle.categories, row.reveal, strict=True)),
            "tilings": counts[row.reveal],
            "methods": method,
        }
        for row in rows
    )
    return Table(records, puzzle)


def tilings(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    encoding: str | None = None,
    solver: str | None = None,
    lemmas: str | None = None,
    today: datetime.date | None = None,
) -> Iterator[Tiling]:
    """Return an iterator over the tilings of a date, each once; those of sat are verified."""
    puzzle = puzzle_of(board)
    reveal = row_of(puzzle, date, today).reveal
    placed = placed_on(puzzle, place, [reveal])
    by = method_named(method, encoding=encoding, solver=solver, lemmas=lemmas)
    listed = run.tilings(puzzle, reveal, by, place=placed)
    return (Tiling(tiling, puzzle, reveal) for tiling in listed)


def solve(
    board: Board,
    date: Date | None = None,
    *,
    index: int = 0,
    seed: int | None = None,
    place: Place = (),
    today: datetime.date | None = None,
) -> Tiling:
    """Return one tiling of a date: the one of an index, from 0, in the order of :func:`tilings`.

    With a ``seed`` it is drawn at random, all tilings being equally likely.

    Raises:
        NoTiling: there is no tiling, or none of this index.
    """
    puzzle = puzzle_of(board)
    reveal = row_of(puzzle, date, today).reveal
    placed = placed_on(puzzle, place, [reveal])
    diagram = diagram_of(puzzle, reveal, placed)
    if seed is None:
        return Tiling(diagram.tiling(index, reveal, placed), puzzle, reveal)
    return Tiling(diagram.random(random.Random(int(seed)), reveal, placed), puzzle, reveal)


@lru_cache(maxsize=1)
def diagram_of(puzzle: Puzzle, reveal: Reveal, placed: tuple[Placement, ...]) -> PuzzleDiagram:
    """Return a diagram; the last one is kept, because more will be asked of it."""
    return open_diagram(puzzle, [reveal], placed)


def hint(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    today: datetime.date | None = None,
) -> Hint:
    """Return the number of tilings that remain, and where each piece not yet placed can go.

    Where none remains, ``advice`` says which pieces to take back.
    """
    puzzle = puzzle_of(board)
    reveal = row_of(puzzle, date, today).reveal
    placed = placed_on(puzzle, place, [reveal])
    return hint_of(diagram_of(puzzle, reveal, ()), reveal, placed)


def difficulty(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    today: datetime.date | None = None,
) -> Difficulty:
    """Return how hard a date is: how much has to be guessed, and the word for it."""
    puzzle = puzzle_of(board)
    row = row_of(puzzle, date, today)
    return next(difficulties(puzzle, [row.reveal], placed_on(puzzle, place)))


def survey(board: Board, *, place: Place = (), progress: ProgressOption = None) -> Survey:
    """Return the number of tilings for every set of cells that may stay uncovered.

    ``counts`` maps each set to its number; ``having(0)`` lists the sets without a tiling,
    ``having(1)`` those with exactly one.
    """
    from satcal.analysis.survey import survey

    puzzle = puzzle_of(board)
    with reporting(progress) as report:
        return survey(puzzle, placed_on(puzzle, place), progress=report)


def picture(
    board: Board,
    dates: Dates | None = None,
    *,
    limit: int = 1,
    place: Place = (),
    theme: str = "light",
    today: datetime.date | None = None,
) -> Picture:
    """Return a picture, which a notebook shows: of the board and its pieces, or of solutions.

    With ``dates`` it has at most ``limit`` solutions of each date. ``.svg()`` is its text, and
    ``.save(path)`` writes it as .svg, .png or .pdf.

    Raises:
        NoTiling: there is nothing to draw.
    """
    puzzle, colours = puzzle_of(board), load_theme(theme)
    if dates is None:
        return pictures.board_picture(puzzle, colours)
    rows, placed = rows_of(puzzle, dates, today), placed_on(puzzle, place)
    diagram = open_diagram(puzzle, [row.reveal for row in rows], placed)
    found = [
        (row, number, tiling)
        for row in rows
        for number, tiling in enumerate(islice(diagram.tilings(row.reveal, placed), limit), start=1)
    ]
    if not found:
        raise NoTiling("there is no tiling, so there is nothing to draw")
    return pictures.solutions_picture(puzzle, found, colours)


def export(
    board: Board,
    date: Date | None = None,
    *,
    format: str = "dimacs",
    encoding: str | None = None,
    lemmas: str = "none",
    place: Place = (),
    open: bool = False,
    today: datetime.date | None = None,
) -> str:
    """Return the text of ``satcal export``; ``open`` is one formula of all reveals."""
    from satcal.encoding.export import export

    puzzle = puzzle_of(board)
    reveal, placed = None if open else row_of(puzzle, date, today).reveal, placed_on(puzzle, place)
    return export(puzzle, reveal, format=format, encoding=encoding, lemmas=lemmas, place=placed)


def formula(
    board: Board,
    date: Date | None = None,
    *,
    encoding: str | None = None,
    lemmas: str = "none",
    place: Place = (),
    open: bool = False,
    today: datetime.date | None = None,
) -> PuzzleFormula:
    """Return the DIMACS of :func:`export` as PySAT's CNF, with the meaning of its variables."""
    from satcal.encoding.cnf import puzzle_formula
    from satcal.encoding.export import DEFAULT_ENCODING

    puzzle = puzzle_of(board)
    reveal, placed = None if open else row_of(puzzle, date, today).reveal, placed_on(puzzle, place)
    name = encoding or DEFAULT_ENCODING
    return puzzle_formula(puzzle, reveal, encoding=name, lemmas=lemmas, place=placed)


def decode(
    answer: str | Iterable[int], formula: str | CNF, *, board: Board | None = None
) -> list[Tiling]:
    """Return the verified tilings of a solver's answer: what it printed, or a model of PySAT.

    ``formula`` is what :func:`export` or :func:`formula` returned. It says its date, and its board
    if that is in the library. A model may leave out what is false.

    Raises:
        Unsatisfiable: the solver says that there is no tiling, which is true.
        NoTiling: a model is not a tiling.
        Disagreement: the answer is not that of satcal's own formula.
    """
    from satcal.encoding.cnf import PuzzleFormula
    from satcal.external.answers import decode_answer

    if isinstance(formula, PuzzleFormula) and not isinstance(answer, str):
        found = formula.decode(answer)  # its own table says what the variables mean
        return [Tiling(found.tiling, formula.cover.puzzle, found.reveal)]
    text = answer if isinstance(answer, str) else as_answer(answer)
    exported = to_exported_formula(formula)
    puzzle = puzzle_of(exported.head.puzzle if board is None else board)
    decoded = decode_answer(puzzle, text, exported)
    return [Tiling(each.tiling, puzzle, each.reveal) for each in decoded]


def as_answer(model: Iterable[int]) -> str:
    """Return what a solver prints for a model, such as PySAT's ``get_model``."""
    return f"s SATISFIABLE\nv {' '.join(map(str, [*model, 0]))}\n"


def to_exported_formula(formula: str | CNF) -> ExportedFormula:
    """Return a formula that satcal exported, as text or as PySAT has read it."""
    from satcal.encoding.decode import read_formula

    if not isinstance(formula, str):
        size = f"p cnf {formula.nv} {len(formula.clauses)}"
        clauses = (" ".join(map(str, [*clause, 0])) for clause in formula.clauses)
        formula = "\n".join([*formula.comments, size, *clauses, ""])
    return read_formula(formula, "formula", MARKS.get(formula[:1], "dimacs"))


def certify(
    board: Board,
    dates: Dates | None = None,
    *,
    jobs: int | None = None,
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> bytes:
    """Return the certificate of dates, by default of today.

    It has the number of tilings of each, and a search tree that proves it.
    """
    from satcal.certificates.certify import certify

    puzzle = puzzle_of(board)
    rows = [row_of(puzzle, None, today)] if dates is None else rows_of(puzzle, dates, today)
    reveals = list(dict.fromkeys(row.reveal for row in rows))
    number = min(cores() if jobs is None else jobs, len(reveals))
    with (
        reporting(progress) as report,
        run.ended_at_once(LocalProcesses(number)) as executor,
    ):
        return certify(puzzle, reveals, executor, report)


def check(
    certificate: bytes | str | os.PathLike[str],
    checkers: Sequence[str] = (),
    *,
    board: Board | None = None,
    progress: ProgressOption = None,
    **limits: Any,
) -> Report:
    """Return what a certificate proves, given its bytes or its path.

    A process of its own checks it, and all ``checkers`` must accept it as well. It has to be about
    the ``board``, if one is given. The ``limits`` are ``memory`` (bytes) and ``seconds``.

    Raises:
        CertificateRefused: it does not prove what it says.
        Stopped: a limit ended the check.
    """
    from satcal.certificates import checking

    source = certificate if isinstance(certificate, bytes) else Path(certificate)
    with reporting(progress) as report:
        wanted = None if board is None else puzzle_of(board)
        return checking.check_within(source, checkers, board=wanted, **limits, step=report)


def claims(
    *files: str | os.PathLike[str] | DataFrame,
    board: Board | None = None,
    progress: ProgressOption = None,
) -> list[Verdict]:
    """Return the verdicts on the statements of claim files, by default on all of satcal's own.

    A file may also be a table of a ``board``: ``theirs.csv``, or a frame of pandas, with dates or
    labels, and numbers; all of it is one statement. ``wrong_rows()`` of its verdict are the rows
    that are wrong; ``as_fields()`` is a verdict's row in ``satcal claims --format csv``.
    """
    from satcal.published.examination import Examination
    from satcal.published.reading import claim_files, load_claims
    from satcal.published.sheets import parse_sheets, read_sheets

    examination = Examination(recounts=0)
    if any((board is None) != (Path(name_of(file)).suffix == ".toml") for file in files):
        raise OptionError("board: name the board of a table, and of nothing else")
    if board is not None:
        puzzle, judged = puzzle_of(board), []
        for file in files:
            path, frame = Path(name_of(file)), cast("Any", file)
            if hasattr(file, "to_csv"):
                text = frame.to_csv(index=frame.index.name is not None)
                sheets = parse_sheets(text, path, puzzle)
            else:
                sheets = read_sheets(path, puzzle)
            judged.append(examination.judge_table(path, sheets, puzzle)[1])
        return judged
    loaded = [load_claims(Path(file)) for file in files or claim_files()]
    total = sum(len(file.statements) for file in loaded)
    verdicts: list[Verdict] = []
    with reporting(progress) as report:
        for verdict in examination.verdicts(loaded):
            verdicts.append(verdict)
            report(len(verdicts), total, verdict.statement.id)
    return verdicts


def name_of(file: Any) -> str:
    """Return the name of a file; "table" for a frame."""
    return "table" if hasattr(file, "to_csv") else os.fspath(file)


def design(
    board: Board,
    sizes: str = "7x5,1x6",
    *,
    allow: Sequence[str] = (),
    must: Sequence[str] = (),
    must_not: Sequence[str] = (),
    at_least: int = 1,
    goal: str = "few",
    tries: int = 50_000,
    seed: int = 0,
    jobs: int | None = None,
    progress: ProgressOption = None,
) -> list[Puzzle]:
    """Return puzzles with sets of pieces that solve every date of a board, the best first.

    Arguments are as the options of ``satcal design``. Spaces of at most ``tries`` sets are decided
    completely, larger ones climbed from a ``seed``.
    """
    from satcal.designing.deciding import GOALS, Requirement, select_reveals
    from satcal.designing.exploring import Explorer, Log, climb, decide_all, sort_best_first
    from satcal.designing.space import build_space, parse_sizes

    if goal not in GOALS:
        raise unknown("goal", goal, GOALS, OptionError)
    puzzle = puzzle_of(board)
    space = build_space(puzzle, parse_sizes(sizes), None, allow, must, must_not)
    requirement = Requirement(space, select_reveals(puzzle), at_least, goal == "no-flips")
    total = min(len(space), tries)
    with (
        reporting(progress) as report,
        run.ended_at_once(LocalProcesses(cores() if jobs is None else jobs)) as executor,
        closing(Log(None, "")) as log,
    ):
        explorer = Explorer(
            requirement, executor, log, lambda number, decision: report(number, total, "sets")
        )
        if len(space) <= tries:
            decide_all(explorer)
        else:
            climb(explorer, [goal], tries, seed)
    return [
        space.puzzle(decision.pieces, "-".join([puzzle.name, *decision.pieces]))
        for decision in sort_best_first(explorer.decisions.values(), requirement, [goal])
    ]
