"""A board of one's own: drawn, counted, played, and opened from its link and its file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from command import Answer
from helpers.browser import Windows
from helpers.player import DESKTOP, PHONE, set_preferences
from helpers.waiting import until
from oracle import ONE_FACE, TINY, Piece, Small, truth

HOLES = ((1, 1), (1, 8), (6, 1))
LABELS = ("Jan", "Feb", "Mar", "1", "2", "3", "4")
WIDE = Small(
    (("A", "A", "*", "*"), ("B", "B", "*", "*"), ("*", "*", "*", ".")),
    (Piece("L4", ("###", "#..")), Piece("V", ("##", "#.")), Piece("D", ("##",))),
    (("letter", ("A", "B")),),
)
"""Labels on two cells."""


def open_editor(page: Page, site: str) -> None:
    set_preferences(page, site)
    page.goto(f"{site}#make/a-puzzle-a-day")
    expect(page.locator("#make-grid button").first).to_be_visible()


def paste(page: Page, text: str) -> None:
    page.get_by_label("Paste a puzzle file").fill(text)
    page.get_by_role("button", name="Use this text").click()


def read_counts(page: Page) -> list[int]:
    """Return the numbers of all reveals, by the page."""
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.locator("#make-counted[data-counts]")).to_be_visible()
    return [*map(int, page.locator("#make-counted").get_attribute("data-counts").split(","))]


def export(page: Page, path: Path) -> Path:
    """Save the board as a file."""
    page.locator(".make-files:not([open]) summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(path)
    return path


def draw_board(page: Page, site: str, press: Callable[[Locator], None]) -> None:
    """Draw a board with holes, label it, and choose its pieces."""
    open_editor(page, site)
    page.get_by_label("Start from").select_option(label="Empty board")
    for row, column in HOLES:
        press(page.get_by_role("button", name=f"row {row}, column {column}", exact=True))
    press(page.get_by_role("button", name="Labels", exact=True))
    press(page.get_by_role("textbox", name="row 1, column 2", exact=True))
    for label in LABELS:
        page.keyboard.type(label)
        page.keyboard.press("Enter")
    area = page.locator("#make-area")
    expect(area).to_have_text("43 cells are missing. Add 8 pieces of 5 and 1 piece of 3.")
    for name in "LNPUVWYZ":
        press(page.get_by_role("button", name=f"Piece {name}: add", exact=True))
    press(page.get_by_role("button", name="Pieces of 3 squares"))
    press(page.get_by_role("button", name="Piece V3: add", exact=True))
    expect(area).to_have_text("43 of 43 cells. The pieces fit the board.")


def test_mouse_and_touch_draw_one_board_and_page_and_command_line_count_it(
    windows: Windows, site: str, tmp_path: Path, run: Callable[..., Answer]
) -> None:
    page = windows.open(DESKTOP)
    draw_board(page, site, Locator.click)
    file = export(page, tmp_path / "mouse.toml")
    page = windows.open(PHONE, has_touch=True)
    draw_board(page, site, Locator.tap)
    assert export(page, tmp_path / "touch.toml").read_bytes() == file.read_bytes()
    counts = read_counts(page)
    assert sum(counts) > 0
    rows = run(f"count {file} --all-reveals --format csv").rows
    assert counts == [int(row["tilings"]) for row in rows]
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page).to_have_url(re.compile("#own-[0-9a-f]{16}$"))
    expect(page.locator(".piece")).to_have_count(9)


def test_odd_puzzles_are_pasted_and_counted(windows: Windows, site: str) -> None:
    page = windows.open(DESKTOP)
    open_editor(page, site)
    page.locator(".make-files summary").click()
    for small in (TINY, ONE_FACE, WIDE):  # copies, one face, a label on two cells
        paste(page, small.text)
        expect(page.locator("#make-area")).to_contain_text("The pieces fit the board.")
        assert read_counts(page) == list(truth(small).values())
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="Print").click()
    expect(page.locator("#paper")).to_contain_text("Print at 100 %: a cell is 24 mm wide.")
    millimetres = "each => 1860 / each.viewBox.baseVal.width"  # of a cell of ten units
    assert page.locator(".sheet-of-paper").evaluate(millimetres) == pytest.approx(24)
    paste(page, TINY.text.replace("copies = 2", "copies = 0"))
    fault = page.locator("#make-file-status")
    expect(fault).to_contain_text("piece V: Copies are a whole number from 1 to 1,024.")
    expect(fault).to_contain_text("Line ")


def test_a_strangers_link_opens_without_a_network_and_its_title_is_text(
    windows: Windows, site: str
) -> None:
    page = windows.open(DESKTOP, private=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_editor(page, site)
    page.locator(".make-files summary").click()
    paste(page, WIDE.text)
    page.get_by_label("Title of the board").fill("<b>Mine</b>")
    expect(page.locator("#make-area")).to_contain_text("The pieces fit the board.")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator("#make-said")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert len(link) < len(site) + 150
    other = windows.open(private=True, service_workers="allow")
    set_preferences(other, site)
    other.goto(f"{site}#a-puzzle-a-day")
    kept = "name => caches.match(new URL(name, location)).then(Boolean)"
    needed = ("whole.js", "own-boards.js", "drawing.json", "sentences-en-make.json")
    needed += ("data/puzzles.json", "data/a-puzzle-a-day.json")
    until(lambda: all(other.evaluate(kept, name) for name in needed))
    other.context.set_offline(True)
    other.goto(link)
    expect(other.locator("#puzzle option:checked")).to_have_text("<b>Mine</b>")
    tilings = str(truth(WIDE)["A",])
    expect(other.locator("#status")).to_have_attribute("data-tilings", tilings)
    expect(other.locator("#puzzle b")).to_have_count(0)
    assert "#own-" in other.url
    other.goto(f"{site}#own=AAAA")
    expect(other.locator("#sorry-text")).to_contain_text("cannot be opened")
