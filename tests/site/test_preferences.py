"""What settings of the visitor change: contrast, colours, the clock; and what the system shares."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from helpers.player import DESKTOP, HERE, PUZZLE, SOLUTION, TILINGS, Player, covers, over
from helpers.waiting import until, wait_for_value

BOXES = """() => ['#table svg.board', '.card'].map(each => {
  const { left, top, right, bottom } = document.querySelector(each).getBoundingClientRect();
  return [left, top, right, bottom];
})"""


def test_who_asks_for_more_contrast_gets_outlines_and_full_ink(visit):
    plain, more = visit(), visit(contrast="more")
    for selector, name in ((".piece .body", "strokeWidth"), ("#status", "color")):
        assert plain.style(selector, name) != more.style(selector, name), selector
    assert more.style("#today", "outlineStyle") == "solid"


def test_a_clock_is_shown_once_it_is_switched_on_and_the_finish_says_its_time(visit):
    player = visit()
    clock = player.find("#clock")
    player.resume(*SOLUTION[:-1])
    expect(clock).to_be_empty()
    player.click("to-more")
    player.find("#clock-on").check()
    player.click("close")
    expect(clock).not_to_have_text(re.compile("^(0:00)?$"))
    player.place(SOLUTION[-1])
    player.expect_solved()
    expect(player.find("#facts")).to_contain_text(clock.text_content())


def test_a_result_goes_to_the_systems_sheet_or_is_copied_for_a_friend(windows, site):
    page = windows.open(private=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player = Player(page, site)
    player.open()
    page.evaluate("""() => {
      globalThis.shared = [];
      navigator.share = async ({text, url}) => { globalThis.shared.push([text, url]); };
    }""")
    player.finish()
    player.click("to-share")
    page.locator("#share-name").fill("Eve")
    for without in (True, False):
        page.locator("#share-without").set_checked(without)
        player.click("share-now")
    page.wait_for_function("shared.length === 2")
    for (text, url), rows in zip(page.evaluate("shared"), (0, 7), strict=True):
        first, facts, *grid = text.split("\n")
        assert first == "A-Puzzle-A-Day · Monday, 6 October 2025"
        assert "no hints" in facts
        rank, digest = TILINGS.index(SOLUTION), PUZZLE.digest[:4]
        assert re.fullmatch(rf"{site}#{HERE}/\w+\.0\.{rank}\.{digest}\.Eve", url)  # seconds, hints
        assert len(grid) == rows
        assert text.count("⬜") == (2 if rows else 0)
    expect(page.locator("#shared")).to_be_empty()
    page.evaluate("navigator.share = undefined")
    player.click("share-now")
    expect(page.locator("#shared")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{text}\n{url}"
    player.click("share-words")
    words = {first, facts, url, *map(covers, SOLUTION)}
    wait_for_value(lambda: {*page.evaluate("navigator.clipboard.readText()").split("\n")}, words)


def test_type_grows_with_the_window_as_the_board_does(visit):
    player = visit(address="pentomino-3x20")

    def empty() -> float:
        bar, last = (player.find(each).bounding_box() for each in ("#tools", "#to-more"))
        return bar["x"] + bar["width"] - last["x"] - last["width"]

    for size, letter in (
        ((390, 844), 16),
        ((1440, 900), 16),
        ((1920, 1080), 19),
        ((2560, 1440), 24),
    ):
        player.resize(*size)
        wait_for_value(lambda: int(float(player.style("html", "fontSize")[:-2])), letter)
        until(lambda: empty() < 32)  # no place stays empty


def test_the_card_of_the_finish_leaves_the_board_free_in_every_window(visit):
    player = visit()
    player.resize(2560, 1440)
    player.finish()
    expect(player.find("#live")).to_contain_text("Solved")
    spoken = player.find("#live").text_content()
    assert not re.search(r"!\.|…\.|\.\.|\?\.", spoken)  # a sentence has one stop

    for size in ((2560, 1440), (844, 390), (768, 1024), (360, 640)):
        player.resize(*size)
        until(lambda: not over(*player.page.evaluate(BOXES)))


def test_the_year_is_seen_at_once(windows, site):
    page = windows.open((1280, 800))
    page.goto(f"{site}#year/a-puzzle-a-day/2025-12-24")
    months = page.locator("#months table")
    for shown in (page.locator("#months [aria-current]"), months.first, months.last):
        expect(shown).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 664})
    expect(page.locator("#opened [aria-current]")).to_be_in_viewport(ratio=1)
    expect(page.locator("#months a")).to_have_count(0)  # no target is too small for a finger
    page.locator("#months").get_by_role("button", name="January").click()
    page.locator("#opened a").last.click()
    expect(page.locator("#pick")).to_be_focused()
    expect(page).to_have_url(f"{site}#a-puzzle-a-day/2025-01-31")


def test_the_switcher_is_as_wide_as_its_board_and_leaves_room_on_a_phone(visit):
    player = visit(DESKTOP)
    select = player.find("#puzzle")
    assert select.bounding_box()["width"] < 220
    player.resize(320, 568)
    style = [player.style("#puzzle", name) for name in ("paddingRight", "fontSize")]
    padding, size = (float(each.removesuffix("px")) for each in style)
    assert padding >= 1.4 * size  # the arrow is beside the text
    width = select.bounding_box()["width"]
    select.evaluate("each => { each.selectedOptions[0].textContent = 'many words '.repeat(9); }")
    assert width < select.bounding_box()["width"] < 190  # a long name leaves room for the rest


def test_the_year_marks_games_and_colours_counts_on_request(visit):
    player = visit(DESKTOP)
    player.finish()
    player.open("a-puzzle-a-day/2025-10-07")
    placement = SOLUTION[0]  # which leaves 7 free as well as 6: any placement begins a game
    player.turn(placement)
    player.piece(placement).focus()
    player.press("Enter", "Enter")
    player.expect_placed(1)
    player.click("to-year")
    days = player.find("#months a")
    expect(days).to_have_count(365)
    for name, mark, words in (
        ("6 October", "late", "solved later"),
        ("7 October", "begun", "begun"),
    ):
        day = player.find(f'#months a[title^="{name}: "]')
        expect(day.locator(f".mark.{mark}")).to_have_count(1)
        expect(day).to_have_attribute("aria-label", f"{day.get_attribute('title')}, {words}")
    expect(player.find("#months .mark")).to_have_count(2)
    expect(player.find("#statistics")).to_contain_text("1 day solved")
    ground = "all => new Set(all.map(each => getComputedStyle(each).backgroundColor)).size"
    assert days.evaluate_all(ground) == 1  # one that is solved later has a hollow mark alone
    player.find("#year-heat").check()
    expect(player.find("#legend .scale")).to_be_visible()
    assert days.evaluate_all(ground) == 5
    player.page.reload()
    expect(player.find("#year-heat")).to_be_checked()
