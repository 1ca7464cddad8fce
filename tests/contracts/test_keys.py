"""Every field of what is counted, cached or stored makes another key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from inspect import signature
from typing import Any

import pytest

from oracle import PATCH, TINY, Piece, rectangle
from satcal.certificates.certify import key_group
from satcal.counting.classes import UpToSymmetry
from satcal.counting.diagram import DiagramMethod
from satcal.counting.listing import Listing
from satcal.counting.methods import SETTINGS, method_named
from satcal.counting.run import Checked
from satcal.counting.sat import Sat
from satcal.counting.search import Search
from satcal.designing.deciding import Requirement, key_decisions
from satcal.designing.space import build_space
from satcal.diagram.cache import fingerprint
from satcal.diagram.model import ExactCover
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.model import Piece as ReadPiece
from satcal.puzzle.model import Placement, Puzzle
from satcal.store.counts import question_key


@dataclass(frozen=True)
class Keyed:
    """A key of named fields: each value of ``other`` makes another key, those of ``same`` none."""

    key: Callable[..., object]
    fields: Iterable[str]
    base: Mapping[str, Any]
    other: Mapping[str, Any]
    same: Sequence[tuple[str, Any]] = ()

    def change(self, field: str, value: object) -> object:
        """Return the key with another value of a field."""
        return self.key(**{**self.base, field: value})


def names(kind: Any) -> list[str]:
    """Return the fields of a dataclass, or the parameters of a function."""
    if isinstance(kind, type):
        return [field.name for field in fields(kind)]
    return [*signature(kind).parameters]


def of_method(kind: type[Any], other: Mapping[str, Any], *same: Any, **base: Any) -> Keyed:
    """Return the key of a method by its settings."""
    return Keyed(lambda **settings: kind(**settings).key(), names(kind), base, other, same)


def two_alike(flip: bool) -> Any:
    """Return a puzzle of two pieces of one shape."""
    drawings = Piece("L4", ("###", "#.."), flip=flip), Piece("J4", ("##", "#.", "#."), flip=flip)
    return rectangle(2, 4, *drawings).load()


LEFT = Placement("L4", ((0, 0), (0, 1), (0, 2), (1, 0)))
RIGHT = Placement("L4", ((0, 3), (1, 1), (1, 2), (1, 3)))
TINY_READ = TINY.load()
DRAWN = TINY_READ.drawn[1]
SPACE = build_space(PATCH.load(), {5: 2, 4: 1})
KEYS = {
    "cached diagram": Keyed(
        lambda **parts: fingerprint(ExactCover(**parts)),
        names(ExactCover),
        {"cells": 4, "copies": [2, 1], "item": [0, 0, 1], "mask": [3, 12, 5], "categories": 0},
        {
            "cells": 5,
            "copies": [3, 1],
            "item": [0, 1, 1],
            "mask": [3, 12, 6],
            "categories": 1,
        },
        [("copies", (2, 1)), ("item", (0, 0, 1)), ("mask", (3, 12, 5))],
    ),
    "puzzle": Keyed(
        lambda **parts: Puzzle(**parts).digest,
        names(Puzzle),
        {name: getattr(TINY_READ, name) for name in names(Puzzle)},
        {
            "cells": TINY_READ.cells[:-1],
            "labels": {text: each for text, each in TINY_READ.labels.items() if text != "29"},
            "categories": dict(reversed(TINY_READ.categories.items())),
            "drawn": TINY_READ.drawn[::-1],
        },
        [
            ("calendar", Calendar()),
            *((name, "x") for name in ("name", "title", "designer", "source")),
        ],
    ),
    "piece": Keyed(
        lambda **parts: replace(TINY_READ, drawn=(ReadPiece(**parts),)).digest,
        names(ReadPiece),
        {name: getattr(DRAWN, name) for name in names(ReadPiece)},
        {"name": "X", "shape": DRAWN.shape[:-1], "copies": 3, "flip": False},
    ),
    "question": Keyed(
        question_key,
        names(question_key),
        {"puzzle": two_alike(True), "place": (LEFT, RIGHT)},
        {"puzzle": two_alike(False), "place": (LEFT,)},
        [
            ("place", [RIGHT, LEFT]),
            ("place", (replace(LEFT, piece="J4"), RIGHT)),
            ("place", (replace(LEFT, cells=LEFT.cells[::-1]), RIGHT)),
        ],
    ),
    "group": Keyed(
        key_group,
        names(key_group),
        {"text": "puzzle", "reveals": [("a", "1"), ("a", "2")]},
        {"text": "other", "reveals": [("a", "1")]},
    ),
    "decisions": Keyed(
        key_decisions,
        names(key_decisions),
        {
            "requirement": Requirement(SPACE, (("1",),)),
            "sets": [("L", "X")],
            "refuters": [("1",)],
            "count_refuted": False,
        },
        {"sets": [("X", "L")], "refuters": [], "count_refuted": True},
        [("requirement", Requirement(replace(SPACE, mixes=()), (("1",),)))],
    ),
    "requirement": Keyed(
        lambda **parts: key_decisions(Requirement(**parts), [("L", "X")], [], False),
        names(Requirement),
        {"space": SPACE, "reveals": (("1",),), "at_least": 1, "check_flips": False},
        {
            "space": replace(SPACE, pool={**SPACE.pool, "L": SPACE.pool["X"]}),
            "reveals": (("2",),),
            "at_least": 2,
            "check_flips": True,
        },
    ),
    "sat": of_method(
        Sat,
        {"encoding": "plain", "solver": "glucose4", "lemmas": "none"},
        ("solver", "cadical195"),
    ),
    "search": of_method(Search, {"pruning": "components"}),
    "diagram": of_method(DiagramMethod, {}, ("memory_limit", 1), ("use_cache", False)),
    "listing": of_method(Listing, {}, ("memory_limit", 1), ("max_rows", 1)),
    "classes": of_method(UpToSymmetry, {"method": Search()}, method=Sat()),
    "checked": of_method(Checked, {"method": Search()}, method=Sat()),
}


@pytest.mark.parametrize("name", KEYS)
def test_each_field_of_a_key_is_in_the_table_and_makes_another(name):
    keyed = KEYS[name]
    assert {*keyed.other, *(field for field, _ in keyed.same)} == {*keyed.fields}
    base = keyed.key(**keyed.base)
    changed = [keyed.change(field, value) for field, value in keyed.other.items()]
    assert len({base, *changed}) == 1 + len(changed), [*zip(keyed.other, changed, strict=True)]
    assert [field for field, value in keyed.same if keyed.change(field, value) != base] == []


def test_every_method_has_a_row_and_the_proved_program_is_in_its_key(fake, monkeypatch):
    assert SETTINGS.keys() - KEYS.keys() == {"verified"}  # it has no settings
    keys = set()
    for script in ("echo 1", "echo 2"):
        monkeypatch.setenv("SATCAL_VERIFIED", str(fake("satcal-verified", script)))
        keys.add(method_named("verified").key())
    assert len(keys) == 2
