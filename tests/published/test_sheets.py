"""Published tables as people write them: what is read is said, what is doubtful is refused."""

from __future__ import annotations

import pytest

from satcal.errors import FormatError
from satcal.published.sheets import read_sheet
from satcal.published.shipped import results_folder
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
            "day,1,2\n6,64,109\n",
            {("Jan", "6"): 64, ("Feb", "6"): 109},
            "2 numbers, one column for each month, separated by commas",
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
    ("text", "board", "word"),
    [
        ("date,tilings\nOcd 6,7\n", "a-puzzle-a-day", "line 2"),
        ("date,tilings\nOct 6,seven\n", "a-puzzle-a-day", "'seven'"),
        ("date,tilings\nOct 6,1,007\n", "a-puzzle-a-day", "line 2"),
        ("date,tilings\nOct 6,7\nOct 6,8\n", "a-puzzle-a-day", "line 3"),
        ("date,a,b\nOct 6,7,8\n", "a-puzzle-a-day", "a, b"),
        ("date,a\nOct 6,x\n", "a-puzzle-a-day", "tilings"),
        ("when,tilings\nOct 6,7\n", "a-puzzle-a-day", "month, day"),
        ("tilings\n7\n", "a-puzzle-a-day", "separate"),
        ("2025-10-06;7\n2025-10-07;25\n", "a-puzzle-a-day", "date;tilings"),
        ("a,b,c\n2025-10-07;25\n", "a-puzzle-a-day", "semicolons"),
        ("date,tilings\n", "a-puzzle-a-day", "rows"),
        ("date,tilings\nOct 6,7\n", "rhombus", "weekday"),
        ("day,Jan,Feb\n1,64,x\n", "a-puzzle-a-day", "column Feb"),
    ],
)
def test_what_is_doubtful_is_refused_with_the_place_or_the_way_out(tmp_path, text, board, word):
    with pytest.raises(FormatError) as caught:
        sheet(tmp_path, text, board)
    assert word in str(caught.value)


@pytest.mark.parametrize(
    ("text", "board", "readings"),
    [
        ("October,6,7\nOctober,7,25\n", "a-puzzle-a-day", ["Oct 6 has 7", "Oct 7 has 6", "day"]),
        ("6,10,7\n7,10,25\n", "a-puzzle-a-day", ["Jun 10 has 7", "Oct 6 has 7", "month"]),
        (",6,10\n7,10,25\n", "a-puzzle-a-day", ["month", "day"]),
        ("Oct 6,7\nOct 7,25\n", "a-puzzle-a-day", ["Oct 6 has 7"]),
        ("2025-10-06,7\n2025-10-07,25\n", "a-puzzle-a-day", ["Oct 6 has 7"]),
        ("Mon,Oct,6,5\nTue,Oct,7,6\n", "rhombus", ["Mon Oct 6 has 5", "Mon Oct 5 has 6"]),
    ],
)
def test_a_table_without_names_is_asked_about_with_its_readings(tmp_path, text, board, readings):
    with pytest.raises(FormatError) as caught:
        sheet(tmp_path, text, board)
    for reading in readings:
        assert reading in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["month,day,tilings\nOktober,6,7\n", "day;octobre;avril\n6;7;8\n", "date,n\n6. Oktober,7\n"],
)
def test_months_are_read_in_any_language(tmp_path, text):
    assert sheet(tmp_path, text).counts["Oct", "6"] == 7
