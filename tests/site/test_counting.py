"""What the browser counts is what satcal counted, and it takes milliseconds."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from satcal.puzzle.loading import library, load

ROOT = Path(__file__).parent.parent.parent
CALENDARS = [name for name in library() if load(name).calendar.parts is not None]
WHOLE = """async (name) => {
    const { openPuzzle } = await import("./engine.js");
    const { unpack } = await import("./diagram.js");
    const { countReveals } = await import("./tilings.js");
    const puzzle = await openPuzzle("data/", name);
    const file = await (await fetch(`data/${name}.bin`)).arrayBuffer();
    return countReveals(puzzle, unpack(puzzle, new Uint8Array(file)), []).map(Number);
}"""
DAYS = """async ([name, every]) => {
    const { openCounter, openPuzzle, reveals } = await import("./engine.js");
    const puzzle = await openPuzzle("data/", name), counter = openCounter("data/", puzzle);
    const counts = {};
    for (const reveal of reveals(puzzle).filter((_, number) => number % every === 0)) {
        counts[reveal.join()] = String((await counter.ask({ reveal, placed: [] })).count);
    }
    counter.close();
    return counts;
}"""
MOVES = """async ([name, reveal]) => {
    const { openCounter, openPuzzle } = await import("./engine.js");
    const puzzle = await openPuzzle("data/", name), counter = openCounter("data/", puzzle);
    const timed = async (work) => {
        const start = performance.now();
        await work();
        return performance.now() - start;
    };
    const first = await timed(() => counter.ask({ reveal, placed: [] }));
    const solved = await counter.ask({ reveal, placed: [], want: "random", seed: 1 });
    const moves = [], years = [];
    for (let turn = 0; turn < 5; turn += 1) {
        for (let number = 1; number <= solved.tilings[0].length; number += 1) {
            const placed = solved.tilings[0].slice(0, number);
            moves.push(await timed(() => counter.ask({ reveal, placed })));
        }
    }
    await counter.year(solved.tilings[0].slice(0, 1)); // the file is here, and unpacked
    for (const placed of solved.tilings[0]) years.push(await timed(() => counter.year([placed])));
    counter.close();
    return { first, moves, years };
}"""


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A page of the edition on which nothing else runs."""
    page = browser.new_page()
    page.goto(f"{site}manifest.webmanifest")
    yield page
    page.close()


def counted(name: str) -> dict[str, int]:
    """Return the counts that satcal ships, by reveal."""
    with (ROOT / "results" / "counts" / f"{name}.csv").open() as stream:
        return {",".join(row[:-2]): int(row[-2]) for row in [*csv.reader(stream)][1:]}


@pytest.mark.browser
@pytest.mark.parametrize("name", CALENDARS)
def test_the_browser_counts_every_reveal_of_a_calendar_as_satcal_does(
    page: Page, name: str
) -> None:
    assert page.evaluate(WHOLE, name) == list(counted(name).values())


@pytest.mark.browser
@pytest.mark.parametrize("name", CALENDARS)
def test_what_it_finds_for_one_date_alone_is_the_same(page: Page, name: str) -> None:
    known = counted(name)
    days = page.evaluate(DAYS, [name, 1 if sum(known.values()) < 1_000_000 else 37])
    assert {reveal: int(count) for reveal, count in days.items()} == {r: known[r] for r in days}


@pytest.mark.parametrize("name", [n for n in library() if n not in CALENDARS])
def test_a_board_without_dates_is_counted_from_its_file(page: Page, name: str) -> None:
    known = json.loads(json.dumps(counted(name)))
    assert page.evaluate(DAYS, [name, 1]) == {reveal: str(n) for reveal, n in known.items()}


@pytest.mark.browser
@pytest.mark.parametrize(("name", "most"), [("rhombus", 30), ("weekday", 80)])
def test_the_count_after_a_move_takes_milliseconds(page: Page, name: str, most: int) -> None:
    times: dict[str, Any] = page.evaluate(MOVES, [name, ["Thu", "Oct", "23"]])
    moves, years = sorted(times["moves"]), sorted(times["years"])
    print(
        f"\n{name}: the date's own tilings in {times['first']:.0f} ms; after a move median "
        f"{moves[len(moves) // 2]:.1f} ms, slowest {moves[-1]:.1f} ms; the year with a piece "
        f"placed median {years[len(years) // 2]:.0f} ms, slowest {years[-1]:.0f} ms"
    )
    assert moves[len(moves) // 2] <= most
    assert years[len(years) // 2] <= 500
