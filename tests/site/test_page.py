"""The page: one screen, its addresses, what it says, and its second view."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from playwright.sync_api import Route, expect

from helpers.editions import write
from helpers.player import (
    HERE,
    LEFT,
    PUZZLE,
    SIZES,
    SOLUTION,
    TILINGS,
    Player,
    by_mouse,
    covers,
    tilings_of,
)
from helpers.waiting import becomes, until
from satcal.puzzle.loading import library, load

# -- one screen

MEASURE = """() => {
  const box = each => {
    const {left, top, right, bottom} = each.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const find = selectors => [...document.querySelectorAll(selectors)]
    .filter(each => each.getClientRects().length);
  const all = find('#play :is(select, input, button, .tool, .chip), .piece, .words');
  const hit = ([left, top, right, bottom]) =>
    document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const root = document.documentElement;
  const [board] = find('#table svg.board');
  const scale = each => each.getBoundingClientRect().width / each.viewBox.baseVal.width * 10;
  const scales = each => [...new Set(each.map(one => scale(one).toFixed(1)))].map(Number);
  return {
    window: [root.scrollWidth, root.scrollHeight],
    apart: [board, ...find('.piece')].map(box),
    outside: all.filter(each => {
      const [left, top, right, bottom] = box(each);
      return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    }).map(each => each.id || each.className),
    covered: all.filter(each => !each.matches('.piece, .words')
      && !each.contains(hit(box(each)))).map(each => each.id),
    cut: find('.words, .chip, .tools > *, .when button').filter(each =>
      each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
      .map(each => each.id),
    scales: [scales([board]), scales(find('.piece svg'))],
  };
}"""


def over(one: list[float], other: list[float]) -> bool:
    """Return whether two boxes overlap."""
    beside = one[0] >= other[2] - 2 or one[2] <= other[0] + 2
    above = one[1] >= other[3] - 2 or one[3] <= other[1] + 2
    return not beside and not above


def check_one_screen(me: Player, board: str, *sizes: tuple[int, int]) -> None:
    """Check that nothing is outside of the window, covered, cut off or too small."""

    def faults() -> dict[str, object]:
        found = me.page.evaluate(MEASURE)
        scales, apart = found.pop("scales"), combinations(found.pop("apart"), 2)
        cell, tray = (each[0] for each in scales)
        found["window"] = found["window"] == [*size] or found["window"]
        found["over"] = [pair for pair in apart if over(*pair)]
        found["uneven"] = [each for each in scales if max(each) - min(each) > 0.11]  # but rounded
        found["small"] = [] if 0.49 <= tray / cell <= 0.81 and cell >= 14 else [cell, tray]
        return found

    none = {name: [] for name in ("outside", "covered", "cut", "over", "uneven", "small")}
    me.open(f"{board}/2025-09-25" if load(board).calendar.parts is not None else board)
    for size in sizes:
        me.resize(*size)
        becomes(faults, none | {"window": True})


@pytest.mark.parametrize("phone", [False, True])
def test_board_tray_tools_and_status_are_on_one_screen(windows, site, phone):
    me = Player(windows.open(is_mobile=phone, has_touch=phone), site)
    for board in (PUZZLE.name, "rhombus", "pentomino-3x20"):
        sizes = [size for size in SIZES.values() if (size[0] < 1000) == phone]
        check_one_screen(me, board, *sizes)


@pytest.mark.long
def test_every_board_of_the_library_is_on_one_screen(windows, hosted, tmp_path):
    write(tmp_path, *library())
    me = Player(windows.open(is_mobile=True, has_touch=True), hosted(tmp_path))
    for board in library():
        check_one_screen(me, board, *SIZES.values())


def test_nothing_jumps_while_the_page_appears(player):
    me = player("390x664")
    me.page.wait_for_load_state("networkidle")  # also the heading's font is there
    me.drawn()
    shift = me.page.evaluate("""new Promise(resolve => {
      const seen = new PerformanceObserver(list => resolve(
        list.getEntries().reduce((sum, each) => sum + (each.value ?? 0), 0)));
      seen.observe({type: "layout-shift", buffered: true});
      seen.observe({type: "mark"});
      performance.mark("end"); // which comes with all that is buffered
    })""")
    assert shift <= 0.01


def test_the_board_keeps_its_game_when_the_window_is_turned(player):
    me = player("390x664", load("pentomino-3x20"), "pentomino-3x20")
    board = me.page.locator("#table svg.board").first
    expect(board).to_have_attribute("viewBox", "-3 -3 36 206")
    me.solve()
    me.resize(844, 390)
    me.solved()
    expect(board).to_have_attribute("viewBox", "-3 -3 206 36")
    me.page.locator(".piece").first.focus()
    me.press("Delete")
    me.lie(11)
    # what is said of a board without labels is short
    expect(me.page.locator("#live")).to_have_text(re.compile(r"left\. [A-Z] is placed\.$"))
    me.press("Control+z", "Control+z")
    me.lie(0)


# -- addresses


def test_the_second_view_can_be_the_first_that_is_opened(windows, site):
    page = windows.open()
    page.goto(f"{site}#year/{HERE}")
    expect(page.locator("#sheet-title")).to_have_text("The year 2025")
    page.locator("#close").click()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(".piece").first).to_be_in_viewport()
    expect(page).to_have_url(f"{site}#{HERE}")
    page.go_back()
    expect(page).to_have_url("about:blank")


def test_back_does_not_open_again_what_was_closed(player):
    me = player(address="rhombus/2025-09-25")
    for close in (
        lambda: me.click("close"),
        lambda: me.press("Escape"),
        lambda: me.page.mouse.click(3, 3),  # beside it
    ):
        me.click("after")
        expect(me.page.locator("#title")).to_have_text("Friday, 26 September 2025")
        me.click("to-more", "to-solutions")  # a sheet over a sheet
        expect(me.page.locator("#show-me")).to_be_visible()
        close()
        me.at_table()
        expect(me.page).to_have_url(re.compile("#rhombus/2025-09-26$"))
        me.page.go_back()
        expect(me.page.locator("#title")).to_have_text("Thursday, 25 September 2025")
        me.at_table()


def test_back_shows_what_it_should(player):
    me = player(address="rhombus/2025-09-25")
    page, puzzle, title = me.page, me.page.locator("#puzzle"), me.page.locator("#title")
    me.click("after")
    expect(title).to_have_text("Friday, 26 September 2025")
    puzzle.select_option(PUZZLE.name)
    expect(page).to_have_title("Friday, 26 September 2025 · A-Puzzle-A-Day · satcal")
    me.click("to-more")
    expect(page.locator("#sheet-title")).to_be_focused()
    page.go_back()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#to-more")).to_be_focused()
    expect(puzzle).to_have_value(PUZZLE.name)
    page.go_back()
    expect(puzzle).to_have_value("rhombus")
    page.go_back()
    expect(page).to_have_title("Thursday, 25 September 2025 · Praxis Rhombus · satcal")
    me.remain(4)


def test_today_is_the_players_own_date_and_a_date_may_have_slashes(windows, site):
    page = windows.open(own=True, timezone_id="Pacific/Auckland")
    page.clock.set_fixed_time("2025-12-31T12:30:00Z")  # there it is the next year
    for address, title in (
        ("rhombus/12/25", "Friday, 25 December"),
        ("rhombus", "Thursday, 1 January"),
        ("", "Thursday, 1 January"),  # without an address, the puzzle last used
    ):
        page.goto("about:blank")
        page.goto(f"{site}#{address}")
        expect(page.locator("#title")).to_have_text(title)
        expect(page.locator("#puzzle")).to_have_value("rhombus")


def test_a_date_is_typed_and_a_select_is_walked_without_going_anywhere(player):
    me = player()
    date, puzzle = me.page.locator("#date"), me.page.locator("#puzzle")
    me.click("pick")
    expect(date).to_be_focused()
    for digit in "1010202":  # the same in every country
        me.page.keyboard.type(digit)
        expect(me.page).to_have_url(re.compile(f"#{HERE}$"))
    me.page.keyboard.type("4")
    me.press("Enter")
    expect(me.page).to_have_url(re.compile(f"#{PUZZLE.name}/2024-10-10$"))
    expect(me.page.locator("#title")).to_have_text("Thursday, 10 October 2024")  # it is open
    expect(date).to_be_hidden()
    expect(me.page.locator("#pick")).to_be_focused()
    puzzle.focus()
    me.press("ArrowDown")
    expect(puzzle).to_have_value("rhombus")
    expect(me.page).to_have_url(re.compile(f"#{PUZZLE.name}/2024-10-10$"))
    me.press("Tab")
    expect(me.page).to_have_url(re.compile("#rhombus/2024-10-10$"))


def test_an_address_that_means_nothing_says_so(windows, site):
    page = windows.open()
    for address, words in (
        ("nope", "There is no puzzle “nope” here."),
        ("rhombus/2025-02-30", "2025-02-30 is not a date."),
        ("rhombus/Mon,Jan", "Praxis Rhombus cannot leave Mon and Jan uncovered"),
        ("rhombus/Mon,Jan,7,8", "choose one label of each kind: weekday, month and day."),
        ("rhombus/3/4", "cannot leave 3/4 uncovered"),
        ("%E0%A4%A", "There is nothing at this address."),
    ):
        page.goto(f"{site}#{address}")
        expect(page.locator("#sorry-text")).to_contain_text(words)
        expect(page).to_have_title(re.compile("does not work"))
        page.get_by_role("link", name="To today's puzzle").click()
        expect(page.locator("#puzzle")).to_have_value(PUZZLE.name)


def test_a_link_is_short_and_leaves_ones_own_game_alone_in_every_tab(player, site):
    friend = player()
    friend.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    friend.solve()
    friend.page.locator("#to-share").click()
    friend.click("share-link")
    expect(friend.page.locator("#shared")).to_have_text("Copied.")
    link = friend.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{site}#{HERE}/[\w-]{{16}}", link)
    address = link.partition("#")[2]
    me = player(address=address)  # nothing is kept there
    me.solved()
    expect(me.page).to_have_url(f"{site}#{HERE}")  # what follows is one's own game
    me.click("undo")
    me.lie(0)
    me.lay(SOLUTION[0])
    me.remain(LEFT[0])
    tab, other = (Player(me.page.context.new_page(), site) for _ in range(2))
    other.open(HERE)
    tab.open(address)
    for each in (me, tab, other):
        expect(each.page.locator("#notice")).to_contain_text("Your own game is saved")
        each.lie(8)
    tab.page.reload()
    tab.page.get_by_role("button", name="Back to mine").click()
    for each in (tab, me, other):
        expect(each.page.locator("#notice")).to_be_hidden()
        each.remain(LEFT[0])


# -- what it says


def test_what_is_said_is_for_people(player):
    me, placement = player("320x568"), SOLUTION[0]
    said, heard = me.page.locator("#message"), me.page.locator("#live")
    rule = "Cover every cell but Oct and 6."
    expect(me.page.locator(".chip[aria-current]")).to_have_text("Easy")
    expect(me.page.locator("#count")).to_have_text("7 solutions")
    expect(said).to_have_text(rule)
    before = me.unit
    me.page.mouse.click(*me.on_piece(placement))
    for turned in ("r", "f", "ArrowDown"):
        me.press(turned)
        expect(heard).to_contain_text(me.piece(placement).get_attribute("aria-label"))
        expect(said).to_have_text(rule)  # who sees the board sees it
    me.press("Escape")
    me.lay(placement)
    expect(heard).to_contain_text(f"left. {covers(placement)}")
    expect(said).to_be_empty()
    lies = covers(placement).removeprefix(placement.piece).removesuffix(".")
    name = re.compile(rf"^{placement.piece}, \d by \d.*;{lies}")
    expect(me.piece(placement)).to_have_attribute("aria-label", name)
    expect(me.page.locator("#count")).to_have_text(re.compile(r"^\d of 7 solutions left$"))
    assert not re.search(r"\br\d+c\d+\b", me.page.locator("body").inner_html())
    said.evaluate("each => { each.textContent = 'many words '.repeat(6); }")
    me.drawn()
    assert me.unit == before  # whatever is said, the board stays as it is


def test_three_boards_a_day_have_the_ratings_of_that_day_and_a_tick_when_they_are_solved(player):
    me = player("390x664")
    chips, puzzle = me.page.locator("#three .chip"), me.page.locator("#puzzle")
    expect(chips).to_have_text(["Easy", "Hard"])  # no board of this edition is fair on that day
    before = me.unit
    me.finish()
    expect(chips.first).to_have_accessible_name("Easy: A-Puzzle-A-Day, Solved")
    chips.nth(1).click()
    expect(puzzle).not_to_have_value(PUZZLE.name)
    expect(chips.nth(1)).to_have_attribute("aria-current", "true")
    expect(chips.nth(1)).to_be_focused()
    chips.first.click()
    expect(puzzle).to_have_value(PUZZLE.name)
    me.solved()
    me.click("after")
    expect(chips).to_have_text(["Fair", "Hard"])
    assert me.unit == before
    puzzle.select_option("pentomino-3x20")
    expect(me.page.locator("#three")).to_be_hidden()


def test_no_count_stands_under_another_title(player):
    me = player(address="rhombus/2025-09-25", own=True)
    count = me.page.locator("#count")
    expect(count).to_have_text("4 solutions")
    me.page.evaluate("""() => {
      globalThis.seen = new Set();
      const look = () => {
        const [title, count] = ["title", "count"].map(id => document.getElementById(id));
        globalThis.seen.add(`${title.textContent}: ${count.textContent}`);
      };
      new MutationObserver(look).observe(document.querySelector(".head"),
        {subtree: true, childList: true, characterData: true});
    }""")
    held: list[Route] = []  # the worker waits for what it counts with
    me.page.route("**/data/*.bin", lambda route, _: held.append(route))
    me.page.goto(me.page.url.replace("rhombus/2025-09-25", "pentomino-3x20"))
    expect(me.page.locator("#title")).to_have_text("Twelve pentominoes on 3 by 20")
    expect(count).to_have_text("Counting…")
    until(lambda: me.page.title() and held)
    held[0].continue_()
    expect(count).to_have_text("8 solutions")
    seen = [each for each in me.page.evaluate("[...seen]") if each.startswith("Twelve")]
    assert {each.partition(": ")[2] for each in seen} <= {"", "Counting…", "8 solutions"}


def test_pieces_do_not_fly_in_and_one_that_returns_stays_above_the_others(player):
    me = player(reduced_motion="no-preference", own=True)
    moving = """() => { globalThis.flown = 0;
      addEventListener("transitionrun", e => {
        if (e.propertyName === "transform") globalThis.flown += 1;
      }, true); }"""
    me.page.evaluate(moving)
    me.page.locator("#puzzle").select_option("rhombus")
    expect(me.page).to_have_title(re.compile("Rhombus"))
    me.counted()
    expect(me.page.locator("#table.ready")).to_be_visible()
    me.drawn()
    assert me.page.evaluate("flown") == 0
    style = "each => getComputedStyle(each).transitionProperty"
    moving = me.page.locator(".piece").first.evaluate(style)
    assert "z-index" in moving and "transform" in moving


def wrong_placement():
    """Return a placement that fits, but is in no tiling of the date."""
    covered = {cell for placement in SOLUTION for cell in placement.cells}
    others = tilings_of(PUZZLE, "2025-10-07")
    return next(
        placement
        for tiling in others
        for placement in tiling
        if covered >= set(placement.cells) and not any(placement in each for each in TILINGS)
    )


def test_how_much_to_know_is_the_players_choice_and_at_first_nothing(windows, site):
    me, wrong = Player(windows.open(), site, know="nothing"), wrong_placement()
    count, said, heard = (me.page.locator(f"#{each}") for each in ("count", "message", "live"))
    tool = me.page.locator("#check-now")
    me.open(HERE)
    expect(count).to_have_text("0 of 8 pieces")
    me.click("check-now")
    expect(said).to_have_text("Still possible.")
    me.lay(wrong)
    expect(count).to_have_text("1 of 8 pieces")
    expect(count).not_to_have_class(re.compile("bad"))
    expect(heard).to_contain_text(f"{wrong.piece} covers ")
    me.click("check-now")
    expect(said).to_have_text("Something must come off.")
    for choice, before, blame in (
        ("exact", "7 solutions", "After that, 7 solutions are left."),
        ("solvable", "It can still be solved", f"{wrong.piece} covers "),
    ):
        me.click("to-more", "start-again")
        me.click("to-more")
        me.page.locator("#know").select_option(choice)
        me.click("close")
        expect(count).to_have_text(before)
        expect(tool).to_be_hidden()
        me.lay(wrong)
        expect(count).to_have_text(re.compile("^No solution left: take back the [a-z ]+ one$"))
        expect(heard).to_contain_text(blame)
    me.page.reload()
    expect(count).to_contain_text("No solution left")
    me.click("undo")
    me.finish()
    expect(me.page.locator("#facts")).to_contain_text("2 hints")


def test_the_coach_says_what_is_in_the_way_or_where_to_look_then_which_piece_then_where(
    player,
):
    me = player()
    said, blamed = me.page.locator("#message"), me.page.locator(".piece.blamed")
    me.lay(wrong_placement())
    expect(blamed.locator(".name")).to_be_visible()  # the count names it
    me.click("hint")
    expect(said).to_contain_text("one is in the way.")
    expect(blamed).to_have_count(1)
    me.click("take-back")
    me.lie(0)
    me.click("hint")
    expect(said).to_contain_text(re.compile(r"^Start at [\w ,]+\.$"))
    expect(me.page.locator(".hinted")).to_have_count(1)
    expect(me.page.locator(".piece.tight")).to_have_count(0)
    me.click("hint")
    expect(said).to_have_text(re.compile(r"^The [a-z ]+ one can cover "))
    expect(me.page.locator(".piece.tight")).to_have_count(1)
    me.click("hint")
    expect(said).to_contain_text("Hint puts it there")
    me.lie(0)
    me.click("hint")  # never a whole solution
    me.lie(1)
    expect(me.page.locator("#count")).to_have_text(re.compile(r"^[1-7] of 7 solutions left$"))


def test_on_the_first_visit_three_steps_wait_until_they_are_done(windows, site):
    me = Player(windows.open(SIZES["1440x900"]), site, know="nothing", seen="")
    me.open(HERE)
    said, first = me.page.locator("#message"), SOLUTION[0]
    expect(said).to_contain_text("drag a piece")
    me.page.mouse.click(*me.on_piece(SOLUTION[2]))
    expect(said).to_contain_text("drag a piece")  # that was not what was asked
    me.press("Escape")
    me.turn(first)
    me.drag(first, by_mouse)
    expect(said).to_contain_text("tap it again")
    me.page.mouse.click(*me.on_piece(SOLUTION[2]))
    expect(said).to_contain_text("tap it again")
    me.page.mouse.click(*me.on_piece(SOLUTION[2]))
    expect(said).to_contain_text("Flip")
    me.click("flip")
    expect(said).to_have_text("Cover every cell but Oct and 6.")
    me.page.reload()
    expect(me.page.locator("#status[data-tilings]")).to_be_visible()
    expect(said).not_to_contain_text("drag a piece")


# -- the other views


def test_solutions_are_shown_when_asked_for_paged_through_and_laid_when_they_come(player):
    me, seen = player(), set()
    rank, of = me.page.locator("#rank"), me.page.locator("#of")
    for view in ("more", "solutions"):
        me.click(f"to-{view}")
        expect(me.page.locator(f"#sheet[data-view={view}] #sheet-body > *").first).to_be_visible()
        expect(me.page.locator("#sheet .laid")).to_have_count(0)
    me.click("show-me")
    expect(me.page.locator("#shown .laid")).to_have_count(8)
    for number in range(1, 8):
        if number > 1:
            me.click("next")
        expect(of).to_have_text(f"Solution {number} of 7")
        seen.add(me.page.locator("#shown").get_attribute("aria-label").partition(": ")[2])
    assert len(seen) == 7
    rank.fill("99")
    me.press("Tab")
    expect(rank).to_have_value("7")
    me.page.reload()
    me.page.locator("#show-me").wait_for()
    me.page.evaluate("for (const id of ['show-me', 'lay']) document.getElementById(id).click()")
    me.solved()


def test_the_year_leads_to_another_date_and_says_how_rich_it_is(player):
    me = player()
    me.click("to-year")
    expect(me.page.locator("#months a")).to_have_count(365)
    expect(me.page.locator("#legend")).to_contain_text("24,341 in the year")
    heights = "all => new Set(all.map(each => each.offsetHeight)).size"
    becomes(lambda: me.page.locator("#months table").evaluate_all(heights), 1)
    me.click("year-after")
    expect(me.page.locator("#sheet-title")).to_have_text("The year 2026")
    me.click("year-before")
    expect(me.page.locator("#sheet-title")).to_have_text("The year 2025")
    me.page.get_by_role("link", name="23 October: 87 solutions").click()
    expect(me.page.locator("#title")).to_have_text("Thursday, 23 October 2025")
    me.remain(87)
    expect(me.page.locator("#message")).to_contain_text("87 solutions; 284 of 365 days have fewer.")
    expect(me.page.locator("#message")).to_contain_text("· Fair")


def test_games_are_saved_as_a_file_and_loaded(player, tmp_path):
    me, file, broken = player(), tmp_path / "games.json", tmp_path / "broken.json"
    me.resume(*SOLUTION[:2])
    me.click("to-more")
    with me.page.expect_download() as download:
        me.click("save")
    download.value.save_as(file)
    broken.write_text('{"kept": {"<b>": "1"}}')
    other = player()  # nothing is kept there
    other.click("to-more")
    other.page.locator("#load").set_input_files(broken)
    expect(other.page.locator("#taken")).to_have_text("This is not a file of saved games.")
    other.page.locator("#load").set_input_files(file)
    other.lie(2)
