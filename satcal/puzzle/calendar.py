"""How the categories month, day and weekday of a puzzle connect to calendar dates."""

from __future__ import annotations

import datetime
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satcal.errors import PuzzleError, RevealError, did_you_mean
from satcal.toml import Faults

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS = tuple(str(day) for day in range(1, 32))
ENGLISH: Mapping[str, tuple[str, ...]] = {"month": MONTHS, "day": DAYS, "weekday": WEEKDAYS}
_MONTHS = "january february march april may june july august september october november december"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
IN_FULL = {"month": _MONTHS.split(), "weekday": _WEEKDAYS.split(), "day": list(DAYS)}
_Labels = Mapping[str, Sequence[str]]
"""The labels of each category."""


@dataclass(frozen=True)
class Calendar:
    """The labels of a puzzle in calendar order, or the reason why it has no dates.

    ``parts`` maps month (12, January first), day (31) and weekday (7, Monday first) to
    labels, ``""`` where the board has none, in the order of the puzzle's categories.
    """

    parts: Mapping[str, tuple[str, ...]] | None = None
    reason: str = ""

    def require(self) -> Mapping[str, tuple[str, ...]]:
        """The ``parts``; raises RevealError if the puzzle has no dates."""
        if self.parts is None:
            raise RevealError(
                f"this puzzle has no dates: {self.reason}; use --reveal or --all-reveals"
            )
        return self.parts

    def reveal(self, date: datetime.date) -> tuple[str, ...]:
        """The labels that a date leaves uncovered; raises RevealError if none."""
        labels = self._labels(date)
        for part, label in labels.items():
            if not label:
                english = Calendar(ENGLISH)._labels(date)[part]
                raise RevealError(
                    f"date {date.isoformat()}: the board has no cell for the {part} {english}; "
                    "choose another date"
                )
        return tuple(labels.values())

    def has(self, date: datetime.date) -> bool:
        """Whether the board has cells for all parts of a date."""
        return all(self._labels(date).values())

    def is_date(self, reveal: Sequence[str]) -> bool:
        """Whether some year has the date that a reveal names."""
        parts = self.require()
        chosen = dict(zip(parts, reveal, strict=True))
        month, day = (1 + parts[part].index(chosen[part]) for part in ("month", "day"))
        # every weekday falls on every day of the year in some year, also on 29 February
        return day <= monthrange(2000, month)[1]

    def _labels(self, date: datetime.date) -> dict[str, str]:
        at = {"month": date.month - 1, "day": date.day - 1, "weekday": date.weekday()}
        return {part: labels[at[part]] for part, labels in self.require().items()}


def position(part: str, text: str) -> int | None:
    """The index of the ``part`` that a text names, in any case, in full or from three letters on.

    >>> position("month", "DEC"), position("weekday", "monday"), position("month", "De")
    (11, 0, None)
    """
    name, names = text.casefold(), IN_FULL[part]
    if name in names:
        return names.index(name)
    near = [n for n, full in enumerate(names) if len(name) > 2 and full.startswith(name)]
    return near[0] if near else None


def connect(
    categories: _Labels, declared: _Labels | None, faults: Faults | None = None
) -> Calendar:
    """The calendar of a puzzle's categories; raises PuzzleError for a wrong table.

    ``declared`` is the file's ``[calendar]`` table: labels in calendar order.
    """
    faults = faults or Faults()
    parts: dict[str, tuple[str, ...]] = {}
    if not {"month", "day"} <= categories.keys() <= ENGLISH.keys():
        if declared:
            raise PuzzleError(
                "[calendar]: only a puzzle with the categories month and day (and weekday) has "
                f"dates, not one with {', '.join(categories) or 'none'}; rename them or drop the "
                "table"
            )
        lacking = [name for name in ("month", "day") if name not in categories]
        if lacking:
            noun = "categories" if len(lacking) > 1 else "category"
            return Calendar(reason=f"it lacks the {noun} {' and '.join(lacking)}")
        other = next(name for name in categories if name not in ENGLISH)
        return Calendar(reason=f"dates do not determine its category {other}")
    if declared is not None:
        for key in declared:
            with faults.at("calendar", key):
                if key not in categories:
                    hint = did_you_mean(key, categories)
                    raise PuzzleError(f"[calendar]: '{key}' is not a category{hint}")
        for name in categories:
            with faults.at("calendar", name):
                parts[name] = _declared(name, categories[name], declared)
        return Calendar(parts)
    for name, labels in categories.items():
        english = ENGLISH[name]
        at: dict[int | None, str] = {}
        for label in labels:
            if (index := position(name, label)) is None or index in at:
                reason = f"its {name} '{label}' is not one of {english[0]} to {english[-1]}"
                if index in at:
                    reason = f"its {name} labels '{at[index]}' and '{label}' mean the same"
                return Calendar(reason=f"{reason}, and the file has no [calendar] table")
            at[index] = label
        parts[name] = tuple(at.get(index, "") for index in range(len(english)))
    return Calendar(parts)


def _declared(name: str, category: Sequence[str], declared: _Labels) -> tuple[str, ...]:
    """The labels of a category in calendar order, as the table has them."""
    where, english = f"[calendar] {name}", ENGLISH[name]
    labels = tuple(declared.get(name, english))
    if len(labels) != len(english):
        raise PuzzleError(
            f"{where}: {len(labels)} labels, but it needs {len(english)} in calendar order, "
            f"{english[0]} first"
        )
    for label in labels:
        if labels.count(label) > 1:
            raise PuzzleError(f"{where}: '{label}' is listed twice; list each label once")
    odd = set(labels).symmetric_difference(category)
    if odd:
        raise PuzzleError(
            f"{where}: '{min(odd)}' is in only one of this list and the category {name}; "
            "list the labels of the category in calendar order"
        )
    return labels
