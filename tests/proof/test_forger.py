"""No false file is accepted: a forger makes many, and all checkers say the same of each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from helpers import checkers
from helpers.forger import KINDS, Forger, bases, files, is_true
from satcal.proof.normal import digest, read


def attack(seed: int, number: int, folder: Path | None = None) -> Counter[str]:
    """Forge files and assert that what is accepted is true; count what is, by kind."""
    forger, taken = Forger(seed), Counter[str]()
    said: dict[str, checkers.Verdict] = {}
    for each in range(number):
        kind, data = forger.forge()
        verdict = checkers.trusted(data)
        assert checkers.stranger(data) == verdict, (seed, each, kind)
        if folder:
            (folder / f"{each:06}.satcert").write_bytes(data)
            said[f"{each:06}.satcert"] = verdict
        if verdict.word == "accepted":
            text = data.split(b"\n", 2)[2][: int(data.split(b" ", 4)[3])].decode()
            puzzle = read(text)
            for reveal, tilings in verdict.tilings.items():
                assert is_true(puzzle, reveal, tilings), (seed, each, kind)
            taken[kind] += 1
    if folder:
        assert checkers.page(folder) == said
    return taken


def test_the_true_files_are_accepted() -> None:
    for data in (*bases(), *(file.written() for file in files())):
        said = checkers.trusted(data)
        assert said.word == "accepted"
        assert checkers.stranger(data) == said


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
    taken = attack(0, 1_500, tmp_path)
    assert sum(taken.values()) < 500  # a true file now and then: a swap of equal trees
    assert len(KINDS) >= 60


@pytest.mark.long
@pytest.mark.needs("node")
def test_5000_files_and_three_checkers(tmp_path: Path) -> None:
    """The fourth, that of the theorem, judges a sample in tests/theorem/test_checker.py."""
    taken = attack(1, 5_000, tmp_path)
    print(f"{len(KINDS)} kinds, {sum(taken.values())} files accepted, all true: {dict(taken)}")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 11))
def test_200000_files(seed: int, tmp_path: Path) -> None:
    attack(seed, 20_000, tmp_path)
