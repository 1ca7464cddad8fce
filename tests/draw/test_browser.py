"""The full-screen browser, driven through every key and the mouse."""

from __future__ import annotations

import random

import pytest
from looping import awaited
from textual.widgets import Input, ListView

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.browser import PAGE, Browser
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Range, select
from satcal.puzzle.shapes import reflect, rotate
from satcal.puzzle.toml import parse_puzzle


@pytest.fixture(scope="module")
def diagram(daily: Puzzle) -> PuzzleDiagram:
    return PuzzleDiagram.build(daily, [("Oct", str(day)) for day in range(5, 8)])


def browse(diagram: PuzzleDiagram, steps, coloured: bool = True, first: int = 0) -> None:
    """Run the browser over 5 to 7 October 2025 and await ``steps(app, pilot)``."""
    rows = select(diagram.puzzle, Range(start="2025-10-05", end="2025-10-07"), None)

    async def run() -> None:
        app = Browser(diagram, rows, random.Random(1), coloured, first=first)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            await steps(app, pilot)

    awaited(run())


def test_keys_step_through_the_tilings_of_a_date_and_round_at_the_ends(diagram):
    async def steps(app, pilot):
        assert app.message == "2025-10-05: 1 of 13 tilings"
        for key, number in [
            ("n", 2), ("right", 3), ("p", 2), ("left", 1), ("p", 13), ("n", 1),
            ("pagedown", 1 + PAGE), ("pageup", 1), ("end", 13), ("home", 1),
        ]:  # fmt: skip
            await pilot.press(key)
            assert app.message == f"2025-10-05: {number} of 13 tilings", key

    browse(diagram, steps)


def test_up_down_the_mouse_and_j_go_to_dates(diagram):
    async def steps(app, pilot):
        for key, said in [("down", "06: 1 of 7"), ("up", "05: 1 of 13")]:
            await pilot.press(key)
            await pilot.pause()
            assert app.message == f"2025-10-{said} tilings"
        await pilot.click("#dates", offset=(3, 2))
        await pilot.pause()
        assert app.message == "2025-10-07: 1 of 92 tilings"
        await pilot.press("j", *"2025-10-06", "enter")
        await pilot.pause()
        assert app.message == "2025-10-06: 1 of 7 tilings"
        assert app.query_one(ListView).has_focus
        for there, said in [("Oct 7", "07: 1 of"), ("oct,5", "05: 1 of"), ("6 October", "06: 1")]:
            await pilot.press("j", *there, "enter")
            assert app.message.startswith(f"2025-10-{said}"), there
        for nowhere in ("2025-10-09", "soon"):
            await pilot.press("j", *nowhere, "enter")
            assert "not in the list" in app.message
        await pilot.press("j", "escape")
        assert not app.query_one(Input).has_class("asking")
        assert app.row == 1

    browse(diagram, steps)


def test_f_filters_by_a_placed_piece_on_every_date_and_c_clears(diagram):
    async def steps(app, pilot):
        await pilot.press("f", *"L@r2c5", "enter")  # the cell of 6
        await pilot.pause()
        expected = diagram.count(("Oct", "5"), app.demands)
        assert 0 < expected < 13
        assert app.message.startswith(f"2025-10-05: 1 of {expected} tiling")
        assert "with L@r2c5" in app.message
        await pilot.press("f", *"Q@r0c0", "enter")
        assert "no piece 'Q'" in app.message
        await pilot.press("escape", "down")
        await pilot.pause()
        assert app.message == "2025-10-06: no tiling with L@r2c5"
        await pilot.press("n", "r", "h", "end")
        assert "no tiling" in app.message
        await pilot.press("c")
        assert app.message == "2025-10-06: 1 of 7 tilings"

    browse(diagram, steps)


def test_r_draws_h_hints_q_leaves_and_buttons_do_what_keys_do(diagram):
    async def steps(app, pilot):
        for key, said in [("r", "drawn at random"), ("h", "has the fewest places left")]:
            await pilot.press(key)
            assert said in app.message
        await pilot.press("home")
        assert "fewest" not in app.message
        for button, said in [
            ("next", "2 of 13"), ("previous", "1 of 13"), ("random", "random"), ("hint", "fewest")
        ]:  # fmt: skip
            await pilot.click(f"#{button}")
            await pilot.pause()
            assert said in app.message
        await pilot.press("q")
        await pilot.pause()
        assert not app.is_running

    browse(diagram, steps, coloured=False)


def test_m_plays_pieces_are_moved_turned_flipped_placed_and_taken_back(diagram):
    async def steps(app, pilot):
        first = diagram.tiling(0, ("Oct", "5"))
        await pilot.press("m")
        assert app.message.startswith("2025-10-05: 13 tilings left")
        assert "in hand" in app.message
        await pilot.press("h", "enter")  # the hint is taken in hand, where it belongs
        assert len(app.demands) == 1
        left = diagram.count(("Oct", "5"), app.demands)
        assert f"2025-10-05: {left} tilings left with {app.demands[0].piece}:" in app.message
        await pilot.press("enter", *["up"] * 9, *["left"] * 9, "enter")
        await pilot.press("u", "u", "u")
        assert app.demands == ()
        assert app.message.startswith("2025-10-05: 13 tilings left")
        shape = app.hand.shape
        await pilot.press("t", "f")
        assert app.hand.shape == reflect(rotate(shape))
        name = app.hand.piece.name
        await pilot.press("n")
        assert app.hand.piece.name != name
        await pilot.press("p", *["down"] * 9, *["right"] * 9, "enter")
        assert f"{name} does not fit here" in app.message  # there is no cell
        await pilot.press("escape")
        assert app.message == "2025-10-05: 1 of 13 tilings"
        for placed in first:
            app.demands += (Demand(placed.piece, placed.cells, whole=True),)
        await pilot.press("m")
        assert "every piece is placed" in app.message

    browse(diagram, steps)


def test_a_piece_of_one_square_is_hinted_and_played():
    board = 'board = "* * *"\n[pieces]\nM = "#"\nI = "##"\n'
    diagram = PuzzleDiagram.build(parse_puzzle(board, "odd"))

    async def run() -> None:
        app = Browser(diagram, select(diagram.puzzle, Range(), None), random.Random(1))
        async with app.run_test() as pilot:
            await pilot.press("h", "m", "t")
            assert app.message.startswith("odd: 2 tilings left\nM in hand")
            await pilot.press("enter", "h")
            assert "the piece I has the fewest places left: 1 place" in app.message

    awaited(run())


def test_a_hint_where_nothing_leads_to_a_tiling_names_the_piece_to_take_back(diagram):
    async def steps(app, pilot):
        app.demands = tuple(parse_demands(diagram.puzzle, ["O@r0c0", "O@r6c0"]))
        app.choose(0)
        await pilot.press("h")
        assert "take back O" in app.message

    browse(diagram, steps)


def test_it_opens_on_the_date_that_is_asked_for_and_goes_on_from_there(diagram):
    async def steps(app, pilot):
        assert app.message == "2025-10-06: 1 of 7 tilings"
        await pilot.press("down")
        await pilot.pause()
        assert app.message == "2025-10-07: 1 of 92 tilings"

    browse(diagram, steps, first=1)


def test_a_label_in_brackets_is_shown_as_it_is():
    board = 'board = "[/x] b *"\n[categories]\nx = ["[/x]", "b"]\n[pieces]\nI = "##"\n'
    diagram = PuzzleDiagram.build(parse_puzzle(board, "odd"))
    rows = select(diagram.puzzle, Range(all_reveals=True), None)

    async def run() -> None:
        app = Browser(diagram, rows, random.Random(1))
        async with app.run_test() as pilot:
            await pilot.pause()
            assert app.message == "[/x]: 1 of 1 tiling"

    awaited(run())
