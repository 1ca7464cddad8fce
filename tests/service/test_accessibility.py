"""What axe finds, at two sizes, light and dark; and that nothing is wider than a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

PLACED = "X:r5c6,r6c5,r6c6,r6c7,r7c6"
PAGES = {
    "solve": f"/puzzles/rhombus?date=2025-10-23&place={PLACED}",
    "no-dates": "/puzzles/pentomino-6x10",
    "make": "/make",
    "docs": "/docs",
    "sorry": "/puzzles/rhombus?date=2025-02-30",
}
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page_name", PAGES)
def test_axe_finds_nothing_serious(server, browser: Browser, page_name, scheme) -> None:
    size = SIZES["phone" if (scheme == "dark") == (page_name != "make") else "desktop"]
    context = browser.new_context(
        base_url=server.url, color_scheme=scheme, reduced_motion="reduce",
        viewport={"width": size[0], "height": size[1]},
    )  # fmt: skip
    page = context.new_page()
    page.goto(PAGES[page_name], wait_until="networkidle")
    page.evaluate(
        "for (const each of [...document.querySelectorAll('details')].slice(0, 8)) each.open = true"
    )
    page.wait_for_load_state("networkidle")
    found = Axe().run(page)
    serious = [
        (each["id"], [node["html"] for node in each["nodes"]][:3])
        for each in found.response["violations"]
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == []
    wide, window = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide == window == size[0]
    context.close()


def test_a_piece_on_the_board_says_what_it_is_and_how_to_take_it(desktop) -> None:
    desktop.goto(PAGES["solve"])
    piece = desktop.locator("#board .piece")
    expect(piece).to_have_attribute("role", "button")
    expect(piece).to_have_attribute(
        "aria-label", "Piece X on r5c6, r6c5, r6c6, r6c7, r7c6; Enter takes it up"
    )


def test_the_button_in_the_header_changes_the_colours_and_they_stay(desktop) -> None:
    desktop.goto("/make")
    for name, scheme in (("light", "light"), ("dark", "dark")):
        desktop.locator("#theme").click()
        expect(desktop.locator("#theme")).to_have_attribute("aria-label", f"Colours: {name}")
        shown = desktop.evaluate("getComputedStyle(document.documentElement).colorScheme")
        assert shown == scheme
    desktop.goto("/docs")
    expect(desktop.locator("html")).to_have_attribute("data-theme", "dark")


def test_on_paper_there_are_the_board_and_the_pieces_and_no_buttons(desktop) -> None:
    desktop.goto(PAGES["solve"])
    desktop.emulate_media(media="print")
    expect(desktop.locator("#board")).to_be_visible()
    expect(desktop.locator("#tray")).to_be_visible()
    for gone in ("nav", "#hint", "#rotate", "#prove", "#year"):
        expect(desktop.locator(gone)).to_be_hidden()
