"""What axe finds: nothing, on every view, in every theme, at every size."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playing import DATE, EVERY_SIZE
from playwright.sync_api import expect

VIEWS = {
    "play": f"rhombus/{DATE}",
    "3x20": "pentomino-3x20",
    "more": f"more/rhombus/{DATE}",
    "sorry": "nope",
}


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.browser)])
@pytest.mark.parametrize("size", EVERY_SIZE)
def test_axe_finds_nothing(player, site, size, scheme) -> None:
    me = player(size, color_scheme=scheme)
    for name, address in VIEWS.items():
        me.page.goto(f"{site}#{address}")
        if name == "more":
            expect(me.page.locator("#months a")).to_have_count(365)
        elif name != "sorry":
            expect(me.page.locator("#count")).to_contain_text("tilings")
            me.page.keyboard.press("Tab")
            for key in (
                ("Enter", "Enter") if name == "play" else ("Enter",)
            ):  # one lies, one is held
                me.page.locator(".piece").first.focus()
                me.page.keyboard.press(key)
        found = Axe().run(me.page).response["violations"]
        assert [
            (each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found
        ] == [], name
        assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
