"""From statements to verdicts: confirmed, refuted with the truth, or undecided and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from satcal.errors import BudgetExhausted, TooLarge
from satcal.evidence.claims.faces import face_choices
from satcal.evidence.claims.kinds import KINDS
from satcal.evidence.claims.model import (
    ClaimFile,
    Finding,
    Judgement,
    Statement,
    Undecided,
    Verdict,
)
from satcal.evidence.claims.sources import Sources

# How a field is written in the text of a claim and of the truth; a number alone where not here.
_WORDS = {
    "at_least": "at least {}",
    "at_most": "at most {}",
    "exactly": "exactly {}",
    "of": "({} reveals)",
    "reveal": "({})",
    "cells": "{} cells",
    "area": "area {}",
    "off_board": "{} off the board",
    "reveals": "{} reveals",
    "orientations": "{} orientations",
    "placements": "{} placements",
    "classes": "{} up to symmetry",
    "symmetries": "{} symmetries",
    "orders": "{} orders",
    "sets": "{} sets",
    "file": "{} rows",
    "needs": "",
}


def evaluate(statement: Statement, sources: Sources) -> Finding:
    """Return what a statement's kind finds.

    Raises:
        BudgetExhausted, TooLarge: more work than the sources allow.
        Undecided: nothing decides it, whatever the work.
    """
    if statement.faces_unsaid:
        return _on_all_faces(statement, sources)
    return KINDS[statement.kind].evaluate(statement, sources)


def _on_all_faces(statement: Statement, sources: Sources) -> Finding:
    """Return the finding for all choices of faces, if it is the same for all.

    A drawing shows an arbitrary face: pieces that look different turned over may each lie
    either way, and a source that says only "one face up" may mean any of these choices.
    """
    findings: dict[tuple[str, ...], Finding] = {}
    for over, puzzle in face_choices(statement.puzzle):
        one = replace(statement, puzzle=puzzle, faces_unsaid=False)
        findings[over] = evaluate(one, sources)
    if len(findings) == 1:  # no piece has two different faces
        return next(iter(findings.values()))
    agreeing = [over for over, finding in findings.items() if finding.holds]
    first, *_, last = findings
    if len(agreeing) in (0, len(findings)):
        texts = sorted({describe(statement, each.truth) for each in findings.values()})
        says = f"{', '.join(texts)} for the {len(findings)} choices of faces"
        truth = findings[first].truth if len(texts) == 1 else {}
        return Finding(findings[first].holds, truth, findings[first].example, says)
    raise Undecided(
        "the source does not say which face is up. As drawn the truth is "
        f"{describe(statement, findings[first].truth)}, with every piece turned over "
        f"{describe(statement, findings[last].truth)}; it holds for {len(agreeing)} of the "
        f"{len(findings)} choices of faces: turned over are "
        + "; or ".join(", ".join(over) or "none" for over in agreeing)
    )


def judge(file: ClaimFile, statement: Statement, sources: Sources) -> Verdict:
    """Return the verdict on one statement.

    Raises:
        Disagreement: a count failed its own checks, so that nothing can be said.
    """
    claimed = describe(statement, statement.fields)
    undecided = Verdict(file, statement, Judgement.UNDECIDED, None, claimed)
    try:
        finding = evaluate(statement, sources)
    except (BudgetExhausted, TooLarge, Undecided) as reason:
        return replace(undecided, reason=str(reason))
    return replace(
        undecided,
        judgement=Judgement.CONFIRMED if finding.holds else Judgement.REFUTED,
        finding=finding,
        truth=finding.says or describe(statement, finding.truth),
        example=" ".join(finding.example or ()),
    )


def describe(statement: Statement, values: Mapping[str, Any]) -> str:
    """Return in words what the claiming fields say, the claim's or the true ones."""
    claimed = KINDS[statement.kind].claimed
    # "every" and "some" need not repeat that a bound is about tilings
    return " ".join(
        _WORDS.get(name, "{}").format(_value(values[name])) for name in claimed if name in values
    )


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        pieces = all(isinstance(name, str) for name in value)
        return ", ".join(f"{k} {v}" for k, v in value.items()) if pieces else f"{len(value):,}"
    if isinstance(value, tuple):
        return " ".join(value)
    return f"{value:,}" if isinstance(value, int | Decimal) else str(value)
