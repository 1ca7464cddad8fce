"""``satcal browse``: dates and tilings full-screen."""

from __future__ import annotations

import os
import random
import sys
from dataclasses import replace

import click

from satcal.cli.options import Selection, selecting
from satcal.errors import Missing, OptionError


@click.command()
@selecting
@click.option("--seed", type=int, default=0, show_default=True, help="Of random tilings.")
def browse(selection: Selection, seed: int) -> None:
    """Browse dates and tilings full-screen, by keys and mouse.

    This year's dates unless a range is given. Needs `pip install "satcal[browse]"`.
    """
    try:
        from satcal.draw.browser import Browser
    except ImportError as error:
        raise Missing(f'browse needs {error.name}: pip install "satcal[browse]"') from error
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise OptionError("browse needs a terminal; use solve --all where there is none")
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for

    if not selection.wanted.given() and selection.puzzle.categories:
        dated = selection.puzzle.calendar.parts is not None
        year = selection.now.year if dated else None
        wanted = replace(selection.wanted, year=year, all_reveals=not dated)
        selection = replace(selection, wanted=wanted)
    rows = selection.rows
    diagram = diagram_for(selection.puzzle, [row.reveal for row in rows], Settings())
    # what cannot be placed is said here: inside the full screen nobody could read it
    diagram.count(rows[0].reveal, selection.demands)
    coloured = not os.environ.get("NO_COLOR")
    browser = Browser(diagram, rows, random.Random(seed), coloured)
    browser.demands = selection.demands
    browser.run()
