"""No false file is accepted: a forger makes many, and all checkers judge each alike."""

import hashlib

import pytest
from hypothesis import given

from helpers import checkers
from helpers.certificates import taken_apart
from helpers.forger import certificates, forgeries
from satcal.certificates.lrat import convert_puzzle
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.proof.normal import digest, parse_normal_form


def check_against_the_diagram(data: bytes, verdict: checkers.Verdict) -> None:
    """Check that the diagram of its puzzle finds the numbers of a file that was accepted."""
    counts = PuzzleDiagram.build(convert_puzzle(parse_normal_form(taken_apart(data).text))).counts()
    assert verdict.tilings == {reveal: counts[reveal] for reveal in verdict.tilings}


@given(certificates(), certificates())
def test_a_true_file_is_refused_for_another_puzzle(file, other):
    same = digest(other.text) == digest(file.text)
    for ask in (checkers.trusted, checkers.stranger):
        assert ask(file.written(), file.text).word == "accepted"
        assert (ask(file.written(), other.text).word == "accepted") == same


@pytest.mark.needs("node")
def test_no_false_file_is_accepted_and_three_checkers_agree(tmp_path):
    """The fourth, that of the theorem, judges a sample in tests/theorem/test_checker.py."""
    verdicts: dict[str, checkers.Verdict] = {}

    @given(forgeries(40))
    def attack(files: list[bytes]) -> None:
        for data in files:
            verdict = checkers.trusted(data)
            assert checkers.stranger(data) == verdict
            if verdict.word == "accepted":
                check_against_the_diagram(data, verdict)
            path = tmp_path / f"{hashlib.sha256(data).hexdigest()}.satcert"
            path.write_bytes(data)
            verdicts[path.name] = verdict

    attack()
    assert checkers.page(tmp_path) == verdicts
    accepted = sum(verdict.word == "accepted" for verdict in verdicts.values())
    assert 0 < accepted < len(verdicts) / 3  # a true file now and then: a swap of equal trees
