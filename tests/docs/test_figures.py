"""The figures of README and of the pages are those of the files that they come from."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.encoding import ENCODINGS
from satcal.published.shipped import shipped_counts, shipped_ratings
from satcal.puzzle.loading import library, load
from satcal.site.page import SENTENCES
from satcal.version import __version__
from tools.instances import choose_reveals

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"


def words(path: str) -> str:
    """Return a page with single blanks."""
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


def counts() -> list[int]:
    """Return the counts of all tables."""
    tables = [RESULTS / "counts" / f"{board}.csv" for board in library()]
    rows = [row for path in tables for row in csv.DictReader(path.read_text().splitlines())]
    return [int(row["tilings"]) for row in rows if len(row) > 2]  # with a date or a label


def measured(peer: str) -> dict[str, float]:
    """Return the figures of a peer that counted all of rhombus."""
    found: dict[str, float] = json.loads((RESULTS / "benchmarks" / "peers.json").read_text())[
        "cases"
    ]["rhombus"][peer]
    return found


def test_readme_has_the_figures_of_the_files():
    readme, numbers = words("README.md"), counts()
    encodings = sum(each.dimacs for each in ENCODINGS.values())
    found = re.search(
        r"Of (\d+) published statements (\d+) are right, (\d+)", words("results/README.md")
    )
    assert found
    total, right, wrong = found.groups()
    ours, plain = measured("satcal-diagram"), measured("c-rows")
    for figure in (
        f"CNF in {encodings} encodings, with known counts from {min(numbers)} to {max(numbers):,}",
        f"the {len(library())} boards of the library",
        f"{total} published statements: [{right} are right, {wrong} are wrong]",
        f"all {ours['tilings']:,} tilings of `rhombus` in {ours['cpu']:.2f} s of CPU",
        f"takes {plain['cpu']:.1f} s",
    ):
        assert figure in readme


def test_the_page_of_methods_has_the_figures_of_the_files():
    methods = words("docs/explanation/methods.md")
    rhombus = load("rhombus")
    nodes = PuzzleDiagram.build(rhombus).diagram.nodes
    ours, plain, cells = (measured(peer) for peer in ("satcal-diagram", "c-rows", "xcover"))
    assert (
        f"{sum(shipped_counts(rhombus).values()):,} tilings of 2,604 reveals are {nodes:,}"
        in methods
    )
    seconds = f"{ours['cpu']:.2f} s of CPU, a first-cell search in C {plain['cpu']:.1f} s, xcover"
    assert f"{seconds} {cells['cpu']:.0f} s" in methods
    for board, letter, kind in (("a-puzzle-a-day", "E", "Easy"), ("rhombus", "H", "Hard")):
        puzzle = load(board)
        rated = zip(puzzle.reveals(), shipped_ratings(puzzle), strict=True)
        dates = [each for reveal, each in rated if puzzle.calendar.is_date(reveal)]
        said = f"{kind} ({dates.count(letter):,} of the {len(dates):,} dates of `{board}`)"
        assert said in methods


def test_the_tutorial_says_how_many_instances_there_are():
    reveals = [(board, each) for board in library() for each in choose_reveals(load(board))]
    unsolvable = sum(not shipped_counts(load(board))[each] for board, each in reveals)
    tutorial = words("docs/tutorials/first-formula.md")
    assert f"writes {3 * len(reveals)} formulas" in tutorial
    assert unsolvable == 1 and "Three of the formulas are unsatisfiable" in tutorial


def test_the_changelog_counts_boards_encodings_and_languages():
    changelog = words("CHANGELOG.md")
    encodings = sum(each.dimacs for each in ENCODINGS.values())
    assert f"{len(library())} boards" in changelog
    assert f"formulas in {encodings} encodings" in changelog
    assert f"a page in {len(SENTENCES)} languages" in changelog


def test_a_citation_names_this_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"version = {{{__version__}}}" in words("docs/explanation/related.md")
