"""A second replayer, which knows LRAT and nothing of satcal, accepts every proof that is exported.

It is plain: sets of literals, no masks, and clauses for what satcal's own replay applies at once.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import lrat
import pytest
from forger import Target, forged_proof, targets
from proofs import against, refutation, written

from satcal.errors import CertificateRefused
from satcal.evidence.lrat import Standard
from satcal.proof.replay import replay


@cache
def unsatisfiable() -> list[Target]:
    """Return the forger's targets with their models excluded, too."""
    whole = []
    for target in targets():
        last = against([target.model], len(target.formula.placements))
        formula = replace(target.formula, clauses=[*target.formula.clauses, *last])
        whole.append(target._replace(formula=formula))
    return whole


@pytest.mark.parametrize("number", range(20))
def test_both_replays_accept_a_proof_by_trying_and_refuse_it_when_a_lemma_loses_a_hint(
    number: int,
) -> None:
    formula = unsatisfiable()[number].formula
    content = written(refutation(formula), len(formula.clauses))
    standard = Standard(formula)
    steps = list(standard.steps(content, "proof"))
    count = replay(formula, content, "proof")
    assert lrat.replay(standard.dimacs(), standard.lrat(steps)) == count
    for place, each in enumerate(steps):
        wrong = [*steps[:place], each._replace(hints=each.hints[:-1]), *steps[place + 1 :]]
        with pytest.raises((ValueError, KeyError)):
            lrat.replay(standard.dimacs(), standard.lrat(wrong))


def test_what_satcal_takes_for_a_proof_the_second_replayer_takes_for_one() -> None:
    """The proofs are edited, and of formulas without model: so some of them are right."""
    some = 0
    for seed in range(600):
        generator = random.Random(seed)
        target = generator.choice(unsatisfiable())
        content = forged_proof(target, generator)
        try:
            steps = replay(target.formula, content, "proof")
        except CertificateRefused:
            continue
        standard = Standard(target.formula)
        exported = standard.lrat(standard.steps(content, "proof"))
        assert lrat.replay(standard.dimacs(), exported) == steps, f"the seed is {seed}"
        some += 1
    assert some > 10
