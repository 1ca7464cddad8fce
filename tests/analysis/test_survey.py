"""Surveys: every set of cells that may stay uncovered, against brute force and the tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import assume, example, given

from oracle import Cell, Piece, Small, small_puzzles
from satcal.analysis.survey import count_sets
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.diagram.reveals import RevealTable
from satcal.errors import Disagreement, TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement

STRAIGHT = Piece("I3", ("###",))
CORNER = Piece("V", ("##", "#."), 2)
SQUARE = Piece("O", ("##", "##"))


def without(small: Small, uncovered: tuple[Cell, ...]) -> Small:
    """Return the board without some cells and without labels."""
    board = tuple(
        tuple("." if token == "." or (r, c) in uncovered else "*" for c, token in enumerate(row))
        for r, row in enumerate(small.board)
    )
    return Small(board, small.pieces)


def uncovering(number: int, rows: int, columns: int, *pieces: Piece) -> Small:
    """Return a rectangle on which the pieces leave a number of cells uncovered."""
    tokens = iter(["a"] * number + ["*"] * (rows * columns - number))
    board = tuple(tuple(itertools.islice(tokens, columns)) for _ in range(rows))
    return Small(board, pieces, (("x", ("a",)),))


def check(small: Small) -> None:
    """Survey a board and compare every set with brute force."""
    puzzle = small.load()
    found = count_sets(puzzle)
    assert list(found.counts) == list(itertools.combinations(puzzle.cells, found.size))
    for cells, count in found.counts.items():
        assert count == len(without(small, cells).tilings(()))
        assert not (found.cuts_off(cells) and count)


@given(small_puzzles())
@example(uncovering(4, 2, 4, SQUARE))
def test_every_set_of_a_random_board_has_the_tilings_of_brute_force(small):
    puzzle = small.load()
    assume(len(puzzle.cells) - puzzle.area <= 4)
    check(small)


@pytest.mark.parametrize(
    ("board", "sets", "total"),
    [
        ("a-puzzle-a-day", 903, 59_787),
        pytest.param("rhombus", 19_600, 10_864_640, marks=pytest.mark.long),
    ],
)
def test_the_sets_of_a_calendar_agree_with_its_table(board, sets, total):
    puzzle = load(board)
    found = count_sets(puzzle)
    assert (len(found.counts), found.total) == (sets, total)
    counts = PuzzleDiagram.build(puzzle).counts()
    for reveal, tilings in counts.items():
        assert found.counts[tuple(sorted(puzzle.uncovered_cells(reveal)))] == tilings


def test_what_is_placed_is_in_every_tiling_and_in_no_set():
    small = uncovering(3, 3, 4, CORNER, STRAIGHT)
    line = {(0, 0), (1, 0), (2, 0)}
    puzzle = small.load()
    found = count_sets(puzzle, [Placement("I3", tuple(sorted(line)))])
    free = [cell for cell in puzzle.cells if cell not in line]
    assert list(found.counts) == list(itertools.combinations(free, 3))
    for cells, count in found.counts.items():
        tilings = without(small, cells).tilings(())
        assert count == sum(("I3", frozenset(line)) in tiling for tiling in tilings)
    assert found.cuts_off(((0, 2), (1, 1), (2, 3)))
    assert not found.cuts_off(((0, 1), (0, 2), (0, 3)))


def test_sets_of_more_than_four_cells_are_refused():
    with pytest.raises(TooLarge, match="5 cells"):
        count_sets(uncovering(5, 2, 4, Piece("V", ("##", "#."))).load())


@pytest.mark.parametrize("limit", [10**5, 4 * 10**6])
def test_more_memory_than_the_limit_is_refused(daily, limit):
    with pytest.raises(TooLarge, match="a-puzzle-a-day"):
        count_sets(daily, memory_limit=limit)


def test_counts_beyond_a_machine_word_are_exact():
    puzzle = uncovering(2, 3, 64, Piece("I2", ("##",), 95)).load()
    found = count_sets(puzzle, memory_limit=None)
    assert found.total > 2**64
    for cells in [((0, 0), (0, 1)), ((0, 0), (2, 63)), ((0, 7), (1, 40)), ((0, 0), (1, 1))]:
        left = tuple(cell for cell in puzzle.cells if cell not in cells)
        board = replace(puzzle, cells=left, labels={}, categories={})
        assert found.counts[cells] == PuzzleDiagram.build(board).count()
    assert found.counts[(0, 0), (0, 1)] > 2**53  # where floats end


def test_a_table_that_does_not_add_up_is_a_disagreement(daily, monkeypatch):
    real = RevealTable.at
    monkeypatch.setattr(RevealTable, "at", lambda *a: real(*a) // 2)
    with pytest.raises(Disagreement, match="59787"):
        count_sets(daily)
