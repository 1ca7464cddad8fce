"""The puzzle: reveals, pieces that are copies of each other, placements, digest."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from small import Small, small_puzzles

from satcal.errors import RevealError
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover, number_of_placements, placements
from satcal.puzzle.shapes import normalise

DAILY = dict(zip("OVZULYNP", (48, 80, 82, 96, 151, 154, 154, 196), strict=True))
WEEKDAY = {
    "I4": 55, "V": 100, "Z": 102, "T": 102, "U": 118, "S4": 122, "L": 191, "N": 194, "P": 240,
    "L4": 242,
}  # fmt: skip
SIZES = {
    "a-puzzle-a-day": (43, 372), "jarring-words": (43, 372), "crea-makerspace": (43, 372),
    "tetromino": (43, 372), "rhombus": (50, 2604), "weekday": (50, 2604),
    "weekday-monday": (50, 2604), "pentomino-6x10": (60, 1), "pentomino-5x12": (60, 1),
    "pentomino-4x15": (60, 1), "pentomino-3x20": (60, 1), "pentomino-8x8-hole": (60, 1),
    "pentomino-8x8": (64, 1), "sh1ura-9": (49, 372), "sh1ura-10": (49, 372),
    "sh1ura-11": (49, 372),
}  # fmt: skip


@pytest.fixture
def l_and_j() -> Puzzle:
    pieces = (("L4", ("###", "#.."), 1, True), ("J4", ("###", "..#"), 1, True))
    return Small((("*",) * 4,) * 2, {}, pieces).load()


@pytest.mark.parametrize(
    ("board", "expected", "orientations"),
    [("a-puzzle-a-day", DAILY, 46), ("weekday", WEEKDAY, 54), ("weekday-monday", WEEKDAY, 54)],
)
def test_the_published_numbers_of_placements_and_orientations_come_out(
    board: str, expected: dict[str, int], orientations: int
) -> None:
    puzzle = load(board)
    found = list(placements(puzzle, puzzle.cells))
    assert len(found) == len(set(found)) == number_of_placements(puzzle)
    assert {p.name: sum(each.piece == p.name for each in found) for p in puzzle.pieces} == expected
    assert sum(len(piece.orientations) for piece in puzzle.pieces) == orientations


def test_every_library_puzzle_loads_and_has_its_size() -> None:
    assert set(library()) == set(SIZES)
    for name, size in SIZES.items():
        puzzle = load(name)
        assert puzzle.name == name
        assert puzzle.title and puzzle.source
        assert (len(puzzle.cells), len(list(puzzle.reveals()))) == size


def test_placements_come_by_piece_then_orientation_then_row_and_column(two_l4: Small) -> None:
    puzzle = two_l4.load()
    shapes = puzzle.pieces[0].orientations
    found = list(placements(puzzle, puzzle.cells))
    keys = [(shapes.index(normalise(p.cells)), p.cells[0]) for p in found]
    assert keys == sorted(keys)
    assert str(found[0]) == "L4:r0c0,r0c1,r0c2,r1c0"


@given(small_puzzles())
@settings(max_examples=40)
def test_a_cover_has_placements_on_free_cells_and_if_open_then_labels(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals():
        whole = cover(puzzle, reveal)
        free = set(puzzle.cells) - puzzle.uncovered(reveal)
        assert set(whole.cells) == free
        assert len(free) == puzzle.area
        for placement in whole.placements:
            assert free.issuperset(placement.cells)
            assert list(placement.cells) == sorted(placement.cells)
    whole = cover(puzzle, None)
    labels = [getattr(option, "text", "") for option in whole.options[len(whole.placements) :]]
    assert labels == [text for texts in puzzle.categories.values() for text in texts]
    names = [name for name, _, _ in whole.items]
    assert names == [*(piece.name for piece in puzzle.pieces), *puzzle.categories]
    by_item = [(number, item) for item, (_, _, ns) in enumerate(whole.items) for number in ns]
    assert sorted(by_item) == list(enumerate(whole.item_of))


def test_pieces_with_equal_orientations_are_copies_of_the_first_unless_one_is_not_turned_over(
    l_and_j: Puzzle,
) -> None:
    assert [(piece.name, piece.copies) for piece in l_and_j.pieces] == [("L4", 2)]
    assert l_and_j.piece("J4").name == "L4"
    assert l_and_j.area == 8
    for flip in ("none", "L4", "J4"):
        flipped = l_and_j.with_flips(flip)
        assert [(piece.name, piece.copies) for piece in flipped.pieces] == [("L4", 1), ("J4", 1)]
        assert [p.flip for p in flipped.drawn] == [flip == "L4", flip == "J4"]
    assert l_and_j.with_flips("none").with_flips("all").pieces == l_and_j.pieces
    assert l_and_j.with_flips("J4,L4").pieces == l_and_j.pieces


def test_labels_are_found_in_any_case_unless_they_differ_in_case_alone(daily: Puzzle) -> None:
    assert daily.check_reveal(("6", "OCT")) == ("Oct", "6")
    board, categories = (("ab", "aB", "*"),), {"x": ("ab", "aB")}
    puzzle = Small(board, categories, (("I2", ("##",), 1, True),)).load()
    assert puzzle.check_reveal(("aB",)) == ("aB",)
    with pytest.raises(RevealError) as refused:
        puzzle.check_reveal(("AB",))
    assert str(refused.value) == "reveal: 'AB' may be ab or aB; write capitals as the board does"


def test_a_puzzle_goes_to_a_process_and_back(daily: Puzzle) -> None:
    assert daily.pieces
    copy = pickle.loads(pickle.dumps(daily))
    assert (copy, copy.digest) == (daily, daily.digest)


def test_the_digest_depends_on_what_decides_a_count_and_on_nothing_else(
    l_and_j: Puzzle, daily: Puzzle
) -> None:
    copies = Small((("*",) * 4,) * 2, {}, (("L", ("#..", "###"), 2, True),)).load()
    assert copies.digest == l_and_j.digest
    assert len({l_and_j.with_flips(flip).digest for flip in ("all", "L4", "none")}) == 3
    turned = daily.with_flips("N,P,Y,L,Z")  # the others are their own mirror images
    assert turned.digest == daily.digest
    assert len({load(name).digest for name in library()}) == len(library())
