"""Published drawings: the fault of each is named, and which dates are missing."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from oracle import TINY
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import FormatError
from satcal.published.drawings import Finding, check_drawings, find_drawings, summarise
from satcal.published.evaluating import Lookup
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement

PUZZLE = TINY.load()
DIAGRAM = PuzzleDiagram.build(PUZZLE, None)
FIRST, SECOND, *_ = DIAGRAM.tilings(("Jan", "1"))
LEAP = next(iter(DIAGRAM.tilings(("Feb", "29"))))


def draw(tiling: Sequence[Placement], rows: int = 3, columns: int = 4) -> str:
    """Return rows of letters, one for each piece; shapes decide which it is."""
    letters = {cell: "abcdefgh"[n] for n, each in enumerate(tiling) for cell in each.cells}
    return "\n".join(
        " ".join(letters.get((r, c), ".") for c in range(columns)) for r in range(rows)
    )


def findings(text: str) -> list[Finding]:
    drawings = find_drawings(Path("list.txt"), text, PUZZLE)
    return list(check_drawings(PUZZLE, drawings, Lookup(1)))


@pytest.mark.parametrize(
    ("texts", "faults"),
    [
        ([f"Jan 1\n{draw(FIRST)}", f"29.2.\n{draw(LEAP)}"], []),
        ([f"Jan 1\n{draw(FIRST)}\n{draw(LEAP)}"], []),
        ([f"The first of January\n{draw(FIRST)}", f"2/29\n{draw(LEAP)}"], []),
        ([f"1/1\n{draw(FIRST)}", draw(LEAP).replace(" ", "|")], []),
        (
            [f"any\n{draw(FIRST)}", f"2024-02-29:\n\n{draw(SECOND)}"],
            ["line 8: Feb 29: .*uncovered"],
        ),
        ([draw(FIRST), draw(FIRST)], ["line 5: Jan 1: the drawing of line 1 again"]),
        ([draw(FIRST[:1])], ["line 1: reveal: .* both of the category day"]),
        ([f"Jan 1\n{draw(FIRST[1:])}"], ["line 2: Jan 1: L4 is used 0 times"]),
        ([draw(FIRST).replace("b", "c", 1)], ["line 1: place .*no piece has this shape"]),
    ],
)
def test_each_drawing_that_is_not_a_new_tiling_of_its_date_is_told(texts, faults):
    wrong = [str(finding) for finding in findings("\n\n".join(texts)) if finding.line]
    assert len(wrong) == len(faults)
    for text, fault in zip(wrong, faults, strict=True):
        assert re.match(fault, text), text


def test_a_date_with_a_tiling_but_without_a_right_drawing_is_missing():
    text = f"{draw(FIRST)}\n\nJan 29\n{draw(SECOND)}\n"
    drawings = find_drawings(Path("list.txt"), text, PUZZLE)
    found = list(check_drawings(PUZZLE, drawings, Lookup(1)))
    missing = [finding.reveal for finding in found if not finding.line]
    assert missing == [("Jan", "29"), ("Jan", "30"), ("Feb", "29")]  # Feb 1 has no tiling
    text = summarise(PUZZLE, drawings, found)
    assert ["1 of 2 drawings" in text, "Jan 29, Jan 30, Feb 29" in text] == [True, True]


def test_the_uncovered_cells_tell_a_day_from_a_month_and_each_date_is_expected():
    board = load("a-puzzle-a-day")
    first = next(iter(PuzzleDiagram.build(board, [("Feb", "1")]).tilings(("Feb", "1"))))
    drawings = find_drawings(Path("t"), f"2/1\n{draw(first, 7, 7)}", board)
    found = list(check_drawings(board, drawings, Lookup()))
    assert {finding.line for finding in found} == {0}
    assert len(found) == 365  # of 372 reveals, 366 are dates


def test_a_title_that_is_not_a_date_is_told():
    drawings = find_drawings(Path("list.txt"), f"No. 5\n{draw(FIRST)}", PUZZLE)
    assert "'No. 5'" in summarise(PUZZLE, drawings, [])


def test_a_drawing_with_too_few_rows_is_refused_and_a_table_has_none():
    assert find_drawings(Path("t"), "date,n\nJan 1,4\n", PUZZLE) == []
    short = draw(FIRST).rpartition("\n")[0]
    with pytest.raises(FormatError, match=r"line 5.*3 rows"):
        find_drawings(Path("t"), f"{draw(FIRST)}\n\n{short}\n", PUZZLE)
