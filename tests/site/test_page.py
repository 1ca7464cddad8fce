"""The page: one screen, its addresses, what it says, and its second view."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from playwright.sync_api import Route, expect

from helpers.browser import script
from helpers.editions import write
from helpers.player import (
    DESKTOP,
    HERE,
    LEFT,
    PHONE,
    PUZZLE,
    SIZES,
    SOLUTION,
    TILINGS,
    Player,
    covers,
    over,
    tilings_of,
)
from helpers.waiting import until, wait_for_value
from satcal.puzzle.loading import load

SHAPES = ("a-puzzle-a-day", "calendarium", "month-7x5", "pentomino-3x20", "rhombus", "weekday")

# -- one screen

MEASURE = script("one-screen")


def check_one_screen(player: Player, board: str, *sizes: tuple[int, int]) -> None:
    """Check that nothing is outside of the window, covered, cut off or too small."""

    def faults() -> dict[str, object]:
        found = player.page.evaluate(MEASURE)
        scales, apart = found.pop("scales"), combinations(found.pop("apart"), 2)
        cell, tray = (each[0] for each in scales)
        found["window"] = found["window"] == [*size] or found["window"]
        found["over"] = [pair for pair in apart if over(*pair)]
        found["uneven"] = [each for each in scales if max(each) - min(each) > 0.11]  # but rounded
        found["small"] = [] if 0.49 <= tray / cell <= 0.81 and cell >= 14 else [cell, tray]
        return found

    none = {name: [] for name in ("outside", "covered", "cut", "over", "uneven", "small")}
    player.open(f"{board}/2025-09-25" if load(board).calendar.parts is not None else board)
    for size in sizes:
        player.resize(*size)
        wait_for_value(faults, none | {"window": True})


@pytest.mark.parametrize("phone", [False, True])
def test_board_tray_tools_and_status_are_on_one_screen(windows, site, phone):
    player = Player(windows.open(is_mobile=phone, has_touch=phone), site)
    for board in (PUZZLE.name, "rhombus", "pentomino-3x20"):
        sizes = [size for size in SIZES if (size[0] < 1000) == phone]
        check_one_screen(player, board, *sizes)


@pytest.mark.long
def test_boards_of_six_shapes_are_on_one_screen_of_every_size(windows, hosted, tmp_path):
    write(tmp_path, *SHAPES)
    player = Player(windows.open(is_mobile=True, has_touch=True), hosted(tmp_path))
    for board in SHAPES:
        check_one_screen(player, board, *SIZES)


def test_nothing_jumps_while_the_page_appears(visit):
    player = visit(PHONE)
    player.page.wait_for_load_state("networkidle")  # also the heading's font is there
    player.wait_for_frames()
    shift = player.page.evaluate("""new Promise(resolve => {
      const seen = new PerformanceObserver(list => resolve(
        list.getEntries().reduce((sum, each) => sum + (each.value ?? 0), 0)));
      seen.observe({type: "layout-shift", buffered: true});
      seen.observe({type: "mark"});
      performance.mark("end"); // which comes with all that is buffered
    })""")
    assert shift <= 0.01


def test_the_board_keeps_its_game_when_the_window_is_turned(visit):
    player = visit(PHONE, "pentomino-3x20")
    board = player.find("#table svg.board").first
    expect(board).to_have_attribute("viewBox", "-3 -3 36 206")
    player.solve()
    player.resize(844, 390)
    player.expect_solved()
    expect(board).to_have_attribute("viewBox", "-3 -3 206 36")
    player.find(".piece").first.focus()
    player.press("Delete")
    player.expect_placed(11)
    # a move on a board without labels is announced shortly
    expect(player.find("#live")).to_have_text(re.compile(r"left\. [A-Z] is placed\.$"))
    player.press("Control+z", "Control+z")
    player.expect_placed(0)


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


def test_back_shows_what_it_should_and_does_not_open_again_what_was_closed(visit):
    player = visit(address="rhombus/2025-09-25")
    page, puzzle = player.page, player.find("#puzzle")
    for close in (
        lambda: player.click("close"),
        lambda: player.press("Escape"),
        lambda: page.mouse.click(3, 3),  # beside it
    ):
        player.click("after")
        expect(page).to_have_title("Friday, 26 September 2025 · Praxis Rhombus · satcal")
        player.click("to-more", "to-solutions")  # a sheet over a sheet
        expect(player.find("#show-me")).to_be_visible()
        close()
        player.wait_for_table()
        expect(page).to_have_url(re.compile("#rhombus/2025-09-26$"))
        page.go_back()
        expect(page).to_have_title("Thursday, 25 September 2025 · Praxis Rhombus · satcal")
        player.wait_for_table()
    player.expect_tilings(4)
    puzzle.select_option(PUZZLE.name)
    expect(page).to_have_title("Thursday, 25 September 2025 · A-Puzzle-A-Day · satcal")
    player.click("to-more")
    expect(page.locator("#sheet-title")).to_be_focused()
    page.go_back()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#to-more")).to_be_focused()
    expect(puzzle).to_have_value(PUZZLE.name)
    page.go_back()
    expect(puzzle).to_have_value("rhombus")


def test_today_is_the_players_own_date_and_a_date_may_have_slashes(windows, site):
    page = windows.open(private=True, timezone_id="Pacific/Auckland")
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


def test_a_date_is_typed_and_a_select_is_walked_without_going_anywhere(visit):
    player = visit()
    date, puzzle = player.find("#date"), player.find("#puzzle")
    player.click("pick")
    expect(date).to_be_focused()
    for digit in "1010202":  # the same in every country
        player.page.keyboard.type(digit)
        expect(player.page).to_have_url(re.compile(f"#{HERE}$"))
    player.page.keyboard.type("4")
    player.press("Enter")
    expect(player.page).to_have_url(re.compile(f"#{PUZZLE.name}/2024-10-10$"))
    expect(player.find("#title")).to_have_text("Thursday, 10 October 2024")  # it is open
    expect(date).to_be_hidden()
    expect(player.find("#pick")).to_be_focused()
    puzzle.focus()
    player.press("ArrowDown")
    expect(puzzle).to_have_value("rhombus")
    expect(player.page).to_have_url(re.compile(f"#{PUZZLE.name}/2024-10-10$"))
    player.press("Tab")
    expect(player.page).to_have_url(re.compile("#rhombus/2024-10-10$"))


def test_an_address_that_means_nothing_says_so_and_is_not_printed(windows, site):
    page = windows.open()
    page.goto(f"{site}#{HERE}")
    below = page.locator("#paper > p").last
    expect(below).to_have_text(re.compile(f"/#{HERE}$"))
    for address, words in (
        ("nope", "There is no puzzle “nope” here."),
        ("rhombus/3/4", "cannot leave 3/4 uncovered"),
        ("%E0%A4%A", "There is nothing at this address."),
    ):
        page.goto(f"{site}#{address}")
        expect(page.locator("#sorry-text")).to_contain_text(words)
        expect(page).to_have_title(re.compile("does not work"))
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(below).not_to_contain_text(address)
        page.get_by_role("link", name="To today's puzzle").click()
        expect(page.locator("#puzzle")).to_have_value(PUZZLE.name)


def test_a_link_is_short_and_leaves_ones_own_game_alone_in_every_tab(visit, site):
    friend = visit()
    friend.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    friend.solve()
    friend.find("#to-share").click()
    friend.click("share-link")
    expect(friend.find("#shared")).to_have_text("Copied.")
    link = friend.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{site}#{HERE}/[\w-]{{16}}", link)
    address = link.partition("#")[2]
    player = visit(address=address)  # nothing is kept there
    player.expect_solved()
    expect(player.page).to_have_url(f"{site}#{HERE}")  # what follows is one's own game
    player.click("undo")
    player.expect_placed(0)
    player.place(SOLUTION[0])
    player.expect_tilings(LEFT[0])
    tab = Player(player.page.context.new_page(), site)
    tab.open(address)
    for each in (player, tab):
        expect(each.find("#notice")).to_contain_text("Your own game is saved")
        each.expect_placed(8)
    tab.page.reload()
    tab.page.get_by_role("button", name="Back to mine").click()
    for each in (tab, player):
        expect(each.find("#notice")).to_be_hidden()
        each.expect_tilings(LEFT[0])


# -- what it says


def test_messages_are_for_people(visit):
    player, placement = visit((320, 568)), SOLUTION[0]
    message, spoken = player.find("#message"), player.find("#live")
    rule = "Cover every cell but Oct and 6."
    expect(player.find(".chip[aria-current]")).to_have_text("Easy")
    expect(player.find("#count")).to_have_text("7 solutions")
    expect(message).to_have_text(rule)
    before = player.unit
    player.page.mouse.click(*player.on_piece(placement))
    for turned in ("r", "f", "ArrowDown"):
        player.press(turned)
        expect(spoken).to_contain_text(player.piece(placement).get_attribute("aria-label"))
        expect(message).to_have_text(rule)  # who sees the board sees it
    player.press("Escape")
    player.place(placement)
    expect(spoken).to_contain_text(f"left. {covers(placement)}")
    expect(message).to_be_empty()
    cells = covers(placement).removeprefix(placement.piece).removesuffix(".")
    name = re.compile(rf"^{placement.piece}, \d by \d.*;{cells}")
    expect(player.piece(placement)).to_have_attribute("aria-label", name)
    expect(player.find("#count")).to_have_text(re.compile(r"^\d of 7 solutions left$"))
    assert not re.search(r"\br\d+c\d+\b", player.find("body").inner_html())
    message.evaluate("each => { each.textContent = 'many words '.repeat(6); }")
    player.wait_for_frames()
    assert player.unit == before  # the board stays as it is, whatever the message


def test_three_boards_a_day_have_its_ratings_and_a_tick_once_solved(visit):
    player = visit(PHONE)
    chips, puzzle = player.find("#three .chip"), player.find("#puzzle")
    expect(chips).to_have_text(["Easy", "Hard"])  # no board of this edition is fair on that day
    before = player.unit
    player.finish()
    expect(chips.first).to_have_accessible_name("Easy: A-Puzzle-A-Day, Solved")
    chips.nth(1).click()
    expect(puzzle).not_to_have_value(PUZZLE.name)
    expect(chips.nth(1)).to_have_attribute("aria-current", "true")
    expect(chips.nth(1)).to_be_focused()
    chips.first.click()
    expect(puzzle).to_have_value(PUZZLE.name)
    player.expect_solved()
    player.click("after")
    expect(chips).to_have_text(["Fair", "Hard"])
    assert player.unit == before
    puzzle.select_option("pentomino-3x20")
    expect(player.find("#three")).to_be_hidden()


def test_no_count_stands_under_another_title(visit):
    player = visit(address="rhombus/2025-09-25", private=True)
    count = player.find("#count")
    expect(count).to_have_text("4 solutions")
    player.page.evaluate("""() => {
      globalThis.seen = new Set();
      const look = () => {
        const [title, count] = ["title", "count"].map(id => document.getElementById(id));
        globalThis.seen.add(`${title.textContent}: ${count.textContent}`);
      };
      new MutationObserver(look).observe(document.querySelector(".head"),
        {subtree: true, childList: true, characterData: true});
    }""")
    held: list[Route] = []  # the worker waits for what it counts with
    player.page.route("**/data/*.bin", lambda route, _: held.append(route))
    player.page.goto(player.page.url.replace("rhombus/2025-09-25", "pentomino-3x20"))
    expect(player.find("#title")).to_have_text("Twelve pentominoes on 3 by 20")
    expect(count).to_have_text("Counting…")
    until(lambda: player.page.title() and held)
    held[0].continue_()
    expect(count).to_have_text("8 solutions")
    seen = [each for each in player.page.evaluate("[...seen]") if each.startswith("Twelve")]
    assert {each.partition(": ")[2] for each in seen} <= {"", "Counting…", "8 solutions"}


def test_pieces_do_not_fly_in_and_one_that_returns_stays_above_the_others(visit):
    player = visit(reduced_motion="no-preference", private=True)
    player.page.evaluate("""() => {
      globalThis.flown = 0;
      addEventListener("transitionrun", ({ propertyName }) => {
        globalThis.flown += propertyName === "transform";
      }, true);
    }""")
    player.find("#puzzle").select_option("rhombus")
    expect(player.page).to_have_title(re.compile("Rhombus"))
    player.wait_until_counted()
    expect(player.find("#table.ready")).to_be_visible()
    player.wait_for_frames()
    assert player.page.evaluate("flown") == 0
    moving = player.style(".piece", "transitionProperty")
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
    player, wrong = Player(windows.open(), site, know="nothing"), wrong_placement()
    count, message, spoken = (player.find(f"#{each}") for each in ("count", "message", "live"))
    tool = player.find("#check-now")
    player.open()
    expect(count).to_have_text("0 of 8 pieces")
    player.click("check-now")
    expect(message).to_have_text("Still possible.")
    player.place(wrong)
    expect(count).to_have_text("1 of 8 pieces")
    expect(count).not_to_have_class(re.compile("bad"))
    expect(spoken).to_contain_text(f"{wrong.piece} covers ")
    player.click("check-now")
    expect(message).to_have_text("Something must come off.")
    for choice, before, blame in (
        ("exact", "7 solutions", "After that, 7 solutions are left."),
        ("solvable", "It can still be solved", f"{wrong.piece} covers "),
    ):
        player.click("to-more", "start-again")
        player.click("to-more")
        player.find("#know").select_option(choice)
        player.click("close")
        expect(count).to_have_text(before)
        expect(tool).to_be_hidden()
        player.place(wrong)
        expect(count).to_have_text(re.compile("^No solution left: take back the [a-z ]+ one$"))
        expect(spoken).to_contain_text(blame)
    player.page.reload()
    expect(count).to_contain_text("No solution left")
    player.click("undo")
    player.finish()
    expect(player.find("#facts")).to_contain_text("2 hints")


def test_hints_name_what_is_in_the_way_or_a_cell_then_a_piece_then_its_place(visit):
    player = visit()
    message, blamed = player.find("#message"), player.find(".piece.blamed")
    wrong = wrong_placement()
    player.place(wrong)
    expect(blamed.locator(".name")).to_be_visible()  # the count names it
    player.click("hint")
    expect(message).to_contain_text("one is in the way.")
    expect(player.find("#live")).to_contain_text(f"one ({wrong.piece}) is in the way.")
    expect(blamed).to_have_count(1)
    player.click("take-back")
    player.expect_placed(0)
    player.click("hint")
    expect(message).to_contain_text(re.compile(r"^Start at [\w ,]+\.$"))
    expect(player.find(".hinted")).to_have_count(1)
    expect(player.find(".piece.tight")).to_have_count(0)
    player.click("hint")
    expect(message).to_have_text(re.compile(r"^The [a-z ]+ one can cover "))
    expect(player.find(".piece.tight")).to_have_count(1)
    player.click("hint")
    expect(message).to_contain_text("Hint puts it there")
    player.expect_placed(0)
    player.click("hint")  # never a whole solution
    player.expect_placed(1)
    expect(player.find("#count")).to_have_text(re.compile(r"^[1-7] of 7 solutions left$"))


def test_on_the_first_visit_three_steps_wait_until_they_are_done(windows, site):
    player = Player(windows.open(DESKTOP), site, know="nothing", seen="")
    player.open()
    message, first = player.find("#message"), SOLUTION[0]
    expect(message).to_contain_text("drag a piece")
    player.page.mouse.click(*player.on_piece(SOLUTION[2]))
    expect(message).to_contain_text("drag a piece")  # that was not what was asked
    player.press("Escape")
    player.turn(first)
    player.drag(first)
    expect(message).to_contain_text("tap it again")
    player.page.mouse.click(*player.on_piece(SOLUTION[2]))
    expect(message).to_contain_text("tap it again")
    player.page.mouse.click(*player.on_piece(SOLUTION[2]))
    expect(message).to_contain_text("Flip")
    player.click("flip")
    expect(message).to_have_text("Cover every cell but Oct and 6.")
    player.page.reload()
    expect(player.find("#status[data-tilings]")).to_be_visible()
    expect(message).not_to_contain_text("drag a piece")


# -- the other views


def test_solutions_are_shown_when_asked_for_paged_through_and_laid_when_they_come(visit):
    player, seen = visit(), set()
    rank, of = player.find("#rank"), player.find("#of")
    for view in ("more", "solutions"):
        player.click(f"to-{view}")
        expect(player.find(f"#sheet[data-view={view}] #sheet-body > *").first).to_be_visible()
        expect(player.find("#sheet .laid")).to_have_count(0)
    player.click("show-me")
    expect(player.find("#shown .laid .name")).to_have_count(8)
    for number in range(1, 4):
        if number > 1:
            player.click("next")
        expect(of).to_have_text(f"Solution {number} of 7")
        seen.add(player.find("#shown").get_attribute("aria-label").partition(": ")[2])
    assert len(seen) == 3
    rank.fill("99")
    player.press("Tab")
    expect(rank).to_have_value("7")
    player.page.reload()
    player.find("#show-me").wait_for()
    player.page.evaluate("for (const id of ['show-me', 'lay']) document.getElementById(id).click()")
    player.expect_solved()


def test_the_year_leads_to_another_date_and_says_how_rich_it_is(visit):
    player = visit()
    player.click("to-year")
    expect(player.find("#months a")).to_have_count(365)
    expect(player.find("#legend")).to_contain_text("24,341 in the year")
    heights = "all => new Set(all.map(each => each.offsetHeight)).size"
    wait_for_value(lambda: player.find("#months table").evaluate_all(heights), 1)
    player.click("year-after")
    expect(player.find("#sheet-title")).to_have_text("The year 2026")
    player.click("year-before")
    expect(player.find("#sheet-title")).to_have_text("The year 2025")
    player.page.get_by_role("link", name="23 October: 87 solutions").click()
    expect(player.find("#title")).to_have_text("Thursday, 23 October 2025")
    player.expect_tilings(87)
    expect(player.find("#message")).to_contain_text("87 solutions; 284 of 365 days have fewer.")
    expect(player.find("#message")).to_contain_text("· Fair")


def test_games_are_saved_as_a_file_and_loaded(visit, tmp_path):
    player, file, broken = visit(), tmp_path / "games.json", tmp_path / "broken.json"
    player.resume(*SOLUTION[:2])
    player.click("to-more")
    with player.page.expect_download() as download:
        player.click("save")
    download.value.save_as(file)
    broken.write_text('{"kept": {"<b>": "1"}}')
    other = visit()  # nothing is kept there
    other.click("to-more")
    other.find("#load").set_input_files(broken)
    expect(other.find("#taken")).to_have_text("This is not a file of saved games.")
    other.find("#load").set_input_files(file)
    other.expect_placed(2)
