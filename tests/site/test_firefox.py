"""One whole game in Firefox."""

from __future__ import annotations

from functools import partial
from itertools import cycle

import pytest

from helpers.firefox import Firefox
from helpers.player import HERE, LEFT, SIZES, SOLUTION, Player, set_preferences
from helpers.programs import path_of
from helpers.waiting import until


@pytest.mark.browser
@pytest.mark.needs("firefox-esr")
@pytest.mark.slow("starts a browser of its own")
def test_a_game_is_won_and_counted_in_firefox(site, tmp_path):
    with Firefox(path_of("firefox-esr"), tmp_path) as page:
        page.set_viewport_size(*SIZES["1440x900"])
        set_preferences(page, site)
        page.goto(f"{site}#{HERE}")
        until(partial(page.has, "#play:not([inert]) #status[data-tilings='7']"))
        me, ways = Player(page, site), cycle([Player.lay_with_a_mouse, Player.lay_with_keys])
        for way, placement, count in zip(ways, SOLUTION, LEFT, strict=False):
            way(me, placement)
            until(partial(page.has, f"{me.piece(placement).selector}.placed"))
            until(partial(page.has, f"#status[data-tilings='{count}']"))
        until(partial(page.has, "#finish:not([hidden])"))
        assert page.locator("#count").evaluate("element => element.textContent") == "Solved"
        assert page.complaints == []
