"""Statements: a quantity over a range, folded into one number, and compared with a value.

For example, ``tilings`` over ``all-dates``, fold ``fewest``, ``==`` 7 states that the date with the
fewest tilings has 7.
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
"""A thing with a number: the labels of a reveal, or those of a set of cells."""

FOLDS = {
    "each": "{quantity} of {over}",
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
}
"""The keywords for ranges, and their wording in texts."""


class Range(NamedTuple):
    """The items that a statement is about, and the pieces already placed.

    ``items`` are the reveals, repeated for each date with the same reveal; the evaluation finds
    the sets of cells. ``text`` is the range in the claim file.
    """

    kind: Literal["reveals", "cells"] = "reveals"
    text: str = ""
    items: tuple[Item, ...] = ((),)
    place: tuple[Placement, ...] = ()

    def __str__(self) -> str:
        condition = f" with {'; '.join(map(str, self.place))}" if self.place else ""
        return f"{RANGES.get(self.text, self.text)}{condition}"


WHOLE_BOARD = Range()


class Bound(NamedTuple):
    """A relation and a value, such as ``>= 7``."""

    relation: str
    value: int | Decimal

    def allows(self, true: int | Fraction, rounding: str = "nearest") -> bool:
        """Return whether a number satisfies the bound, rounded to the digits of its value."""
        if self.relation == "==":
            return round_like(true, self.value, rounding) == self.value
        return bool(RELATIONS[self.relation][0](true, Fraction(self.value)))

    def __str__(self) -> str:
        return f"{RELATIONS[self.relation][1]}{format_number(self.value)}"


@dataclass(frozen=True)
class Statement:
    """A statement of a claim file; each field is a key of the file, except ``file``, its name.

    ``quotation`` holds the words of the source, or else ``says`` a summary.
    ``value`` is a number, the numbers of all items, or None if the source states none. ``at`` is
    the reveal with the fewest or the most. ``hedge`` says how the author leaves the value open,
    ``needs`` what satcal lacks to evaluate it. ``also`` names further sources, ``note`` is a
    comment of satcal, and ``see`` lists files in ``results/`` with evidence.
    """

    id: str
    puzzle: Puzzle
    quantity: str = "tilings"
    over: Range = WHOLE_BOARD
    fold: str = "each"
    having: Bound | None = None  # satisfied by the items that how-many counts
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
    source: str = ""
    file: str = ""

    def allows(self, true: int | Fraction) -> bool:
        """Return whether a number agrees with the statement; without a value, every number does."""
        bound = None if isinstance(self.value, Mapping | None) else Bound(self.relation, self.value)
        return bound is None or bound.allows(true, self.rounding)

    @property
    def text(self) -> str:
        """The statement in the words of its source, or else in satcal's words."""
        return f"“{self.quotation}”" if self.quotation else self.says

    @property
    def claimed(self) -> str:
        """The claim as a generated sentence; empty for a statement with ``needs``."""
        if self.needs:
            return ""
        having = self.having and f"{self.having.relation} {format_number(self.having.value)}"
        fact = FOLDS[self.fold].format(quantity=self.quantity, over=self.over, having=having)
        values = [] if self.at is None else [" ".join(self.at)]
        if isinstance(self.value, Mapping):
            values = [f"{len(self.value):,} numbers"]
        elif self.value is not None:
            values.insert(0, str(Bound(self.relation, self.value)))
        return ": ".join(filter(None, [fact, ", ".join(values)]))


def round_like(true: int | Fraction, like: int | Decimal, rounding: str = "nearest") -> Decimal:
    """Return a non-negative number with as many decimals as ``like``, rounded half up, or down."""
    exponent = int(Decimal(like).as_tuple().exponent)
    half = Fraction(1, 2) if rounding == "nearest" else 0
    digits = math.floor(Fraction(true) / Fraction(10) ** exponent + half)
    return Decimal(f"{digits}E{exponent}")  # arithmetic would round to 28 digits


def format_number(value: int | Decimal) -> str:
    """Return a number with commas and all its digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,f}"
