"""A whole puzzle is played by mouse, touch, pen and keyboard, at every size of the window."""

from __future__ import annotations

import re

import pytest
from playing import DATE, EVERY_SIZE, PUZZLE, Player, by_mouse, by_pen, by_touch, touch
from playwright.sync_api import expect

import satcal

ALL = list(satcal.tilings(PUZZLE, PUZZLE.reveal(DATE)))
SOLUTION = ALL[0]
LEFT = [sum(set(SOLUTION[:n]) <= set(tiling) for tiling in ALL) for n in range(1, 11)]
MISFIT = "It does not fit here."


def turn_by_mouse(me: Player, placement) -> None:
    """The wheel turns, the second button turns over."""
    for key in me.keys(placement):
        me.page.mouse.move(*me.grab(placement))
        if key == "r":
            me.page.mouse.wheel(0, 100)
        else:
            me.page.mouse.click(*me.grab(placement), button="right")


def turn_by_tool(me: Player, placement) -> None:
    """A tap chooses a piece, another one turns it; Flip turns it over."""
    keys = me.keys(placement)
    if keys:
        me.page.touchscreen.tap(*me.grab(placement))
    for key in keys:
        if key == "r":
            me.page.touchscreen.tap(*me.grab(placement))
        else:
            me.page.locator("#flip").tap()


def turn_by_keys(me: Player, placement) -> None:
    me.piece(placement).focus()
    for key in me.keys(placement):
        me.page.keyboard.press(key)


WAYS = {
    "mouse": ({}, turn_by_mouse, by_mouse),
    "touch": ({"has_touch": True, "is_mobile": True}, turn_by_tool, by_touch),
    "pen": ({}, turn_by_keys, by_pen),
}


@pytest.mark.parametrize("size", EVERY_SIZE)
@pytest.mark.parametrize(
    "way", ["touch", *(pytest.param(way, marks=pytest.mark.browser) for way in ("mouse", "pen"))]
)
def test_a_puzzle_is_solved_by_dragging(player, size, way) -> None:
    options, turn, drag = WAYS[way]
    me = player(size, **options)
    for number, placement in enumerate(SOLUTION):
        turn(me, placement)
        me.drag(placement, drag, number % 3)
        me.remain(LEFT[number])
    me.solved()
    corner = me.free_corner()
    drag(me.page, me.on_piece(SOLUTION[0], 1), corner)  # off the board
    me.lie(len(SOLUTION) - 1)
    me.remain(1)
    me.page.locator("#undo").click()
    me.solved()


@pytest.mark.parametrize("size", EVERY_SIZE)
def test_a_puzzle_is_solved_by_keyboard(player, size) -> None:
    me = player(size)
    for number, placement in enumerate(SOLUTION):
        turn_by_keys(me, placement)
        me.page.keyboard.press("Escape")
        me.page.keyboard.press("Enter")
        walk(me, placement)
        me.page.keyboard.press("Enter")
        me.remain(LEFT[number])
        expect(me.piece(placement)).to_be_focused()
    me.solved()
    me.page.keyboard.press("Delete")
    me.remain(1)
    me.page.keyboard.press("Control+z")
    me.solved()


def walk(me: Player, placement) -> None:
    """Press arrows until the piece in the hand lies where it belongs."""
    target = me.on_board(min(me.shown(placement.cells)))
    for _ in range(30):
        here = me.on_piece(placement, 0)
        down, right = (
            round((a - b) / me.unit) for a, b in zip(target[::-1], here[::-1], strict=True)
        )
        if not (down or right):
            return
        key = (
            ("ArrowDown" if down > 0 else "ArrowUp")
            if down
            else ("ArrowRight" if right > 0 else "ArrowLeft")
        )
        me.page.keyboard.press(key)
    raise AssertionError(placement)


@pytest.mark.parametrize("way", [pytest.param("mouse", marks=pytest.mark.browser), "touch"])
def test_a_puzzle_is_solved_by_taps_alone(player, way) -> None:
    me = player("390x664", **WAYS[way][0])
    tap = me.page.mouse.click if way == "mouse" else me.page.touchscreen.tap
    for number, placement in enumerate(SOLUTION):
        turn_by_keys(me, placement)
        me.page.keyboard.press("Escape")
        tap(*me.grab(placement))
        tap(*me.on_board(me.grip(placement)))
        me.remain(LEFT[number])
    me.solved()


# -- fingers


@pytest.fixture
def phone(player) -> Player:
    """Somebody with a phone; two pieces lie on the board."""
    me = player("390x664", has_touch=True, is_mobile=True)
    for placement in SOLUTION[:2]:
        turn_by_keys(me, placement)
        me.drag(placement, by_touch)
    me.lie(2)
    me.page.keyboard.press("Escape")
    return me


@pytest.mark.browser
def test_a_placed_piece_is_dragged_with_a_finger_seven_times_of_seven(phone) -> None:
    for _ in range(7):
        by_touch(phone.page, phone.on_piece(SOLUTION[1], 1), phone.free_corner())
        phone.lie(1)
        phone.drag(SOLUTION[1], by_touch, 1)
        phone.lie(2)
    phone.remain(LEFT[1])


def test_a_drop_that_does_not_fit_goes_back_where_it_came_from(phone) -> None:
    lay = phone.piece(SOLUTION[1]).bounding_box()
    by_touch(phone.page, phone.on_piece(SOLUTION[1], 1), phone.on_piece(SOLUTION[0], 1))
    assert phone.piece(SOLUTION[1]).bounding_box() == lay
    expect(phone.page.locator("#said")).to_have_text(MISFIT)
    free = phone.piece(SOLUTION[2]).bounding_box()
    by_touch(phone.page, phone.grab(SOLUTION[2]), phone.on_piece(SOLUTION[0], 1))
    assert phone.piece(SOLUTION[2]).bounding_box() == free
    phone.remain(LEFT[1])


def test_a_gesture_that_the_system_takes_away_changes_nothing(phone) -> None:
    before = [each.bounding_box() for each in phone.page.locator(".piece").all()]
    for start in (phone.on_piece(SOLUTION[1], 1), phone.grab(SOLUTION[4])):
        by_touch(phone.page, start, phone.on_board((4, 4)), last="touchCancel")
        assert [each.bounding_box() for each in phone.page.locator(".piece").all()] == before
    phone.remain(LEFT[1])


def test_a_second_finger_turns_and_swipes_turn_over(phone) -> None:
    placement = next(each for each in SOLUTION if each.piece == "F")
    piece, session = phone.piece(placement), phone.page.context.new_cdp_session(phone.page)
    shapes = [piece.locator("path").get_attribute("d")]
    touch(session, "touchStart", phone.grab(placement))
    touch(session, "touchMove", (200, 400))
    touch(session, "touchMove", phone.on_board((4, 4)))
    drawn(phone)
    for end in ((350, 600), (290, 600)):  # the protocol lifts all fingers or none
        for kind, (x, y) in (("pointerdown", (350, 600)), ("pointerup", end)):
            finger = {
                "pointerId": 77,
                "pointerType": "touch",
                "bubbles": True,
                "clientX": x,
                "clientY": y,
            }
            phone.page.locator("#tools").dispatch_event(kind, finger)
        shapes.append(piece.locator("path").get_attribute("d"))
    assert len(set(shapes)) == 3
    expect(piece).to_have_class(re.compile("carried"))
    touch(session, "touchCancel")
    expect(piece).not_to_have_class(re.compile("carried"))


def test_a_carried_piece_follows_by_the_cell_by_which_it_was_grabbed(phone) -> None:
    placement, session = SOLUTION[5], phone.page.context.new_cdp_session(phone.page)
    turn_by_keys(phone, placement)
    for number in range(len(placement.cells)):
        start = phone.on_piece(placement, number)
        touch(session, "touchStart", start)
        touch(session, "touchMove", (start[0] + 20, start[1]))
        touch(session, "touchMove", (211, 333))
        drawn(phone)
        assert phone.on_piece(placement, number) == pytest.approx((211, 333), abs=1)
        touch(session, "touchCancel")


def drawn(me: Player) -> None:
    """Wait for what a pointer's move shows: moves come once a frame."""
    me.page.evaluate(
        "new Promise(each => requestAnimationFrame(() => requestAnimationFrame(each)))"
    )


def test_a_swipe_over_board_and_tray_lifts_nothing_and_scrolls_nothing(phone) -> None:
    """Only a piece is moved by a finger that begins on it."""
    by_touch(phone.page, phone.on_board((0, 0)), phone.free_corner())
    by_touch(phone.page, phone.free_corner(), phone.on_board((4, 4)))
    phone.lie(2)
    assert phone.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    expect(phone.page.locator(".piece[aria-pressed=true]")).to_have_count(0)


# -- the way back


def test_everything_can_be_undone_and_done_again(player) -> None:
    me = player()
    seen = [state(me)]

    def did(what) -> None:
        what()
        expect(me.page.locator("#redo")).to_have_attribute("aria-disabled", "true")
        seen.append(state(me))

    did(lambda: turn_by_keys(me, SOLUTION[0]) or me.page.keyboard.press("r"))
    me.page.keyboard.press("Escape")
    turn_by_keys(me, SOLUTION[0])
    seen[-1] = state(me)
    did(lambda: me.drag(SOLUTION[0], by_mouse))
    did(lambda: by_mouse(me.page, me.on_piece(SOLUTION[0], 0), me.free_corner()))
    did(lambda: me.drag(SOLUTION[0], by_mouse))
    did(lambda: me.page.locator("#clear").click())
    for _ in range(3):
        me.page.locator("#hint").click()
        me.page.wait_for_timeout(200)
    me.solved()
    seen.append(state(me))
    steps = len(seen) - 1
    for number in range(1, steps + 1):
        me.page.locator("#undo").click() if number % 2 else me.page.keyboard.press("Control+z")
        assert state(me) == seen[steps - number]
    expect(me.page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    expect(me.page.locator("#undo")).to_be_focused()
    for number in range(1, steps + 1):
        me.page.locator("#redo").click() if number % 2 else me.page.keyboard.press(
            "Control+Shift+z"
        )
        assert state(me) == seen[number]


def state(me: Player) -> list[str]:
    """Return how and where every piece lies."""
    return me.page.locator(".piece").evaluate_all(
        "all => all.map(each => [each.dataset.turned, each.style.transform].join(' '))"
    )


def test_a_game_is_kept_with_its_way_back_and_seen_in_a_second_tab(player, site) -> None:
    me = player()
    for placement in SOLUTION[:2]:
        turn_by_keys(me, placement)
        me.drag(placement, by_mouse)
    me.remain(LEFT[1])
    lay = state(me)
    me.page.reload()
    me.remain(LEFT[1])
    assert state(me) == lay
    tab = Player(me.page.context.new_page(), PUZZLE)
    tab.open(site, f"rhombus/{DATE}")
    tab.lie(2)
    tab.piece(SOLUTION[1]).focus()
    tab.page.keyboard.press("Delete")
    me.lie(1)
    me.remain(LEFT[0])
    me.page.locator("#undo").click()
    tab.lie(2)
    tab.open(site, "rhombus/2025-09-26")
    tab.lie(0)


def test_with_the_network_cut_after_the_first_visit_it_is_the_same_page(player, site) -> None:
    me = player()
    me.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    me.page.wait_for_function("caches.keys().then(keys => keys.length > 0)")
    me.page.context.set_offline(True)
    me.open(site, "weekday/2025-12-25")
    me.remain(satcal.count(satcal.load("weekday"), satcal.load("weekday").reveal("2025-12-25")))
    me.page.reload()
    me.open(site, f"rhombus/{DATE}")
    turn_by_keys(me, SOLUTION[0])
    me.drag(SOLUTION[0], by_mouse)
    me.remain(LEFT[0])
    me.page.goto(f"{site}#more/rhombus/{DATE}")
    me.page.locator("#year-mine").check()
    expect(me.page.locator("#months a[aria-current]")).to_have_attribute("title", "1 tiling")


# -- the keyboard belongs to what has the focus


def test_enter_never_acts_on_the_board_while_another_control_has_the_focus(player) -> None:
    me = player()
    placement = SOLUTION[0]
    turn_by_keys(me, placement)
    me.page.keyboard.press("Escape")
    me.page.keyboard.press("Enter")
    walk(me, placement)  # it hovers where it fits
    for id in ("puzzle", "date", "hint", "flip", "before"):
        me.page.locator(f"#{id}").focus()
        me.page.keyboard.press("Enter")
        me.page.keyboard.press("ArrowDown")
        me.page.keyboard.press("Escape")
        me.page.keyboard.press("Delete")
        me.page.wait_for_timeout(50)
        kept = me.page.evaluate(
            "Object.keys(localStorage).filter(key => key.startsWith('satcal/'))"
        )
        assert kept == []
