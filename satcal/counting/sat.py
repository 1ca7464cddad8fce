"""The method ``sat``: solve, verify the model as a tiling, block it, until UNSAT."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing

import pysolvers
from pysat.solvers import NoSuchSolverError, Solver

from satcal.counting.outcomes import add_work
from satcal.counting.settings import DEFAULT, SAT, BySat
from satcal.encoding import encode
from satcal.encoding.formula import Clause, Formula, Satisfiability
from satcal.encoding.lemmas import strengthened, strongest
from satcal.errors import BudgetExhausted, Disagreement, Missing
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Tiling
from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import cell_order

# Decide along the cells, true first, without scores or other modes. Probing and
# vivification make conflicts fewer; the other inprocessing would start anew in each
# call of the loop and costs more than it gains: results/benchmarks/enumeration-notes.md
# has the figures. No other solver of PySAT that enumerates takes such options.
_OFF = ("bump", "stabilize", "elim", "subsume", "ternary", "transred", "decompose")
STATIC = {"cadical195": {"forcephase": 1, "phase": 1, **dict.fromkeys(_OFF, 0)}}
SAYS = {True: Satisfiability.SAT, False: Satisfiability.UNSAT, None: Satisfiability.UNKNOWN}
"""What PySAT returns; None at the end of a budget."""


class Loop:
    """One incremental solver over a formula; its first variables are a cover's options.

    Raises:
        Missing: PySAT knows the solver, but was built without it.
    """

    def __init__(
        self, cover: Cover, formula: Formula, method: BySat, deadline: float | None = None
    ) -> None:
        name, static = method.chosen_solver, method.order == "static"
        self._inside = _numbering(cover, formula, static)
        self._outside = {
            self._inside[variable]: variable for variable in range(1, formula.shown + 1)
        }
        self._conflicts, self._deadline = method.conflicts, deadline
        try:
            self._solver = Solver(name=name)
        except NoSuchSolverError as error:
            get = "`pip install pycryptosat`, or " if name == "cryptosat" else ""
            raise Missing(
                f"solver {name} is missing in this build of PySAT; {get}use {DEFAULT}"
            ) from error
        if static and name in STATIC:
            self._solver.configure(STATIC[name])
        for clause in formula.clauses:
            self.add(clause)
        for literals, bound in formula.atmosts:
            self._solver.add_atmost(self._translated(literals), bound)

    def _translated(self, literals: Sequence[int]) -> list[int]:
        inside = self._inside
        return [inside[x] if x > 0 else -inside[-x] for x in literals]

    def add(self, clause: Clause) -> None:
        """Add a clause over the formula's variables."""
        self._solver.add_clause(self._translated(clause))

    def solve(self) -> Satisfiability:
        """The solver's answer to all clauses so far."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return Satisfiability.UNKNOWN
        if self._conflicts is not None:
            left = self._conflicts - self._solver.accum_stats()["conflicts"]
            if left <= 0:
                return Satisfiability.UNKNOWN
            self._solver.conf_budget(left)
            return SAYS[self._solver.solve_limited()]
        try:
            return SAYS[self._solver.solve()]
        except pysolvers.error as error:  # so PySAT says in its own words that Ctrl-C was pressed
            raise KeyboardInterrupt from error

    def chosen(self) -> list[int]:
        """The true option variables of the last model, in canonical order."""
        outside = self._outside
        return sorted(outside[v] for v in self._solver.get_model() if v > 0 and v in outside)

    @property
    def work(self) -> dict[str, int]:
        """What was done so far, by the names of ``WORK``."""
        done = self._solver.accum_stats()
        names = {"nodes": "decisions", "propagations": "propagations", "conflicts": "conflicts"}
        return {name: done[theirs] for name, theirs in names.items()}

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


def _numbering(cover: Cover, formula: Formula, static: bool) -> list[int]:
    """Each variable's number inside the solver (index 0 unused).

    CaDiCaL without scores decides the last variable first: for the static
    order, auxiliary variables come first and options by falling first cell.
    """
    if not static:
        return list(range(formula.variables + 1))
    rank = {cell: index for index, cell in enumerate(cell_order(cover.cells))}
    first = [min(rank[cell] for cell in option.cells) for option in cover.options]
    options = sorted(range(1, formula.shown + 1), key=lambda v: (-first[v - 1], v))
    inside = [0] * (formula.variables + 1)
    for number, variable in enumerate([*range(formula.shown + 1, len(inside)), *options], start=1):
        inside[variable] = number
    return inside


def tilings(
    cover: Cover,
    method: BySat = SAT,
    deadline: float | None = None,
    work: dict[str, float] | None = None,
) -> Iterator[Tiling]:
    """Yield every tiling of a reveal's cover once, each verified before; ``work`` is added to.

    Raises:
        As :class:`Loop`.
        BudgetExhausted: a budget, or the deadline, ended it.
        Disagreement: a model is no tiling, so the encoding or the solver is wrong.
    """
    if cover.reveal is None:
        raise ValueError("an open cover has no reveal; enumerate its formula with Loop")
    verifier = Verifier(cover.puzzle, cover.reveal)
    level = strongest(cover) if method.lemmas == "auto" else method.lemmas
    rest, lemmas = strengthened(cover, level)
    found = 0
    formula = encode(rest, method.encoding)
    formula.clauses += lemmas
    with closing(Loop(rest, formula, method, deadline)) as loop:
        try:
            while (answer := loop.solve()) is Satisfiability.SAT:
                chosen = loop.chosen()
                tiling = rest.tiling(variable - 1 for variable in chosen)
                fault = verifier.fault(tiling)
                if fault:
                    raise Disagreement(f"a model of the formula is not a tiling: {fault}")
                found += 1
                yield tiling
                # short, and valid for every other reveal too: only the true placements
                loop.add([-variable for variable in chosen])
        finally:
            if work is not None:
                add_work(work, loop.work)
    if answer is Satisfiability.UNKNOWN:
        raise BudgetExhausted(f"budget exhausted; tilings found so far: {found:,}", found)
