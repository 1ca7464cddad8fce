"""Every encoding of a whole cover has the tilings as its models, and no others."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from small import Small, domino_rectangle, found_options, models, small_puzzles

from satcal.encoding import ENCODINGS, encode, encoding, plain
from satcal.encoding.cardinality import BOUND_ONE_ONLY
from satcal.encoding.formula import option_name
from satcal.errors import TooLarge, UnknownName
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands, place
from satcal.puzzle.placements import cover

KNOW_NO_COPIES = [f"card-{name}" for name in BOUND_ONE_ONLY]
DETERMINED = [e.name for e in ENCODINGS.values() if e.determined and e.dimacs]
MANY = 200  # more tilings than this only make a test slow


def applies(name: str, small: Small) -> bool:
    return name not in KNOW_NO_COPIES or all(p.copies == 1 for p in small.load().pieces)


@pytest.mark.parametrize("name", ENCODINGS)
@given(small=small_puzzles())
@settings(max_examples=12)
def test_the_models_projected_on_the_options_are_the_tilings(name: str, small: Small) -> None:
    assume(applies(name, small))
    for reveal in small.reveals()[:2]:
        expected = small.tilings(reveal)
        assume(len(expected) < MANY)
        whole = cover(small.load(), reveal)
        found = [found_options(whole, m) for m in models(encode(whole, name), shown_only=True)]
        assert len(found) == len(expected)
        assert {tiling for _, tiling in found} == expected
        assert not any(labels for labels, _ in found)


@pytest.mark.parametrize("name", DETERMINED)
@given(small=small_puzzles(solvable=True))
@settings(max_examples=12)
def test_a_determined_encoding_has_one_model_for_each_tiling_without_projection(
    name: str, small: Small
) -> None:
    assume(applies(name, small))
    for reveal in small.reveals()[:2]:
        expected = len(small.tilings(reveal))
        assume(expected < MANY)
        formula = encode(cover(small.load(), reveal), name)
        assert sum(1 for _ in models(formula, shown_only=False)) == expected


@pytest.mark.parametrize("name", ENCODINGS)
@given(small=small_puzzles())
@settings(max_examples=8)
def test_the_open_formula_has_the_tilings_of_all_reveals_each_with_its_labels(
    name: str, small: Small
) -> None:
    assume(applies(name, small))
    expected = {(reveal, t) for reveal in small.reveals() for t in small.tilings(reveal)}
    assume(len(expected) < MANY)
    whole = cover(small.load(), None)
    formula = encode(whole, name)
    found = [found_options(whole, model) for model in models(formula, shown_only=True)]
    assert len(found) == len(expected)
    assert set(found) == expected
    if ENCODINGS[name].determined and not formula.atmosts:
        assert sum(1 for _ in models(formula, shown_only=False)) == len(expected)


@given(small=small_puzzles())
@settings(max_examples=40)
def test_plain_has_no_clause_twice_also_where_pieces_are_placed_already(small: Small) -> None:
    puzzle = small.load()
    reveal = small.reveals()[0]
    whole = cover(puzzle, reveal)
    covers = [whole, cover(puzzle, None)]
    covers += [place(whole, parse_demands(puzzle, [str(p)])) for p in whole.placements[:3]]
    for each in covers:
        clauses = [frozenset(clause) for clause in encode(each, "plain").clauses]
        twice = [set(clause) for clause, n in Counter(clauses).items() if n > 1]
        assert not twice


def test_plain_has_a_clause_for_each_cell_piece_and_conflicting_pair(daily: Puzzle) -> None:
    whole = cover(daily, daily.reveal("2025-12-25"))
    sets = [frozenset(placement.cells) for placement in whole.placements]
    conflicts = sum(
        1
        for a, b in combinations(range(len(sets)), 2)
        if whole.placements[a].piece == whole.placements[b].piece or sets[a] & sets[b]
    )
    formula = encode(whole, "plain")
    assert formula.variables == 782
    assert len(formula.clauses) == 41 + 8 + conflicts


def test_plain_forbids_sets_of_copies_that_no_pair_forbids(two_l4: Small) -> None:
    # a third L4 never fits beside two: the area already says so, and no clause is needed
    whole = cover(two_l4.load(), ())
    assert all(len(clause) <= 8 for clause in encode(whole, "plain").clauses)
    # two I2 and a large piece: three dominoes side by side are pairwise possible
    pieces = (("A", ("###", "###"), 1, True), ("I2", ("##",), 2, True))
    small = Small((("*",) * 5,) * 2, {}, pieces)
    triples = [c for c in encode(cover(small.load(), ()), "plain").clauses if len(c) == 3]
    assert sum(1 for c in triples if max(c) < 0) > 0


@pytest.mark.parametrize("name", ["plain", "owner"])
def test_copies_whose_sets_are_too_many_are_refused_and_not_waited_for(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "MAX_CLAUSES", 50_000)
    pieces = (("I2", ("##",), 25, True), ("A", ("#######", "#######"), 1, True))
    small = Small(domino_rectangle(8, 8).board, {}, pieces)
    with pytest.raises(TooLarge, match="have copies, which conflict in sets and not in pairs"):
        encode(cover(small.load(), ()), name)


def test_a_large_board_is_refused_before_its_conflicts_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch, daily: Puzzle
) -> None:
    monkeypatch.setattr(plain, "MAX_CLAUSES", 1000)
    with pytest.raises(TooLarge, match="more than 1000 steps: the board is large"):
        encode(cover(daily, ("Oct", "6")), "plain")


def test_a_thousand_copies_of_a_square_that_fill_the_board_need_no_clause_for_sets() -> None:
    small = Small((("*",) * 32,) * 32, {}, (("A", ("#",), 1024, True),))
    assert len(encode(cover(small.load(), ()), "plain").clauses) == 1024 + 1


def test_every_option_has_a_name_that_says_what_it_means(daily: Puzzle) -> None:
    whole = cover(daily, None)
    formula = encode(whole, "ladder")
    assert formula.name(1) == f"place {whole.options[0]}"
    assert formula.name(formula.shown) == "reveal 31"
    assert [formula.name(v) for v in range(1, formula.shown + 1)] == [
        option_name(option) for option in whole.options
    ]
    names = [formula.name(v) for v in range(1, formula.variables + 1)]
    assert len(set(names)) == len(names)
    assert "cell r1c0 covered from cell r0c0 or before" in names
    assert "O starts at cell r0c0 or before" in names
    owners = encode(whole, "owner")
    assert "owner of cell r0c0 is month" in map(owners.name, range(1, owners.variables + 1))


def test_an_unknown_encoding_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName) as refused:
        encoding("lader")
    assert str(refused.value).startswith("no encoding 'lader'; the encodings are plain, owner, ")
    assert str(refused.value).endswith("; did you mean 'ladder'?")
