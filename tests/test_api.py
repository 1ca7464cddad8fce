"""The Python interface: names exported once, and the same answers as the commands."""

import datetime
import inspect
import json
import pydoc
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

import satcal
from satcal import errors
from satcal.published import shipped
from satcal.published.reading import claim_files
from satcal.puzzle.calendar import MONTHS, WEEKDAYS

pytestmark = pytest.mark.usefixtures("in_process")
CORNER = "O: Jan Feb Jul Aug 1 2"


def test_tab_shows_the_exported_names_and_nothing_else():
    names = [name for name in dir(satcal) if not name.startswith("_")]
    assert sorted(names) == sorted({*satcal.__all__, *errors.__all__})
    assert all(getattr(satcal, name).__doc__ for name in names)
    modules = {path.stem for path in Path(satcal.__file__).parent.iterdir()}
    assert modules.isdisjoint(satcal.__all__)  # none hides a name
    with pytest.raises(AttributeError):
        satcal.nothing


def test_tilings_have_the_settings_of_sat():
    found = satcal.tilings("a-puzzle-a-day", "Oct 6", method="sat", encoding="owner", lemmas="none")
    assert set(found) == set(satcal.tilings("a-puzzle-a-day", "Oct 6"))
    with pytest.raises(satcal.OptionError, match=r'method="sat"'):
        satcal.tilings("a-puzzle-a-day", "Oct 6", lemmas="closed")
    with pytest.raises(satcal.RevealError, match="count_all"):
        satcal.formula("a-puzzle-a-day", ["Oct 6", "Oct 7"])


def test_help_begins_with_all_functions_and_shows_no_internals():
    text = pydoc.plain(pydoc.render_doc(satcal))
    functions = [each for each in satcal.__all__ if inspect.isfunction(getattr(satcal, each))]
    first = text[text.index("DESCRIPTION") : text.index("PACKAGE CONTENTS")]
    assert all(f" {name}(" in first for name in functions)
    assert not re.search(r"^    _[a-z]\w*\(", text, re.M)
    assert "class InputError" not in text  # help(satcal.InputError) has it


def test_help_shows_the_types_of_arguments_in_words():
    signature = str(inspect.signature(satcal.count))
    assert "(board: str or Puzzle, date: date or str or labels or None = None" in signature
    assert pydoc.plain(pydoc.render_doc(satcal.count_all)).count("'") == 2  # method='diagram'


@pytest.mark.parametrize(
    "date",
    [
        ["Oct", 6],
        datetime.datetime(2025, 10, 6, 12),
        np.datetime64("2025-10-06"),
    ],
)
def test_a_date_is_taken_in_any_form(date):
    assert satcal.count("a-puzzle-a-day", date) == 7


def test_text_without_a_year_is_of_this_year():
    [row] = satcal.table("rhombus", "today")
    assert satcal.count("rhombus") == row["tilings"]
    this_year = f"{row['date'][:4]}-10-06"
    assert satcal.count("rhombus", "Oct 6") == satcal.count("rhombus", this_year)
    assert satcal.count("rhombus", "Mon Oct 6") == 437


@pytest.mark.parametrize(
    ("dates", "number"),
    [
        (None, 372),
        (2025, 365),
        ("all", 366),
        (["Oct 6", ("Oct", "7"), datetime.date(2025, 10, 8)], 3),
        ([2025, 2026], 365),
        ([], 0),
    ],
)
def test_many_dates_are_counted_once_each(daily, dates, number):
    counts = satcal.count_all(daily, dates)
    assert len(counts) == number
    assert counts.get(("Oct", "6"), 7) == 7


def test_the_empty_reveal_is_a_reveal():
    counts = satcal.count_all("pentomino-3x20")
    assert counts == {(): 8}
    assert satcal.count("pentomino-3x20") == 8
    assert [len(satcal.solve("pentomino-3x20")), satcal.solve("pentomino-3x20").reveal] == [12, ()]


def test_index_counts_from_0_and_the_first_solution_is_one_everywhere(daily, run):
    listed = list(satcal.tilings(daily, "Oct 6"))
    assert [satcal.solve(daily, "Oct 6", index=index) for index in range(7)] == listed
    with pytest.raises(satcal.NoTiling):
        satcal.solve(daily, "Oct 6", index=7)
    assert run("solve Oct 6 --format lines").out.splitlines()[0].endswith(str(listed[0]))


def test_a_seed_draws_one_that_contains_what_is_placed(daily):
    drawn = {satcal.solve(daily, "Oct 6", seed=seed, place=CORNER) for seed in range(20)}
    assert all(CORNER_PLACED in map(str, tiling) for tiling in drawn)
    assert len(drawn) > 1
    assert satcal.solve(daily, "Oct 6", seed=np.int64(1)) == satcal.solve(daily, "Oct 6", seed=1)


CORNER_PLACED = "O:r0c0,r0c1,r1c0,r1c1,r2c0,r2c1"


def test_placements_are_taken_as_text_and_as_they_are(daily):
    placement = satcal.solve(daily, "Oct 6")[0]
    assert str(placement) == CORNER_PLACED
    for place in (CORNER, CORNER_PLACED, placement, [placement], [CORNER]):
        assert satcal.count(daily, "Oct 6", place=place) == 6
    assert satcal.count(daily, "Oct 6", place=CORNER, method="search") == 6
    with pytest.raises(satcal.PlacementError):
        satcal.count(daily, "Jan 6", place=placement)


def test_a_model_of_pysat_decodes_by_the_formula_alone(daily):
    formula = satcal.formula("jarring-words", "Oct 23")
    assert satcal.formula("jarring-words", open=True).nv > formula.nv
    with Solver(bootstrap_with=formula) as solver:
        solver.solve()
        model = solver.get_model()
    [tiling] = satcal.decode(model, formula)
    assert tiling in set(satcal.tilings("jarring-words", "Oct 23"))
    text = satcal.export("jarring-words", "Oct 23")
    assert satcal.decode(model, CNF(from_string=text)) == [tiling]
    answer = " ".join(map(str, ["s SATISFIABLE\nv", *model, "0\n"]))
    assert satcal.decode(answer, text, board="jarring-words") == [tiling]
    with pytest.raises(satcal.Disagreement):
        satcal.decode("s UNSATISFIABLE\n", satcal.export(daily, "Oct 6"))


def test_a_certificate_proves_the_dates_that_were_asked_for(daily):
    data = satcal.certify(daily, ["Oct 6", "Oct 7"])
    report = satcal.check(data, board=daily)
    assert report.tilings == {("Oct", "6"): 7, ("Oct", "7"): 92}
    assert report.name == daily.name


def test_claims_and_design_are_functions():
    kuniga = next(path for path in claim_files() if "kuniga" in path.name)
    assert {each.judgement.value for each in satcal.claims(kuniga)} == {"confirmed"}
    own = ("U", "V", "Z", "L", "N", "Y", "P", "H12")  # the only such set: the board's own
    [found] = satcal.design("a-puzzle-a-day", allow=own, jobs=1)
    assert satcal.count(found, "Oct 6") == 7


def test_a_puzzle_is_loaded_from_its_text():
    puzzle = satcal.load_toml('board = """\n* * *\n"""\n[pieces]\nI = "###"\n')
    assert satcal.count_all(puzzle) == {(): 1}


def test_a_picture_is_of_the_board_or_of_solutions(daily, tmp_path):
    board, sheet = satcal.picture(daily), satcal.picture(daily, "Oct 6", limit=9)
    assert board.svg() != sheet.svg()
    board.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == board.svg()
    with pytest.raises(satcal.FormatError):
        board.save(tmp_path / "board.gif")


def test_a_table_is_a_list_of_the_records_of_the_command(run, daily):
    table = satcal.table(daily, "2025-10")
    assert json.loads(run("count 2025-10 --method diagram --format json").out) == table
    assert satcal.table(daily, [datetime.date(2025, 10, day) for day in (6, 7)]) == table[5:7]
    assert list(table.frame().tilings) == [record["tilings"] for record in table]


@pytest.mark.parametrize(
    "dates",
    [
        lambda: ["Oct 6 2026", "Wed Oct 7 2026"],
        lambda: [np.datetime64("2026-10-06"), np.datetime64("2026-10-07T12:00:00.000000000")],
        lambda: import_module("pandas").to_datetime(["2026-10-06", "2026-10-07"]).to_series(),
    ],
    ids=["words", "numpy", "pandas"],
)
def test_a_date_with_its_year_keeps_it(dates):
    table = satcal.table("rhombus", dates())
    assert [(row["date"], row["weekday"]) for row in table] == [
        ("2026-10-06", "Tue"),
        ("2026-10-07", "Wed"),
    ]


@pytest.mark.parametrize("board", [["rhombus", "weekday"], None, 7])
def test_what_is_not_one_board_is_refused_and_frames_of_several_are_joined(board):
    with pytest.raises(satcal.InputError, match=r"pandas\.concat"):
        satcal.table(board, 2025)


def test_no_refusal_of_a_date_names_an_option():
    for board, date in [("rhombus", "Thu"), ("pentomino-3x20", "Oct 6"), ("rhombus", "Thu x 6")]:
        with pytest.raises(satcal.RevealError) as refused:
            satcal.count(board, date)
        assert "--" not in str(refused.value)


def test_a_frame_pivots_in_calendar_order():
    frame = satcal.table("rhombus", 2025).frame()
    pivot = frame.pivot_table(index="weekday", columns="month", values="tilings", observed=False)
    assert (list(pivot.index), list(pivot.columns)) == (list(WEEKDAYS), list(MONTHS))
    assert {*frame.board} == {"rhombus"}
    assert (pivot.loc["Mon", "Oct"], len(frame)) == (
        frame.tilings[frame.month == "Oct"][frame.weekday == "Mon"].mean(),
        365,
    )


def test_a_frame_or_a_file_is_a_claim_and_its_wrong_rows_are_told(daily, tmp_path):
    frame = satcal.table(daily, 2025).frame().drop(columns=["methods"])
    [verdict] = satcal.claims(frame, board=daily)
    assert (verdict.judgement.value, verdict.wrong_rows()) == ("confirmed", [])
    frame.loc[frame.date == "2025-10-06", "tilings"] = 8
    [verdict] = satcal.claims(frame, board=daily)
    frame.to_csv(tmp_path / "theirs.csv", index=False)
    [of_file] = satcal.claims(tmp_path / "theirs.csv", board=daily)
    assert verdict.wrong_rows() == of_file.wrong_rows() == [(("Oct", "6"), 8, 7)]
    with pytest.raises(satcal.OptionError):
        satcal.claims("theirs.csv")


def test_progress_is_reported_to_a_function(daily):
    steps = []
    satcal.count_all(daily, ["Oct 6"], method="sat", progress=lambda *step: steps.append(step))
    assert steps[-1] == (1, 1, "Oct 6")


def test_a_number_that_the_shipped_table_contradicts_is_an_error(daily, monkeypatch):
    monkeypatch.setattr(shipped, "shipped_counts", lambda puzzle: {("Oct", "6"): 8})
    for ask in (satcal.count, satcal.count_all, satcal.table):
        with pytest.raises(satcal.Disagreement, match="Oct 6"):
            ask(daily, "Oct 6")
    assert satcal.count(daily, "Oct 7") == 92
    assert satcal.count(daily, "Oct 6", place=CORNER) == 6  # there is nothing to compare with


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda p: satcal.count(p, "2025"), satcal.OptionError),
        (lambda p: satcal.count_all(p, 0), satcal.RevealError),
        (lambda p: satcal.table(p, ["Oct 6", None]), satcal.OptionError),
        (lambda p: satcal.count(p, "Oct 6", method="magic"), satcal.OptionError),
        (lambda p: satcal.count(p, "Oct 6", solvre="glucose4"), satcal.OptionError),
        (lambda p: satcal.design(p, goal="foo"), satcal.OptionError),
        (lambda p: satcal.solve(p, "Oct 6", place="1 2 3 8 9 10", seed=1), satcal.NoTiling),
        (lambda p: satcal.picture(p, "Oct 6", place="1 2 3 8 9 10"), satcal.NoTiling),
        (lambda p: satcal.claims(claim_files()[0], board=p), satcal.OptionError),
        (
            lambda p: satcal.count_all(p, ["Oct 6"], method="sat", time_limit=0),
            satcal.BudgetExhausted,
        ),
    ],
)
def test_an_impossible_call_is_an_error_of_its_kind(daily, call, kind):
    with pytest.raises(kind):
        call(daily)
