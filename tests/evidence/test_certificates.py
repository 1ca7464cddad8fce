"""Certificates: made by the solver, checked from the puzzle file alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from certificates import COUNTS, CUBES, PROOF, Forged, five, made
from hypothesis import given, settings
from small import Small, small_puzzles

from satcal.counting import sat
from satcal.encoding import encode
from satcal.encoding.lemmas import lemmas
from satcal.errors import CertificateRefused, Disagreement, Missing
from satcal.evidence import certify as certify_module
from satcal.evidence import checking, opinions, proving
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

QUICK = ("a-puzzle-a-day", "jarring-words", "rhombus")


def counted(report: checking.Report) -> list[tuple[tuple[str, ...], int, int]]:
    return [(each.reveal, each.tilings, each.proofs) for each in report.proved]


@pytest.mark.parametrize(("reveal", "tilings"), COUNTS.items())
def test_a_certificate_proves_the_number_of_tilings(reveal: tuple[str, str], tilings: int) -> None:
    report = check(made("".join(reveal)))
    assert counted(report) == [(reveal, tilings, 1)]
    assert (report.puzzle.name, report.library) == ("five", None)
    assert list(report.checkers) == [checking.OWN]


def test_cubes_prove_the_same_number() -> None:
    data = made("a1", cut_above=5)
    assert counted(check(data)) == [(("a", "1"), 29, 45)]
    assert len(Forged(data).lines(CUBES)) == 45


def test_one_certificate_may_prove_many_reveals() -> None:
    assert [each.tilings for each in check(made("a1", "a3", "c1")).proved] == [29, 5, 0]


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
        pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long])
        for name in library()
    ],
)  # fmt: skip
def test_the_rebuilt_formula_is_that_of_the_plain_encoding(name: str) -> None:
    """The checker shares no line with the encoder; numbers and clauses are the same."""
    puzzle = load(name)
    reveal = next(puzzle.reveals())
    whole = cover(puzzle, reveal)
    rebuilt = formula(task(puzzle, reveal), (), [])
    assert rebuilt.placements == [(p.piece, frozenset(p.cells)) for p in whole.placements]
    clauses = {tuple(sorted(clause)) for clause in Standard(rebuilt).clauses}
    assert clauses == {tuple(sorted(clause)) for clause in encode(whole, "plain").clauses}


@pytest.mark.parametrize("name", library())
def test_a_puzzle_written_as_toml_is_read_back_unchanged(name: str) -> None:
    puzzle = load(name)
    again = parse_puzzle(to_toml(puzzle), "again")
    assert (again, again.digest) == (puzzle, puzzle.digest)


def test_flips_and_foreign_calendars_survive_writing() -> None:
    months = '"Jan", "Feb", "Mär", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"'
    text = to_toml(load("a-puzzle-a-day").with_flips("L,N")).replace("Mar", "Mär")
    text = text.replace("[pieces]", f"[calendar]\nmonth = [{months}]\n[pieces]")
    puzzle = parse_puzzle(text, "x")
    again = parse_puzzle(to_toml(puzzle), "y")
    assert again == puzzle
    assert again.reveal("2025-03-01") == ("Mär", "1")
    assert [piece.name for piece in again.drawn if piece.flip] == ["L", "N"]


# Bugs planted in what makes certificates.


def _missing_tiling() -> list[int]:
    """Return a clause against the first placement of some tiling."""
    whole = cover(five(), ("a", "1"))
    (tiling,) = itertools.islice(sat.tilings(whole), 1)
    return [-1 - whole.options.index(tiling[0])]


def _miss_an_orientation(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Piece.orientations.func  # type: ignore[attr-defined]
    monkeypatch.setattr(Piece, "orientations", property(lambda piece: real(piece)[:-1]))


def _miss_a_placement(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = -1 - _missing_tiling()[0]

    def fewer(puzzle: Puzzle, reveal: tuple[str, ...] | None) -> object:
        whole = cover(puzzle, reveal)
        return replace(whole, options=whole.options[:missing] + whole.options[missing + 1 :])

    monkeypatch.setattr(certify_module, "cover", fewer)


def _add_a_lemma(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = _missing_tiling()
    monkeypatch.setattr(sat, "strengthened", lambda whole, level: (whole, [wrong]))


@pytest.mark.parametrize("plant", [_miss_an_orientation, _miss_a_placement, _add_a_lemma])
def test_a_loop_that_misses_a_tiling_is_noticed_before_a_certificate_is_written(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    plant(monkeypatch)
    with pytest.raises(Disagreement, match="the solver finds one more tiling in a second run"):
        certify(parse_puzzle(to_toml(five()), "five"), ("a", "1"))


@pytest.mark.parametrize("wrong", [True, False])
def test_a_lemma_given_to_the_solver_of_the_proof_is_no_axiom(
    monkeypatch: pytest.MonkeyPatch, wrong: bool
) -> None:
    """What is true has to be derived, too: the checker knows nothing of components."""

    class Slipped(Standard):
        def __init__(self, refuted: Formula) -> None:
            super().__init__(refuted)
            whole = cover(five(), ("c", "1"))
            self.implied += [_missing_tiling()] if wrong else lemmas(whole, "pair")

    monkeypatch.setattr(proving, "Standard", Slipped)
    with pytest.raises(Disagreement, match="a step of the solver's proof does not follow"):
        certify(five(), ("c", "1"))


def test_a_clause_too_many_in_the_makers_formula_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def more(todo: Task, cube: Cube, tilings: list[frozenset[Placed]]) -> Formula:
        refuted = formula(todo, cube, tilings)
        (literal,) = _missing_tiling()
        return replace(refuted, clauses=[*refuted.clauses, Clause(0, 1 << (-literal - 1))])

    monkeypatch.setattr(certify_module, "formula", more)
    data = certify(five(), ("a", "1"))
    with pytest.raises(CertificateRefused, match=f"{PROOF}: step"):
        check(data)


# Proofs and their checkers.


@pytest.fixture
def refuted() -> Formula:
    """Two placements, of which one is needed and neither is allowed."""
    one, two = ("A", frozenset({(0, 0)})), ("B", frozenset({(0, 1)}))
    clauses = [Clause(0b11, 0), Clause(0, 0b01), Clause(0, 0b10)]
    return Formula([one, two], [0, 0], [(0b01, 1), (0b10, 1)], clauses)


def test_a_truncated_solver_proof_is_no_proof(refuted: Formula) -> None:
    # add 2 as clause 4 by 2 and 1, delete 1, add the empty clause as 5 by 4 and 3
    whole = bytes([97, 8, 4, 0, 4, 2, 0, 100, 2, 0, 97, 10, 0, 8, 6, 0])
    proof = compact(whole, refuted, 0, [0, 1, 2])
    assert trusted.replay(refuted, proof, "proof") == 2
    assert compact(whole + bytes([97, 12, 4, 0]), refuted, 0, [0, 1, 2]) == proof
    for length in range(len(whole)):
        with pytest.raises(Disagreement, match="ends before the empty clause"):
            compact(whole[:length], refuted, 0, [0, 1, 2])


def test_a_solver_proof_with_a_wrong_hint_is_no_proof(refuted: Formula) -> None:
    with pytest.raises(Disagreement, match="does not follow"):
        compact(bytes([97, 8, 0, 2, 4, 0]), refuted, 0, [0, 1, 2])


@pytest.mark.parametrize("checker", opinions.MODULES)
def test_each_second_opinion_accepts_the_proof(checker: str) -> None:
    report = check(made("a1"), [checker])
    assert counted(report) == [(("a", "1"), 29, 1)]
    assert list(report.checkers) == [checking.OWN, opinions.titled(checker)]
    assert all(spent > 0 for spent in report.checkers.values())


@pytest.mark.parametrize(
    ("checker", "way_out"),
    [("cake_lpr", "put it on the PATH"), ("dratify", r"install satcal\[check\]")],
)
def test_a_checker_that_is_not_there_is_missing(
    monkeypatch: pytest.MonkeyPatch, checker: str, way_out: str
) -> None:
    monkeypatch.setattr(opinions, "available", lambda name: False)
    with pytest.raises(Missing, match=f"checker {checker} is not available; {way_out}"):
        check(made("a3"), [checker])
