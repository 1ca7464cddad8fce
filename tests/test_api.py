"""The Python interface: names exported once, and errors that say what went wrong."""

import datetime
import inspect
import json
import pickle
import pydoc
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from pandas import NaT, Series, Timestamp, to_datetime
from pysat.solvers import Solver

import satcal
import satcal.api as api
from helpers.certificates import made
from helpers.puzzles import TWO_EACH
from satcal import errors, progress
from satcal.counting.tilings import diagram_for
from satcal.errors import BudgetExhausted
from satcal.published.reading import published
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.shapes import normalise, reflect, rotate


@pytest.fixture(scope="module")
def two_each():
    return TWO_EACH.load()


@pytest.fixture(name="satcal_command")
def satcal_in_this_process(request):
    """The fixture ``satcal``, which is a module here."""
    return request.getfixturevalue("satcal")


def test_tab_shows_the_exported_names_and_nothing_else():
    names = [name for name in dir(satcal) if not name.startswith("_")]
    offered = {*satcal.__all__, *errors.__all__}
    assert sorted(names) == sorted(offered) and len(set(names)) == len(names)
    assert all(getattr(satcal, name) is not None for name in names)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        satcal.nothing


def test_every_exported_name_says_what_it_is_and_is_hidden_by_no_module():
    assert all(getattr(satcal, name).__doc__ for name in satcal.__all__)
    modules = {path.stem for path in Path(satcal.__file__).parent.iterdir()}
    assert modules.isdisjoint(satcal.__all__)


def test_help_begins_with_all_functions_and_shows_no_internals():
    text = pydoc.plain(pydoc.render_doc(satcal))
    functions = [each for each in satcal.__all__ if inspect.isfunction(getattr(satcal, each))]
    first = text[text.index("DESCRIPTION") : text.index("PACKAGE CONTENTS")]
    assert functions and all(f" {name}(" in first for name in functions)
    assert not re.search(r"^    _[a-z]\w*\(", text, re.M)
    assert "class InputError" not in text  # help(satcal.InputError) has it


def test_a_year_that_is_assumed_is_said_once_it_matters(daily):
    day = datetime.date(2025, 3, 1)
    with pytest.warns(UserWarning, match=r"^Oct 6 is read as \w+, 6 October \d{4}; name") as said:
        satcal.count("rhombus", "Oct 6")
    assert said[0].filename == __file__
    with pytest.warns(UserWarning, match=r"^6 October is read as"):
        [record] = satcal.table("rhombus", ["6 October"])
    assert record["date"] == f"{datetime.date.today().year}-10-06"
    # none of these: pytest makes an error of a warning
    assert satcal.count("rhombus", "Oct 6", today=day) == 437
    assert satcal.count("rhombus", "Oct 6 2025") == satcal.count("rhombus", "Mon Oct 6") == 437
    assert satcal.count(daily, "Oct 6") == 7


def test_one_who_asks_for_a_tiling_asks_for_more(daily, monkeypatch):
    built = []
    monkeypatch.setattr(
        api, "diagram_for", lambda question: built.append(1) or diagram_for(question)
    )
    tilings = [satcal.kth_tiling(daily, "Jan 26", k) for k in range(9)]
    assert tilings == list(islice(satcal.tilings(daily, "Jan 26"), 9))
    assert len(built) == 1


def test_arguments_have_the_words_of_the_command_line():
    for name in satcal.__all__:
        value = getattr(satcal, name)
        if inspect.isfunction(value):
            names = set(inspect.signature(value).parameters)
            assert names.isdisjoint({"puzzle", "reveal", "reveals", "when"}), name
            assert "date" not in names or {"board", "today"} <= names, name


def test_what_depends_on_the_current_year_takes_it():
    day = datetime.date(2025, 3, 1)
    assert satcal.kth_tiling("rhombus", "Oct 23", today=day).reveal == ("Thu", "Oct", "23")
    assert satcal.kth_tiling("rhombus", today=day).reveal == ("Sat", "Mar", "1")
    assert satcal.table("rhombus", "2025-03", today=day)[0]["date"] == "2025-03-01"


def test_a_placement_says_how_its_piece_stands(daily):
    for tiling in islice(satcal.tilings(daily, "Dec 25"), 20):
        for each in tiling.placements():
            shape = daily.piece(each["piece"]).shape
            if each["flip"]:
                shape = reflect(shape)
            for _ in range(each["quarter_turns"]):
                shape = rotate(shape)
            (top, left), cells = each["anchor"], normalise(shape)
            assert sorted((top + row, left + column) for row, column in cells) == sorted(
                each["cells"]
            )


def test_the_array_of_a_tiling_is_the_board(daily):
    tiling = satcal.kth_tiling(daily, "Dec 25")
    array = tiling.array()
    assert array.shape == (7, 7)
    assert [tuple(cell) for cell in np.argwhere(array == 0)] == sorted(
        daily.uncovered(("Dec", "25"))
    )
    assert (array == -1).sum() == 6
    for number, placement in enumerate(tiling, start=1):
        assert tuple(map(tuple, np.argwhere(array == number).tolist())) == placement.cells


def test_json_has_the_placements_too(satcal_command):
    [record] = json.loads(satcal_command("solve Oct 6 --format json").out)
    pieces = [each["piece"] for each in record["placements"]]
    assert pieces == [text.partition(":")[0] for text in record["tiling"]]
    assert set(record["placements"][0]) == {"piece", "anchor", "quarter_turns", "flip", "cells"}


def test_a_picture_is_saved_by_its_suffix(daily, tmp_path):
    picture = satcal.picture(daily)
    picture.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == picture.svg()
    with pytest.raises(
        satcal.FormatError, match=r"the file name must end in one of \.svg, \.png, \.pdf"
    ):
        picture.save(tmp_path / "board.gif")
    tiling = satcal.kth_tiling(daily, "Oct 6")
    tiling.save(tmp_path / "tiling.svg")
    assert (tmp_path / "tiling.svg").read_text() == tiling.svg()


def test_a_model_of_pysat_decodes_by_the_formula_alone(daily):
    formula = satcal.formula("rhombus", "Thu Oct 23", encoding="plain")
    with Solver(bootstrap_with=formula) as solver:
        solver.solve()
        [tiling] = satcal.decode(solver.get_model(), formula)
    assert tiling in set(satcal.tilings("rhombus", "Thu Oct 23"))
    with pytest.raises(satcal.Disagreement, match="satcal counts 7 solutions"):
        satcal.decode("s UNSATISFIABLE\n", satcal.export(daily, "Oct 6"))
    with pytest.raises(satcal.Unsatisfiable, match="if it was asked satcal's formula"):
        satcal.decode("s UNSATISFIABLE\n", board=daily, date="Oct 6")


def test_the_other_commands_are_functions(two_each, tmp_path):
    assert sum(satcal.survey(two_each).counts.values()) > 0
    assert satcal.difficulty("a-puzzle-a-day", "Oct 6").tilings == 7
    path = tmp_path / "wrong.toml"
    path.write_text("board = 3")
    assert next(finding.kind for finding in satcal.lint(path)) == "wrong"
    kuniga = next(path for path in published() if "kuniga" in path.name)
    assert {each.judgement.value for each in satcal.claims(kuniga)} == {"confirmed"}
    own = ("U", "V", "Z", "L", "N", "Y", "P", "H12")  # the only such set: the board's own
    [found] = satcal.design("a-puzzle-a-day", allow=own, jobs=1)
    assert satcal.count(found, "Oct 6") == 7


def test_progress_is_shown_where_a_notebook_or_a_terminal_shows_it(daily, monkeypatch):
    shown = []

    class Display:
        def update(self, data, raw):
            shown.append(data["text/plain"])

    monkeypatch.setattr(progress, "_display", Display)
    satcal.count_all(daily, ["Oct 6"], method="sat", progress=True)
    assert shown == ["1 of 1: Oct 6", ""]
    with pytest.raises(TypeError, match="give True, or a function"):
        satcal.count(daily, "Oct 6", progress=3)


@pytest.mark.parametrize(
    "reveal",
    [
        "Oct 6",
        "oct,6",
        "6 October",
        "2025-10-06",
        ("Oct", "6"),
        ["6", "Oct"],
        ("Oct", 6),
        datetime.date(2025, 10, 6),
        datetime.datetime(2025, 10, 6, 12),
    ],
)
def test_a_reveal_is_taken_in_any_form(daily, reveal):
    assert daily.reveal(reveal) == ("Oct", "6")


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda p: satcal.count(p, 3),
            TypeError,
            "reveal: give a date, text such as 'Oct 6', .* the int 3",
        ),
        (
            lambda p: satcal.count(3),
            TypeError,
            "board: give a name or path such as 'rhombus', not the int 3",
        ),
        (
            lambda p: satcal.count(p, place=3),
            TypeError,
            "place: give placements, or text such as 'N@r2c3'",
        ),
        (
            lambda p: satcal.count_all(p, 2.5),
            TypeError,
            "dates: give a year, a month such as '2025-12'",
        ),
        (lambda p: satcal.count_all(p, 0), satcal.RevealError, "dates 0: use a year from 1583"),
        (lambda p: satcal.count_all(p, "-5"), satcal.RevealError, "dates '-5' is not a date"),
        (lambda p: satcal.count_all(p, True), TypeError, "dates: give a year"),
        (lambda p: satcal.table(p, ["Oct 6", None]), TypeError, r"dates\[1\]: .* the NoneType"),
        (
            lambda p: satcal.table(p, [NaT]),
            TypeError,
            r"dates\[0\]: give a date \(drop missing values\)",
        ),
        (lambda p: satcal.table(p, [float("nan")]), TypeError, r"dates\[0\]: .* the float nan"),
        (lambda p: satcal.count(p, NaT), TypeError, "date: give a date, not the NaTType"),
        (lambda p: satcal.count(p, "Oct 6", today="2026-01-01"), TypeError, "today: give a dat"),
        (
            lambda p: satcal.certify(p, "Oct 6", dates=["Oct 7"]),
            satcal.OptionError,
            "date and dates: give one",
        ),
        (satcal.load_toml, TypeError, "text: give the text of a puzzle file, not the Puzzle"),
        (
            lambda p: satcal.load_drawing("* *", "##"),
            TypeError,
            "board, pieces: give a string, and a dict",
        ),
        (
            lambda p: satcal.load_drawing("* *", {"I": "###"}),
            satcal.PuzzleError,
            ".*the area does not add up",
        ),
        (satcal.check, TypeError, "certificate: give the bytes of a certificate, or a path"),
        (lambda p: satcal.picture(p).encode(".gif"), satcal.FormatError, r".*use \.svg"),
        (lambda p: satcal.count_all(p, ["Oct 6"], method="sat", time_limit=0), BudgetExhausted, ""),
        (lambda p: satcal.check(made("a3"), seconds=0), BudgetExhausted, ".*within 0 s"),
    ],
)
def test_what_cannot_be_is_an_error_that_says_what_is_wanted(daily, call, kind, message):
    with pytest.raises(kind, match=f"^{message}"):
        call(daily)


def test_a_formula_is_the_exported_one(daily):
    formula = satcal.formula(daily, "Oct 6")
    lines = satcal.export(daily, "Oct 6").splitlines()
    assert f"p cnf {formula.nv} {len(formula.clauses)}" in lines
    assert set(formula.comments) == {line for line in lines if line.startswith("c")}
    assert satcal.formula(daily, open=True).nv > formula.nv


def test_a_notebook_shows_a_puzzle_a_tiling_and_a_year(daily):
    tiling = satcal.kth_tiling(daily, "Oct 6")
    assert daily._repr_svg_() == satcal.picture(daily).svg() == satcal.picture(daily)._repr_svg_()
    assert tiling._repr_svg_() == satcal.picture(tiling).svg() != daily._repr_svg_()
    year = satcal.table(daily, 2025)._repr_html_()
    assert year.count("<tr>") == 32 and year.count("<td style") == 365 and ">7\n" in year
    rows = satcal.table(daily, ["Oct 6", "Oct 7"])._repr_html_()
    assert "<th>month<th>day<th>tilings" in rows and "<td>Oct<td>6<td>7\n" in rows
    assert (
        "and 306 more rows"
        in satcal.table(daily, [f"{m} {d}" for m, d in daily.reveals()][:366])._repr_html_()
    )


def test_a_table_is_a_list_of_the_records_of_the_command(satcal_command, daily, monkeypatch):
    table = satcal.table(daily, "2025-10")
    said = satcal_command("count --month 2025-10 --format json --quiet")
    assert json.loads(said.out) == table
    assert list(table[:3].frame().tilings) == [record["tilings"] for record in table][:3]
    assert satcal.table(daily, [datetime.date(2025, 10, day) for day in (6, 7)]) == table[5:7]
    assert list(table.frame().tilings) == [record["tilings"] for record in table]
    noon = datetime.datetime(2025, 10, 6, 12)
    assert satcal.table(daily, [noon]) == table[5:6]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(satcal.Missing, match="pip install pandas"):
        table.frame()


@pytest.mark.parametrize(
    "dates",
    [
        ["2026-10-06", "2026-10-07"],
        ["Oct 6 2026", "Wed Oct 7 2026"],
        [np.datetime64("2026-10-06"), np.datetime64("2026-10-07T12:00:00.000000000")],
        Series(to_datetime(["2026-10-06", "2026-10-07"])),
    ],
    ids=["iso", "words", "numpy", "pandas"],
)
def test_a_date_with_its_year_keeps_it(dates):
    table = satcal.table("rhombus", dates)
    assert [(row["date"], row["weekday"]) for row in table] == [
        ("2026-10-06", "Tue"),
        ("2026-10-07", "Wed"),
    ]


def test_what_a_notebook_shows_of_an_answer_is_short(daily, two_each):
    assert repr(satcal.survey(two_each)).startswith("<Survey of ")
    assert repr(satcal.hint(daily, "Oct 6", place="O@r0c0")).startswith("<Hint: tilings 6; places ")
    kuniga = next(path for path in published() if "kuniga" in path.name)
    assert all(len(repr(verdict)) < 500 for verdict in satcal.claims(kuniga))


def test_a_published_table_is_a_claim(daily, tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text("month,day,tilings\nOct,6,7\nDec,25,93\n")
    [verdict] = satcal.claims(path, board="a-puzzle-a-day")
    assert verdict.judgement.value == "refuted" and "Dec 25" in str(verdict.as_fields())
    assert satcal.claims(str(path), board=daily) == [verdict]
    with pytest.raises(satcal.OptionError, match="board: it only applies to a table"):
        satcal.claims(published()[0], board=daily)


def test_a_frame_is_a_claim_too_and_its_wrong_rows_are_told(daily, tmp_path):
    frame = satcal.table(daily, 2025).frame()
    [verdict] = satcal.claims(frame.drop(columns=["methods"]), board=daily)
    assert (verdict.judgement.value, verdict.wrong_rows()) == ("confirmed", [])
    frame.loc[frame.date == "2025-10-06", "tilings"] = 8
    theirs = frame[["date", "tilings"]].assign(tilings=frame.tilings.astype(float))
    [verdict] = satcal.claims(theirs, board=daily)
    assert verdict.wrong_rows() == [(("Oct", "6"), 8, 7)]
    pivot = frame.pivot(index="day", columns="month", values="tilings")  # with gaps, so of floats
    [verdict] = satcal.claims(pivot, board=daily)
    assert verdict.wrong_rows() == [(("Oct", "6"), 8, 7)]
    (tmp_path / "times.csv").write_text(theirs.to_csv(date_format="%Y-%m-%d %H:%M:%S"))
    [verdict] = satcal.claims(tmp_path / "times.csv", board=daily)  # and an index without a name
    assert verdict.wrong_rows() == [(("Oct", "6"), 8, 7)]
    joined = frame.assign(published=frame.tilings)
    with pytest.raises(satcal.FormatError, match="tilings, published all have numbers; leave out"):
        satcal.claims(joined, board=daily)


def test_a_hint_says_what_to_take_back(daily):
    hint = satcal.hint(daily, "Oct 6", place=["O@29", "V@31"])
    assert (hint.tilings, hint.places) == (0, {})
    assert hint.advice.startswith("it can no longer be solved: take back ")
    assert repr(hint) == f"<Hint: {hint.advice}>"
    assert not satcal.hint(daily, "Oct 6").advice


def test_a_seed_may_be_of_numpy(daily):
    tiling = satcal.random_tiling(daily, "Oct 6", seed=np.int64(1))
    assert tiling == satcal.random_tiling(daily, "Oct 6", seed=1)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda p, f: satcal.load("rhombus", flip=True), TypeError, "flip: give 'all', 'none'"),
        (lambda p, f: satcal.design(p, goal="foo"), satcal.OptionError, "no goal 'foo'; the goals"),
        (lambda p, f: satcal.design(p, sizes=5), TypeError, "sizes: give text such as '7x5,1x6'"),
        (lambda p, f: satcal.design(p, must="F"), TypeError, r"must: give a list such as \['F'\]"),
        (lambda p, f: satcal.design(p, allow="H2"), TypeError, r"allow: give a list such as"),
        (lambda p, f: satcal.design(p, must_not=[3]), TypeError, r"must_not\[0\]: give a name"),
        (lambda p, f: satcal.design(p, seed="x"), TypeError, "seed: give a whole number"),
        (lambda p, f: satcal.decode([1], p), TypeError, "formula: give what export or formula"),
        (lambda p, f: satcal.decode([1], f.clauses), TypeError, "formula: give what export or"),
        (lambda p, f: satcal.decode(None, f), TypeError, "answer: give what a solver printed"),
        (lambda p, f: satcal.decode(["x"], f), TypeError, r"answer\[0\]: give a whole number"),
        (lambda p, f: satcal.decode([1, 0], f), satcal.FormatError, r"answer\[1\]: 0 is not a lit"),
        (lambda p, f: satcal.decode([True], f), TypeError, r"answer\[0\]: .* not the bool True"),
        (lambda p, f: satcal.decode([1]), satcal.OptionError, "formula: give what was exported"),
        (lambda p, f: satcal.decode([1], f, date="Feb 1"), satcal.OptionError, "date: the formula"),
        (lambda p, f: satcal.claims("x.csv"), satcal.OptionError, "board: name the board that x"),
        (lambda p, f: satcal.certify(p, ["Oct 6", "Oct 7"]), satcal.OptionError, "date: this is a"),
        (lambda p, f: satcal.count(p, b"Oct 6"), TypeError, "reveal: give a date"),
        (lambda p, f: satcal.count(p, place={"O": (0, 0)}), TypeError, "place: give placements"),
        (lambda p, f: satcal.export(p, encoding=1), TypeError, "encoding: give the name of one"),
        (
            lambda p, f: satcal.load_toml("s.toml"),
            satcal.OptionError,
            "text: s.toml is a file name",
        ),
        (
            lambda p, f: satcal.load("board = 1\nb\n"),
            satcal.OptionError,
            "board: this is the text of a",
        ),
        (
            lambda p, f: satcal.count("pentomino-3x20", "2025-10-06"),
            satcal.RevealError,
            "this puzzle has no dates",
        ),
        (lambda p, f: satcal.decode([], f), satcal.FormatError, "answer: the model is empty"),
        (lambda p, f: satcal.lint(p), TypeError, "board: give a name or path"),
        (lambda p, f: satcal.claims(3), TypeError, "files: give the paths of files"),
        (lambda p, f: satcal.claims(["x.csv"]), TypeError, "files: give the paths of files"),
        (
            lambda p, f: satcal.count_all(p, jobs=0),
            satcal.OptionError,
            "jobs 0: give a whole number of at least 1$",
        ),
        (
            lambda p, f: satcal.kth_tiling(p, "Oct 6", -1),
            satcal.OptionError,
            "k -1: give a whole number of at least 0$",
        ),
        (
            lambda p, f: satcal.count(p, "Oct 6", method=None),
            TypeError,
            "method: give a name such as 'sat'",
        ),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_wanted(daily, call, kind, message):
    with pytest.raises(kind, match=f"^{message}"):
        call(daily, satcal.formula(daily, "Oct 6", encoding="plain"))


@pytest.mark.parametrize(
    "dates",
    [datetime.date(2026, 10, 6), Timestamp("2026-10-06 12:00"), np.datetime64("2026-10-06")],
)
def test_one_date_may_stand_for_a_list(daily, dates):
    assert satcal.count_all(daily, dates) == {("Oct", "6"): 7}


def test_years_are_whole_numbers_of_any_kind_also_several(daily):
    table = satcal.table(daily, [2026, 2027])
    assert len(table) == 730
    assert satcal.table(daily, range(2026, 2028)) == table
    assert satcal.table(daily, np.int64(2026)) == table[:365]


def test_a_time_is_its_day_also_today(daily):
    assert satcal.count(daily, today=datetime.datetime(2026, 10, 6, 12)) == 7


def test_a_frame_sorts_by_the_calendar_and_its_dates_are_dates():
    frame = satcal.table("rhombus", 2026).frame()
    year = frame.pivot(index="day", columns="month", values="tilings")
    assert list(year.columns) == list(MONTHS) and list(year.index) == list(range(1, 32))
    assert list(frame.groupby("weekday", observed=True).tilings.sum().index) == list(WEEKDAYS)
    assert str(frame.date.dtype) == "datetime64[s]" and str(frame.tilings.dtype) == "int64"
    assert frame.loc[frame.date == "2026-10-06", "weekday"].tolist() == ["Tue"]
    assert satcal.table("a-puzzle-a-day").frame().date.isna().all()
    assert list(satcal.table("pentomino-3x20").frame().tilings) == [8]


def test_long_calls_tell_of_their_progress(daily, two_each):
    def progress(call, *arguments, **options):
        steps = []
        call(*arguments, **options, progress=lambda *step: steps.append(step))
        return steps

    steps = progress(satcal.count_all, two_each, jobs=1, method="sat")
    assert [step[:2] for step in steps] == [(1, 2), (2, 2)]
    steps = progress(satcal.count_all, two_each, use_cache=False)
    assert steps and all(done <= total and " state" in text for done, total, text in steps)
    steps = progress(satcal.picture, daily, "year", "2025-10")
    assert steps[-1] == (31, 31, "2025-10-31")


def test_a_certificate_is_made_and_checked_with_progress(tmp_path, two_each):
    done = []
    path = tmp_path / "jan.satcert"
    path.write_bytes(satcal.certify(two_each, "a", progress=lambda *step: done.append(step)))
    (proved,) = satcal.check(path).proved
    assert (proved.reveal, proved.tilings) == (("a",), 2)
    assert done == [(1, 1, "a")]


def test_a_certificate_is_of_many_dates(daily, two_each):
    report = satcal.check(satcal.certify(two_each, dates=["a", "b", "a"]))
    assert [proved.reveal for proved in report.proved] == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("date", "message"),
    [
        ("Feb 29 2026", "no Feb 29 in 2026; the next one is in 2028"),
        ("Feb 30 2026", "that month has 28 days"),
        ("Thu Oct 6 2026", "Oct 6 2026 is a Tue; write Tue, or no weekday"),
    ],
)
@pytest.mark.parametrize("board", ["a-puzzle-a-day", "rhombus"])
def test_a_date_that_does_not_exist_is_not_taken_for_labels(board, date, message):
    with pytest.raises(satcal.RevealError, match=message):
        satcal.count(board, date)
    assert satcal.load(board).reveal("Tue Oct 6 2026")[-2:] == ("Oct", "6")


def test_a_tiling_goes_to_a_process_and_back(daily):
    tiling = satcal.kth_tiling(daily, "Oct 6")
    copy = pickle.loads(pickle.dumps(tiling))
    assert (copy, copy.puzzle, copy.reveal) == (tiling, daily, ("Oct", "6"))


NUMBER = "give a .*number.*, not the "


@pytest.mark.parametrize(
    ("call", "name", "value", "kind", "message"),
    [
        (satcal.kth_tiling, "k", 1.5, TypeError, f": {NUMBER}"),
        (satcal.kth_tiling, "k", "a", TypeError, f": {NUMBER}"),
        (satcal.random_tiling, "seed", [1], TypeError, f": {NUMBER}"),
        (satcal.count_all, "jobs", "2", TypeError, f": {NUMBER}"),
        (satcal.count_all, "jobs", -1, satcal.OptionError, " -1"),
        (satcal.count_all, "time_limit", "soon", TypeError, f": {NUMBER}"),
        (satcal.picture, "limit", "x", TypeError, f": {NUMBER}"),
        (satcal.picture, "seed", [1], TypeError, f": {NUMBER}"),
        (satcal.check, "memory", "4G", TypeError, ""),
        (satcal.check, "seconds", "x", TypeError, ""),
        (satcal.check, "seconds", float("nan"), satcal.OptionError, ""),
        (satcal.check, "checkers", "verified", TypeError, ""),
        (satcal.check, "max_size", 0, satcal.OptionError, ""),
    ],
)
def test_an_option_of_another_kind_or_range_is_refused_by_its_name(
    daily, call, name, value, kind, message
):
    with pytest.raises(kind, match=f"^{name}{message}"):
        call(b"" if call is satcal.check else daily, **{name: value})


def test_a_sheet_of_fewer_than_no_tilings_is_refused(daily):
    with pytest.raises(satcal.OptionError, match="limit -1"):
        satcal.picture(daily, "sheet", "Oct 6", limit=-1)


def test_a_notebook_shows_a_board_whatever_was_imported_first():
    program = (
        "from satcal.puzzle.loading import load; puzzle = load('tetromino'); "
        "assert puzzle._repr_svg_().startswith('<svg')"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
