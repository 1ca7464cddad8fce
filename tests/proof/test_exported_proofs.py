"""A second replayer, which knows LRAT and nothing of satcal, accepts every proof that is exported.

It is plain: sets of literals, no masks, and clauses for what satcal's own replay applies at once.
"""

from __future__ import annotations

import ast
import random
from dataclasses import replace
from pathlib import Path

import lrat
import pytest
from certificates import made
from forger import forged_proof, targets
from hypothesis import given, settings
from proofs import against, models, planted, refutation, written
from small import Small, small_puzzles

from satcal.errors import CertificateRefused
from satcal.evidence.certify import certify
from satcal.evidence.checking import check
from satcal.evidence.lrat import Standard
from satcal.proof.formula import Formula
from satcal.proof.replay import replay


def replayed(folder: Path) -> int:
    """Return how many exported proofs the second replayer accepts: all of them."""
    files = sorted(folder.glob("*.cnf"))
    for path in files:
        assert lrat.replay(path.read_text(), path.with_suffix(".lrat").read_text())
    return len(files)


def test_the_second_replayer_imports_nothing() -> None:
    tree = ast.parse(Path(lrat.__file__).read_text())
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize(("reveal", "cut_above"), [("a3", 2000), ("c1", 2000), ("a1", 28)])
def test_it_accepts_the_exported_proof_of_each_cube(
    reveal: str, cut_above: int, tmp_path: Path
) -> None:
    (proved,) = check(made(reveal, cut_above=cut_above), export=tmp_path).proved
    assert replayed(tmp_path) == proved.proofs


@settings(max_examples=20)
@given(small_puzzles())
def test_it_accepts_the_exported_proof_of_any_puzzle_with_and_without_copies(
    tmp_path_factory: pytest.TempPathFactory, two_l4: Small, small: Small
) -> None:
    for puzzle in (small.load(), two_l4.load()):
        folder = tmp_path_factory.mktemp("proofs")
        check(certify(puzzle, next(puzzle.reveals())), export=folder)
        assert replayed(folder) == 1


def refuted(seed: int) -> tuple[Formula, bytes]:
    """Return a random formula without model, and a proof of it that no solver has written."""
    formula, _ = planted(random.Random(seed))
    clauses = [*formula.clauses, *against(models(formula), len(formula.placements))]
    whole = replace(formula, clauses=clauses)
    return whole, written(refutation(whole), len(clauses))


@pytest.mark.parametrize("seed", range(40))
def test_both_replays_accept_a_proof_by_trying_and_refuse_it_when_a_lemma_loses_a_hint(
    seed: int,
) -> None:
    formula, content = refuted(seed)
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
        target = generator.choice(targets(1))
        last = against([target.model], len(target.formula.placements))
        whole = replace(target.formula, clauses=[*target.formula.clauses, *last])
        if list(models(whole)):
            continue
        content = forged_proof(target._replace(formula=whole), generator)
        try:
            steps = replay(whole, content, "proof")
        except CertificateRefused:
            continue
        standard = Standard(whole)
        exported = standard.lrat(standard.steps(content, "proof"))
        assert lrat.replay(standard.dimacs(), exported) == steps, f"the seed is {seed}"
        some += 1
    assert some > 10
