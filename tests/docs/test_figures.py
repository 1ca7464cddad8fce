"""The figures and bounds of the pages are those of the files and of the code they come from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator

import pytest

import satcal.diagram.cache as cache
import satcal.encoding.consistency as consistency
import satcal.proof.board as proof_board
import satcal.proof.check as proof
import satcal.proof.normal as normal
import satcal.published.sheets as sheets
import satcal.puzzle.loading as loading
from docs.pages import RESULTS, ROOT, in_words, rows
from satcal.analysis import difficulty
from satcal.cli.serve import MIN_TOKEN
from satcal.cli.show import PIXELS_PER_MM
from satcal.designing.polyominoes import list_polyominoes
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.pictures import CELL
from satcal.encoding import ENCODINGS
from satcal.published.shipped import shipped_counts, shipped_ratings
from satcal.puzzle.loading import library, load
from satcal.puzzle.normal import MAX_FILE
from satcal.puzzle.pieces import MAX_CELLS, MAX_COPIES, MAX_SIDE
from satcal.service.jobs import RETRY_SECONDS
from satcal.service.work import MAX_PUBLIC_CELLS
from satcal.site.page import SENTENCES
from satcal.version import __version__
from tools.instances import LIMIT, choose_reveals

BOARDS = len(library())
DIMACS = sum(each.dimacs for each in ENCODINGS.values())


def peer(name: str) -> dict[str, float]:
    """Return the figures of a peer that counted all of rhombus."""
    measured = json.loads((RESULTS / "benchmarks" / "peers.json").read_text())
    found: dict[str, float] = measured["cases"]["rhombus"][name]
    return found


def readme() -> Iterator[str]:
    tables = [rows(f"counts/{board}.csv") for board in library()]
    numbers = [int(row["tilings"]) for table in tables for row in table if len(row) > 2]
    yield f"CNF in {DIMACS} encodings, with known counts from {min(numbers)} to {max(numbers):,}"
    yield f"the {BOARDS} boards of the library"
    found = re.search(
        r"Of (\d+) published statements (\d+) are right, (\d+)", in_words("results/README.md")
    )
    assert found
    yield "{} published statements: [{} are right, {} are wrong]".format(*found.groups())
    ours, plain = peer("satcal-diagram"), peer("c-rows")
    yield f"all {ours['tilings']:,} tilings of `rhombus` in {ours['cpu']:.2f} s of CPU"
    yield f"takes {plain['cpu']:.1f} s"
    (row, *_) = rows("benchmarks/certificates.csv")
    assert row["reveal"] == "Oct 6"
    yield f"here in {int(row['bytes']):,} bytes"


def methods() -> Iterator[str]:
    rhombus = load("rhombus")
    nodes = PuzzleDiagram.build(rhombus).diagram.nodes
    yield f"{sum(shipped_counts(rhombus).values()):,} tilings of 2,604 reveals are {nodes:,}"
    ours, plain, cells = (peer(name) for name in ("satcal-diagram", "c-rows", "xcover"))
    seconds = f"{ours['cpu']:.2f} s of CPU, a first-cell search in C {plain['cpu']:.1f} s, xcover"
    yield f"{seconds} {cells['cpu']:.0f} s"
    for board, letter, kind in (("a-puzzle-a-day", "E", "Easy"), ("rhombus", "H", "Hard")):
        puzzle = load(board)
        rated = zip(puzzle.reveals(), shipped_ratings(puzzle), strict=True)
        dates = [each for reveal, each in rated if puzzle.calendar.is_date(reveal)]
        yield f"{kind} ({dates.count(letter):,} of the {len(dates):,} dates of `{board}`)"
    growth = json.loads((RESULTS / "benchmarks" / "growth.json").read_text())
    last = growth["curves"]["squares"][-1]
    tilings = f"{last['tilings']:.2e}".replace("e+", " · 10^")
    took = f"{last['seconds']:.1f} s and {last['peak'] / 1e6:.0f} MB"
    yield f"Dominoes on {last['size']} x {last['size']} have {tilings} tilings and take {took}"
    yield f"or {difficulty.SAMPLE} evenly chosen"
    (_, easy), (_, fair), _ = difficulty.RATINGS
    yield f"Up to {easy} is Easy"
    yield f"up to {fair} Fair"
    yield f"at most {difficulty.MAX_PIECES} pieces and {difficulty.MAX_CELLS} cells"


def first_formula() -> Iterator[str]:
    reveals = [(board, each) for board in library() for each in choose_reveals(load(board))]
    yield f"writes {3 * len(reveals)} formulas"
    yield f"at most {LIMIT:,}"
    assert sum(not shipped_counts(load(board))[each] for board, each in reveals) == 1
    yield "Three of the formulas are unsatisfiable"


def changelog() -> Iterator[str]:
    yield f"{BOARDS} boards"
    yield f"formulas in {DIMACS} encodings"
    yield f"a page in {len(SENTENCES)} languages"


def published() -> Iterator[str]:
    tables = [rows(str(path)) for path in sorted((RESULTS / "published").glob("*-counts.csv"))]
    assert len(tables) == 7
    yield f"no error in seven tables ({sum(map(len, tables)):,} numbers)"
    pairs = rows("surveys.csv")[0]
    assert (pairs["board"], pairs["without_and_nothing_cut_off"]) == ("a-puzzle-a-day", "1")
    yield f"the {pairs['sets']} pairs of cells of `a-puzzle-a-day`, {pairs['without']} have no"


def trust() -> Iterator[str]:
    times = [float(row["sat"]) / float(row["check"]) for row in rows("benchmarks/certificates.csv")]
    assert (round(min(times)), round(max(times))) == (4, 25)
    yield "A check takes [a quarter to a twenty-fifth]"


def certificate_format() -> Iterator[str]:
    yield f"a line has at most {proof.MAX_LINE:,} bytes"
    yield f"{proof.MAX_FILE:,} bytes; {proof.MAX_GROUPS:,} groups; {proof.MAX_REVEALS:,} reveals"
    yield f"{proof.MAX_NODES:,} nodes; {proof.MAX_MARKS:,} marks; work {proof.MAX_WORK:,}"
    yield f"{normal.MAX_PUZZLE:,} bytes; {normal.MAX_SIDE} rows and columns"
    yield f"{normal.MAX_CELLS:,} cells; {normal.MAX_CATEGORIES} categories"
    yield f"{normal.MAX_SQUARES:,} squares drawn; {normal.MAX_COPIES:,} copies"
    yield f"{proof_board.MAX_PLACEMENTS:,} placements, with {proof_board.MAX_PLACED:,} squares"
    yield f"at most {normal.MAX_LABEL} characters, the name of the puzzle {normal.MAX_NAME}"


def puzzle_file() -> Iterator[str]:
    yield f"at most {MAX_FILE >> 10} KiB"
    yield f"(1 to {normal.MAX_NAME} characters)"
    yield f"at most {loading.MAX_TEXT:,} characters"
    yield f"a label of 1 to {loading.MAX_LABEL} characters"
    yield f"At most {MAX_SIDE} rows, {MAX_SIDE} columns and {MAX_CELLS:,} cells"
    yield f"1 to {MAX_COPIES:,} `copies`"


def host_the_page() -> Iterator[str]:
    style = (ROOT / "satcal" / "site" / "static" / "style.css").read_text("utf-8")
    (rem,) = re.findall(r"@media \(max-width: (\d+)rem\) and", style)
    yield f"below {16 * int(rem)} pixels of width"


def make_a_puzzle() -> Iterator[str]:
    last = [f"`{letter}{len(list_polyominoes(n))}`" for n, letter in ((6, "H"), (7, "J"))]
    yield f"to {last[0]}, `J1` to {last[1]}"
    yield f"a square has {CELL / PIXELS_PER_MM:.1f} mm"


FIGURES: dict[str, Callable[[], Iterable[str]]] = {
    "README.md": readme,
    "CHANGELOG.md": changelog,
    "SECURITY.md": lambda: [f"of more than {MAX_FILE >> 10} KiB is refused"],
    "docs/index.md": lambda: [f">All {BOARDS} boards<"],
    "docs/explanation/methods.md": methods,
    "docs/explanation/related.md": lambda: [f"version = {{{__version__}}}"],
    "docs/explanation/trust.md": trust,
    "docs/how-to/check-a-table.md": lambda: [
        f"at most {sheets.MAX_ROWS:,} rows, {sheets.MAX_BYTES // 10**6} MB"
    ],
    "docs/how-to/make-a-puzzle.md": make_a_puzzle,
    "docs/how-to/host-the-page.md": host_the_page,
    "docs/how-to/serve.md": lambda: [
        f"at least {MIN_TOKEN} ASCII characters",
        f"posted boards of more than {MAX_PUBLIC_CELLS} cells",
    ],
    "docs/how-to/troubleshoot.md": lambda: [f"tries for {sum(RETRY_SECONDS):.0f} s"],
    "docs/reference/certificates.md": certificate_format,
    "docs/reference/conventions.md": lambda: [f"at most {cache.MAX_FOLDER // 10**9} GB"],
    "docs/reference/puzzle-file.md": puzzle_file,
    "docs/tutorials/first-formula.md": first_formula,
    "encodings/README.md": lambda: [f"than {consistency.MAX_OPTIONS:,} placements"],
    "results/README.md": published,
    "CITATION.cff": lambda: [f" version: {__version__}"],
}
"""Sentences of each page, with figures from where they are measured or decided."""


@pytest.mark.parametrize("page", FIGURES)
def test_a_page_has_the_figures_of_the_files_and_the_code(page):
    text = in_words(page)
    assert [sentence for sentence in FIGURES[page]() if sentence not in text] == []
