"""Draws what refutes claims: ``python -m tools.claim_pictures FOLDER``, `make claims`."""

from __future__ import annotations

import sys
from pathlib import Path

import satcal
from satcal.analysis.survey import survey
from satcal.cli.main import run
from satcal.draw.pictures import impasse_picture, sheet_picture
from satcal.draw.theme import load_theme
from satcal.errors import NoTiling
from satcal.files import make_folder, write_bytes
from satcal.puzzle.symmetry import symmetries

COMMANDS = {
    "6b": "sheet --board a-puzzle-a-day --reveal Oct,6",
    "27": "sheet --board rhombus --reveal Thu,Sep,6",
    "sh1ura-11": "pieces --board sh1ura-11",
}


def unsolvable_pair() -> str:
    """The picture for claim 8a: nothing is cut off, and yet there is no tiling."""
    puzzle = satcal.load("a-puzzle-a-day")
    found = survey(puzzle)
    (pair,) = (cells for cells in found.having(0) if not found.cut_off(cells))
    impasse = found.impasse(pair)
    if impasse is None:
        raise NoTiling(f"no single cell shows why {found.labels(pair)} cannot stay uncovered")
    return impasse_picture(puzzle, pair, impasse, load_theme("light")).svg()


def four_images() -> str:
    """The picture for claim 30: a tiling of the rectangle in all its images."""
    puzzle = satcal.load("pentomino-6x10")
    first = next(satcal.tilings(puzzle, ()))
    every = [symmetry.of(first) for symmetry in symmetries(puzzle)]
    caption = "one of them in all its images"
    return sheet_picture(puzzle, (), every, len(every), load_theme("light"), caption).svg()


def main(folder: Path) -> int:
    """Write the pictures and return an exit code."""
    make_folder(folder)
    codes = []
    for claim, words in COMMANDS.items():
        path = str(folder / f"{claim}.svg")
        codes.append(run(["draw", *words.split(), "--force", "-o", path]))
    for claim, picture in (("8a", unsolvable_pair), ("30", four_images)):
        write_bytes(folder / f"{claim}.svg", picture().encode())
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
