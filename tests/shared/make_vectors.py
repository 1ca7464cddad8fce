"""The vectors of hints, ranks and outlines, which Python and the page both pass.

PYTHONPATH=tests python -m shared.make_vectors    writes them into tests/shared

The expected hints follow the definitions, word for word, over the listed tilings, which the method
``search`` finds. Ranks are those of Python, which must stay what they are. The dates in words, in
the forms of twelve languages, are a file alone.
"""

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import satcal
from satcal.counting.method import Meter
from satcal.counting.search import Search
from satcal.puzzle.loading import load, parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling, cell_name
from satcal.puzzle.placements import placements

FOLDER = Path(__file__).parent
DEFINITIONS = {
    "dominoes": """
board = \"\"\"
* * * * * *
* * a * * *
* * * * b *
\"\"\"
[categories]
letter = ["a", "b"]
[pieces]
I2 = { shape = "##", copies = 7 }
V = "##\\n#."
""",
    "two-rooms": """
board = \"\"\"
* * * * . * * * *
* * * * . * * * *
\"\"\"
[pieces]
I2 = { shape = "##", copies = 8 }
""",
    "no-way": """
board = \"\"\"
a * * b *
\"\"\"
[categories]
letter = ["a", "b"]
[pieces]
I4 = "####"
""",
}
POSITIONS = {  # boards, reveals, and the numbers of positions with a tiling and without
    ("a-puzzle-a-day", ("Oct", "6")): (7, 8),
    ("a-puzzle-a-day", ("Feb", "29")): (4, 4),
    ("rhombus", ("Mon", "Oct", "6")): (4, 6),
    ("jarring-words", ("Dec", "25")): (4, 5),
    ("pentomino-3x20", ()): (4, 4),
    ("sh1ura-8", ("Dec", "25")): (3, 4),
    ("dominoes", ("a",)): (4, 12),
    ("two-rooms", ()): (3, 8),
    ("no-way", ("b",)): (1, 1),
}

BOARDS = [*dict.fromkeys(name for name, _ in POSITIONS)]


@cache
def vectors(kind: str) -> list[Any]:
    """Return the rows of a file."""
    return list(json.loads((FOLDER / f"{kind}.json").read_text("utf-8")))


@cache
def board(name: str) -> Puzzle:
    """Return a puzzle of the library, or one that is defined here."""
    if name in DEFINITIONS:
        return parse_puzzle(f'name = "{name}"\n{DEFINITIONS[name]}', name)
    return load(name)


@cache
def list_tilings(name: str, reveal: Reveal) -> list[Tiling]:
    """Return all tilings of a reveal."""
    return list(Search().tilings(board(name), reveal, (), Meter()))


def canonical(puzzle: Puzzle, placement: Placement) -> tuple[Any, ...]:
    """Return what sorts placements: pieces in the order of the file, then cells."""
    return [piece.name for piece in puzzle.pieces].index(placement.piece), placement.cells


def hint(name: str, reveal: Reveal, placed: list[Placement]) -> dict[str, Any]:
    """Return the right hint for a position, by its definition."""
    puzzle, tilings = board(name), list_tilings(name, reveal)
    left = [tiling for tiling in tilings if {*placed} <= {*tiling}]
    counts: dict[Placement, int] = {}
    for tiling in left:
        for placement in {*tiling} - {*placed}:
            counts[placement] = counts.get(placement, 0) + 1
    free = {cell for placement in counts for cell in placement.cells}
    ways = {cell: sum(cell in placement.cells for placement in counts) for cell in free}
    cell = min(free, key=lambda cell: (ways[cell], cell), default=None)
    on_cell = [placement for placement in counts if cell in placement.cells]
    on_cell.sort(key=lambda placement: (-counts[placement], canonical(puzzle, placement)))
    return {
        "board": name,
        "reveal": reveal,
        "place": [*map(str, placed)],
        "tilings": len(left),
        "cell": cell_name(cell) if cell else None,
        "next": str(on_cell[0]) if on_cell else None,
        "blame": [] if left else find_blame(name, reveal, placed),
    }


def find_blame(name: str, reveal: Reveal, placed: list[Placement]) -> list[dict[str, Any]]:
    """Return the smallest sets to take back: all of one piece, or the best one of several."""
    puzzle, tilings = board(name), list_tilings(name, reveal)
    ordered = sorted(placed, key=lambda placement: canonical(puzzle, placement))
    for size in range(1, len(placed) + 1):
        choices = [
            {"place": [*map(str, choice)], "tilings": number}
            for choice in combinations(ordered, size)
            if (number := sum({*ordered} - {*choice} <= {*tiling} for tiling in tilings))
        ]
        choices.sort(key=lambda choice: -choice["tilings"])  # stable
        if choices:
            return choices if size == 1 else choices[:1]
    return []


def positions() -> Iterator[tuple[str, Reveal, list[Placement]]]:
    """Yield positions of each board: parts of tilings, and pieces that fit but lead nowhere."""
    for (name, reveal), (solvable, stuck) in POSITIONS.items():
        puzzle, tilings = board(name), list_tilings(name, reveal)
        numbers = random.Random(f"{name} {reveal}")
        for part in range(solvable):
            tiling = numbers.choice(tilings) if tilings else ()
            kept = len(tiling) * part // max(1, solvable - 1)
            yield name, reveal, numbers.sample(tiling, kept)
        uncovered = puzzle.uncovered_cells(reveal)
        usable = list(placements(puzzle, [c for c in puzzle.cells if c not in uncovered]))
        found = 0
        while found < stuck:
            start = numbers.choice(tilings) if tilings else ()
            placed = numbers.sample(start, min(len(start), numbers.randrange(6)))
            others = usable
            if found % 2 and tilings:  # a piece of another tiling: it or another may be to blame
                others = numbers.choice(tilings)
            for _ in range(1 + (found % 2 == 0) * numbers.randrange(3)):
                fits = [each for each in others if can_add(puzzle, placed, each)]
                placed += numbers.sample(fits, min(1, len(fits)))
            if not any({*placed} <= {*tiling} for tiling in tilings):
                found += 1
                yield name, reveal, placed


def can_add(puzzle: Puzzle, placed: list[Placement], new: Placement) -> bool:
    """Return whether a placement overlaps nothing, and a copy of its piece is left."""
    copies = next(piece.copies for piece in puzzle.pieces if piece.name == new.piece)
    used = sum(placement.piece == new.piece for placement in placed)
    return used < copies and not any({*each.cells} & {*new.cells} for each in placed)


def ranks() -> list[dict[str, Any]]:
    """Return tilings by their ranks: the first, the last, and some between, also of positions."""
    rows = []
    for name, reveal in POSITIONS:
        tilings = list(satcal.tilings(board(name), reveal))
        for placed in ((), tilings[len(tilings) // 2][:2]) if tilings else ():
            number = sum({*placed} <= {*tiling} for tiling in tilings)
            for rank in sorted({0, 1 % number, number // 3, number // 2, number - 1}):
                tiling = satcal.solve(board(name), reveal, index=rank, place=placed)
                row = {"board": name, "reveal": reveal, "place": [*map(str, placed)]}
                rows.append(row | {"rank": rank, "tiling": [*map(str, tiling)]})
    return rows


SHAPES = [
    *(["##", "#."], ["###", "#.#", "###"], ["#.", ".#"], [".#", "#."], ["###", "#.#", "##."]),
    *(["####", "#.##", "##.#", "####"], ["#####", "#.#.#", "##.##", "#.#.#", "#####"]),
    *([".#.", "#.#", ".#."], ["##.", "#.#", ".##"], ["#.#", "...", "#.#"]),
]


def outlines() -> list[dict[str, Any]]:
    """Return shapes with the corners of their boundaries, each from its first corner on."""
    shapes = [
        [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
        for rows in SHAPES
    ]
    shapes += [[*p.orientations[0]] for name in ("rhombus", "tetromino") for p in load(name).drawn]
    return [{"cells": cells, "loops": trace({*cells})} for cells in shapes]


SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
CORNERS = ((1, 0), (1, 1), (0, 1), (0, 0))  # (x, y) at the end of a side, clockwise


def trace(cells: set[tuple[int, int]]) -> list[list[list[int]]]:
    """Return the loops of a boundary, walked from cell to cell; none crosses at a diagonal."""
    edges = {(cell, side) for cell in cells for side in range(4) if step(cell, side) not in cells}
    loops = []
    while edges:
        corners, edge = [], min(edges)
        while edge in edges:
            edges.remove(edge)
            cell, side = edge
            ahead = step(cell, (side + 1) % 4)
            if ahead not in cells:
                edge = cell, (side + 1) % 4
            elif step(ahead, side) not in cells:
                edge = ahead, side
            else:
                edge = step(ahead, side), (side - 1) % 4
            if edge[1] != side:
                x, y = CORNERS[side]
                corners.append([cell[1] + x, cell[0] + y])
        loops.append(from_first_corner(corners))
    return sorted(loops)


def from_first_corner(loop: list[list[int]]) -> list[list[int]]:
    """Return a loop from its least corner on."""
    first = loop.index(min(loop))
    return loop[first:] + loop[:first]


def step(cell: tuple[int, int], side: int) -> tuple[int, int]:
    """Return the cell beyond a side."""
    return cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]


def files() -> dict[str, str]:
    """Return the text of each file of vectors that is written here."""
    hints = [hint(*position) for position in positions()]
    found = {"hints": hints, "ranks": ranks(), "outlines": outlines()}
    return {name: write(rows) for name, rows in found.items()}


def write(rows: list[Any]) -> str:
    """Return rows as JSON, one a line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


if __name__ == "__main__":
    for name, text in files().items():
        (FOLDER / f"{name}.json").write_text(text, "utf-8")
