"""No false file is accepted: a forger makes many, and all checkers say the same of each."""

from __future__ import annotations

from collections import Counter

import pytest

from helpers import checkers
from helpers.forger import Forger, accepted, bases, is_true


def attacked(seed: int, files: int, compared: int) -> Counter[str]:
    """Forge files, and assert that what is accepted is true; count what is, by kind."""
    forger, taken = Forger(seed), Counter[str]()
    for number in range(files):
        kind, data = forger.forge()
        proved = accepted(data)
        if number < compared:
            strange = checkers.accepts(data)
            assert (strange is None) == (proved is None), (seed, number, kind)
        for statement in proved or []:
            for tree in statement.stated:
                assert is_true(statement, tree), (seed, number, kind)
        taken[kind] += proved is not None
    return taken


def test_the_true_files_are_accepted() -> None:
    for data in bases():
        assert all(is_true(s, tree) for s in accepted(data) or [] for tree in s.stated)
        assert checkers.accepts(data)


def test_no_false_file_is_accepted_and_the_strangers_checker_agrees() -> None:
    taken = attacked(0, 2_000, 2_000)
    assert sum(taken.values()) < 1_000  # a true file now and then: a swap of equal trees


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 11))
def test_200000_files(seed: int) -> None:
    attacked(seed, 20_000, 2_000)
