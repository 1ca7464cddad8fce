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
    """Add "exactly ``bound`` of the literals" by an encoding of ``pysat.card``.

    The kind ``native`` adds at-most constraints, which only some solvers support, and a clause if
    the bound is 1.

    Raises:
        OptionError: the kind cannot express a bound above 1.
    """
    literals = literals_in(groups)
    if bound > 1 and kind in BOUND_ONE_ONLY:
        names = (f"card-{name}" for name in ENC_TYPES if name not in BOUND_ONE_ONLY)
        raise OptionError(
            f"encoding card-{kind} cannot express a bound of {bound}, which a piece with "
            f"copies needs; use ladder, plain, owner, or one of {', '.join(names)}"
        )
    if len(literals) <= bound:  # pysat.card refuses these cases, or gives wrong clauses
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
        cnf = CardEnc.equals(literals, bound, top, encoding=ENC_TYPES[kind])
        for variable in range(top + 1, cnf.nv + 1):
            formula.new(f"card-{kind} #{variable}")
        unique_clauses = dict.fromkeys(map(tuple, cnf.clauses))
        formula.clauses += map(list, unique_clauses)


def encode(cover: Cover, formula: Formula, kind: str) -> None:
    """Add the exact cover, with the encoding ``kind`` for each constraint."""
    for _, bound, literals in constraints(cover):
        exactly(formula, [literals], bound, kind)
