"""Draws the preview of the page's static edition: ``python -m tools.preview FILE.png``.

It has no date, since it is shown on every day; ``satcal serve`` draws today's.
"""

from __future__ import annotations

import sys
from pathlib import Path

from satcal.draw.preview import WIDTH, preview_picture
from satcal.draw.theme import load_theme
from satcal.puzzle.loading import load


def main() -> None:
    """Write the picture."""
    picture = preview_picture(load("a-puzzle-a-day"), load_theme())
    Path(sys.argv[1]).write_bytes(picture.encode(".png", WIDTH))


if __name__ == "__main__":
    main()
