"""Pictures of what a terminal shows, for the gallery: tilings, a year's counts, the browser."""

from __future__ import annotations

import asyncio
import datetime
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from satcal.counting.settings import Settings
from satcal.counting.tilings import diagram_for
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.browser import Browser
from satcal.draw.tables import Counted
from satcal.draw.terminal import beside, coloured, heat_map
from satcal.files import write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Range, Row, select

COLUMNS, LINES = 104, 34


def screens(board: str, date: str, folder: Path) -> Iterator[Path]:
    """Write the pictures of one board and date; yield their paths."""
    puzzle, today = load(board), datetime.date.fromisoformat(date)

    def rows_of(wanted: Range) -> tuple[list[Row], PuzzleDiagram]:
        rows = select(puzzle, wanted, today)
        return rows, diagram_for(puzzle, [row.reveal for row in rows], Settings())

    days, of_day = rows_of(Range(date=date))
    year, of_year = rows_of(Range(year=today.year))
    counts = of_year.counts()
    shots = {
        "terminal": _picture(
            _tilings(puzzle, days[0], of_day), f"satcal solve --board {board} --all"
        ),
        "calendar": _picture(
            heat_map([Counted(row, counts[row.reveal]) for row in year], COLUMNS).append("\n"),
            f"satcal count --board {board} --year {today.year}",
        ),
        "browse": asyncio.run(_browser(*rows_of(Range(month=date[:7])))),
    }
    for name, svg in shots.items():
        path = folder / f"{board}.{name}.svg"
        write_bytes(path, _plain(svg).encode())
        yield path


def _tilings(puzzle: Puzzle, row: Row, diagram: PuzzleDiagram) -> Text:
    boards = [coloured(puzzle, row.reveal, diagram.tiling(k, row.reveal)) for k in range(2)]
    return beside([f"{row}, tiling {number}" for number in (1, 2)], boards)


def _picture(shown: Text, title: str) -> str:
    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True,
        color_system="truecolor",
    )  # fmt: skip
    console.print(shown, no_wrap=True, crop=True)
    return console.export_svg(title=title, unique_id="satcal")


async def _browser(rows: list[Row], diagram: PuzzleDiagram) -> str:
    app = Browser(diagram, rows, random.Random(0))
    async with app.run_test(size=(COLUMNS, LINES)) as pilot:
        await pilot.press("down", "down", "h")
        await pilot.pause()
        return app.export_screenshot(title=f"satcal browse --board {diagram.puzzle.name}")


def _plain(svg: str) -> str:
    """Return an SVG without fonts from the network, and with the same names in every run."""
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    (name,) = set(re.findall(r"(terminal-[0-9a-z]+|satcal)-matrix", svg))
    return svg.replace(f"{name}-", "satcal-").replace("Fira Code, ", "")
