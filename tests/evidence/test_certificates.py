"""Certificates: made by the solver, checked from the puzzle file alone."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import ModuleType

import pytest
from certificates import COUNTS, CUBES, PROOF, Forged, five, made
from hypothesis import given, settings
from small import Small, small_puzzles

from satcal.counting import sat
from satcal.counting.cubes import plans
from satcal.encoding import encode
from satcal.encoding.formula import Formula
from satcal.errors import CertificateRefused, Disagreement, Missing, TooLarge, UnknownName
from satcal.evidence import certify as certify_module
from satcal.evidence import proof, rebuild, replay
from satcal.evidence.certify import certify, sealed, sections
from satcal.evidence.checker import check
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Piece, Placement, Puzzle
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.toml import parse_puzzle
from satcal.puzzle.writing import to_toml


@pytest.mark.parametrize(("reveal", "tilings"), COUNTS.items())
def test_a_certificate_proves_the_number_of_tilings(reveal: tuple[str, str], tilings: int) -> None:
    report = check(made("".join(reveal)))
    assert report.proved == ((reveal, tilings, 1),)
    assert report.puzzle.name == "five"
    assert report.library is None
    assert list(report.checkers) == [replay.version_of("cdclkit")]


def test_cubes_prove_the_same_number() -> None:
    data = made("a1", cut_above=5)
    (proved,) = check(data).proved
    assert proved.tilings == 29
    assert proved.proofs == Forged(data).text(CUBES).count("\n") == 45


def test_one_certificate_may_prove_many_reveals() -> None:
    report = check(made("a1", "a3", "c1"))
    assert [each.tilings for each in report.proved] == [29, 5, 0]


def test_the_same_puzzle_and_reveal_give_the_same_bytes() -> None:
    assert certify(five(), ("a", "3")) == made("a3")


def test_a_month_of_the_library_is_recognised() -> None:
    puzzle = load("a-puzzle-a-day")
    report = check(certify(puzzle, puzzle.reveal("2025-10-06")))
    assert report.library == "a-puzzle-a-day"
    assert report.proved[0].tilings == 7


def test_a_puzzle_without_categories_and_with_copies_is_proved(two_l4: Small) -> None:
    report = check(certify(two_l4.load(), ()))
    assert report.proved == (((), 2, 1),)
    assert "the board: exactly 2 tilings" in report.lines()[1]


def test_a_board_that_one_cube_fills_needs_no_solver() -> None:
    puzzle = Small(board=(("*", "*"),), categories={}, pieces=(("I", ("##",), 1, True),)).load()
    plans = [((), [((((0, 0)), Placement("I", ((0, 0), (0, 1)))),)])]
    report = check(sealed(puzzle, list(sections(puzzle, plans))))
    assert report.proved == (((), 1, 1),)


@settings(max_examples=25)
@given(small_puzzles())
def test_of_random_puzzles_every_count_is_proved(small: Small) -> None:
    puzzle = small.load()
    for reveal in itertools.islice(puzzle.reveals(), 2):
        proved = check(certify(puzzle, reveal)).proved
        assert proved[0].tilings == len(list(sat.tilings(cover(puzzle, reveal))))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] if name.startswith("pentomino") else [])
        for name in library()
    ],
)
def test_the_rebuilt_formula_is_that_of_the_plain_encoding(name: str) -> None:
    """The checker shares no line with the encoder; numbers and clauses are the same."""
    puzzle = load(name)
    whole = cover(puzzle, next(puzzle.reveals()))
    todo = rebuild.task(puzzle, next(puzzle.reveals()))
    placements = todo.placements()
    assert placements == [(p.piece, frozenset(p.cells)) for p in whole.placements]
    clauses = [tuple(sorted(clause)) for clause in rebuild.formula(todo, placements)]
    assert len(set(clauses)) == len(clauses)
    assert set(clauses) == {tuple(sorted(clause)) for clause in encode(whole, "plain").clauses}


@pytest.mark.parametrize("name", library())
def test_a_puzzle_written_as_toml_is_read_back_unchanged(name: str) -> None:
    puzzle = load(name)
    again = parse_puzzle(to_toml(puzzle), "again")
    assert (again, again.digest) == (puzzle, puzzle.digest)


def test_flips_and_foreign_calendars_survive_writing() -> None:
    text = (
        to_toml(load("a-puzzle-a-day").with_flips("L,N"))
        .replace("Mar", "Mär")
        .replace("[pieces]", '[calendar]\nmonth = ["Jan", "Feb", "Mär", "Apr", "May", "Jun", "Jul",'
                 ' "Aug", "Sep", "Oct", "Nov", "Dec"]\n[pieces]')
    )  # fmt: skip
    puzzle = parse_puzzle(text, "x")
    again = parse_puzzle(to_toml(puzzle), "y")
    assert again == puzzle
    assert again.reveal("2025-03-01") == ("Mär", "1")
    assert [piece.name for piece in again.drawn if piece.flip] == ["L", "N"]


def test_the_checker_imports_nothing_of_the_maker() -> None:
    code = (
        "import sys, satcal.evidence.checker\n"
        "print([m for m in sys.modules if m.startswith(('satcal.encoding', 'satcal.counting',"
        " 'satcal.puzzle.placements', 'satcal.evidence.certify', 'pysat', 'pysolvers'))])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


# Bugs planted in what makes certificates.

Clauses = Callable[[Cover], Iterable[list[int]]]


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the encoder, as these modules know it, write clauses that it should not."""

    def planted(clauses: Clauses, *modules: ModuleType) -> None:
        def wrong(whole: Cover, name: str) -> Formula:
            formula = encode(whole, name)
            formula.clauses += clauses(whole)
            return formula

        for module in modules:
            monkeypatch.setattr(module, "encode", wrong)

    return planted


def refused(puzzle: Puzzle, reveal: tuple[str, ...]) -> None:
    data = certify(puzzle, reveal)
    with pytest.raises(CertificateRefused, match="0001-proof-0001"):
        check(data)


def test_a_clause_too_many_in_the_encoder_is_noticed(plant: Callable[..., None]) -> None:
    (tiling,) = itertools.islice(sat.tilings(cover(five(), ("a", "1"))), 1)
    # forget one placement of a tiling, whatever its number is
    plant(lambda whole: [[-1 - whole.options.index(tiling[0])]], sat, certify_module)
    refused(five(), ("a", "1"))


def test_a_missing_orientation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Piece.orientations.func  # type: ignore[attr-defined]
    monkeypatch.setattr(Piece, "orientations", property(lambda piece: real(piece)[:-1]))
    puzzle = parse_puzzle(to_toml(five()), "five")
    data = certify(puzzle, ("a", "1"))
    monkeypatch.undo()
    with pytest.raises(CertificateRefused, match="0001-proof-0001"):
        check(data)


def test_a_missing_placement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fewer(puzzle: Puzzle, reveal: tuple[str, ...] | None) -> Cover:
        whole = cover(puzzle, reveal)
        return replace(whole, options=whole.options[3:])

    monkeypatch.setattr(certify_module, "cover", fewer)
    refused(five(), ("a", "1"))


def _wrong_lemmas(whole: Cover, level: str) -> Iterator[list[int]]:
    """Forbid the first placement of some tiling."""
    (tiling,) = itertools.islice(sat.tilings(whole, sat.SatOptions(lemmas="none")), 1)
    yield [-1 - whole.options.index(tiling[0])]


def _slipped(whole: Cover, level: str) -> tuple[Cover, list[list[int]]]:
    return whole, [] if level == "none" else list(_wrong_lemmas(whole, level))


def test_a_wrong_lemma_is_noticed_before_a_certificate_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sat, "strengthened", _slipped)
    with pytest.raises(Disagreement, match="the solver finds one more tiling in a second run"):
        certify(five(), ("a", "1"))


def test_a_lemma_that_slips_into_the_proofs_formula_is_noticed(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[..., None]
) -> None:
    monkeypatch.setattr(sat, "strengthened", _slipped)
    plant(lambda whole: _wrong_lemmas(whole, "pair"), certify_module)
    refused(five(), ("a", "1"))


def test_even_a_true_lemma_is_no_axiom(plant: Callable[..., None]) -> None:
    """What is true has to be derived: the checker knows nothing of components."""
    from satcal.encoding.lemmas import lemmas

    plant(lambda whole: lemmas(whole, "pair"), certify_module)
    refused(five(), ("c", "1"))


# Proofs and their checkers.


def test_a_truncated_binary_proof_is_no_proof() -> None:
    whole = bytes([97, 4, 0, 100, 5, 6, 0, 97, 0])  # add 2, delete -2 3, add the empty clause
    assert proof.from_binary(whole, [0, 1, 2, 3]) == b"2 0\nd -2 3 0\n0\n"
    assert proof.from_binary(whole + bytes([97, 4, 0]), [0, 1, 2, 3]).endswith(b"\n0\n")
    for length in range(len(whole)):
        with pytest.raises(Disagreement, match="ends before the empty clause"):
            proof.from_binary(whole[:length], [0, 1, 2, 3])


def test_literals_beyond_seven_bits_are_read() -> None:
    raw = bytes([97, 0x80 | (2 * 5000 & 127), 2 * 5000 >> 7, 0x81 | (2 * 64 & 127), 1, 0, 97, 0])
    assert proof.from_binary(raw, list(range(5001))) == b"5000 -64 0\n0\n"


@pytest.mark.parametrize("checker", ["cdclkit", "dratify"])
def test_each_checker_accepts_the_proof_and_refuses_half_of_it(checker: str) -> None:
    assert check(made("a1"), [checker]).proved[0].tilings == 29
    cert = Forged(made("a1"))
    cert.edit(PROOF, lambda lines: [*lines[: len(lines) // 2], "0"])
    with pytest.raises(CertificateRefused, match="clause is not RUP"):
        check(cert.sealed(), [checker])


def test_several_checkers_are_named_with_their_times() -> None:
    report = check(made("a3"), ["cdclkit", "dratify"])
    assert list(report.checkers) == [replay.version_of("cdclkit"), replay.version_of("dratify")]
    assert all(spent > 0 for spent in report.checkers.values())


def test_an_unknown_checker_is_an_error() -> None:
    with pytest.raises(UnknownName, match=r"no checker 'dratifi'; .* did you mean 'dratify'"):
        check(made("a3"), ["dratifi"])


def test_without_any_checker_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "is_there", lambda name: False)
    with pytest.raises(Missing, match="no checker available: nothing is said of the proofs"):
        check(made("a3"))
    with pytest.raises(
        Missing, match=r"checker drat-trim is not available; install satcal\[check\]"
    ):
        check(made("a3"), ["drat-trim"])


def test_parts_larger_than_the_limit_are_not_decompressed() -> None:
    with pytest.raises(TooLarge, match="its parts have more than 1000 bytes; see --max-size"):
        check(made("a3"), limit=1000)


def test_a_cut_needs_no_diagram_where_the_board_is_too_large_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_large(*_: object) -> None:
        raise TooLarge("too many states")

    monkeypatch.setattr("satcal.counting.diagram.puzzle.open_diagram", too_large)
    assert plans(five(), [("a", "1")], 1) == [(("a", "1"), [()])]
