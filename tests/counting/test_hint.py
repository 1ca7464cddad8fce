"""Hints against the tilings themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from small import Small, small_puzzles

from satcal.counting.hint import advice, hint
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.model import Puzzle

DEC_25 = ("Dec", "25")


@pytest.fixture(scope="module")
def diagram(daily: Puzzle) -> PuzzleDiagram:
    return PuzzleDiagram.build(daily, [DEC_25])


@settings(max_examples=30)
@given(small_puzzles(solvable=True))
def test_places_and_tilings_are_those_of_the_tilings_themselves(small: Small) -> None:
    whole = PuzzleDiagram.build(small.load())
    for reveal in small.reveals()[:2]:
        tilings = list(whole.tilings(reveal))
        hinted, expected = hint(whole, reveal), Counter(p for tiling in tilings for p in tiling)
        assert hinted.tilings == len(tilings)
        assert {p: n for places in hinted.places.values() for p, n in places.items()} == expected
        assert all(p.piece == name for name, places in hinted.places.items() for p in places)
        following = hinted.next()
        assert (following is None) == (not tilings)
        if following:
            assert expected[following] == max(hinted.places[hinted.tightest].values())
            assert len(hinted.places[hinted.tightest]) == min(map(len, hinted.places.values()))


def test_following_the_hints_ends_in_a_tiling(diagram: PuzzleDiagram) -> None:
    demands: list[Demand] = []
    left = [hint(diagram, DEC_25).tilings]
    while (following := hint(diagram, DEC_25, demands).next()) is not None:
        demands += parse_demands(diagram.puzzle, [str(following)])
        left.append(hint(diagram, DEC_25, demands).tilings)
    assert (len(demands), left[0], left[-1]) == (8, 92, 1)
    assert left == sorted(left, reverse=True)


def test_a_board_that_cannot_be_solved_has_no_hint(diagram: PuzzleDiagram) -> None:
    stuck = parse_demands(diagram.puzzle, ["O@r0c0", "O@r6c0"])
    found = hint(diagram, DEC_25, stuck)
    assert (found.tilings, found.tightest, found.next()) == (0, None, None)


@pytest.mark.parametrize("placed", [0, 1, 2])
def test_copies_are_left_until_all_are_placed(two_l4: Small, placed: int) -> None:
    whole = PuzzleDiagram.build(two_l4.load())
    tiling = next(whole.tilings(()))
    found = hint(whole, (), parse_demands(whole.puzzle, map(str, tiling[:placed])))
    assert found.tilings == (2 if placed == 0 else 1)
    assert len(found.places.get("L4", ())) == (4, 1, 0)[placed]


def test_a_piece_that_is_drawn_whole_is_placed(diagram: PuzzleDiagram, tmp_path: Path) -> None:
    daily, tiling = diagram.puzzle, diagram.tiling(0, DEC_25)
    marks = dict.fromkeys(daily.cells, "_")
    marks |= {cell: placed.piece for placed in tiling[:3] for cell in placed.cells}
    rows, columns = range(daily.rows), range(daily.columns)
    board = tmp_path / "board.txt"
    board.write_text("\n".join(" ".join(marks.get((r, c), ".") for c in columns) for r in rows))
    drawn = parse_demands(daily, [f"@{board}"])
    named = parse_demands(daily, map(str, tiling[:3]))
    assert hint(diagram, DEC_25, drawn) == hint(diagram, DEC_25, named)
    assert not {placed.piece for placed in tiling[:3]} & set(hint(diagram, DEC_25, drawn).places)


def test_a_stuck_board_is_told_the_fewest_pieces_to_take_back(diagram: PuzzleDiagram) -> None:
    tiling = list(map(str, diagram.tiling(0, DEC_25)))

    def advised(*placed: str) -> str:
        demands = parse_demands(diagram.puzzle, placed)
        assert not diagram.count(DEC_25, demands)
        return advice(diagram, DEC_25, demands)

    assert advised("O@r0c0", "O@r6c0") == (  # its cells are taken back together
        "it cannot be solved any more: take back O (tilings then: 92)"
    )
    others = [text for text in tiling if not text.startswith("O")]
    placed = [*others[:5], "O@" + others[6].rpartition(",")[2]]
    left = {
        text[0]: diagram.count(DEC_25, parse_demands(diagram.puzzle, {*placed} - {text}))
        for text in placed
    }
    most = max(left.values())
    said = advised(*placed)
    assert f"(tilings then: {most})" in said
    assert [name for name, count in left.items() if f"back {name} (" in said and count == most]


def test_a_reveal_without_a_tiling_needs_no_piece_back() -> None:
    split = Small((("a", "*", "*", "b", "*"),), {"x": ("a", "b")}, (("I", ("####",), 1, True),))
    whole = PuzzleDiagram.build(split.load())
    assert advice(whole, ("b",), ()) == "there is no tiling, whatever is placed"
