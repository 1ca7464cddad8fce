"""Puzzles that grow: rectangles of growing length or side, and growing numbers of dates."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from satcal.puzzle.loading import MAX_SIDE

# TOML drawings. Few kinds with copies: sets of all kinds end at their own area.
PENTOMINOES = {
    "P": "##\\n##\\n#.",
    "L": "####\\n#...",
    "V": "###\\n#..\\n#..",
    "Y": "####\\n.#..",
    "N": "###.\\n..##",
    "I": "#####",
}
TETROMINOES = {"L4": "###\\n#..", "T4": "###\\n.#.", "O4": "##\\n##", "I4": "####"}


@dataclass(frozen=True)
class Step:
    """One point of a curve: its place on the axis, and the puzzle as text or library name.

    ``reveals`` are those to be counted, None for all.
    """

    size: int
    text: str
    board: str = ""
    reveals: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class Curve:
    """A series of puzzles: its name, what grows, and what the puzzles are."""

    name: str
    grows: str
    what: str


CURVES = (
    Curve("dominoes", "length", "dominoes on 8 x length"),
    Curve("squares", "side", "dominoes on side x side"),
    Curve("tetrominoes", "length", "copies of L4, T4, O4 and I4 on 4 x length"),
    Curve("pentominoes", "length", "copies of P, L, V, Y, N and I on 5 x length"),
    Curve("rhombus-dates", "dates", "the first dates of 2025 on the rhombus"),
    Curve("weekday-dates", "dates", "the first dates of 2025 on the weekday board"),
)
DATES = (1, 7, 31, 90, 181, 365)


def rectangle(rows: int, columns: int, pieces: dict[str, tuple[str, int]]) -> str:
    """Return a puzzle file: a rectangle without labels, drawings and copies of pieces."""
    board = "\n".join(" ".join("*" * columns) for _ in range(rows))
    drawn = "".join(
        f'{name} = {{ shape = "{shape}", copies = {copies} }}\n'
        for name, (shape, copies) in pieces.items()
        if copies
    )
    return f'name = "rectangle"\nboard = """\n{board}\n"""\n[pieces]\n{drawn}'


def steps(curve: str) -> Iterator[Step]:
    """Yield the points of a curve, up to the largest side, or to all reveals."""
    if curve.endswith("-dates"):
        yield from _dates(curve.removesuffix("-dates"))
        return
    stride = {"dominoes": 8, "pentominoes": 1}.get(curve, 2)
    for size in range(stride, MAX_SIDE + 1, stride):
        yield Step(size, _grown(curve, size))


def _grown(curve: str, size: int) -> str:
    if curve == "dominoes":
        return rectangle(8, size, {"I2": ("##", 4 * size)})
    if curve == "squares":
        return rectangle(size, size, {"I2": ("##", size * size // 2)})
    shapes = TETROMINOES if curve == "tetrominoes" else PENTOMINOES
    return rectangle(4 if curve == "tetrominoes" else 5, size, _shared(shapes, size))


def _shared(shapes: dict[str, str], many: int) -> dict[str, tuple[str, int]]:
    """Return drawings with copies that add up to ``many``, two of each in turn.

    Two, because T4 covers three cells of one colour: an odd number of them leaves no tiling.
    """
    copies = dict.fromkeys(shapes, 0)
    for number in range(many):
        copies[list(shapes)[number // 2 % len(shapes)]] += 1
    return {name: (shape, copies[name]) for name, shape in shapes.items()}


def _dates(board: str) -> Iterator[Step]:
    from satcal.puzzle.loading import load

    puzzle = load(board)
    first = datetime.date(2025, 1, 1)
    for many in DATES:
        days = [first + datetime.timedelta(days=day) for day in range(many)]
        yield Step(many, "", board, tuple(puzzle.reveal(day) for day in days))
    every = tuple(puzzle.reveals())
    yield Step(len(every), "", board, None)
