"""PySAT's cardinality encodings: every ``EncType``, and native constraints."""

from __future__ import annotations

from pysat.card import CardEnc, EncType

from satcal.encoding.formula import Formula, Groups, constraints, literals_in
from satcal.errors import OptionError
from satcal.puzzle.placements import Cover

NATIVE = "native"
ENC_TYPES: dict[str, int] = {
    name: getattr(EncType, name)
    for name in (
        "pairwise",
        "seqcounter",
        "sortnetwrk",
        "cardnetwrk",
        "bitwise",
        "ladder",
        "totalizer",
        "mtotalizer",
        "kmtotalizer",
    )
}
BOUND_ONE_ONLY = ("pairwise", "bitwise", "ladder")
# measured by enumeration without projection, 3 to 16 literals, bounds 1 to 3 (tests/encoding)
NOT_DETERMINED = ("sortnetwrk", "cardnetwrk", "totalizer")


def exactly(formula: Formula, groups: Groups, bound: int, kind: str) -> None:
    """Add "exactly ``bound`` of the literals" as ``pysat.card`` writes it.

    The kind ``native`` adds two at-most constraints that the solver itself understands.
    Raises OptionError if the kind knows no bound above 1.
    """
    literals = literals_in(groups)
    if bound > 1 and kind in BOUND_ONE_ONLY:
        able = (f"card-{name}" for name in ENC_TYPES if name not in BOUND_ONE_ONLY)
        raise OptionError(
            f"encoding card-{kind} cannot express a bound of {bound}, which a piece with "
            f"copies needs; use ladder, plain, owner, or one of {', '.join(able)}"
        )
    if len(literals) <= bound:  # pysat.card refuses or mistakes the border cases
        if len(literals) < bound:
            formula.at_least_one([])
        for literal in literals:
            formula.at_least_one([literal])
    elif kind == NATIVE:
        formula.atmosts.append((literals, bound))
        if bound == 1:
            formula.at_least_one(literals)
        else:
            formula.atmosts.append(([-x for x in literals], len(literals) - bound))
    else:
        top = formula.variables
        made = CardEnc.equals(literals, bound, top, encoding=ENC_TYPES[kind])
        for variable in range(top + 1, made.nv + 1):
            formula.new(f"card-{kind} #{variable}")
        different = dict.fromkeys(map(tuple, made.clauses))
        formula.clauses += map(list, different)


def encode(cover: Cover, formula: Formula, kind: str) -> None:
    """Add the exact cover, each "exactly" by the encoding ``kind``."""
    for _, bound, literals in constraints(cover):
        exactly(formula, [literals], bound, kind)
