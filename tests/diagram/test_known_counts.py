"""Counts that are published, or that satcal's tables hold."""

from __future__ import annotations

import pytest

from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.evidence.tables import read_manifest, read_table, results_folder
from satcal.puzzle.loading import library, load

COUNTS = results_folder() / "counts"
TABLES = [entry for entry in read_manifest(COUNTS / "manifest.toml") if entry.board in library()]


def test_the_43_cell_board_has_25061_tilings_in_372_reveals(daily_diagram: PuzzleDiagram) -> None:
    counts = daily_diagram.counts()
    assert (len(counts), sum(counts.values()), daily_diagram.count()) == (372, 25_061, 25_061)
    assert (min(counts.values()), max(counts.values())) == (7, 216)
    assert (counts["Oct", "6"], counts["Jan", "25"]) == (7, 216)


@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("pentomino-6x10", 9356),
        ("pentomino-5x12", 4040),
        ("pentomino-4x15", 1472),
        ("pentomino-3x20", 8),
        ("pentomino-8x8-hole", 520),
    ],
)
def test_the_pentomino_rectangles_have_four_times_their_published_counts(
    board: str, count: int
) -> None:
    diagram = PuzzleDiagram.build(load(board))
    assert diagram.counts() == {(): count}
    assert diagram.count() == diagram.count(()) == count


def test_the_rhombus_has_201_tilings_on_thursday_october_23(
    rhombus_diagram: PuzzleDiagram,
) -> None:
    counts = rhombus_diagram.counts()
    assert (len(counts), sum(counts.values())) == (2604, 1_527_044)
    assert counts["Thu", "Oct", "23"] == rhombus_diagram.count(("Thu", "Oct", "23")) == 201


def test_the_weekday_board_has_866_tilings_on_monday_august_17() -> None:
    puzzle = load("weekday")
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    counts = diagram.counts()
    reveal = puzzle.check_reveal(("Mon", "Aug", "17"))
    assert counts[reveal] == diagram.count(reveal) == 866
    assert sum(counts.values()) == 4_937_780


@pytest.mark.parametrize("entry", TABLES, ids=lambda entry: entry.board)
def test_the_tables_of_the_library_are_what_the_diagram_counts(entry) -> None:
    puzzle = load(entry.board)
    table = read_table(COUNTS / f"{entry.board}.csv", puzzle)
    assert table.digest == entry.digest
    counted = open_diagram(puzzle, list(puzzle.reveals())).counts()
    assert {frozenset(r): n for r, n in counted.items()} == {
        labels: row.tilings for labels, row in table.rows.items()
    }
    assert all(
        set(row.methods) <= {"diagram", "sat", "search", "verified"} for row in table.rows.values()
    )
