"""Random puzzles, certified: the numbers are those of brute force, and all checkers agree."""

import random
import shutil

import pytest
from hypothesis import given

from helpers import checkers
from helpers.certificates import File, Group, grown, taken_apart
from oracle import dominoes, small_puzzles
from satcal.certificates.certify import make_certificate
from satcal.certificates.checking import check
from satcal.certificates.lrat import read_proof
from satcal.certificates.second_opinions import PROGRAMS


def numbers(data: bytes) -> dict[tuple[str, ...], int]:
    """Return the numbers that a certificate proves; two checkers agree."""
    verdict = checkers.trusted(data)
    assert verdict.word == "accepted"
    assert checkers.stranger(data) == verdict
    return verdict.tilings


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
def test_a_tree_that_satcal_did_not_grow_is_checked_and_converted_to_lrat(small, marks):
    file = taken_apart(make_certificate(small.load(), small.reveals)[0])
    data = grown(file, random.Random(small.text), marks).written()
    assert numbers(data) == {reveal: len(small.tilings(reveal)) for reveal in small.reveals}
    for reveal in small.reveals:
        proof = read_proof(data, reveal)
        checkers.replay("".join(proof.dimacs()), "".join(proof.lines("lrat")))


@pytest.mark.long
@pytest.mark.parametrize("marks", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("checker", PROGRAMS)
@given(small=small_puzzles())
def test_an_outside_checker_accepts_the_proofs(checker, small, marks):
    if shutil.which(checker) is None:
        pytest.skip(f"{checker} is not on the PATH")
    file = taken_apart(make_certificate(small.load(), small.reveals)[0])
    check(grown(file, random.Random(small.text), marks).written(), [checker])
