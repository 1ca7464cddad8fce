from functools import partial
from time import sleep

import click
import pytest
from small import domino_rectangle, write

from satcal.cli import count as counting_cli
from satcal.counting import count as counting
from satcal.counting.count import affordable, choose_sample
from satcal.counting.settings import Outcome, Status
from satcal.errors import Stopped
from satcal.evidence.tables import Table
from satcal.processes import Worker
from satcal.puzzle.loading import load


def test_without_options_today_is_counted_on_the_default_board(satcal):
    said = satcal("count --verify 0")
    row = {"date": "2025-12-25", "month": "Dec", "day": "25", "tilings": "92", "methods": "diagram"}
    assert (said.code, said.rows()) == (0, [row])


def test_the_summary_of_a_csv_goes_to_stderr_and_says_what_each_method_counted(satcal):
    said = satcal("count --from 2025-10-05 --to 2025-10-06 --verify-time 90")
    assert [row["tilings"] for row in said.rows()] == ["13", "7"]
    assert "a-puzzle-a-day, 2025-10-05 to 2025-10-06: 20 tilings on 2 dates" in said.err
    assert "fewest 7 (2025-10-06), most 13 (2025-10-05), mean 10.00, median 10.0" in said.err
    assert said.err.endswith(
        "diagram counted 2 of 2, sat 2 of these again, search 1 of these again: they agree\n"
        "2 of 2 as in the shipped table, where sat counted each\n"
    )


@pytest.mark.parametrize("style", ["table", "calendar"])
def test_an_aligned_table_is_followed_by_its_summary_on_stdout(satcal, small, style):
    said = satcal(f"count -b {small} --all-reveals --format {style}")
    assert said.out.splitlines() == [
        "letter  tilings",
        "a             2",
        "b             2",
        "small, all reveals: 4 tilings on 2 reveals",
        "fewest 2 (a, b), most 2 (a, b), mean 2.00, median 2.0, without a tiling 0",
    ]


def test_a_calendar_has_days_down_and_months_across(satcal):
    said = satcal("count --from 2025-01-31 --to 2025-02-02 --format calendar -q")
    assert said.out.splitlines() == [
        "2025  Jan  Feb",
        "   1        73",
        "   2        45",
        "  31  170",
    ]
    months = satcal("count --all-dates --format calendar -q").out.splitlines()[0]
    assert months.split() == list(load("a-puzzle-a-day").categories["month"])


@pytest.mark.parametrize(
    ("options", "compared"),
    [
        ("--method diagram", "diagram counted 2 of 2"),
        ("--method sat --jobs 2", "sat counted 2 of 2"),
        ("--method search", "search counted 2 of 2"),
        ("--method search --verify all", "search counted 2 of 2, sat 2 of these again: they agree"),
        ("--method sat --verify 1", "sat counted 2 of 2, search 1 of these again: they agree"),
    ],
)
def test_a_method_asked_for_by_name_counts_alone_and_is_checked_where_asked_for(
    satcal, small, options, compared
):
    said = satcal(f"count -b {small} --all-reveals {options}")
    method = options.split()[1]
    assert [(row["tilings"], row["methods"]) for row in said.rows()] == [("2", method)] * 2
    assert said.err.endswith(f"{compared}\n")


def test_progress_is_plain_lines_where_stderr_is_no_terminal(satcal, small):
    said = satcal(f"count -b {small} --all-reveals --method sat")
    assert said.err.startswith("counting by sat: 0 of 2\ncounting by sat: 2 of 2, ")
    assert "\x1b" not in said.err


def test_the_dates_counted_again_depend_on_puzzle_and_range_alone(daily):
    counts = {("Oct", str(day)): 31 - day for day in range(1, 31)}
    sample = choose_sample(daily, counts, 4)
    assert sample == choose_sample(daily, dict(counts), 4)
    assert sample[0] == ("Oct", "30")
    assert len(set(sample)) == 4
    assert choose_sample(daily, counts, 0) == []


def test_by_default_no_more_is_counted_again_than_takes_a_moment(satcal):
    easy, long, hard = ("Oct", "6"), ("Oct", "7"), ("Oct", "8")
    assert affordable([easy, long, hard], {easy: 7, long: 10**6, hard: 500}) == [easy, hard]
    assert affordable([easy], {easy: 250}) == [easy]
    assert affordable([long], {long: 251}) == []
    said = satcal("count -b pentomino-5x12")
    assert "agree" not in said.err
    assert said.err.splitlines()[-2:] == [
        "diagram counted 1 of 1, and no other method: that would take more than a moment; "
        "--verify N does it",
        "1 of 1 as in the shipped table, where sat counted each",
    ]


def test_a_number_that_differs_from_the_shipped_table_is_exit_1(satcal, monkeypatch):
    monkeypatch.setattr(Table, "tilings", lambda table, reveal: 8)
    said = satcal("count --reveal Oct,6")
    assert said.code == 1
    assert "DISAGREEMENT Oct 6: diagram counts 7, the shipped table counts 8\n" in said.err
    assert said.err.endswith("0 of 1 as in the shipped table, where sat counted each\n")


def test_nothing_is_done_that_is_not_shown(satcal, monkeypatch):
    monkeypatch.setattr(counting, "count_one", lambda *_: pytest.fail("a hidden count"))
    for option in ("--quiet", "--verify=0"):
        assert satcal(f"count --reveal Oct,6 {option}").code == 0


def test_two_methods_that_differ_are_exit_1_with_both_numbers(satcal, small, monkeypatch):
    real = counting.count_one

    def wrong(puzzle, reveal, settings, deadline=None):
        outcome = real(puzzle, reveal, settings, deadline)
        return Outcome(Status.EXACT, outcome.tilings + 1) if reveal == ("b",) else outcome

    monkeypatch.setattr(counting, "count_one", wrong)
    for command in ("count --verify all", "verify"):
        said = satcal(f"{command} -b {small} --all-reveals")
        assert said.code == 1
        assert "DISAGREEMENT b: diagram counts 2, sat counts 3" in said.err
        assert "they DISAGREE" in said.err
    assert said.rows()[1]["tilings"] == ""  # verify's table has what all agree on


# --- the first row of a table that takes a while ----------------------------------------------

OCTOBER = "count --month 2025-10 --verify 0 --no-cache"


@pytest.fixture
def asked_for(monkeypatch):
    """Make a table take a while, until the first row is there; return who is asked for it."""
    asked = []
    wait, ask = Worker.has_answer, Worker.ask
    monkeypatch.setattr(counting_cli, "PATIENCE", 0)
    monkeypatch.setattr(Worker, "has_answer", lambda worker, seconds: wait(worker, 60))
    monkeypatch.setattr(
        Worker, "ask", lambda worker, call: asked.append(worker) or ask(worker, call)
    )
    return asked


@pytest.mark.parametrize("style", ["csv", "ndjson"])
def test_the_first_row_is_there_before_the_others_and_the_table_is_the_same(
    satcal, asked_for, monkeypatch, style
):
    printed, echo = [], click.echo
    monkeypatch.setattr(
        click, "echo", lambda text, **rest: printed.append(text) or echo(text, **rest)
    )
    said = satcal(f"{OCTOBER} --format {style} -q")
    assert (said.code, len(asked_for), printed) == (0, 1, [printed[0], printed[1]])
    assert "2025-10-01" in printed[0].splitlines()[-1]
    assert "2025-10-02" in printed[1].splitlines()[0]
    assert not asked_for[0].process.is_alive()
    monkeypatch.setattr(counting_cli, "PATIENCE", 600)
    assert satcal(f"{OCTOBER} --format {style} -q").out == said.out
    assert len(asked_for) == 1


def test_a_first_row_that_differs_from_the_table_is_exit_1(satcal, asked_for, monkeypatch):
    monkeypatch.setattr(counting_cli, "count_one", partial(Outcome, Status.EXACT, 3))
    said = satcal(f"{OCTOBER} --format csv")
    assert said.code == 1
    assert "2025-10-01: 3 tilings by its own diagram, 58 by that of all rows" in said.err


def test_who_counts_the_first_row_may_die(satcal, asked_for, monkeypatch):
    monkeypatch.setattr(Worker, "answer", lambda worker: (_ for _ in ()).throw(Stopped("it died")))
    said = satcal(f"{OCTOBER} --format csv")
    assert (said.code, len(said.out.splitlines()), len(asked_for)) == (0, 32, 1)


def test_a_first_row_stays_when_the_rest_is_not_counted_in_time(satcal, asked_for, monkeypatch):
    slow = Worker.answer
    monkeypatch.setattr(Worker, "answer", lambda worker: slow(worker) if not sleep(2) else None)
    said = satcal(f"{OCTOBER} --format csv --time-limit 2")
    assert said.code == 3
    known = [(row["date"], row["tilings"]) for row in said.rows() if row["tilings"]]
    assert known == [("2025-10-01", "58")]


@pytest.mark.parametrize("limit", ["--verify 1 --verify-time 0", "--verify 1 --time-limit 1"])
def test_a_check_of_which_nothing_is_finished_in_time_is_exit_3(satcal, tmp_path, limit):
    board = write(domino_rectangle(8, 8), tmp_path / "dominoes.toml")
    said = satcal(f"count --board {board} {limit}")
    assert said.code == 3
    assert (
        "diagram counted 1 of 1; not counted again: 1 by sat "
        "(--verify-time gives more, --verify 0 asks none)\n"
    ) in said.err


def test_a_budget_is_exit_3_and_leaves_a_gap_and_no_smaller_number(satcal):
    said = satcal("count --month 2025-03 --time-limit 0 --no-cache")
    assert said.code == 3
    assert {row["tilings"] for row in said.rows()} == {""}
    assert "partial, none of 31 dates counted" in said.err
    assert "the rest is UNKNOWN" in said.err
    said = satcal("count --method sat --conflicts 5 --solver glucose4")
    assert (said.code, said.rows()[0]["tilings"]) == (3, "")
    said = satcal("verify --date 2025-12-25 --time-limit 0 --format table")
    assert said.code == 3
    assert "?" in said.out


@pytest.mark.parametrize("methods", ["diagram,sat", "diagram,sat,search"])
def test_verify_compares_methods_row_by_row(satcal, small, methods):
    said = satcal(f"verify -b {small} --all-reveals --methods {methods}")
    assert said.code == 0
    assert [row["methods"] for row in said.rows()] == [methods.replace(",", "+")] * 2
    assert "diagram counted 2, sat counted 2" in said.err
    assert "of 2; on 2 they agree" in said.err


def test_count_shows_only_the_dates_with_fewer_tilings(satcal):
    said = satcal("count --month october --fewer-than 10 --verify 0")
    (row,) = said.rows()
    assert (row["date"], row["tilings"]) == ("2025-10-06", "7")
    assert "1 of 31 rows with fewer than 10" in said.err
