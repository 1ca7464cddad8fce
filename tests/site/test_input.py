"""Whole puzzles are played: by mouse, finger, keyboard, and in all other ways on a small phone."""

from __future__ import annotations

import re
from functools import partial
from itertools import cycle

import pytest
from playwright.sync_api import expect

from helpers.player import (
    HERE,
    LEFT,
    SOLUTION,
    Player,
    by_mouse,
    by_pen,
    by_touch,
    normal,
    touch,
)
from helpers.waiting import becomes

MISFIT = "It does not fit here."


def with_a_finger(me: Player, placement) -> None:
    """Place a piece by taps: one chooses it, another turns it; Flip turns it over.

    What a tap does comes after the finger has gone, so each is waited for.
    """
    piece = me.piece(placement)
    me.page.touchscreen.tap(*me.on_piece(placement))
    expect(piece).to_have_attribute("aria-pressed", "true")
    for key in me.keys(placement):
        turned = piece.get_attribute("data-turned")
        if key == "r":
            me.page.touchscreen.tap(*me.on_piece(placement))
        else:
            me.page.locator("#flip").tap()
        expect(piece).not_to_have_attribute("data-turned", turned)
    me.drag(placement, by_touch, 2)


def with_a_pen(me: Player, placement) -> None:
    me.turn(placement)
    me.drag(placement, by_pen)


def with_the_keyboard(me: Player, placement) -> None:
    me.lay_with_keys(placement)
    if placement != SOLUTION[-1]:  # after the last one the heading of the finish takes the focus
        expect(me.piece(placement)).to_be_focused()


def with_taps(me: Player, placement) -> None:
    me.turn(placement)
    for point in me.same_cell(placement):
        me.page.touchscreen.tap(*point)


def with_clicks(me: Player, placement) -> None:
    me.turn(placement)
    for point in me.same_cell(placement):
        me.page.mouse.click(*point)


@pytest.mark.parametrize(
    ("size", "ways"),
    [
        pytest.param("1440x900", [Player.lay_with_a_mouse], id="mouse"),
        pytest.param("390x664", [with_a_finger], id="finger"),
        pytest.param("1366x650", [with_the_keyboard], id="keyboard"),
        pytest.param("320x568", [with_a_pen, with_taps, with_clicks], id="pen, taps and clicks"),
    ],
)
def test_a_puzzle_is_solved(player, size, ways):
    me = player(size, has_touch=True, is_mobile=size == "390x664")
    for way, placement, left in zip(cycle(ways), SOLUTION, LEFT, strict=False):
        way(me, placement)
        me.remain(left)
    me.solved()


# -- fingers


@pytest.fixture
def phone(player) -> Player:
    """Somebody with a phone; two pieces lie on the board."""
    me = player("390x664", has_touch=True, is_mobile=True)
    me.resume(*SOLUTION[:2])
    return me


def test_what_does_not_fit_or_is_taken_away_goes_back_where_it_came_from(phone):
    there, before = phone.on_piece(SOLUTION[0], 1), state(phone)
    for placement in SOLUTION[1:3]:  # one that lies, and one that does not
        phone.page.evaluate("document.querySelector('#message').textContent = ''")
        by_touch(phone.page, phone.on_piece(placement), there)
        expect(phone.page.locator("#message")).to_have_text(MISFIT)
        becomes(partial(state, phone), before)
        away = phone.on_board((4, 4))
        by_touch(phone.page, phone.on_piece(placement), away, last="touchCancel")
        becomes(partial(state, phone), before)
    phone.remain(LEFT[1])
    by_touch(phone.page, phone.on_piece(SOLUTION[1]), phone.off_board())
    phone.remain(LEFT[0])
    phone.lie(1)


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
            phone.page.locator("#tools").dispatch_event(kind, finger | where)
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
        becomes(partial(phone.on_piece, placement, number), above)
        touch(session, "touchCancel")
        expect(phone.piece(placement)).not_to_have_class(re.compile("carried"))
    by_touch(phone.page, phone.on_board((0, 6)), phone.off_board())
    by_touch(phone.page, phone.off_board(), phone.on_board((4, 4)))
    phone.lie(2)
    assert phone.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    expect(phone.page.locator(".piece[aria-pressed=true]")).to_have_count(0)


# -- the way back


def state(me: Player) -> list[str]:
    """Return how and where every piece lies."""
    return me.page.locator(".piece").evaluate_all(
        """all => all.sort((a, b) => a.dataset.token - b.dataset.token)
          .map(each => [each.dataset.turned, each.style.transform].join(' '))"""
    )


def test_everything_can_be_undone_and_done_again(player):
    me, placement = player(), SOLUTION[0]
    me.turn(placement)  # in the tray, which is no step
    seen = [state(me)]

    def start_again() -> None:
        me.click("to-more", "start-again")
        expect(me.page.locator("#message")).to_contain_text("Undo")

    def take_off() -> None:
        me.piece(placement).focus()
        me.press("Delete")
        me.lie(len(SOLUTION) - 1)

    for act in (
        lambda: me.drag(placement, by_mouse),
        lambda: by_mouse(me.page, me.on_piece(placement, 0), me.off_board()),
        lambda: me.drag(placement, by_mouse),
        start_again,
        me.solve,
        take_off,
    ):
        act()
        seen.append(state(me))
    back = [lambda: me.click("undo"), lambda: me.press("Control+z")]
    again = [lambda: me.click("to-more", "redo"), lambda: me.press("Control+Shift+z")]
    for step, expected in zip(cycle(back), seen[-2::-1], strict=False):
        step()
        becomes(partial(state, me), expected)
    expect(me.page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    for step, expected in zip(cycle(again), seen[1:], strict=False):
        step()
        becomes(partial(state, me), expected)
    me.click("to-more")
    expect(me.page.locator("#redo")).to_be_disabled()


def test_a_game_is_kept_with_its_way_back_and_seen_in_a_second_tab(player, site):
    me = player()
    me.lay(*SOLUTION[:2])
    me.remain(LEFT[1])
    before = state(me)
    me.page.reload()
    me.remain(LEFT[1])
    becomes(partial(state, me), before)
    tab = Player(me.page.context.new_page(), site)
    tab.open(HERE)
    tab.lie(2)
    tab.piece(SOLUTION[1]).focus()
    tab.press("Delete")
    me.lie(1)
    me.remain(LEFT[0])
    me.click("undo")
    tab.lie(2)
    tab.open("a-puzzle-a-day/2025-10-07")
    tab.lie(0)


# -- the keyboard belongs to what has the focus


def test_enter_never_acts_on_the_board_while_another_control_has_the_focus(player):
    me, placement = player(), SOLUTION[0]
    me.turn(placement)
    me.press("Enter")
    me.walk(placement)  # it hovers where it fits
    games = "Object.entries(localStorage).filter(([key]) => key.includes(' game '))"
    before = me.page.evaluate(games)
    for name in ("puzzle", "hint", "flip", "before"):
        me.page.locator(f"#{name}").focus()
        me.press("Enter", "ArrowDown", "Escape", "Delete")
        assert me.page.evaluate(games) == before
