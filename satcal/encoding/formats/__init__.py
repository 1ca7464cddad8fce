"""The formats that a cover is exported in, by name. Each writer yields text and opens no file.

One file per format; ``solver_output`` reads what external solvers answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from satcal.encoding import encode
from satcal.encoding.formats import asp, dimacs, dlx, opb
from satcal.errors import OptionError, UnknownName, did_you_mean
from satcal.puzzle.placements import Cover

DEFAULT = "dimacs"
DEFAULT_ENCODING = "ladder"  # determined, so that counters without projection count right


@dataclass(frozen=True)
class Format:
    """One way to write a cover; ``write(cover, about, encoding)`` yields its text in chunks.

    ``about`` are lines for the head of the file. Only DIMACS has an ``encoding``: the other
    formats have "exactly" of their own.
    """

    name: str
    suffix: str
    what: str
    write: Callable[[Cover, Sequence[str], str | None], Iterator[str]]


def _dimacs(cover: Cover, about: Sequence[str], name: str | None) -> Iterator[str]:
    name = name or DEFAULT_ENCODING
    formula = encode(cover, name)
    determined = "yes" if formula.determined else "no, so count with projection on the options"
    return dimacs.write(formula, [*about, f"encoding {name}", f"determined {determined}"])


def _without_encoding(
    name: str, suffix: str, what: str, write: Callable[[Cover, Sequence[str]], Iterator[str]]
) -> Format:
    def checked(cover: Cover, about: Sequence[str], encoding: str | None) -> Iterator[str]:
        if encoding is not None:
            raise OptionError(
                f"format {name} has no clauses, so --encoding {encoding} means nothing; "
                "drop one of the two, or use --format dimacs"
            )
        return write(cover, about)

    return Format(name, suffix, what, checked)


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("dimacs", ".cnf", "clauses, for SAT solvers and model counters", _dimacs),
        _without_encoding("opb", ".opb", "equations, for pseudo-Boolean solvers", opb.write),
        _without_encoding("dlx", ".dlx", "Knuth's exact-cover text", dlx.write),
        _without_encoding("asp", ".lp", "an answer-set program, for clingo", asp.write),
    )
}


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises:
        UnknownName: there is none.
    """
    if name not in FORMATS:
        raise UnknownName(
            f"no format '{name}'; the formats are {', '.join(FORMATS)}"
            + did_you_mean(name, FORMATS)
        )
    return FORMATS[name]
