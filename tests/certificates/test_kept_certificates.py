"""The certificates in `results/certificates`, and what the docs say of the base."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers import checkers
from satcal.analysis.survey import survey
from satcal.certificates.certify import stated
from satcal.certificates.checking import check, puzzle_of, same_puzzle
from satcal.proof.check import opened
from satcal.published.own_tables import Tables, results_folder
from satcal.puzzle.loading import load
from satcal.puzzle.shapes import Cell

RESULTS = results_folder()
FILES = sorted((RESULTS / "certificates").glob("*.satcert"))
PAIRS = RESULTS / "certificates" / "a-puzzle-a-day.pairs.satcert"
DATED = [path for path in FILES if path != PAIRS]
DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "explanation" / "trust.md").read_text()


def test_every_certificate_that_a_claim_names_is_there() -> None:
    texts = (file.read_text() for file in (RESULTS / "published").glob("*.toml"))
    named = {name for text in texts for name in re.findall(r'^certificate = "(.*)"', text, re.M)}
    assert named <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", DATED, ids=lambda path: path.stem)
def test_a_kept_certificate_states_what_the_table_says(path: Path) -> None:
    board = path.stem.partition(".")[0]
    with open(path, "rb") as file:
        for statement, blocks in opened(file):
            puzzle = puzzle_of(statement)
            assert same_puzzle(puzzle, load(board))
            table = Tables(RESULTS / "counts").find(puzzle)
            assert table is not None
            for tree in statement.stated:
                assert tree.tilings == table.tilings(tree.reveal)
            assert sum(map(len, blocks)) <= 2 * sum(tree.nodes for tree in statement.stated)


@pytest.mark.parametrize("path", [path for path in FILES if path.stat().st_size < 50_000])
def test_a_small_one_is_accepted_by_satcal_and_by_the_strangers_checker(path: Path) -> None:
    data = path.read_bytes()
    proved = [tree.tilings for tree in check(data).proved]
    assert [tilings for _, _, tilings in checkers.accepts(data) or []] == proved


@pytest.mark.long
@pytest.mark.parametrize("path", DATED, ids=lambda path: path.stem)
def test_a_kept_certificate_is_accepted(path: Path) -> None:
    assert check(path).library == path.stem.partition(".")[0]


def test_the_kept_certificate_of_pairs_states_what_a_survey_counts() -> None:
    """Of every board without two cells; claims 8a and 34 rest on it."""
    board = load("a-puzzle-a-day")
    pieces = [(piece.name, piece.shape, piece.copies, piece.flip) for piece in board.drawn]
    found: dict[tuple[Cell, ...], int] = {}
    for puzzle, ((reveal, tilings, _, _),) in (each[1:] for each in stated(PAIRS)):
        assert list(map(tuple, puzzle.pieces)) == pieces and not puzzle.categories and not reveal
        assert set(puzzle.cells) <= set(board.cells)
        found[tuple(sorted(set(board.cells).difference(puzzle.cells)))] = tilings
    assert found == survey(board).counts
    assert sum(found.values()) == 59_787


@pytest.mark.long
def test_the_kept_certificate_of_pairs_is_accepted() -> None:
    parts = check(PAIRS).parts
    assert (len(parts), sum(part.tilings for part in parts)) == (903, 59_787)
    assert len(checkers.accepts(PAIRS.read_bytes()) or []) == 903


def test_the_docs_state_the_size_of_the_trusted_base() -> None:
    names = ("normal", "board", "walk", "check")
    files = [DOCS.parent / "satcal" / "proof" / f"{name}.py" for name in names]
    lines = sum(len(path.read_text().splitlines()) for path in files)
    stated = re.search(r"some ([0-9]+) lines", TEXT)
    assert stated is not None
    assert abs(lines - int(stated[1])) <= 50
