"""Published tables as people write them: what is read is said, what is doubtful is refused."""

from __future__ import annotations

import csv
import io

import pytest

from satcal.errors import FormatError
from satcal.published.own_tables import results_folder
from satcal.published.sheets import read_sheet
from satcal.puzzle.loading import load

PUBLISHED = results_folder() / "published" / "today-puzzle-counts.csv"


def sheet(tmp_path, text, board="a-puzzle-a-day"):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return read_sheet(path, load(board))


@pytest.mark.parametrize(
    ("text", "counts", "understood"),
    [
        (
            "date,tilings\n2025-10-06,7\n25 December,92\n",
            {("Oct", "6"): 7, ("Dec", "25"): 92},
            "2 numbers, columns date, tilings, separated by commas",
        ),
        (
            "solutions;remark;date\n1.092;easy;6 Oct\n92;;Dec 25\n",
            {("Oct", "6"): 1092, ("Dec", "25"): 92},
            "2 numbers, columns date, solutions, separated by semicolons",
        ),
        (
            'day,month,ways\n06,10,"1,007"\n25,Dec,92\nTotal,,99\n',
            {("Oct", "6"): 1007, ("Dec", "25"): 92},
            "2 numbers, columns month, day, ways, separated by commas, without Total",
        ),
        (
            "\tJan\tFebruary\n1\t64\t73\n\n30\t5\t-\n",
            {("Jan", "1"): 64, ("Feb", "1"): 73, ("Jan", "30"): 5},
            "3 numbers, one column for each month, separated by tabs",
        ),
        (
            "month|1|2\nJan|64|109\n2|73|\n",
            {("Jan", "1"): 64, ("Jan", "2"): 109, ("Feb", "1"): 73},
            "3 numbers, one column for each day, separated by bars",
        ),
        (
            "day,date\n7,Oct 6\n",
            {("Oct", "6"): 7},
            "1 number, columns date, day, separated by commas",
        ),
    ],
)
def test_a_table_is_read_in_the_form_that_it_has_and_it_says_which(
    tmp_path, text, counts, understood
):
    assert sheet(tmp_path, text) == (counts, understood)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("date,n\nMon Oct 6,5\n2025-10-07,6\n", {("Mon", "Oct", "6"): 5, ("Tue", "Oct", "7"): 6}),
        ("tilings,month,weekday,day\n5,October,monday,6\n", {("Mon", "Oct", "6"): 5}),
    ],
)
def test_a_board_with_weekdays_wants_them_or_the_year(tmp_path, text, counts):
    assert sheet(tmp_path, text, "rhombus").counts == counts


@pytest.mark.parametrize(
    ("text", "board", "message"),
    [
        ("date,tilings\nOkt 6,7\n", "a-puzzle-a-day", "line 2: .*'Okt'; did you mean 'Oct'"),
        ("date,tilings\nOct 6,seven\n", "a-puzzle-a-day", "line 2: 'seven' is not a number"),
        ("date,tilings\nOct 6,1,007\n", "a-puzzle-a-day", "line 2: 3 entries.* quotation marks"),
        ("date,tilings\nOct 6,7\nOct 6,8\n", "a-puzzle-a-day", "line 3: Oct 6 has 8 .* 7 above"),
        ("date,a,b\nOct 6,7,8\n", "a-puzzle-a-day", "a, b all have numbers; leave out all but"),
        ("date,a\nOct 6,x\n", "a-puzzle-a-day", "which of the columns date, a has the numbers"),
        (
            "when,tilings\nOct 6,7\n",
            "a-puzzle-a-day",
            "name them date or month, day",
        ),
        ("tilings\n7\n", "a-puzzle-a-day", "one column; separate columns"),
        ("date,tilings\n", "a-puzzle-a-day", "write a line with names, and below it"),
        ("date,tilings\nOct 6,7\n", "rhombus", "line 2: 'Oct 6' has neither a weekday nor a year"),
        ("day,Jan,Feb\n1,64,x\n", "a-puzzle-a-day", "line 2, column Feb: 'x' is not a number"),
    ],
)
def test_what_is_doubtful_is_refused_with_the_place_and_the_way_out(tmp_path, text, board, message):
    with pytest.raises(FormatError, match=message):
        sheet(tmp_path, text, board)


def with_two_wrong(folder):
    """A copy of the published table with a wrong number for 3 March and 19 July."""
    path = folder / "mine.csv"
    text = PUBLISHED.read_text().replace("Mar,3,39\n", "Mar,3,40\n")
    path.write_text(text.replace("Jul,19,61\n", "Jul,19,60\n"))
    return path


def test_every_wrong_row_of_a_published_table_is_listed(satcal, tmp_path):
    """Two of 366 numbers are changed."""
    path = with_two_wrong(tmp_path)
    said = satcal("claims", str(path))
    assert said.out == (
        "a-puzzle-a-day: 366 rows claimed, 2 are wrong: "
        "3 March is 39, not 40; 19 July is 61, not 60\n"
    )
    assert "read as 366 numbers, columns month, day, tilings, separated by commas" in said.err
    assert (said.code, satcal("claims", str(path), "--strict").code) == (0, 1)
    rows = list(csv.DictReader(io.StringIO(satcal("claims", str(path), "--format", "csv").out)))
    assert rows == [
        {"month": "Mar", "day": "3", "claimed": "40", "true": "39"},
        {"month": "Jul", "day": "19", "claimed": "60", "true": "61"},
    ]


def test_wrong_rows_are_certified_and_told_to_the_author(satcal, tmp_path):
    path, folder = with_two_wrong(tmp_path), tmp_path / "wrong"
    said = satcal("claims", str(path), "--certify", str(folder))
    assert said.code == 0
    assert f"{folder}: 2 certificates, wrong-rows.csv, issue.md\n" in said.err
    names = sorted(each.name for each in folder.iterdir())
    certificates = ["a-puzzle-a-day-Jul-19.satcert", "a-puzzle-a-day-Mar-3.satcert"]
    assert names == [*certificates, "issue.md", "wrong-rows.csv"]
    checked = satcal("check", *(str(folder / name) for name in certificates), "--format", "csv")
    assert [row["tilings"] for row in checked.rows()] == ["61", "39"]
    assert (folder / "wrong-rows.csv").read_text() == (
        "month,day,claimed,true\nMar,3,40,39\nJul,19,60,61\n"
    )
    text = (folder / "issue.md").read_text()
    assert text.startswith("## mine.csv: 2 of 366 numbers are wrong\n")
    assert "| 3 March | 40 | 39 |\n| 19 July | 60 | 61 |\n" in text
    assert "\n    satcal check *.satcert\n" in text
    again = satcal("claims", str(path), "--certify", str(folder))
    assert (again.code, "exists already; remove it or pass --force" in again.err) == (2, True)
    assert satcal("claims", str(path), "--certify", str(folder), "--force").code == 0


def test_fifty_certificates_are_enough_unless_all_are_asked(satcal, tmp_path, monkeypatch):
    monkeypatch.setattr("satcal.cli.claims.CERTIFIED", 1)
    path, folder = with_two_wrong(tmp_path), tmp_path / "wrong"
    said = satcal("claims", str(path), "--certify", str(folder))
    assert (
        "1 certificate, wrong-rows.csv, issue.md; 1 wrong row not certified: use --all" in said.err
    )
    assert [each.name for each in folder.glob("*.satcert")] == ["a-puzzle-a-day-Mar-3.satcert"]
    assert "The first true number is proved" in (folder / "issue.md").read_text()
    assert satcal("claims", str(path), "--certify", str(folder), "--all", "--force").code == 0
    assert len(list(folder.glob("*.satcert"))) == 2


def test_nothing_is_certified_where_nothing_is_wrong(satcal, tmp_path):
    said = satcal("claims", str(PUBLISHED), "--certify", str(tmp_path / "wrong"))
    assert (said.code, (tmp_path / "wrong").exists()) == (0, False)
    assert "no row is wrong: nothing to write to" in said.err


def test_a_table_that_is_right_is_confirmed(satcal):
    said = satcal("claims", str(PUBLISHED))
    assert said.out == "a-puzzle-a-day: 366 rows claimed, all are right\n"
    assert said.err.endswith("1 statement: 1 confirmed, 0 refuted, 0 settled, 0 undecided\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--board", "rhombus"], "claim files name their own boards"),
        ([PUBLISHED, PUBLISHED], "a table must be the only file"),
        (["--certify", "x"], "--certify only applies to a table (FILE.csv)"),
        (["--all"], "--all needs --certify"),
        ([PUBLISHED, "--board", "rhombus"], "name them date or weekday, month, day"),
    ],
)
def test_a_table_is_examined_alone_on_its_board(satcal, words, message):
    said = satcal("claims", *map(str, words))
    assert said.code == 2 and message in said.err
