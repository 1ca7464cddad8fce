"""Loading: boards and piece sets by name and path, faces, and the plain text form."""

# ruff: noqa: E501 -- a message in one line is easier to compare and to search for

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from puzzle_files import GOOD, refused

from satcal.errors import (
    FileTrouble,
    FormatError,
    OptionError,
    TooLarge,
    UnknownName,
)
from satcal.puzzle.loading import library, library_text, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.toml import parse_pieces, parse_puzzle
from satcal.puzzle.writing import to_toml


def test_a_library_puzzle_is_found_by_name_and_alias(daily: Puzzle) -> None:
    assert load("dragonfjord") == daily
    assert {load(name).name for name in library()} == set(library())


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    error = refused("rombus")
    assert isinstance(error, UnknownName)
    assert str(error) == (
        "no board 'rombus' in the library and no file of that name; did you mean 'rhombus'?"
    )
    assert str(refused("qqqq")) == (
        "no board 'qqqq' in the library and no file of that name; `satcal boards` lists the library"
    )
    assert str(refused("rhombus", pieces="wekday")) == (
        "no pieces 'wekday' in the library and no file of that name; did you mean 'weekday'?"
    )


def test_a_file_without_a_name_gives_its_own_and_nothing_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nameless = GOOD.replace('name = "good"\n', "")
    for folder in ("a", "a/b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(nameless, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = [
        load(path) for path in ("a/mine.toml", "./a/b/mine.toml", str(tmp_path / "a/mine.toml"))
    ]
    assert [to_toml(puzzle) for puzzle in found] == [to_toml(found[0])] * 3
    assert found[0].name == "mine.toml"


def test_a_name_made_of_files_can_be_read_back(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 60)
    folder.mkdir()
    (folder / "puzzle.txt").write_text("Jan Feb\n* *\n")
    (folder / "shapes.txt").write_text("11\n1\n")
    assert load(str(folder)).name == "puzzle.txt"
    strange = tmp_path / ("x" * 190 + "\t.toml")
    strange.write_text(GOOD.replace('name = "good"\n', ""), encoding="utf-8")
    for pieces in (None, str(strange)):
        puzzle = load(str(strange), pieces)
        assert parse_puzzle(to_toml(puzzle), "written").name == puzzle.name
        assert len(puzzle.name) <= 200


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    missing = tmp_path / "no.toml"
    assert str(refused(missing)) == f"board {missing}: no such file"
    assert str(refused("rhombus", pieces="no.txt")) == "pieces no.txt: no such file"
    assert isinstance(refused("x" * 5000), FileTrouble)
    assert str(refused("x" * 5000)).startswith("board 'xxx")
    assert str(refused("rhombus", pieces=str(tmp_path))) == f"piece set {tmp_path}: Is a directory"
    assert str(refused(tmp_path)) == f"puzzle {tmp_path / 'puzzle.txt'}: No such file or directory"


def test_files_that_are_no_puzzle_are_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (256 * 1024 + 1))
    error = refused(large)
    assert isinstance(error, TooLarge)
    assert str(error) == f"puzzle {large}: larger than 262144 bytes; is it the right file?"
    latin = tmp_path / "latin.toml"
    latin.write_bytes(GOOD.replace("good", "gut für alle").encode("latin-1"))
    error = refused(latin)
    assert isinstance(error, FormatError)
    assert str(error) == f"puzzle {latin}: line 2 is not UTF-8 text; save the file as UTF-8"
    cut = tmp_path / "cut.toml.gz"
    cut.write_bytes(gzip.compress(GOOD.encode())[:40])
    assert isinstance(refused(cut), FormatError)


@pytest.mark.parametrize("pieces", ["jarring-words", "crea-makerspace", "dragonfjord"])
def test_another_piece_set_replaces_the_puzzles_own(daily: Puzzle, pieces: str) -> None:
    puzzle = load("a-puzzle-a-day", pieces=pieces)
    assert puzzle.drawn == load(pieces).drawn
    assert puzzle.cells == daily.cells
    assert puzzle.name == f"a-puzzle-a-day+{pieces}"


def test_a_piece_set_may_be_a_file_without_a_board(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = library_text("jarring-words")
    path.write_text(text[text.index("[pieces]") :], encoding="utf-8")
    assert load("a-puzzle-a-day", pieces=str(path)).drawn == load("jarring-words").drawn
    blocks = tmp_path / "mine.txt"
    drawings = [
        "\n".join(
            "".join("1" if (r, c) in piece.shape else "0" for c in range(6)) for r in range(4)
        )
        for piece in load("jarring-words").drawn
    ]
    blocks.write_text("\n\n".join(drawings), encoding="utf-8")
    puzzle = load("a-puzzle-a-day", pieces=str(blocks))
    assert [p.shape for p in puzzle.drawn] == [p.shape for p in load("jarring-words").drawn]
    assert [p.name for p in puzzle.drawn] == list("ABCDEFGH")


def test_a_piece_set_that_does_not_fill_the_board_is_refused() -> None:
    assert str(refused("rhombus", pieces="a-puzzle-a-day")) == (
        "rhombus+a-puzzle-a-day: the area does not add up: 47 cells remain to be covered with the "
        "reveal Mon,Jan,1, but the pieces have 41 squares together"
    )


def test_the_error_of_a_piece_file_names_the_piece_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[pieces]\nA = "#.#"\n', encoding="utf-8")
    assert str(refused("rhombus", pieces=str(path))) == (
        f"{path}: piece A: its squares do not hang together by edges; mend the drawing"
    )


def test_a_board_whose_own_pieces_are_replaced_needs_none(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    text = library_text("a-puzzle-a-day")
    path.write_text(text[: text.index("[pieces]")], encoding="utf-8")
    assert load(str(path), pieces="jarring-words").area == 41
    assert "[pieces] is missing" in str(refused(path))


def test_flip_says_which_pieces_may_be_turned_over(tmp_path: Path) -> None:
    assert not any(piece.flip for piece in load("rhombus", flip="none").drawn)
    assert [p.name for p in load("rhombus", flip="N,L4").drawn if p.flip] == ["L4", "N"]
    error = refused("rhombus", flip="N,Q")
    assert isinstance(error, OptionError)
    assert str(error).startswith("flip: rhombus has no piece 'Q'; use all, none, or some of ")


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


# --- the plain text form ----------------------------------------------------------------------

PLAIN = "Jan Feb -\n1 2 *\n"


def plain(folder: Path, grid: str, shapes: str) -> Path:
    (folder / "puzzle.txt").write_text(grid, encoding="utf-8")
    (folder / "shapes.txt").write_text(shapes, encoding="utf-8")
    return folder / "puzzle.txt"


def test_the_plain_text_form_of_a_public_solver_is_read(tmp_path: Path, daily: Puzzle) -> None:
    rows = [["-"] * daily.columns for _ in range(daily.rows)]
    for (row, column), label in daily.label_at.items():
        rows[row][column] = label.text
    blocks = [
        "\n".join(
            "".join("1" if (r, c) in piece.shape else "0" for c in range(4)) for r in range(4)
        )
        for piece in daily.drawn
    ]
    path = plain(tmp_path, "\n".join(map(" ".join, rows)), "\n\n".join(blocks) + "\n")
    puzzle = load(str(path))
    assert puzzle.digest == daily.digest
    assert puzzle.reveal("2025-12-25") == ("Dec", "25")
    assert [piece.name for piece in puzzle.drawn] == list("ABCDEFGH")
    assert load(str(tmp_path)) == puzzle


@pytest.mark.parametrize(
    "shapes", ["11\n1", "\n\n11\n01\n\n\n", "1 1\n1 0\n", "11\r\n01\r\n", "110\n100\n000"]
)
def test_blocks_of_0_and_1_may_have_blanks_and_blank_lines_around(
    tmp_path: Path, shapes: str
) -> None:
    assert load(str(plain(tmp_path, PLAIN, shapes))).area == 3


def test_blocks_are_separated_by_blank_lines_also_of_windows(tmp_path: Path) -> None:
    for shapes in ("11\n\n1", "11\n \n1", "11\r\n\r\n1\r\n", "11\n\n\n\n1\n\n"):
        puzzle = load(str(plain(tmp_path, PLAIN, shapes)))
        assert [(p.name, p.area) for p in puzzle.drawn] == [("A", 2), ("B", 1)]


@pytest.mark.parametrize(
    ("grid", "shapes", "where", "message"),
    [
        ("Jan Fbe\n1 2", "11", "puzzle.txt", "cell r0c1: label 'Fbe' is in no category; add it to [categories] or write '*'"),
        ("Jan Feb\n1", "11", "puzzle.txt", "board: row 1 has 1 entries, row 0 has 2; write '.' where there is no cell"),
        ("- -", "11", "puzzle.txt", "board: it has no cell; draw rows of labels, '*' and '.'"),
        (PLAIN, "", "shapes.txt", "0 shapes; 1 to 52 are possible"),
        (PLAIN, "1\n\n" * 53, "shapes.txt", "53 shapes; 1 to 52 are possible"),
        (PLAIN, "12\n1", "shapes.txt", "piece A: row 0 of its drawing has '2'; draw with '#' and '.'"),
        (PLAIN, "11\n\n101", "shapes.txt", "piece B: its squares do not hang together by edges; mend the drawing"),
        (PLAIN, "11\n\n00", "shapes.txt", "piece B: it has no square; draw it with '#'"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_plain_text_form_is_named_with_its_file(
    tmp_path: Path, grid: str, shapes: str, where: str, message: str
) -> None:
    error = refused(plain(tmp_path, grid, shapes))
    assert str(error) == f"{tmp_path / where}: {message}"


def test_a_grid_without_its_shapes_is_refused_unless_other_pieces_are_given(
    tmp_path: Path,
) -> None:
    path = plain(tmp_path, PLAIN, "11\n1")
    (tmp_path / "shapes.txt").unlink()
    assert str(refused(path)) == f"piece set {tmp_path / 'shapes.txt'}: No such file or directory"
    pieces = tmp_path / "pieces.txt"
    pieces.write_text("111", encoding="utf-8")
    assert load(str(path), pieces=str(pieces)).area == 3
