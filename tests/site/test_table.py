"""The table: what lies where, what is shown of it, and in which order it is walked through."""

from __future__ import annotations

import re
from itertools import pairwise

from playwright.sync_api import expect

from helpers.player import SOLUTION


def test_a_tap_beside_the_board_lets_a_piece_lie(player):
    me = player("1440x900")
    piece = me.piece(SOLUTION[0])
    me.resume(SOLUTION[0])
    me.page.mouse.click(*me.on_piece(SOLUTION[0]))
    expect(piece).to_have_attribute("aria-pressed", "true")
    me.page.mouse.click(*me.off_board())
    expect(piece).to_have_attribute("aria-pressed", "false")
    me.lie(1)


def test_the_wheel_turns_a_piece_into_an_overlap_and_the_keys_are_seen_above_all(player):
    me = player("1440x900")
    me.resume(*SOLUTION[:6])
    piece = me.piece(SOLUTION[0])
    me.page.mouse.move(*me.on_piece(SOLUTION[0]))
    turned, misfit = piece.get_attribute("data-turned"), re.compile("misfit")
    me.page.mouse.wheel(0, 120)
    expect(piece).not_to_have_attribute("data-turned", turned)
    expect(piece).to_have_class(misfit)
    me.press("Escape")
    expect(piece).not_to_have_class(misfit)
    me.piece(SOLUTION[1]).focus()
    me.press("Shift")
    layers = me.page.locator(".piece").evaluate_all(
        "all => all.map(each => [+getComputedStyle(each).zIndex, each.dataset.token])"
    )
    *_, (below, _), (above, token) = sorted(layers)
    assert above > below and token == me.piece(SOLUTION[1]).get_attribute("data-token")


def test_tab_walks_through_the_pieces_as_they_lie_on_the_screen(player):
    me = player("1440x900")
    me.lay(SOLUTION[3], SOLUTION[5])
    boxes = me.page.locator(".piece").evaluate_all(
        """all => all.map(each => {
          const { left, top } = each.getBoundingClientRect();
          return [each.classList.contains("placed") ? 0 : 1, Math.round(top), Math.round(left)];
        })"""
    )
    rows = [(lies, top) for lies, top, _ in boxes]
    assert [lies for lies, _ in rows] == sorted(lies for lies, _ in rows)
    for before, after in pairwise(rows):
        # within half a cell is one row
        assert before[0] < after[0] or after[1] >= before[1] - me.unit
    me.piece(SOLUTION[3]).focus()
    order = me.page.locator(".piece").evaluate_all("all => all.map(each => each.dataset.token)")
    at = order.index(me.piece(SOLUTION[3]).get_attribute("data-token"))
    me.press("Tab")
    focused = me.page.evaluate("document.activeElement.dataset.token")
    assert focused == order[at + 1]


def test_a_tool_that_does_nothing_now_says_why(player):
    me = player()
    undo, turn, flip = (me.page.locator(f"#{tool}") for tool in ("undo", "turn", "flip"))
    for button, words in ((undo, "undo"), (turn, "piece"), (undo, "undo"), (flip, "piece")):
        expect(button).to_have_attribute("aria-disabled", "true")
        button.click(force=True)
        expect(me.page.locator("#message")).to_contain_text(words)
    me.page.mouse.click(*me.on_piece(SOLUTION[0]))
    for button in (turn, flip):
        expect(button).to_have_attribute("aria-disabled", "false")
    expect(undo).to_have_attribute("aria-disabled", "true")


def test_a_carried_piece_shows_where_it_does_not_fit_and_shakes_when_it_is_dropped(player):
    me = player("1440x900", own=True, reduced_motion="no-preference")
    me.lay(SOLUTION[0])
    taken = me.on_board(sorted(SOLUTION[0].cells)[0])
    me.page.mouse.move(*me.on_piece(SOLUTION[1]))
    me.page.mouse.down()
    me.page.mouse.move(*taken, steps=4)
    me.drawn()
    expect(me.piece(SOLUTION[1])).to_have_class(re.compile("carried.*misfit"))
    expect(me.page.locator(".target")).to_have_count(0)  # which would be under the piece
    me.page.evaluate("""() => {
      globalThis.shaken = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...given) {
        shaken = given[1];
        return animate.apply(this, given);
      };
    }""")
    me.page.mouse.up()
    me.lie(1)
    assert me.page.evaluate("shaken") == 120
    expect(me.page.locator("#message")).to_have_class("message bad")
    expect(me.page.locator("#message")).to_have_text("It does not fit here.")
    me.press("Escape")
    expect(me.page.locator("#message")).not_to_have_text("It does not fit here.")
    expect(me.page.locator(".target")).to_have_count(0)
