"""Measures how hard the dates of the library are: ``python -m tools.difficulty``, `make results`.

The edition of the page and ``satcal serve`` read the words from ``satcal/site/difficulty.json``:
measuring all boards takes some fifteen minutes.
"""

from __future__ import annotations

import json
import sys

from satcal.analysis.difficulty import RATINGS, difficulties
from satcal.errors import TooLarge
from satcal.files import write_bytes
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.site.edition import DIFFICULTY

LETTERS = {word: word[0] for word, _ in RATINGS} | {None: "-"}


def difficulty_letters(puzzle: Puzzle) -> str:
    """Return the first letter of the word of each reveal in canonical order, ``-`` for none."""
    try:
        words = difficulties(puzzle, list(puzzle.reveals()))
        return "".join(LETTERS[each.rating] for each in words)
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
