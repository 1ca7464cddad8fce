"""A solver's answer beside the formula that it was asked: whose it is, and whether it can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

from satcal.counting.settings import Question
from satcal.counting.tilings import diagram_for
from satcal.encoding.decode import Decoded, decode, parse_answer
from satcal.encoding.export import export
from satcal.encoding.formula import Satisfiability, option_name
from satcal.encoding.head import MARKS, Head, read_head
from satcal.errors import (
    Disagreement,
    FormatError,
    NoTiling,
    OptionError,
    SatcalError,
    UnknownName,
    Unsatisfiable,
)
from satcal.files import read_text
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.loading import library
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover_of

MOST_TILINGS = 100_000  # that are compared with clauses which were added: some seconds
MAX_FORMULA = 256 * 1024 * 1024  # bytes; the largest of the family has 8 MB


@dataclass(frozen=True)
class ExportedFormula:
    """The text of a formula that satcal exported, and what its head says; ``where`` names it."""

    text: str
    where: str
    head: Head

    @property
    def board(self) -> str:
        """Its board's name in the library; UnknownName if it is not there."""
        if self.head.puzzle not in library():
            raise UnknownName(
                f"{self.where}: its board '{self.head.puzzle}' is not in the library; name the "
                "board's file with --board"
            )
        return self.head.puzzle

    def check_is_of(self, puzzle: Puzzle, reveal: Reveal | None, demands: Sequence[Demand]) -> None:
        """Raise OptionError if it is of another puzzle, FormatError if its variables are."""
        self.check_board(puzzle)
        names = tuple(map(option_name, place(cover_of(puzzle, reveal), demands).options))
        for number, (said, name) in enumerate(zip(self.head.names, names, strict=False), start=1):
            if said != name:
                raise FormatError(
                    f"{self.where}: variable {number} is '{said:.60}', but in satcal's export it "
                    f"is '{name}'; use the formula as satcal exported it"
                )
        if self.head.options != len(names):
            raise FormatError(
                f"{self.where}: {self.head.options} options, but satcal's export has {len(names)}; "
                "use the formula as satcal exported it"
            )

    def check_board(self, puzzle: Puzzle) -> None:
        """Raise OptionError if it is of another puzzle."""
        if puzzle.digest != self.head.digest:
            raise OptionError(
                f"{self.where}: it was not exported from {puzzle.name} (the digests differ); "
                "name the file (and --pieces, --flip) that it was exported from"
            )

    def added(self, own: Sequence[str]) -> Iterator[_Constraint]:
        """Yield its constraints on placements alone that are not among satcal's ``own``.

        Constraints with auxiliaries say no more than that it is a tiling, which is verified
        without them. Raises FormatError for a line that is not a constraint.
        """
        known, of_placements = set(own), range(1, self.head.options + 1)
        for line in _constraints(self.text):
            if line in known:
                continue
            try:
                constraint = _read_constraint(line)
            except ValueError:
                raise FormatError(
                    f"{self.where}: '{line:.60}' is neither a clause nor an equation; "
                    "export it again"
                ) from None
            if all(abs(literal) in of_placements for _, literal in constraint.terms):
                yield constraint

    def extends(self, own: Sequence[str]) -> bool:
        """Whether it has all constraints of satcal's ``own``, and others on placements alone."""
        lines = set(_constraints(self.text))
        return lines.issuperset(own) and len(lines) - len(set(own)) == len(set(self.added(own)))

    def is_own(self, own: Sequence[str]) -> bool:
        """Whether its constraints are satcal's ``own``, one for one: none is missing, none new."""
        return _constraints(self.text) == own

    def own(self, puzzle: Puzzle, reveal: Reveal | None, demands: Sequence[Demand]) -> list[str]:
        """The constraints that satcal's export has for it."""
        opb = self.text.startswith(MARKS[1])
        encoding = None if opb else self.head.encoding
        style = "opb" if opb else "dimacs"
        return _constraints(
            export(puzzle, reveal, format=style, encoding=encoding, demands=demands)
        )


def read_formula(path: Path) -> ExportedFormula:
    """The formula of a DIMACS or OPB file, also a compressed one."""
    text = read_text(path, "formula", MAX_FORMULA)
    return ExportedFormula(text, str(path), read_head(text, str(path)))


def answered(
    puzzle: Puzzle,
    reveal: Reveal | None,
    text: str,
    formula: ExportedFormula | None = None,
    *,
    demands: Sequence[Demand] = (),
    where: str = "answer",
) -> list[Decoded]:
    """The tilings of an answer, as of :func:`satcal.encoding.decode.decode`.

    With the ``formula`` it has to be the puzzle's, models have to satisfy what it says of
    placements (NoTiling if one does not), and UNSATISFIABLE is compared with the count of the
    diagram: Disagreement if satcal's own formula has tilings.
    """
    if formula is None:
        options = len(place(cover_of(puzzle, reveal), demands).options)
    else:
        formula.check_is_of(puzzle, reveal, demands)
        options = formula.head.options
    answer = parse_answer(text, options, where)
    if answer.verdict is Satisfiability.UNSAT:
        raise _unsatisfiable(puzzle, reveal, formula, demands, where)
    found = decode(puzzle, reveal, text, demands=demands, where=where)
    if formula is not None:
        added = list(formula.added(formula.own(puzzle, reveal, demands)))
        for model, constraint in product(answer.models, added):
            if not constraint.holds(model):
                raise NoTiling(
                    f"{where}: this is not a model of {formula.where}: it violates "
                    f"'{constraint.line:.60}'"
                )
    return found


def _unsatisfiable(
    puzzle: Puzzle,
    reveal: Reveal | None,
    formula: ExportedFormula | None,
    demands: Sequence[Demand],
    where: str,
) -> SatcalError:
    """The error of an answer that there is no model, compared with the tilings of the diagram.

    If clauses about placements were added, such as against each tiling, it is right where each
    tiling violates one.
    """
    says = f"{where}: the solver says {Satisfiability.UNSAT.value}"
    of_what = " ".join([puzzle.name, *(reveal or ())])
    asked = list(puzzle.reveals()) if reveal is None else [reveal]
    diagram = diagram_for(Question(puzzle, asked, tuple(demands)))
    number = sum(diagram.count(reveal, demands) for reveal in asked)
    counted = f"{number:,} solution{'s' * (number != 1)}"
    if formula is None and number:
        return Unsatisfiable(
            f"{says}, but {of_what} has {counted}; to compare, name the formula's file before the "
            "answer: clauses may have been added to it"
        )
    own = [] if formula is None else formula.own(puzzle, reveal, demands)
    if formula is None or formula.is_own(own):
        if number:
            return Disagreement(f"{says}, but satcal counts {counted} of {of_what}")
        return Unsatisfiable(f"{says}, and so does satcal: {of_what} has no solution")
    if reveal is None or number > MOST_TILINGS or not formula.extends(own):
        return Unsatisfiable(
            f"{says}, but the clauses of {formula.where} differ from satcal's export, so this says "
            "nothing about the board; export it again"
        )
    cover = place(cover_of(puzzle, reveal), demands)
    variable = {option: number for number, option in enumerate(cover.options, start=1)}
    added = _Added(formula.added(own))
    for tiling in diagram.tilings(reveal, demands):
        if added.hold(frozenset(variable[placement] for placement in tiling)):
            return Disagreement(
                f"{says}, but {' '.join(map(str, tiling))} satisfies {formula.where}"
            )
    return Unsatisfiable(
        f"{says}, and so does satcal: {of_what} has {counted}, and {formula.where} excludes each"
    )


def _constraints(text: str) -> list[str]:
    """The clauses of a DIMACS text or the equations of an OPB text, a line each."""
    return [line for line in text.splitlines() if not line.startswith((*MARKS, "p "))]


class _Constraint(NamedTuple):
    """The sum of factors of true literals is at least, or exactly, a number; its ``line``."""

    terms: tuple[tuple[int, int], ...]
    least: int
    exact: bool
    line: str

    def forbidden(self) -> frozenset[int] | None:
        """The variables that must not all be true, if it says just that."""
        if not self.terms:
            return None
        literals = {factor * literal for factor, literal in self.terms}
        at_least_one_false = self.least == (1 if self.terms[0][0] > 0 else 1 - len(self.terms))
        if self.exact or max(literals) > 0 or not at_least_one_false:
            return None
        return frozenset(map(abs, literals))

    def holds(self, model: frozenset[int]) -> bool:
        """Whether it holds if just these variables are true."""
        number = sum(
            factor for factor, literal in self.terms if (literal > 0) == (abs(literal) in model)
        )
        return number == self.least or (number > self.least and not self.exact)


class _Added:
    """Constraints on placements; those that forbid a set of them are found by its first."""

    def __init__(self, constraints: Iterable[_Constraint]) -> None:
        self._forbidding: dict[int, list[frozenset[int]]] = {}
        self._others = []
        for constraint in constraints:
            forbidden = constraint.forbidden()
            if forbidden:
                self._forbidding.setdefault(min(forbidden), []).append(forbidden)
            else:
                self._others.append(constraint)

    def hold(self, model: frozenset[int]) -> bool:
        """Whether all hold if just these variables are true."""
        return not any(
            forbidden <= model
            for variable in model
            for forbidden in self._forbidding.get(variable, ())
        ) and all(constraint.holds(model) for constraint in self._others)


def _read_constraint(line: str) -> _Constraint:
    """Read a clause of DIMACS or an equation of OPB; ValueError if it is neither."""
    if not line.endswith(";"):
        return _Constraint(
            tuple((1, int(literal)) for literal in line.split()[:-1]), 1, False, line
        )
    *terms, relation, least, _ = line.split()
    variables = (int(name.removeprefix("x")) for name in terms[1::2])
    factors = map(int, terms[::2])
    return _Constraint(
        tuple(zip(factors, variables, strict=True)), int(least), relation == "=", line
    )
