"""Rows of the tables in results/counts, drawn anew in every run, are counted again."""

from __future__ import annotations

import random

import pytest

from satcal.counting.count import count_one
from satcal.counting.settings import Settings
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.evidence.tables import Tables, results_folder
from satcal.puzzle.loading import load

COUNTS = results_folder() / "counts"
QUICK = 500  # tilings that sat finds in about a second


@pytest.mark.parametrize("board", sorted(entry.board for entry in Tables(COUNTS).entries))
def test_rows_drawn_at_random_are_counted_again(board: str) -> None:
    published = results_folder() / "published" / "puzzles" / f"{board}.toml"
    puzzle = load(str(published) if published.exists() else board)
    table = Tables(COUNTS).find(puzzle)
    assert table
    seed = random.SystemRandom().randrange(10**9)
    rows = list(puzzle.reveals())
    random.Random(seed).shuffle(rows)
    for reveal in rows[:1]:
        counted = PuzzleDiagram.build(puzzle, [reveal]).count(reveal)
        assert counted == table.tilings(reveal), f"{board} {reveal} by diagram, seed {seed}"
    for reveal in [each for each in rows if table.tilings(each) < QUICK][:1]:
        outcome = count_one(puzzle, reveal, Settings(method="sat"))
        assert outcome.tilings == table.tilings(reveal), f"{board} {reveal} by sat, seed {seed}"
