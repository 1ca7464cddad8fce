"""*card-...*: each "exactly" by an ``EncType`` of PySAT; *native*: at-most constraints.

Cells come first, then pieces and categories, each by ``pysat.card.CardEnc.equals``; no constraint
repeats a clause. Three kinds refuse pieces with copies. The sizes of "exactly one of n" stand in
``encodings/README.md``.

>>> formula = Formula(["a", "b", "c"])
>>> exactly(formula, [[1], [2], [3]], 1, "bitwise")
>>> formula.clauses
[[1, 2, 3], [-1, -4], [-1, -5], [-2, -4], [-2, 5], [-3, 4], [-3, -5]]

*native* is for solvers that count literals themselves, through PySAT; it has no DIMACS.

`PySAT <https://pysathq.github.io>`_ names the sources; `totalizer
<https://doi.org/10.1007/978-3-540-45193-8_8>`_: O. Bailleux, Y. Boufkhad (CP 2003); `sorting and
cardinality networks <https://doi.org/10.3233/SAT190014>`_: N. Eén, N. Sörensson (JSAT 2006).
"""

from __future__ import annotations

from pysat.card import CardEnc, EncType

from satcal.encoding.formula import Formula, Groups, constraints, literals_in
from satcal.errors import OptionError
from satcal.puzzle.placements import Cover

NATIVE = "native"
ENC_TYPES = {
    name: number
    for name, number in vars(EncType).items()
    if isinstance(number, int) and name != NATIVE
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
