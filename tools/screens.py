"""Pictures of what a terminal shows, for the gallery: tilings, a year's counts, the browser."""

from __future__ import annotations

import asyncio
import datetime
import io
import random
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

from satcal.cli.main import run
from satcal.counting.settings import Settings
from satcal.counting.tilings import diagram_for
from satcal.draw.terminal import draw_coloured, side_by_side
from satcal.files import write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.ranges import Range, select

COLUMNS, LINES = 104, 34
COLOURS = {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "COLUMNS": str(COLUMNS)}


def screens(board: str, date: str, folder: Path) -> Iterator[Path]:
    """Write the pictures of one board and date; yield their paths."""
    with mock.patch.dict("os.environ", COLOURS):
        shots = {
            "terminal": _picture(_tilings(board, date), f"satcal solve --board {board} --all"),
            "calendar": _picture(
                _calendar(board, date), f"satcal count --board {board} --year {date[:4]}"
            ),
            "browse": _plain(asyncio.run(_browser(board, date))),
        }
    for name, text in shots.items():
        path = folder / f"{board}.{name}.svg"
        write_bytes(path, text.encode())
        yield path


def _tilings(board: str, date: str) -> str:
    puzzle = load(board)
    reveal = puzzle.reveal(date)
    diagram = diagram_for(puzzle, [reveal], Settings())
    shown = [draw_coloured(puzzle, reveal, diagram.tiling(k, reveal)) for k in range(2)]
    return "\n".join(side_by_side(shown, [f"{date}, tiling {k}" for k in (1, 2)], COLUMNS))


def _calendar(board: str, date: str) -> str:
    said = io.StringIO()
    with redirect_stdout(said):
        run(
            [
                "count",
                "-b",
                board,
                "--year",
                date[:4],
                "--format",
                "calendar",
                "-q",
                "--verify",
                "0",
            ]
        )
    return said.getvalue().partition("\n\n")[2] or said.getvalue()


async def _browser(board: str, date: str) -> str:
    from satcal.draw.browser import Browser

    puzzle = load(board)
    rows = select(puzzle, Range(month=date[:7]), datetime.date.fromisoformat(date))
    diagram = diagram_for(puzzle, [row.reveal for row in rows], Settings())
    app = Browser(diagram, rows, random.Random(0))
    async with app.run_test(size=(COLUMNS, LINES)) as pilot:
        await pilot.press("down", "down", "h")
        await pilot.pause()
        return app.export_screenshot(title=f"satcal browse --board {board}")


def _picture(text: str, title: str) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True,
        color_system="truecolor",
    )  # fmt: skip
    console.print(Text.from_ansi(text), no_wrap=True, crop=True)
    return _plain(console.export_svg(title=title, unique_id="satcal"))


def _plain(svg: str) -> str:
    """Return an SVG without fonts from the network, and with the same names in every run."""
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    (name,) = set(re.findall(r"(terminal-[0-9a-z]+|satcal)-matrix", svg))
    return svg.replace(f"{name}-", "satcal-").replace("Fira Code, ", "")
