"""The page: one screen, its addresses, what it says, and its second view."""

from __future__ import annotations

import json
import re

import pytest
from playing import DATE, PUZZLE, SIZES, Player, by_mouse
from playwright.sync_api import expect

import satcal
from satcal.puzzle.loading import library

ALL = list(satcal.tilings(PUZZLE, PUZZLE.reveal(DATE)))
SOLUTION = ALL[0]


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
    board: box(board), pieces: find('.piece').map(box), boxes: all.map(box),
    names: all.map(each => each.id || each.className),
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
        ("320x568", ("a-puzzle-a-day", "weekday", "pentomino-3x20")),
        *(pytest.param(size, library(), marks=pytest.mark.browser) for size in SIZES),
    ],
)
def test_board_tray_tools_and_status_are_on_one_screen_at_one_scale(
    player, site, size, boards
) -> None:
    width, height = SIZES[size]
    me = player(size, is_mobile=width < 1000, has_touch=width < 1000)
    for board in boards:
        puzzle = satcal.load(board)
        me.page.evaluate("delete document.querySelector('#status').dataset.tilings")
        me.puzzle = puzzle
        me.open(site, board if puzzle.calendar.parts is None else f"{board}/{DATE}")
        found = me.page.evaluate(MEASURE)
        assert found["window"] == [width, height], board
        for name, (left, top, right, bottom) in zip(found["names"], found["boxes"], strict=True):
            assert left >= 0 and top >= 0 and right <= width and bottom <= height, (board, name)
        assert found["covered"] == found["cut"] == [], board
        assert len(found["scales"]) == 1, (board, found["scales"])
        assert float(found["scales"][0]) >= 20, board
        boxes = [found["board"], *found["pieces"]]
        for number, one in enumerate(boxes):
            for other in boxes[:number]:
                apart = (
                    one[0] >= other[2] - 2 or one[2] <= other[0] + 2
                    or one[1] >= other[3] - 2 or one[3] <= other[1] + 2
                )  # fmt: skip
                assert apart, (board, one, other)


def test_nothing_jumps_while_the_page_appears(player, site) -> None:
    me = player("390x664")
    me.page.goto("about:blank")
    me.page.add_init_script("""
      globalThis.shift = 0;
      new PerformanceObserver(list => {
        for (const each of list.getEntries()) globalThis.shift += each.value;
      }).observe({type: "layout-shift", buffered: true});""")
    me.open(site, f"rhombus/{DATE}")
    me.page.wait_for_timeout(300)
    assert me.page.evaluate("shift") <= 0.05


def test_the_board_keeps_its_game_when_the_window_is_turned(player, site) -> None:
    me = player("390x664", satcal.load("pentomino-3x20"), "pentomino-3x20")
    assert me.on_its_side
    for _ in range(3):
        me.page.locator("#hint").click()
        me.page.wait_for_timeout(100)
    me.solved()
    me.page.set_viewport_size({"width": 844, "height": 390})
    me.solved()
    expect(me.page.locator("#table > svg").first).to_have_attribute("viewBox", "-1 -1 202 32")
    me.page.locator("#undo").click()
    me.lie(0)


# -- addresses


def test_the_second_view_can_be_the_first_that_is_opened(player, site) -> None:
    me = player()
    me.page.goto("about:blank")
    me.page.goto(f"{site}#more/weekday/{DATE}")
    expect(me.page.locator("#more-title")).to_contain_text("Calendar with weekdays")
    me.page.locator("#to-play").click()
    expect(me.page.locator(".piece").first).to_be_in_viewport()
    me.page.go_back()
    me.page.get_by_role("link", name="Board").click()
    expect(me.page.locator("#table")).to_be_visible()


def test_back_shows_what_it_should(player) -> None:
    me = player()
    page, puzzle = me.page, me.page.locator("#puzzle")
    page.locator("#after").click()
    expect(page.locator("#date")).to_have_value("2025-09-26")
    puzzle.select_option("a-puzzle-a-day")
    expect(page.locator("#title")).to_have_text("A-Puzzle-A-Day, Friday, 26 September 2025")
    page.locator("#to-more").click()
    expect(page.locator("#more-title")).to_be_focused()
    page.go_back()
    expect(page.locator("#to-more")).to_be_focused()
    expect(puzzle).to_have_value("a-puzzle-a-day")
    page.go_back()
    expect(puzzle).to_have_value("rhombus")
    page.go_back()
    expect(page).to_have_title("Thursday, 25 September 2025 · Praxis Rhombus · satcal")
    me.remain(4)


def test_today_is_the_players_own_date(player, site) -> None:
    me = player(timezone_id="Pacific/Auckland")
    me.page.clock.set_fixed_time("2025-12-31T12:30:00Z")  # there it is the next year
    me.page.goto("about:blank")
    me.open(site, "a-puzzle-a-day")
    expect(me.page.locator("#date")).to_have_value("2026-01-01")
    me.page.goto("about:blank")
    me.page.goto(site)  # the puzzle last used, today
    expect(me.page.locator("#title")).to_have_text("A-Puzzle-A-Day, Thursday, 1 January 2026")


def test_a_date_is_typed_and_a_select_is_walked_without_going_anywhere(player) -> None:
    me = player()
    date, puzzle = me.page.locator("#date"), me.page.locator("#puzzle")
    date.focus()
    for digit in "1010202":  # the same in every country
        me.page.keyboard.type(digit)
        expect(me.page).to_have_url(re.compile(f"{DATE}$"))
    me.page.keyboard.type("4")
    me.page.keyboard.press("Enter")
    expect(me.page).to_have_url(re.compile("#rhombus/2024-10-10$"))
    expect(date).to_be_focused()
    puzzle.focus()
    me.page.keyboard.press("ArrowDown")
    me.page.keyboard.press("ArrowDown")
    me.page.wait_for_timeout(100)
    expect(me.page).to_have_url(re.compile("#rhombus/2024-10-10$"))
    me.page.keyboard.press("Tab")
    expect(me.page).to_have_url(re.compile("#sh1ura-11"))


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
def test_an_address_that_means_nothing_says_so(player, site, address, words) -> None:
    me = player()
    me.page.goto(f"{site}#{address}")
    expect(me.page.locator("#sorry-text")).to_contain_text(words)
    me.page.get_by_role("link", name="To today's puzzle").click()
    expect(me.page.locator("#puzzle")).to_have_value("rhombus")


def test_a_link_is_short_and_holds_puzzle_date_and_pieces(player, site) -> None:
    me = player(permissions=["clipboard-read", "clipboard-write"])
    for _ in range(3):
        me.page.locator("#hint").click()
        me.page.wait_for_timeout(100)
    me.solved()
    me.page.locator("#to-more").click()
    me.page.locator("#copy").click()
    expect(me.page.locator("#taken")).to_have_text("The link is copied.")
    link = me.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{site}#rhombus/{DATE}/[\w-]{{20}}", link)
    other = player()
    other.page.goto(link)
    other.solved()
    expect(other.page).to_have_url(f"{site}#rhombus/{DATE}")  # what follows is one's own game
    other.page.locator("#undo").click()
    other.lie(0)
    other.page.goto(f"{site}#rhombus/{DATE}/" + "-_Zz9!" * 9)  # nonsense lays what of it fits
    other.page.wait_for_timeout(200)
    assert other.page.locator(".piece.placed").count() < 10


# -- what it says


def test_what_is_said_is_for_people(player) -> None:
    me = player("390x664")
    said = me.page.locator("#said")
    expect(me.page.locator("#status")).to_have_text(
        "4 tilings. Cover all but Thu, Sep and 25. Drag; tap twice to turn."
    )
    placement = SOLUTION[0]
    lay(me, placement)
    labels = [PUZZLE.label_at[cell].text for cell in sorted(placement.cells)]
    expect(said).to_have_text(
        f"{placement.piece} covers {', '.join(labels[:-1])} and {labels[-1]}."
    )
    expect(me.piece(placement)).to_have_attribute(
        "aria-label", re.compile(f"^Piece {placement.piece}, covers {labels[0]}, ")
    )
    expect(me.page.locator("#count")).to_have_text("1 of 4 tilings remains.")
    everything = me.page.locator("body").inner_html()
    assert not re.search(r"\br\d+c\d+\b", everything)


def lay(me: Player, placement) -> None:
    me.piece(placement).focus()
    for key in me.keys(placement):
        me.page.keyboard.press(key)
    me.page.keyboard.press("Escape")
    me.drag(placement, by_mouse)


def test_nothing_is_spoken_while_a_piece_is_carried(player) -> None:
    me = player()
    me.page.wait_for_timeout(500)
    me.page.evaluate("""() => {
      globalThis.spoken = 0;
      const live = document.querySelector('#live');
      new MutationObserver(() => { globalThis.spoken += 1; }).observe(live, {childList: true});
    }""")
    start = me.grab(SOLUTION[0])
    me.page.mouse.move(*start)
    me.page.mouse.down()
    for step in range(30):
        me.page.mouse.move(start[0] - 20 * step, start[1] + step)
        me.page.wait_for_timeout(20)
    assert me.page.evaluate("spoken") == 0
    me.page.keyboard.press("Escape")
    me.page.mouse.up()
    me.lie(0)


def wrong_placement():
    """Return a placement that is in no tiling of the date, though it would fit."""
    covered = {cell for placement in SOLUTION for cell in placement.cells}
    others = satcal.tilings(PUZZLE, PUZZLE.reveal("2025-10-23"))
    return next(
        placement
        for tiling in others
        for placement in tiling
        if covered >= set(placement.cells) and not any(placement in each for each in ALL)
    )


def test_how_much_to_know_is_the_players_choice(player) -> None:
    me, wrong = player(), wrong_placement()
    for choice, before, words, blame in (
        (
            "exact",
            "4 tilings.",
            "No tiling remains.",
            f"Take back {wrong.piece}, then 4 tilings remain.",
        ),
        ("solvable", "It can still be solved.", "No tiling remains.", f"Take back {wrong.piece}."),
        ("nothing", "0 of 10 pieces lie.", "1 of 10 pieces lie.", f"{wrong.piece} covers "),
    ):
        me.page.locator("#to-more").click()
        me.page.locator("#know").select_option(choice)
        me.page.locator("#to-play").click()
        expect(me.page.locator("#count")).to_have_text(before)
        lay(me, wrong)
        expect(me.page.locator("#count")).to_have_text(words)
        expect(me.page.locator("#said")).to_contain_text(blame)
        me.page.locator("#clear").click()
    me.page.reload()
    expect(me.page.locator("#count")).to_have_text("0 of 10 pieces lie.")


def test_a_hint_gets_better_until_it_is_the_solution(player) -> None:
    me = player()
    hint, said = me.page.locator("#hint"), me.page.locator("#said")
    hint.click()
    expect(said).to_contain_text("has the fewest places left")
    expect(me.page.locator(".piece.tight")).to_have_count(1)
    hint.click()
    expect(said).to_contain_text("can cover")
    expect(me.page.locator(".hinted")).to_be_visible()
    hint.click()
    me.solved()
    expect(hint).to_be_focused()
    me.page.locator("#undo").click()
    me.remain(4)


def test_on_the_first_visit_a_piece_shows_how_it_moves(player) -> None:
    me = player(reduced_motion="no-preference")
    moving = """document.querySelector('.piece').getAnimations()
      .some(each => each.effect.getTiming().duration > 2000)"""
    assert me.page.evaluate(moving)
    me.page.mouse.click(*me.grab(SOLUTION[0]))
    assert not me.page.evaluate(moving)
    lay(me, SOLUTION[0])
    me.page.reload()
    me.remain(1)
    assert not me.page.evaluate(moving)


# -- the second view


def test_all_tilings_are_paged_through_and_laid_on_the_board(player) -> None:
    me = player()
    page, seen = me.page, set()
    page.locator("#to-more").click()
    expect(page.locator("#of")).to_have_text("of 4")
    for number in range(1, 5):
        expect(page.locator("#rank")).to_have_value(str(number))
        seen.add(page.locator("#shown").get_attribute("aria-label").partition(": ")[2])
        if number < 4:
            page.locator("#next").click()
    assert len(seen) == 4
    page.locator("#rank").fill("99")
    page.keyboard.press("Tab")
    expect(page.locator("#rank")).to_have_value("4")
    page.locator("#lay").click()
    me.solved()


def test_the_year_leads_to_another_date(player) -> None:
    me = player()
    me.page.locator("#to-more").click()
    expect(me.page.locator("#months a")).to_have_count(365)
    expect(me.page.locator("#legend")).to_contain_text("213,869 in the year")
    me.page.locator("#year-after").click()
    expect(me.page.locator("#year-name")).to_have_text("2026")
    me.page.locator("#year-before").click()
    me.page.get_by_role("link", name="23 October: 201 tilings").click()
    expect(me.page.locator("#date")).to_have_value("2025-10-23")
    me.remain(201)


def test_games_are_saved_as_a_file_and_loaded(player, tmp_path) -> None:
    me = player()
    lay(me, SOLUTION[0])
    me.remain(1)
    me.page.locator("#to-more").click()
    with me.page.expect_download() as download:
        me.page.locator("#save").click()
    file = tmp_path / "games.json"
    download.value.save_as(file)
    assert list(json.loads(file.read_text())["games"]) == [f"rhombus/{DATE}"]
    other = player()
    other.page.locator("#to-more").click()
    other.page.locator("#load").set_input_files(file)
    expect(other.page.locator("#taken")).to_have_text("1 game loaded.")
    other.page.locator("#to-play").click()
    other.remain(1)
    broken = tmp_path / "broken.json"
    broken.write_text('{"games": {"<b>": 1}}')
    other.page.locator("#to-more").click()
    other.page.locator("#load").set_input_files(broken)
    expect(other.page.locator("#taken")).to_have_text("This is no file of kept games.")
