"""A person in a real browser solves today's rhombus, by mouse, by keyboard and by touch."""

from __future__ import annotations

import re
import subprocess
import sys

from playwright.sync_api import Browser, Page, expect

import satcal

PUZZLE = satcal.load("rhombus")
SOLUTION = next(iter(satcal.tilings(PUZZLE, PUZZLE.reveal("2025-09-25"))))


def orient(page: Page, piece: str, cells) -> None:
    """Turn the piece in the hand until it lies as these cells do."""
    wanted = tuple((r - min(r for r, _ in cells), c - min(c for _, c in cells)) for r, c in cells)
    shape = next(p for p in PUZZLE.pieces if p.name == piece).orientations[0]
    for _ in range(2):
        for _ in range(4):
            if shape == wanted:
                return
            page.keyboard.press("r")
            shape = normal([(c, -r) for r, c in shape])
        page.keyboard.press("f")
        shape = normal([(r, -c) for r, c in shape])
    raise AssertionError(f"{piece} has no such orientation")


def normal(cells):
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - top, c - left) for r, c in cells))


def grip(cells) -> tuple[int, int]:
    """The cell nearest to the middle, by which the page holds a piece."""
    row, column = (sum(c[i] for c in cells) / len(cells) for i in (0, 1))
    return min(cells, key=lambda cell: (cell[0] - row) ** 2 + (cell[1] - column) ** 2)


def point(page: Page, cell) -> tuple[float, float]:
    """Where a cell of the board is on the screen."""
    box = page.locator("#board").bounding_box()
    unit = box["width"] / (PUZZLE.columns * 10 + 2) * 10
    return box["x"] + unit * (cell[1] + 0.6), box["y"] + unit * (cell[0] + 0.6)


def remaining(page: Page, count: int) -> None:
    expect(page.locator("#remaining")).to_have_attribute("data-tilings", str(count))


def counts() -> list[int]:
    """How many tilings remain after each piece of the solution, counted without the service."""
    reveal = PUZZLE.reveal("2025-09-25")
    every = list(satcal.tilings(PUZZLE, reveal))
    return [
        sum(set(SOLUTION[:number]) <= set(tiling) for tiling in every)
        for number in range(len(SOLUTION) + 1)
    ]


def test_with_the_mouse_each_piece_that_is_dragged_lowers_the_exact_count(desktop: Page) -> None:
    desktop.goto("/")
    expect(desktop.locator("h1")).to_have_text("Thursday, 25 September 2025")
    remaining(desktop, 4)
    for placement, left in zip(SOLUTION, counts()[1:], strict=True):
        tray = desktop.locator(f'#tray button[data-piece="{placement.piece}"]')
        tray.click()
        orient(desktop, placement.piece, placement.cells)
        desktop.keyboard.press("Escape")  # it keeps its orientation in the tray
        tray.hover()
        desktop.mouse.down()
        x, y = point(desktop, grip(placement.cells))
        desktop.mouse.move(x, y, steps=4)
        desktop.mouse.up()
        remaining(desktop, left)
    expect(desktop.locator("#remaining")).to_contain_text("Solved!")


def test_by_keyboard_alone_the_puzzle_is_solved(desktop: Page) -> None:
    desktop.goto("/")
    for placement, left in zip(SOLUTION, counts()[1:], strict=True):
        desktop.locator(f'#tray button[data-piece="{placement.piece}"]').focus()
        desktop.keyboard.press("Enter")
        orient(desktop, placement.piece, placement.cells)
        walk(desktop, placement)
        desktop.keyboard.press("Enter")
        remaining(desktop, left)
    expect(desktop.locator("#remaining")).to_contain_text("Solved!")
    desktop.locator("#board .piece").first.focus()
    desktop.keyboard.press("Delete")
    remaining(desktop, 1)
    expect(desktop.locator("#remaining")).to_contain_text("1 tiling remains")


def walk(page: Page, placement) -> None:
    """Press arrows until the piece in the hand hovers where it belongs."""
    wanted = (min(r for r, _ in placement.cells), min(c for _, c in placement.cells))
    for _ in range(40):
        said = page.locator("#said").inner_text()
        cells = [tuple(map(int, found)) for found in re.findall(r"r(\d+)c(\d+)", said)]
        here = (min(r for r, _ in cells), min(c for _, c in cells))
        if here == wanted:
            return
        if here[0] != wanted[0]:
            page.keyboard.press("ArrowDown" if here[0] < wanted[0] else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if here[1] < wanted[1] else "ArrowLeft")
    raise AssertionError(said)


def test_by_touch_pieces_are_tapped_onto_the_board_and_dragged_off_it(phone: Page) -> None:
    phone.goto("/")
    remaining(phone, 4)
    for placement, left in zip(SOLUTION, counts()[1:], strict=True):
        phone.locator(f'#tray button[data-piece="{placement.piece}"]').tap()
        orient(phone, placement.piece, placement.cells)
        phone.locator("#board").scroll_into_view_if_needed()
        phone.touchscreen.tap(*point(phone, grip(placement.cells)))
        remaining(phone, left)
    expect(phone.locator("#remaining")).to_contain_text("Solved!")
    phone.locator("#board").scroll_into_view_if_needed()
    swipe(phone, point(phone, grip(SOLUTION[0].cells)), (20, 20))
    expect(phone.locator("#board .piece")).to_have_count(len(SOLUTION) - 1)
    remaining(phone, 1)


def test_by_touch_a_piece_is_dragged_onto_the_board_above_the_finger(phone: Page) -> None:
    phone.goto("/")
    piece = SOLUTION[0]
    tray = phone.locator(f'#tray button[data-piece="{piece.piece}"]')
    tray.tap()
    orient(phone, piece.piece, piece.cells)
    phone.locator("#back").tap()
    phone.evaluate("document.getElementById('board').scrollIntoView()")
    box = tray.bounding_box()
    x, y = point(phone, grip(piece.cells))
    unit = phone.locator("#board").bounding_box()["width"] / (PUZZLE.columns * 10 + 2) * 10
    swipe(phone, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), (x, y + 1.2 * unit))
    remaining(phone, counts()[1])


def swipe(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag one finger; Playwright itself can only tap."""
    session = page.context.new_cdp_session(page)
    steps = [
        (start[0] + (end[0] - start[0]) * part / 8, start[1] + (end[1] - start[1]) * part / 8)
        for part in range(9)
    ]
    for number, (x, y) in enumerate(steps):
        kind = "touchMove" if number else "touchStart"
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
    expect(desktop.locator("#remaining")).to_contain_text("Solved!")
    expect(hint).to_be_disabled()


def test_where_no_tiling_remains_the_hint_names_the_piece_to_take_back(desktop: Page) -> None:
    wrong = satcal.tilings(PUZZLE, PUZZLE.reveal("2025-10-23"))
    bad = next(p for t in wrong for p in t if fits_today(p) and not any(p in u for u in ALL))
    desktop.goto(f"/puzzles/rhombus?date=2025-09-25&place={bad}")
    remaining(desktop, 0)
    expect(desktop.locator("#remaining")).to_contain_text("no tiling remains")
    desktop.locator("#hint").click()
    expect(desktop.locator("#said")).to_have_text(f"Take back {bad.piece}: then 4 tilings remain.")


ALL = list(satcal.tilings(PUZZLE, PUZZLE.reveal("2025-09-25")))


def fits_today(placement) -> bool:
    return not PUZZLE.uncovered(PUZZLE.reveal("2025-09-25")) & set(placement.cells)


def test_a_link_holds_puzzle_date_and_placed_pieces(desktop: Page, browser: Browser) -> None:
    desktop.goto(f"/puzzles/rhombus?date=2025-09-25&place={SOLUTION[0]}")
    expect(desktop.locator("#board .piece")).to_have_count(1)
    desktop.locator("#board .piece").click()
    desktop.keyboard.press("Escape")
    expect(desktop).to_have_url(re.compile(r"/puzzles/rhombus\?date=2025-09-25$"))
    desktop.locator("#hint").click()
    desktop.locator("#hint").click()
    desktop.locator("#hint").click()
    expect(desktop).to_have_url(re.compile(r"(&place=[A-Z][0-9]?:r[\dc,r]+){10}$"))
    link = desktop.url
    desktop.goto(link)
    expect(desktop.locator("#remaining")).to_contain_text("Solved!")


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
    expect(desktop.locator("#remaining")).to_contain_text("Solved!")


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
