"""check-design: what its reports say is what brute force says, and its advice does what it says."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from small import Small, _make, as_found

from satcal.design.changes import Change, both_faces, exchanges, laid, one_face
from satcal.design.examining import Examination, examine
from satcal.design.upright import holding
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.draw.report import rendered, report
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.writing import to_toml

SEEDS = [*range(2, 11), 13, 19]


def small_of(puzzle: Puzzle) -> Small:
    """Return a puzzle as the brute force takes it: drawn, without its placements."""
    at = {cell: label.text for cell, label in puzzle.label_at.items()}
    tokens = dict.fromkeys(puzzle.cells, "*") | at
    board = tuple(
        tuple(tokens.get((row, column), ".") for column in range(puzzle.columns))
        for row in range(puzzle.rows)
    )
    pieces = []
    for piece in puzzle.drawn:
        high, wide = (1 + max(axis) for axis in zip(*piece.shape, strict=True))
        rows = tuple("".join(".#"[(r, c) in piece.shape] for c in range(wide)) for r in range(high))
        pieces.append((piece.name, rows, piece.copies, piece.flip))
    return Small(board, dict(puzzle.categories), tuple(pieces))


def counts(puzzle: Puzzle, reveals: list[Reveal]) -> tuple[int, ...]:
    small = small_of(puzzle)
    return tuple(len(small.tilings(reveal)) for reveal in reveals)


def made(seed: int) -> Puzzle:
    """Return a made-up puzzle; if the seed is even, some reveal has a tiling by construction."""
    return _make(seed, 4, 4, solvable=seed % 2 == 0).load()


@cache
def examined(puzzle: Puzzle) -> Examination:
    with ThreadPoolExecutor(1) as executor:
        return examine(puzzle, executor)


def said(change: Change, puzzle: Puzzle, reveals: list[Reveal]) -> None:
    """Check a change: what it says of its puzzle, and that this is the old one but for it."""
    if change.counts:
        assert change.counts == counts(change.puzzle, reveals)
    if change.refuted_by:
        assert not counts(change.puzzle, [change.refuted_by])[0]
    assert change.puzzle.cells == puzzle.cells
    assert change.puzzle.area == puzzle.area


# --- what changes -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_of_a_made_up_puzzle_is_what_brute_force_says(seed: int) -> None:
    puzzle = made(seed)
    of, reveals = examined(puzzle), list(puzzle.reveals())
    assert tuple(of.counts.values()) == counts(puzzle, reveals)
    diagram = PuzzleDiagram.build(puzzle)
    every = [*one_face(diagram, reveals), *both_faces(puzzle, reveals)]
    for foreign in (False, True):
        every += exchanges(puzzle, of.counts, diagram.diagram.nodes, foreign)
    for change in [*every, *(change for kind in of.tried for change in kind.shown)]:
        said(change, puzzle, reveals)
    for reveal in reveals:
        tilings = as_found(diagram.tilings(reveal))
        firm = [tiling for tiling in tilings if not any(falls(p, tiling) for p in tiling)]
        assert of.held[reveal] == len(firm)


def falls(piece: tuple[str, frozenset[tuple[int, int]]], tiling: object) -> bool:
    """Return whether a piece can go down, step by step, until it is below the board."""
    others = {cell for other in tiling if other is not piece for cell in other[1]}
    cells = piece[1]
    for _ in range(20):
        cells = frozenset((row + 1, column) for row, column in cells)
        if cells & others:
            return False
    return True


@pytest.mark.parametrize("seed", [0, 6, 10, 16, 24, 25, 29, 43, 52])
def test_pieces_are_laid_for_good_exactly_where_some_way_solves_all(seed: int) -> None:
    puzzle = made(seed)
    reveals, of = list(puzzle.reveals()), examined(puzzle)
    one_face = of.tried[0].shown
    names = sorted({change.text.split()[0] for change in one_face if " only as" in change.text})
    names.remove("all")
    ways = [dict(zip(names, way, strict=True)) for way in product((False, True), repeat=len(names))]
    possible = any(min(counts(laid(puzzle, way), reveals)) for way in ways)
    single = all(puzzle.piece(name).copies == 1 for name in names)
    assert one_face[-1].solves == (possible if single else one_face[2 * len(names)].solves)


HOOKS = Small(
    (("*",) * 3,) * 3, {}, (("A", ("##.", "#..", "###"), 1, True), ("V", ("##", "#."), 1, True))
)


def test_tilings_that_hold_are_those_of_which_no_piece_falls(daily: Puzzle) -> None:
    """Two hooks hold each other in some of the ways they lie; and the dates of a sold board."""
    for puzzle, reveals in (
        (HOOKS.load(), [()]),
        (daily, [("Oct", str(day)) for day in range(1, 32)]),
    ):
        diagram = PuzzleDiagram.build(puzzle)
        held = holding(diagram, reveals)
        for reveal in reveals:
            tilings = as_found(diagram.tilings(reveal))
            firm = [tiling for tiling in tilings if not any(falls(p, tiling) for p in tiling)]
            assert held[reveal] == len(firm)
        assert 0 < sum(held.values()) < diagram.count()


@pytest.mark.parametrize("seed", [18, 29, 37, 53])
def test_labels_that_change_places_are_tried_in_every_way(seed: int) -> None:
    puzzle = made(seed)
    reveals, at = list(puzzle.reveals()), puzzle.label_at
    known = next(kind for kind in examined(puzzle).tried if kind.kind.startswith("Two labels"))
    solving = 0
    pairs = [p for p in itertools.combinations(puzzle.cells, 2) if at.keys() & {*p}]
    small = small_of(puzzle)
    for (r, c), (x, y) in pairs:
        board = [list(row) for row in small.board]
        board[r][c], board[x][y] = board[x][y], board[r][c]
        swapped = replace(small, board=tuple(map(tuple, board)))
        solving += all(swapped.tilings(reveal) for reveal in reveals)
    assert (known.number, known.solving) == (len(pairs), solving)


def test_dates_that_a_symmetry_makes_one_have_the_same_tilings() -> None:
    board = (("a1", "*", "*", "a2"), ("*", "*", "*", "a3"))
    for flip, classes in ((True, 1), (False, 2)):
        pieces = (("L", ("###", "#.."), 1, flip), ("I", ("###",), 1, True))
        puzzle = Small(board, {"a": ("a1", "a2", "a3")}, pieces).load()
        assert len(examined(puzzle).equivalent()) == classes
    rhombus = load("rhombus")
    tilings = open_diagram(rhombus, list(rhombus.reveals())).counts()
    dates = {reveal: n for reveal, n in tilings.items() if rhombus.calendar.is_date(reveal)}
    of = replace(examined(puzzle), puzzle=rhombus, counts=dates)
    assert len(of.equivalent()) == 993
    for some in of.equivalent():
        assert len({of.counts[reveal] for reveal in some}) == 1


# --- advice -------------------------------------------------------------------------------------


def test_each_kind_of_advice_was_followed_and_did_what_it_said(tmp_path: Path) -> None:
    """The changed puzzle is written, read again, and counted by brute force: all is solved."""
    followed: Counter[str] = Counter()
    for seed in (11, 21, 24, 27, 29, 114):
        puzzle = made(seed)
        of = examined(puzzle)
        text = rendered(report(of), "markdown")
        for kind in of.tried if "So that" in text else ():
            good = [change for change in kind.shown if change.solves]
            for change in good:
                (tmp_path / "changed.toml").write_text(to_toml(change.puzzle))
                followed[kind.kind] += 1
                again = load(tmp_path / "changed.toml")
                assert counts(again, list(puzzle.reveals())) == change.counts
                assert min(change.counts) > 0
            assert all(f"| {each.text} | 0 |" in text for each in good)
            assert all(f"- {each.text}\n" in text for each in good[:3])
    assert len(followed) == 5, followed


# --- reports ------------------------------------------------------------------------------------

ONE_SIDED = replace(HOOKS, pieces=tuple((*piece[:3], False) for piece in HOOKS.pieces))
WIDE = Small(
    (("Feb", "Feb", "*"), ("*", "Jan", "Jan"), ("*", "*", "*")), {"month": ("Jan", "Feb")},
    (("L", ("###", "#.."), 1, True), ("I", ("###",), 1, True)),
)  # fmt: skip
NONE = Small(
    (("*",) * 4,) * 4, {}, (("X", (".#.", "###", ".#."), 1, True), ("I", ("#" * 11,), 1, True))
)
BROKEN = {
    "area": HOOKS.text().replace("copies = 1", "copies = 2"),
    "label": WIDE.text().replace("'Feb'", "'Fbe'"),
    "piece": HOOKS.text().replace("##.", "#.#"),
    "toml": "board = [",
}


@pytest.mark.parametrize("puzzle", [*range(20, 33), HOOKS, ONE_SIDED, WIDE, NONE], ids=str)
def test_reports_of_made_up_puzzles_say_what_is_true(puzzle: int | Small) -> None:
    """Good, odd and hardly solvable ones; with the broken ones below they are twenty-one."""
    loaded = made(puzzle) if isinstance(puzzle, int) else puzzle.load()
    of = examined(loaded)
    texts = {style: rendered(report(of), style) for style in ("text", "markdown", "html")}
    assert all(len(line) <= 100 for line in texts["text"].splitlines())
    assert texts["html"].count("<h2>") == len(re.findall("^## ", texts["markdown"], re.MULTILINE))
    assert "<svg" in texts["html"]
    solved = sum(number > 0 for number in counts(loaded, list(loaded.reveals())))
    if loaded.categories:
        assert f"can be solved**: {solved} of {len(of.counts)}." in texts["markdown"]
        assert ("So that" in texts["text"]) == (solved < len(of.counts))
    assert bool(of.hardest) == bool(solved)
    if of.hardest:
        reveal, tiling = of.hardest
        assert of.counts[reveal] == min(filter(None, of.counts.values()))
        assert as_found([tiling])[0] in small_of(loaded).tilings(reveal)
    assert [d.tilings for d in of.difficulty] == [of.counts[d.reveal] for d in of.difficulty]
    assert bool(of.difficulty) == bool(solved)
    assert rendered(report(of), "html") == texts["html"]


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_file_gets_the_faults_that_lint_finds(satcal, tmp_path: Path, fault: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(BROKEN[fault])
    found = [line.partition(" (see")[0] for line in satcal("lint", str(path)).out.splitlines()]
    answer = satcal("check-design", str(path), "--format", "markdown")
    assert answer.code == 2
    assert all(line in answer.out for line in found if "odd, but legal" not in line)


def test_the_report_is_the_same_on_one_core_and_on_two_and_goes_to_a_file(
    satcal, tmp_path: Path
) -> None:
    path = tmp_path / "patch.toml"
    path.write_text(to_toml(made(29)))
    for name, jobs in (("a.html", "1"), ("b.html", "2"), ("a.md", "1"), ("b.md", "2")):
        answer = satcal("check-design", str(path), "-o", str(tmp_path / name), "-q", "-j", jobs)
        assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes()
    refused = satcal("check-design", str(path), "-o", str(tmp_path / "a.csv"))
    assert (refused.code, "end the file's name with .md, .html" in refused.err) == (2, True)


@pytest.mark.long
@pytest.mark.parametrize("name", library())
def test_every_library_puzzle_has_a_report_whose_advice_is_true(name: str) -> None:
    """One change of each kind is counted again, by the diagram of the changed puzzle."""
    puzzle = load(name)
    of = examined(puzzle)
    for change in [kind.shown[0] for kind in of.tried if kind.shown]:
        true = PuzzleDiagram.build(change.puzzle).counts()
        assert tuple(true[reveal] for reveal in of.counts) == change.counts
    assert of.near[0] == (name, 0, 0, 0)
    text = rendered(report(of), "html")
    assert text.count("<h2>") >= 5
    assert all(kind.kind in text for kind in of.tried)


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_fits_a_telephone_and_asks_nobody(browser: Browser, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(rendered(report(examined(made(29))), "html"))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not asked
    assert page.locator("svg").count() >= 3
    page.close()
