"""Formulas: variables with meanings, clauses, and at-most constraints."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from satcal.puzzle.model import Placement, cell_name
from satcal.puzzle.placements import Cover, Option

Clause = list[int]
LiteralOrBool = int | bool
"""A literal, or a constant for what is known, such as "at least 0" of a counter."""
Groups = Sequence[Sequence[int]]
"""Literals in groups, such as those with the same first cell; an encoding may use their order."""


class Satisfiability(enum.Enum):
    """The verdict of a solver; UNKNOWN (budget, interrupt) is neither SAT nor UNSAT."""

    SAT = "SATISFIABLE"
    UNSAT = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"


@dataclass
class Formula:
    """Clauses and at-most constraints over named variables; only :meth:`new` adds variables.

    Variables 1..shown are the options of a cover, in canonical order; their names are given at the
    start. Auxiliary variables follow.
    """

    names: list[str]
    clauses: list[Clause] = field(default_factory=list)
    atmosts: list[tuple[Clause, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.shown = len(self.names)

    @property
    def variables(self) -> int:
        """The largest variable number."""
        return len(self.names)

    def new(self, name: str) -> int:
        """Return a new auxiliary variable."""
        self.names.append(name)
        return len(self.names)

    def at_least_one(self, literals: Iterable[int]) -> None:
        """Add the clause of the literals; without literals it is the empty clause."""
        self.clauses.append(list(literals))

    def not_both(self, a: int, b: int) -> None:
        """Add the clause that two literals are not both true."""
        self.clauses.append([-a, -b])

    def at_most_one(self, literals: Iterable[int]) -> None:
        """Add the clause "not both" for each pair of the literals."""
        for a, b in itertools.combinations(literals, 2):
            self.not_both(a, b)

    def implies(self, premises: Iterable[LiteralOrBool], *conclusions: LiteralOrBool) -> None:
        """Add the clause "if all premises are true, so is one of the conclusions".

        Omit a clause that a constant satisfies; omit false constants in other clauses.
        """
        literals = [not p if isinstance(p, bool) else -p for p in premises]
        literals += conclusions
        if not any(literal is True for literal in literals):
            self.clauses.append([literal for literal in literals if literal is not False])


def literals_in(groups: Groups) -> list[int]:
    """Return the literals of all groups, in order."""
    return list(itertools.chain.from_iterable(groups))


def option_name(option: Option) -> str:
    """Return the meaning of an option's variable: ``place N:r2c3,...``, ``reveal Oct``."""
    return f"place {option}" if isinstance(option, Placement) else f"reveal {option.text}"


def cell_text(cell: tuple[int, int]) -> str:
    """Return ``cell r2c3``, as in the names of variables and constraints."""
    return f"cell {cell_name(cell)}"


def constraints(cover: Cover) -> Iterator[tuple[str, int, list[int]]]:
    """Yield a name, a bound and variables (from 1) for each "exactly" constraint of a cover.

    The cells come first, in row-major order, then the items.
    """
    for cell in cover.cells:
        yield cell_text(cell), 1, [index + 1 for index in cover.by_cell[cell]]
    pieces = len(cover.puzzle.pieces)
    for position, (name, copies, options) in enumerate(cover.items):
        kind = "piece" if position < pieces else "category"
        yield f"{kind} {name}", copies, [index + 1 for index in options]
