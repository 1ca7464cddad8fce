"""A drawing is what one sees: where its rows end, and which characters are refused, by name."""

from __future__ import annotations

import json

import pytest

from helpers.puzzles import TWO_EACH
from satcal.errors import PlacementError, PuzzleError
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load, parse_puzzle

SPLITTING = "\v\f\x1c\x1d\x1e\x85\u2028\u2029\r"  # where str.splitlines ends a line, too
UNSEEN = {
    "\0": "U+0000 NULL",
    "\t": "U+0009 TAB",
    "\r": "U+000D CARRIAGE RETURN",
    "\x1b": "U+001B ESCAPE",
    "\x85": "U+0085 NEXT LINE",
    "\xa0": "U+00A0 NO-BREAK SPACE",
    "\xad": "U+00AD SOFT HYPHEN",
    "\u200b": "U+200B ZERO WIDTH SPACE",
    "\u2028": "U+2028 LINE SEPARATOR",
    "\u202e": "U+202E RIGHT-TO-LEFT OVERRIDE",
    "\u2800": "U+2800 BRAILLE PATTERN BLANK",
    "\u3164": "U+3164 HANGUL FILLER",
    "\ufe0f": "U+FE0F VARIATION SELECTOR-16",
    "\ufeff": "U+FEFF ZERO WIDTH NO-BREAK SPACE",
}


def puzzle_text(board: str, piece: str, labels: tuple[str, ...] = ()) -> str:
    """A puzzle file; what no TOML may hold as it is, is escaped in it."""
    category = f"[categories]\nletter = {json.dumps(labels)}\n" if labels else ""
    return f"board = {json.dumps(board)}\n{category}[pieces]\nI = {json.dumps(piece)}\n"


@pytest.mark.parametrize("end", SPLITTING, ids=ascii)
def test_only_a_line_feed_ends_a_row(end: str) -> None:
    for text in (puzzle_text("* *\n* *", f"##{end}##"), puzzle_text(f"* *{end}* *", "####")):
        with pytest.raises(PuzzleError, match="row 0 of the drawing has the invisible character U"):
            parse_puzzle(text, "x")
    with pytest.raises(
        PuzzleError, match="piece A: row 0 of the drawing has the invisible character U"
    ):
        parse_pieces(f"11{end}11", "x")


def test_a_carriage_return_before_a_line_feed_is_its_part(tmp_path) -> None:
    rows = parse_puzzle(puzzle_text("* *\r\n* *\r\n", "##\r\n##"), "x")
    assert rows.cells == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert rows.drawn[0].shape == rows.cells
    (tmp_path / "puzzle.txt").write_bytes(b"* *\r\n* *\r\n")
    (tmp_path / "shapes.txt").write_bytes(b"11\r\n\r\n11\r\n")
    assert [piece.shape for piece in load(tmp_path).drawn] == [((0, 0), (0, 1))] * 2


@pytest.mark.parametrize("character", UNSEEN, ids=UNSEEN.__getitem__)
def test_what_nobody_sees_is_refused_by_name_in_drawings_and_labels(character: str) -> None:
    for text in (
        puzzle_text(f"* {character}*\n* *", "####"),
        puzzle_text("* *\n* *", f"#{character}#"),
        puzzle_text("a *", "#", labels=("a", f"a{character}")),
    ):
        with pytest.raises(PuzzleError, match=UNSEEN[character].replace("+", r"\+")) as refused:
            parse_puzzle(text, "x")
        assert str(refused.value).isprintable()


@pytest.mark.parametrize("character", "\x85\u2028\u200b\t", ids=ascii)
def test_a_partly_filled_board_is_a_drawing_too(character: str, tmp_path) -> None:
    path = tmp_path / "filled.txt"
    path.write_text(f"_ _{character}_ _\n", encoding="utf-8")
    with pytest.raises(PlacementError, match=r"row 0 of the drawing has the invisible character U"):
        parse_demands(TWO_EACH.load(), [f"@{path}"])


def test_labels_in_other_scripts_are_seen() -> None:
    labels = ("1月", "févr", "دي", "☀")
    assert tuple(parse_puzzle(puzzle_text(" ".join(labels), "###", labels), "x").labels) == labels
