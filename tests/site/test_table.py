"""The table: what lies where, what is shown of it, and in which order it is walked through."""

from __future__ import annotations

import re
from itertools import pairwise

from playwright.sync_api import expect

from helpers.player import DESKTOP, SOLUTION


def test_a_tap_beside_the_board_lets_a_piece_lie(visit):
    player = visit(DESKTOP)
    piece = player.piece(SOLUTION[0])
    player.resume(SOLUTION[0])
    player.page.mouse.click(*player.on_piece(SOLUTION[0]))
    expect(piece).to_have_attribute("aria-pressed", "true")
    player.page.mouse.click(*player.off_board())
    expect(piece).to_have_attribute("aria-pressed", "false")
    player.expect_placed(1)


def test_the_wheel_turns_a_piece_into_an_overlap_and_the_keys_are_seen_above_all(visit):
    player = visit(DESKTOP)
    player.resume(*SOLUTION[:6])
    piece = player.piece(SOLUTION[0])
    player.page.mouse.move(*player.on_piece(SOLUTION[0]))
    turned, misfit = piece.get_attribute("data-turned"), re.compile("misfit")
    player.page.mouse.wheel(0, 120)
    expect(piece).not_to_have_attribute("data-turned", turned)
    expect(piece).to_have_class(misfit)
    player.press("Escape")
    expect(piece).not_to_have_class(misfit)
    player.piece(SOLUTION[1]).focus()
    player.press("Shift")
    layers = player.find(".piece").evaluate_all(
        "all => all.map(each => [+getComputedStyle(each).zIndex, each.dataset.token])"
    )
    *_, (below, _), (above, token) = sorted(layers)
    assert above > below and token == player.piece(SOLUTION[1]).get_attribute("data-token")


def test_tab_walks_through_the_pieces_as_they_lie_on_the_screen(visit):
    player = visit(DESKTOP)
    player.place(SOLUTION[3], SOLUTION[5])
    place = "each => [each.matches('.placed'), each.getBoundingClientRect().toJSON()]"
    walked = []
    player.find(".piece").first.focus()
    for _ in SOLUTION:
        walked.append(player.find(".piece:focus").evaluate(place))
        player.press("Tab")
    assert [placed for placed, _ in walked] == [True] * 2 + [False] * 6
    for (_, before), (_, after) in [*pairwise(walked[:2]), *pairwise(walked[2:])]:
        in_one_row = abs(after["y"] - before["y"]) < player.unit / 2
        assert after["x"] > before["x"] if in_one_row else after["y"] > before["y"]


def test_a_tool_that_does_nothing_now_says_why(visit):
    player = visit()
    undo, turn, flip = (player.find(f"#{tool}") for tool in ("undo", "turn", "flip"))
    for button, words in ((undo, "undo"), (turn, "piece"), (undo, "undo"), (flip, "piece")):
        expect(button).to_have_attribute("aria-disabled", "true")
        button.click(force=True)
        expect(player.find("#message")).to_contain_text(words)
    player.page.mouse.click(*player.on_piece(SOLUTION[0]))
    for button in (turn, flip):
        expect(button).to_have_attribute("aria-disabled", "false")
    expect(undo).to_have_attribute("aria-disabled", "true")


def test_a_carried_piece_shows_where_it_does_not_fit_and_shakes_when_it_is_dropped(visit):
    player = visit(DESKTOP, private=True, reduced_motion="no-preference")
    player.place(SOLUTION[0])
    taken = player.on_board(sorted(SOLUTION[0].cells)[0])
    player.take(SOLUTION[1])
    player.page.mouse.move(*taken, steps=4)
    player.wait_for_frames()
    expect(player.piece(SOLUTION[1])).to_have_class(re.compile("carried.*misfit"))
    expect(player.find(".target")).to_have_count(0)  # which would be under the piece
    player.page.evaluate("""() => {
      globalThis.shaken = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...given) {
        shaken = given[1];
        return animate.apply(this, given);
      };
    }""")
    player.page.mouse.up()
    player.expect_placed(1)
    assert player.page.evaluate("shaken") == 120
    expect(player.find("#message")).to_have_class("message bad")
    expect(player.find("#message")).to_have_text("It does not fit here.")
    player.press("Escape")
    expect(player.find("#message")).not_to_have_text("It does not fit here.")
    expect(player.find(".target")).to_have_count(0)
