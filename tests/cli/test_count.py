from __future__ import annotations

import csv
import io
import json

import pytest

from satcal.counting import run as run_module
from satcal.counting.methods import Outcome, Status


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_without_options_today_is_counted_on_the_default_board(satcal):
    said = satcal("count", "--verify", "0")
    assert said.code == 0
    assert rows(said.out) == [
        {"date": "2025-12-25", "month": "Dec", "day": "25", "tilings": "92", "methods": "sat"}
    ]


def test_the_summary_of_a_csv_goes_to_stderr_and_says_what_each_method_counted(satcal):
    said = satcal("count", "--from", "2025-10-05", "--to", "2025-10-06")
    assert "small" not in said.out
    assert "a-puzzle-a-day, 2025-10-05 to 2025-10-06: 20 tilings on 2 dates" in said.err
    assert "fewest 7 (2025-10-06), most 13 (2025-10-05), mean 10.00, median 10.0" in said.err
    assert "sat counted 2 of 2, search 1 of these again: they agree" in said.err


def test_quiet_leaves_only_the_table(satcal):
    said = satcal("count", "--reveal", "Oct,6", "--quiet")
    assert said.err == ""
    assert rows(said.out)[0]["tilings"] == "7"


def test_json_and_lines_of_json_hold_the_same_records(satcal, small):
    whole = satcal("count", "-b", small, "--all-reveals", "--format", "json")
    lines = satcal("count", "-b", small, "--all-reveals", "--format", "ndjson")
    records = json.loads(whole.out)
    assert [json.loads(line) for line in lines.out.splitlines()] == records
    assert [(each["letter"], each["tilings"]) for each in records] == [("a", 2), ("b", 2)]


def test_an_aligned_table_is_followed_by_its_summary_on_stdout(satcal, small):
    said = satcal("count", "-b", small, "--all-reveals", "--format", "table")
    assert said.out.splitlines() == [
        "letter  tilings",
        "a             2",
        "b             2",
        "small, all reveals: 4 tilings on 2 reveals",
        "fewest 2 (a, b), most 2 (a, b), mean 2.00, median 2.0, without a tiling 0",
    ]


def test_a_calendar_has_days_down_and_months_across(satcal):
    said = satcal(
        "count", "--from", "2025-01-31", "--to", "2025-02-02", "--format", "calendar",
        "--verify", "0",
    )  # fmt: skip
    grid = [line.split() for line in said.out.splitlines()[:4]]
    assert grid == [["2025", "Jan", "Feb"], ["1", "73"], ["2", "45"], ["31", "170"]]


def test_a_puzzle_without_months_gets_a_table_where_a_calendar_is_asked_for(satcal, small):
    said = satcal("count", "-b", small, "--all-reveals", "--format", "calendar")
    assert said.out.startswith("letter  tilings")


def test_search_can_count_alone_and_sat_then_checks_it(satcal, small):
    said = satcal("count", "-b", small, "--all-reveals", "--method", "search")
    assert said.code == 0
    assert "search counted 2 of 2, sat 1 of these again: they agree" in said.err


def test_verify_all_counts_every_date_again(satcal, small):
    said = satcal("count", "-b", small, "--all-reveals", "--verify", "all")
    assert "sat counted 2 of 2, search 2 of these again: they agree" in said.err


def test_two_methods_that_differ_are_exit_1_with_both_numbers(satcal, small, monkeypatch):
    real = run_module.count_one

    def wrong(puzzle, reveal, settings, deadline=None):
        outcome = real(puzzle, reveal, settings, deadline)
        if settings.method == "search" and reveal == ("b",):
            return Outcome(Status.EXACT, outcome.tilings + 1)
        return outcome

    monkeypatch.setattr(run_module, "count_one", wrong)
    said = satcal("count", "-b", small, "--all-reveals", "--verify", "all")
    assert said.code == 1
    assert "DISAGREEMENT b: sat counts 2, search counts 3" in said.err
    assert "they DISAGREE" in said.err
    said = satcal("verify", "-b", small, "--all-reveals")
    assert said.code == 1
    assert "DISAGREEMENT b: sat counts 2, search counts 3" in said.err
    assert rows(said.out)[1]["tilings"] == ""


def test_a_time_limit_is_exit_3_and_leaves_a_gap_and_no_smaller_number(satcal):
    said = satcal("count", "--month", "2025-03", "--time-limit", "0")
    assert said.code == 3
    assert {row["tilings"] for row in rows(said.out)} == {""}
    assert "partial, none of 31 dates counted" in said.err
    assert "the rest is UNKNOWN" in said.err


def test_a_conflict_budget_is_exit_3_too(satcal):
    said = satcal("count", "--conflicts", "5", "--solver", "glucose4", "--verify", "0")
    assert said.code == 3
    assert rows(said.out)[0]["tilings"] == ""


def test_verify_compares_methods_row_by_row(satcal, small):
    said = satcal("verify", "-b", small, "--all-reveals")
    assert said.code == 0
    assert [row["methods"] for row in rows(said.out)] == ["sat+search"] * 2
    assert "sat counted 2, search counted 2 of 2; on 2 they agree" in said.err


def test_verify_that_does_not_finish_is_exit_3(satcal):
    said = satcal("verify", "--date", "2025-12-25", "--time-limit", "0", "--format", "table")
    assert said.code == 3
    assert "?" in said.out


@pytest.mark.parametrize("encoding", ["plain", "owner", "card-totalizer", "native"])
def test_every_encoding_counts_the_same(satcal, encoding):
    said = satcal("count", "--reveal", "Oct,6", "--encoding", encoding, "--verify", "0")
    assert rows(said.out)[0]["tilings"] == "7"


def test_placing_a_piece_leaves_the_tilings_that_have_it(satcal, small):
    every = satcal("solve", "-b", small, "--reveal", "a", "--all", "--format", "lines")
    first = every.out.splitlines()[0].split()[0]
    said = satcal("count", "-b", small, "--reveal", "a", "--place", first)
    assert rows(said.out)[0]["tilings"] == "1"


def test_a_partly_filled_board_is_read_from_a_file(satcal, small, tmp_path):
    (tmp_path / "partial.txt").write_text("a _ I\n_ _ I\n")
    said = satcal("count", "-b", small, "--reveal", "a", "--place", "@partial.txt")
    assert rows(said.out)[0]["tilings"] == "1"


def test_another_piece_set_on_a_board_makes_another_puzzle(satcal):
    said = satcal("count", "--pieces", "crea-makerspace", "--reveal", "Oct,6", "--verify", "0")
    other = satcal("count", "-b", "crea-makerspace", "--reveal", "Oct,6", "--verify", "0")
    assert rows(said.out) == rows(other.out)
