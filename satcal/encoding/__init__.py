"""Encodings by name: each turns a cover into a formula, and knows nothing of solvers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from satcal.encoding import cardinality, ladder, owner, plain
from satcal.encoding.formula import Formula, Groups, empty_formula
from satcal.errors import UnknownName, did_you_mean
from satcal.puzzle.placements import Cover


@dataclass(frozen=True)
class Encoding:
    """One way to write exact covers as formulas.

    ``encode(cover, formula)`` adds a whole cover, ``exactly(formula, groups, bound)`` one
    constraint; ``determined`` says whether the options determine all auxiliary variables.
    """

    name: str
    what: str
    encode: Callable[[Cover, Formula], None]
    exactly: Callable[[Formula, Groups, int], None]
    determined: bool = True
    dimacs: bool = True


def _card(kind: str) -> Encoding:
    return Encoding(
        f"card-{kind}",
        f"PySAT's {kind} cardinality encoding",
        partial(cardinality.encode, kind=kind),
        partial(cardinality.exactly, kind=kind),
        determined=kind not in cardinality.NOT_DETERMINED,
    )


ENCODINGS: dict[str, Encoding] = {
    encoding.name: encoding
    for encoding in (
        Encoding("plain", "clauses over placements alone", plain.encode, plain.exactly),
        Encoding("owner", "a variable per cell and piece", owner.encode, owner.exactly),
        Encoding("ladder", "counters along the cells", ladder.encode, ladder.exactly),
        *map(_card, cardinality.ENC_TYPES),
        Encoding(
            "native",
            "at-most constraints of the solver (no DIMACS)",
            partial(cardinality.encode, kind="native"),
            cardinality.exactly_native,
            dimacs=False,
        ),
    )
}


def encoding(name: str) -> Encoding:
    """Return the encoding of that name.

    Raises:
        UnknownName: there is none.
    """
    if name not in ENCODINGS:
        raise UnknownName(
            f"no encoding '{name}'; the encodings are {', '.join(ENCODINGS)}"
            + did_you_mean(name, ENCODINGS)
        )
    return ENCODINGS[name]


def encode(cover: Cover, name: str = "ladder") -> Formula:
    """Return the formula of a cover in the encoding of that name."""
    chosen = encoding(name)
    formula = empty_formula(cover)
    formula.determined = chosen.determined
    chosen.encode(cover, formula)
    return formula
