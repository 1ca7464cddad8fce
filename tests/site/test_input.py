"""Whole puzzles are played: by mouse, finger, keyboard, and in all other ways on a small phone."""

from __future__ import annotations

import re
from functools import partial
from itertools import cycle

import pytest
from playwright.sync_api import expect

from helpers.player import DESKTOP, LEFT, PHONE, SOLUTION, Player, by_pen, by_touch, normal, touch
from helpers.waiting import wait_for_value

MISFIT = "It does not fit here."


def with_a_finger(player: Player, placement) -> None:
    """Place a piece by taps: one chooses it, another turns it; Flip turns it over.

    What a tap does comes after the finger has gone, so each is waited for.
    """
    piece = player.piece(placement)
    player.page.touchscreen.tap(*player.on_piece(placement))
    expect(piece).to_have_attribute("aria-pressed", "true")
    for key in player.keys(placement):
        turned = piece.get_attribute("data-turned")
        if key == "r":
            player.page.touchscreen.tap(*player.on_piece(placement))
        else:
            player.find("#flip").tap()
        expect(piece).not_to_have_attribute("data-turned", turned)
    player.drag(placement, by_touch, 2)


def with_a_pen(player: Player, placement) -> None:
    player.turn(placement)
    player.drag(placement, by_pen)


def with_the_keyboard(player: Player, placement) -> None:
    player.place_with_keys(placement)
    if placement != SOLUTION[-1]:  # after the last one the heading of the finish takes the focus
        expect(player.piece(placement)).to_be_focused()


def with_taps(player: Player, placement) -> None:
    player.turn(placement)
    for point in player.same_cell(placement):
        player.page.touchscreen.tap(*point)


def with_clicks(player: Player, placement) -> None:
    player.turn(placement)
    for point in player.same_cell(placement):
        player.page.mouse.click(*point)


@pytest.mark.parametrize(
    ("size", "phone", "ways"),
    [
        (DESKTOP, False, [Player.place_with_a_mouse, with_the_keyboard, with_clicks]),
        (PHONE, True, [with_a_finger, with_a_pen, with_taps]),
    ],
)
def test_a_puzzle_is_solved(visit, size, phone, ways):
    player = visit(size, has_touch=phone, is_mobile=phone)
    for way, placement, left in zip(cycle(ways), SOLUTION, LEFT, strict=False):
        way(player, placement)
        player.expect_tilings(left)
    player.expect_solved()


# -- fingers


@pytest.fixture
def phone(visit) -> Player:
    """Somebody with a phone; two pieces lie on the board."""
    player = visit(PHONE, has_touch=True, is_mobile=True)
    player.resume(*SOLUTION[:2])
    return player


def test_what_does_not_fit_or_is_taken_away_goes_back_where_it_came_from(phone):
    there, before = phone.on_piece(SOLUTION[0], 1), state(phone)
    for placement in SOLUTION[1:3]:  # one that lies, and one that does not
        phone.page.evaluate("document.querySelector('#message').textContent = ''")
        by_touch(phone.page, phone.on_piece(placement), there)
        expect(phone.find("#message")).to_have_text(MISFIT)
        wait_for_value(partial(state, phone), before)
        away = phone.on_board((4, 4))
        by_touch(phone.page, phone.on_piece(placement), away, last="touchCancel")
        wait_for_value(partial(state, phone), before)
    phone.expect_tilings(LEFT[1])
    by_touch(phone.page, phone.on_piece(SOLUTION[1]), phone.off_board())
    phone.expect_tilings(LEFT[0])
    phone.expect_placed(1)


def test_a_second_finger_turns_and_swipes_turn_over(phone):
    placement = next(each for each in SOLUTION if each.piece == "P")
    piece, session = phone.piece(placement), phone.page.context.new_cdp_session(phone.page)
    shapes = [phone.shape(placement)]
    touch(session, "touchStart", phone.on_piece(placement))
    touch(session, "touchMove", (200, 400))
    touch(session, "touchMove", phone.on_board((4, 4)))
    expect(piece).to_have_class(re.compile("carried"))
    for end in ((350, 600), (290, 600)):  # the protocol lifts all fingers or none
        for kind, (x, y) in (("pointerdown", (350, 600)), ("pointerup", end)):
            finger = {"pointerId": 77, "pointerType": "touch", "bubbles": True}
            where = {"clientX": x, "clientY": y}
            phone.find("#tools").dispatch_event(kind, finger | where)
        shapes.append(phone.shape(placement))
    before, turned, over = shapes
    assert turned == normal([(column, -row) for row, column in before])
    assert over == normal([(row, -column) for row, column in turned])
    expect(piece).to_have_class(re.compile("carried"))
    touch(session, "touchCancel")
    expect(piece).not_to_have_class(re.compile("carried"))


def test_a_finger_carries_a_piece_by_the_cell_that_it_touched_and_nothing_else(phone):
    placement, session = SOLUTION[5], phone.page.context.new_cdp_session(phone.page)
    phone.turn(placement)
    for number in (0, len(placement.cells) - 1):
        x, y = phone.on_piece(placement, number)
        touch(session, "touchStart", (x, y))
        touch(session, "touchMove", (x + 20, y))
        touch(session, "touchMove", (211, 333))
        above = pytest.approx((211, 333 - 0.8 * phone.unit), abs=1)
        expect(phone.piece(placement)).to_have_class(re.compile("carried"))
        wait_for_value(partial(phone.on_piece, placement, number), above)
        touch(session, "touchCancel")
        expect(phone.piece(placement)).not_to_have_class(re.compile("carried"))
    by_touch(phone.page, phone.on_board((0, 6)), phone.off_board())
    by_touch(phone.page, phone.off_board(), phone.on_board((4, 4)))
    phone.expect_placed(2)
    assert phone.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    expect(phone.find(".piece[aria-pressed=true]")).to_have_count(0)


# -- the way back


def state(player: Player) -> list[str]:
    """Return how and where every piece lies."""
    return player.find(".piece").evaluate_all(
        """all => all.sort((a, b) => a.dataset.token - b.dataset.token)
          .map(each => [each.dataset.turned, each.style.transform].join(' '))"""
    )


def test_everything_can_be_undone_and_done_again(visit):
    player, placement = visit(), SOLUTION[0]
    player.turn(placement)  # in the tray, which is no step
    seen = [state(player)]

    def start_again() -> None:
        player.click("to-more", "start-again")
        expect(player.find("#message")).to_contain_text("Undo")

    def take_off() -> None:
        player.piece(placement).focus()
        player.press("Delete")
        player.expect_placed(len(SOLUTION) - 1)

    for act in (
        lambda: player.drag(placement),
        lambda: player.drag_off(placement),
        lambda: player.drag(placement),
        start_again,
        player.solve,
        take_off,
    ):
        act()
        seen.append(state(player))
    back = [lambda: player.click("undo"), lambda: player.press("Control+z")]
    again = [lambda: player.click("to-more", "redo"), lambda: player.press("Control+Shift+z")]
    for step, expected in zip(cycle(back), seen[-2::-1], strict=False):
        step()
        wait_for_value(partial(state, player), expected)
    expect(player.find("#undo")).to_have_attribute("aria-disabled", "true")
    for step, expected in zip(cycle(again), seen[1:], strict=False):
        step()
        wait_for_value(partial(state, player), expected)
    player.click("to-more")
    expect(player.find("#redo")).to_be_disabled()


def test_a_game_is_kept_with_its_way_back_and_seen_in_a_second_tab(visit, site):
    player = visit()
    player.place(*SOLUTION[:2])
    player.expect_tilings(LEFT[1])
    before = state(player)
    player.page.reload()
    player.expect_tilings(LEFT[1])
    wait_for_value(partial(state, player), before)
    tab = Player(player.page.context.new_page(), site)
    tab.open()
    tab.expect_placed(2)
    tab.piece(SOLUTION[1]).focus()
    tab.press("Delete")
    player.expect_placed(1)
    player.expect_tilings(LEFT[0])
    player.click("undo")
    tab.expect_placed(2)
    tab.open("a-puzzle-a-day/2025-10-07")
    tab.expect_placed(0)


# -- the keyboard belongs to what has the focus


def test_enter_never_acts_on_the_board_while_another_control_has_the_focus(visit):
    player, placement = visit(), SOLUTION[0]
    player.turn(placement)
    player.press("Enter")
    player.walk(placement)  # it hovers where it fits
    games = "Object.entries(localStorage).filter(([key]) => key.includes(' game '))"
    before = player.page.evaluate(games)
    for name in ("puzzle", "hint", "flip", "before"):
        player.find(f"#{name}").focus()
        player.press("Enter", "ArrowDown", "Escape", "Delete")
        assert player.page.evaluate(games) == before
