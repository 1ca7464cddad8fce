"""Every encoding of a whole cover has the tilings as its models, and no others."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, example, given, settings

from helpers.puzzles import Small, domino_rectangle, small_puzzles
from helpers.solvers import found_options, models
from satcal.encoding import ENCODINGS, encode, plain
from satcal.encoding.cardinality import BOUND_ONE_ONLY
from satcal.encoding.formula import constraints
from satcal.errors import TooLarge
from satcal.puzzle.demands import parse_demands, place
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover_of

KNOW_NO_COPIES = [f"card-{name}" for name in BOUND_ONE_ONLY]
MANY = 200  # more tilings than this only make a test slow
NOTHING_FITS = Small((("*", "*", "*"),), {}, (("L", ("##", "#."), 1, True),))
# three dominoes and two A fill the board, too, and no pair of them is too many
COPIES = Small((("*",) * 4,) * 2, {}, (("I2", ("##",), 2, True), ("A", ("#",), 4, True)))


@pytest.mark.parametrize("name", ENCODINGS)
@given(small=small_puzzles())
@example(small=NOTHING_FITS)
@example(small=COPIES)
@settings(max_examples=15)
def test_its_models_are_the_tilings_without_projection_too_if_it_is_determined(
    name: str, small: Small
) -> None:
    puzzle = small.load()
    assume(name not in KNOW_NO_COPIES or all(p.copies == 1 for p in puzzle.pieces))
    every = small.solutions(None)
    assume(len(every) < MANY)
    for reveal in [*small.reveals()[:2], None]:
        cover = cover_of(puzzle, reveal)
        expected = every if reveal is None else small.solutions(reveal)
        formula = encode(cover, name)
        found = [found_options(cover, model) for model in models(formula, shown_only=True)]
        assert len(found) == len(expected)
        assert set(found) == expected
        if ENCODINGS[name].determined and ENCODINGS[name].dimacs:
            assert sum(1 for _ in models(formula, shown_only=False)) == len(expected)


@given(small=small_puzzles())
@settings(max_examples=40)
def test_plain_has_one_clause_for_each_cell_piece_and_conflicting_pair(small: Small) -> None:
    puzzle = small.load()
    cover = cover_of(puzzle, small.reveals()[0])
    placed = [place(cover, parse_demands(puzzle, [str(p)])) for p in cover.placements[:3]]
    for each in (cover, cover_of(puzzle, None), *placed):
        expected = set()
        for _, bound, literals in constraints(each):
            expected.add(frozenset(literals))
            pairs = combinations(literals, 2) if bound == 1 else ()
            expected.update(frozenset({-a, -b}) for a, b in pairs)
        clauses = [frozenset(clause) for clause in encode(each, "plain").clauses]
        assert len(set(clauses)) == len(clauses)
        assert expected <= set(clauses)
        assert expected == set(clauses) or any(piece.copies > 1 for piece in puzzle.pieces)


def test_plain_needs_no_clause_for_copies_that_fill_the_board() -> None:
    small = Small((("*",) * 32,) * 32, {}, (("A", ("#",), 1024, True),))
    assert len(encode(cover_of(small.load(), ()), "plain").clauses) == 1024 + 1


def test_copies_or_boards_that_take_too_many_clauses_are_refused_and_not_waited_for(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "MAX_CLAUSES", 50_000)
    pieces = (("I2", ("##",), 25, True), ("A", ("#######", "#######"), 1, True))
    copies = cover_of(Small(domino_rectangle(8, 8).board, {}, pieces).load(), ())
    for name in ("plain", "owner"):
        with pytest.raises(TooLarge, match="have copies, which conflict in sets and not in pairs"):
            encode(copies, name)
    with pytest.raises(TooLarge, match="more than 50000 steps: the board is large"):
        encode(cover_of(daily, ("Oct", "6")), "plain")


def test_every_variable_has_a_name_that_says_what_it_means(daily: Puzzle) -> None:
    ladder, owner = (encode(cover_of(daily, None), name) for name in ("ladder", "owner"))
    assert len(set(ladder.names)) == len(ladder.names)
    assert (ladder.names[0], ladder.names[ladder.shown - 1]) == (
        "place O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2",
        "reveal 31",
    )
    assert "cell r1c0 covered from cell r0c0 or before" in ladder.names
    assert "O starts at cell r0c0 or before" in ladder.names
    assert "owner of cell r0c0 is month" in owner.names
