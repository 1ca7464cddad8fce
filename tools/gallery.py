"""Writes the pictures that README and docs show: ``python -m tools.gallery FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from satcal.cli.main import run

PICTURES = {
    "a-puzzle-a-day.board.svg": "show a-puzzle-a-day",
    "a-puzzle-a-day.search.gif": "solve a-puzzle-a-day Oct 6 2026",
    "rhombus.tiling.svg": "solve rhombus Oct 6 2026",
    "rhombus.year.svg": "count rhombus 2026",
    "weekday.board.svg": "show weekday",
}


def main() -> int:
    """Write the pictures and return an exit code."""
    folder = Path(sys.argv[1])
    return max(
        run([*words.split(), "--quiet", "--force", "-o", str(folder / name)])
        for name, words in PICTURES.items()
    )


if __name__ == "__main__":
    sys.exit(main())
