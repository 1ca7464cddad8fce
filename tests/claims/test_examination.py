"""A run over claim files: tables first, a method in limited time, rows counted again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from small import domino_rectangle
from tiny import FREE, TINY, truth

from satcal.cli.main import run
from satcal.errors import BudgetExhausted
from satcal.evidence.claims import examination
from satcal.evidence.claims.examination import Examination, chosen_rows
from satcal.evidence.claims.facts import Sources
from satcal.evidence.claims.reading import load_claims
from satcal.evidence.claims.verdicts import ClaimFile
from satcal.evidence.tables import Tables
from satcal.puzzle.model import Reveal
from tools.tables import write_table

PUZZLE = TINY.load()
CLAIMS = """
source = "somebody"
statement = [
  { id = "1", says = "Feb 1 has none", kind = "minimum", board = "tiny.toml", range = "all-dates", \
    tilings = 0, reveal = "Feb 1" },
  { id = "2", says = "the free board has three", kind = "count", board = "free.toml", tilings = 3, \
    certificate = "free", see = ["counts/free.csv"] },
  { id = "3", says = "all pairs have a tiling", kind = "survey-how-many", board = "tiny.toml", \
    at_least = 1, sets = 66 },
  { id = "4", says = "few may have most", hedge = "who knows", kind = "maximum", \
    board = "tiny.toml", range = "all-reveals" },
  { id = "5", says = "it is beautiful", kind = "open", board = "tiny.toml", \
    needs = "nobody can count that" },
]
"""
TEXT = """\
+ 1    confirmed: Feb 1 has none
       somebody (small)
- 2    refuted: the free board has three
       somebody (small)
       claimed 3; true is 2
       shown by results/certificates/free.satcert, results/counts/free.csv
- 3    refuted: all pairs have a tiling
       somebody (small)
       claimed 66 sets; true is 42 sets (Jan and Feb, Jan and r0c2, Jan and r0c3, …)
= 4    settled: few may have most
       somebody (small)
       the fact: the most is 4 (Jan 1)
       who knows
? 5    undecided: it is beautiful
       somebody (small)
       nobody can count that
"""
JUDGEMENTS = ["confirmed", "refuted", "refuted", "settled", "undecided"]


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satcal.counting.count.LocalProcesses", lambda jobs: ThreadPoolExecutor(1))


@pytest.fixture
def claims(tmp_path: Path) -> list[ClaimFile]:
    (tmp_path / "tiny.toml").write_text(TINY.text())
    (tmp_path / "free.toml").write_text(FREE.text())
    (tmp_path / "claims.toml").write_text(CLAIMS)
    return [load_claims(tmp_path / "claims.toml")]


def tables(folder: Path, counts: Mapping[Reveal, int] | None = None) -> Tables:
    write_table(folder / "counts", "tiny", PUZZLE, counts or truth(TINY), "diagram")
    return Tables(folder / "counts")


def test_without_a_table_a_method_answers_and_the_verdicts_are_the_same(
    claims: list[ClaimFile], tmp_path: Path
) -> None:
    without = Examination("search", tables=Tables(tmp_path / "none"), jobs=1)
    assert [verdict.judgement.value for verdict in without.verdicts(claims)] == JUDGEMENTS
    assert list(without.recounted()) == []


@pytest.mark.parametrize("method", ["diagram", "sat"])
@pytest.mark.parametrize(("recounts", "rows"), [(0, 0), (3, 3), (None, 6)])
def test_a_diagram_counts_all_rows_again_and_sat_as_many_as_were_asked_for(
    method: str, recounts: int | None, rows: int, claims: list[ClaimFile], tmp_path: Path
) -> None:
    counted = Examination(method, tables=tables(tmp_path), recounts=recounts, jobs=1)
    assert list(counted.recounted()) == []  # no statement has used a table
    assert [verdict.judgement.value for verdict in counted.verdicts(claims)] == JUDGEMENTS
    again = list(counted.recounted())
    by_diagram = 6 if method == "diagram" else 0
    assert [row.method for row in again] == ["diagram"] * by_diagram + ["sat"] * rows
    assert all(row.fresh == row.table == truth(TINY)[row.reveal] for row in again)
    if recounts == 3:  # those that decide first
        assert [row.reveal for row in again[by_diagram:]][:2] == [("Feb", "1"), ("Jan", "1")]


def test_rows_are_chosen_alike_in_every_run_and_none_that_takes_sat_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "MOST_TILINGS", 2)
    first = chosen_rows(PUZZLE, [("Jan", "29"), ("Jan", "29")], 4)
    assert first == chosen_rows(PUZZLE, [("Jan", "29")], 4)
    assert (first[0], len(set(first))) == (("Jan", "29"), 4)
    table = tables(tmp_path).find(PUZZLE)
    assert sorted(chosen_rows(PUZZLE, [], 9, table)) == sorted(set(truth(TINY)) - {("Jan", "1")})
    write_table(tmp_path / "free", "free", FREE.load(), {(): 2}, "sat")
    assert chosen_rows(FREE.load(), [], 9, Tables(tmp_path / "free").find(FREE.load())) == []


def test_a_method_that_runs_out_of_time_says_so_and_how_to_go_on(tmp_path: Path) -> None:
    stuck = domino_rectangle(12, 12, corners=False).load()
    source = Sources(Tables(tmp_path), "sat", 0.05, jobs=1)
    for ask in (lambda: source.counts(stuck, [()]), lambda: list(source.tilings(stuck, ()))):
        with pytest.raises(
            BudgetExhausted, match=r"by sat within 0\.05 seconds; use --recount all"
        ):
            ask()


# --- the command --------------------------------------------------------------------------------

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(
    claims: list[ClaimFile], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Command:  # fmt: skip
    """Examine the statements above, with a table of the tiny puzzle, in this process."""
    monkeypatch.setattr(examination, "results_folder", lambda: tmp_path)
    tables(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["claims", str(tmp_path / "claims.toml"), *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_verdicts_as_text_name_source_claim_truth_and_reason(command: Command) -> None:
    code, out, err = command("--recount", "2")
    assert (code, out) == (0, TEXT)
    assert err.endswith(
        "rows counted again by diagram, equal to satcal's tables: 6 of tiny\n"
        "rows counted again by sat, equal to satcal's tables: 2 of tiny\n"
        "5 statements: 1 confirmed, 2 refuted, 1 settled, 1 undecided\n"
    )
    assert command("--quiet", "--strict") == (1, TEXT, "")


def test_what_there_is_no_time_to_count_is_undecided_and_exit_3_unless_all_is_asked_for(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "SECONDS", 0.0)
    code, out, err = command("--method", "sat", "--jobs", "1")
    assert code == 3
    assert "? 2    undecided: the free board has three\n" in out
    late = "small: not counted by sat within 0 seconds; use --recount all\n"
    assert late in out
    assert f"not all rows were counted again: {late}" in err
    assert command("--method", "sat", "--jobs", "1", "--recount", "all")[:2] == (0, TEXT)


@pytest.mark.parametrize("method", ["diagram", "sat"])
def test_a_wrong_table_is_believed_and_exit_1_after_the_verdicts(
    command: Command, tmp_path: Path, method: str
) -> None:
    (tmp_path / "counts" / "manifest.toml").unlink()
    tables(tmp_path, {**truth(TINY), ("Feb", "1"): 3, ("Feb", "30"): 3})
    code, out, err = command("--recount", "all", "--method", method)
    assert (code, out.splitlines()[0]) == (1, "- 1    refuted: Feb 1 has none")
    assert err.endswith(
        f"satcal: error: tiny Feb 1: the table says 3, {method} counts 0; "
        f"tiny Feb 30: the table says 3, {method} counts 0\n"
    )
