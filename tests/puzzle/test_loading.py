"""Loading: what puzzle files may say and be called, and what every mistake is answered with."""

# ruff: noqa: E501 -- a message in one line is easier to compare and to search for

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from small import Small, write

from satcal.errors import FileTrouble, PuzzleError, SatcalError, TooLarge
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.loading import library, library_text, load, origin_of
from satcal.puzzle.model import Puzzle
from satcal.puzzle.toml import parse_pieces, parse_puzzle
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
NAMELESS = GOOD.replace('name = "good"\n', "")


def refused(board: str | Path, **options: str) -> SatcalError:
    with pytest.raises(SatcalError) as caught:
        load(str(board), **options)
    assert caught.value.exit_code == 2
    return caught.value


# --- the TOML form ----------------------------------------------------------------------------


def test_a_puzzle_file_is_read_as_it_is_drawn(tmp_path: Path) -> None:
    packed, windows = tmp_path / "good.toml.gz", tmp_path / "good.toml"
    packed.write_bytes(gzip.compress(GOOD.encode()))
    windows.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    puzzle = parse_puzzle(GOOD, "x")
    assert load(str(packed)) == load(str(windows)) == puzzle
    assert puzzle.name == "good"
    assert puzzle.cells == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2))
    assert puzzle.labels["a"].cells == ((0, 0), (0, 1))
    assert puzzle.uncovered(("b",)) == {(0, 2), (1, 2)}
    assert [(p.name, p.area, p.copies) for p in puzzle.pieces] == [("P", 5, 1), ("A", 1, 1)]
    assert parse_puzzle(GOOD.replace("[pieces]", "[calendar]\n[pieces]"), "x") == puzzle


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('x = ["a", "b"]', "x = []", "[categories] x: no label; list its labels or drop it"),
        ('["a", "b"]', '["a b"]', "[categories] x: label 'a b' needs 1 to 32 printable characters without blanks or commas"),
        ('["a", "b"]', '["*"]', "[categories] x: '*' marks cells without a label; choose another label"),
        ("copies = 1", "copy = 1", "piece A: unknown key 'copy'; use shape, copies and flip"),
        ('name = "good"', "flip = 1", 'flip is not a text; write all, none, or names such as "N,L4"'),
        ('name = "good"', 'flip = "A, Q"', "flip: there is no piece 'Q'; use all, none, or some of 'P,A'"),
        ('name = "good"', 'calendar = "x"', "calendar is not a table; write [calendar], once, and what it holds below it"),
        ("[pieces]", "[[pieces]]", "pieces is not a table; write [pieces], once, and what it holds below it"),
        ("[categories]", "[calendar]\nmonth = ['a']\n[categories]", "[calendar]: only a puzzle with the categories month and day "),
        (GOOD, 'board = "a *"\ncategories = { "" = ["a"] }', "[categories] '': name it with 1 to 32 printable characters"),
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_a_mistake_in_a_puzzle_file_is_named_with_the_way_out(
    old: str, new: str, message: str
) -> None:
    assert old in GOOD
    with pytest.raises(PuzzleError) as caught:
        parse_puzzle(GOOD.replace(old, new, 1), "bad.toml")
    assert str(caught.value).startswith(f"bad.toml: {message}")


def test_a_board_too_large_or_with_pieces_of_another_area_is_refused(tmp_path: Path) -> None:
    path, one = tmp_path / "odd.toml", (("I", ("##",), 1, True),)
    large = refused(write(Small((("*",) * 32,) * 33, {}, one), path))
    assert isinstance(large, TooLarge)
    assert str(large) == f"{path}: board: 1056 cells, more than 1024"
    labels = Small((("a", "a", "b", "*"),), {"x": ("a", "b")}, one)
    assert str(refused(write(labels, path))) == (
        "small: the area does not add up: 3 cells remain to be covered with the reveal b, but "
        "the pieces have 2 squares together"
    )


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


@pytest.mark.parametrize("name", library())
def test_what_is_written_of_a_puzzle_is_read_back_unchanged(name: str) -> None:
    puzzle = load(name, flip="none")
    assert parse_puzzle(to_toml(puzzle), "written") == puzzle


def test_a_calendar_in_another_language_is_written_too() -> None:
    text = library_text("a-puzzle-a-day").replace("Jan", "Jän")
    puzzle = parse_puzzle(f"{text}\n[calendar]\nmonth = {['Jän', *MONTHS[1:]]}\n", "x")
    assert puzzle.reveal("2025-01-06") == ("Jän", "6")
    assert parse_puzzle(to_toml(puzzle), "written") == puzzle


# --- names and paths --------------------------------------------------------------------------


def test_a_library_puzzle_is_found_by_name_and_alias(daily: Puzzle) -> None:
    assert load("dragonfjord") == daily
    path = Path("x.toml").resolve()
    assert origin_of("dragonfjord", "x.toml", "N") == (
        f"--board a-puzzle-a-day --pieces {path} --flip N"
    )


def test_what_cannot_be_found_is_refused(tmp_path: Path) -> None:
    for board, pieces, message in (
        ("rhombus", str(tmp_path), f"piece set {tmp_path}: Is a directory"),
        ("x" * 5000, None, "board 'xxx"),
    ):
        with pytest.raises(FileTrouble) as caught:
            load(board, pieces)
        assert str(caught.value).startswith(message)


def test_a_file_without_a_name_gives_its_own_and_nothing_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a/b").mkdir(parents=True)
    strange = Path("x" * 190 + "\t.toml")
    for path in (Path("a/b/mine.toml"), strange):
        path.write_text(NAMELESS, encoding="utf-8")
    assert load("a/b/mine.toml").name == load(str(tmp_path / "a/b/mine.toml")).name == "mine.toml"
    for pieces in (None, str(strange)):  # a long name made of both can be read back
        puzzle = load(str(strange), pieces)
        assert parse_puzzle(to_toml(puzzle), "written").name == puzzle.name
        assert len(puzzle.name) <= 200


# --- piece sets -------------------------------------------------------------------------------


def test_another_piece_set_replaces_the_puzzles_own(daily: Puzzle) -> None:
    puzzle = load("dragonfjord", pieces="jarring-words", flip="none")
    assert puzzle.drawn == load("jarring-words", flip="none").drawn
    assert puzzle.cells == daily.cells
    assert puzzle.name == "a-puzzle-a-day+jarring-words"


def blocks(puzzle: Puzzle) -> str:
    """Return the pieces as blocks of 0 and 1."""
    return "\n\n".join(
        "\n".join("".join(str(int((r, c) in piece.shape)) for c in range(6)) for r in range(4))
        for piece in puzzle.drawn
    )


def test_board_and_pieces_may_be_files_of_their_own(tmp_path: Path) -> None:
    text, words = library_text("jarring-words"), load("jarring-words")
    start = text.index("[pieces]")
    board, pieces, plain_pieces = (tmp_path / n for n in ("board.toml", "own.toml", "own.txt"))
    board.write_text(text[:start], encoding="utf-8")
    pieces.write_text(text[start:], encoding="utf-8")
    plain_pieces.write_text(blocks(words), encoding="utf-8")
    assert load(str(board), pieces=str(pieces)).drawn == words.drawn
    drawn = load(str(board), pieces=str(plain_pieces)).drawn
    assert [piece.name for piece in drawn] == list("ABCDEFGH")
    assert [piece.shape for piece in drawn] == [piece.shape for piece in words.drawn]
    assert "[pieces] is missing" in str(refused(board))


# --- the plain text form ----------------------------------------------------------------------

PLAIN = "Jan Feb -\n1 2 *\n"


def plain(folder: Path, grid: str, shapes: str) -> str:
    (folder / "puzzle.txt").write_text(grid, encoding="utf-8")
    (folder / "shapes.txt").write_text(shapes, encoding="utf-8")
    return str(folder / "puzzle.txt")


def test_the_plain_text_form_of_a_public_solver_is_read(tmp_path: Path, daily: Puzzle) -> None:
    rows = [["-"] * daily.columns for _ in range(daily.rows)]
    for (row, column), label in daily.label_at.items():
        rows[row][column] = label.text
    path = plain(tmp_path, "\n".join(map(" ".join, rows)), blocks(daily) + "\n")
    puzzle = load(path)
    assert puzzle.digest == daily.digest
    assert puzzle.reveal("2025-12-25") == ("Dec", "25")
    assert (puzzle.name, [piece.name for piece in puzzle.drawn]) == ("puzzle.txt", list("ABCDEFGH"))
    assert load(str(tmp_path)) == puzzle


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


@pytest.mark.parametrize(
    ("grid", "shapes", "where", "message"),
    [
        (PLAIN, "1\n\n" * 53, "shapes.txt", "53 shapes; 1 to 52 are possible"),
        (PLAIN, "12\n1", "shapes.txt", "piece A: row 0 of its drawing has '2'; draw with '#' and '.'"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_plain_text_form_is_named_with_its_file(
    tmp_path: Path, grid: str, shapes: str, where: str, message: str
) -> None:
    assert str(refused(plain(tmp_path, grid, shapes))) == f"{tmp_path / where}: {message}"


def test_a_grid_needs_its_shapes_unless_other_pieces_are_given(tmp_path: Path) -> None:
    path, shapes = plain(tmp_path, PLAIN, "111"), tmp_path / "shapes.txt"
    pieces = shapes.rename(tmp_path / "pieces.txt")
    assert str(refused(path)) == f"piece set {shapes}: No such file or directory"
    assert load(path, pieces=str(pieces)).area == 3
