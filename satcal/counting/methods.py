"""The methods by name, each with its settings: the only place that knows all of them.

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
    "verified": (),
}
"""The settings of each method; the first is the default."""
NAMES = tuple(SETTINGS)
COMPARED = ("diagram", "sat", "search")
"""The methods that are compared unasked: the others need a program that may not be there."""


def method_named(name: str, **settings: Any) -> Method:
    """Return the method of that name, with those of its ``SETTINGS`` that are not None.

    Raises:
        OptionError: there is no such method, or it has no such setting.
    """
    (method,) = methods_named([name], **settings)
    return method


def methods_named(names: Iterable[str], **settings: Any) -> list[Method]:
    """Return the methods of some names, each with its own settings.

    Raises:
        OptionError: no such method, or a setting that none of them has.
    """
    listed = list(dict.fromkeys(names))
    for name in listed:
        if name not in SETTINGS:
            raise unknown("method", name, SETTINGS, OptionError)
    given = {key: value for key, value in settings.items() if value is not None}
    for setting in given.keys() - {own for name in listed for own in SETTINGS[name]}:
        owner = next(other for other, own in SETTINGS.items() if setting in own)
        option = setting.replace("_", "-")
        raise OptionError(
            f"--{option} is a setting of {owner}; add --method {owner}"
            f' (in Python, method="{owner}")'
        )
    methods: list[Method] = []
    for name in listed:
        own = {key: given[key] for key in SETTINGS[name] if key in given}
        # imported here because PySAT and numpy take longer to import than an easy date to count
        if name == "sat":
            from satcal.counting.sat import Sat

            methods.append(Sat(**own))
        elif name == "search":
            from satcal.counting.search import Search

            methods.append(Search(**own))
        elif name == "verified":
            from satcal.counting.verified import Verified

            methods.append(Verified())
        else:
            from satcal.counting.diagram import DiagramMethod

            methods.append(DiagramMethod(**own))
    return methods
