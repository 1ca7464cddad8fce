"""What the browser counts is what satcal counted, and it takes milliseconds."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Page

from helpers.browser import Windows
from satcal.puzzle.loading import library, load

ROOT = Path(__file__).parent.parent.parent
CALENDARS = [name for name in library() if load(name).calendar.parts is not None]
WHOLE = """async (name) => {
    const { openPuzzle } = await import("./engine.js");
    const { unpack } = await import("./diagram.js");
    const { countReveals } = await import("./reveals.js");
    const puzzle = await openPuzzle("data/", name);
    const file = await (await fetch(`data/${name}.bin`)).arrayBuffer();
    return countReveals(puzzle, unpack(puzzle, new Uint8Array(file)), []).map(Number);
}"""
DAYS = """async ([name, every]) => {
    const { openCounter, openPuzzle, reveals } = await import("./engine.js");
    const puzzle = await openPuzzle("data/", name), counter = openCounter("data/", puzzle);
    const counts = {};
    for (const reveal of reveals(puzzle).filter((_, number) => number % every === 0)) {
        counts[reveal.join()] = Number((await counter.ask({ reveal, placed: [] })).count);
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
    const [tiling] = solved.tilings;
    const moves = [], years = [];
    for (let turn = 0; turn < 5; turn += 1) {
        for (let number = 1; number <= tiling.length; number += 1) {
            moves.push(await timed(() => counter.ask({ reveal, placed: tiling.slice(0, number) })));
        }
    }
    await counter.year(tiling.slice(0, 1)); // the file is here, and unpacked
    for (const placed of tiling) years.push(await timed(() => counter.year([placed])));
    counter.close();
    return { first, moves, years };
}"""


@pytest.fixture
def page(windows: Windows, site: str) -> Page:
    """A page of the edition on which nothing else runs."""
    page = windows.open()
    page.goto(f"{site}manifest.webmanifest")
    return page


def counted(name: str) -> dict[str, int]:
    """Return the counts that satcal ships, by reveal."""
    with (ROOT / "results" / "counts" / f"{name}.csv").open() as stream:
        return {",".join(row[:-2]): int(row[-2]) for row in [*csv.reader(stream)][1:]}


@pytest.mark.browser
@pytest.mark.parametrize("name", CALENDARS)
def test_the_browser_counts_every_reveal_of_a_calendar_as_satcal_does(page: Page, name) -> None:
    assert page.evaluate(WHOLE, name) == list(counted(name).values())


@pytest.mark.parametrize(
    "name",
    [
        name if name == "pentomino-3x20" else pytest.param(name, marks=pytest.mark.browser)
        for name in library()
    ],
)
def test_what_it_finds_for_one_reveal_alone_is_the_same(page: Page, name) -> None:
    known = counted(name)
    days = page.evaluate(DAYS, [name, 1 if sum(known.values()) < 1_000_000 else 37])
    assert days == {reveal: known[reveal] for reveal in days}


@pytest.mark.browser
@pytest.mark.parametrize("name", ["rhombus", "weekday"])
def test_how_long_the_count_after_a_move_takes(page: Page, name) -> None:
    times = page.evaluate(MOVES, [name, ["Thu", "Oct", "23"]])
    moves, years = times["moves"], times["years"]
    print(
        f"\n{name}: the date's own tilings in {times['first']:.0f} ms; after a move median "
        f"{median(moves):.1f} ms, slowest {max(moves):.1f} ms; the year with a piece "
        f"placed median {median(years):.0f} ms, slowest {max(years):.0f} ms"
    )
