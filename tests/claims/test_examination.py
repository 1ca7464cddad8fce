"""A run over claim files: tables first, a method within bounds, rows counted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from small import domino_rectangle
from tiny import FREE, SOURCES, TINY, truth

from satcal.counting import executors
from satcal.counting.survey import Survey
from satcal.errors import BudgetExhausted, Disagreement
from satcal.evidence.claims import (
    Bounds,
    ClaimFile,
    Examination,
    Judgement,
    Sources,
    load_claims,
    sources,
)
from satcal.evidence.claims.sources import ByMethod, chosen_rows
from satcal.evidence.tables import Tables
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from tools.tables import write_table

PUZZLE = TINY.load()
CLAIMS = """
source = "somebody"
[[statement]]
id = "1"
says = "Feb 1 has none"
kind = "minimum"
board = "tiny.toml"
range = "all-dates"
tilings = 0
reveal = "Feb 1"
[[statement]]
id = "2"
says = "the free board has three"
kind = "count"
board = "free.toml"
tilings = 3
[[statement]]
id = "3"
says = "the free board has one up to symmetry"
kind = "up-to-symmetry"
board = "free.toml"
classes = 1
"""


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "local_processes", lambda jobs: ThreadPoolExecutor(1))


@pytest.fixture
def claims(tmp_path: Path) -> list[ClaimFile]:
    (tmp_path / "tiny.toml").write_text(TINY.text())
    (tmp_path / "free.toml").write_text(FREE.text())
    (tmp_path / "claims.toml").write_text(CLAIMS)
    return [load_claims(tmp_path / "claims.toml")]


def tables(folder: Path, counts: Mapping[Reveal, int]) -> Tables:
    write_table(folder / "counts", "tiny", PUZZLE, counts, "diagram")
    return Tables(folder / "counts")


class Asked:
    """Sources that remember what was asked of them."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, tuple[Reveal, ...]]] = []

    def __call__(self, method: str, bounds: Bounds, jobs: int | None) -> Sources:
        return Sources(self.counts, SOURCES.tilings)

    def counts(self, puzzle: Puzzle, reveals: Sequence[Reveal]) -> Mapping[Reveal, int]:
        self.counted.append((puzzle.digest, tuple(reveals)))
        return SOURCES.counts(puzzle, reveals)


def test_a_table_answers_where_there_is_one_and_the_method_otherwise(
    claims: list[ClaimFile], tmp_path: Path
) -> None:
    asked = Asked()
    run = Examination(tables=tables(tmp_path, truth(TINY)), make_sources=asked)
    verdicts = [verdict.judgement for verdict in run.verdicts(claims)]
    assert verdicts == [Judgement.CONFIRMED, Judgement.REFUTED, Judgement.CONFIRMED]
    assert asked.counted == [(FREE.load().digest, ((),))]


def test_the_rows_that_decide_are_counted_again_first(
    claims: list[ClaimFile], tmp_path: Path
) -> None:
    counted = tables(tmp_path, truth(TINY))
    run = Examination("sat", tables=counted, make_sources=Asked(), recounts=3)
    list(run.verdicts(claims))
    rows = list(run.recounted())
    assert [row.board for row in rows] == ["tiny"] * 3
    assert (rows[0].reveal, rows[0].table, rows[0].fresh, rows[0].method) == (
        ("Feb", "1"), 0, 0, "sat",
    )  # fmt: skip


@pytest.mark.parametrize(("recounts", "rows"), [(0, 0), (1, 1), (None, 6)])
def test_as_many_rows_are_counted_again_as_were_asked_for(
    recounts: int | None, rows: int, claims: list[ClaimFile], tmp_path: Path
) -> None:
    counted = tables(tmp_path, truth(TINY))
    run = Examination("sat", tables=counted, make_sources=Asked(), recounts=recounts)
    list(run.verdicts(claims))
    assert len(list(run.recounted())) == rows


@pytest.mark.parametrize(("recounts", "rows"), [(0, 0), (1, 1), (None, 6)])
def test_a_diagram_counts_all_rows_again_and_sat_as_many_as_were_asked_for(
    recounts: int | None, rows: int, claims: list[ClaimFile], tmp_path: Path
) -> None:
    run = Examination(tables=tables(tmp_path, truth(TINY)), make_sources=Asked(), recounts=recounts)
    list(run.verdicts(claims))
    methods = [row.method for row in run.recounted()]
    assert methods == ["diagram"] * 6 + ["sat"] * rows


def test_no_row_that_takes_sat_minutes_is_counted_again_unless_all_are(
    claims: list[ClaimFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MOST_TILINGS", 2)
    run = Examination(tables=tables(tmp_path, truth(TINY)), make_sources=Asked(), recounts=9)
    list(run.verdicts(claims))
    again = [row.reveal for row in run.recounted() if row.method == "sat"]
    assert sorted(again) == sorted(set(truth(TINY)) - {("Jan", "1")})
    free = write_table(tmp_path / "free", "free", FREE.load(), {(): 2}, "sat")
    table = Tables(free.parent).find(FREE.load())
    assert table
    assert sources.chosen_small_rows(FREE.load(), table, [], 9) == []
    assert sources.chosen_small_rows(FREE.load(), table, [], None) == [()]


def test_a_method_that_counts_all_at_once_has_no_bounds_and_others_have(
    claims: list[ClaimFile], tmp_path: Path
) -> None:
    seen: list[tuple[str, Bounds]] = []

    def make(method: str, bounds: Bounds, jobs: int | None) -> Sources:
        seen.append((method, bounds))
        return SOURCES

    run = Examination(tables=tables(tmp_path, truth(TINY)), make_sources=make)
    list(run.verdicts(claims))
    list(run.recounted())
    assert dict(seen) == {"diagram": Bounds(None, None), "sat": Bounds()}


def test_a_survey_is_made_once_for_all_statements(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY.text())
    one = '[[statement]]\nid = "{}"\nsays = "so"\nboard = "tiny.toml"\n'
    (tmp_path / "claims.toml").write_text(
        'source = "somebody"\n'
        + one.format(1) + 'kind = "survey-total"\ntilings = 104\n'
        + one.format(2) + 'kind = "survey-how-many"\nexactly = 0\nsets = 3\n'
    )  # fmt: skip
    made: list[Puzzle] = []

    def survey(puzzle: Puzzle) -> Survey:
        made.append(puzzle)
        return SOURCES.survey(puzzle)

    run = Examination(
        tables=Tables(tmp_path / "none"),
        make_sources=lambda *_: Sources(SOURCES.counts, SOURCES.tilings, survey),
    )
    found = list(run.verdicts([load_claims(tmp_path / "claims.toml")]))
    assert [verdict.judgement.value for verdict in found] == ["confirmed", "refuted"]
    assert found[1].truth == "24 sets (Feb and r0c2, Feb and 1, Feb and 30, …)"
    assert len(made) == 1


def test_the_sample_of_rows_is_the_same_in_every_run() -> None:
    puzzle = load("a-puzzle-a-day")
    first = chosen_rows(puzzle, [("Oct", "6"), ("Oct", "6")], 5)
    assert first == chosen_rows(puzzle, [("Oct", "6")], 5)
    assert first[0] == ("Oct", "6")
    assert len(set(first)) == 5


@pytest.mark.parametrize("method", ["diagram", "sat"])
def test_a_table_that_differs_from_a_fresh_count_is_a_disagreement_after_all_rows(
    method: str, claims: list[ClaimFile], tmp_path: Path
) -> None:
    wrong = tables(tmp_path, {**truth(TINY), ("Jan", "30"): 9})
    run = Examination(method, tables=wrong, make_sources=Asked(), recounts=None)
    list(run.verdicts(claims))
    rows = []
    with pytest.raises(Disagreement) as caught:
        for row in run.recounted():
            rows.append(row)
    assert len(rows) == 6
    assert str(caught.value) == f"tiny Jan 30: the table says 9, {method} counts 2"


def test_tables_that_no_statement_used_are_not_counted_again(tmp_path: Path) -> None:
    run = Examination(tables=tables(tmp_path, truth(TINY)), make_sources=Asked())
    assert list(run.verdicts([])) == []
    assert list(run.recounted()) == []


def test_without_tables_the_method_counts(claims: list[ClaimFile], tmp_path: Path) -> None:
    run = Examination("search", tables=Tables(tmp_path / "none"), jobs=1)
    verdicts = [verdict.judgement for verdict in run.verdicts(claims)]
    assert verdicts == [Judgement.CONFIRMED, Judgement.REFUTED, Judgement.CONFIRMED]


def test_more_counts_than_the_bound_are_undecided_unless_all_are_recounted(
    claims: list[ClaimFile], tmp_path: Path
) -> None:
    nothing = Tables(tmp_path / "none")
    run = Examination("search", tables=nothing, bounds=Bounds(counts=2), jobs=1)
    first, *rest = run.verdicts(claims)
    assert first.judgement is Judgement.UNDECIDED
    assert first.reason == (
        "needs 5 counts of small by search, more than 2, and there is no table; use --recount all"
    )
    assert [verdict.judgement.value for verdict in rest] == ["refuted", "confirmed"]
    everything = Examination("search", recounts=None, tables=nothing, bounds=Bounds(counts=2))
    assert next(everything.verdicts(claims)).judgement is Judgement.CONFIRMED


def test_a_method_that_runs_out_of_time_says_so_and_how_to_go_on() -> None:
    stuck = domino_rectangle(12, 12, corners=False).load()
    source = ByMethod("sat", Bounds(seconds=0.05), jobs=1)
    message = "not counted by sat within 0.05 seconds; use --recount all"
    with pytest.raises(BudgetExhausted, match=message):
        source.counts(stuck, [()])
    with pytest.raises(BudgetExhausted, match=message):
        list(source.tilings(stuck, ()))


def test_the_bounds_are_for_all_calls_of_one_statement() -> None:
    source = ByMethod("search", Bounds(counts=3, seconds=None), jobs=1)
    source.counts(PUZZLE, [("Jan", "1"), ("Jan", "29")])
    with pytest.raises(BudgetExhausted, match="needs 4 counts"):
        source.counts(PUZZLE, [("Jan", "30"), ("Feb", "1")])
