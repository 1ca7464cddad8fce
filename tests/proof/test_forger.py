"""No false file is accepted: a forger makes many, and all checkers say the same of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers import checkers
from helpers.forger import Forger, files, is_true
from satcal.proof.normal import digest, parse_normal_form


def attack(seed: int, number: int, folder: Path) -> int:
    """Forge files, and return how many are accepted, all of which have to be true."""
    forger, taken = Forger(seed), 0
    said: dict[str, checkers.Verdict] = {}
    for each in range(number):
        kind, data = forger.forge()
        verdict = checkers.trusted(data)
        assert checkers.stranger(data) == verdict, (seed, each, kind)
        (folder / f"{each:06}.satcert").write_bytes(data)
        said[f"{each:06}.satcert"] = verdict
        if verdict.word == "accepted":
            text = data.split(b"\n", 2)[2][: int(data.split(b" ", 4)[3])].decode()
            puzzle = parse_normal_form(text)
            for reveal, tilings in verdict.tilings.items():
                assert is_true(puzzle, reveal, tilings), (seed, each, kind)
            taken += 1
    assert checkers.page(folder) == said
    return taken


def test_a_true_file_is_refused_for_another_puzzle() -> None:
    texts = {digest(file.text): file.text for file in files()}
    for number, file in enumerate(files()):
        other = files()[number - 1].text
        same = digest(other) == digest(file.text)
        for ask in (checkers.trusted, checkers.stranger):
            assert ask(file.written(), texts[digest(file.text)]).word == "accepted"
            assert (ask(file.written(), other).word == "accepted") == same


@pytest.mark.needs("node")
def test_no_false_file_is_accepted_and_three_checkers_agree(tmp_path: Path) -> None:
    """The fourth, that of the theorem, judges a sample in tests/theorem/test_checker.py."""
    assert 0 < attack(0, 800, tmp_path) < 270  # a true file now and then: a swap of equal trees


@pytest.mark.long
@pytest.mark.needs("node")
@pytest.mark.parametrize("seed", range(1, 11))
def test_200000_files(seed: int, tmp_path: Path) -> None:
    attack(seed, 20_000, tmp_path)
