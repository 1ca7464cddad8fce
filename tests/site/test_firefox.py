"""One whole game in Firefox."""

from __future__ import annotations

from functools import partial
from itertools import cycle

import pytest

from helpers.firefox import open_firefox
from helpers.player import HERE, LEFT, SOLUTION, Player, set_preferences
from helpers.programs import path_of
from helpers.waiting import until


@pytest.mark.browser
@pytest.mark.needs("firefox-esr")
@pytest.mark.slow("starts a browser of its own")
def test_a_game_is_won_and_counted_in_firefox(site, tmp_path):
    with open_firefox(path_of("firefox-esr"), tmp_path) as page:
        set_preferences(page, site)
        page.goto(f"{site}#{HERE}")
        until(partial(page.has, "#play:not([inert]) #status[data-tilings='7']"))
        player, ways = (
            Player(page, site),
            cycle([Player.place_with_a_mouse, Player.place_with_keys]),
        )
        for way, placement, count in zip(ways, SOLUTION, LEFT, strict=False):
            way(player, placement)
            until(partial(page.has, f"{player.piece(placement).selector}.placed"))
            until(partial(page.has, f"#status[data-tilings='{count}']"))
        until(partial(page.has, "#finish:not([hidden])"))
        assert page.locator("#count").evaluate("element => element.textContent") == "Solved"
        assert page.complaints == []
