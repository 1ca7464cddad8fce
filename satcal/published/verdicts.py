"""The verdicts on statements: confirmed, refuted, settled or undecided."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from satcal.errors import TooLarge
from satcal.published.evaluating import Lookup, Truth, Undecided, evaluate
from satcal.published.shipped import results_folder, shipped_name
from satcal.published.statements import Item, Statement, format_number, round_like
from satcal.puzzle.calendar import FULL_NAMES
from satcal.puzzle.model import Puzzle, Reveal
from satcal.tabular import count_of, some_of

MAX_LISTED = 12  # wrong rows in a sentence


class Judgement(enum.Enum):
    """The judgement on a statement.

    Settled: the author leaves the value open, and satcal supplies it. Undecided: satcal cannot
    evaluate the statement; the reason says why.
    """

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    SETTLED = "settled"
    UNDECIDED = "undecided"


class WrongRow(NamedTuple):
    """A wrong row of a published table, with the claimed and the true number."""

    item: Item
    claimed: int
    true: int

    def as_fields(self, puzzle: Puzzle) -> dict[str, object]:
        """Return the record of the row: a label for each category, and both numbers."""
        labels = zip(puzzle.categories, self.item, strict=True)
        return {**dict(labels), "claimed": self.claimed, "true": self.true}


class Verdict(NamedTuple):
    """A statement, the judgement on it, and the reason."""

    statement: Statement
    judgement: Judgement
    truth: Truth | None = None
    reason: str = ""

    def __repr__(self) -> str:
        return f"<Verdict {self.statement.id}: {self.statement.text}: {self.judgement.value}>"

    @property
    def example(self) -> Reveal | None:
        """The first reveal that decides, if there is one."""
        if self.truth is None or self.statement.over.kind != "reveals":
            return None
        label_count = len(self.statement.puzzle.categories)
        return next((item for item in self.truth.items if len(item) == label_count), None)

    @property
    def truth_in_words(self) -> str:
        """The true value with the items that decide it; empty for an undecided statement."""
        if self.truth is None:
            return ""
        if isinstance(self.truth.value, Mapping):
            return self._rows_in_words()
        claimed, value = self.statement.value, self.truth.value
        like = claimed if isinstance(claimed, Decimal) else Decimal("0.000")
        if isinstance(value, int) and not isinstance(claimed, Decimal):
            text = format_number(value)
        else:
            rounding = self.statement.rounding if like is claimed else "nearest"
            text = format_number(round_like(value, like, rounding))
            exact = format_number(round_like(value, Decimal("0.000")))
            text += f" (from {exact})" if exact != text else ""
        text += f" of {self.truth.of:,}" if self.truth.of is not None else ""
        items = some_of([" ".join(item) for item in self.truth.items if item])
        return f"{text} ({items})" if items else text

    def _rows_in_words(self) -> str:
        """Return the number of wrong rows of a table, and list them."""
        wrong, count = self.wrong_rows(), len(self.statement.over.items)
        if not wrong:
            return f"{count_of(count, 'row')}, all are right"
        text = "; ".join(
            f"{spell_out(self.statement.puzzle, row.item)} is {row.true:,}, not {row.claimed:,}"
            for row in wrong[:MAX_LISTED]
        )
        omitted = f"; and {len(wrong) - MAX_LISTED:,} more" if len(wrong) > MAX_LISTED else ""
        verb = "are" if len(wrong) > 1 else "is"
        return f"{len(wrong):,} of {count_of(count, 'row')} {verb} wrong: {text}{omitted}"

    def wrong_rows(self) -> list[WrongRow]:
        """Return the wrong rows of a published table; other statements have none."""
        claimed, truth = self.statement.value, self.truth and self.truth.value
        if not isinstance(claimed, Mapping) or not isinstance(truth, Mapping):
            return []
        rows = (WrongRow(item, claimed[item], true) for item, true in truth.items())
        return [row for row in rows if row.claimed != row.true]

    def as_fields(self) -> dict[str, str]:
        """Return the verdict as a record of strings."""
        claim, example = self.statement, self.example
        return {
            "id": claim.id,
            "verdict": self.judgement.value,
            "board": claim.puzzle.name,
            "statement": claim.text,
            "claimed": claim.claimed,
            "truth": self.truth_in_words,
            "example": "" if example is None else " ".join(example),
            "reason": self.reason,
            "source": "; ".join(filter(None, (claim.source, claim.also))),
            "file": claim.file,
            "note": claim.note,
            "certificate": "" if claim.over.place else find_certificate(claim.puzzle, example),
            "see": " ".join(claim.see),
        }


def judge(statement: Statement, lookup: Lookup) -> Verdict:
    """Return the verdict on a statement; raise Disagreement if a shipped table is wrong."""
    try:
        truth = evaluate(statement, lookup)
    except (TooLarge, Undecided) as error:
        return Verdict(statement, Judgement.UNDECIDED, reason=str(error))
    if statement.hedge:
        return Verdict(statement, Judgement.SETTLED, truth, statement.hedge)
    if isinstance(truth.value, Mapping):
        is_true = truth.value == statement.value
    else:
        is_true = statement.allows(truth.value) and statement.at in (None, *truth.items)
    return Verdict(statement, Judgement.CONFIRMED if is_true else Judgement.REFUTED, truth)


def find_certificate(puzzle: Puzzle, reveal: Reveal | None) -> str:
    """Return the path, relative to ``results``, of a certificate for a reveal of a shipped table.

    It is the certificate of the reveal alone, or that of all reveals of the board, or "" if neither
    exists.
    """
    if reveal is None or shipped_name(puzzle) is None:
        return ""
    for name in (f"{puzzle.name}.{'-'.join(reveal)}", puzzle.name):
        file = f"certificates/{name}.satcert"
        if (results_folder() / file).is_file():
            return file
    return ""


def spell_out(puzzle: Puzzle, item: Item) -> str:
    """Return a reveal in words: ``6 October``, ``Monday, 6 October``; its labels if not a date.

    >>> from satcal.puzzle.loading import load
    >>> spell_out(load("rhombus"), ("Mon", "Oct", "6"))
    'Monday, 6 October'
    """
    parts = puzzle.calendar.parts
    if parts is None or len(item) != len(parts) or not puzzle.calendar.is_date(item):
        return " ".join(item)
    indices = puzzle.calendar.indices(item)
    words = {part: FULL_NAMES[part][index].capitalize() for part, index in indices.items()}
    weekday = f"{words['weekday']}, " if "weekday" in words else ""
    return f"{weekday}{words['day']} {words['month']}"
