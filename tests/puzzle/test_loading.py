"""Loading: what puzzle files may say and be called; their mistakes are in test_lint.py."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from helpers.puzzles import Small, write
from satcal.errors import FileTrouble, PuzzleError, TooLarge
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.loading import library, library_text, load, origin_of, parse_puzzle
from satcal.puzzle.model import Puzzle
from satcal.puzzle.writing import to_toml

GOOD = '''
name = "good"
board = """
a   a   b
*   *   b
.   *   *
"""
[categories]
x = ["a", "b"]
[pieces]
P = """
##
##
.#
"""
A = { shape = "#", copies = 1 }
'''


def test_a_puzzle_file_is_read_as_it_is_drawn(tmp_path: Path) -> None:
    packed, windows = tmp_path / "good.toml.gz", tmp_path / "good.toml"
    packed.write_bytes(gzip.compress(GOOD.encode()))
    windows.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    puzzle = parse_puzzle(GOOD, "x")
    assert load(packed) == load(windows) == puzzle
    assert puzzle.name == "good"
    assert puzzle.cells == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2))
    assert puzzle.labels["a"].cells == ((0, 0), (0, 1))
    assert puzzle.uncovered(("b",)) == {(0, 2), (1, 2)}
    assert [(p.name, p.area, p.copies) for p in puzzle.pieces] == [("P", 5, 1), ("A", 1, 1)]
    assert parse_puzzle(GOOD.replace("[pieces]", "[calendar]\n[pieces]"), "x") == puzzle


def test_a_board_too_large_or_with_pieces_of_another_area_is_refused(tmp_path: Path) -> None:
    path, one = tmp_path / "odd.toml", (("I", ("##",), 1, True),)
    with pytest.raises(TooLarge, match=r"odd.toml: board: 1056 cells, more than 1024$"):
        load(write(Small((("*",) * 32,) * 33, {}, one), path))
    labels = Small((("a", "a", "b", "*"),), {"x": ("a", "b")}, one)
    with pytest.raises(PuzzleError, match="3 cells remain to be covered with the reveal b, but"):
        load(write(labels, path))


@pytest.mark.parametrize(
    ("line", "own", "flips"),
    [
        ("", "", [True, True]),
        ('flip = "none"', "", [False, False]),
        ('flip = "L4"', "", [True, False]),
        ('flip = "none"', ", flip = true", [False, True]),
        ('flip = "all"', ", flip = false", [True, False]),
    ],
)
def test_a_file_says_for_all_or_for_each_piece_whether_it_may_be_turned_over(
    line: str, own: str, flips: list[bool]
) -> None:
    text = f'{line}\n[pieces]\nL4 = "###\\n#.."\nJ4 = {{ shape = "###\\n..#"{own} }}\n'
    assert [piece.flip for piece in parse_pieces(text, "mine")] == flips


CALENDAR = f"[calendar]\nmonth = {['Jän', *MONTHS[1:]]}\n"
TEXTS = {name: library_text(name) for name in library()}
TEXTS["its own calendar"] = TEXTS["a-puzzle-a-day"].replace("Jan", "Jän") + CALENDAR


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_written_of_a_puzzle_is_read_back_unchanged(name: str) -> None:
    puzzle = parse_puzzle(TEXTS[name], "x").with_flips("none")
    assert parse_puzzle(to_toml(puzzle), "written") == puzzle


def test_what_names_a_puzzle_has_no_alias_and_whole_paths() -> None:
    assert origin_of("dragonfjord", "x.toml", "N") == (
        f"--board a-puzzle-a-day --pieces {Path('x.toml').resolve()} --flip N"
    )


@pytest.mark.parametrize(
    ("board", "pieces", "message"),
    [("rhombus", "/", "piece set /: Is a directory"), ("x" * 5000, None, "board 'xxx")],
)
def test_what_cannot_be_read_is_refused(board: str, pieces: str | None, message: str) -> None:
    with pytest.raises(FileTrouble, match=f"^{message}"):
        load(board, pieces)


@pytest.mark.parametrize("name", ["mine.toml", "there/mine.toml"])
def test_what_is_not_there_is_said_with_the_folder_that_the_path_counts_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileTrouble, match=rf"^board {name}: no such file in {tmp_path}$"):
        load(name)
    with pytest.raises(FileTrouble, match=rf"^board {tmp_path / name}: no such file$"):
        load(tmp_path / name)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(FileTrouble, match=rf"^board {name}: No such file or directory$"):
        load(name)


def test_a_file_without_a_name_gives_its_own_and_nothing_of_its_folder(tmp_path: Path) -> None:
    path, strange = tmp_path / "mine.toml", tmp_path / f"{'x' * 190}\t.toml"
    for each in (path, strange):
        each.write_text(GOOD.replace('name = "good"\n', ""))
    assert load(path).name == "mine.toml"
    for pieces in (None, strange):  # a long name made of both can be read back
        puzzle = load(strange, pieces)
        assert parse_puzzle(to_toml(puzzle), "written").name == puzzle.name
        assert len(puzzle.name) <= 200


def blocks(puzzle: Puzzle) -> str:
    """Return the pieces as blocks of 0 and 1."""
    return "\n\n".join(
        "\n".join("".join(str(int((r, c) in piece.shape)) for c in range(6)) for r in range(4))
        for piece in puzzle.drawn
    )


def test_other_pieces_are_of_the_library_or_a_file(tmp_path: Path, daily: Puzzle) -> None:
    text, words = library_text("jarring-words"), load("jarring-words", flip="none")
    board, drawn, plain_pieces = (tmp_path / n for n in ("board.toml", "own.toml", "own.txt"))
    board.write_text(text.partition("[pieces]")[0])
    drawn.write_text(text[text.index("[pieces]") :])
    plain_pieces.write_text(blocks(words))
    for pieces in ("jarring-words", drawn):
        assert load("dragonfjord", pieces, flip="none").drawn == words.drawn
    puzzle = load("dragonfjord", "jarring-words")
    assert (puzzle.name, puzzle.cells) == ("a-puzzle-a-day+jarring-words", daily.cells)
    puzzle = load(board, plain_pieces)
    assert [piece.name for piece in puzzle.drawn] == list("ABCDEFGH")
    assert [piece.shape for piece in puzzle.drawn] == [piece.shape for piece in words.drawn]


PLAIN = "Jan Feb -\n1 2 *\n"


def plain(folder: Path, grid: str, shapes: str) -> Path:
    (folder / "puzzle.txt").write_text(grid)
    (folder / "shapes.txt").write_text(shapes)
    return folder / "puzzle.txt"


def test_the_plain_form_of_a_public_solver_is_read(tmp_path: Path, daily: Puzzle) -> None:
    rows = [["-"] * daily.columns for _ in range(daily.rows)]
    for (row, column), label in daily.label_at.items():
        rows[row][column] = label.text
    path = plain(tmp_path, "\n".join(map(" ".join, rows)), blocks(daily) + "\n")
    puzzle = load(path)
    assert puzzle.digest == daily.digest
    assert puzzle.reveal("2025-12-25") == ("Dec", "25")
    assert (puzzle.name, [piece.name for piece in puzzle.drawn]) == ("puzzle.txt", list("ABCDEFGH"))
    assert load(tmp_path) == puzzle


@pytest.mark.parametrize(
    ("areas", "blocks"),
    [
        ([3], ("11\n1", "\n\n11\n01\n\n\n", "1 1\n1 0\n", "11\r\n01\r\n", "110\n100\n000")),
        ([2, 1], ("11\n\n1", "11\n \n1", "11\r\n\r\n1\r\n", "11\n\n\n\n1\n\n")),
    ],
)
def test_blank_lines_separate_blocks_of_0_and_1_which_may_have_blanks_around(
    tmp_path: Path, areas: list[int], blocks: tuple[str, ...]
) -> None:
    for shapes in blocks:
        assert [piece.area for piece in load(plain(tmp_path, PLAIN, shapes)).drawn] == areas


def test_more_shapes_than_letters_or_than_fit_on_any_board_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match=r"shapes.txt: 53 shapes; 1 to 52 are possible"):
        load(plain(tmp_path, PLAIN, "1\n\n" * 53))
    large = "\n".join(["1" * 30] * 30)
    with pytest.raises(
        TooLarge, match=r"shapes.txt: piece B: this piece brings the total to more than"
    ):
        load(plain(tmp_path, PLAIN, f"{large}\n\n{large}"))


def test_a_grid_needs_its_shapes_unless_other_pieces_are_given(tmp_path: Path) -> None:
    path, shapes = plain(tmp_path, PLAIN, "111"), tmp_path / "shapes.txt"
    pieces = shapes.rename(tmp_path / "pieces.txt")
    with pytest.raises(FileTrouble, match=r"^piece set .*shapes.txt: No such file or directory$"):
        load(path)
    assert load(path, pieces).area == 3
