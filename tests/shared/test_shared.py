"""What Python and the page both define: one file of vectors for each, which both pass."""

import datetime
import json
import subprocess
from pathlib import Path

import pytest

import satcal
from helpers.programs import need
from helpers.waiting import PATIENCE
from satcal.draw.outline import outlines
from satcal.errors import RevealError
from satcal.puzzle.model import cell_name
from satcal.puzzle.when import parse_dates
from satcal.site.edition import puzzle_json
from shared import make_vectors
from shared.make_vectors import BOARDS, board, vectors

FOLDER = Path(__file__).parent
TODAY = datetime.date(2025, 12, 31)
"""The day on which the texts of `dates.json` are read."""
VECTORS = {path.stem: vectors(path.stem) for path in FOLDER.glob("*.json")}


def of_board(name: str, kind: str) -> list[dict]:
    return [row for row in VECTORS[kind] if row["board"] == name]


def test_the_files_are_what_the_tool_writes():
    for name, text in make_vectors.files().items():
        assert (FOLDER / f"{name}.json").read_text("utf-8") == text
    stuck = [row["blame"] for row in VECTORS["hints"] if not row["tilings"]]
    assert len(VECTORS["hints"]) - len(stuck) > 30
    assert len(stuck) > 40
    assert sum(len(blame) > 1 for blame in stuck) > 5


@pytest.fixture(scope="module")
def page():
    """What the modules of the page answer."""
    need("node")
    puzzles = {name: json.loads(puzzle_json(board(name), name)) for name in BOARDS}
    asked = json.dumps({"puzzles": puzzles, "today": TODAY.isoformat()})
    script = ["node", FOLDER / "page.mjs"]
    ended = subprocess.run(
        script, input=asked, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert not ended.returncode, ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.needs("node")
@pytest.mark.parametrize("kind", ["hints", "ranks", "dates"])
def test_the_page_answers_as_it_should(page, kind):
    assert page[kind] == VECTORS[kind]


def from_first_corner(loop) -> list[list[int]]:
    loop = [[*corner] for corner in loop]
    first = loop.index(min(loop))
    return loop[first:] + loop[:first]


@pytest.mark.needs("node")
def test_outlines_are_those_of_the_cells(page):
    for row, own in zip(VECTORS["outlines"], page["outlines"], strict=True):
        drawn = [outlines([*map(tuple, row["cells"])]), own["loops"]]
        assert [sorted(map(from_first_corner, loops)) for loops in drawn] == [row["loops"]] * 2


@pytest.mark.parametrize("name", BOARDS)
def test_hints_in_python(name):
    for row in of_board(name, "hints"):
        hint = satcal.hint(board(name), ",".join(row["reveal"]) or None, place=row["place"])
        assert row == {
            "board": name,
            "reveal": row["reveal"],
            "place": row["place"],
            "tilings": hint.tilings,
            "cell": hint.cell and cell_name(hint.cell),
            "next": hint.next() and str(hint.next()),
            "blame": [{"place": [*map(str, pieces)], "tilings": n} for pieces, n in hint.blame],
        }


@pytest.mark.parametrize("name", BOARDS)
def test_ranks_in_python(name):
    for row in of_board(name, "ranks"):
        reveal = ",".join(row["reveal"]) or None
        tiling = satcal.solve(board(name), reveal, index=row["rank"], place=row["place"])
        assert [*map(str, tiling)] == row["tiling"]


def the_day(text: str) -> str | None:
    """Return the only day of a text, or None."""
    try:
        (span,) = parse_dates(text, TODAY)
    except (RevealError, ValueError):
        return None
    return str(span) if span.days == 1 else None


def test_dates_in_python():
    assert [[text, the_day(text)] for text, _ in VECTORS["dates"]] == VECTORS["dates"]
