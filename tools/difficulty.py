"""Measures how hard the dates of the library are: ``python -m tools.difficulty``, `make results`.

``satcal count``, the edition of the page and ``satcal serve`` read the words from
``results/counts/difficulty.json``: measuring all boards takes some fifteen minutes.
"""

from __future__ import annotations

import json
import sys

from satcal.analysis.difficulty import Difficulty, difficulties
from satcal.errors import TooLarge
from satcal.files import write_bytes
from satcal.published.shipped import tables_folder
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle

DIFFICULTY = tables_folder() / "difficulty.json"
HALF_FAIR = 2.95
"""The mean number of guesses above which Fair is G: so the library has three boards that differ on
99 of 100 dates."""


def letter(difficulty: Difficulty) -> str:
    """Return the first letter of a rating, G for the harder half of Fair, ``-`` for none."""
    if difficulty.rating == "Fair" and difficulty.guesses and difficulty.guesses.mean > HALF_FAIR:
        return "G"
    return (difficulty.rating or "-")[0]


def difficulty_letters(puzzle: Puzzle) -> str:
    """Return the letter of each reveal in canonical order."""
    try:
        return "".join(map(letter, difficulties(puzzle, list(puzzle.reveals()))))
    except TooLarge:
        return ""


def main() -> None:
    """Write the file anew; with names of boards, only their entries."""
    known = json.loads(DIFFICULTY.read_bytes()) if DIFFICULTY.exists() else {}
    for name in sys.argv[1:] or library():
        puzzle = load(name)
        if puzzle.categories:
            known[puzzle.digest] = difficulty_letters(puzzle)
            write_bytes(DIFFICULTY, (json.dumps(known, indent=0, sort_keys=True) + "\n").encode())


if __name__ == "__main__":
    main()
