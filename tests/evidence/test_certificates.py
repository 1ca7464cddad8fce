"""Certificates: made by the solver, checked from the puzzle file alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import lrat
import pytest
from certificates import PROOF, five, made
from hypothesis import example, given, settings
from hypothesis import strategies as st
from proofs import free
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
    ("reveals", "cut_above", "proved"),
    [
        (["a1"], 28, [(("a", "1"), 29, 17)]),
        (["a3", "c1"], 2000, [(("a", "3"), 5, 1), (("c", "1"), 0, 1)]),
    ],
)
def test_a_certificate_proves_the_number_of_tilings_of_each_reveal(
    reveals: list[str], cut_above: int, proved: list
) -> None:
    report = check(made(*reveals, cut_above=cut_above))
    assert counted(report) == proved
    assert (report.puzzle.name, report.library) == ("five", None)
    assert list(report.checkers) == [checking.OWN]


@settings(max_examples=20)
@given(small_puzzles(), st.sampled_from([1, 2000]))
@example(Small((("*",) * 4,) * 2, {}, (("L4", ("###", "#.."), 2, True),)), 2000)
def test_of_a_random_puzzle_every_count_is_proved_and_another_replayer_agrees(
    tmp_path_factory: pytest.TempPathFactory, small: Small, cut_above: int
) -> None:
    puzzle, folder = small.load(), tmp_path_factory.mktemp("proofs")
    reveal = next(puzzle.reveals())
    (proved,) = check(certify(puzzle, reveal, cut_above=cut_above), export=folder).proved
    assert proved.tilings == len(small.tilings(reveal))
    formulas = list(folder.glob("*.cnf"))
    assert len(formulas) == proved.proofs
    for path in formulas:
        assert lrat.replay(path.read_text(), path.with_suffix(".lrat").read_text())


def test_a_board_that_one_cube_fills_needs_no_solver() -> None:
    puzzle = Small(board=(("*", "*"),), categories={}, pieces=(("I", ("##",), 1, True),)).load()
    cube = (((0, 0), Placement("I", ((0, 0), (0, 1)))),)
    assert counted(check(sealed(puzzle, sections(puzzle, [((), [cube])])))) == [((), 1, 1)]


@pytest.mark.parametrize("name", library())
@pytest.mark.long
def test_the_rebuilt_formula_of_a_board_is_that_of_the_plain_encoding(name: str) -> None:
    same_formula(load(name))


@settings(max_examples=50)
@given(small_puzzles())
def test_the_rebuilt_formula_is_that_of_the_plain_encoding(small: Small) -> None:
    same_formula(small.load())


def same_formula(puzzle: Puzzle) -> None:
    """Assert that the checker, which shares no line with the encoder, numbers and says the same."""
    reveal = next(puzzle.reveals())
    whole = cover(puzzle, reveal)
    rebuilt = formula(task(puzzle, reveal), (), [])
    assert rebuilt.placements == [(p.piece, frozenset(p.cells)) for p in whole.placements]
    clauses = {tuple(sorted(clause)) for clause in Standard(rebuilt).clauses}
    assert clauses == {tuple(sorted(clause)) for clause in encode(whole, "plain").clauses}


# Bugs planted in what makes certificates.


def missing() -> int:
    """Return the number of the first placement of some tiling."""
    whole = cover(five(), ("a", "1"))
    return whole.options.index(next(iter(sat.tilings(whole)))[0])


def miss_an_orientation(monkeypatch: MonkeyPatch) -> None:
    real = Piece.orientations.func  # type: ignore[attr-defined]
    monkeypatch.setattr(Piece, "orientations", property(lambda piece: real(piece)[:-1]))


def add_a_lemma(monkeypatch: MonkeyPatch) -> None:
    wrong = [-1 - missing()]
    monkeypatch.setattr(sat, "strengthened", lambda whole, level: (whole, [wrong]))


def tell_the_solver_of_the_proof(monkeypatch: MonkeyPatch) -> None:
    """What is true has to be derived, too: the checker knows nothing of components."""

    class Slipped(Standard):
        def __init__(self, refuted: Formula) -> None:
            super().__init__(refuted)
            self.implied += lemmas(cover(five(), ("a", "1")), "pair")

    monkeypatch.setattr(proving, "Standard", Slipped)


ONE_MORE = "the solver finds one more tiling in a second run"


@pytest.mark.parametrize(
    ("plant", "reason"),
    [
        (miss_an_orientation, ONE_MORE), (add_a_lemma, ONE_MORE),
        (tell_the_solver_of_the_proof, "a step of the solver's proof does not follow"),
    ],
)  # fmt: skip
def test_a_maker_that_errs_notices_it(
    monkeypatch: MonkeyPatch, plant: Callable[[MonkeyPatch], None], reason: str
) -> None:
    plant(monkeypatch)
    with pytest.raises(Disagreement, match=reason):
        certify(parse_puzzle(to_toml(five()), "five"), ("a", "1"))


def test_a_clause_too_many_in_the_makers_formula_is_noticed_by_the_checker(
    monkeypatch: MonkeyPatch,
) -> None:
    def more(todo: Task, cube: Cube, tilings: list[frozenset[Placed]]) -> Formula:
        refuted = formula(todo, cube, tilings)
        return replace(refuted, clauses=[*refuted.clauses, Clause(0, 1 << missing())])

    monkeypatch.setattr(certify_module, "formula", more)
    data = certify(five(), ("a", "1"))
    with pytest.raises(CertificateRefused, match=f"{PROOF}: step"):
        check(data)


def test_a_truncated_solver_proof_is_no_proof() -> None:
    """Of two placements one is needed, and neither is allowed."""
    refuted = free(2, [(1, 2), (-1,), (-2,)])
    # add 2 as clause 4 by 2 and 1, delete 1, add the empty clause as 5 by 4 and 3
    whole = bytes([97, 8, 4, 0, 4, 2, 0, 100, 2, 0, 97, 10, 0, 8, 6, 0])
    proof = compact(whole, refuted, 0, [0, 1, 2])
    assert trusted.replay(refuted, proof, "proof") == 2
    assert compact(whole + bytes([97, 12, 4, 0]), refuted, 0, [0, 1, 2]) == proof
    for length in range(len(whole)):
        with pytest.raises(Disagreement, match="ends before the empty clause"):
            compact(whole[:length], refuted, 0, [0, 1, 2])
