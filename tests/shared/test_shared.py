"""What Python and the page both define: one file of vectors for each, which both pass."""

import datetime
import json
from pathlib import Path

import satcal
from helpers.commands import ask_node
from satcal.errors import RevealError
from satcal.puzzle.model import cell_name
from satcal.puzzle.when import parse_dates
from satcal.site.edition import puzzle_json
from shared import make_vectors
from shared.make_vectors import BOARDS, board, from_first_corner, vectors

FOLDER = Path(__file__).parent
TODAY = datetime.date(2025, 12, 31)
"""The day on which the texts of `dates.json` are read."""
VECTORS = {path.stem: vectors(path.stem) for path in FOLDER.glob("*.json")}


def test_the_files_are_what_the_tool_writes():
    for name, text in make_vectors.files().items():
        assert (FOLDER / f"{name}.json").read_text("utf-8") == text
    assert sum(len(row["blame"]) > 1 for row in VECTORS["hints"]) > 5


def test_the_page_answers_as_it_should():
    puzzles = {name: json.loads(puzzle_json(board(name), name)) for name in BOARDS}
    found = ask_node(FOLDER / "page.mjs", {"puzzles": puzzles, "today": TODAY.isoformat()})
    for row in found["outlines"]:
        row["loops"] = sorted(map(from_first_corner, row["loops"]))
    for kind, rows in VECTORS.items():
        assert found[kind] == rows


def test_hints_in_python():
    for row in VECTORS["hints"]:
        hint = satcal.hint(board(row["board"]), tuple(row["reveal"]), place=row["place"])
        assert row == {
            **row,
            "tilings": hint.tilings,
            "cell": hint.cell and cell_name(hint.cell),
            "next": hint.next() and str(hint.next()),
            "blame": [{"place": [*map(str, pieces)], "tilings": n} for pieces, n in hint.blame],
        }


def the_day(text: str) -> str | None:
    """Return the only day of a text, or None."""
    try:
        (span,) = parse_dates(text, TODAY)
    except (RevealError, ValueError):
        return None
    return str(span) if span.days == 1 else None


def test_dates_in_python():
    assert [[text, the_day(text)] for text, _ in VECTORS["dates"]] == VECTORS["dates"]
