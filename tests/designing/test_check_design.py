"""check-design: what its reports say is what brute force says, and its advice does what it says."""

from __future__ import annotations

import itertools
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import pytest

from helpers.puzzles import Small, _make, as_found, as_small, counts, write
from satcal.designing.changes import both_faces, exchanges, laid, one_face
from satcal.designing.deciding import unflipped
from satcal.designing.examining import DesignReport, examine
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.report import rendered, report
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.writing import to_toml

HOOKS = Small(
    (("*",) * 3,) * 3, {}, (("A", ("##.", "#..", "###"), 1, True), ("V", ("##", "#."), 1, True))
)


def made(seed: int) -> Puzzle:
    """Return a made-up puzzle; if the seed is even, some reveal has a tiling by construction."""
    return _make(seed, 4, 4, solvable=seed % 2 == 0).load()


@cache
def examined(puzzle: Puzzle) -> DesignReport:
    with ThreadPoolExecutor(1) as executor:
        return examine(puzzle, executor)


# --- what changes -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [2, 4, 6, 11, 13, 19, 46, 67, 99])
def test_every_change_is_counted_as_by_brute_force(seed):
    puzzle = made(seed)
    of, reveals = examined(puzzle), list(puzzle.reveals())
    assert tuple(of.counts.values()) == counts(puzzle, reveals)
    diagram = PuzzleDiagram.build(puzzle)
    changes = [*one_face(diagram, reveals), *both_faces(puzzle, reveals)]
    changes += exchanges(puzzle, of.counts, diagram.diagram.nodes)
    for change in [*changes, *(change for kind in of.tried for change in kind.shown)]:
        assert change.counts in ((), counts(change.puzzle, reveals))
        assert change.refuted_by is None or counts(change.puzzle, [change.refuted_by]) == (0,)
        assert (change.puzzle.cells, change.puzzle.area) == (puzzle.cells, puzzle.area)


@pytest.mark.parametrize("seed", [6, 25, 27, 36, 43, 49, 62, 95, 158])
def test_pieces_are_laid_for_good_where_some_way_solves_all(seed):
    puzzle = made(seed)
    reveals, of = list(puzzle.reveals()), examined(puzzle)
    changes = of.tried[0].shown
    names = sorted({change.text.split()[0] for change in changes if " only as" in change.text})
    names.remove("all")
    ways = itertools.product((False, True), repeat=len(names))
    possible = any(
        min(counts(laid(puzzle, dict(zip(names, way, strict=True))), reveals)) for way in ways
    )
    if all(puzzle.piece(name).copies == 1 for name in names):
        assert changes[-1].solves == possible
        mirrored = unflipped(PuzzleDiagram.build(puzzle), of.counts)
        assert (mirrored is not None) == possible
        if mirrored is not None:
            assert min(counts(laid(puzzle, {name: name in mirrored for name in names}), reveals))
    else:
        assert changes[-1].text == "all pieces only as drawn"


@pytest.mark.parametrize("seed", [15, 29, 53])
def test_labels_change_places_in_every_way(seed):
    puzzle = made(seed)
    small, at = as_small(puzzle), puzzle.label_at
    pairs = [pair for pair in itertools.combinations(puzzle.cells, 2) if at.keys() & {*pair}]
    solving = 0
    for (r, c), (x, y) in pairs:
        board = [list(row) for row in small.board]
        board[r][c], board[x][y] = board[x][y], board[r][c]
        swapped = replace(small, board=tuple(map(tuple, board)))
        solving += all(swapped.tilings(reveal) for reveal in puzzle.reveals())
    known = next(kind for kind in examined(puzzle).tried if kind.kind.startswith("Two labels"))
    assert (known.number, known.solving) == (len(pairs), solving)


@pytest.mark.parametrize(("flip", "classes"), [(True, 1), (False, 2)])
def test_dates_alike_by_a_symmetry_are_one_class(flip, classes):
    board = (("a1", "*", "*", "a2"), ("*", "*", "*", "a3"))
    pieces = (("L", ("###", "#.."), 1, flip), ("I", ("###",), 1, True))
    alike = examined(Small(board, {"a": ("a1", "a2", "a3")}, pieces).load()).equivalent()
    assert len(alike) == classes


# --- advice -------------------------------------------------------------------------------------


def test_each_kind_of_advice_does_what_it_says(tmp_path):
    """The changed puzzle is written, read again, and counted by brute force: all is solved."""
    followed = set()
    for seed in (11, 29, 67, 86, 99, 114):
        puzzle = made(seed)
        text = rendered(report(examined(puzzle)), "markdown")
        assert "How to make" in text
        for kind in examined(puzzle).tried:
            good = [change for change in kind.shown if change.solves]
            for number, change in enumerate(good):
                (tmp_path / "changed.toml").write_text(to_toml(change.puzzle))
                again = load(tmp_path / "changed.toml")
                assert counts(again, puzzle.reveals()) == change.counts
                assert min(change.counts) > 0
                assert f"| {change.text} | 0 |" in text
                assert number >= 3 or f"- {change.text}\n" in text
                followed.add(kind.kind)
    assert len(followed) == 4


# --- reports ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [11, 20, 23, 25, 26, 29, 31])
def test_reports_say_what_is_true(seed):
    puzzle = made(seed)
    of = examined(puzzle)
    texts = {style: rendered(report(of), style) for style in ("text", "markdown", "html")}
    assert all(len(line) <= 100 for line in texts["text"].splitlines())
    headings = re.findall("^## ", texts["markdown"], re.MULTILINE)
    assert texts["html"].count("<h2>") == len(headings)
    assert "<svg" in texts["html"]
    solved = sum(number > 0 for number in counts(puzzle, puzzle.reveals()))
    if puzzle.categories:
        number = len(of.counts)
        said = f"Only {solved} of {number} reveals" if solved < number else "Every reveal"
        assert f"**{said} can be solved**" in texts["markdown"].replace("date", "reveal")
        assert ("How to make" in texts["text"]) == (solved < len(of.counts))
    assert bool(of.hardest) == bool(of.difficulty) == bool(solved)
    if of.hardest:
        reveal, tiling = of.hardest
        assert of.counts[reveal] == min(filter(None, of.counts.values()))
        assert as_found([tiling])[0] in as_small(puzzle).tilings(reveal)
    for each in of.difficulty:
        assert each.tilings == of.counts[each.reveal]


@pytest.mark.parametrize(
    ("right", "wrong"), [("copies = 1", "copies = 2"), ("##.", "#.#"), ("board = ", "board = [")]
)
def test_a_broken_file_gets_the_faults_of_lint(satcal, tmp_path, right, wrong):
    path = tmp_path / "broken.toml"
    path.write_text(HOOKS.text().replace(right, wrong))
    found = [
        line.partition(" (satcal manual")[0] for line in satcal("lint", str(path)).out.splitlines()
    ]
    answer = satcal("check-design", str(path), "--format", "markdown")
    assert answer.code == 2
    assert all(line in answer.out for line in found if "odd, but legal" not in line)


def test_the_report_is_the_same_on_two_cores(satcal, tmp_path):
    board = write(_make(29, 4, 4, solvable=False), tmp_path / "patch.toml")
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    for path, jobs in ((one, "1"), (two, "2")):
        answer = satcal("check-design", str(board), "-o", str(path), "-q", "-j", jobs)
        assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("name", library())
def test_the_advice_about_library_puzzles_is_true(name):
    """One change of each kind is counted again, by the diagram of the changed puzzle."""
    of = examined(load(name))
    for change in [kind.shown[0] for kind in of.tried if kind.shown]:
        true = PuzzleDiagram.build(change.puzzle).counts()
        assert tuple(true[reveal] for reveal in of.counts) == change.counts
    text = rendered(report(of), "html")
    assert text.count("<h2>") >= 3
    assert all(kind.kind in text for kind in of.tried)


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_fits_a_telephone_and_asks_nobody(browser, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(rendered(report(examined(made(29))), "html"))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not asked
    assert page.locator("svg").count() >= 3
    page.close()
