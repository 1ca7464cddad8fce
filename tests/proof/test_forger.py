"""A forger finds nothing false that is accepted, and deceives a checker that lacks a check."""

from __future__ import annotations

import random
from functools import cache
from types import SimpleNamespace

import pytest
from certificates import made
from claimed import ALL, IM, IM_CUBES, IM_TILINGS, claim
from forger import forged_certificate, forged_proof, targets
from mutants import check_of, replaced, whole, without
from proof.test_mutants import REFUSED, SOUND, WRONG

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import CertificateRefused
from satcal.puzzle.toml import parse_puzzle
from satcal.puzzle.writing import to_toml

EDITS = {name: edits for name, label, _, *edits in WRONG if label == "sound"}
UNSOUND = [name for name, edits in EDITS.items() if edits[0].module == "replay"]
UNSOUND += [message for message in SOUND if check_of(message).module == "replay"]


def unsound(name: str) -> SimpleNamespace:
    """Return a room without a check, or with a line that is wrong."""
    return replaced(EDITS[name]) if name in EDITS else without(check_of(name))


def deceived(room: SimpleNamespace, seeds: range) -> int | None:
    """Return the first seed whose forged proof a room takes for one; all of them prove nothing."""
    for seed in seeds:
        generator = random.Random(seed)
        target = generator.choice(targets())
        try:
            room.replay.replay(target.formula, forged_proof(target, generator), "proof")
        except CertificateRefused:
            continue
        return seed
    return None


@pytest.mark.parametrize(
    "seeds", [range(4000), pytest.param(range(10_000, 210_000), marks=pytest.mark.long)], ids=len
)
def test_no_forged_proof_is_accepted(seeds: range) -> None:
    assert deceived(whole(), seeds) is None


@pytest.mark.parametrize("name", UNSOUND)
def test_the_forger_deceives_a_replay_that_is_not_sound(name: str) -> None:
    assert deceived(unsound(name), range(4000)) is not None


@cache
def counts(puzzle: str) -> PuzzleDiagram:
    return PuzzleDiagram.build(parse_puzzle(puzzle, "forged"), None)


@cache
def originals() -> tuple[bytes, ...]:
    """Return certificates of 0, 5 and 29 tilings of a board of 5 x 5, and of one of 1 x 3."""
    small = [claim(whole(), IM, IM_TILINGS, cut).data for cut in (ALL, IM_CUBES)]
    return (*small * 8, made("a3"), made("c1"), made("a3", "c1"), made("a1", cut_above=28))


def passed_off(room: SimpleNamespace, seeds: range) -> int | None:
    """Return the first seed whose edited certificate a room accepts though a count is wrong."""
    for seed in seeds:
        data = forged_certificate(originals(), random.Random(seed))
        try:
            puzzle, proved = room.check.check(data)
        except REFUSED:
            continue
        except Exception as error:
            error.add_note(f"the seed is {seed}")
            raise
        known = counts(to_toml(puzzle))  # an edit may leave the certificate true
        if any(known.count(each.reveal) != each.tilings for each in proved):
            return seed
    return None


@pytest.mark.parametrize(
    "seeds", [range(1000), pytest.param(range(10_000, 50_000), marks=pytest.mark.long)], ids=len
)
def test_no_edited_certificate_that_is_false_is_accepted(seeds: range) -> None:
    assert passed_off(whole(), seeds) is None


@pytest.mark.parametrize("message", ["{} tilings are stated, but {} are", "does not follow from"])
def test_the_forger_passes_a_false_certificate_off_where_a_check_is_missing(message: str) -> None:
    assert passed_off(without(check_of(message)), range(2000)) is not None
