"""Encodings by name: each turns a cover into a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from satcal.encoding import cardinality, ladder, owner, plain
from satcal.encoding.formula import Formula, Groups, option_name
from satcal.encoding.lemmas import apply_lemmas
from satcal.errors import OptionError, unknown
from satcal.puzzle.placements import Cover


@dataclass(frozen=True)
class Encoding:
    """An encoding of exact covers as formulas.

    ``encode`` adds a whole cover to a formula, ``exactly`` adds one constraint. ``determined``
    tells whether the values of the option variables determine those of the auxiliary variables in
    every model. ``dimacs`` tells whether all constraints are clauses.
    """

    name: str
    encode: Callable[[Cover, Formula], None]
    exactly: Callable[[Formula, Groups, int], None]
    determined: bool = True
    dimacs: bool = True


_ALL = (
    Encoding("plain", plain.encode, plain.exactly),
    Encoding("owner", owner.encode, owner.exactly),
    Encoding("ladder", ladder.encode, ladder.exactly),
    *(
        Encoding(
            kind if kind == cardinality.NATIVE else f"card-{kind}",
            partial(cardinality.encode, kind=kind),
            partial(cardinality.exactly, kind=kind),
            determined=kind not in cardinality.NOT_DETERMINED,
            dimacs=kind != cardinality.NATIVE,
        )
        for kind in (*cardinality.ENC_TYPES, cardinality.NATIVE)
    ),
)
ENCODINGS = {encoding.name: encoding for encoding in _ALL}


def register(encoding: Encoding) -> None:
    """Add an encoding to ``ENCODINGS``, in this process.

    Raises:
        OptionError: another encoding has its name.
    """
    if ENCODINGS.setdefault(encoding.name, encoding) is not encoding:
        raise OptionError(f"there is an encoding {encoding.name} already; choose another name")


def encoding_named(name: str) -> Encoding:
    """Return the encoding with this name; raise UnknownName if there is no such encoding."""
    if name not in ENCODINGS:
        raise unknown("encoding", name, ENCODINGS)
    return ENCODINGS[name]


def split_names(texts: Sequence[str], default: str) -> list[str]:
    """Return the names of encodings in texts such as ``plain,owner``; ``all`` is all of DIMACS.

    Raises:
        UnknownName: there is no such encoding.
    """
    names = ",".join(texts or [default]).split(",")
    if "all" in names:
        names = [each.name for each in ENCODINGS.values() if each.dimacs]
    return [encoding_named(name).name for name in dict.fromkeys(names)]


def encode(cover: Cover, name: str = "ladder") -> Formula:
    """Return the formula of a cover in an encoding; its first variables are the options."""
    formula = Formula([option_name(option) for option in cover.options])
    encoding_named(name).encode(cover, formula)
    return formula


def encode_with_lemmas(cover: Cover, name: str, lemmas: str) -> tuple[Cover, Formula]:
    """Return the cover without the options that lemmas forbid, and its formula with the lemmas.

    Raises:
        UnknownName: there is no such encoding.
        OptionError: there are no such lemmas, or the encoding cannot express the copies of a piece.
        TooLarge: the cover has too many options for lemmas.
    """
    cover, clauses = apply_lemmas(cover, lemmas)
    formula = encode(cover, name)
    formula.clauses += clauses
    return cover, formula
