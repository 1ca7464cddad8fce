"""Writes the gallery of pictures: ``python -m tools.gallery FOLDER``, `make gallery`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from satcal.cli.main import run
from satcal.files import make_folder
from tools.screens import screens

BOARDS = {"rhombus": "2025-10-23", "a-puzzle-a-day": "2025-12-25", "weekday": "2025-06-21"}
OTHERS = {name: [other for other in BOARDS if other != name] for name in BOARDS}


def commands(folder: Path) -> Iterator[list[str]]:
    """Yield the arguments of each command that makes a picture of the gallery."""
    for board, date in BOARDS.items():

        def picture(command: str, name: str, *rest: str, board: str = board) -> list[str]:
            return [command, "--board", board, "-o", str(folder / f"{board}.{name}"), *rest]

        day = ("--date", date)
        yield picture("draw", "tiling.svg", *day)
        yield picture("draw", "dark.svg", *day, "--theme", "dark")
        yield picture("draw", "sheet.svg", *day, "--what", "sheet", "--limit", "60")
        yield picture("draw", "year.png", "--year", "2025", "--what", "year", "--size", "1500")
        yield picture("draw", "pieces.svg", "--what", "pieces")
        yield picture("draw", "board.svg", "--what", "board")
        yield picture("draw", "laser.svg", "--laser")
        for what in ("histogram", "month-day", "ranking", "cover"):
            yield picture("stats", f"{what}.png", "--what", what, "--size", "900")
        if board != "a-puzzle-a-day":
            yield picture("stats", "weekdays.png", "--what", "weekday", "--size", "900")
        others = [word for other in OTHERS[board] for word in ("--with", other)]
        yield picture("stats", "compare.png", "--what", "compare", "--size", "900", *others)
        small = ("--size", "240", "-q")
        yield picture("animate", "search.gif", *day, "--frames", "60", *small)
        yield picture("animate", "sat.webp", *day, "--what", "sat", "--frames", "20", *small,
                      "--pace", "500")  # fmt: skip
        yield picture("animate", "dates.gif", "--month", date[:7], "--what", "dates", *small,
                      "--pace", "400")  # fmt: skip


def main(folder: Path) -> int:
    """Write the gallery and return an exit code."""
    make_folder(folder)
    for board, date in BOARDS.items():
        for path in screens(board, date, folder):
            print(path)
    return max(run(arguments) for arguments in commands(folder))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
