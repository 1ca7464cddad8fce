"""Every method, encoding and solver finds exactly the tilings that brute force finds."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from small import Small, as_found, by_sat, domino_rectangle, in_order, small_puzzles

from satcal.counting.count import count_reveals
from satcal.counting.sat import solver_names
from satcal.counting.settings import Settings, Status
from satcal.counting.tilings import tilings
from satcal.encoding import ENCODINGS
from satcal.encoding.cardinality import BOUND_ONE_ONLY
from satcal.encoding.lemmas import LEVELS
from satcal.errors import Missing, OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands

KNOW_NO_COPIES = [f"card-{name}" for name in BOUND_ONE_ONLY]
NOT_BUILT = ("cryptosat", "minisatgh")
SOLVERS = [name for name in solver_names() if name not in NOT_BUILT]


DIAGRAM = Settings(method="diagram", use_cache=False)


def check(small: Small, how: Settings, reveals: int = 3) -> None:
    """Compare a method's tilings of some reveals with the brute force."""
    puzzle = small.load()
    for reveal in small.reveals()[:reveals]:
        found = as_found(tilings(puzzle, reveal, how))
        assert len(found) == len(set(found)), "a tiling came twice"
        assert set(found) == small.tilings(reveal)


def needs_bounds(small: Small) -> bool:
    """Return whether some piece has copies, also under another name."""
    return any(piece.copies > 1 for piece in small.load().pieces)


@given(small_puzzles())
@settings(max_examples=120)
def test_search_finds_the_tilings_of_random_puzzles(small: Small) -> None:
    check(small, Settings(method="search"))


@given(small_puzzles())
@settings(max_examples=60)
def test_the_diagram_has_the_tilings_of_random_puzzles(small: Small) -> None:
    check(small, DIAGRAM, reveals=9)


@given(small_puzzles(solvable=True))
@settings(max_examples=60)
def test_sat_finds_the_tilings_of_puzzles_that_are_solvable_by_construction(small: Small) -> None:
    check(small, Settings(method="sat"), reveals=9)


@given(small_puzzles(solvable=False))
@settings(max_examples=60)
def test_sat_finds_the_tilings_of_puzzles_of_which_only_the_area_adds_up(small: Small) -> None:
    check(small, Settings(method="sat"), reveals=9)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(small=small_puzzles())
@settings(max_examples=12)
def test_every_encoding_counts_like_brute_force_or_says_that_it_knows_no_copies(
    encoding: str, small: Small
) -> None:
    how = by_sat(encoding=encoding)
    if encoding in KNOW_NO_COPIES and needs_bounds(small):
        with pytest.raises(OptionError, match="cannot express a bound"):
            check(small, how, reveals=1)
    else:
        check(small, how)


@pytest.mark.parametrize("solver", SOLVERS)
@given(small=small_puzzles())
@settings(max_examples=8)
def test_every_solver_counts_like_brute_force(solver: str, small: Small) -> None:
    check(small, by_sat(solver=solver, encoding="plain"))


@pytest.mark.parametrize(("lemmas", "order"), list(itertools.product(LEVELS, ("static", "free"))))
@given(small=small_puzzles())
@settings(max_examples=10)
def test_lemmas_and_decision_order_change_no_tiling(lemmas: str, order: str, small: Small) -> None:
    check(small, by_sat(lemmas=lemmas, order=order))


@pytest.mark.parametrize("name", NOT_BUILT)
def test_a_solver_that_is_not_built_in_is_missing_and_not_wrong(name: str, daily: Puzzle) -> None:
    with pytest.raises(Missing, match=rf"solver {name}: this build of PySAT does not contain it"):
        next(tilings(daily, ("Oct", "6"), by_sat(solver=name)))


@pytest.mark.parametrize(
    "how",
    [Settings(method="search"), DIAGRAM, *(by_sat(encoding=name) for name in ENCODINGS)],
    ids=["search", "diagram", *ENCODINGS],
)
def test_two_l4_in_a_rectangle_have_two_tilings_not_one_and_not_four(
    two_l4: Small, how: Settings
) -> None:
    if how.method == "sat" and how.encoding in KNOW_NO_COPIES:
        with pytest.raises(OptionError, match="cannot express a bound of 2"):
            list(tilings(two_l4.load(), (), how))
        return
    assert len(list(tilings(two_l4.load(), (), how))) == 2


@pytest.mark.parametrize("method", ["sat", "search"])
def test_an_l4_and_a_j4_that_may_not_be_turned_over_are_no_copies_of_each_other(
    method: str,
) -> None:
    board = (("*",) * 4,) * 2
    for flip, expected in ((True, 2), (False, 0)):
        pieces = (("L4", ("###", "#.."), 1, flip), ("J4", ("###", "..#"), 1, flip))
        small = Small(board, {}, pieces)
        assert len(small.tilings(())) == expected
        check(small, Settings(method=method))


@pytest.mark.parametrize("method", ["sat", "search"])
def test_copies_that_only_one_may_turn_over_keep_their_names(method: str) -> None:
    pieces = (("A", ("###", "#.."), 1, True), ("B", ("###", "#.."), 1, False))
    small = Small((("*",) * 4,) * 2, {}, pieces)
    assert len(small.tilings(())) == 2
    check(small, Settings(method=method))


@pytest.mark.parametrize("method", ["sat", "search"])
@pytest.mark.parametrize(("width", "count"), [(2, 2), (5, 8), (8, 34), (10, 89)])
def test_dominoes_in_two_rows_are_counted_by_fibonacci_numbers(
    method: str, width: int, count: int
) -> None:
    puzzle = domino_rectangle(2, width).load()
    assert len(list(tilings(puzzle, (), Settings(method=method)))) == count


def test_the_8_by_8_board_of_64_cells_is_counted_right_where_masks_use_every_bit() -> None:
    # a 6 x 8 part is filled, 2 x 8 is left: the masks use all 64 bits
    demands = [f"I2:r{row}c{c},r{row}c{c + 1}" for row in range(6) for c in range(0, 8, 2)]
    puzzle = domino_rectangle(8, 8).load()
    placed = tuple(parse_demands(puzzle, demands))
    assert len(list(tilings(puzzle, (), by_sat(demands=placed)))) == 34


@pytest.mark.parametrize("method", ["sat", "search"])
@pytest.mark.parametrize(("date", "count"), [("2025-10-06", 7), ("2025-12-01", 26)])
def test_published_counts_of_the_43_cell_board_come_out(
    daily: Puzzle, method: str, date: str, count: int
) -> None:
    assert len(list(tilings(daily, daily.reveal(date), Settings(method=method)))) == count


def test_christmas_has_92_tilings_by_sat_and_the_same_by_search(daily: Puzzle) -> None:
    reveal = daily.reveal("2025-12-25")
    found = as_found(tilings(daily, reveal, by_sat()))
    assert len(found) == len(set(found)) == 92
    assert set(found) == set(as_found(tilings(daily, reveal, Settings(method="search"))))


@pytest.mark.parametrize("method", ["sat", "diagram"])
def test_3_by_20_has_its_eight_tilings_when_one_piece_is_placed_as_in_them(method: str) -> None:
    puzzle = load("pentomino-3x20")
    everything = as_found(tilings(puzzle, (), by_sat()))
    assert len(everything) == 8
    fixed = next(cells for name, cells in in_order(everything)[0] if name == "X")
    text = "X:" + ",".join(f"r{r}c{c}" for r, c in sorted(fixed))
    demands = tuple(parse_demands(puzzle, [text]))
    how = Settings(method=method, demands=demands, use_cache=False)
    expected = {found for found in everything if ("X", fixed) in found}
    assert set(as_found(tilings(puzzle, (), how))) == expected


@pytest.mark.long
def test_all_372_reveals_sum_to_25061_by_sat_and_40_of_them_agree_by_search(daily: Puzzle) -> None:
    reveals = list(daily.reveals())
    counted = dict(count_reveals(daily, reveals, by_sat()))
    assert {outcome.status for outcome in counted.values()} == {Status.EXACT}
    assert len(counted) == 372
    assert sum(outcome.tilings for outcome in counted.values()) == 25_061
    counts = {reveal: outcome.tilings for reveal, outcome in counted.items()}
    assert (counts["Jan", "25"], counts["Jan", "20"]) == (216, 195)
    assert min(counts.values()) == 7
    sample = reveals[:: len(reveals) // 40][:40]
    by_search = dict(count_reveals(daily, sample, Settings(method="search")))
    assert by_search == {reveal: counted[reveal] for reveal in sample}


@pytest.mark.long
@pytest.mark.parametrize("board", ["rhombus", "weekday"])
def test_five_reveals_of_the_50_cell_boards_agree_by_sat_and_search(board: str) -> None:
    puzzle = load(board)
    sample = list(puzzle.reveals())[:: 2604 // 5][:5]
    counted = dict(count_reveals(puzzle, sample, by_sat()))
    assert dict(count_reveals(puzzle, sample, Settings(method="search"))) == counted
