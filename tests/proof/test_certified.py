"""Random puzzles, certified: the numbers are those of brute force, and all checkers agree."""

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given

from helpers import checkers
from helpers.certificates import File, Group, grown, taken_apart
from oracle import dominoes, small_puzzles
from satcal.certificates import second_opinions
from satcal.certificates.certify import make_certificate
from satcal.certificates.lrat import read_proof
from satcal.errors import CertificateRefused
from satcal.proof.walk import decode_tokens


def numbers(data: bytes) -> dict[tuple[str, ...], int]:
    """Return the numbers that a certificate proves; two checkers agree."""
    said = checkers.trusted(data)
    assert said.word == "accepted"
    assert checkers.stranger(data) == said
    return said.tilings


@given(small_puzzles())
def test_random_puzzles_are_certified_with_the_numbers_of_brute_force(small):
    puzzle = small.load()
    true = {reveal: len(small.tilings(reveal)) for reveal in small.reveals}
    assert numbers(make_certificate(puzzle, small.reveals)[0]) == true


@given(small_puzzles())
def test_a_counter_of_one_page_finds_the_same(small):
    cells_and_pieces = checkers.COUNT.parse(small.text, list(small.reveals[0]))
    assert checkers.COUNT.count(*cells_and_pieces) == len(small.tilings(small.reveals[0]))


def test_remembered_states_prove_numbers_that_no_tree_could_write():
    data = make_certificate(dominoes(10, 10).load(), [()])[0]
    assert numbers(data) == {(): 258_584_046_368}
    assert len(data) < 20_000


def test_a_path_may_be_longer_than_python_recurses():
    row = "* " * 60
    text = 'name = "long"\nboard = """\n' + f"{row}\n" * 17 + '"""\n\n[categories]\n\n[pieces]\n'
    text += 'I = { shape = "#", copies = 1020, flip = true }\n'
    data = File(text, [Group({(): 1}, bytes(1020))]).written()
    assert numbers(data) == {(): 1}


@pytest.mark.parametrize("marks", [0.0, 0.5, 1.0])
@given(small=small_puzzles())
def test_a_tree_that_satcal_did_not_grow_is_checked_and_becomes_lrat(small, marks):
    file = taken_apart(make_certificate(small.load(), small.reveals)[0])
    data = grown(file, random.Random(small.text), marks).written()
    assert numbers(data) == {reveal: len(small.tilings(reveal)) for reveal in small.reveals}
    for reveal in small.reveals:
        proof = read_proof(data, reveal)
        checkers.replay("".join(proof.dimacs()), "".join(proof.lines("lrat")))


@pytest.mark.long
@pytest.mark.parametrize("checker", second_opinions.PROGRAMS)
@given(small=small_puzzles())
def test_an_outside_checker_accepts_the_proofs(checker, small):
    if shutil.which(checker) is None:
        pytest.skip(f"{checker} is not on the PATH")
    file = taken_apart(make_certificate(small.load(), small.reveals)[0])
    program, folder = second_opinions.PROGRAMS[checker], Path("/dev/shm")
    formula, lines = folder / f"{checker}.cnf", folder / f"{checker}.{program.form}"
    for marks in (0.0, 0.5, 1.0):
        data = grown(file, random.Random(small.text), marks).written()
        proof = read_proof(data, small.reveals[0])
        formula.write_text("".join(proof.dimacs()))
        lines.write_text("".join(proof.lines(program.form)))
        done = subprocess.run(
            [checker, formula, lines, *program.arguments],
            env={**program.environment, **os.environ},
            capture_output=True,
            text=True,
            check=False,
        )
        assert program.acceptance in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("token", "number"),
    [
        (b"\x7f", 127),
        (b"\x80\x01", 128),
        (b"\xff\x01", 255),
        (b"\x80\x02", 256),
        (b"\xff\x7f", 16_383),
        (b"\x80", None),
        (b"\x80\x00", None),
        (b"\x80\x80", None),
    ],
)
def test_a_token_has_7_bits_in_one_byte_or_14_in_two(token, number):
    if number is None:
        with pytest.raises(CertificateRefused):
            decode_tokens(token)
    else:
        assert list(decode_tokens(b"\0" + token + b"\1")) == [0, number, 1]
