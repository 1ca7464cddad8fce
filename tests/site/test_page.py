"""The page: one screen, its addresses, what it says, and its second view."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest
from playing import HERE, PUZZLE, SIZES, SOLUTION, TILINGS
from playwright.sync_api import expect

import satcal
from satcal.puzzle.loading import library

# -- one screen

MEASURE = """() => {
  const box = each => {
    const {left, top, right, bottom} = each.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const find = selectors => [...document.querySelectorAll(selectors)]
    .filter(each => each.getClientRects().length);
  const all = find('#play select, #play input, #play button, #play .button, .piece, .status');
  const hit = ([left, top, right, bottom]) =>
    document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const root = document.documentElement;
  const [board] = find('#table > svg');
  const scale = each => each.getBoundingClientRect().width / each.viewBox.baseVal.width * 10;
  return {
    window: [root.scrollWidth, root.scrollHeight],
    apart: [board, ...find('.piece')].map(box),
    outside: all.filter(each => {
      const [left, top, right, bottom] = box(each);
      return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    }).map(each => each.id || each.className),
    covered: all.filter(each => !each.matches('.piece') && !each.contains(hit(box(each))))
      .map(each => each.id),
    cut: find('.status, .tools > *, .when button').filter(each =>
      each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
      .map(each => each.id),
    scales: [...new Set([board, ...find('.piece svg')].map(each => scale(each).toFixed(2)))],
  };
}"""


@pytest.mark.parametrize(
    ("size", "boards"),
    [
        ("320x568", (PUZZLE.name, "weekday", "pentomino-3x20")),
        *(pytest.param(size, library(), marks=pytest.mark.browser) for size in SIZES),
    ],
)
def test_board_tray_tools_and_status_are_on_one_screen_at_one_scale(player, size, boards) -> None:
    width, height = SIZES[size]
    me = player(size, is_mobile=width < 1000, has_touch=width < 1000)
    for board in boards:
        dated = satcal.load(board).calendar.parts is not None
        me.open(f"{board}/2025-09-25" if dated else board)
        found = me.page.evaluate(MEASURE)
        assert found["window"] == [width, height], board
        assert found["outside"] == found["covered"] == found["cut"] == [], board
        assert len(found["scales"]) == 1, (board, found["scales"])
        assert float(found["scales"][0]) >= 20, board
        for one, other in combinations(found["apart"], 2):
            beside = one[0] >= other[2] - 2 or one[2] <= other[0] + 2
            above = one[1] >= other[3] - 2 or one[3] <= other[1] + 2
            assert beside or above, (board, one, other)


def test_nothing_jumps_while_the_page_appears(player) -> None:
    me = player("390x664")
    shift = me.page.evaluate("""new Promise(resolve => {
      let shift = 0;
      new PerformanceObserver(list => {
        for (const each of list.getEntries()) shift += each.value;
      }).observe({type: "layout-shift", buffered: true});
      setTimeout(() => resolve(shift), 300);
    })""")
    assert shift <= 0.05


def test_the_board_keeps_its_game_when_the_window_is_turned(player) -> None:
    me = player("390x664", satcal.load("pentomino-3x20"), "pentomino-3x20")
    board = me.page.locator("#table > svg").first
    expect(board).to_have_attribute("viewBox", "-1 -1 32 202")
    me.solve()
    me.page.set_viewport_size({"width": 844, "height": 390})
    me.solved()
    expect(board).to_have_attribute("viewBox", "-1 -1 202 32")
    me.click("undo")
    me.lie(0)


# -- addresses


def test_the_second_view_can_be_the_first_that_is_opened(windows, site) -> None:
    page = windows.open()
    page.goto(f"{site}#more/{HERE}")
    expect(page.locator("#more-title")).to_contain_text("A-Puzzle-A-Day")
    page.locator("#to-play").click()
    expect(page.locator(".piece").first).to_be_in_viewport()
    page.go_back()
    page.get_by_role("link", name="Board").click()
    expect(page.locator("#table")).to_be_visible()


def test_back_shows_what_it_should(player) -> None:
    me = player(address="rhombus/2025-09-25")
    page, puzzle = me.page, me.page.locator("#puzzle")
    me.click("after")
    expect(page.locator("#date")).to_have_value("2025-09-26")
    puzzle.select_option(PUZZLE.name)
    expect(page.locator("#title")).to_have_text("A-Puzzle-A-Day, Friday, 26 September 2025")
    me.click("to-more")
    expect(page.locator("#more-title")).to_be_focused()
    page.go_back()
    expect(page.locator("#to-more")).to_be_focused()
    expect(puzzle).to_have_value(PUZZLE.name)
    page.go_back()
    expect(puzzle).to_have_value("rhombus")
    page.go_back()
    expect(page).to_have_title("Thursday, 25 September 2025 · Praxis Rhombus · satcal")
    me.remain(4)


def test_today_is_the_players_own_date(windows, site) -> None:
    page = windows.open(timezone_id="Pacific/Auckland")
    page.clock.set_fixed_time("2025-12-31T12:30:00Z")  # there it is the next year
    for address in ("rhombus", ""):  # without an address, the puzzle last used
        page.goto("about:blank")
        page.goto(f"{site}#{address}")
        expect(page.locator("#title")).to_have_text("Praxis Rhombus, Thursday, 1 January 2026")


def test_a_date_is_typed_and_a_select_is_walked_without_going_anywhere(player) -> None:
    me = player()
    date, puzzle = me.page.locator("#date"), me.page.locator("#puzzle")
    date.focus()
    for digit in "1010202":  # the same in every country
        me.page.keyboard.type(digit)
        expect(me.page).to_have_url(re.compile(f"#{HERE}$"))
    me.page.keyboard.type("4")
    me.press("Enter")
    expect(me.page).to_have_url(re.compile(f"#{PUZZLE.name}/2024-10-10$"))
    expect(date).to_be_focused()
    puzzle.focus()
    me.press("ArrowDown", "ArrowDown")
    expect(puzzle).to_have_value("rhombus")
    expect(me.page).to_have_url(re.compile(f"#{PUZZLE.name}/2024-10-10$"))
    me.press("Tab")
    expect(me.page).to_have_url(re.compile("#rhombus/2024-10-10$"))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nope", "There is no puzzle “nope” here."),
        ("rhombus/2025-02-30", "There is no day 2025-02-30."),
        ("rhombus/Mon,Jan", "Praxis Rhombus can leave no Mon and Jan uncovered"),
        ("rhombus/Mon,Jan,7,8", "it takes one weekday, month and day."),
        ("%E0%A4%A", "This address means nothing."),
    ],
)
def test_an_address_that_means_nothing_says_so(windows, site, address, words) -> None:
    page = windows.open()
    page.goto(f"{site}#{address}")
    expect(page.locator("#sorry-text")).to_contain_text(words)
    page.get_by_role("link", name="To today's puzzle").click()
    expect(page.locator("#puzzle")).to_have_value(PUZZLE.name)


def test_a_link_is_short_and_holds_puzzle_date_and_pieces(player, site) -> None:
    me = player()
    me.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    me.solve()
    me.click("to-more", "copy")
    expect(me.page.locator("#taken")).to_have_text("The link is copied.")
    link = me.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{site}#{HERE}/[\w-]{{16}}", link)
    other = player(address=link.partition("#")[2])  # nothing is kept there
    other.solved()
    expect(other.page).to_have_url(f"{site}#{HERE}")  # what follows is one's own game
    other.click("undo")
    other.lie(0)


# -- what it says


def test_what_is_said_is_for_people(player) -> None:
    me, placement = player("390x664"), SOLUTION[0]
    expect(me.page.locator("#status")).to_have_text(
        "7 tilings. Cover all but Oct and 6. Drag; tap twice to turn."
    )
    me.lay(placement)
    labels = [PUZZLE.label_at[cell].text for cell in sorted(placement.cells)]
    expect(me.page.locator("#said")).to_have_text(
        f"{placement.piece} covers {', '.join(labels[:-1])} and {labels[-1]}."
    )
    expect(me.piece(placement)).to_have_attribute(
        "aria-label", re.compile(f"^Piece {placement.piece}, covers {labels[0]}, ")
    )
    expect(me.page.locator("#count")).to_have_text(re.compile(r"^\d of 7 tilings remains?\.$"))
    assert not re.search(r"\br\d+c\d+\b", me.page.locator("body").inner_html())


def test_nothing_is_spoken_while_a_piece_is_carried(player) -> None:
    me = player()
    expect(me.page.locator("#live")).to_contain_text("7 tilings")
    me.page.evaluate("""() => {
      globalThis.spoken = 0;
      const live = document.querySelector('#live');
      new MutationObserver(() => { globalThis.spoken += 1; }).observe(live, {childList: true});
    }""")
    x, y = me.on_piece(SOLUTION[0])
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    for step in range(30):
        me.page.mouse.move(x - 20 * step, y + step)
        me.page.wait_for_timeout(20)  # what is said is spoken when it has settled
    assert me.page.evaluate("spoken") == 0
    me.press("Escape")
    me.page.mouse.up()
    me.lie(0)


def wrong_placement():
    """Return a placement that is in no tiling of the date, though it would fit."""
    covered = {cell for placement in SOLUTION for cell in placement.cells}
    others = satcal.tilings(PUZZLE, PUZZLE.reveal("2025-10-07"))
    return next(
        placement
        for tiling in others
        for placement in tiling
        if covered >= set(placement.cells) and not any(placement in each for each in TILINGS)
    )


def test_how_much_to_know_is_the_players_choice(player) -> None:
    me, wrong = player(), wrong_placement()
    count, said = me.page.locator("#count"), me.page.locator("#said")
    name = wrong.piece
    for choice, before, after, blame in (
        ("exact", "7 tilings.", "No tiling remains.", f"Take back {name}, then 7 tilings remain."),
        ("solvable", "It can still be solved.", "No tiling remains.", f"Take back {name}."),
        ("nothing", "0 of 8 pieces lie.", "1 of 8 pieces lie.", f"{name} covers "),
    ):
        me.click("to-more")
        me.page.locator("#know").select_option(choice)
        me.click("to-play")
        expect(count).to_have_text(before)
        me.lay(wrong)
        expect(count).to_have_text(after)
        expect(said).to_contain_text(blame)
        me.click("clear")
    me.page.reload()
    expect(count).to_have_text("0 of 8 pieces lie.")


def test_a_hint_gets_better_until_it_is_the_solution(player) -> None:
    me = player()
    said = me.page.locator("#said")
    me.click("hint")
    expect(said).to_contain_text("has the fewest places left")
    expect(me.page.locator(".piece.tight")).to_have_count(1)
    me.click("hint")
    expect(said).to_contain_text("can cover")
    expect(me.page.locator(".hinted")).to_be_visible()
    me.click("hint")
    me.solved()
    expect(me.page.locator("#hint")).to_be_focused()
    me.click("undo")
    me.remain(len(TILINGS))


def test_on_the_first_visit_a_piece_shows_how_it_moves(player) -> None:
    me = player(reduced_motion="no-preference")
    moving = """document.querySelector('.piece').getAnimations()
      .some(each => each.effect.getTiming().duration > 2000)"""
    assert me.page.evaluate(moving)
    me.page.mouse.click(*me.on_piece(SOLUTION[0]))
    assert not me.page.evaluate(moving)
    me.page.reload()
    me.remain(len(TILINGS))
    assert not me.page.evaluate(moving)


# -- the second view


def test_all_tilings_are_paged_through_and_laid_on_the_board(player) -> None:
    me, seen = player(), set()
    rank = me.page.locator("#rank")
    me.click("to-more")
    expect(me.page.locator("#of")).to_have_text("of 7")
    for number in range(1, 8):
        if number > 1:
            me.click("next")
        expect(rank).to_have_value(str(number))
        seen.add(me.page.locator("#shown").get_attribute("aria-label").partition(": ")[2])
    assert len(seen) == 7
    rank.fill("99")
    me.press("Tab")
    expect(rank).to_have_value("7")
    me.click("lay")
    me.solved()


def test_the_year_leads_to_another_date(player) -> None:
    me = player()
    me.click("to-more")
    expect(me.page.locator("#months a")).to_have_count(365)
    expect(me.page.locator("#legend")).to_contain_text("24,341 in the year")
    me.click("year-after")
    expect(me.page.locator("#year-name")).to_have_text("2026")
    me.click("year-before")
    me.page.get_by_role("link", name="23 October: 87 tilings").click()
    expect(me.page.locator("#date")).to_have_value("2025-10-23")
    me.remain(87)


def test_games_are_saved_as_a_file_and_loaded(player, tmp_path) -> None:
    me, file = player(), tmp_path / "games.json"
    me.solve()
    me.click("to-more")
    with me.page.expect_download() as download:
        me.click("save")
    download.value.save_as(file)
    assert list(json.loads(file.read_text())["games"]) == [HERE]
    broken = tmp_path / "broken.json"
    broken.write_text('{"games": {"<b>": 1}}')
    other = player()  # nothing is kept there
    other.click("to-more")
    for path, words in ((broken, "This is no file of kept games."), (file, "1 game loaded.")):
        other.page.locator("#load").set_input_files(path)
        expect(other.page.locator("#taken")).to_have_text(words)
    other.click("to-play")
    other.solved()
