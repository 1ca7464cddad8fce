"""Certificates: made by the solver, checked from the puzzle file alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from certificates import COUNTS, PROOF, five, made
from hypothesis import given, settings
from small import Small, small_puzzles

from satcal.counting import sat
from satcal.encoding import encode
from satcal.encoding.lemmas import lemmas
from satcal.errors import CertificateRefused, Disagreement
from satcal.evidence import certify as certify_module
from satcal.evidence import checking, proving
from satcal.evidence.certify import certify, sealed, sections
from satcal.evidence.checking import check
from satcal.evidence.lrat import Standard
from satcal.evidence.proving import compact
from satcal.proof import check as trusted
from satcal.proof.formula import Clause, Cube, Formula, Placed, Task, formula, task
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Piece, Placement, Puzzle
from satcal.puzzle.placements import cover
from satcal.puzzle.toml import parse_puzzle
from satcal.puzzle.writing import to_toml

MonkeyPatch = pytest.MonkeyPatch


def counted(report: checking.Report) -> list[tuple[tuple[str, ...], int, int]]:
    return [(each.reveal, each.tilings, each.proofs) for each in report.proved]


@pytest.mark.parametrize(
    ("reveals", "cut_above", "tilings", "proofs"),
    [
        *((["".join(reveal)], 2000, [number], [1]) for reveal, number in COUNTS.items()),
        (["a1"], 5, [29], [45]),
        (["a1", "a3", "c1"], 2000, [29, 5, 0], [1, 1, 1]),
    ],
)
def test_a_certificate_proves_the_number_of_tilings_of_each_reveal(
    reveals: list[str], cut_above: int, tilings: list[int], proofs: list[int]
) -> None:
    report = check(made(*reveals, cut_above=cut_above))
    assert counted(report) == [*zip(map(tuple, reveals), tilings, proofs, strict=True)]
    assert (report.puzzle.name, report.library) == ("five", None)
    assert list(report.checkers) == [checking.OWN]


def test_the_same_puzzle_and_reveal_give_the_same_bytes() -> None:
    assert certify(five(), ("a", "3")) == made("a3")


def test_a_puzzle_without_categories_and_with_copies_is_proved(two_l4: Small) -> None:
    report = check(certify(two_l4.load(), ()))
    assert counted(report) == [((), 2, 1)]
    assert "the board: exactly 2 tilings" in report.lines()[1]


def test_a_board_that_one_cube_fills_needs_no_solver() -> None:
    puzzle = Small(board=(("*", "*"),), categories={}, pieces=(("I", ("##",), 1, True),)).load()
    cube = (((0, 0), Placement("I", ((0, 0), (0, 1)))),)
    assert counted(check(sealed(puzzle, sections(puzzle, [((), [cube])])))) == [((), 1, 1)]


@settings(max_examples=25)
@given(small_puzzles())
def test_of_random_puzzles_every_count_is_proved(small: Small) -> None:
    puzzle = small.load()
    for reveal in itertools.islice(puzzle.reveals(), 2):
        ((_, tilings, _),) = counted(check(certify(puzzle, reveal)))
        assert tilings == len(small.tilings(reveal))


@pytest.mark.parametrize(
    "name",
    [
        name if name == "a-puzzle-a-day" else pytest.param(name, marks=pytest.mark.long)
        for name in library()
    ],
)
def test_the_rebuilt_formula_is_that_of_the_plain_encoding(name: str) -> None:
    """The checker shares no line with the encoder; numbers and clauses are the same."""
    puzzle = load(name)
    reveal = next(puzzle.reveals())
    whole = cover(puzzle, reveal)
    rebuilt = formula(task(puzzle, reveal), (), [])
    assert rebuilt.placements == [(p.piece, frozenset(p.cells)) for p in whole.placements]
    clauses = {tuple(sorted(clause)) for clause in Standard(rebuilt).clauses}
    assert clauses == {tuple(sorted(clause)) for clause in encode(whole, "plain").clauses}


# Bugs planted in what makes certificates.


def _missing() -> int:
    """Return the number of the first placement of some tiling."""
    whole = cover(five(), ("a", "1"))
    return whole.options.index(next(iter(sat.tilings(whole)))[0])


def _miss_an_orientation(monkeypatch: MonkeyPatch) -> None:
    real = Piece.orientations.func  # type: ignore[attr-defined]
    monkeypatch.setattr(Piece, "orientations", property(lambda piece: real(piece)[:-1]))


def _miss_a_placement(monkeypatch: MonkeyPatch) -> None:
    missing = _missing()

    def fewer(puzzle: Puzzle, reveal: tuple[str, ...] | None) -> object:
        whole = cover(puzzle, reveal)
        return replace(whole, options=whole.options[:missing] + whole.options[missing + 1 :])

    monkeypatch.setattr(certify_module, "cover", fewer)


def _add_a_lemma(monkeypatch: MonkeyPatch) -> None:
    wrong = [-1 - _missing()]
    monkeypatch.setattr(sat, "strengthened", lambda whole, level: (whole, [wrong]))


@pytest.mark.parametrize("plant", [_miss_an_orientation, _miss_a_placement, _add_a_lemma])
def test_a_loop_that_misses_a_tiling_is_noticed_before_a_certificate_is_written(
    monkeypatch: MonkeyPatch, plant: Callable[[MonkeyPatch], None]
) -> None:
    plant(monkeypatch)
    with pytest.raises(Disagreement, match="the solver finds one more tiling in a second run"):
        certify(parse_puzzle(to_toml(five()), "five"), ("a", "1"))


@pytest.mark.parametrize("wrong", [True, False])
def test_a_lemma_given_to_the_solver_of_the_proof_is_no_axiom(
    monkeypatch: MonkeyPatch, wrong: bool
) -> None:
    """What is true has to be derived, too: the checker knows nothing of components."""

    class Slipped(Standard):
        def __init__(self, refuted: Formula) -> None:
            super().__init__(refuted)
            whole = cover(five(), ("c", "1"))
            self.implied += [[-1 - _missing()]] if wrong else lemmas(whole, "pair")

    monkeypatch.setattr(proving, "Standard", Slipped)
    with pytest.raises(Disagreement, match="a step of the solver's proof does not follow"):
        certify(five(), ("c", "1"))


def test_a_clause_too_many_in_the_makers_formula_is_noticed(monkeypatch: MonkeyPatch) -> None:
    def more(todo: Task, cube: Cube, tilings: list[frozenset[Placed]]) -> Formula:
        refuted = formula(todo, cube, tilings)
        return replace(refuted, clauses=[*refuted.clauses, Clause(0, 1 << _missing())])

    monkeypatch.setattr(certify_module, "formula", more)
    data = certify(five(), ("a", "1"))
    with pytest.raises(CertificateRefused, match=f"{PROOF}: step"):
        check(data)


# Proofs of two placements, of which one is needed and neither is allowed.

CLAUSES = [Clause(0b11, 0), Clause(0, 0b01), Clause(0, 0b10)]
PLACEMENTS = [("A", frozenset({(0, 0)})), ("B", frozenset({(0, 1)}))]
REFUTED = Formula(PLACEMENTS, [0, 0], [(0b01, 1), (0b10, 1)], CLAUSES)


def test_a_truncated_solver_proof_is_no_proof() -> None:
    # add 2 as clause 4 by 2 and 1, delete 1, add the empty clause as 5 by 4 and 3
    whole = bytes([97, 8, 4, 0, 4, 2, 0, 100, 2, 0, 97, 10, 0, 8, 6, 0])
    proof = compact(whole, REFUTED, 0, [0, 1, 2])
    assert trusted.replay(REFUTED, proof, "proof") == 2
    assert compact(whole + bytes([97, 12, 4, 0]), REFUTED, 0, [0, 1, 2]) == proof
    for length in range(len(whole)):
        with pytest.raises(Disagreement, match="ends before the empty clause"):
            compact(whole[:length], REFUTED, 0, [0, 1, 2])
