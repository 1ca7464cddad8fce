"""satcal's own tables: what is written is read, what is damaged is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tiny import TINY, truth

from satcal.errors import Disagreement, FormatError, Missing, RevealError
from satcal.evidence.tables import Tables, read_manifest, read_table, results_folder
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.toml import parse_puzzle
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
    text = TINY.text().replace("month = ['Jan', 'Feb']\n", "").replace(
        "[pieces]", "month = ['Feb', 'Jan']\n[pieces]"
    )  # fmt: skip
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


def test_a_table_of_a_puzzle_that_has_changed_is_replaced_whole_and_exactly(folder: Path) -> None:
    other, many = load("pentomino-3x20"), 3**100
    with pytest.raises(ValueError, match="tiny: no count of "):
        write_table(folder, "tiny", other, {}, "sat")
    write_table(folder, "tiny", other, {(): many}, "sat")
    assert (folder / "tiny.csv").read_text() == f"tilings,methods\n{many},sat\n"
    assert Tables(folder).find(PUZZLE) is None
    assert [entry.total for entry in read_manifest(folder / "manifest.toml")] == [many]


DAMAGED = [
    ("month,day", "day,month,extra", "its header is 'day,month,extra,tilings,methods', not "
     "'month,day,tilings,methods'"),
    ("Feb,1,0,sat\n", "", "1 reveals are missing, 'Feb,1' first"),
    ("Feb,1,", "Jan,29,", "line 5: 'Jan,29' comes twice; remove the line"),
    ("Feb,1,", "Mar,1,", "line 5: 'Mar,1' is no reveal of the puzzle; remove the line"),
    ("Feb,1,0,sat", "Feb,1,0", "line 5: 3 entries, but the header has 4"),
    ("Feb,1,0", "Feb,1,-1", "line 5: '-1' is no number of tilings; write digits only"),
    ("Feb,1,0,sat", "Feb,1,0,by hand", "line 5: 'by hand' names no methods; write them as "
     "diagram+sat"),
    ("month,", f'"{"x" * 200_000},', "line 1: not CSV: field larger than field limit (131072); "
     "is a quotation mark missing, or one too many?"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), DAMAGED)
def test_a_damaged_table_is_refused_with_its_line(
    old: str, new: str, message: str, folder: Path
) -> None:
    path = folder / "tiny.csv"
    path.write_text(CSV.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        read_table(path, PUZZLE)
    assert str(caught.value) == f"{path}: {message}"


def test_a_table_that_was_edited_disagrees_with_the_manifest(folder: Path) -> None:
    path = folder / "tiny.csv"
    path.write_text(CSV.replace("Jan,1,4", "Jan,1,5"))
    message = "6 rows with 11 tilings, but manifest.toml says 6 with 10; one of them was edited"
    with pytest.raises(Disagreement, match=message):
        Tables(folder).find(PUZZLE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"tiny = {'[' * 5000}", "not valid TOML: nested too deeply"),
        ("tiny = 3", "tiny: write digest (a text), rows and total (numbers)"),
        ('["../tiny"]\ndigest = ""\nrows = 1\ntotal = 1', "../tiny: write digest (a text)"),
        ('[tiny]\ndigest = ""\nrows = 1.5\ntotal = 1', "tiny: write digest (a text)"),
    ],
)
def test_a_damaged_manifest_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=re.escape(f"{path}: {message}")):
        Tables(tmp_path).find(PUZZLE)


def test_all_tables_of_satcal_are_those_of_the_puzzles_they_are_named_after() -> None:
    folder = results_folder() / "counts"
    tables = Tables(folder)
    named = {f"{entry.board}.csv" for entry in tables.entries}
    assert named == {path.name for path in folder.glob("*.csv")}
    for entry in tables.entries:
        own = results_folder() / "published" / "puzzles" / f"{entry.board}.toml"
        puzzle = load(str(own) if own.exists() else entry.board)
        assert (puzzle.name, puzzle.digest) == (entry.board, entry.digest)
        table = tables.find(puzzle)
        assert table
        assert [frozenset(reveal) for reveal in puzzle.reveals()] == list(table.rows)


def test_results_are_found_in_a_checkout_and_in_an_installation(tmp_path: Path) -> None:
    package = tmp_path / "site" / "satcal"
    inside, beside = package / "results", package.parent / "results"
    with pytest.raises(Missing) as caught:
        results_folder(package)
    assert str(caught.value) == (
        f"the published claims and counted tables are not in {inside}; reinstall satcal, or run "
        "it from a checkout"
    )
    (beside / "published").mkdir(parents=True)
    assert results_folder(package) == beside
    (inside / "published").mkdir(parents=True)
    assert results_folder(package) == inside


def test_producing_a_table_counts_compares_and_prints_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "small.toml"
    board.write_text(TINY.text())
    answers = dict(COUNTS)
    monkeypatch.setattr("tools.tables.exact_counts", lambda *_: answers.items())
    call = [str(board), "--folder", str(tmp_path / "counts"), "--quiet"]
    assert produce.main(call) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'counts' / 'small.csv'}\n"
    answers[("Feb", "1")] = 1
    assert produce.main([*call, "--method", "search"]) == 1
    assert capsys.readouterr().err == (
        "error: small Feb 1: the table says 0 (diagram), search counts 1\n"
    )


def test_a_sample_joins_its_rows_and_who_interrupts_it_goes_on_where_it_was(folder: Path) -> None:
    reveals = list(COUNTS)[:5]
    asked: list[Reveal] = []

    def count(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Iterator[tuple[Reveal, int]]:
        for reveal in reveals:
            if len(asked) == 2:
                raise KeyboardInterrupt
            asked.append(reveal)
            yield reveal, COUNTS[reveal]

    def add() -> None:
        table = Tables(folder).find(PUZZLE)
        assert table
        produce.add_sample(folder, PUZZLE, table, "search", reveals, count)

    with pytest.raises(KeyboardInterrupt):
        add()
    assert (folder / "tiny.csv").read_text().count("sat+search") == 2
    asked.append(("again",))
    add()
    assert (folder / "tiny.csv").read_text().count("sat+search") == 5
    add()
    assert asked == [*reveals[:2], ("again",), *reveals[2:]]


def test_a_year_is_counted_after_the_fewest_and_the_most_tilings() -> None:
    puzzle = load("rhombus")
    table = Tables(results_folder() / "counts").find(puzzle)
    assert table is not None
    chosen = produce.of_year(puzzle, table, 2025)
    counts = [table.tilings(reveal) for reveal in chosen]
    assert counts[:6] == sorted(row.tilings for row in table.rows.values())[:6]
    assert max(counts) == counts[19] == max(row.tilings for row in table.rows.values())
    assert puzzle.reveal("2025-12-25") in chosen
    assert len(chosen) == len(set(chosen))
    with pytest.raises(RevealError):
        produce.of_year(load("pentomino-6x10"), table, 2025)


def test_a_sample_needs_a_table_and_a_table_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "small.toml"
    board.write_text(TINY.text())
    call = [str(board), "--folder", str(tmp_path / "none"), "--jobs", "1", "--quiet"]
    sample = [*call, "--method", "search", "--sample", "2"]
    assert produce.main(sample) == 2
    assert "small has no table in" in capsys.readouterr().err
    assert produce.main(call) == produce.main(sample) == 0
    assert (tmp_path / "none" / "small.csv").read_text().count("diagram+search") == 2
    assert produce.main(["no-board", *call[1:]]) == 2
