"""The extracted checker accepts what proves a count, and nothing that a forger makes."""

from __future__ import annotations

import contextlib
import random
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from certificates import five, made
from claimed import IM, File, I, M, row
from external import Fake
from forger import Target, forged_certificate, forged_proof
from hypothesis import given, settings
from hypothesis import strategies as st
from mutants import whole
from proof.test_mutants import REFUSED, SOUND
from proofs import refutation
from small import Small, small_puzzles

from satcal.counting.cubes import plans
from satcal.counting.verified import NAME, label_names, plain_text
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import CertificateRefused, Stopped
from satcal.evidence.certify import sealed, sections
from satcal.evidence.opinions import ask_verified, proof_lines, section_lines
from satcal.proof.certificate import PUZZLE, Opened
from satcal.proof.formula import formula, task
from satcal.puzzle.model import Puzzle
from satcal.puzzle.toml import parse_puzzle
from satcal.puzzle.writing import to_toml

LONG = pytest.mark.long
KEPT = Path(__file__).parents[2] / "results" / "certificates"


def puzzle_of(data: bytes) -> Puzzle:
    return parse_puzzle(Opened(data).text(PUZZLE), PUZZLE)


def asked(program: str, text: str, *labels: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, "check", "-", *labels], input=text, capture_output=True, text=True, check=False
    )


def answer(program: str, lines: list[str], *labels: str) -> int | None:
    """Return what the program takes as proved, None if it refuses."""
    done = asked(program, "\n".join(lines), *labels)
    if done.returncode == 2:
        assert done.stderr.startswith(f"{NAME}: ")
        return None
    assert (done.returncode, done.stderr) == (0, "")
    return int(done.stdout.splitlines()[-1].rpartition(",")[2])


# --- what is right ---


@LONG
@pytest.mark.parametrize("path", sorted(KEPT.glob("*.satcert")), ids=lambda path: path.stem)
def test_kept_certificates_are_accepted(program: str, path: Path) -> None:
    data = path.read_bytes()
    ask_verified(data, puzzle_of(data))


def test_the_command_asks_it_for_a_second_opinion(program: str, satcal: Callable) -> None:
    said = satcal("check", "--checker", "verified", str(KEPT / "a-puzzle-a-day.Oct-6.satcert"))
    assert (said.code, "satcal-verified" in said.out) == (0, True)


def test_sections_and_cubes(program: str) -> None:
    ask_verified(made("a3", "c1", "a1", cut_above=28), five())


def certified(small: Small, cut_above: int, program: str) -> None:
    puzzle = small.load()
    for reveal in puzzle.reveals():
        data = sealed(puzzle, list(sections(puzzle, plans(puzzle, [reveal], cut_above))))
        ask_verified(data, puzzle)
        (stated,) = Opened(data).stated
        assert stated.tilings == len(small.tilings(reveal))


@pytest.mark.parametrize("examples", [10, pytest.param(300, marks=LONG)])
def test_random_puzzles(program: str, examples: int) -> None:
    tried = given(small_puzzles(), st.sampled_from([1, 2000]), st.just(program))(certified)
    settings(max_examples=examples)(tried)()


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (1, 30),
        (1, 64),
        *(pytest.param(*size, marks=LONG) for size in [(1, 63), (2, 64)]),
    ],
)
def test_words_of_every_width(program: str, rows: int, columns: int) -> None:
    half = columns // 2
    lengths = {"I": half, "J": columns - half - 1, "M": 1}
    pieces = tuple((name, ("#" * length,), rows, True) for name, length in lengths.items())
    certified(Small((("*",) * columns,) * rows, {}, pieces), 2000, program)


# --- what is wrong ---


def seeds(quick: int, many: int) -> list:
    """Return few seeds for every run, and many for the long one."""
    return [range(quick), pytest.param(range(10_000, 10_000 + many), marks=LONG)]


def accepted(program: str, data: bytes) -> Iterator[tuple[Puzzle, tuple[str, ...], int]]:
    """Yield what the program takes as proved of a certificate that nobody has checked."""
    opened, puzzle = Opened(data), puzzle_of(data)
    for number, stated in enumerate(opened.stated, start=1):
        lines = list(section_lines(opened, number, puzzle))
        labels = label_names(puzzle, stated.reveal)
        if (proved := answer(program, lines, *labels)) is not None:
            yield puzzle, stated.reveal, proved


@cache
def counts(toml: str) -> PuzzleDiagram:
    return PuzzleDiagram.build(parse_puzzle(toml, "forged"), None)


@pytest.mark.parametrize("seeds", seeds(50, 20_000), ids=len)
def test_no_edited_certificate_that_is_false_is_accepted(program: str, seeds: range) -> None:
    seen = true = 0
    originals = (made("a3"), made("c1"), made("a3", "c1"), made("a1", cut_above=28))
    for seed in seeds:
        data = forged_certificate(originals, random.Random(seed))
        try:
            proved = list(accepted(program, data))
        except Exception:  # what satcal cannot unpack, never reaches the program
            continue
        seen += 1
        true += bool(proved)
        for puzzle, reveal, tilings in proved:
            assert counts(to_toml(puzzle)).count(reveal) == tilings, f"the seed is {seed}"
    assert seen > 12 and true


@pytest.mark.parametrize("message", SOUND)
def test_what_one_check_of_satcal_refuses_is_refused(program: str, message: str) -> None:
    witness = SOUND[message](whole())
    if isinstance(witness, File):
        with contextlib.suppress(*REFUSED):  # by what unpacks it
            for _, reveal, number in accepted(program, witness.data):
                assert len(witness.small.tilings(reveal)) == number


def targets(small: Small) -> Iterator[tuple[list[str], Target]]:
    """Yield texts that leave out a tiling each, and the proof that lacks only that."""
    puzzle = parse_puzzle(small.text(), "small")
    todo = task(puzzle, ())
    every = [frozenset(tiling) for tiling in sorted(small.tilings(()), key=sorted)]
    steps = tuple(refutation(formula(todo, (), every)))
    for tiling in every:
        listed = [other for other in every if other != tiling]
        left = formula(todo, (), listed)
        number = {placed: place for place, placed in enumerate(left.placements)}
        lines = [" ".join(str(1 + number[placed]) for placed in other) for other in listed]
        model = frozenset(number[placed] for placed in tiling)
        yield [plain_text(puzzle, []), "tilings", *lines, "proof"], Target(left, model, steps)


SMALL = (IM, row(4, I, M, ("J", ("#",), 1, True)), row(5, ("I", ("##",), 2, True), M))


@pytest.mark.parametrize("seeds", seeds(200, 20_000), ids=len)
def test_no_forged_proof_is_accepted(program: str, seeds: range) -> None:
    some = [each for small in SMALL for each in targets(small)]
    for seed in seeds:
        generator = random.Random(seed)
        lines, target = generator.choice(some)
        try:
            content = forged_proof(target, generator)
            proof = list(proof_lines(content, "proof", len(target.formula.clauses)))
        except CertificateRefused:
            continue
        assert answer(program, [*lines, *proof]) is None, f"the seed is {seed}"


IM_TEXT = "board\n* * *\npiece I\n##\npiece M\n#\ntilings\n{}\n{}"


@pytest.mark.parametrize(
    ("tilings", "rest", "reason"),
    [
        ("1 5\n2 4", "proof\n0 1 2", "tiling 2 is none"),
        ("1 9\n2 3", "proof\n0 1 2", "tiling 1 is none"),
        ("1 5\n5 1", "proof\n0 1 2", "a tiling is listed twice"),
        ("1 5\n2 3", "", "more or fewer proofs"),
        ("1 5\n2 3", "proof\n0 1 2", "part 1, clause 8: it does not follow"),
        ("1 5\n2 3", "cell 0 7\nproof\n0 1", "there is no cell in row 0 and column 7"),
        ("1 5\n2 3", "cell 0 0\ncell 0 1\nproof\n0 1", "part 2: this cell is covered already"),
        ("1 5\n2 3", "proof\n1 2", "has no 0 behind its literals"),
        ("1 5\n2 3", "proof\n0 x", "'x' is no number"),
        ("1 5\n2 3", "proof\n0 0", "0 is no number of a placement"),
        ("1 5\n2 3", "prove\n0 1", "'prove' is no number"),
    ],
)
def test_what_is_refused_is_refused_with_its_reason(
    program: str, tilings: str, rest: str, reason: str
) -> None:
    done = asked(program, IM_TEXT.format(tilings, rest))
    assert (done.returncode, reason in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        ("echo 'no proof' >&2; exit 2", CertificateRefused, "refuses it: no proof"),
        ("echo a,3,4", Stopped, "ended without a verdict"),  # 5 are stated
        ("echo a,3,5; exit 1", Stopped, "ended without a verdict: exit 1"),
    ],
)
def test_only_the_stated_number_in_its_last_line_is_an_acceptance(
    script: str, error: type[Exception], message: str, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fake("stand-in", f"cat > /dev/null; {script}")
    monkeypatch.setenv("SATCAL_VERIFIED", str(path))
    with pytest.raises(error, match=message):
        ask_verified(made("a3"), five())
