"""Claims: published statements with their sources, and the verdicts on them."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from satcal.puzzle.model import Puzzle, Reveal

EXACT = ("tilings", "classes", "reveals", "orders", "symmetries")
"""Fields with a number that is right or too large or too small, and no bound."""


class Judgement(enum.Enum):
    """What satcal says of a statement; undecided is neither of the others, and says why."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class Undecided(Exception):
    """Nothing that satcal knows confirms or refutes a statement; the text says why."""


@dataclass(frozen=True)
class Rows:
    """The reveals that a range such as ``all-dates`` names, in canonical order."""

    text: str
    reveals: tuple[Reveal, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Statement:
    """One statement of a claim file, in a form that satcal evaluates.

    ``says`` puts it into our words, ``quotation`` into those of the source where we have
    them. ``fields`` holds what its kind needs, parsed: see :mod:`satcal.evidence.claims.kinds`.
    ``puzzle`` is the variant that it is about; ``faces_unsaid`` means that its pieces lie one
    face up and the source does not say which. ``certificate`` names the one that shows the
    truth, ``see`` files of ``results/`` that do.
    """

    id: str
    kind: str
    says: str
    puzzle: Puzzle
    fields: Mapping[str, Any]
    quotation: str = ""
    also: str = ""
    note: str = ""
    certificate: str = ""
    see: tuple[str, ...] = ()
    faces_unsaid: bool = False

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


@dataclass(frozen=True)
class ClaimFile:
    """The statements of one source: a page, a repository or a book."""

    path: str
    source: str
    statements: tuple[Statement, ...]
    year: int | None = None
    where: str = ""


@dataclass(frozen=True)
class Finding:
    """What evaluating a statement found.

    ``truth`` holds the fields with which the statement would hold (those of ``holds`` are its
    own); ``example`` is the reveal that decides, ``says`` replaces the text made of ``truth``.
    """

    holds: bool
    truth: Mapping[str, Any] = field(default_factory=dict)
    example: Reveal | None = None
    says: str = ""


@dataclass(frozen=True)
class Verdict:
    """A statement with satcal's judgement of it, and why."""

    file: ClaimFile
    statement: Statement
    judgement: Judgement
    finding: Finding | None
    claimed: str
    truth: str = ""
    example: str = ""
    reason: str = ""

    @property
    def certificate(self) -> str:
        """The file in ``results/`` that proves the truth to a stranger; empty if none does."""
        name = self.statement.certificate
        return f"certificates/{name}.satcert" if name else ""

    @property
    def off_by(self) -> str:
        """By how much a claimed number is too large or too small, in percent of the true one."""
        if self.finding is None or self.finding.holds:
            return ""
        for name in EXACT:
            claimed, true = self.statement.fields.get(name), self.finding.truth.get(name)
            if claimed is not None and true and claimed != true:
                return f"{float(100 * (Fraction(claimed) / Fraction(true) - 1)):+.1f} %"
        return ""

    def as_fields(self) -> dict[str, str]:
        """Return the verdict as a row of texts, for tables, CSV and JSON."""
        return {
            "id": self.statement.id,
            "verdict": self.judgement.value,
            "board": self.statement.puzzle.name,
            "statement": self.statement.says,
            "claimed": self.claimed,
            "truth": self.truth,
            "example": self.example,
            "reason": self.reason,
            "source": "; ".join(filter(None, (self.file.source, self.statement.also))),
            "file": Path(self.file.path).name,
            "quotation": self.statement.quotation,
            "note": self.statement.note,
            "certificate": self.certificate,
            "see": " ".join(self.statement.see),
        }
