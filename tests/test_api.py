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
from certificates import made
from pysat.solvers import Solver
from small import TWO_EACH

import satcal
from satcal.draw import telling
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
    assert sorted(names) == sorted(set(satcal.__all__)) and len(set(names)) == len(names)
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
    with pytest.raises(satcal.FormatError, match=r"end the file's name with \.svg, \.png, \.pdf"):
        picture.save(tmp_path / "board.gif")


def test_a_model_of_pysat_decodes_by_the_formula_alone(daily):
    formula = satcal.formula("rhombus", "Thu Oct 23", encoding="plain")
    with Solver(bootstrap_with=formula) as solver:
        solver.solve()
        [tiling] = satcal.decode(solver.get_model(), formula)
    assert tiling in set(satcal.tilings("rhombus", "Thu Oct 23"))
    with pytest.raises(satcal.Disagreement, match="satcal counts 7 tilings"):
        satcal.decode("s UNSATISFIABLE\n", satcal.export(daily, "Oct 6"))
    with pytest.raises(satcal.NoTiling):
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

    monkeypatch.setattr(telling, "_display", Display)
    satcal.count_all(daily, ["Oct 6"], method="sat", progress=True)
    assert shown == ["1 of 1: Oct 6", ""]
    with pytest.raises(satcal.OptionError, match="give True, or a function"):
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
        (lambda p: satcal.count_all(p, 0), satcal.RevealError, ".*'0' is not a date"),
        (satcal.load_toml, TypeError, "text: give the text of a puzzle file, not the Puzzle"),
        (
            lambda p: satcal.load_drawing("* *", "##"),
            TypeError,
            "board, pieces: give text, and a dict",
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
    assert satcal.table(daily, ["Oct 6"])._repr_html_() is None


def test_a_table_is_a_list_of_the_records_of_the_command(satcal_command, daily, monkeypatch):
    table = satcal.table(daily, "2025-10")
    said = satcal_command("count --month 2025-10 --format json --quiet")
    assert json.loads(said.out) == table
    assert satcal.table(daily, [datetime.date(2025, 10, day) for day in (6, 7)]) == table[5:7]
    assert list(table.frame().tilings) == [record["tilings"] for record in table]
    noon = datetime.datetime(2025, 10, 6, 12)
    assert satcal.table(daily, [noon]) == table[5:6]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(satcal.Missing, match="pip install pandas"):
        table.frame()


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
    assert steps and all(done <= total and "states" in text for done, total, text in steps)
    steps = progress(satcal.picture, daily, "year", "2025-10")
    assert steps[-1] == (31, 31, "2025-10-31")


def test_a_certificate_is_made_and_checked_with_progress(tmp_path, two_each):
    done = []
    path = tmp_path / "jan.satcert"
    path.write_bytes(satcal.certify(two_each, "a", progress=lambda *step: done.append(step)))
    (proved,) = satcal.check(path).proved
    assert (proved.reveal, proved.tilings) == (("a",), 2)
    assert done == [(1, 1, "a")]


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
