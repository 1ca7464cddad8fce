"""The kinds of statements: which fields each has, and the function that evaluates it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from satcal.evidence.claims import counted, drawn, fields, surveyed
from satcal.evidence.claims.fields import Reader
from satcal.evidence.claims.model import Finding, Statement, Undecided
from satcal.evidence.claims.sources import Sources

OPEN = "open"
"""The kind of a statement that satcal cannot evaluate yet; its field ``needs`` says why."""


@dataclass(frozen=True)
class Kind:
    """One kind of statement.

    ``claimed`` maps the fields that make the claim to their readers, ``about`` those that say
    what it is about. ``needed`` lists alternatives: of each tuple exactly one field is given.
    """

    evaluate: Callable[[Statement, Sources], Finding]
    claimed: Mapping[str, Reader]
    needed: tuple[tuple[str, ...], ...]
    about: Mapping[str, Reader] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)


def _drawn(evaluate: Callable[[Statement], Finding]) -> Callable[[Statement, Sources], Finding]:
    return lambda statement, sources: evaluate(statement)


def _undecided(statement: Statement, sources: Sources) -> Finding:
    raise Undecided(statement["needs"])


_RANGE: Mapping[str, Reader] = {"range": fields.rows}
_BOUNDS: Mapping[str, Reader] = dict.fromkeys(counted.BOUNDS, fields.whole)
_ROUNDING: Mapping[str, Reader] = {"rounding": fields.rounding}
_EXTREME: Mapping[str, Reader] = {"tilings": fields.whole, "reveal": fields.reveal}
_RANKED: Mapping[str, Reader] = {"boards": fields.boards, **_RANGE}


KINDS: Mapping[str, Kind] = {
    "count": Kind(
        counted.count,
        {"tilings": fields.whole, "at_least": fields.whole, "at_most": fields.whole},
        (("tilings", "at_least", "at_most"),),
        {"reveal": fields.reveal, "date": fields.date},
    ),
    "total": Kind(counted.total, {"tilings": fields.whole}, (("tilings",), ("range",)), _RANGE),
    "mean": Kind(
        counted.mean,
        {"tilings": fields.number},
        (("tilings",), ("range",)),
        {**_RANGE, **_ROUNDING},
        {"rounding": "nearest"},
    ),
    "minimum": Kind(counted.minimum, _EXTREME, (("tilings",), ("range",)), _RANGE),
    "maximum": Kind(counted.maximum, _EXTREME, (("tilings",), ("range",)), _RANGE),
    "every": Kind(
        counted.every,
        {**_BOUNDS, "of": fields.whole},
        (counted.BOUNDS, ("range",)),
        _RANGE,
    ),
    "some": Kind(counted.some, _BOUNDS, (counted.BOUNDS, ("range",)), _RANGE),
    "how-many": Kind(
        counted.how_many,
        {"reveals": fields.whole},
        (("reveals",), counted.BOUNDS, ("range",)),
        {**_BOUNDS, **_RANGE},
    ),
    "fewer": Kind(
        counted.fewer,
        {"reveals": fields.whole, "at_most": fields.whole},
        (("reveals", "at_most"), ("reveal",), ("range",)),
        {"reveal": fields.reveal, **_RANGE},
    ),
    "table": Kind(counted.table, {"file": fields.count_table}, (("file",),)),
    "fewest-of": Kind(
        counted.fewest_of, {"winner": fields.text}, (("winner",), ("boards",), ("range",)), _RANKED
    ),
    "most-of": Kind(
        counted.most_of, {"winner": fields.text}, (("winner",), ("boards",), ("range",)), _RANKED
    ),
    "up-to-symmetry": Kind(
        counted.up_to_symmetry,
        {"classes": fields.whole},
        (("classes",),),
        {"reveal": fields.reveal},
    ),
    "survey-total": Kind(surveyed.total, {"tilings": fields.whole}, (("tilings",),)),
    "survey-how-many": Kind(
        surveyed.how_many,
        {"sets": fields.whole},
        (("sets",), counted.BOUNDS),
        {**_BOUNDS, "cut_off": fields.truth},
    ),
    "placements-per-piece": Kind(
        _drawn(drawn.per_piece), {"per_piece": fields.per_piece}, (("per_piece",),)
    ),
    "orientations": Kind(
        _drawn(drawn.orientations), {"orientations": fields.whole}, (("orientations",),)
    ),
    "placements": Kind(
        _drawn(drawn.placements_for),
        {"placements": fields.whole},
        (("placements",), ("reveal",)),
        {"reveal": fields.reveal},
    ),
    "mean-placements": Kind(
        _drawn(drawn.mean_placements),
        {"placements": fields.whole},
        (("placements",), ("range",)),
        {**_RANGE, **_ROUNDING, "unit": fields.unit},
        {"rounding": "nearest", "unit": 1},
    ),
    "board": Kind(
        _drawn(drawn.board),
        {"cells": fields.whole, "area": fields.whole, "off_board": fields.whole},
        (),
    ),
    "reveals": Kind(
        _drawn(drawn.reveals), {"reveals": fields.whole}, (("reveals",), ("range",)), _RANGE
    ),
    "symmetries": Kind(
        _drawn(drawn.symmetry_group), {"symmetries": fields.whole}, (("symmetries",),)
    ),
    "orders": Kind(_drawn(drawn.orders), {"orders": fields.whole}, (("orders",),)),
    OPEN: Kind(_undecided, {"needs": fields.text}, (("needs",),)),
}
