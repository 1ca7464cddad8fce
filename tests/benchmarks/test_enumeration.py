"""The benchmark of enumerators chooses the same dates each time, resumes, and shows bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import comparing, enumeration
from benchmarks.measure import ROOT
from benchmarks.suites import Case

COUNTS = ROOT / "results" / "counts"


def row(peer: str, busy: float, reveal: str, status: str = "ok") -> dict[str, str]:
    return {
        "board": "a-puzzle-a-day", "reveal": reveal, "tilings": "92", "round": "1", "peer": peer,
        "status": status, "seconds": str(2 * busy), "busy": str(busy), "limit": "300",
        "version": "1", "machine": "m",
    }  # fmt: skip


def test_the_dates_are_easy_to_hard_on_five_boards_and_the_hard_one() -> None:
    cases = enumeration.cases(COUNTS)
    assert len(cases) == 26
    assert len({case.board for case, _ in cases}) == 5
    assert (Case("weekday", "Sat,Oct,25"), 1458) in cases
    for board in enumeration.BOARDS:
        tilings = [n for case, n in cases if case.board == board and case != enumeration.HARD]
        assert tilings == sorted(tilings)
        assert tilings[0] * 3 < tilings[-1]


def measured(tilings: int) -> Any:
    def measure(peer: str, program: bool, case: Case, limit: float) -> dict[str, Any]:
        times = dict.fromkeys(("seconds", "busy", "wall", "cpu"), 1.23456)
        return {"status": "ok", "tilings": tilings, "peak": 1000, **times}

    return measure


@pytest.fixture
def one_date(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    known = {name: {"version": "1", "program": False} for name in enumeration.PEERS}
    monkeypatch.setattr(enumeration, "ask", lambda *_: (None, {"peers": known}))
    monkeypatch.setattr(enumeration, "cases", lambda _: [(Case("a-puzzle-a-day", "Dec,25"), 92)])
    monkeypatch.setattr(enumeration, "measure", measured(92))
    return monkeypatch


def test_a_run_goes_on_after_its_last_row_and_then_measures_nothing(
    one_date: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, arguments = tmp_path / "enumeration.csv", ["--output", str(tmp_path)]
    assert enumeration.main(arguments) == 0
    whole = path.read_text()
    assert len(whole.splitlines()) == 1 + len(enumeration.PEERS)
    page = path.with_suffix(".md").read_bytes()
    path.write_text("".join(whole.splitlines(keepends=True)[:-2]))
    assert enumeration.main(arguments) == 0
    assert path.read_text() == whole
    one_date.setattr(enumeration, "measure", None)
    assert enumeration.main(arguments) == 0
    assert path.with_suffix(".md").read_bytes() == page


def test_a_count_that_differs_from_the_tables_ends_the_run_and_is_no_row(
    one_date: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one_date.setattr(enumeration, "measure", measured(91))
    assert enumeration.main(["--output", str(tmp_path)]) == 1
    assert "a-puzzle-a-day Dec,25: satcal-sat-none counts 91" in capsys.readouterr().err
    assert not (tmp_path / "enumeration.csv").exists()


def test_the_page_shows_medians_of_ratios_and_bounds_where_a_peer_was_stopped() -> None:
    rows = [
        row("satcal-sat-closed", 1, "Dec,25"), row("cp-sat", 5, "Dec,25"),
        row("satcal-sat-closed", 1, "Dec,26"), row("cp-sat", 2, "Dec,26", "late"),
    ]  # fmt: skip
    page = comparing.markdown(rows)
    assert (
        "| satcal-sat-closed over cp-sat, median of 2 dates | ≥ 3.50 (3.50) | 3 | 2.00 | 5.00 "
        "| 1 of 2 |"
    ) in page
    assert "| a-puzzle-a-day Dec,25 | 92 | 1 (2) | 5 (10) | 5.0 |" in page
    assert "| a-puzzle-a-day Dec,26 | 92 | 1 (2) | ≥ 2 (4) | ≥ 2.0 |" in page
