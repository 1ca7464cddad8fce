"""A day on every calendar of the library, with numbers of the shipped tables."""

import pytest

from satcal.published.own_tables import shipped_counts
from satcal.puzzle.loading import library, load

CALENDARS = [puzzle for puzzle in map(load, library()) if puzzle.calendar.parts]


def test_each_calendar_has_a_line_with_its_number_and_rank(satcal):
    said = satcal("birthday 14 March")
    assert (said.code, said.err) == (0, "")
    head, *lines = said.out.splitlines()
    assert head == "14 March"
    assert [line.split()[0] for line in lines] == [puzzle.name for puzzle in CALENDARS]
    assert "  a-puzzle-a-day       44 solutions, the 108th fewest of 366" in lines
    assert sum("Friday, 14 March 2025" in line for line in lines) == 3
    for puzzle, line in zip(CALENDARS, lines, strict=True):
        labels = (*(("Fri",) if "weekday" in puzzle.categories else ()), "Mar", "14")
        reveal = puzzle.reveal(labels)
        assert f" {shipped_counts(puzzle, [reveal])[reveal]:,} solution" in line


def test_a_year_matters_where_weekdays_do(satcal):
    rows = {row["board"]: row for row in satcal("birthday 14 March 1985 --format csv").rows()}
    assert rows["a-puzzle-a-day"]["tilings"] == "44"
    assert rows["rhombus"]["reveal"] == "Thu Mar 14"
    assert rows["rhombus"]["date"] == "1985-03-14"


def test_a_leap_day_without_a_year_is_that_of_the_next_leap_year(satcal):
    said = satcal("birthday Feb 29")
    assert said.out.startswith("29 February\n")
    assert "Tuesday, 29 February 2028" in said.out


def test_its_picture_has_a_board_for_each_calendar(satcal, tmp_path):
    path = tmp_path / "day.svg"
    said = satcal(f"birthday 14 March -o {path}")
    assert (said.code, said.out) == (0, "")
    text = path.read_text()
    assert f"<title>14 March on {len(CALENDARS)} calendars</title>" in text
    for puzzle in CALENDARS:
        assert puzzle.title in text
    again = satcal(f"birthday 14 March -o {path} --force")
    assert (again.code, path.read_text()) == (0, text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("March", "birthday 'March' is more than one day; write one day, such as 2025-03-01"),
        ("3/4", "birthday '3/4' could be Mar 4 or Apr 3; write the month as a word"),
        ("rhombus", "birthday 'rhombus' is not a date; write it as 2025-12-25, Dec 25, today"),
        ("Feb 30", "birthday Feb 30: there is no Feb 30 in 2025; that month has 28 days"),
        ("14 March --theme dark", "--theme only applies to pictures; drop it, or give -o FILE.svg"),
    ],
)
def test_what_is_no_day_is_refused(satcal, words, message):
    said = satcal(f"birthday {words}")
    assert (said.code, said.out) == (2, "")
    assert message in said.err
