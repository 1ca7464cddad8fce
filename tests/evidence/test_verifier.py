"""The verifier accepts tilings, refuses anything else with the reason, and shares nothing."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Small, by_sat, in_order, parts, small_puzzles

from satcal.counting.tilings import tilings
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement, Puzzle, Tiling
from satcal.puzzle.placements import cover


def as_placements(found: frozenset) -> list[Placement]:
    return [Placement(name, tuple(cells)) for name, cells in parts(found)]


@pytest.fixture(scope="module")
def tiling(daily: Puzzle) -> Tiling:
    return next(tilings(daily, ("Oct", "6"), by_sat()))


@pytest.fixture
def verifier(daily: Puzzle) -> Verifier:
    return Verifier(daily, ("Oct", "6"))


@given(small_puzzles(solvable=True))
@settings(max_examples=60)
def test_every_tiling_of_a_random_puzzle_is_accepted_in_any_order(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals():
        verifier = Verifier(puzzle, reveal)
        for found in in_order(small.tilings(reveal))[:20]:
            placed = as_placements(found)
            assert verifier.fault(placed) is None
            assert verifier.fault(reversed(placed)) is None


@given(small_puzzles(), st.data())
@settings(max_examples=150)
def test_a_list_of_placements_is_accepted_just_when_it_is_a_tiling(
    small: Small, data: st.DataObject
) -> None:
    puzzle, reveal = small.load(), small.reveals()[0]
    expected = small.tilings(reveal)
    some = [*cover(puzzle, reveal).placements] or [Placement("A", ())]
    placed = data.draw(st.lists(st.sampled_from(some), max_size=5))
    for found in in_order(expected)[:1]:  # or a tiling in which one thing is changed
        placed = data.draw(st.sampled_from([placed, [*as_placements(found)[1:], *placed[:1]]]))
    is_tiling = frozenset((p.piece, frozenset(p.cells)) for p in placed) in expected
    once = len(set(placed)) == len(placed)
    assert (Verifier(puzzle, reveal).fault(placed) is None) == (is_tiling and once)


def test_a_right_tiling_has_no_fault(verifier: Verifier, tiling: Tiling) -> None:
    assert verifier.fault(tiling) is None


def test_an_unknown_piece_is_refused(verifier: Verifier, tiling: Tiling) -> None:
    wrong = [Placement("X", tiling[0].cells), *tiling[1:]]
    assert verifier.fault(wrong) == "there is no piece X"


def test_a_cell_off_the_board_is_refused(verifier: Verifier) -> None:
    assert verifier.fault([Placement("O", ((0, 6), (0, 5)))]) == (
        "O covers r0c6, which is not on the board"
    )
    assert verifier.fault([Placement("O", ((-1, 0),))]) == (
        "O covers r-1c0, which is not on the board"
    )


def test_a_revealed_cell_is_refused(verifier: Verifier) -> None:
    assert verifier.fault([Placement("O", ((1, 3),))]) == (
        "O covers r1c3, which the reveal leaves uncovered"
    )


def test_a_cell_that_is_covered_twice_is_refused(verifier: Verifier, tiling: Tiling) -> None:
    row, column = tiling[0].cells[0]
    name = tiling[0].piece
    assert verifier.fault([*tiling, tiling[0]]) == (
        f"{name} covers r{row}c{column}, which is covered already"
    )


def test_a_placement_that_names_a_cell_twice_is_refused(verifier: Verifier) -> None:
    cells = ((0, 0), (0, 0), (0, 1), (0, 2), (1, 0), (1, 1))
    assert verifier.fault([Placement("O", cells)]) == ("O covers r0c0, which is covered already")


@pytest.mark.parametrize(
    "cells",
    [
        (),
        ((0, 0),),
        ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5)),
        ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 2)),
    ],
)
def test_cells_that_are_no_copy_of_the_drawing_are_refused(
    verifier: Verifier, cells: tuple[tuple[int, int], ...]
) -> None:
    assert verifier.fault([Placement("O", cells)]) == (
        "the cells of O are no rotated or flipped copy of its drawing"
    )


def test_a_piece_that_is_missing_is_refused(verifier: Verifier, tiling: Tiling) -> None:
    assert verifier.fault(tiling[1:]) == f"{tiling[0].piece} is used 0 times, not 1"
    assert verifier.fault([]) == "O is used 0 times, not 1"


def test_a_piece_that_is_used_too_often_is_refused(two_l4: Small) -> None:
    placed = as_placements(in_order(two_l4.tilings(()))[0])
    once = Small(two_l4.board, {}, (("L4", ("###", "#.."), 1, True), ("O4", ("##", "##"), 1, True)))
    assert Verifier(two_l4.load(), ()).fault(placed) is None
    assert Verifier(once.load(), ()).fault(placed) == "L4 is used 2 times, not 1"


def test_cells_that_stay_uncovered_are_refused() -> None:
    small = Small((("*", "*", "*"),), {}, (("A", ("#",), 1, True), ("I2", ("##",), 1, True)))
    puzzle = small.load()
    import dataclasses

    larger = dataclasses.replace(puzzle, cells=(*puzzle.cells, (1, 0)))
    placed = [Placement("A", ((0, 0),)), Placement("I2", ((0, 1), (0, 2)))]
    assert Verifier(puzzle, ()).fault(placed) is None
    assert Verifier(larger, ()).fault(placed) == "r1c0 is not covered"


@pytest.mark.parametrize(("flip", "accepted"), [(True, True), (False, False)])
def test_a_piece_that_may_not_be_turned_over_is_not(flip: bool, accepted: bool) -> None:
    pieces = (("L4", ("###", "#.."), 1, flip), ("O4", ("##", "##"), 1, True))
    puzzle = Small((("*",) * 4,) * 2, {}, pieces).load()
    # its mirror image, which no rotation makes
    mirrored = [Placement("L4", ((0, 0), (0, 1), (0, 2), (1, 2)))]
    turned = [Placement("L4", ((0, 2), (1, 0), (1, 1), (1, 2)))]
    fault = Verifier(puzzle, ()).fault
    assert (fault(mirrored) == "O4 is used 0 times, not 1") == accepted
    assert fault(turned) == "O4 is used 0 times, not 1"


def test_pieces_with_the_same_orientations_count_together_under_any_of_their_names() -> None:
    pieces = (("A", ("###", "#.."), 1, True), ("B", ("#..", "###"), 1, True))
    small = Small((("*",) * 4,) * 2, {}, pieces)
    verifier = Verifier(small.load(), ())
    one, two = (placed.cells for placed in as_placements(in_order(small.tilings(()))[0]))
    assert verifier.fault([Placement("A", one), Placement("A", two)]) is None
    assert verifier.fault([Placement("A", one), Placement("B", two)]) is None
    assert verifier.fault([Placement("B", one)]) == "A is used 1 times, not 2"


def test_a_wide_label_stays_uncovered_as_a_whole() -> None:
    small = Small((("x0", "x0", "*"),), {"x": ("x0",)}, (("A", ("#",), 1, True),))
    verifier = Verifier(small.load(), ("x0",))
    assert verifier.fault([Placement("A", ((0, 2),))]) is None
    assert verifier.fault([Placement("A", ((0, 1),))]) == (
        "A covers r0c1, which the reveal leaves uncovered"
    )


def test_it_imports_nothing_of_satcal() -> None:
    found = importlib.util.find_spec("satcal.proof.verifier")
    assert found is not None and found.origin is not None
    tree = ast.parse(Path(found.origin).read_text(encoding="utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level
            imported.add(str(node.module))
        elif isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
    assert imported <= {"__future__", "collections.abc", "typing"}


def test_using_it_loads_no_encoder_solver_shape_or_placement() -> None:
    program = (
        "import sys; import satcal.proof.verifier; "
        "print(*sorted(name for name in sys.modules if name.split('.')[0] in "
        "('satcal', 'pysat', 'networkx', 'numpy')))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert said.stdout.split() == ["satcal", "satcal.proof", "satcal.proof.verifier"]
