"""The oracle: small puzzles, and their tilings by brute force.

Nothing here asks satcal for a tiling. The brute force turns the drawings itself and has its own
recursion. Puzzles go to satcal as TOML text, so that loading is tested too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from hypothesis import strategies as st

Cell = tuple[int, int]
Cells = frozenset[Cell]
Reveal = tuple[str, ...]
Tiling = frozenset[tuple[str, Cells]]
"""Pieces with the cells they cover."""
Kind = tuple[str, list[Cells], int]


@dataclass(frozen=True)
class Piece:
    """A piece as it is drawn; ``flip`` says whether it may be turned over."""

    name: str
    rows: tuple[str, ...]
    copies: int = 1
    flip: bool = True

    @cached_property
    def faces(self) -> frozenset[Cells]:
        """The piece in every direction, each moved to the upper left corner."""
        side = [
            (r, c) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark == "#"
        ]
        sides = (side, [(r, -c) for r, c in side])[: 1 + self.flip]
        return frozenset(to_corner(turned) for cells in sides for turned in four_turns(cells))


@dataclass(frozen=True)
class Small:
    """A puzzle as it is written: rows of tokens, the labels of each category, and pieces."""

    board: tuple[tuple[str, ...], ...]
    pieces: tuple[Piece, ...]
    categories: tuple[tuple[str, Reveal], ...] = ()

    @property
    def text(self) -> str:
        """The puzzle file."""
        lines = ['name = "small"', 'board = """', *map(" ".join, self.board), '"""', "[categories]"]
        lines += [f"{name} = {list(labels)}" for name, labels in self.categories]
        lines.append("[pieces]")
        for piece in self.pieces:
            shape, flip = "\\n".join(piece.rows), str(piece.flip).lower()
            lines.append(
                f'{piece.name} = {{ shape = "{shape}", copies = {piece.copies}, flip = {flip} }}'
            )
        return "\n".join(lines) + "\n"

    def load(self) -> Any:
        """Return the puzzle as satcal reads it."""
        from satcal.puzzle.loading import parse_puzzle

        return parse_puzzle(self.text, "small.toml")

    @property
    def reveals(self) -> list[Reveal]:
        """Every choice of one label from each category."""
        return list(itertools.product(*(labels for _, labels in self.categories)))

    def free(self, reveal: Iterable[str]) -> Cells:
        """Return the cells to cover."""
        tokens = {(r, c): token for r, row in enumerate(self.board) for c, token in enumerate(row)}
        return frozenset(cell for cell, token in tokens.items() if token not in {".", *reveal})

    def tilings(self, reveal: Iterable[str]) -> set[Tiling]:
        """Return the tilings of a reveal by brute force."""
        free = self.free(reveal)
        kinds = sorted(self.kinds(free), key=lambda kind: len(kind[1]))
        return {frozenset(tiling) for tiling in fill(kinds, free)}

    def kinds(self, free: Cells) -> list[Kind]:
        """Return each kind of piece: its name, where it fits into free cells, its copies."""
        alike: dict[frozenset[Cells], list[Piece]] = {}
        for piece in self.pieces:
            alike.setdefault(piece.faces, []).append(piece)
        return [
            (same[0].name, places(faces, free), sum(p.copies for p in same))
            for faces, same in alike.items()
        ]

    def solutions(self) -> set[tuple[Reveal, Tiling]]:
        """Return the tilings of all reveals, each with its reveal."""
        return {(reveal, tiling) for reveal in self.reveals for tiling in self.tilings(reveal)}


def four_turns(cells: list[Cell]) -> list[list[Cell]]:
    """Return cells in each of the four directions."""
    turns = [cells]
    for _ in range(3):
        turns.append([(c, -r) for r, c in turns[-1]])
    return turns


def to_corner(cells: Iterable[Cell]) -> Cells:
    """Return cells moved to the upper left corner."""
    listed = list(cells)
    top, left = min(r for r, _ in listed), min(c for _, c in listed)
    return frozenset((r - top, c - left) for r, c in listed)


def places(faces: Iterable[Cells], free: Cells) -> list[Cells]:
    """Return where a piece fits."""
    rows, columns = (range(1 + max((cell[axis] for cell in free), default=0)) for axis in (0, 1))
    moved = {
        frozenset((r + down, c + right) for r, c in face)
        for face in faces
        for down, right in itertools.product(rows, columns)
    }
    return sorted((cells for cells in moved if cells <= free), key=sorted)


def fill(kinds: list[Kind], free: Cells) -> Iterator[list[tuple[str, Cells]]]:
    """Yield the ways to fill free cells with all copies of each kind of piece."""
    if not kinds:
        if not free:
            yield []
        return
    (name, spots, copies), *others = kinds
    if not copies:
        yield from fill(others, free)
        return
    for number, spot in enumerate(spots):
        if spot <= free:
            later = (name, spots[number + 1 :], copies - 1)
            yield from ([(name, spot), *rest] for rest in fill([later, *others], free - spot))


def as_tiling(placed: Iterable[Any]) -> Tiling:
    """Return a tiling of satcal in the form of the brute force."""
    return frozenset((placement.piece, frozenset(placement.cells)) for placement in placed)


def parts(tiling: Tiling) -> list[tuple[str, list[Cell]]]:
    """Return the pieces of a tiling and their cells, in an order that no hash changes."""
    return sorted((name, sorted(cells)) for name, cells in tiling)


def truth(small: Small) -> dict[Reveal, int]:
    """Return the counts of all reveals by brute force."""
    return {reveal: len(small.tilings(reveal)) for reveal in small.reveals}


def write(small: Small, path: Path) -> Path:
    """Write a puzzle file and return its path."""
    path.write_text(small.text, encoding="utf-8")
    return path


def rectangle(rows: int, columns: int, *pieces: Piece) -> Small:
    """Return a rectangle without labels."""
    return Small((("*",) * columns,) * rows, pieces)


def dominoes(rows: int, columns: int, corners: bool = True) -> Small:
    """Return a rectangle to be filled with dominoes, maybe without two opposite corners."""
    gaps = set() if corners else {(0, 0), (rows - 1, columns - 1)}
    board = tuple(
        tuple("." if (r, c) in gaps else "*" for c in range(columns)) for r in range(rows)
    )
    return Small(board, (Piece("I2", ("##",), (rows * columns - len(gaps)) // 2),))


def half_stuck(side: int) -> Small:
    """Return a board on which A has no tiling at a glance, and B none that anybody waits for.

    Below a chessboard without two opposite corners, a revealed A leaves one cell alone.
    """
    board = dominoes(side, side, corners=False).board
    below = [(".",) * side, ("A", "*", ".", "B", *["."] * (side - 4))]
    return Small((*board, *below), (Piece("I2", ("##",), side**2 // 2),), (("x", ("A", "B")),))


def labels_alone(**categories: Sequence[str]) -> Small:
    """Return a board of labels, a row for each category, and a square for each that is covered."""
    width = max(map(len, categories.values()))
    board = tuple((*labels, *["."] * (width - len(labels))) for labels in categories.values())
    covered = sum(len(labels) - 1 for labels in categories.values())
    named = tuple((name, tuple(labels)) for name, labels in categories.items())
    return Small(board, (Piece("M", ("#",), covered),), named)


TWO_EACH = Small(
    (("a", "b", "*"), ("*", "*", "*")),
    (Piece("I", ("##",)), Piece("V", ("##", "#."))),
    (("letter", ("a", "b")),),
)
"""Two reveals of two tilings each."""
TINY = Small(
    (("Jan", "Feb", "*", "*"), ("1", "29", "30", "*"), ("*", "*", "*", "*")),
    (Piece("L4", ("###", "#..")), Piece("V", ("##", "#."), 2)),
    (("month", ("Jan", "Feb")), ("day", ("1", "29", "30"))),
)
ONE_FACE = replace(TINY, pieces=(Piece("L4", ("###", "#.."), flip=False), *TINY.pieces[1:]))
FREE = rectangle(2, 3, Piece("V", ("##", "#."), 2))
SQUARE = rectangle(
    4,
    4,
    Piece("P", ("###", "##.")),
    Piece("V", ("###", "#..", "#..")),
    Piece("L4", ("###", "#..")),
    Piece("D", ("##",)),
)
PATCH = Small(
    (("*",) * 4, ("*", "*", "1", "*"), ("*", "2", "b", "*"), ("*", "*", "*", "a")),
    (Piece("I", ("#####",)), Piece("V", ("#..", "#..", "###")), Piece("T4", ("###", ".#."))),
    (("letter", ("a", "b")), ("number", ("1", "2"))),
)
"""A puzzle for which other sets of pieces are searched."""
LETTERS = Small(
    (("A", "B", "C", "D"), ("*",) * 4, ("*",) * 4),
    (Piece("L", ("#.", "#.", "##")), Piece("T", ("###", ".#.")), Piece("I", ("###",))),
    (("letter", ("A", "B", "C", "D")),),
)
"""A puzzle whose certificates take no time."""


# --- random small puzzles ------------------------------------------------------------------------

LARGEST = 5  # cells of a region
SIZES = ((1, 2), (1, 5), (2, 3), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4))


@st.composite
def small_puzzles(draw: st.DrawFn) -> Small:
    """Draw a puzzle of 2 to 16 cells; most have a tiling.

    The board is cut into regions. Some become labels, the others pieces, so that one reveal has a
    tiling. Copies, holes, wide labels, one-sided pieces and alike pieces under two names occur. An
    example shrinks towards few, single cells.
    """
    regions = draw(cut_boards())
    numbers = range(draw(st.integers(0, min(2, len(regions) - 1))))
    revealed, rest = regions[: len(numbers)], regions[len(numbers) :]
    tokens = dict.fromkeys(set().union(*rest), "*")
    categories = []
    for number in numbers:
        labels = [revealed[number], *draw(other_labels(tokens, len(revealed[number])))]
        names = tuple(f"{'xy'[number]}{place}" for place in range(len(labels)))
        for name, cells in zip(names, labels, strict=True):
            tokens |= dict.fromkeys(cells, name)
        categories.append(("xy"[number], names))
    if draw(st.integers(0, 3)) == 3:  # two pieces become a staircase, and often no tiling is left
        area = sum(map(len, rest[:2]))
        rest = [{(step // 2, (step + 1) // 2) for step in range(area)}, *rest[2:]]
    rows, columns = (1 + max(cell[axis] for cell in tokens) for axis in (0, 1))
    board = tuple(tuple(tokens.get((r, c), ".") for c in range(columns)) for r in range(rows))
    return Small(trimmed(board), draw(drawn(rest)), tuple(categories))


@st.composite
def cut_boards(draw: st.DrawFn) -> list[set[Cell]]:
    """Draw a board that is cut into connected regions, in random order."""
    rows, columns = draw(st.sampled_from(SIZES))
    regions: list[set[Cell]] = []
    of: dict[Cell, set[Cell]] = {}
    for cell in itertools.product(range(rows), range(columns)):
        choice = draw(st.sampled_from(("left", "above", "left", "above", "alone", "hole")))
        near = of.get(
            {"left": (cell[0], cell[1] - 1), "above": (cell[0] - 1, cell[1])}.get(choice, cell)
        )
        if choice == "hole" and len(of) > 1:
            continue
        if near is None or len(near) == LARGEST:
            regions.append(near := set())
        near.add(cell)
        of[cell] = near
    if len(regions) == 1 < len(of):
        last = max(regions[0])  # no other cell was joined to it, so the rest stays connected
        regions = [regions[0] - {last}, {last}]
    single = [region for region in regions if len(region) == 1]  # many would make many tilings
    regions = [region for region in regions if region not in single[2:]]
    return draw(st.permutations(regions))


@st.composite
def other_labels(draw: st.DrawFn, tokens: dict[Cell, str], size: int) -> list[Cells]:
    """Draw up to two more places for labels of a category: straight lines of plain cells."""
    plain = {cell for cell, token in tokens.items() if token == "*"}
    lines = [frozenset((r, c + more) for more in range(size)) for r, c in sorted(plain)]
    fitting = [line for line in lines if line <= plain]
    some = draw(st.lists(st.sampled_from(fitting), min_size=1, max_size=2)) if fitting else []
    return [line for n, line in enumerate(some) if not any(line & other for other in some[:n])]


@st.composite
def drawn(draw: st.DrawFn, shapes: list[set[Cell]]) -> tuple[Piece, ...]:
    """Draw pieces of some shapes; alike ones become copies of one piece, or have two names."""
    pieces: list[Piece] = []
    for shape in shapes:
        piece = Piece(ascii_uppercase[len(pieces)], picture(shape), 1, draw(st.booleans()))
        alike = [n for n, p in enumerate(pieces) if p.flip == piece.flip and p.faces == piece.faces]
        if alike and draw(st.booleans()):
            old = pieces[alike[0]]
            pieces[alike[0]] = Piece(old.name, old.rows, old.copies + 1, old.flip)
        else:
            pieces.append(piece)
    return tuple(pieces)


def picture(shape: Iterable[Cell]) -> tuple[str, ...]:
    """Return a drawing of some cells."""
    cells = to_corner(shape)
    rows, columns = (range(1 + max(cell[axis] for cell in cells)) for axis in (0, 1))
    return tuple("".join(".#"[(r, c) in cells] for c in columns) for r in rows)


def trimmed(board: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return a board without empty rows and columns at its borders."""
    for _ in range(4):
        while set(board[0]) == {"."}:
            board = board[1:]
        board = tuple(zip(*board[::-1], strict=True))
    return board


CLAIM = """
source = "a page"
[[statement]]
id = "1"
says = "Oct 6 has 8 tilings"
board = "a-puzzle-a-day"
over = "Oct 6"
value = 8
"""
"""A claim file with one statement, which is wrong: there are 7."""
