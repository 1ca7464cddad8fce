import pytest

from helpers.puzzles import domino_rectangle, write
from helpers.stores import located
from satcal.counting import count as counting
from satcal.counting.count import affordable, choose_sample
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import method_of
from satcal.published.own_tables import CountTable
from satcal.puzzle.loading import load
from satcal.store.keys import method_key
from satcal.store.results import Store


def test_without_options_today_is_counted_on_the_default_board(satcal):
    said = satcal("count --verify 0")
    row = {"date": "2025-12-25", "month": "Dec", "day": "25", "tilings": "92", "methods": "diagram"}
    assert (said.code, said.rows()) == (0, [row])


def test_the_summary_of_a_csv_goes_to_stderr_and_says_what_each_method_counted(satcal):
    said = satcal("count --from 2025-10-05 --to 2025-10-06 --verify-time 90")
    assert [row["tilings"] for row in said.rows()] == ["13", "7"]
    assert "a-puzzle-a-day, 2025-10-05 to 2025-10-06: 20 solutions on 2 dates" in said.err
    assert "fewest 7 (2025-10-06), most 13 (2025-10-05), mean 10.00, median 10.0" in said.err
    assert said.err.endswith(
        "checked: sat agrees on all 2 dates, search on 1, the shipped table on all 2\n"
    )


@pytest.mark.parametrize("style", ["table", "calendar"])
def test_an_aligned_table_is_followed_by_its_summary_on_stdout(satcal, small, style):
    said = satcal(f"count -b {small} --all-reveals --format {style}")
    assert said.out.splitlines() == [
        "letter  tilings",
        "a             2",
        "b             2",
        "small, all reveals: 4 solutions on 2 reveals",
        "fewest 2 (a, b), most 2 (a, b), mean 2.00, median 2.0, without a solution 0",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("Oct 6", "6 October has 7 solutions, the fewest of 366"),
        ("6 October 1985", "6 October has 7 solutions, the fewest of 366"),
        ("Dec 25", "25 December has 92 solutions, the 67th from the top of 366"),
        ("--reveal Feb,30", "Feb 30 has 34 solutions"),
        (
            "rhombus 2025-10-23",
            "Thursday, 23 October 2025 has 201 solutions, the 622nd fewest of 2,562",
        ),
        ("Oct 6 --place U@r6c0", "6 October has no solution with these pieces placed"),
        ("pentomino-3x20", "pentomino-3x20 has 8 solutions"),
    ],
)
def test_one_date_is_one_sentence_with_its_rank_and_at_most_three_lines_in_all(
    satcal, words, sentence
):
    said = satcal(f"count {words} --format calendar")
    assert said.out == f"{sentence}\n"
    assert len(said.err.splitlines()) <= 2
    assert "checked: " in said.err


def test_only_the_rows_that_are_shown_are_measured(satcal, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "satcal.cli.measuring.measured",
        lambda question, *_: asked.extend(question.reveals) or [],
    )
    assert satcal("count 2025-10 --difficulty --fewer-than 14 -q").code == 3
    assert asked == [("Oct", "5"), ("Oct", "6")]


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
        ("--method diagram", "not checked"),
        ("--method sat --jobs 2", "not checked"),
        ("--method search", "not checked"),
        ("--method search --verify all", "checked: sat agrees on all 2 reveals"),
        ("--method sat --verify 1", "checked: search agrees on 1 reveal"),
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
    assert said.err.endswith(
        "checked: the shipped table agrees on 1 reveal; not cross-checked (slow); use --verify N\n"
    )


@pytest.mark.parametrize("options", ["", "-q", "--verify 0", "--method sat", "--method search -q"])
def test_a_number_of_any_method_that_differs_from_the_shipped_table_is_exit_1(
    satcal, monkeypatch, options
):
    monkeypatch.setattr(CountTable, "tilings", lambda table, reveal: 8)
    said = satcal(f"count --reveal Oct,6 {options}")
    method = options.split()[1] if "--method" in options else "diagram"
    assert said.code == 1
    assert f"DISAGREEMENT Oct 6: {method} says 7" in said.err
    assert "the shipped table says 8\n" in said.err
    assert "the shipped table DISAGREES on 1 of 1" in said.err
    assert satcal("verify --reveal Oct,6").code == 1


@pytest.fixture
def stored(satcal, daily, monkeypatch, tmp_path):
    """What stores a number of tilings of Oct 6 as if a method had counted it."""
    where = str(tmp_path / "counts.db")
    monkeypatch.setenv("SATCAL_STORE", where)

    def store(method, tilings):
        with Store(located(where)) as opened:
            key = method_key(method_of(method))
            opened.record(daily.digest, daily.name, "", key, {"6 Oct": tilings})

    return store


def test_a_number_from_the_store_is_said_to_be_from_there_and_never_to_be_counted(satcal, stored):
    stored("sat", 7)
    said = satcal("count --reveal Oct,6 --method sat")
    assert said.rows()[0]["methods"] == "store"
    last = said.err.splitlines()[-1]
    assert last == "1 recalled from the store, as in the shipped table"
    said = satcal("count --reveal Oct,6 --method sat --verify 1")
    assert said.err.splitlines()[-1] == (
        "checked: search agrees on 1 reveal, the shipped table on 1; "
        "1 recalled from the store, as in the shipped table"
    )


def test_a_false_number_from_the_store_is_found_by_the_shipped_table(satcal, stored):
    stored("sat", 1234)
    said = satcal("count --reveal Oct,6 --method sat -q")
    assert said.code == 1
    assert said.err.splitlines() == [
        "DISAGREEMENT Oct 6: sat from the store says 1,234, the shipped table says 7",
        "1 recalled from the store, where the shipped table DIFFERS on 1",
    ]


def test_what_compares_is_counted_afresh_whatever_the_store_says(satcal, stored):
    for method in ("sat", "search"):
        stored(method, 8)
    said = satcal("count --reveal Oct,6 --verify 1")
    assert "checked: sat agrees on 1 reveal, search on 1, the shipped table on 1" in said.err
    assert (said.code, "CONTRADICTION" in said.err) == (1, True)  # of the store, with itself
    said = satcal("verify --reveal Oct,6")
    assert "from the store" not in said.err
    assert said.rows()[0]["tilings"] == "7"


def test_nothing_is_done_that_is_not_shown(satcal, monkeypatch):
    monkeypatch.setattr(counting, "count_one", lambda *_: pytest.fail("a hidden count"))
    for option in ("--quiet", "--verify=0"):
        assert satcal(f"count --reveal Oct,6 {option}").code == 0


def test_two_methods_that_differ_are_exit_1_with_both_numbers(satcal, small, monkeypatch):
    real = counting.count_one

    def wrong(question, *rest):
        outcome = real(question, *rest)
        wrong = Outcome(Status.EXACT, outcome.tilings + 1)
        return wrong if question.reveal == ("b",) else outcome

    monkeypatch.setattr(counting, "count_one", wrong)
    for command in ("count --verify all", "verify"):
        said = satcal(f"{command} -b {small} --all-reveals")
        assert said.code == 1
        assert "DISAGREEMENT b: diagram says 2, sat says 3" in said.err
        assert "checked: sat DISAGREES on 1 of 2 reveals" in said.err
    assert said.rows()[1]["tilings"] == ""  # verify's table has what all agree on


def test_a_sample_that_nobody_asked_for_may_be_late_on_a_busy_machine(satcal, monkeypatch):
    monkeypatch.setattr("satcal.cli.count.VERIFY_TIME", 0.0)
    said = satcal("count Oct 6 --format calendar")
    assert (said.code, said.out) == (0, "6 October has 7 solutions, the fewest of 366\n")
    assert said.err.startswith(
        "checked: the shipped table agrees on 1 date; not cross-checked in time: 1 by "
    )


@pytest.mark.parametrize("limit", ["--verify 1 --verify-time 0", "--verify 1 --time-limit 1"])
def test_a_check_of_which_nothing_is_finished_in_time_is_exit_3(satcal, tmp_path, limit):
    board = write(domino_rectangle(8, 8), tmp_path / "dominoes.toml")
    said = satcal(f"count --board {board} {limit}")
    assert said.code == 3
    assert (
        "not cross-checked in time: 1 by sat (allow more with --verify-time, or skip it with "
        "--verify 0)\n"
    ) in said.err


def test_a_budget_is_exit_3_and_leaves_a_gap_and_no_smaller_number(satcal):
    said = satcal("count --month 2025-03 --time-limit 0 --no-cache")
    assert said.code == 3
    assert {row["tilings"] for row in said.rows()} == {""}
    assert "partial, 0 of 31 dates counted" in said.err
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
    others = ", ".join(methods.split(",")[1:])
    agreed = "checked: " + others.replace("sat", "sat agrees on all 2 reveals")
    assert agreed.replace(", search", ", search on all 2") in said.err


def test_count_shows_only_the_dates_with_fewer_tilings(satcal):
    said = satcal("count --month october --fewer-than 10 --verify 0")
    (row,) = said.rows()
    assert (row["date"], row["tilings"]) == ("2025-10-06", "7")
    assert "1 of 31 rows: fewer than 10 solutions" in said.err


def test_rows_are_sorted_by_tilings_those_of_one_number_as_the_year_goes(satcal):
    plain = satcal("count --month 2025-10 -q --verify 0").rows()
    by_tilings = satcal("count --month 2025-10 -q --verify 0 --sort tilings").rows()
    assert by_tilings == sorted(plain, key=lambda row: int(row["tilings"]))
    shown = satcal("count --month 2025-10 -q --verify 0 --sort tilings --format calendar").out
    assert shown.splitlines()[1].split() == ["2025-10-06", "Oct", "6", "7"]
