"""Odd drawings mean the same to Coq's reader and to satcal, or are refused."""

import json
import subprocess

from hypothesis import given
from hypothesis import strategies as st

from helpers.forger import edited
from oracle import Small, small_puzzles
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import InputError
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Reveal

Counts = dict[Reveal, int]
ODD = [
    *(" ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\xa0"),
    *("\u200b", "\u2028", "\u2029", "\u202e", "\u3000", "\ufeff", "#", ".", "*", "é", "日", "a"),
]
NAMES = ["é", "日本", "a\u0301", "ẞ", "*)", "(*", '"', "'", "0", "-", "#", "##", "board", "piece"]
NAMES += ["category", "no-flip", "x,y", "a\xa0b", "a\u200bc", "\u202ea", "longer-than-the-others"]


class Drawn:
    """A puzzle as somebody draws it: the texts of its board and its pieces, and its labels."""

    def __init__(self, small: Small) -> None:
        self.board = "\n".join(map(" ".join, small.board))
        self.categories = [list(labels) for _, labels in small.categories]
        self.pieces = ["\n".join(piece.rows) for piece in small.pieces]
        self.small = small

    def edit(self, data: st.DataObject) -> None:
        """Edit the board, or the drawing of a piece."""
        texts = [self.board, *self.pieces]
        at = data.draw(st.integers(0, len(self.pieces)))
        texts[at] = data.draw(edited(texts[at], data.draw(st.sampled_from(ODD))))
        self.board, *self.pieces = texts

    def rename(self, data: st.DataObject) -> None:
        """Give a label another name, on the board and in its category."""
        old = [label for labels in self.categories for label in labels]
        if not old:
            return
        label, name = data.draw(st.sampled_from(old)), data.draw(st.sampled_from(NAMES))
        self.categories = [[name if x == label else x for x in xs] for xs in self.categories]
        rows = (line.split(" ") for line in self.board.split("\n"))
        self.board = "\n".join(" ".join(name if x == label else x for x in row) for row in rows)

    def for_satcal(self) -> str:
        """As a puzzle file."""
        lines = ['name = "odd"', f"board = {json.dumps(self.board)}", "[categories]"]
        for number, labels in enumerate(self.categories):
            lines.append(f"c{number} = {json.dumps(labels)}")
        lines.append("[pieces]")
        for piece, text in zip(self.small.pieces, self.pieces, strict=True):
            settings = f"copies = {piece.copies}, flip = {json.dumps(piece.flip)}"
            lines.append(f"{piece.name} = {{ shape = {json.dumps(text)}, {settings} }}")
        return "\n".join(lines)

    def for_coq(self) -> str:
        """As ``satcal-verified --help`` shows it."""
        lines = ["board", self.board]
        lines += [" ".join(["category", *labels]) for labels in self.categories]
        for piece, text in zip(self.small.pieces, self.pieces, strict=True):
            lines += ["piece" if piece.flip else "piece no-flip", text] * piece.copies
        return "\n".join(lines) + "\n"


def by_coq(program: str, drawn: Drawn) -> Counts | None:
    """Return the table of the program, or None if it refuses the text."""
    done = subprocess.run(
        [program, "table", "-"], input=drawn.for_coq().encode(), capture_output=True, check=False
    )
    if done.returncode == 2:
        assert done.stdout == b""
        return None
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    rows = [line.split(",") for line in lines if not line.startswith("# ")]
    return {tuple(labels): int(number) for *labels, number in rows}


def by_satcal(drawn: Drawn) -> Counts | None:
    """Return the counts by the diagram, or None for a refused file."""
    try:
        puzzle = parse_puzzle(drawn.for_satcal(), "odd.toml")
    except InputError:
        return None
    return PuzzleDiagram.build(puzzle).counts()


def test_odd_drawings(program):
    answers = []

    @given(small_puzzles(), st.data())
    def agree(small: Small, data: st.DataObject) -> None:
        drawn = Drawn(small)
        for _ in range(data.draw(st.integers(0, 2))):
            data.draw(st.sampled_from([drawn.edit, drawn.edit, drawn.rename]))(data)
        coq, satcal = by_coq(program, drawn), by_satcal(drawn)
        answers.append((coq is not None, satcal is not None))
        assert None in (coq, satcal) or coq == satcal, drawn.for_coq()

    agree()
    assert {(True, True), (False, False)} <= set(answers)
