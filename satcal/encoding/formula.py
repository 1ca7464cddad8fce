"""The formula: variables with meanings, clauses, and at-most constraints for some solvers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from satcal.puzzle.model import Placement, cell_name
from satcal.puzzle.placements import Cover, Option

Clause = list[int]
Groups = Sequence[Sequence[int]]
"""Literals in groups whose order an encoding may use: by first cell, or by piece."""


@dataclass
class Formula:
    """A clause set over variables 1..variables; it alone hands out variable numbers.

    Variables 1..shown are the options of the cover, in canonical order; auxiliary variables
    follow, each with a name that says what it means. ``determined`` says whether every
    assignment of the options that extends to a model does so in one way only.
    """

    shown: int
    option_names: Sequence[str] = ()
    clauses: list[Clause] = field(default_factory=list)
    atmosts: list[tuple[Clause, int]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    determined: bool = True

    @property
    def variables(self) -> int:
        """The largest variable number."""
        return self.shown + len(self.names)

    def new(self, name: str) -> int:
        """Return a fresh auxiliary variable."""
        self.names.append(name)
        return self.variables

    def reserve(self, top: int, name: str) -> None:
        """Name all variables up to ``top`` that another library has handed out."""
        first = self.variables
        self.names.extend(f"{name} #{number}" for number in range(first + 1, top + 1))

    def add(self, *literals: int) -> None:
        """Add one clause."""
        self.clauses.append(list(literals))

    def at_most(self, literals: Iterable[int], bound: int) -> None:
        """Add a native constraint: at most ``bound`` of the literals are true."""
        self.atmosts.append((list(literals), bound))

    def name(self, variable: int) -> str:
        """Return what a variable means."""
        if variable <= self.shown:
            return self.option_names[variable - 1] if self.option_names else f"option {variable}"
        return self.names[variable - self.shown - 1]


def option_name(option: Option) -> str:
    """Return the comment of an option's variable: ``place N:r2c3,...`` or ``reveal Oct``."""
    return f"place {option}" if isinstance(option, Placement) else f"reveal {option.text}"


def empty_formula(cover: Cover) -> Formula:
    """Return the formula without clauses whose shown variables are the cover's options."""
    return Formula(len(cover.options), [option_name(option) for option in cover.options])


def cell_label(cell: tuple[int, int]) -> str:
    """Return how auxiliary variables name a cell."""
    return f"cell {cell_name(cell)}"
