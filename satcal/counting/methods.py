"""The methods by name, with their settings.

>>> from satcal.counting.method import Meter
>>> from satcal.puzzle.loading import load
>>> method = method_named("search")
>>> method.counts(load("a-puzzle-a-day"), [("Oct", "6")], place=(), meter=Meter())
{('Oct', '6'): 7}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from satcal.counting.method import Method
from satcal.errors import OptionError, unknown

SETTINGS: dict[str, tuple[str, ...]] = {
    "diagram": ("memory_limit",),
    "sat": ("encoding", "solver", "lemmas"),
    "search": ("pruning",),
    "listing": ("memory_limit", "max_rows"),
    "verified": (),
}
"""The settings of each method; the first method is the default."""
NAMES = tuple(SETTINGS)
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
        owner = next(name for name, keys in SETTINGS.items() if setting in keys)
        option = setting.replace("_", "-")
        raise OptionError(
            f"--{option} is a setting of {owner}; add --method {owner}"
            f' (in Python, method="{owner}")'
        )
    methods: list[Method] = []
    for name in unique_names:
        method_settings = {key: values[key] for key in SETTINGS[name] if key in values}
        # imported here: to import PySAT or numpy takes longer than to count an easy date
        if name == "sat":
            from satcal.counting.sat import Sat

            methods.append(Sat(**method_settings))
        elif name == "search":
            from satcal.counting.search import Search

            methods.append(Search(**method_settings))
        elif name == "listing":
            from satcal.counting.listing import Listing

            methods.append(Listing(**method_settings))
        elif name == "verified":
            from satcal.counting.verified import Verified

            methods.append(Verified())
        else:
            from satcal.counting.diagram import DiagramMethod

            methods.append(DiagramMethod(**method_settings))
    return methods
