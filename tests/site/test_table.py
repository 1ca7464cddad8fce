"""The table: what lies where, what is shown of it, and in which order it is walked through."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise, product

from playwright.sync_api import expect

from helpers.player import PUZZLE, SOLUTION
from helpers.waiting import becomes, until

APART = """last => {
  globalThis.apart = [];
  const look = () => {
    const board = document.querySelector("#table svg.board").getBoundingClientRect();
    const unit = board.width / (COLUMNS + 0.6);
    const off = [...document.querySelectorAll(`.piece:not([data-token="${last}"])`)].map(piece => {
      const { left, top } = piece.getBoundingClientRect();
      const spot = [(left - board.left) / unit - 0.3, (top - board.top) / unit - 0.3];
      return Math.max(...spot.map(each => Math.abs(each - Math.round(each))));
    });
    const scale = new DOMMatrix(getComputedStyle(document.querySelector(".scene")).transform).a;
    if (document.querySelector(".staged")) apart.push([scale, Math.max(...off)]);
    requestAnimationFrame(look);
  };
  look();
}""".replace("COLUMNS", str(PUZZLE.columns))
"""Notes in each frame of the finish how far the pieces but the last are from their cells."""


def test_board_and_pieces_are_never_apart_while_the_finish_takes_the_stage(player) -> None:
    me = player("390x664", reduced_motion="no-preference", own=True)
    me.resume(*SOLUTION[:-1])
    me.turn(SOLUTION[-1])
    me.page.evaluate(APART, me.piece(SOLUTION[-1]).get_attribute("data-token"))
    me.lay(SOLUTION[-1])
    expect(me.page.locator("#finish")).to_be_visible()
    grown = "apart.length > 3 && apart.at(-1)[0] > 1.02 && apart.at(-1)[0] === apart.at(-4)[0]"
    me.page.wait_for_function(grown)
    frames = me.page.evaluate("apart")
    assert max(off for _, off in frames) < 0.06


def test_a_tap_on_any_cell_of_its_place_lays_a_piece_there(player) -> None:
    me = player("1440x900")
    placement = next(each for each in SOLUTION if PUZZLE.labels["Feb"].cells[0] in each.cells)
    for cell in placement.cells:
        me.turn(placement)
        me.page.mouse.click(*me.on_piece(placement))
        me.page.mouse.click(*me.on_board(cell))
        me.lie(1)
        covered = me.piece(placement).get_attribute("aria-label")
        assert PUZZLE.label_at[cell].text in covered, covered
        me.click("undo")
        me.lie(0)


def test_a_piece_that_the_wheel_turns_into_an_overlap_is_shown_as_a_misfit(player) -> None:
    me = player("1440x900")
    me.resume(*SOLUTION[:6])
    piece = me.piece(SOLUTION[0])
    me.page.mouse.move(*me.on_piece(SOLUTION[0]))
    turned, misfit = piece.get_attribute("data-turned"), re.compile("misfit")
    me.page.mouse.wheel(0, 120)
    expect(piece).not_to_have_attribute("data-turned", turned)
    expect(piece).to_have_class(misfit)
    me.page.mouse.move(*me.off_board())  # the mouse moves on
    me.drawn()
    expect(piece).to_have_class(misfit)
    me.press("Escape")
    expect(piece).not_to_have_class(misfit)


def test_tab_walks_through_the_pieces_as_they_lie_on_the_screen(player) -> None:
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


def test_the_ring_of_the_focus_lies_above_its_neighbours(player) -> None:
    me = player("1440x900")
    me.resume(*SOLUTION[:4])
    me.piece(SOLUTION[1]).focus()
    me.press("Shift")
    layers = [
        int(me.piece(each).evaluate("each => getComputedStyle(each).zIndex")) for each in SOLUTION
    ]
    assert all(layers[1] > layer for number, layer in enumerate(layers) if number != 1)


def test_a_tool_that_does_nothing_now_says_why(player) -> None:
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


def test_who_takes_all_pieces_off_is_told_the_way_back(player) -> None:
    me = player()
    me.lay(*SOLUTION[:2])
    me.more("start-again")
    me.lie(0)
    expect(me.page.locator("#message")).to_contain_text("Undo")
    me.click("undo")
    me.lie(2)


def test_a_notice_covers_no_piece_and_can_be_closed(windows, site) -> None:
    page = windows.open((390, 664), own=True)
    page.clock.install(time="2025-10-06T23:59:00")
    page.goto(f"{site}#{PUZZLE.name}")
    page.wait_for_selector("#status[data-tilings]")
    page.clock.fast_forward("05:00")
    notice = page.locator("#notice")
    expect(notice).to_be_visible()

    def below() -> float:
        box = notice.bounding_box()
        return box["y"] + box["height"] - page.locator("#table").bounding_box()["y"]

    until(lambda: below() <= 1)
    notice.get_by_role("button", name="Close this message").click()
    expect(notice).to_be_hidden()
    page.clock.fast_forward("05:00")
    page.evaluate("import('./notices.js').then(() => true)")  # what was due has been told
    expect(notice).to_be_hidden()


def test_no_word_of_the_headline_is_broken_and_the_rule_is_whole(player) -> None:
    me = player()
    page = me.page
    for size, percent in product(((512, 384), (568, 320), (320, 568)), (100, 200)):
        me.resize(*size)
        page.evaluate("p => { document.documentElement.style.fontSize = `${p}%`; }", percent)
        broken = """() => ["title", "message"].flatMap(id => {
          const { firstChild } = document.getElementById(id), found = [];
          for (const match of firstChild.data.matchAll(/\\S+/g)) {
            const range = document.createRange();
            range.setStart(firstChild, match.index);
            range.setEnd(firstChild, match.index + match[0].length);
            const lines = new Set([...range.getClientRects()].map(box => box.top));
            if (lines.size > 1) found.push(match[0]);
          }
          return found;
        })"""
        becomes(partial(page.evaluate, broken), [])
        said = page.locator("#message")
        until(partial(said.evaluate, "each => each.scrollHeight <= each.clientHeight + 2"))


def test_a_carried_piece_shows_where_it_does_not_fit_and_shakes_when_it_is_dropped(player) -> None:
    me = player("1440x900", own=True, reduced_motion="no-preference")
    me.lay(SOLUTION[0])
    taken = me.on_board(sorted(SOLUTION[0].cells)[0])
    me.page.mouse.move(*me.on_piece(SOLUTION[1]))
    me.page.mouse.down()
    me.page.mouse.move(*taken, steps=4)
    me.drawn()
    expect(me.page.locator(".target.misfit")).to_have_count(1)
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
    expect(me.page.locator(".target")).to_have_count(0)
