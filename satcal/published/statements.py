"""Statements in one form: a quantity, over what, folded how, and compared with a value.

``tilings`` over ``all-dates``, fold ``fewest``, ``==`` 7: of all dates, the fewest tilings are 7.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from operator import eq, ge, le
from typing import Literal, NamedTuple

from satcal.puzzle.model import Placement, Puzzle

Item = tuple[str, ...]
"""What has a number: the labels of a reveal, the names of pieces, or those of cells."""

FOLDS = {
    "each": "{quantity} of each of {over}",
    "sum": "{quantity} of {over} together",
    "fewest": "fewest {quantity} of {over}",
    "most": "most {quantity} of {over}",
    "mean": "mean {quantity} of {over}",
    "median": "median {quantity} of {over}",
    "how-many": "how many of {over} have {quantity} {having}",
}
RELATIONS = {"==": (eq, ""), ">=": (ge, "at least "), "<=": (le, "at most ")}
RANGES = {
    "": "the board",
    "all-reveals": "all reveals",
    "all-dates": "all dates",
    "cells": "all sets of cells",
    "cells-not-cut-off": "all sets of cells that cut nothing off",
    "pieces": "all pieces",
    "pairs": "all pairs of pieces",
    "placements": "all placements",
}
"""The words for ranges, beside dates, reveals and names of pieces, and how they are read out."""


class Range(NamedTuple):
    """What a statement is about, with the pieces that are placed already.

    ``items`` are the reveals or pieces; a reveal that comes twice counts twice. Other kinds are
    found when they are evaluated. ``text`` is what the claim file says.
    """

    kind: Literal["board", "reveals", "cells", "pieces", "placements"]
    text: str = ""
    items: tuple[Item, ...] = ((),)
    place: tuple[Placement, ...] = ()

    def __str__(self) -> str:
        placed = "; ".join(map(str, self.place))
        return f"{RANGES.get(self.text, self.text)}{f' with {placed}' if placed else ''}"


WHOLE_BOARD = Range("board")


class Bound(NamedTuple):
    """A relation and a number."""

    relation: str
    value: int | Decimal

    def allows(self, true: int | Fraction, rounding: str = "nearest") -> bool:
        """Return whether a number is as it is said to be, to the digits that are written."""
        if self.relation == "==":
            return round_like(true, self.value, rounding) == self.value
        return bool(RELATIONS[self.relation][0](true, Fraction(self.value)))

    def __str__(self) -> str:
        return f"{RELATIONS[self.relation][1]}{number_text(self.value)}"


@dataclass(frozen=True)
class Statement:
    """One statement of a claim file, in a form that satcal evaluates.

    ``quotation`` are the words of the source, ``says`` is used where these are not at hand.
    ``value`` is a number, or a table of the numbers of all items; None where the source gives none.
    ``at`` is the reveal that is said to have the fewest or the most. ``hedge`` says how the author
    left it open, ``needs`` what satcal would need to evaluate it, ``also`` names further sources,
    ``note`` is our remark. ``see`` are files of ``results/`` that show the truth.
    """

    id: str
    puzzle: Puzzle
    quantity: str = "tilings"
    over: Range = WHOLE_BOARD
    fold: str = "each"
    having: Bound | None = None  # of the items that how-many counts
    relation: str = "=="
    value: int | Decimal | Mapping[Item, int] | None = None
    at: Item | None = None
    rounding: str = "nearest"
    quotation: str = ""
    says: str = ""
    hedge: str = ""
    needs: str = ""
    also: str = ""
    note: str = ""
    see: tuple[str, ...] = ()

    def allows(self, true: int | Fraction) -> bool:
        """Return whether a number is as it is said to be; every one is, if none is said."""
        bound = None if isinstance(self.value, Mapping | None) else Bound(self.relation, self.value)
        return bound is None or bound.allows(true, self.rounding)

    @property
    def text(self) -> str:
        """The statement in the words of its source, in quotation marks, or else in ours."""
        return f"“{self.quotation}”" if self.quotation else self.says

    @property
    def claimed(self) -> str:
        """What is claimed, in the words of one template."""
        if self.needs:
            return ""
        alone = self.fold == "each" and (len(self.over.items) == 1 or self.quantity == "reveals")
        form = "{quantity} of {over}" if alone else FOLDS[self.fold]
        having = self.having and f"{self.having.relation} {number_text(self.having.value)}"
        fact = form.format(quantity=self.quantity, over=self.over, having=having)
        values = [] if self.at is None else [" ".join(self.at)]
        if isinstance(self.value, Mapping):
            values = [f"{len(self.value):,} numbers"]
        elif self.value is not None:
            values.insert(0, str(Bound(self.relation, self.value)))
        return ": ".join(filter(None, [fact, ", ".join(values)]))


def round_like(true: int | Fraction, like: int | Decimal, rounding: str = "nearest") -> Decimal:
    """Return a number of at least 0 to the digits of another, halves up or cut off."""
    exponent = int(Decimal(like).as_tuple().exponent)
    half = Fraction(1, 2) if rounding == "nearest" else 0
    digits = math.floor(Fraction(true) / Fraction(10) ** exponent + half)
    return Decimal(f"{digits}E{exponent}")  # from a text: arithmetic would round to 28 digits


def number_text(value: int | Decimal) -> str:
    """Return a number with commas, as it was rounded."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,f}"
