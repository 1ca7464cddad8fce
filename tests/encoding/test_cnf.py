"""A formula for PySAT: its variables, its models, and encodings of one's own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from pysat.solvers import Solver

import satcal
from helpers.solvers import ENCODINGS_FOLDER
from oracle import TWO_EACH, as_tiling
from satcal.encoding import ENCODINGS, Encoding, encode_with_lemmas, register
from satcal.encoding.cnf import puzzle_formula
from satcal.encoding.formula import Formula, constraints
from satcal.errors import FormatError, NoTiling, OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.model import Label, Placement
from satcal.puzzle.placements import Cover, cover_of

OCT_6 = ("Oct", "6")
LETTERS = load(str(ENCODINGS_FOLDER / "puzzles" / "letter-and-digit.toml"))


def models(formula: satcal.encoding.cnf.PuzzleFormula) -> Iterator[list[int]]:
    """Yield a model of each tiling."""
    with Solver(name="cadical195", bootstrap_with=formula) as solver:
        while solver.solve():
            yield (model := solver.get_model())
            solver.add_clause([-v for v in model if 0 < v <= len(formula.projected)])


@pytest.mark.parametrize("lemmas", ["none", "closed"])
def test_it_is_the_export_with_a_table_of_its_variables(daily, lemmas):
    formula = puzzle_formula(daily, OCT_6, lemmas=lemmas)
    text = satcal.export(daily, "Oct 6", lemmas=lemmas)
    lines = text.splitlines()
    assert formula.comments == [line for line in lines if line[0] == "c"]
    assert f"p cnf {formula.nv} {len(formula.clauses)}" in lines
    body = [line for line in lines if line[0] not in "cp"]
    assert [" ".join(map(str, [*clause, 0])) for clause in formula.clauses] == body
    assert formula.projected == list(range(1, len(formula.placements) + 1))
    assert formula.names.keys() == set(range(1, formula.nv + 1))
    for variable, placement in formula.placements.items():
        assert f"c var {variable} place {placement}" in lines


def test_a_model_is_all_literals_or_the_true_ones(daily):
    formula = puzzle_formula(daily, OCT_6)
    found = set()
    for model in models(formula):
        tiling = formula.decode(model).tiling
        true = [v for v in model if v > 0]
        placed = [v for v in true if v in formula.placements]
        for other in (reversed(model), true, placed, set(placed)):
            assert formula.decode(other).tiling == tiling
        assert set(formula.block(tiling)) == {-v for v in placed}
        formula.append(formula.block(tiling))  # a user's clauses change no meaning
        found.add(tiling)
    assert found == set(map(tuple, satcal.tilings(daily, "Oct 6")))


def test_an_open_formula_has_labels_too():
    formula = puzzle_formula(TWO_EACH.load(), None)
    kinds = [type(option) for option in formula.placements.values()]
    assert kinds == sorted(kinds, key=[Placement, Label].index)
    found = [formula.decode(model) for model in models(formula)]
    assert {(one.reveal, as_tiling(one.tiling)) for one in found} == TWO_EACH.solutions()
    assert len(found) == 4


def test_what_is_no_model_is_refused(daily):
    formula = puzzle_formula(daily, OCT_6)
    for model in ([], [1], [-1, -2], [1, 2]):
        with pytest.raises(NoTiling):
            formula.decode(model)
    for beyond in (formula.nv, formula.nv + 1):
        with pytest.raises(FormatError if beyond > formula.nv else NoTiling):
            formula.decode([1, beyond])
    with pytest.raises(NoTiling, match="r9c9"):
        formula.block([Placement("O", ((9, 9),))])


# --- encodings of one's own ----------------------------------------------------------------------


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> Encoding:
    """An encoding that is registered for one test: "exactly one" by a clause for each pair."""

    def exactly(formula: Formula, groups, bound: int) -> None:
        literals = [literal for group in groups for literal in group]
        assert bound == 1
        formula.at_least_one(literals)
        formula.at_most_one(literals)

    def encode(cover: Cover, formula: Formula) -> None:
        for _, bound, literals in constraints(cover):
            exactly(formula, [literals], bound)

    encoding = Encoding("pairs", encode, exactly)
    monkeypatch.setitem(ENCODINGS, "pairs", encoding)  # what is set here is gone afterwards
    del ENCODINGS["pairs"]
    register(encoding)
    return encoding


def test_a_registered_encoding_is_an_encoding_like_any_other(pairs):
    assert "c encoding pairs\n" in satcal.export(LETTERS, "A,1", encoding="pairs")
    formula = satcal.formula(LETTERS, "A,1", encoding="pairs", lemmas="closed")
    assert len(list(models(formula))) == 4
    assert len(list(satcal.tilings(LETTERS, "A,1", method="sat", encoding="pairs"))) == 4
    for taken in ("pairs", "ladder"):
        with pytest.raises(OptionError, match=taken):
            register(Encoding(taken, pairs.encode, pairs.exactly))


# --- unit propagation ----------------------------------------------------------------------------

SAME = ("ladder", "card-bitwise", "card-seqcounter", "card-totalizer", "card-sortnetwrk")


def implied(solver: Solver, assumptions: list[int], shown: int) -> set[int] | None:
    """Return the placements' literals that unit propagation implies, or None for a conflict."""
    consistent, literals = solver.propagate(assumptions=assumptions)
    return {v for v in literals if abs(v) <= shown} if consistent else None


@pytest.mark.parametrize("name", [*SAME, "owner"])
def test_unit_propagation_implies_what_plain_does(name):
    """Compare over random assumptions; ``owner`` may imply more."""
    cover = cover_of(LETTERS, ("A", "1"))
    (_, plain), (_, other) = (encode_with_lemmas(cover, each, "none") for each in ("plain", name))
    rng = random.Random(name)
    with (
        Solver(name="minisat22", bootstrap_with=plain.clauses) as by_plain,
        Solver(name="minisat22", bootstrap_with=other.clauses) as by_other,
    ):
        for _ in range(60):
            chosen = rng.sample(range(1, plain.shown + 1), rng.randrange(1, 6))
            assumed = [v if rng.random() < 0.5 else -v for v in chosen]
            want, have = (implied(s, assumed, plain.shown) for s in (by_plain, by_other))
            if name == "owner":
                assert have is None or (want is not None and want <= have)
            else:
                assert want == have
