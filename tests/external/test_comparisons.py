"""External programs agree, on dates and on golden files, and find what is planted."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

import satcal
from helpers.programs import need
from satcal.external import packages
from satcal.external.programs import PROGRAMS, PYPI, Checked, Ending, cross_check
from satcal.external.questions import Challenge, golden_questions, questions
from satcal.external.solvers import Bounds, package
from satcal.published.own_tables import Tables

FOLDER = Path(__file__).parents[2] / "encodings"
GOLDEN = list(golden_questions(FOLDER))
NOT_HERE = ["kissat"]  # no package has it
HERE = [program for program in PROGRAMS.values() if program.name not in NOT_HERE]
PATIENT = Bounds(seconds=900)
LONG = pytest.mark.long
SMALL = ("two-L4", "dominoes-4x4", "tetrominoes-4x5", "letter-and-digit")
MEASURED = ("d4", "xcover", "cp-sat")  # in tests/benchmarks, as peers
PACKAGES = [each.name for each in HERE if each.ask is package]


def is_quick(question: Challenge, program: str) -> bool:
    """Return whether a program needs no minutes, and says what no other question makes it say."""
    board = Path(question.cover.puzzle.name).name
    if board in SMALL:
        return program not in PACKAGES or board == "dominoes-4x4"
    ladder = question.encoding == "ladder" and question.tilings == 7
    return ladder and program in ("clasp", "cadical")


def asked(question: Challenge, name: str, limits: Bounds = PATIENT) -> Checked:
    if executable := PROGRAMS[name].executable.replace("clingo", ""):  # PyPI has clingo, too
        need(executable)
    (checked,) = cross_check([question], [PROGRAMS[name]], limits)
    return checked


@pytest.mark.parametrize(
    ("question", "name"),
    [
        pytest.param(
            question,
            each.name,
            id=f"{question.file and question.file.name}-{each.name}",
            marks=[] if is_quick(question, each.name) else [LONG],
        )
        for question in GOLDEN
        for each in HERE
        if each.format == "dimacs"
    ],
)
def test_an_external_program_agrees_on_a_golden_file(question, name):
    checked = asked(question, name)
    if PROGRAMS[name].cannot(question):
        assert checked.outcome is Ending.UNSUITABLE
        assert not question.determined
    elif checked.outcome is Ending.STOPPED:
        # no answer is no disagreement; counters of another kind give up on the large ones
        assert name == "ganak"
    else:
        assert checked.outcome is Ending.AGREES, checked.answer


LETTER = str(FOLDER / "puzzles" / "letter-and-digit.toml")
DATES = [(LETTER, ("A", "1"), program) for program in HERE] + [
    pytest.param("a-puzzle-a-day", ("Oct", "6"), program, marks=LONG)
    for program in HERE
    if program.name != "ganak"  # it takes minutes
]


@pytest.mark.parametrize(("board", "date", "program"), DATES)
def test_every_program_that_debian_and_pypi_have_agrees_on_a_date(board, date, program):
    (question,) = questions(satcal.load(board), [date])
    assert asked(question, program.name).outcome is Ending.AGREES


@pytest.mark.parametrize("name", sorted({*PACKAGES} - {*MEASURED}))
def test_a_package_counts_what_an_export_says(name, tmp_path):
    question = named("two-L4.ladder" if name == "ganak" else "letter-and-digit.open.ladder")
    path, answer = tmp_path / "tilings", tmp_path / "answer"
    path.write_text(replace(question, file=None).text(PROGRAMS[name].format))
    packages.main(name, str(path), str(answer))
    assert int(answer.read_text()) == question.tilings


@pytest.mark.needs("clasp", "cadical")
def test_what_is_placed_is_in_the_question_too(satcal):
    said = satcal(
        "cross-check",
        "--reveal",
        "Oct,6",
        "--place",
        "O@r0c0",
        "--with",
        "clasp,clasp-opb,clingo,cadical",
        "-q",
    )
    lines = said.out.splitlines()[1:]
    assert said.code == 0
    assert len({line.split(",")[3] for line in lines}) == 1
    assert all(",agrees," in line for line in lines)


def named(name: str) -> Challenge:
    return next(q for q in GOLDEN if q.file is not None and q.file.name.startswith(name))


@pytest.mark.parametrize("name", ["cadical", "minisat", "picosat", "cryptominisat"])
def test_a_decider_finds_and_names_a_tiling_that_satcal_lacks_and_misses_one_that_is_none(name):
    question = named("dominoes-4x4.plain")
    short = replace(question, tilings=35, listed=lambda: list(question.listed())[1:])
    checked = asked(short, name)
    assert checked.outcome is Ending.DISAGREES
    lost = " ".join(map(str, next(iter(question.listed()))[1]))
    assert checked.answer == f"it finds a model besides the 35 tilings: {lost}"
    question = named("tetrominoes-4x5.plain")
    placements = question.cover.placements
    invented = replace(question, tilings=1, listed=lambda: [((), placements[:2])])
    assert asked(invented, name).answer == (
        "with all other tilings excluded it should find the last one only, but it finds none"
    )
    answer = asked(replace(named("two-L4.plain"), tilings=3), name).answer
    assert answer == "satcal lists 2 tilings and counts 3"


@pytest.mark.parametrize("name", ["clasp", "d4"])
def test_a_count_that_is_too_small_by_one_is_noticed(name):
    checked = asked(replace(named("two-L4.plain"), tilings=1), name)
    assert (checked.outcome, checked.answer) == (Ending.DISAGREES, "2")


@pytest.mark.needs("cadical")
def test_a_solver_of_ones_own_is_asked_by_its_command(satcal, fake):
    call = ("cross-check", "--board", LETTER, "--reveal", "A,1", "--format", "csv", "-q")
    said = satcal(*call, "--with", "cadical", "--with", "cadical --plain -q {}")
    assert said.code == 0
    assert [row["program"] for row in said.rows()] == ["cadical", "cadical --plain -q {}"]
    assert {row["outcome"] for row in said.rows()} == {"agrees"}
    fake("liar", "echo 's UNSATISFIABLE'; exit 20")
    said = satcal(*call, "--with", "liar {}")
    assert (said.code, said.rows()[0]["outcome"]) == (1, "disagrees")
    assert (
        "with all other tilings excluded it should find the last one only, but it finds none"
        in said.err
    )


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("nosuchsolver -q {}", 4, "nosuchsolver is missing; put it on the PATH, or name its path"),
        ("cadical -f{}", 2, "--with 'cadical -f{}': write {} as a word after the program"),
        ("cadical 'x {}", 2, "No closing quotation; close what is quoted"),
        ("cadical -q", 2, "In a command of your own write {} for the formula"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_with_the_way_out(satcal, command, code, message):
    said = satcal("cross-check", "--board", LETTER, "--reveal", "A,1", "--with", command)
    assert said.code == code
    assert message in said.err


def test_the_documentation_lists_every_program_with_how_to_get_it():
    text = (FOLDER.parent / "docs" / "reference" / "programs.md").read_text()
    reads = {"dimacs": "DIMACS", "opb": "OPB", "asp": "answer-set program", "dlx": "Knuth's text"}
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    rows = [row for row in table if len(row) == 4 and row[1] in reads.values()]
    for program in PROGRAMS.values():
        name = f"`{program.name}`"
        (row,) = (row for row in rows if name in row[0].split(", "))
        assert row[1] == reads[program.format]
        if program.get == PYPI:  # which says how satcal was installed here
            assert row[3] == "`check-with`"
        elif "the name" in row[3]:
            assert program.get == f"apt-get install {program.name}"
            assert row[3] == "`apt-get install` and the name"
        else:
            assert row[3].replace("`", "") == program.get
    assert '\n`check-with` is `pip install -c constraints.txt -e ".[check-with]"`' in text
    for outcome in Ending:
        assert f"\n| `{outcome.value}` | " in text


def test_the_kept_comparisons_agree_and_are_of_the_counts_in_the_tables():
    results = FOLDER.parent / "results"
    text = (results / "agreement" / "external.csv").read_text()
    rows, tables = list(csv.DictReader(text.splitlines())), Tables(results / "counts")
    boards = {row["board"]: tables.find(satcal.load(row["board"])) for row in rows}
    assert boards.keys() > {"a-puzzle-a-day", "rhombus", "weekday", "tetromino"}
    for row in rows:
        assert (row["outcome"], row["said"]) == ("agrees", f"{int(row['tilings']):,}")
        table = boards[row["board"]]
        assert table is not None
        assert table.tilings(tuple(row["reveal"].split())) == int(row["tilings"])
