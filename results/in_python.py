"""Find the true numbers of the statements of in-python.md: ``python results/in_python.py``.

Each function returns the numbers of some statements, by their ids.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from statistics import mean

import satcal
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import symmetries

PUZZLES = Path(__file__).parent / "published" / "puzzles"
Numbers = dict[str, int | list[int]]


def a_puzzle_a_day() -> Numbers:
    """Count placements, orientations and cells, and pairs of cells without a tiling."""
    daily = satcal.load("a-puzzle-a-day")
    count = Counter(placement.piece for placement in placements(daily, daily.cells))
    orientations = sum(len(piece.orientations) for piece in daily.pieces)
    uncovered = daily.uncovered_cells(("Dec", "25"))
    to_cover = [cell for cell in daily.cells if cell not in uncovered]
    survey = satcal.survey(daily)
    return {
        "12a": [count[name] for name in "OVZULYNP"],
        "12b": orientations,
        "fictorial-2": orientations,
        "fictorial-3": len(daily.cells),
        "jccabrejas-1": [count[name] for name in "UZNLVPY"],
        "jccabrejas-2": count["O"],  # 24 upright, 24 lying
        "13": len(list(placements(daily, to_cover))),
        "8a": sum(not survey.cuts_off(cells) for cells in survey.having(0)),
    }


def weekday_boards() -> Numbers:
    """Count placements, orientations and cells of weekday and rhombus."""
    weekday, rhombus = satcal.load("weekday"), satcal.load("rhombus")
    count = Counter(placement.piece for placement in placements(weekday, weekday.cells))
    spots = [set(placement.cells) for placement in placements(rhombus, rhombus.cells)]
    dates = [reveal for reveal in rhombus.reveals() if rhombus.calendar.is_date(reveal)]
    left = [sum(map(set(rhombus.uncovered_cells(date)).isdisjoint, spots)) for date in dates]
    return {
        "23a": [count[name] for name in ("I4", "V", "Z", "T", "U", "S4", "L", "N", "P", "L4")],
        "23b": sum(len(piece.orientations) for piece in weekday.pieces),
        "24a": len(rhombus.cells),
        "24d": rhombus.area,
        "24e": rhombus.rows * rhombus.columns - len(rhombus.cells),
        "25": round(mean(left) / 100) * 100,
    }


def rectangles() -> Numbers:
    """Count symmetries of 6 by 10, and the covers of 8 by 8 by pieces of up to three cells."""
    board = satcal.load(str(PUZZLES / "polyominoes-8x8.toml"))
    bit = {cell: 1 << number for number, cell in enumerate(board.cells)}
    starting = defaultdict(list)  # placements by their first cell
    for placement in placements(board, board.cells):
        starting[placement.cells[0]].append(sum(bit[cell] for cell in placement.cells))
    covers = Counter({0: 1})  # of the cells so far, by all cells that they cover
    for cell in board.cells:
        longer: Counter[int] = Counter()
        for covered, number in covers.items():
            for mask in [0] if covered & bit[cell] else starting[cell]:
                if not covered & mask:
                    longer[covered | mask] += number
        covers = longer
    return {"30": len(symmetries(satcal.load("pentomino-6x10"))), "40": sum(covers.values())}


def fixed_pieces() -> Numbers:
    """Count the ways to fix one piece or two on 8 by 8, up to symmetry.

    By Burnside's lemma, this is the mean number of ways that a symmetry keeps.
    """
    square = satcal.load("pentomino-8x8")
    group, kept_ways = symmetries(square), Counter[str]()
    for symmetry in group:
        kept = {piece.name: [] for piece in square.pieces}
        for placement in placements(square, square.cells):
            if symmetry.of_placement(placement) == placement:
                kept[placement.piece].append(frozenset(placement.cells))
        pairs = {
            names: sum(a.isdisjoint(b) for a in kept[names[0]] for b in kept[names[1]])
            for names in combinations(sorted(kept), 2)
        }
        kept_ways["37a"] += sum(map(len, kept.values()))
        kept_ways["37d"] += sum(pairs.values())
        kept_ways["37e"] += pairs["F", "P"]
        kept_ways["37f"] += pairs["O4", "X"]
    return {claim: number // len(group) for claim, number in kept_ways.items()}


def solved_with_a_fixed_piece() -> Numbers:
    """Count the ways to fix a piece on 8 by 8 that can be solved, up to symmetry, in seconds.

    No tiling is its own image.
    """
    square = satcal.load("pentomino-8x8")
    ways = {}
    for placement, tilings in PuzzleDiagram.build(square).containing().items():
        images = [symmetry.of_placement(placement) for symmetry in symmetries(square)]
        ways[frozenset(images)] = tilings // images.count(placement)
    return {
        "37b": sum(tilings > 0 for tilings in ways.values()),
        "37c": sum(0 < tilings < 65 for tilings in ways.values()),
    }


QUICK = (a_puzzle_a_day, weekday_boards, rectangles, fixed_pieces)
SLOW = (solved_with_a_fixed_piece,)

if __name__ == "__main__":
    for count_some in (*QUICK, *SLOW):
        for claim, found in count_some().items():
            print(claim, found)
