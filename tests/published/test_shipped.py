"""satcal's own tables are found by the digest of a puzzle, and one that was edited is refused."""

import pytest

from oracle import TINY, truth
from satcal.errors import Disagreement, Missing
from satcal.files import data_folder
from satcal.published.shipped import (
    confirm,
    format_rank,
    read_manifest,
    shipped_table,
    tables_folder,
)
from satcal.puzzle.loading import load


def test_a_table_is_found_by_the_digest_of_the_puzzle(tables):
    table = shipped_table(TINY.load())
    assert {reveal: row.tilings for reveal, row in table.items()} == truth(TINY)
    assert {row.methods for row in table.values()} == {("diagram", "sat")}
    assert shipped_table(load("a-puzzle-a-day")) == {}


def test_a_table_that_was_edited_is_refused(tables):
    path = tables / "tiny.csv"
    path.write_text(path.read_text().replace("Jan,1,4", "Jan,1,5"))
    with pytest.raises(Disagreement, match="edited"):
        shipped_table(TINY.load())


def test_a_count_that_the_shipped_table_contradicts_is_a_disagreement():
    puzzle = load("a-puzzle-a-day")
    confirm(puzzle, {("Oct", "6"): 7})
    with pytest.raises(Disagreement, match="Oct 6"):
        confirm(puzzle, {("Oct", "6"): 8})


@pytest.mark.parametrize("board", sorted(read_manifest(tables_folder())))
def test_each_shipped_table_is_that_of_the_board_of_its_name(board):
    puzzle = load(board)
    assert list(shipped_table(puzzle)) == list(puzzle.reveals())


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "the fewest of 23"),
        (2, "the 2nd fewest of 23"),
        (11, "the 11th fewest of 23"),
        (21, "the 3rd most of 23"),
        (23, "the most of 23"),
    ],
)
def test_a_rank_counts_from_the_nearer_end(count, words):
    counts = {(str(n),): n for n in range(1, 24)}
    assert format_rank(counts, (str(count),)) == words


def test_data_is_found_in_a_checkout_and_in_an_installation(tmp_path):
    package = tmp_path / "site" / "satcal"
    inside, beside = package / "results", package.parent / "results"
    with pytest.raises(Missing):
        data_folder("results", package)
    for folder in (beside, inside):  # that in the package comes first
        folder.mkdir(parents=True)
        assert data_folder("results", package) == folder
