"""The full-screen browser, driven through every key and the mouse."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from looping import awaited
from textual.widgets import Input

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.browser import Browser
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Range, select
from satcal.puzzle.toml import parse_puzzle

OCTOBER = Range(start="2025-10-05", end="2025-10-07")
Steps = Sequence[tuple[str, str]]
"""What somebody does, and a part of the message that answers it.

Keys are separated by blanks, ``j=Oct 7`` answers the question that the key j asks, ``#next``
is clicked.
"""


@pytest.fixture(scope="module")
def diagram(daily: Puzzle) -> PuzzleDiagram:
    return PuzzleDiagram.build(daily, [("Oct", str(day)) for day in range(5, 8)])


def browse(diagram: PuzzleDiagram, dates: Range, steps: Steps, *placed: str, **more: int) -> None:
    """Run the browser, with something placed, over some dates."""
    puzzle = diagram.puzzle
    demands = tuple(parse_demands(puzzle, placed))
    rows = select(puzzle, dates, None)

    async def run() -> None:
        app = Browser(diagram, rows, random.Random(1), demands=demands, **more)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            for step, answer in steps:
                keys, _, text = step.partition("=")
                if step.startswith("#"):
                    await pilot.click(step, offset=(3, 2) if step == "#dates" else (0, 0))
                else:
                    await pilot.press(*keys.split())
                if text:
                    app.query_one(Input).value = text
                    await pilot.press("enter")
                await pilot.pause()
                assert answer in app.message, step
            assert app.is_running == (steps[-1][0] != "q")

    awaited(run())


SESSIONS: dict[str, Steps] = {
    "keys step through the tilings of a date and round at the ends": [
        ("", "2025-10-05: 1 of 13 tilings"), ("n", "2 of 13"), ("right", "3 of 13"),
        ("p", "2 of 13"), ("left", "1 of 13"), ("p", "13 of 13"), ("n", "1 of 13"),
        ("pagedown", "11 of 13"), ("pageup", "1 of 13"), ("end", "13 of 13"), ("home", "1 of 13"),
    ],
    "up, down and the mouse go to dates": [
        ("down", "2025-10-06: 1 of 7 tilings"), ("up", "2025-10-05: 1 of 13 tilings"),
        ("#dates", "2025-10-07: 1 of 92 tilings"),
    ],
    "j goes to a date of the list": [
        ("j=2025-10-06", "2025-10-06: 1 of 7 tilings"), ("down", "2025-10-07: 1 of"),
        ("j=oct,5", "2025-10-05: 1 of"),
        ("j=7 October", "2025-10-07: 1 of"), ("j=2025-10-09", "not in the list"),
        ("escape up", "2025-10-06: 1 of"),
    ],
    "f keeps the tilings with a placed piece on every date, and c all of them": [
        ("f=L@r2c5", "2025-10-05: 1 of 7 tilings with L@r2c5"), ("f=Q@r0c0", "no piece 'Q'"),
        ("escape down", "2025-10-06: no tiling with L@r2c5"), ("n r h end", "no tiling"),
        ("c", "2025-10-06: 1 of 7 tilings"),
    ],
    "r draws at random, h gives a hint, and buttons do what keys do": [
        ("r", "drawn at random"), ("h", "has the fewest places left"), ("home", "1 of 13"),
        ("#next", "2 of 13"), ("#previous", "1 of 13"), ("#random", "drawn at random"),
        ("#hint", "has the fewest places left"), ("q", ""),
    ],
    "m plays: a hint is taken in hand where it belongs, and taken back": [
        ("m", "2025-10-05: 13 tilings left\nO in hand"),
        ("h enter", "2025-10-05: 10 tilings left with P:r0c3,r0c4,r0c5,r1c4,r1c5\nO in hand"),
        ("enter", "O does not fit here"), ("u u u", "2025-10-05: 13 tilings left\n"),
        ("escape", "2025-10-05: 1 of 13 tilings"),
    ],
    "a piece is chosen, turned, flipped and moved, not off the board": [
        ("m n", "U in hand"), ("p p", "P in hand"),
        ("t f up left right right left down down up down enter",
         "0 tilings left with P:r2c1,r2c2,r3c1,r3c2,r4c1"),
        ("up up right right right enter", "O does not fit here"),  # beyond Jun
    ],
}  # fmt: skip


@pytest.mark.parametrize("session", SESSIONS)
def test_the_browser_answers(session: str, diagram: PuzzleDiagram) -> None:
    browse(diagram, OCTOBER, SESSIONS[session])


def test_it_opens_on_the_date_that_is_asked_for(diagram: PuzzleDiagram) -> None:
    steps = [("", "2025-10-06: 1 of 7 tilings"), ("down", "2025-10-07: 1 of 92 tilings")]
    browse(diagram, OCTOBER, steps, first=1, coloured=False)


def test_where_every_piece_is_placed_nothing_is_played(diagram: PuzzleDiagram) -> None:
    tiling = diagram.tiling(0, ("Oct", "5"))
    browse(diagram, OCTOBER, [("m", "every piece is placed")], *map(str, tiling))


def test_a_hint_where_nothing_leads_to_a_tiling_names_the_piece_to_take_back(
    diagram: PuzzleDiagram,
) -> None:
    browse(diagram, OCTOBER, [("h", "take back O")], "O@r0c0", "O@r6c0")


def test_a_label_in_brackets_is_shown_and_a_piece_of_one_square_is_hinted_and_played() -> None:
    board = 'board = "[/x] b * *"\n[categories]\nx = ["[/x]", "b"]\n[pieces]\nM = "#"\nI = "##"\n'
    steps = [
        ("", "[/x]: 1 of 2 tilings"),
        ("h m t", "[/x]: 2 tilings left\nM in hand"),
        ("enter h", "the piece I has the fewest places left: 1 place"),
    ]
    browse(PuzzleDiagram.build(parse_puzzle(board, "odd")), Range(all_reveals=True), steps)
