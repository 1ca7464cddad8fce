"""The Python interface: what ``import satcal`` offers, besides the errors.

>>> import satcal
>>> satcal.count("a-puzzle-a-day", "Oct 6")
7

A ``board`` is a :class:`Puzzle`, or the name or path of one; a ``date`` a date, a string
(``Oct 6``, ``2025-10-06``, ``Thu,Oct,23``) or the labels of a reveal, by default ``today``: the
system's, unless it is given. Text without a year means the year of ``today``, which matters on
a board with weekdays. ``place`` is what is placed already: placements, also as text
(``N:r2c3,r2c4,r2c5,r3c5,r3c6``, ``N@r2c3``). ``progress`` is a function called with (steps done,
total, last step); True shows them, in a notebook and on a terminal. Bad input is an InputError, a
value of a wrong type a TypeError; both say what is wanted.
"""

from __future__ import annotations

import datetime
import json
import os
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import inf
from numbers import Integral, Real
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING, Any

from satcal.analysis.hint import Hint, what_to_take_back
from satcal.analysis.hint import hint as hint_of
from satcal.arguments import (
    Asked,
    Board,
    Date,
    Dates,
    Place,
    asked,
    check_names,
    check_number,
    check_type,
    demands_of,
    puzzle_of,
    row_of,
    rows_of,
    wrong,
)
from satcal.counting.by_date import random_tilings_by_date
from satcal.counting.count import count_reveals, executing
from satcal.counting.settings import Assignment, BySat, Question, Run, method_of
from satcal.counting.tilings import Source, diagram_for
from satcal.counting.tilings import tilings as all_tilings
from satcal.draw import notebook, pictures
from satcal.draw.notebook import Table, Tiling
from satcal.draw.svg import Picture
from satcal.draw.theme import load_theme
from satcal.encoding.export import export as text_of
from satcal.errors import FormatError, NoTiling, OptionError, UnknownName, unknown
from satcal.processes import LONGEST, cores
from satcal.progress import ProgressOption, reporting
from satcal.published.own_tables import confirm
from satcal.puzzle import toml
from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.dates import says_day
from satcal.puzzle.demands import Demand
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Placement, Puzzle, Reveal

if TYPE_CHECKING:
    from pandas import DataFrame
    from pysat.formula import CNF

    from satcal.analysis.difficulty import Difficulty
    from satcal.analysis.survey import Survey
    from satcal.certificates.checking import Report
    from satcal.diagram.puzzle import PuzzleDiagram
    from satcal.published.verdicts import ClaimFile, Verdict
    from satcal.puzzle.faults import Finding

__all__ = [
    "Hint",
    "Picture",
    "Placement",
    "Puzzle",
    "Reveal",
    "Table",
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
    "kth_tiling",
    "library",
    "lint",
    "load",
    "load_drawing",
    "load_toml",
    "picture",
    "random_tiling",
    "survey",
    "table",
    "tilings",
]


def load_toml(text: str) -> Puzzle:
    """The puzzle that the text of a TOML file describes.

    Raises PuzzleError or TooLarge if there is none.
    """
    if not isinstance(text, str):
        raise wrong("text", text, "the text of a puzzle file")
    if text.strip().endswith((".toml", ".txt")):
        raise OptionError(f"text: {text.strip():.60} is a file name; use load() to read a file")
    puzzle = toml.parse_puzzle(text, "puzzle")
    toml.check_area(puzzle)
    return puzzle


def load_drawing(
    board: str, pieces: Mapping[str, str], categories: Mapping[str, Sequence[str]] | None = None
) -> Puzzle:
    """A puzzle from drawings of the board and of named pieces, as in a puzzle file.

    ``categories`` has the labels of each; by default months, days and weekdays in English.
    """
    if not isinstance(board, str) or not isinstance(pieces, Mapping):
        wanted = "a string, and a dict from piece names to drawings"
        raise wrong("board, pieces", (board, pieces), wanted)
    if not isinstance(categories, Mapping | None):
        raise wrong("categories", categories, "a dict from category names to lists of labels")
    if categories is None:
        every = {key: [x for x in names if x in board.split()] for key, names in ENGLISH.items()}
        categories = {key: labels for key, labels in every.items() if labels}
    lines = ['name = "drawing"', f"board = {json.dumps(board)}"]
    for key, table in {"categories": categories, "pieces": pieces}.items():
        lines += [f"[{key}]", *(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in table.items())]
    return load_toml("\n".join(lines))


def count(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> int:
    """The number of tilings of a date; with ``place``, of those that remain.

    See :func:`count_all`.
    """
    puzzle, wanted, demands = asked(board, date, place, today)
    counts = count_all(puzzle, [wanted], place=demands, method=method, progress=progress)
    return counts[wanted]


def count_all(
    board: Board,
    dates: Dates | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    jobs: int | None = None,
    time_limit: float | None = None,
    use_cache: bool = True,
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> dict[Reveal, int]:
    """The number of tilings of many dates (None: all reveals), counted in parallel.

    ``method`` is diagram, sat, search or verified; ``jobs`` a number of processes. ``use_cache``
    says whether to use the diagrams kept in the user's cache directory.

    Raises:
        BudgetExhausted: the time limit (seconds) ended the run before all were counted.
        Disagreement: satcal's shipped table has another number.
        InputError, Stopped, Missing: a count failed; the text says why.
    """
    check_number(Integral, 1, maxsize, jobs=jobs)
    check_number(Real, 0, LONGEST, time_limit=time_limit)
    puzzle = puzzle_of(board)
    demands = demands_of(puzzle, place)
    wanted = [row.reveal for row in rows_of(puzzle, dates, today)]
    question, by = Question(puzzle, wanted, demands), method_of(method, use_cache)
    assignment = Assignment(question, by, Run(jobs, time_limit=time_limit))
    counts: dict[Reveal, int] = {}
    with reporting(progress) as report:
        for reveal, outcome in count_reveals(assignment, on_layer=report):
            counts[reveal] = outcome.require(reveal)
            if not assignment.by_one_diagram:
                report(len(counts), len(set(wanted)), " ".join(reveal))
    if not demands:
        confirm(puzzle, counts)
    return {reveal: counts[reveal] for reveal in wanted}


def table(
    board: Board,
    dates: Dates | None = None,
    *,
    place: Place = (),
    method: str = "diagram",
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> Table:
    """The counts of :func:`count_all` as records with the fields of ``satcal count``."""
    puzzle = puzzle_of(board)
    rows = rows_of(puzzle, dates, today)
    counts = count_all(puzzle, rows, place=place, method=method, progress=progress)
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
    today: datetime.date | None = None,
) -> Iterator[Tiling]:
    """Yield the tilings of a date, each once; those of ``sat`` are verified."""
    puzzle, wanted, demands = asked(board, date, place, today)
    every = all_tilings(Question(puzzle, [wanted], demands), method_of(method))
    return (Tiling(tiling, puzzle, wanted) for tiling in every)


def kth_tiling(
    board: Board,
    date: Date | None = None,
    k: int = 0,
    *,
    place: Place = (),
    today: datetime.date | None = None,
) -> Tiling:
    """The k-th tiling, from 0, in the order of :func:`tilings`.

    Raises NoTiling if there are too few.
    """
    check_number(Integral, 0, inf, k=k)
    diagram, wanted, demands = _diagram(board, date, place, today)
    return Tiling(diagram.tiling(int(k or 0), wanted, demands), diagram.puzzle, wanted)


def random_tiling(
    board: Board,
    date: Date | None = None,
    *,
    seed: int | None = None,
    place: Place = (),
    today: datetime.date | None = None,
) -> Tiling:
    """A tiling chosen uniformly at random, always the same for a ``seed``.

    Raises NoTiling if there is none.
    """
    check_number(Integral, -inf, inf, seed=seed)
    diagram, wanted, demands = _diagram(board, date, place, today)
    return Tiling(
        diagram.random(random.Random(None if seed is None else int(seed)), wanted, demands),
        diagram.puzzle,
        wanted,
    )


def hint(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    today: datetime.date | None = None,
) -> Hint:
    """The number of tilings that remain, and where each piece that is not placed yet can go.

    Where none remains, ``advice`` says which pieces to take back.
    """
    diagram, wanted, demands = _diagram(board, date, place, today)
    found = hint_of(diagram, wanted, demands)
    if found.tilings:
        return found
    diagram = _kept_diagram(diagram.puzzle, wanted, ())
    return replace(found, advice=what_to_take_back(diagram, wanted, demands))


def survey(board: Board, *, place: Place = (), progress: ProgressOption = None) -> Survey:
    """The number of tilings for every set of cells that may stay uncovered.

    ``counts`` maps each set to its number; ``having(0)`` lists the sets with no tiling,
    ``having(1)`` those with exactly one.
    """
    from satcal.analysis.survey import survey

    puzzle = puzzle_of(board)
    with reporting(progress) as report:
        return survey(puzzle, demands_of(puzzle, place), progress=report)


def difficulty(
    board: Board,
    date: Date | None = None,
    *,
    place: Place = (),
    today: datetime.date | None = None,
) -> Difficulty:
    """The measures of how hard a date is; ``record()`` has the columns."""
    from satcal.analysis.difficulty import difficulties

    puzzle, wanted, demands = asked(board, date, place, today)
    return next(difficulties(Question(puzzle, [wanted], demands)))


def lint(board: str | os.PathLike[str], pieces: str | None = None) -> list[Finding]:
    """Everything wrong or odd in a puzzle file; empty if nothing is."""
    from satcal.puzzle.lint import lint

    check_type(str | os.PathLike, "a name or path (a loaded Puzzle is valid)", board=board)
    return lint(os.fspath(board), pieces)


def claims(
    *files: str | os.PathLike[str] | DataFrame,
    board: Board | None = None,
    progress: ProgressOption = None,
) -> list[Verdict]:
    """The verdicts on the statements of claim files, by default on all that come with satcal.

    A file may be a table of a ``board``, too: ``theirs.csv``, or a frame of pandas, with dates or
    labels, and numbers; all of it is one statement. ``wrong_rows()`` of its verdict are the rows
    that are wrong; ``as_fields()`` is a verdict's row in ``satcal claims --format csv``.
    """
    from satcal.published.examination import Examination
    from satcal.published.reading import published

    puzzle = None if board is None else puzzle_of(board)
    loaded = [_claims_of(file, puzzle) for file in files or published()]
    total = sum(len(file.statements) for file in loaded)
    verdicts: list[Verdict] = []
    with reporting(progress) as report:
        for verdict in Examination(recounts=0).verdicts(loaded):
            verdicts.append(verdict)
            report(len(verdicts), total, verdict.statement.id)
    return verdicts


def _claims_of(file: Any, puzzle: Puzzle | None) -> ClaimFile:
    """The statements of a claim file, or of a table of a puzzle, which may be a frame."""
    from satcal.published.reading import load_claims
    from satcal.published.sheets import as_claims, parse_sheet, read_sheet

    if hasattr(file, "to_csv"):
        if puzzle is None:
            raise OptionError("board: name the board that the table is about")
        path, text = Path("table"), file.to_csv(index=file.index.name is not None)
        return as_claims(path, parse_sheet(text, path, puzzle), puzzle)
    check_type(str | os.PathLike, "the paths of files, or a frame, one after another", files=file)
    path = Path(file)
    if path.suffix.casefold() != ".csv":
        if puzzle is not None:
            raise OptionError(
                "board: it only applies to a table (FILE.csv); claim files name their own boards, "
                "so leave it out"
            )
        return load_claims(path)
    if puzzle is None:
        raise OptionError(f"board: name the board that {path} is about")
    return as_claims(path, read_sheet(path, puzzle), puzzle)


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
    """Sets of pieces that solve every date of a board, the best first, as puzzles.

    Arguments as the options of ``satcal design``. Spaces of at most ``tries`` sets are decided
    completely, larger ones climbed from a ``seed``.
    """
    from satcal.designing.deciding import GOALS, Requirement, dates_of
    from satcal.designing.exploring import Explorer, Log, climb, exhaust, standing
    from satcal.designing.space import parse_sizes, space

    check_number(Integral, 1, maxsize, tries=tries, jobs=jobs, at_least=at_least)
    check_number(Integral, -inf, inf, seed=seed)
    check_type(str, "text such as '7x5,1x6'", sizes=sizes)
    check_names(allow=allow, must=must, must_not=must_not)
    if goal not in GOALS:
        raise unknown("goal", goal, GOALS, OptionError)
    puzzle = puzzle_of(board)
    wanted = space(puzzle, parse_sizes(sizes), None, allow, must, must_not)
    question = Requirement(wanted, dates_of(puzzle), at_least, goal == "no-flips")
    with reporting(progress) as report, executing(jobs or cores()) as executor:
        total = min(len(wanted), tries)
        log = Log(None, "")
        explorer = Explorer(
            question, executor, log, lambda number, verdict: report(number, total, "sets")
        )
        if len(wanted) <= tries:
            exhaust(explorer)
        else:
            climb(explorer, [goal], tries, seed)
        log.close()
    stand = standing(explorer.verdicts.values(), question, [goal])
    return [
        wanted.puzzle(verdict.pieces, "-".join([puzzle.name, *verdict.pieces])) for verdict in stand
    ]


def export(
    board: Board,
    date: Date | None = None,
    *,
    format: str = "dimacs",
    encoding: str | None = None,
    place: Place = (),
    open: bool = False,
    today: datetime.date | None = None,
) -> str:
    """The text of ``satcal export``: DIMACS, or another format; ``open`` is all reveals."""
    check_type(str | None, "the name of one", encoding=encoding, format=format)
    puzzle = puzzle_of(board)
    wanted = None if open else row_of(puzzle, date, today).reveal
    demands = demands_of(puzzle, place)
    return text_of(puzzle, wanted, format=format, encoding=encoding, demands=demands)


def formula(
    board: Board,
    date: Date | None = None,
    *,
    encoding: str | None = None,
    place: Place = (),
    open: bool = False,
    today: datetime.date | None = None,
) -> CNF:
    """The DIMACS of :func:`export` as PySAT's CNF, comments and all."""
    from pysat.formula import CNF

    text = export(board, date, encoding=encoding, place=place, open=open, today=today)
    return CNF(from_string=text)


def decode(
    answer: str | Iterable[int],
    formula: str | CNF | None = None,
    *,
    board: Board | None = None,
    date: Date | None = None,
    place: Place = (),
    open: bool = False,
    today: datetime.date | None = None,
) -> list[Tiling]:
    """The verified tilings of a solver's answer: what it printed, or a model of PySAT.

    ``formula`` is what :func:`export` or :func:`formula` returned; it names its board and date,
    or says that it is open. Without it, ``board``, ``date``, ``place`` and ``open`` are those of
    the export.

    Raises:
        OptionError: neither a formula nor a board is given, or what the formula says is said again.
        Unsatisfiable: the solver says that there is none.
        NoTiling: the model is not a tiling.
        Disagreement: the answer is UNSATISFIABLE, but satcal's own formula has models.
    """
    from satcal.encoding.head import read_head
    from satcal.external.answers import ExportedFormula, answered

    if not isinstance(answer, str):
        answer = f"s SATISFIABLE\nv {_literals(answer)} 0\n"
    given = None
    if formula is None and board is None:
        raise OptionError("formula: give what was exported, or the board (and date) of the export")
    if formula is not None:
        for name, value in {"date": date, "place": place or None, "open": open or None}.items():
            if value is not None:
                raise OptionError(f"{name}: the formula says it already; leave it out")
        if not isinstance(formula, str) and not hasattr(formula, "comments"):
            raise wrong("formula", formula, "what export or formula returned, or board= and date=")
        text = formula if isinstance(formula, str) else _dimacs(formula)
        given = ExportedFormula(text, "formula", read_head(text, "formula"))
        head = given.head
        board = given.board if board is None else board
        date, place, open = ",".join(head.labels) or (), head.places, head.is_open
    assert board is not None
    puzzle = puzzle_of(board)
    wanted = None if open else row_of(puzzle, date, today).reveal
    found = answered(puzzle, wanted, answer, given, demands=demands_of(puzzle, place))
    return [Tiling(answer.tiling, puzzle, answer.reveal) for answer in found]


def _literals(model: Iterable[int]) -> str:
    """The literals of a model, such as PySAT's ``get_model``."""
    if not isinstance(model, Iterable):
        raise wrong("answer", model, "what a solver printed, or a model: a list of whole numbers")
    literals = list(model)
    for index, literal in enumerate(literals):
        check_type(Integral, "a whole number", **{f"answer[{index}]": literal})
        if isinstance(literal, bool):
            raise wrong(f"answer[{index}]", literal, "a whole number")
        if not literal:
            raise FormatError(f"answer[{index}]: 0 is not a literal; leave it out")
    if not literals:
        raise FormatError("answer: the model is empty; give a value for every variable")
    return " ".join(map(str, literals))


def _dimacs(formula: CNF) -> str:
    """A formula of PySAT with its comments, as it was exported."""
    size = f"p cnf {formula.nv} {len(formula.clauses)}"
    clauses = (" ".join(map(str, [*clause, 0])) for clause in formula.clauses)
    return "\n".join([*formula.comments, size, *clauses]) + "\n"


def certify(
    board: Board,
    date: Date | None = None,
    *,
    dates: Dates | None = None,
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> bytes:
    """The certificate of a date, or of many ``dates``, as for :func:`count_all`.

    It has the number of tilings of each, and a search tree that proves it.
    """
    from satcal.certificates.certify import certify

    if date is not None and dates is not None:
        raise OptionError("date and dates: give one of them; dates may be a list")
    puzzle = puzzle_of(board)
    if isinstance(date, list) and any(isinstance(entry, str) and says_day(entry) for entry in date):
        raise OptionError("date: this is a list of dates; give it as dates=")
    rows = [row_of(puzzle, date, today)] if dates is None else rows_of(puzzle, dates, today)
    with reporting(progress) as report:
        return certify(puzzle, list(dict.fromkeys(row.reveal for row in rows)), progress=report)


def check(
    certificate: bytes | str | os.PathLike[str],
    checkers: Sequence[str] = (),
    *,
    max_nodes: int | None = None,
    max_size: int | None = None,
    memory: int | None = None,
    seconds: float | None = None,
    progress: ProgressOption = None,
) -> Report:
    """What a certificate proves, given its bytes or its path; all ``checkers`` must accept it.

    A process of its own checks it, within ``memory`` (bytes) and ``seconds``. More than
    ``max_nodes`` nodes are not checked, and no more than ``max_size`` bytes are written for
    a SAT checker. Errors as for :func:`satcal.certificates.checking.check_within`.
    """
    from satcal.certificates import checking

    wanted = "the bytes of a certificate, or a path"
    check_type(bytes | str | os.PathLike, wanted, certificate=certificate)
    source = certificate if isinstance(certificate, bytes) else Path(certificate)
    check_names(checkers=checkers)
    check_number(Integral, 0, maxsize, max_nodes=max_nodes)
    check_number(Integral, 1, maxsize, max_size=max_size, memory=memory)
    check_number(Real, 0, LONGEST, seconds=seconds)
    bounds = {"max_nodes": max_nodes, "max_size": max_size, "memory": memory, "seconds": seconds}
    given: Any = {name: bound for name, bound in bounds.items() if bound is not None}
    with reporting(progress) as report:
        return checking.check_within(source, checkers, **given, progress=report)


def picture(
    board: Board | Tiling,
    what: str = "board",
    date: Date | Dates | None = None,
    *,
    theme: str = "light",
    place: Place = (),
    seed: int | None = None,
    limit: int = 500,
    title: str = "",
    progress: ProgressOption = None,
    today: datetime.date | None = None,
) -> Picture:
    """A picture, as of ``satcal draw``; a notebook shows it, ``.svg()`` is its text.

    ``what`` is board, pieces, tiling (of a ``seed``, or the first that is found), sheet (of at
    most ``limit`` tilings) or year, whose ``title`` says which dates it shows. Of a
    :class:`Tiling`, only the theme can be chosen. Raises NoTiling if there is nothing to draw.
    """
    check_number(Integral, 1, maxsize, limit=limit)
    check_number(Integral, -inf, inf, seed=seed)
    if isinstance(board, Tiling):
        return notebook.tiling_picture(board, theme)
    puzzle, colours = puzzle_of(board), load_theme(theme)
    demands = demands_of(puzzle, place)
    if what == "board":
        return pictures.board_picture(puzzle, colours)
    if what == "pieces":
        return pictures.pieces_picture(puzzle, colours)
    if what == "year":
        date = (today or datetime.date.today()).year if date is None else date
        rows = rows_of(puzzle, date, today)
        title = title or (str(date) if isinstance(date, int | str) else f"{rows[0]} to {rows[-1]}")
        with reporting(progress) as report:
            dated = pictures.dated_rows(rows)
            tilings = random_tilings_by_date(puzzle, dated, demands, seed or 0, report)
        if not any(tilings.values()):
            raise NoTiling(f"no tiling on any date of {title}: nothing to draw")
        return pictures.year_picture(puzzle, tilings, colours, title)
    if what not in ("tiling", "sheet"):
        raise UnknownName(f"no picture '{what}'; choose board, pieces, tiling, sheet or year")
    row = row_of(puzzle, date, today)
    if what == "tiling" and seed is None:
        # one tiling is found sooner by the solver than by a diagram that has yet to be built
        question = Question(puzzle, [row.reveal], demands)
        source = Source(question, BySat(lemmas="none"), alone=True)
        some = list(islice(source.tilings(row.reveal), 1))
    else:
        diagram, wanted, _ = _diagram(puzzle, row, demands, today)
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


def _diagram(
    board: Board, date: Date | None, place: Place, today: datetime.date | None
) -> Asked[PuzzleDiagram]:
    puzzle, wanted, demands = asked(board, date, place, today)
    return _kept_diagram(puzzle, wanted, demands), wanted, demands


@lru_cache(maxsize=1)
def _kept_diagram(puzzle: Puzzle, reveal: Reveal, demands: tuple[Demand, ...]) -> PuzzleDiagram:
    """The last one that was asked for is kept: who asks for one tiling asks for more."""
    return diagram_for(Question(puzzle, [reveal], demands))
