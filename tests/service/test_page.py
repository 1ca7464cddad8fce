"""A person in a real browser solves today's rhombus, by mouse, by keyboard and by touch."""

from __future__ import annotations

import re
import subprocess
import sys

from playwright.sync_api import Locator, Page, expect

import satcal

PUZZLE = satcal.load("rhombus")
TODAY = PUZZLE.reveal("2025-09-25")
ALL = list(satcal.tilings(PUZZLE, TODAY))
SOLUTION = ALL[0]
LEFT = [sum(set(SOLUTION[:n]) <= set(tiling) for tiling in ALL) for n in range(1, 11)]
"""How many tilings remain after each piece of the solution, counted without the service."""


def corner(cells) -> tuple[int, int]:
    return min(row for row, _ in cells), min(column for _, column in cells)


def normal(cells):
    top, left = corner(cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def orient(page: Page, placement) -> None:
    """Turn the piece in the hand until it lies as in a placement."""
    shape = next(p for p in PUZZLE.pieces if p.name == placement.piece).orientations[0]
    for key in "rrrfrrrf":
        if shape == normal(placement.cells):
            return
        page.keyboard.press(key)
        shape = normal([(c, -r) if key == "r" else (r, -c) for r, c in shape])
    raise AssertionError(f"{placement} has no such orientation")


def tray(page: Page, placement) -> Locator:
    return page.locator(f'#tray button[data-piece="{placement.piece}"]')


def grip(cells) -> tuple[int, int]:
    """The cell nearest to the middle, by which the page holds a piece."""
    row, column = (sum(c[i] for c in cells) / len(cells) for i in (0, 1))
    return min(cells, key=lambda cell: (cell[0] - row) ** 2 + (cell[1] - column) ** 2)


def unit(page: Page) -> float:
    """How wide a cell is on the screen."""
    return page.locator("#board").bounding_box()["width"] / (PUZZLE.columns * 10 + 2) * 10


def point(page: Page, placement) -> tuple[float, float]:
    """Where a placement is held on the screen."""
    box, (row, column) = page.locator("#board").bounding_box(), grip(placement.cells)
    return box["x"] + unit(page) * (column + 0.6), box["y"] + unit(page) * (row + 0.6)


def remaining(page: Page, count: int) -> None:
    expect(page.locator("#remaining")).to_have_attribute("data-tilings", str(count))


def solved(page: Page) -> None:
    expect(page.locator("#remaining")).to_contain_text("Solved!")


def test_with_the_mouse_each_piece_that_is_dragged_lowers_the_exact_count(desktop: Page) -> None:
    desktop.goto("/")
    expect(desktop.locator("h1")).to_have_text("Thursday, 25 September 2025")
    remaining(desktop, 4)
    for placement, left in zip(SOLUTION, LEFT, strict=True):
        tray(desktop, placement).click()
        orient(desktop, placement)
        desktop.keyboard.press("Escape")  # it keeps its orientation in the tray
        tray(desktop, placement).hover()
        desktop.mouse.down()
        desktop.mouse.move(*point(desktop, placement), steps=4)
        desktop.mouse.up()
        remaining(desktop, left)
    solved(desktop)


def test_by_keyboard_alone_the_puzzle_is_solved(desktop: Page) -> None:
    desktop.goto("/")
    for placement, left in zip(SOLUTION, LEFT, strict=True):
        tray(desktop, placement).focus()
        desktop.keyboard.press("Enter")
        orient(desktop, placement)
        walk(desktop, placement)
        desktop.keyboard.press("Enter")
        remaining(desktop, left)
    solved(desktop)
    desktop.locator("#board .piece").first.focus()
    desktop.keyboard.press("Delete")
    remaining(desktop, 1)
    expect(desktop.locator("#remaining")).to_contain_text("1 tiling remains")


def walk(page: Page, placement) -> None:
    """Press arrows until the piece in the hand hovers where it belongs."""
    row, column = corner(placement.cells)
    for _ in range(40):
        said = page.locator("#said").inner_text()
        here = corner([tuple(map(int, cell)) for cell in re.findall(r"r(\d+)c(\d+)", said)])
        if here == (row, column):
            return
        if here[0] != row:
            page.keyboard.press("ArrowDown" if here[0] < row else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if here[1] < column else "ArrowLeft")
    raise AssertionError(said)


def test_by_touch_pieces_are_tapped_onto_the_board_and_dragged_off_it(phone: Page) -> None:
    phone.goto("/")
    remaining(phone, 4)
    for placement, left in zip(SOLUTION, LEFT, strict=True):
        tray(phone, placement).tap()
        orient(phone, placement)
        phone.locator("#board").scroll_into_view_if_needed()
        phone.touchscreen.tap(*point(phone, placement))
        remaining(phone, left)
    solved(phone)
    phone.locator("#board").scroll_into_view_if_needed()
    swipe(phone, point(phone, SOLUTION[0]), (20, 20))
    expect(phone.locator("#board .piece")).to_have_count(len(SOLUTION) - 1)
    remaining(phone, 1)


def test_by_touch_a_piece_is_dragged_onto_the_board_above_the_finger(phone: Page) -> None:
    phone.goto("/")
    tray(phone, SOLUTION[0]).tap()
    orient(phone, SOLUTION[0])
    phone.locator("#back").tap()
    phone.evaluate("document.getElementById('board').scrollIntoView()")
    box = tray(phone, SOLUTION[0]).bounding_box()
    x, y = point(phone, SOLUTION[0])
    start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    swipe(phone, start, (x, y + 1.2 * unit(phone)))
    remaining(phone, LEFT[0])


def swipe(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag one finger; Playwright itself can only tap."""
    session = page.context.new_cdp_session(page)
    for part in range(9):
        x, y = (a + (b - a) * part / 8 for a, b in zip(start, end, strict=True))
        kind = "touchMove" if part else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_hint_gets_better_until_it_is_the_solution(desktop: Page) -> None:
    desktop.goto("/")
    remaining(desktop, 4)
    hint, said = desktop.locator("#hint"), desktop.locator("#said")
    hint.click()
    expect(said).to_contain_text("has the fewest places left")
    expect(desktop.locator("#tray .tight")).to_have_count(1)
    expect(hint).to_have_text("A better hint")
    hint.click()
    expect(said).to_contain_text("can go where the dashed line is")
    expect(desktop.locator("#board .hinted")).to_be_visible()
    hint.click()
    solved(desktop)
    expect(hint).to_be_disabled()


def test_where_no_tiling_remains_the_hint_names_the_piece_to_take_back(desktop: Page) -> None:
    covered = {cell for placement in SOLUTION for cell in placement.cells}
    others = satcal.tilings(PUZZLE, PUZZLE.reveal("2025-10-23"))
    bad = next(
        placement
        for tiling in others
        for placement in tiling
        if covered >= set(placement.cells) and not any(placement in each for each in ALL)
    )
    desktop.goto(f"/puzzles/rhombus?date=2025-09-25&place={bad}")
    remaining(desktop, 0)
    expect(desktop.locator("#remaining")).to_contain_text("no tiling remains")
    desktop.locator("#hint").click()
    expect(desktop.locator("#said")).to_have_text(f"Take back {bad.piece}: then 4 tilings remain.")


def test_a_link_holds_puzzle_date_and_placed_pieces(desktop: Page) -> None:
    desktop.goto(f"/puzzles/rhombus?date=2025-09-25&place={SOLUTION[0]}")
    expect(desktop.locator("#board .piece")).to_have_count(1)
    desktop.locator("#board .piece").click()
    desktop.keyboard.press("Escape")
    expect(desktop).to_have_url(re.compile(r"/puzzles/rhombus\?date=2025-09-25$"))
    for _ in range(3):
        desktop.locator("#hint").click()
    expect(desktop).to_have_url(re.compile(r"(&place=[A-Z][0-9]?:r[\dc,r]+){10}$"))
    desktop.goto(desktop.url)
    solved(desktop)


def test_all_tilings_are_paged_through_and_put_on_the_board(desktop: Page) -> None:
    desktop.goto("/")
    desktop.locator("#gallery > summary").click()
    expect(desktop.locator("#of")).to_have_text("of 4")
    expect(desktop.locator("#before")).to_be_disabled()
    seen = set()
    for number in range(1, 5):
        expect(desktop.locator("#rank")).to_have_value(str(number))
        seen.add(desktop.locator("#shown").get_attribute("aria-label").partition(": ")[2])
        if number < 4:
            desktop.locator("#after").click()
            expect(desktop.locator("#rank")).to_have_value(str(number + 1))
    assert seen == {" ".join(map(str, tiling)) for tiling in ALL}
    expect(desktop.locator("#after")).to_be_disabled()
    desktop.locator("#take").click()
    solved(desktop)


def test_the_year_leads_to_another_date_and_the_arrows_to_the_next_day(desktop: Page) -> None:
    desktop.goto("/")
    expect(desktop.locator("#months a")).to_have_count(365)
    day = desktop.get_by_role("link", name="23 October: 201 tilings")
    day.click()
    expect(desktop.locator("h1")).to_have_text("Thursday, 23 October 2025")
    remaining(desktop, 201)
    expect(desktop.locator("#months a[aria-current]")).to_have_text("23")
    desktop.get_by_role("link", name="Next day").click()
    expect(desktop.locator("h1")).to_have_text("Friday, 24 October 2025")
    desktop.locator("#year-after").click()
    expect(desktop.locator("#year-name")).to_have_text("2026")


def test_prove_it_ends_in_a_certificate_that_satcal_check_accepts(desktop: Page, tmp_path) -> None:
    desktop.goto("/")
    desktop.locator("#certify").click()
    expect(desktop.locator("#proof")).to_contain_text(
        "4 tilings and no other: the proof was replayed by", timeout=120_000
    )
    with desktop.expect_download() as download:
        desktop.locator("#satcert").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "rhombus-Thu-Sep-25.satcert"
    said = subprocess.run(
        [sys.executable, "-m", "satcal", "check", str(file)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert "Thu Sep 25: exactly 4 tilings" in said.stdout


def test_the_puzzle_last_used_comes_back(desktop: Page) -> None:
    desktop.goto("/puzzles/a-puzzle-a-day")
    expect(desktop.locator("#remaining")).to_contain_text("tilings")
    desktop.goto("/")
    expect(desktop.locator("#puzzle")).to_have_value("a-puzzle-a-day")


def test_ones_own_board_is_clicked_labelled_drawn_and_counted(desktop: Page) -> None:
    desktop.goto("/make")
    desktop.locator("#count").click()
    expect(desktop.locator("#said")).to_have_text(re.compile(r"^\d+ tilings of 4 reveals\.$"))
    desktop.get_by_label("Row 2, column 3: a cell").click()
    desktop.locator("#count").click()
    expect(desktop.locator("#said")).to_contain_text("the area does not add up")
    desktop.get_by_label("Row 2, column 3: no cell").click()
    desktop.get_by_label("type labels").check()
    desktop.get_by_label("Row 0, column 3").fill("<b>")
    desktop.locator("#count").click()
    expect(desktop.locator("#result td", has_text="<b>")).to_be_visible()
    desktop.get_by_role("link", name="Solve it").click()
    expect(desktop.locator("h1")).to_have_text("A")
    expect(desktop.locator("#board text", has_text="<b>")).to_be_visible()
    assert desktop.locator("#board b").count() == 0
    desktop.locator("#hint").click()
    expect(desktop.locator("#said")).to_contain_text("has the fewest places left")
