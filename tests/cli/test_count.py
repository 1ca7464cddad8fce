"""``satcal count``: rows, boundaries, two options together, comparisons, exit codes."""

import json
import re
from dataclasses import replace

import pytest

from oracle import labels_alone
from satcal import processes
from satcal.cli.count import agree
from satcal.counting import pruner
from satcal.counting import run as counting
from satcal.counting.classes import UpToSymmetry
from satcal.counting.run import Counted
from satcal.published import shipped

SMALL = "count small.toml --all-reveals"
"""Two reveals of two tilings each."""
FIVE_AND_SIX = "count Oct 5..Oct 6 2025 --no-verify"
"""Two dates of 13 and of 7 tilings."""


def numbers(text):
    """Return the numbers in a text, without those of dates."""
    return re.findall(r"(?<![\w-])\d(?:[\d,.]*\d)?(?![\w-])", re.sub(r"\d{4}-\d\d-\d\d", "", text))


@pytest.fixture
def wrong(monkeypatch):
    """Let ``sat`` find one tiling more than there is, of the reveal b."""
    real = counting.run_task

    def run_task(method, puzzle, reveals, *rest):
        answers = real(method, puzzle, reveals, *rest)
        if method.name != "sat":
            return answers
        return [replace(a, tilings=a.tilings + (a.reveal == ("b",))) for a in answers]

    monkeypatch.setattr(counting, "run_task", run_task)


# --- which rows ----------------------------------------------------------------------------------


def test_without_words_it_is_today_on_the_default_board(run):
    answer = run("count --no-verify")
    row = {"date": "2025-12-25", "month": "Dec", "day": "25", "tilings": "92", "methods": "diagram"}
    assert (answer.code, answer.rows) == (0, [row])


@pytest.mark.parametrize(
    ("words", "first", "last", "number", "span"),
    [
        ("--year 2025", "2025-01-01", "2025-12-31", 365, ", 2025: "),
        ("2025-2026", "2025-01-01", "2026-12-31", 730, ", 2025 to 2026: "),
        ("--date 2025-02", "2025-02-01", "2025-02-28", 28, ", 2025-02-01 to 2025-02-28: "),
        ("2025-12-31..2026-01-01", "2025-12-31", "2026-01-01", 2, ", 2025-12-31 to 2026-01-01: "),
        ("Oct 6 --year 2027", "2027-10-06", "2027-10-06", 1, ", 2027-10-06: "),
    ],
)
def test_a_range_has_its_first_and_last_day(run, words, first, last, number, span):
    answer = run(f"count --no-verify {words}")
    rows = [row["date"] for row in answer.rows]
    assert (answer.code, rows[0], rows[-1], len(rows)) == (0, first, last, number)
    assert span in answer.err


# --- formats -------------------------------------------------------------------------------------


def test_all_formats_have_the_same_numbers(run):
    by_csv = [int(row["tilings"]) for row in run(FIVE_AND_SIX).rows]
    by_json = [row["tilings"] for row in json.loads(run(f"{FIVE_AND_SIX} --format json").out)]
    lines = run(f"{FIVE_AND_SIX} --format ndjson").out.splitlines()
    table = run(f"{FIVE_AND_SIX} --format table -q").out.splitlines()[1:]
    marked = run(f"{FIVE_AND_SIX} --format markdown").out.splitlines()[2:]
    assert by_csv == by_json == [json.loads(line)["tilings"] for line in lines] == [13, 7]
    assert by_csv == [int(line.split()[-1]) for line in table]
    assert by_csv == [int(line.split()[-2]) for line in marked]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ("06..Oct 07", ["99", "2", "7", "92", "49.50", "49.5", "0"]),
        ("05..Oct 07", ["112", "3", "7", "92", "37.33", "13.0", "0"]),
    ],
)
def test_the_summary_of_two_and_of_three_dates(run, days, expected):
    *_, first, second = run(f"count Oct {days} --no-verify --format table").out.splitlines()
    assert numbers(f"{first} {second}") == expected
    assert f"2025-10-{days[:2]} to 2025-10-07" in first


def test_a_calendar_has_days_down_and_months_across(run):
    answer = run("count 2025-01-31..2025-02-02 --format calendar -q --no-verify")
    assert [line.split() for line in answer.out.splitlines()] == [
        ["2025", "Jan", "Feb"],
        ["1", "73"],
        ["2", "45"],
        ["31", "170"],
    ]
    table = run("count rhombus --reveal Oct,6 --format calendar -q").out.splitlines()
    assert (len(table), table[0].split()) == (8, ["weekday", "month", "day", "tilings"])


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("--reveal Oct,6", "the fewest of 366"),
        ("6 October 2025", "the fewest of 365"),
        ("rhombus 2024-10-23", "of 366"),
        ("rhombus --reveal Thu,Oct,23", "of 2,562"),
    ],
)
def test_one_date_is_one_sentence_with_its_rank_and_how_hard_it_is(run, line, rank):
    (sentence,) = run(f"count {line} --no-verify --format calendar").out.splitlines()
    assert rank in sentence
    assert (
        ("7 solutions" in sentence)
        == sentence.endswith("; Easy, the first of three")
        == ("rhombus" not in line)
    )


def test_a_board_outside_the_library_has_no_rank_and_no_rating(run):
    answer = run("count small.toml --reveal a --format calendar")
    assert (answer.code, answer.out) == (0, "small, a: 2 solutions\n")


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_a_picture_is_of_the_counts(run, folder, suffix, start):
    answer = run(f"count Oct 1..Oct 7 --no-verify -o new/year.{suffix}")
    (path,) = (folder / "new").iterdir()
    assert (answer.code, path.read_bytes().startswith(start)) == (0, True)
    assert "291" in answer.err  # the summary


def test_a_table_of_what_was_not_counted_says_that_it_is_partial(run, folder):
    answer = run("count Oct 2025 --method sat --time-limit 0 -o table.csv")
    assert (answer.code, (folder / "table.csv").exists()) == (3, False)
    assert (folder / "table.csv.partial").read_text().splitlines()[1] == "2025-10-01,Oct,1,,"


# --- methods, and what is compared ---------------------------------------------------------------


@pytest.mark.parametrize("methods", ["listing", "diagram,sat,search"])
def test_the_methods_that_are_named_count_each_date(run, methods):
    answer = run(f"{SMALL} --method {methods}")
    counted_by = methods.replace(",", "+")
    assert [(row["tilings"], row["methods"]) for row in answer.rows] == [("2", counted_by)] * 2
    assert ("agrees" in answer.err) == ("," in methods)


@pytest.mark.parametrize(
    ("options", "again"),
    [
        ("", {"listing"}),
        ("--verify", {"listing", "sat"}),
        ("--no-verify", set()),
        ("-q", set()),
        ("--method diagram", set()),
        ("--method sat --verify", {"sat", "diagram", "listing"}),
    ],
)
def test_a_count_is_checked_unless_a_method_is_named(run, monkeypatch, options, again):
    counted = []
    real = counting.run_task
    monkeypatch.setattr(
        counting,
        "run_task",
        lambda method, *rest: counted.append(method.name) or real(method, *rest),
    )
    first = "sat" if "sat" in options else "diagram"
    assert run(f"count small.toml --reveal a {options}").code == 0
    assert set(counted) == again | {first}


def test_a_lone_date_is_counted_looked_up_and_listed_in_one_process(run, monkeypatch):
    begun, real = [], processes.Worker
    monkeypatch.setattr(processes, "Worker", lambda *of: begun.append(of) or real(*of))
    answer = run("count Oct 6 2025")
    assert "agrees with listing" in answer.err
    assert "Easy, the first of three" in answer.err
    assert len(begun) == 1


@pytest.mark.parametrize(
    ("line", "rows", "tilings", "checked"),
    [
        ("count small.toml --reveal a", 10**6, 500, "agrees with listing"),
        ("count small.toml --reveal a", 0, 500, "agrees with sat"),
        ("count small.toml --reveal a", 0, 1, "--verify counts again"),
        ("count Oct 3..Oct 7", 10**6, 500, "sat on 4, satcal's own table; all 5 listed one by one"),
        (f"{SMALL} --verify", 0, 500, "all 2 listed one by one"),
        (f"{SMALL} --method diagram,listing", 0, 500, "all 2 listed one by one"),
    ],
)
def test_quick_or_requested_counts_are_listed_and_sat_counts_a_small_sample(
    run, monkeypatch, line, rows, tilings, checked
):
    monkeypatch.setattr("satcal.cli.count.QUICK_ROWS", rows)
    monkeypatch.setattr("satcal.cli.count.SAMPLE_TILINGS", tilings)
    assert checked in run(line).err


def test_long_work_says_how_far_it_is(run, monkeypatch):
    monkeypatch.setattr("satcal.progress.FIRST_SECONDS", 0)
    monkeypatch.setattr("satcal.progress.PLAIN_SECONDS", 0)
    assert "counting by sat: 1 of 2" in run(f"{SMALL} --method sat").err
    assert run(f"{SMALL} --method sat -q").err == ""


@pytest.mark.parametrize(
    "options",
    ["--verify", "--method diagram,sat", "", "--method diagram,sat --store no/folder.sqlite"],
)
def test_methods_that_differ_are_exit_1(run, wrong, options):
    answer = run(f"{SMALL} {options}")
    assert (answer.code, "DISAGREEMENT" in answer.err) == (1, True)
    assert {"2", "3"} <= set(numbers(answer.err))


@pytest.mark.parametrize(
    ("options", "code"), [("--verify", 1), ("--method search,sat", 1), ("--method sat", 0)]
)
def test_where_methods_are_compared_a_tiling_that_the_pruner_forbids_is_exit_1(
    run, monkeypatch, options, code
):
    monkeypatch.setattr(pruner, "sum_areas", lambda areas: {0})
    answer = run(f"{SMALL} {options}")
    assert (answer.code, "pruner" in answer.err) == (code, bool(code))


@pytest.mark.parametrize("options", ["", "-q", "--no-verify", "--method sat"])
def test_a_number_that_is_not_the_shipped_one_is_exit_1(run, monkeypatch, options):
    monkeypatch.setattr(shipped, "shipped_counts", lambda puzzle: {("Oct", "6"): 8})
    answer = run(f"count --reveal Oct,6 {options}")
    assert (answer.code, "DISAGREEMENT" in answer.err) == (1, True)
    assert {"7", "8"} <= set(numbers(answer.err))


@pytest.mark.parametrize(
    ("line", "tilings"),
    [("Oct 6 --place O:Jan,Feb,Jul,Aug,1,2", "6"), ("pentomino-3x20 --up-to-symmetry", "2")],
)
def test_what_is_counted_under_a_condition_is_not_the_shipped_number(run, line, tilings):
    answer = run(f"count {line}")
    assert (answer.code, answer.rows[0]["tilings"]) == (0, tilings)


def test_a_disagreement_of_classes_is_found(run, monkeypatch):
    real = UpToSymmetry.counts

    def counts(self, *question):
        found = real(self, *question)
        return found if self.one_by_one else {reveal: n + 1 for reveal, n in found.items()}

    monkeypatch.setattr(UpToSymmetry, "counts", counts)
    assert run("count pentomino-3x20 --up-to-symmetry --verify").code == 1


@pytest.mark.parametrize(
    ("options", "code"), [("sat --solver cryptosat", 4), ("diagram --time-limit 0", 3)]
)
def test_a_missing_solver_or_the_end_of_the_time_is_no_number(run, options, code):
    answer = run(f"count Jan 25..Jan 26 --method {options}")
    assert (answer.code, [row["tilings"] for row in answer.rows]) == (code, ["", ""])


@pytest.mark.parametrize(
    ("line", "way"),
    [("rhombus --all-reveals", "2027"), ("rhombus all", "2027"), ("small.toml", "--reveal")],
)
def test_too_many_reveals_are_not_begun_and_fewer_are_proposed(refused, monkeypatch, line, way):
    monkeypatch.setattr("satcal.cli.words.MAX_REVEALS", 1)
    refused(f"count {line}", 2, way)


def test_two_of_several_methods_have_to_finish():
    stopped = Counted(("Oct", "6"), 3, False, "sat")
    diagram, search = (Counted(("Oct", "6"), 7, True, name) for name in ("diagram", "search"))
    assert agree([stopped, None]) == agree([stopped, diagram]) == (None, "")
    assert agree([stopped, diagram, search]) == (7, "diagram+search")


# --- the store -----------------------------------------------------------------------------------


def test_a_label_is_written_as_it_is_but_for_a_bar_in_markdown(run, folder):
    (folder / "odd.toml").write_text(labels_alone(x=("a|b", "=1+1")).text)
    line = "count odd.toml --all-reveals -q"
    assert [row["x"] for row in run(line).rows] == ["a|b", "=1+1"]
    assert "| a\\|b | " in run(f"{line} --format markdown").out


def test_a_damaged_store_costs_no_row_and_is_exit_3(run, folder):
    assert run(f"{SMALL} -q --store s.csv").code == 0
    data = bytearray((folder / "s.csv").read_bytes())
    data[8192:9192] = bytes(1000)
    (folder / "s.csv").write_bytes(data)
    answer = run(f"{SMALL} -q --store s.csv")
    assert (answer.code, [row["tilings"] for row in answer.rows]) == (3, ["2", "2"])
    assert "damaged" in answer.err


@pytest.mark.parametrize("line", [f"{SMALL} --store s.csv", "boards", "store export --store s.csv"])
def test_a_store_is_not_replaced(run, refused, folder, line):
    assert run(f"{SMALL} --store s.csv").code == 0
    before = (folder / "s.csv").read_bytes()
    refused(f"{line} -o s.csv --force", 2, "s.csv")
    assert (folder / "s.csv").read_bytes() == before


@pytest.mark.parametrize("has_home", [False, True])
def test_a_user_without_a_place_for_the_default_store_counts(run, folder, monkeypatch, has_home):
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "SATCAL_CACHE", "SATCAL_STORE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 54_321)  # it is not in the list of users
    if has_home:
        (folder / "file").write_text("")
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "file" / "data"))
    assert run("count --reveal Oct,6 --no-verify").code == 0
    answer = run(f"{SMALL} --method sat")
    assert (answer.code, [row["tilings"] for row in answer.rows]) == (3, ["2", "2"])
    assert (answer.err.count("name a --store"), "2 not stored" in answer.err) == (1, True)
