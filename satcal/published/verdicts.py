"""From statements to verdicts: confirmed, refuted, settled or undecided."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from satcal.errors import BudgetExhausted, TooLarge
from satcal.published.certified import certificate_path
from satcal.published.facts import FactFinder, Sources
from satcal.published.fields import Bound
from satcal.published.kinds import Claim, Truth, Undecided
from satcal.puzzle.model import Puzzle, Reveal

# how a field is written in words; where it is not here, as a number alone
WORDS = {
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
    "sets": "{} sets",
    "ways": "{} ways",
    "covers": "{} covers",
    "file": "{} rows",
    "needs": "",
}


class Judgement(enum.Enum):
    """What satcal says of a statement.

    Settled: its author leaves it open or hedges, so that it is neither right nor wrong, but gets
    the fact. Undecided: satcal cannot find it, and says why.
    """

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    SETTLED = "settled"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class PublishedStatement:
    """One statement of a claim file, in a form that satcal evaluates.

    ``says`` puts it into our words, ``quotation`` into those of the source; ``hedge`` says how
    its author left it open; ``also`` names further sources, ``note`` is our remark. The truth is
    shown by the ``certificate`` of that name, if it is there and of this board and reveal, and by
    the files ``see`` of ``results/``.
    """

    id: str
    says: str
    puzzle: Puzzle
    claim: Claim
    quotation: str = ""
    also: str = ""
    note: str = ""
    hedge: str = ""
    certificate: str = ""
    see: tuple[str, ...] = ()

    def in_words(self, values: Mapping[str, Any]) -> str:
        """Return these values, claimed or true, in words."""
        texts = []
        for name, claimed in self.claimed_values().items():
            if name in values:
                # "every" and "some" need not repeat that a bound is about tilings
                word = claimed.name if isinstance(claimed, Bound) else name
                texts.append(WORDS.get(word, "{}").format(_text(values[name])))
        return " ".join(texts)

    def claimed_values(self) -> dict[str, Any]:
        """Return what is claimed, by field, without what the statement leaves open."""
        values = {name: getattr(self.claim, name) for name in self.claim.claim_field_names()}
        return {name: value for name, value in values.items() if value is not None}

    def agrees(self, truth: Mapping[str, Any]) -> bool:
        """Return whether all that is claimed is true."""
        return all(
            claimed.allows(truth[name]) if isinstance(claimed, Bound) else claimed == truth[name]
            for name, claimed in self.claimed_values().items()
        )


class ClaimFile(NamedTuple):
    """The statements of one source: a page, a repository or a book."""

    path: str
    source: str
    statements: tuple[PublishedStatement, ...]


class WrongRow(NamedTuple):
    """A row of a published table that is wrong: the numbers claimed and true."""

    reveal: Reveal
    claimed: int
    true: int

    def as_fields(self, puzzle: Puzzle) -> dict[str, object]:
        """Return the row as a record: a label for each category, and both numbers."""
        labels = zip(puzzle.categories, self.reveal, strict=True)
        return {**dict(labels), "claimed": self.claimed, "true": self.true}


class Verdict(NamedTuple):
    """A statement with satcal's judgement of it, and why."""

    file: ClaimFile
    statement: PublishedStatement
    judgement: Judgement
    answer: Truth = Truth({})
    reason: str = ""

    def __repr__(self) -> str:
        return f"<Verdict {self.statement.id}: {self.statement.says}: {self.judgement.value}>"

    @property
    def truth_in_words(self) -> str:
        """What is true, in words; empty for what is undecided."""
        return self.answer.says or self.statement.in_words(self.answer.values)

    @property
    def off_by(self) -> str:
        """By how many percent a refuted number is too large or too small."""
        for name, true in self.answer.values.items():
            claimed = self.statement.claimed_values().get(name)
            if isinstance(claimed, Bound) and claimed.name == "tilings":
                claimed = claimed.number
            if isinstance(claimed, int | Decimal) and true and claimed != true:
                return f"{float(100 * (Fraction(claimed) / Fraction(true) - 1)):+.1f} %"
        return ""

    def wrong_rows(self) -> list[WrongRow]:
        """Return each wrong row of a published table; nothing for other statements."""
        truth = self.answer.values.get("file", {})
        claimed = self.statement.claimed_values().get("file", {})
        rows = (WrongRow(reveal, claimed[reveal], true) for reveal, true in truth.items())
        return [row for row in rows if row.claimed != row.true]

    def as_fields(self) -> dict[str, str]:
        """Return the verdict as a row of texts, for tables, CSV and JSON."""
        claim, example = self.statement, self.answer.example
        return {
            "id": claim.id,
            "verdict": self.judgement.value,
            "board": claim.puzzle.name,
            "statement": claim.says,
            "claimed": claim.in_words(claim.claimed_values()),
            "truth": self.truth_in_words,
            "example": "" if example is None else " ".join(example),
            "reason": self.reason,
            "source": "; ".join(filter(None, (self.file.source, claim.also))),
            "file": Path(self.file.path).name,
            "quotation": claim.quotation,
            "note": claim.note,
            "certificate": certificate_path(claim.puzzle, example, claim.certificate),
            "see": " ".join(claim.see),
        }


def judge(file: ClaimFile, statement: PublishedStatement, sources: Sources) -> Verdict:
    """Return the verdict on a statement; raise Disagreement if a count is not sound."""
    try:
        answer = statement.claim.evaluate(FactFinder(statement.puzzle, sources))
    except (BudgetExhausted, TooLarge, Undecided) as reason:
        return Verdict(file, statement, Judgement.UNDECIDED, reason=str(reason))
    if statement.hedge:
        return Verdict(file, statement, Judgement.SETTLED, answer, statement.hedge)
    right = statement.agrees(answer.values)
    return Verdict(file, statement, Judgement.CONFIRMED if right else Judgement.REFUTED, answer)


def _text(value: Any) -> str:
    if isinstance(value, Bound):
        value = value.number
    if isinstance(value, Mapping):
        pieces = all(isinstance(name, str) for name in value)
        return ", ".join(f"{k} {v}" for k, v in value.items()) if pieces else f"{len(value):,}"
    if isinstance(value, tuple):
        return " ".join(value)
    return f"{value:,}" if isinstance(value, int | Decimal) else str(value)
