"""Mutants of the trusted base: each is caught by some file, or is spared for a reason.

`PYTHONPATH=tests python -m helpers.mutants proof` lists those that no file catches. They are in
spared.tsv, each with the reason why it lets nothing false through.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from helpers import mutants

SPARED = {
    name
    for row in Path(__file__).with_name("spared.tsv").read_text("utf-8").splitlines()
    for _, name in [row.split("\t")]
}


def test_what_is_spared_is_a_mutant() -> None:
    assert {each.name for each in mutants.every("proof")} >= SPARED


@pytest.mark.slow("ten mutants judge 800 files each")
def test_some_mutants_are_caught() -> None:
    some = random.Random("mutants").sample(list(mutants.every("proof")), 10)
    survivors = {each.name for each in some if mutants.survives("proof", each)}
    assert survivors == SPARED & {each.name for each in some}


@pytest.mark.long
def test_all_mutants_are_caught() -> None:
    survivors = {each.name for each in mutants.every("proof") if mutants.survives("proof", each)}
    assert survivors == SPARED
