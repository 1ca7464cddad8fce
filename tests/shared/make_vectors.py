"""The vectors that Python and the page both pass: hints, ranks, dates in words, and outlines.

PYTHONPATH=tests python -m shared.make_vectors    writes them into tests/shared

The expected answers follow the definitions, word for word, over the listed tilings, which the
method ``search`` finds. Dates are written by Unicode's own formats, not read by satcal.
"""

from __future__ import annotations

import datetime
import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from satcal.counting.method import Meter
from satcal.counting.search import Search
from satcal.puzzle.loading import load, parse_puzzle
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling, cell_name
from satcal.puzzle.placements import cover_of, filling_order, placements

FOLDER = Path(__file__).parent
TODAY = datetime.date(2025, 12, 31)
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
        if name == "no-way":
            continue
        puzzle = board(name)
        cover = cover_of(puzzle, reveal)
        whole = cover_of(puzzle, None)
        order = [whole.cells[index] for index in filling_order(whole)]
        number = {option: index for index, option in enumerate(cover.options)}

        def path(tiling: Tiling, order: Any = order, number: Any = number) -> list[int]:
            at = {cell: number[placement] for placement in tiling for cell in placement.cells}
            return [*dict.fromkeys(at[cell] for cell in order if cell in at)]

        tilings = sorted(list_tilings(name, reveal), key=path)
        for placed in ((), tilings[len(tilings) // 2][:2]):
            left = [tiling for tiling in tilings if {*placed} <= {*tiling}]
            for rank in sorted({0, 1, len(left) // 3, len(left) // 2, len(left) - 1}):
                if rank < len(left):
                    row = {"board": name, "reveal": reveal, "place": [*map(str, placed)]}
                    rows.append(row | {"rank": rank, "tiling": [*map(str, left[rank])]})
    return rows


LANGUAGES = ["en", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "zh_Hans", "zh_Hant"]
NEXT_TO_TODAY = {
    "2025-12-30": "yesterday gestern ayer hier ieri 昨日 어제 gisteren wczoraj ontem 昨天",
    "2025-12-31": "today HEUTE hoy aujourd'hui aujourd\N{RIGHT SINGLE QUOTATION MARK}hui oggi "
    "今日 오늘 vandaag dzisiaj dziś hoje 今天",
    "2026-01-01": "tomorrow morgen Mañana demain domani 明日 내일 jutro amanhã 明天",
}
ENGLISH = {
    "Dec 25": "2025-12-25",
    "25 December 2025": "2025-12-25",
    "1st mar": "2025-03-01",
    "the 3rd of March": "2025-03-03",
    "12-25": "2025-12-25",
    "12/25": "2025-12-25",
    "2024/12/25": "2024-12-25",
    "25.12.": "2025-12-25",
    "25. 12. 2024": "2024-12-25",
    "4-4": "2025-04-04",
    **dict.fromkeys(("6-Oct", "06-Oct", "Oct-06", "Oct_6", "6/okt", "6-ottobre"), "2025-10-06"),
    **dict.fromkeys(("20221006", "6-Oct-2022", "06-Oct-22"), "2022-10-06"),
    "06-août-22": "2022-08-06",
    "Feb 29": "2028-02-29",
    "Thu, 23 Oct 2025": "2025-10-23",
    "mar. 6 oct. 2026": "2026-10-06",
    "10月6日": "2025-10-06",
    "10월 6일": "2025-10-06",
}
REFUSED = [
    *("3-4", "Oct", "2025", "Feb 30", "12.25.", "rhombus", "Fri, 23 Oct 2025", "Thu Oct 23"),
    *("Feb 29 2025", "25.12.1582", "2025年10月6日星期二", "2025年13月6日", "13월 1일"),
    # which are other months in other languages
    *("13 lut 2026", "18 lip 2026", "22 lis 2026", "22 listopada 2026", "21 de out. de 2026"),
]


def dates() -> list[list[str | None]]:
    """Return texts, each with the only day that it names, or None."""
    from babel.dates import format_date

    rows: dict[str, str | None] = {}
    for language in LANGUAGES:
        for month in range(1, 13):
            day = datetime.date(2026, month, month + 11)
            for form in ("full", "long", "medium"):
                rows[format_date(day, form, locale=language)] = day.isoformat()
    rows |= {word: day for day, words in NEXT_TO_TODAY.items() for word in words.split()}
    rows |= ENGLISH | dict.fromkeys(REFUSED)
    return [[text, day] for text, day in rows.items()]


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
        first = corners.index(min(corners))
        loops.append(corners[first:] + corners[:first])
    return sorted(loops)


def step(cell: tuple[int, int], side: int) -> tuple[int, int]:
    """Return the cell beyond a side."""
    return cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]


def files() -> dict[str, str]:
    """Return the text of each file of vectors."""
    found = {
        "hints": [hint(*position) for position in positions()],
        "ranks": ranks(),
        "dates": dates(),
        "outlines": outlines(),
    }
    return {name: write(rows) for name, rows in found.items()}


def write(rows: list[Any]) -> str:
    """Return rows as JSON, one a line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


if __name__ == "__main__":
    for name, text in files().items():
        (FOLDER / f"{name}.json").write_text(text, "utf-8")
