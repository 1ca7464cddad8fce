"""The methods by name, with their settings.

>>> from satcal.counting.method import Meter
>>> from satcal.puzzle.loading import load
>>> method = method_named("search")
>>> method.counts(load("a-puzzle-a-day"), [("Oct", "6")], place=(), meter=Meter())
{('Oct', '6'): 7}
"""

from __future__ import annotations

from collections.abc import Iterable
from pkgutil import resolve_name
from typing import Any

from satcal.counting.method import Method
from satcal.errors import OptionError, unknown

CLASSES = {
    "diagram": "satcal.counting.diagram:DiagramMethod",
    "sat": "satcal.counting.sat:Sat",
    "search": "satcal.counting.search:Search",
    "listing": "satcal.counting.listing:Listing",
    "verified": "satcal.counting.verified:Verified",
}
"""The class of each method; the first method is the default.

It is imported on use: to import PySAT or numpy takes longer than to count an easy date.
"""
SETTINGS: dict[str, tuple[str, ...]] = {
    "diagram": ("memory_limit",),
    "sat": ("encoding", "solver", "lemmas"),
    "search": ("pruning",),
    "listing": ("memory_limit", "max_rows"),
    "verified": (),
}
"""The settings of each method: the fields of its class that users choose."""
NAMES = tuple(CLASSES)
COMPARED = ("diagram", "listing", "sat")
"""The methods that are compared by default.

``search`` takes longer than ``listing``, and ``verified`` needs a program to be built.
"""
QUICK_ROWS = 1_200_000
"""Rows that ``listing`` takes less than half a second for (docs/explanation/methods.md)."""


def method_named(name: str, **settings: Any) -> Method:
    """Return the method of that name; a setting that is None keeps its default.

    Raises:
        OptionError: there is no such method, or a setting is not one of the method's.
    """
    (method,) = methods_named([name], **settings)
    return method


def methods_named(names: Iterable[str], **settings: Any) -> list[Method]:
    """Return the methods of these names, each with its own settings.

    Raises:
        OptionError: a method is unknown, or none of them has a setting of that name.
    """
    unique_names = list(dict.fromkeys(names))
    for name in unique_names:
        if name not in SETTINGS:
            raise unknown("method", name, SETTINGS, OptionError)
    values = {key: value for key, value in settings.items() if value is not None}
    for setting in values.keys() - {key for name in unique_names for key in SETTINGS[name]}:
        owner = next((name for name, keys in SETTINGS.items() if setting in keys), None)
        if owner is None:
            known = dict.fromkeys(key for keys in SETTINGS.values() for key in keys)
            raise unknown("setting", setting, known, OptionError)
        option = setting.replace("_", "-")
        raise OptionError(
            f"--{option} is a setting of {owner}; add --method {owner}"
            f' (in Python, method="{owner}")'
        )
    return [
        resolve_name(CLASSES[name])(**{key: values[key] for key in SETTINGS[name] if key in values})
        for name in unique_names
    ]
