"""External programs agree with satcal, and notice if its count is made wrong."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from helpers.programs import need
from satcal.encoding import encoding_named
from satcal.external.programs import GET_FROM_PYPI, OUTCOMES, PROGRAMS, Comparison, compare_programs
from satcal.external.questions import Question, build_questions
from satcal.external.solvers import Budget
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import load
from satcal.puzzle.placed import parse_place

FOLDER = Path(__file__).parents[2] / "encodings"
FILES = json.loads((FOLDER / "manifest.json").read_text())["files"]
GOLDEN = [entry for entry in FILES if entry["reveal"] != "open"]
PATIENT = Budget(seconds=900)
LONG = pytest.mark.long
QUICK = ("dominoes-4x4.ladder", "dominoes-4x4.card-totalizer", "tetrominoes-4x5.ladder")
"""Copies, an encoding that is not determined, and no tiling."""


@cache
def golden() -> dict[str, Question]:
    """The questions of the golden files."""
    questions = {}
    for entry in GOLDEN:
        path = FOLDER / "puzzles" / f"{entry['board']}.toml"
        puzzle = load(path if path.exists() else entry["board"])
        reveal = puzzle.reveal(entry["reveal"])
        questions[entry["file"]] = Question(puzzle, reveal, entry["tilings"], entry["encoding"])
    return questions


def named(start: str) -> Question:
    """Return the question of the golden file whose name begins so."""
    return next(question for name, question in golden().items() if name.startswith(start))


def compare(question: Question, name: str) -> Comparison:
    if executable := PROGRAMS[name].executable.replace("clingo", ""):  # PyPI has clingo, too
        need(executable)
    (checked,) = compare_programs([question], [PROGRAMS[name]], PATIENT)
    return checked


@pytest.mark.parametrize(
    ("file", "name"),
    [
        pytest.param(
            entry["file"], each.name, marks=[] if entry["file"].startswith(QUICK) else [LONG]
        )
        for entry in GOLDEN
        for each in PROGRAMS.values()
        if each.format == "dimacs"
    ],
)
def test_an_external_program_agrees_on_a_golden_file(file, name):
    question = golden()[file]
    checked = compare(question, name)
    if checked.outcome == "unsuitable":
        assert not encoding_named(question.encoding).determined
        assert not PROGRAMS[name].can_project
    elif name != "ganak" or checked.outcome != "stopped":  # it is slow on large formulas
        assert checked.outcome == "agrees", checked.answer


LETTER = str(FOLDER / "puzzles" / "letter-and-digit.toml")
COMPILED = "xcover"  # numba compiles it anew in every process, in 16 seconds of CPU
REVEALS = [
    pytest.param(LETTER, ("A", "1"), each, marks=[LONG] if each.name == COMPILED else [])
    for each in PROGRAMS.values()
] + [
    pytest.param("a-puzzle-a-day", ("Oct", "6"), program, marks=LONG)
    for program in PROGRAMS.values()
    if program.name != "ganak"  # it takes minutes
]


@pytest.mark.parametrize(("board", "reveal", "program"), REVEALS)
def test_every_program_that_debian_and_pypi_have_agrees_on_a_reveal(board, reveal, program):
    (question,) = build_questions(load(board), [reveal])
    assert compare(question, program.name).outcome == "agrees"


def test_a_question_contains_the_given_placements(daily):
    place = parse_place(daily, "O:r0c0,r0c1,r1c0,r1c1,r2c0,r2c1")
    (question,) = build_questions(daily, [("Oct", "6")], place)
    assert 0 < question.tilings < 7
    for name in ("clasp", "clasp-opb", "clingo", "cadical"):
        assert compare(question, name).outcome == "agrees"


def test_a_solver_reports_a_tiling_that_satcal_lacks_and_one_that_satcal_invented():
    question = named("dominoes-4x4.plain")
    short = replace(question, tilings=35)
    vars(short)["models"] = question.models[1:]
    checked = compare(short, "minisat")
    assert checked.outcome == "disagrees"
    lost = " ".join(map(str, question.cover.tiling(n - 1 for n in question.models[0])))
    assert lost in checked.answer
    invented = replace(named("tetrominoes-4x5.plain"), tilings=1)
    vars(invented)["models"] = [frozenset({1, 2})]
    assert "finds none" in compare(invented, "minisat").answer
    assert "counts 3" in compare(replace(named("two-L4.plain"), tilings=3), "minisat").answer


def test_a_count_that_is_too_small_by_one_is_noticed():
    checked = compare(replace(named("two-L4.plain"), tilings=1), "clasp")
    assert (checked.outcome, checked.answer) == ("disagrees", "2")


def test_the_documentation_lists_every_program_with_what_it_reads():
    text = (FOLDER.parent / "docs" / "reference" / "programs.md").read_text()
    reads = {"dimacs": "DIMACS", "opb": "OPB", "asp": "answer-set program", "dlx": "Knuth's text"}
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    rows = [row for row in table if len(row) == 4 and row[1] in reads.values()]
    for program in PROGRAMS.values():
        (row,) = (row for row in rows if f"`{program.name}`" in row[0].split(", "))
        assert row[1] == reads[program.format]
        assert (program.get == GET_FROM_PYPI) == (row[3] == "`check-with`")
    for outcome in ("agrees", "failed", *OUTCOMES.values()):
        assert f"\n| `{outcome}` | " in text


def test_the_comparisons_in_results_agree_and_have_the_counts_of_the_tables():
    text = (FOLDER.parent / "results" / "agreement" / "external.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    tables = {board: shipped_counts(load(board)) for board in {row["board"] for row in rows}}
    assert tables.keys() > {"a-puzzle-a-day", "rhombus", "weekday", "tetromino"}
    for row in rows:
        assert (row["outcome"], row["answer"]) == ("agrees", f"{int(row['tilings']):,}")
        assert tables[row["board"]][tuple(row["reveal"].split())] == int(row["tilings"])
