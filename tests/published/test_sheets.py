"""Published tables as people have them: a reading is described, and two are both named."""

from pathlib import Path

import pytest

from satcal.errors import FormatError
from satcal.published.sheets import TableReading, ambiguity_error, parse_readings
from satcal.puzzle.loading import load

OCT, DEC = ("Oct", "6"), ("Dec", "25")
BOTH = {OCT: 7, DEC: 92}


def readings(text: str, board: str = "a-puzzle-a-day") -> list[TableReading]:
    return parse_readings(text, Path("table"), load(board))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("date,tilings\n2025-10-06,7\n25 December,92\n", BOTH),
        ("Datum;Anzahl\n6.10.;7\n25.12.2025;92\n", BOTH),
        ("October,6,7\nDecember,25,92\n", BOTH),
        ("6,10,7\n25,12,92\n", BOTH),
        ("10-06 has 7 solutions\n12-25 has 92 solutions\n", BOTH),
        ("| Oct 6 | 7 |\n|---|--:|\n| Dec 25 | 92 |\n", BOTH),
        ("when,n\n1/2/2025,5\n1/13/2025,6\n", {("Jan", "2"): 5, ("Jan", "13"): 6}),
        ("when,n\n1/2/2025,5\n13/1/2025,6\n", {("Feb", "1"): 5, ("Jan", "13"): 6}),
        ("30.2.;34\n31.2.;77\n", {("Feb", "30"): 34, ("Feb", "31"): 77}),
        ("solutions;remark;date\n1.092;easy;6 Oct\n92;;Dec 25\n", {OCT: 1092, DEC: 92}),
        ('day,month,ways\n06,10,"1,007"\n25,Dec,92\nTotal,,99\n', {OCT: 1007, DEC: 92}),
        ("Oct 6\t1 092\nDec 25\t1'000'092\n", {OCT: 1092, DEC: 1000092}),
        ("id,date,year,n\n1,Oct 6,2025,7\n2,Dec 25,2025,92\n", BOTH),
        ("date,n\n2025-10-06 00:00:00,7.0\n2025-12-25 00:00:00,92.0\n", BOTH),
        ("day,date\n7,Oct 6\n92,Dec 25\n", BOTH),
        (
            "\tJan\tFebruary\n1\t64\t73\n\n30\t5\t-\n",
            {("Jan", "1"): 64, ("Feb", "1"): 73, ("Jan", "30"): 5},
        ),
        (
            "month|1|2\nJan|64|109\n2|73|\n",
            {("Jan", "1"): 64, ("Jan", "2"): 109, ("Feb", "1"): 73},
        ),
        ("day,1,2\n6,64,109\n", {("Jan", "6"): 64, ("Feb", "6"): 109}),
        ("date,n\n6 de octubre,7\n", {OCT: 7}),
        ("date,n\rOct 6,7\r", {OCT: 7}),
        ('{"Oct": {"6": 7}, "Dec": {"25": 92}}', BOTH),
        ('[{"date": "Oct 6", "n": 7}, {"date": "Dec 25", "n": 92, "note": [1]}]', BOTH),
        ('{"day": 6, "month": 10, "tilings": 7}\n{"day": 25, "month": 12, "tilings": 92}', BOTH),
        ('{"month": "Oct", "day": "6", "tilings": 7}\n', {OCT: 7}),
        ("# Mine\n\nOf a | b:\n\n| day | n |\n|---|--:|\n| 6-Oct | 7 |\n\nThe end, 8.", {OCT: 7}),
        (
            "2026  Jan  Feb\n  28    1    2\n  29    3\n",
            {("Jan", "28"): 1, ("Feb", "28"): 2, ("Jan", "29"): 3},
        ),
        ("date,n\n06-Oct-22,7\n25-Dec-22,92\n", BOTH),
        ("date,n\n6-Oct-2022,7\nDec_25,92\n", BOTH),
    ],
)
def test_a_table_is_read_by_what_is_in_it(text, counts):
    assert [sheet.counts for sheet in readings(text)] == [counts]


def test_a_table_has_a_largest_number_of_rows(monkeypatch):
    monkeypatch.setattr("satcal.published.sheets.MAX_ROWS", 2)
    text = "date,n\n" + "Oct 6,7\n" * 2
    assert [sheet.counts for sheet in readings(text)] == [{OCT: 7}]
    with pytest.raises(FormatError, match="4 rows; the limit is 2"):
        readings(f"{text}Oct 6,7\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Datum;Anzahl\n6.10.;7\n", ["1 number", "Datum as date", "Anzahl", "semicolons"]),
        ("6/10: 7\n25/12: 92\n", ["column 1 as day/month", "column 2 as tilings", "colons"]),
        ("when,n\n06-Oct-22,7\n", ["when as day-month-year"]),
        ("n,date\n7,Oct 6\nmean,7\n", ["n as tilings", "date,", "without mean"]),
        ("day,Jan,Feb\n1,64,73\n", ["2 numbers", "month, day, tilings"]),
    ],
)
def test_it_says_what_was_understood(text, words):
    (sheet,) = readings(text)
    assert [word for word in words if word not in sheet.description] == []


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("date,n\nMon Oct 6,5\n2025-10-07,6\n", {("Mon", "Oct", "6"): 5, ("Tue", "Oct", "7"): 6}),
        ("tilings,month,weekday,day\n5,October,monday,6\n", {("Mon", "Oct", "6"): 5}),
        ("lundi 6 octobre;5\n", {("Mon", "Oct", "6"): 5}),
    ],
)
def test_a_board_with_weekdays_wants_them_or_the_year(text, counts):
    assert [sheet.counts for sheet in readings(text, "rhombus")] == [counts]


@pytest.mark.parametrize(
    ("text", "board", "words"),
    [
        # two readings, which are both named
        ("October,6,7\nOctober,7,25\n", "a-puzzle-a-day", ["Oct 6 has 7", "Oct 7 has 6"]),
        ("6/10: 7\n7/10: 25\n", "a-puzzle-a-day", ["Oct 6 has 7", "Jun 10 has 7"]),
        (",6,10\n7,10,25\n", "a-puzzle-a-day", ["Jun 7 has 10", "Jul 6 has 10"]),
        ("date,a,b\nOct 6,7,8\n", "a-puzzle-a-day", ["Oct 6 has 7", "Oct 6 has 8"]),
        # no reading; the place or the way out is named
        ("date,tilings\nOcd 6,7\n", "a-puzzle-a-day", ["line 2"]),
        ("date,tilings\nOct 6,7\nOct 7,seven\n", "a-puzzle-a-day", ["'seven'"]),
        ("date,tilings\nOct 6,1,007\n", "a-puzzle-a-day", ["line 2"]),
        ("date,tilings\nOct 6,7\nOct 6,8\n", "a-puzzle-a-day", ["line 3"]),
        ("date,tilings\ntoday,7\n", "a-puzzle-a-day", ["today"]),
        ("date,n\nOct 6,7\n7th of Octember,8\n", "a-puzzle-a-day", ["line 3", "is not a date"]),
        ("date,n\n06-Oct-22,7\n7-Oct,8\n", "a-puzzle-a-day", ["line 3", "kind of the dates"]),
        ("day,Jan,Feb\n1,,\n", "a-puzzle-a-day", ["no numbers"]),
        *((text, "a-puzzle-a-day", ["JSON"]) for text in ("{}", "[1]", '{"a":')),
        *((text, "a-puzzle-a-day", ["JSON"]) for text in ("[" * 9999, '{"a":{"b":1},"c":2}')),
        ("date,a\nOct 6,x\n", "a-puzzle-a-day", ["tilings"]),
        ("no,date,n\n1,Oct 6,7\n2,Dec 25,x\n", "a-puzzle-a-day", ["'x'"]),
        ("hello\n", "a-puzzle-a-day", ["month,day,tilings"]),
        ("date,tilings\n", "a-puzzle-a-day", ["no numbers"]),
        ("", "a-puzzle-a-day", ["month,day,tilings"]),
        (f"date,n\nOct 6,{'7' * 140_000}\n", "a-puzzle-a-day", ["table"]),
        ("date,tilings\nOct 6,7\n", "rhombus", ["weekday"]),
        ("date,tilings\n2025-02-30,7\n", "rhombus", ["no such day"]),
        ("day,Jan,Feb\n1,64,x\n", "a-puzzle-a-day", ["column Feb"]),
        ("day,Jan\n1,64\n", "a-puzzle-a-day", ["'64'"]),
    ],
)
def test_what_cannot_be_read_in_one_way_is_refused(text, board, words):
    with pytest.raises(FormatError) as caught:
        raise ambiguity_error(Path("table"), readings(text, board), load(board))
    assert [word for word in words if word not in str(caught.value)] == []
