"""PySAT's cardinality encodings: every ``EncType`` of ``pysat.card``, and native constraints."""

from __future__ import annotations

from pysat.card import CardEnc, EncType

from satcal.encoding.formula import Formula, Groups
from satcal.errors import OptionError
from satcal.puzzle.placements import Cover

ENC_TYPES: dict[str, int] = {
    name: getattr(EncType, name)
    for name in (
        "pairwise", "seqcounter", "sortnetwrk", "cardnetwrk", "bitwise", "ladder",
        "totalizer", "mtotalizer", "kmtotalizer",
    )
}  # fmt: skip
BOUND_ONE_ONLY = ("pairwise", "bitwise", "ladder")
# Measured by enumeration without projection, 3 to 16 literals, bounds 1 to 3 (tests/encoding).
NOT_DETERMINED = ("sortnetwrk", "cardnetwrk", "totalizer")


def exactly(formula: Formula, groups: Groups, bound: int, kind: str) -> None:
    """Add "exactly ``bound`` of the literals" as ``pysat.card`` writes it.

    Raises:
        OptionError: the encoding knows no bound above 1.
    """
    literals = [literal for group in groups for literal in group]
    if bound > 1 and kind in BOUND_ONE_ONLY:
        able = ", ".join(f"card-{name}" for name in ENC_TYPES if name not in BOUND_ONE_ONLY)
        raise OptionError(
            f"encoding card-{kind} cannot express a bound of {bound}, which a piece with copies "
            f"needs; use ladder, plain, owner, or one of {able}"
        )
    if len(literals) <= bound:  # pysat.card refuses or mistakes the border cases
        _all_of(formula, literals, bound)
        return
    made = CardEnc.equals(
        lits=literals, bound=bound, top_id=formula.variables, encoding=ENC_TYPES[kind]
    )
    formula.reserve(made.nv, f"card-{kind}")
    seen = set()
    for clause in made.clauses:
        if tuple(clause) not in seen:
            seen.add(tuple(clause))
            formula.clauses.append(clause)


def exactly_native(formula: Formula, groups: Groups, bound: int) -> None:
    """Add "exactly ``bound``" as two at-most constraints that the solver itself understands."""
    literals = [literal for group in groups for literal in group]
    if len(literals) <= bound:
        _all_of(formula, literals, bound)
        return
    formula.at_most(literals, bound)
    if bound == 1:
        formula.add(*literals)
    else:
        formula.at_most([-literal for literal in literals], len(literals) - bound)


def _all_of(formula: Formula, literals: list[int], bound: int) -> None:
    if len(literals) < bound:
        formula.add()
    for literal in literals:
        formula.add(literal)


def encode(cover: Cover, formula: Formula, kind: str) -> None:
    """Add the exact cover, each "exactly" by the encoding ``kind`` or, for ``native``, as it is."""
    groups = [([n + 1 for n in cover.by_cell[cell]], 1) for cell in cover.cells]
    groups += [([n + 1 for n in options], copies) for _, copies, options in cover.items]
    for literals, bound in groups:
        if kind == "native":
            exactly_native(formula, [literals], bound)
        else:
            exactly(formula, [literals], bound, kind)
