"""satcal's own tables: what is written is read, what is damaged is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from satcal.published.own_tables import Tables, read_manifest, results_folder

from helpers.puzzles import TINY, truth
from satcal.errors import Disagreement, FormatError, Missing
from satcal.puzzle.loading import load, parse_puzzle
from tools import tables as produce
from tools.tables import write_table

PUZZLE = TINY.load()
COUNTS = truth(TINY)
CSV = """month,day,tilings,methods
Jan,1,4,sat
Jan,29,2,sat
Jan,30,2,sat
Feb,1,0,sat
Feb,29,2,sat
Feb,30,0,sat
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the table of the tiny puzzle."""
    write_table(tmp_path, "tiny", PUZZLE, COUNTS, "sat")
    return tmp_path


def test_a_table_has_a_row_per_reveal_and_is_found_by_the_digest_of_the_puzzle(
    folder: Path,
) -> None:
    assert (folder / "tiny.csv").read_text() == CSV
    table = Tables(folder).find(PUZZLE)
    assert table
    assert {reveal: table.tilings(reveal) for reveal in PUZZLE.reveals()} == COUNTS
    assert Tables(folder).find(load("a-puzzle-a-day")) is None
    assert Tables(folder / "none").find(PUZZLE) is None


def test_a_table_also_speaks_for_the_same_puzzle_with_its_categories_in_another_order(
    folder: Path,
) -> None:
    text = (
        TINY.text()
        .replace("month = ['Jan', 'Feb']\n", "")
        .replace("[pieces]", "month = ['Feb', 'Jan']\n[pieces]")
    )
    turned = parse_puzzle(text, "turned.toml")
    assert next(turned.reveals()) == ("1", "Feb")
    table = Tables(folder).find(turned)
    assert table
    assert table.tilings(("1", "Jan")) == 4


def test_a_second_method_joins_the_rows_that_it_counted_and_changes_no_count(
    folder: Path,
) -> None:
    with pytest.raises(Disagreement) as caught:
        write_table(folder, "tiny", PUZZLE, {**COUNTS, ("Jan", "29"): 3}, "search")
    assert str(caught.value) == "tiny Jan 29: the table says 2 (sat), search counts 3"
    assert (folder / "tiny.csv").read_text() == CSV
    write_table(folder, "tiny", PUZZLE, {("Jan", "1"): 4}, "diagram")
    lines = (folder / "tiny.csv").read_text().splitlines()
    assert lines[1:3] == ["Jan,1,4,diagram+sat", "Jan,29,2,sat"]


def test_a_table_of_a_puzzle_that_has_changed_is_replaced_whole(folder: Path) -> None:
    other, many = load("pentomino-3x20"), 3**100
    write_table(folder, "tiny", other, {(): many}, "sat")
    assert (folder / "tiny.csv").read_text() == f"tilings,methods\n{many},sat\n"
    assert Tables(folder).find(PUZZLE) is None
    assert [entry.total for entry in read_manifest(folder / "manifest.toml")] == [many]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            "tiny.csv",
            "month,day",
            "day,month,extra",
            "its header is 'day,month,extra,tilings,methods', not 'month,day,tilings,methods'",
        ),
        ("tiny.csv", "Feb,1,0,sat\n", "", "missing reveals: 1, the first is 'Feb,1'; add them"),
        ("tiny.csv", "Feb,1,", "Jan,29,", "line 5: 'Jan,29' is listed twice; remove the line"),
        (
            "tiny.csv",
            "Feb,1,",
            "Mar,1,",
            "line 5: 'Mar,1' is not a reveal of the puzzle; remove the line",
        ),
        ("tiny.csv", "Feb,1,0,sat", "Feb,1,0", "line 5: 3 entries, but the header has 4"),
        (
            "tiny.csv",
            "Feb,1,0",
            "Feb,1,-1",
            "line 5: '-1' is not a number of tilings; write digits only",
        ),
        (
            "tiny.csv",
            "Feb,1,0",
            "Feb,1,٣",
            "line 5: '٣' is not a number of tilings; write digits only",
        ),
        (
            "tiny.csv",
            "Feb,1,0,sat",
            "Feb,1,0,by hand",
            "line 5: 'by hand' names no methods; write them as diagram+sat",
        ),
        (
            "tiny.csv",
            "Jan,1,4",
            "Jan,1,5",
            "6 rows with 11 tilings, but manifest.toml says 6 with 10; one of them was edited: "
            "produce them again",
        ),
        (
            "manifest.toml",
            '"tiny"',
            '"../tiny"',
            "../tiny: write digest (a text), rows and total (numbers)",
        ),
        (
            "manifest.toml",
            "rows = 6",
            "rows = 6.5",
            "tiny: write digest (a text), rows and total (numbers)",
        ),
        (
            "manifest.toml",
            '["tiny"]',
            "tiny = 3",
            "tiny: write digest (a text), rows and total (numbers)",
        ),
    ],
)
def test_a_damaged_table_is_refused_with_its_line(
    name: str, old: str, new: str, message: str, folder: Path
) -> None:
    path = folder / name
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises((FormatError, Disagreement)) as caught:
        Tables(folder).find(PUZZLE)
    assert str(caught.value) == f"{path}: {message}"


def test_all_tables_of_satcal_are_those_of_the_puzzles_they_are_named_after() -> None:
    tables = Tables(results_folder() / "counts")
    named = {f"{entry.board}.csv" for entry in tables.entries}
    assert named == {path.name for path in tables.folder.glob("*.csv")}
    for entry in tables.entries:
        puzzle = load(entry.board)
        table = tables.find(puzzle)
        assert table, entry.board
        assert (puzzle.name, puzzle.digest) == (entry.board, entry.digest)
        assert [frozenset(reveal) for reveal in puzzle.reveals()] == list(table.rows)


def test_results_are_found_in_a_checkout_and_in_an_installation(tmp_path: Path) -> None:
    package = tmp_path / "site" / "satcal"
    inside, beside = package / "results", package.parent / "results"
    with pytest.raises(Missing) as caught:
        results_folder(package)
    assert str(caught.value) == (
        f"the folder {inside / 'published'} is missing; reinstall satcal, or run it from a checkout"
    )
    (beside / "published").mkdir(parents=True)
    assert results_folder(package) == beside
    (inside / "published").mkdir(parents=True)
    assert results_folder(package) == inside


def test_a_table_is_produced_before_a_sample_joins_it_and_then_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, table = tmp_path / "small.toml", tmp_path / "none" / "small.csv"
    board.write_text(TINY.text())
    call = [str(board), "--folder", str(table.parent), "--jobs", "1", "--quiet"]
    sample = [*call, "--method", "search", "--sample", "2"]
    assert produce.main(sample) == 2
    assert "small has no table in" in capsys.readouterr().err
    assert produce.main(call) == produce.main(sample) == 0
    assert capsys.readouterr().out == f"{table}\n{table}\n"
    assert table.read_text().count("diagram+search") == 2
