"""What the page counts is what satcal counted."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pytest

from helpers.programs import need
from helpers.waiting import PATIENCE
from oracle import FREE, TINY, Piece, rectangle
from satcal.puzzle.loading import library, load
from satcal.site.edition import build_site

ROOT = Path(__file__).parents[2]
EVERY = 400
"""Of so many reveals one is counted by itself as well, as before the first move."""
NONE = rectangle(2, 4, Piece("S", ("##.", ".##"), 2))


def counted(edition: Path, name: str) -> dict[str, list[str]]:
    """Return what the page's engine counts for a board of an edition, by its file of bits."""
    need("node")
    script = ["node", Path(__file__).with_name("count.mjs"), edition / "data", name, str(EVERY)]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return json.loads(ended.stdout)


def check_counts(edition: Path, name: str) -> None:
    """Compare what the page counts with the table that satcal ships."""
    with (ROOT / "results" / "counts" / f"{name}.csv").open() as stream:
        known = [row[-2] for row in [*csv.reader(stream)][1:]]
    assert counted(edition, name) == {"alone": known[::EVERY], "all": known}


@pytest.mark.parametrize("name", ["a-puzzle-a-day", "pentomino-3x20"])
def test_the_page_counts_every_reveal_as_satcal_does(edition, name):
    check_counts(edition, name)


@pytest.mark.parametrize("small", [TINY, FREE, NONE], ids=["labels", "no label", "no tiling"])
def test_the_page_counts_pieces_with_copies_as_brute_force_does(tmp_path, small):
    puzzle = small.load()
    build_site(tmp_path, {puzzle.name: puzzle}, puzzle.name, force=True)
    known = [str(len(small.tilings(reveal))) for reveal in puzzle.reveals()]
    assert counted(tmp_path, puzzle.name) == {"alone": known[:1], "all": known}


@pytest.mark.long
@pytest.mark.parametrize("name", library())
def test_the_page_counts_the_whole_library_as_satcal_does(tmp_path, name):
    build_site(tmp_path, {name: load(name)}, name, force=True)
    check_counts(tmp_path, name)
