"""A finish, what is found and kept, and what counts: with a mouse, a finger, keys, in one file."""

from __future__ import annotations

import re
from base64 import b64decode
from functools import partial
from itertools import product

import pytest
from PIL import Image, ImageColor
from playwright.sync_api import Locator, expect

from helpers.browser import script
from helpers.player import (
    DESKTOP,
    HERE,
    LEFT,
    PHONE,
    PUZZLE,
    SOLUTION,
    TILINGS,
    Cell,
    Player,
    by_touch,
    covers,
    normal,
)
from helpers.waiting import until, wait_for_value
from satcal.draw.theme import load_theme
from satcal.site.single import one_file

WATCH = """() => {
  globalThis.seen = new Set();
  const look = () => {
    const { x, y, width } = document.querySelector("#table svg.board").getBoundingClientRect();
    globalThis.seen.add([x, y, width].join());
    requestAnimationFrame(look);
  };
  look();
}"""
"""Keeps where the board is, frame by frame."""


def test_the_last_piece_is_celebrated_and_so_are_all_solutions_that_are_found(visit):
    player = visit(PHONE, has_touch=True)
    player.resume(*SOLUTION[:-1])
    player.turn(SOLUTION[-1])
    player.page.evaluate(WATCH)
    player.drag(SOLUTION[-1], by_touch)
    finish = player.find("#finish")
    expect(finish.get_by_role("heading")).to_have_text("Solved")
    expect(finish).to_contain_text("no hints")
    expect(finish).to_contain_text("1 of 7 found")
    expect(finish.locator(".week li")).to_have_count(7)
    player.wait_for_frames()
    assert len(player.page.evaluate("[...globalThis.seen]")) == 1  # in no frame has the board moved
    card, board = finish.locator(".card").bounding_box(), player.board()
    assert card["y"] >= board[1] + player.unit * (PUZZLE.rows + 0.6) - 1
    assert card["y"] + card["height"] <= PHONE[1]
    # one of them is hidden
    expect(player.page.get_by_text("Solved", exact=True)).to_have_count(2)
    expect(player.find("#count")).to_be_hidden()
    expect(player.find("#found")).to_have_text("1 found")
    player.click("another")
    player.expect_placed(0)
    expect(finish).to_be_hidden()
    player.finish()  # the same one again is recognised
    expect(finish).to_contain_text("You have found this one before.")
    expect(finish).to_contain_text("1 of 7 found")
    player.click("another")
    player.finish(TILINGS[0])
    expect(finish).to_contain_text("2 of 7 found")
    # the card covers the tools of a short phone
    player.click("finish-close", "to-more", "to-solutions")
    expect(player.find("#sheet-title")).to_have_text("2 of 7 on 6 October")
    expect(player.find("#shelf .mine")).to_have_count(2)
    expect(player.find("#shelf-line")).to_have_attribute("max", "7")
    player.page.reload()
    expect(player.find("#shelf .mine")).to_have_count(2)
    ranks = player.find("#shelf .mine").evaluate_all("all => all.map(e => e.lastChild.textContent)")
    assert sorted(ranks) == ["1", str(1 + TILINGS.index(SOLUTION))]
    player.click("close")
    for tiling in TILINGS[1:-2]:
        player.resume(*tiling)
        player.expect_solved()
    player.finish(TILINGS[-2])
    expect(finish).to_contain_text("That is all of them (7)")
    player.click("finish-close", "to-year")
    day = player.page.get_by_role("link", name="6 October: 7 solutions, all found", exact=True)
    expect(day.locator(".mark.complete")).to_have_count(1)


def test_what_the_page_showed_never_counts_as_found(visit):
    player = visit()
    player.solve()
    expect(player.find("#finish")).to_contain_text("The page showed you this one.")
    expect(player.find("#finish")).to_contain_text("0 of 7 found")
    player.expect_placed(8)
    player.click("to-more", "start-again")
    player.finish(TILINGS[0])  # which is the one that was shown
    expect(player.find("#finish")).to_contain_text("The page showed you this one.")
    player.click("to-more", "to-solutions")
    expect(player.find("#shelf .mine")).to_have_count(0)
    expect(player.find("#shelf .by-page")).to_have_count(1)


@pytest.mark.parametrize(("helped", "days"), [(False, 1), (True, 0)])
def test_a_day_counts_if_it_was_solved_on_that_day_without_being_shown(windows, site, helped, days):
    page = windows.open(DESKTOP, private=True, timezone_id="Pacific/Auckland")
    page.clock.set_fixed_time("2025-10-05T20:00:00Z")  # there it is the sixth
    player = Player(page, site)
    page.goto(f"{site}#{HERE}")
    player.resume(*SOLUTION[:-1])
    if helped:
        for _ in range(3):
            player.click("hint")
        expect(page.locator("#message")).to_contain_text("Hint puts it there")
    player.place(SOLUTION[-1])
    expect(page.locator("#finish")).to_contain_text("1 of 7 found")
    count = "import('./days.js').then(({ countStreak }) => countStreak('2025-10-06').days)"
    assert page.evaluate(count) == days


def test_the_preview_is_what_is_shared_and_can_leave_the_pieces_out(visit, tmp_path):
    player = visit()
    buttons = player.find(".choices .pill")
    player.click("to-more", "to-share")
    expect(buttons).to_have_text(["Share", "Save picture"])
    player.click("close")
    player.finish()
    player.find("#to-share").click()
    expect(buttons).to_have_count(4)
    file, colours = tmp_path / "shared.png", load_theme().piece_colours(PUZZLE).values()
    pieces = {ImageColor.getrgb(colour) for colour in colours}
    for without in (True, False):
        player.find("#share-without").set_checked(without)
        with player.page.expect_download() as download:
            player.click("share-picture")
        download.value.save_as(file)
        with Image.open(file) as picture:
            shown = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
            assert picture.size == (1080, 1080)
        assert pieces & shown == (set() if without else pieces)
    preview = "each => [each.toDataURL(), each.getContext('2d').font]"
    data, font = player.find("#preview").evaluate(preview)
    assert b64decode(data.partition(",")[2]) == file.read_bytes()
    assert font.startswith("bold") and player.style("body", "fontFamily") in font


def test_a_friend_is_compared_with_only_after_a_solution_of_ones_own(visit):
    rank, digest = TILINGS.index(SOLUTION) - 1, PUZZLE.digest[:4]
    player = visit(PHONE, address=f"{HERE}/66.0.{rank}.{digest}.%3Cb%3EAda")
    message, sheet = player.find("#message"), player.find("#sheet-body")
    expect(message).to_contain_text("<b>Ada")
    expect(message).to_contain_text("in 3:42")
    expect(player.page).to_have_url(re.compile(f"#{HERE}$"))
    player.page.goto(f"{player.site}#{HERE}/66.0.zz.{digest}")  # there are seven solutions
    expect(message).to_have_text("This link does not fit this board.")
    player.page.goto(f"{player.site}#friends/{HERE}")
    expect(sheet.locator("li")).to_have_text(re.compile("<b>Ada.* · 3:42 · no hints"))
    expect(sheet).to_contain_text("Solve it to compare.")
    expect(sheet.locator(".board")).to_have_count(0)
    expect(sheet).not_to_contain_text("number")
    player.click("close")
    player.finish()
    player.click("to-friends")
    alike = len({*SOLUTION} & {*TILINGS[rank]})
    expect(sheet).to_contain_text(f"Found number {rank + 1} and {rank + 2}: together 2 of 7.")
    expect(sheet).to_contain_text(f"{alike} of 8 pieces lie alike")
    expect(sheet.locator(".laid")).to_have_count(8)
    expect(sheet.locator(".laid.other")).to_have_count(8 - alike)
    player.click("close")
    player.click("another")
    player.finish(TILINGS[rank])  # which was seen
    expect(player.find("#finish")).to_contain_text("This solution came from a link.")
    player.page.goto(f"{player.site}#friends/{HERE}")
    player.click("friends-forget")
    expect(sheet.locator("li")).to_have_count(0)


# -- one file


def test_one_file_plays_from_a_disk(windows, tmp_path):
    file = tmp_path / "ein Ordner für Ä" / "today.html"
    file.parent.mkdir()
    file.write_bytes(one_file({PUZZLE.name: PUZZLE}, PUZZLE.name))
    assert file.stat().st_size <= 740_000  # with all languages, and what makes a board
    player = Player(windows.open(private=True), file.as_uri())  # files share what is kept
    player.open()
    player.place(SOLUTION[0])
    player.expect_tilings(LEFT[0])
    player.page.reload()
    player.expect_tilings(LEFT[0])  # it was kept
    player.click("to-year")
    player.find("#year-mine").check()
    day = player.find("#months a[aria-current]")
    expect(day).to_have_attribute("title", f"6 October: {LEFT[0]} solutions")
    player.click("close")
    player.solve()


def test_one_file_on_a_host_asks_for_no_script_beside_it(windows, hosted, tmp_path):
    (tmp_path / "index.html").write_bytes(one_file({PUZZLE.name: PUZZLE}, PUZZLE.name))
    (tmp_path / "heading.LICENSE.txt").touch()  # where a player's preferences are set
    player = Player(windows.open(private=True, service_workers="allow"), hosted(tmp_path))
    player.open()
    player.page.wait_for_load_state("networkidle")
    assert windows.leave() == []


# -- paper, and eyes


def test_nothing_is_cut_off_and_no_word_broken_however_large_the_letters(visit):
    player = visit()
    letters = "percent => { document.documentElement.style.fontSize = `${percent}%`; }"
    for view in ("", "more", "solutions", "year"):
        if view:
            player.page.goto(f"{player.site}#{view}/{HERE}")
            player.find(f"#sheet[data-view={view}] #sheet-body > *").first.wait_for()
        for size in ((640, 512), (568, 320), (320, 256)):
            player.resize(*size)
            for percent in (100, 200):
                player.page.evaluate(letters, percent)
                wait_for_value(partial(player.page.evaluate, script("words")), [])


# -- hands


def test_a_piece_in_the_hand_is_turned_over_with_the_second_button_and_keys(visit):
    player = visit()
    placement = next(each for each in SOLUTION if each.piece == "P")
    x, y = player.take(placement)
    player.press("r")  # it is not yet in the hand
    assert player.piece(placement).get_attribute("data-turned") == "0"
    player.page.mouse.move(x - 60, y + 10, steps=3)
    first = player.shape(placement)
    player.page.mouse.down(button="right")
    player.page.mouse.up(button="right")
    assert player.shape(placement) == normal((row, -column) for row, column in first)
    player.press("f")
    assert player.shape(placement) == first
    player.press("r")
    assert player.shape(placement) != first
    expect(player.piece(placement)).to_have_class(re.compile("carried"))
    player.press("Escape")
    player.page.mouse.up()
    player.expect_placed(0)


def test_a_piece_that_is_turned_at_the_edge_of_the_board_may_reach_off_it(visit):
    player = visit(DESKTOP)
    placement = next(each for each in SOLUTION if each.piece == "L")
    player.take(placement)
    for corner in product((0, 6), repeat=2):
        player.page.mouse.move(*player.on_board(corner), steps=2)
        player.wait_for_frames()
        player.press(*"rrrrfrrrf")
    ring = "each => getComputedStyle(each.querySelector('.ring')).stroke"
    assert player.piece(placement).evaluate(ring) == "none"  # a pointer shows where it is
    player.press("Escape")
    player.page.mouse.up()
    player.expect_tilings(7)
    assert player.piece(placement).evaluate(ring) == "none"  # after keys during a drag as well
    player.page.mouse.click(*player.on_piece(placement))
    player.press("Escape", "Tab", "Shift+Tab")
    assert player.piece(placement).evaluate(ring) != "none"  # now the keys have it


def test_while_a_piece_is_carried_nothing_is_announced_and_what_moved_is_drawn_once(visit):
    player = visit(private=True)
    player.page.clock.install()
    expect(player.find("#live")).to_contain_text("7 solutions")
    x, y = player.take(SOLUTION[0])
    player.page.mouse.move(x - 80, y, steps=3)
    player.wait_for_frames()
    player.page.evaluate("""() => {
      Object.assign(globalThis, { drawn: [], moves: 0, spoken: 0 });
      addEventListener("pointermove", () => { globalThis.moves += 1; }, true);
      new MutationObserver(list => {
        globalThis.drawn.push(...list.map(each => each.target.dataset.token));
      }).observe(document.querySelector("#table"), {subtree: true, attributeFilter: ["style"]});
      new MutationObserver(() => { globalThis.spoken += 1; })
        .observe(document.querySelector("#live"), {childList: true});
    }""")
    player.page.mouse.move(x - 120, y + 20, steps=8)
    player.wait_for_frames()
    player.page.clock.run_for(400)  # an announcement waits for 300
    drawn, moves, spoken = player.page.evaluate("[drawn.filter(Boolean), moves, spoken]")
    assert set(drawn) == {player.piece(SOLUTION[0]).get_attribute("data-token")}
    assert len(drawn) <= moves
    assert spoken == 0
    player.press("Escape")
    player.page.mouse.up()
    player.expect_placed(0)


def test_midnight_is_announced_beside_the_game_and_changes_nothing(windows, site):
    page = windows.open((390, 664), private=True)
    page.clock.install(time="2025-12-30T23:50:00")
    page.goto(f"{site}#{PUZZLE.name}")
    title, notice = page.locator("#title"), page.locator("#notice")
    expect(page.locator("#play:not([inert]) #status[data-tilings]")).to_be_visible()
    page.clock.fast_forward("20:00")
    expect(notice).to_contain_text("It is Wednesday.")

    def below() -> float:
        box = notice.bounding_box()
        return box["y"] + box["height"] - page.locator("#table").bounding_box()["y"]

    until(lambda: below() <= 1)
    notice.get_by_role("button", name="Close this message").click()
    expect(notice).to_be_hidden()
    page.clock.fast_forward("05:00")
    page.evaluate("import('./notices.js').then(() => true)")  # what was due has been told
    expect(notice).to_be_hidden()
    page.clock.fast_forward("24:00:00")
    expect(notice).to_contain_text("It is Thursday.")
    expect(title).to_have_text("Tuesday, 30 December")
    page.get_by_role("button", name="Play today").click()
    expect(title).to_have_text("Thursday, 1 January")


def test_where_nothing_can_be_kept_the_game_lasts_as_long_as_the_page(windows, site):
    page = windows.open(private=True)
    page.add_init_script("""Storage.prototype.setItem = () => { throw new Error("full"); };""")
    player = Player(page, site)
    page.goto(f"{site}#{HERE}")
    expect(page.locator("#notice")).to_contain_text("This browser cannot save games here")
    page.get_by_role("button", name="OK").click()
    player.wait_until_counted()
    player.place(SOLUTION[0])
    player.click("after")
    player.expect_placed(0)
    player.click("before")
    player.expect_placed(1)


def test_a_screen_reader_reads_what_is_free_how_a_piece_lies_and_what_it_is_over(visit):
    player = visit()
    lines = player.find("#free li")
    expect(lines.first).to_be_attached()  # read out after the count
    free = set()
    for line in lines.all_text_contents():
        if found := re.match(r"Row (\d+): (.*)", line):
            columns = re.findall(r"column (\d+)", found[2])
            free |= {(int(found[1]) - 1, int(column) - 1) for column in columns}
    assert free == {cell for placement in SOLUTION for cell in placement.cells}
    for placement in SOLUTION[:2]:
        piece = player.find(f'.piece[aria-label^="{placement.piece}, "]')
        player.turn(placement)
        assert read_shape(piece) == normal(placement.cells)
        piece.focus()
        player.press("Enter")
        player.walk(placement)
        over = covers(placement).removeprefix(f"{placement.piece} covers ").removesuffix(".")
        expect(piece).to_have_attribute("aria-label", re.compile(f"over {over}"))
        player.press("Enter")
    player.expect_placed(2)


def read_shape(piece: Locator) -> list[Cell]:
    """Return the cells in the name of a piece, such as "P, 2 by 3: row 1 columns 1, 2 and 3"."""
    return [
        (int(row) - 1, int(column) - 1)
        for row, columns in re.findall(
            r"row (\d+) columns? ([\d, and]+)", piece.get_attribute("aria-label")
        )
        for column in re.findall(r"\d+", columns)
    ]
