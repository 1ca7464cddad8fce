"""Moving the labels of a board: is there an arrangement that treats every date well enough?

The tilings of a date depend on its two uncovered cells alone. A survey counts them for every
pair of cells; which label goes where is then a question for a SAT solver. Labels that meet the
same others, such as the seven months of 31 days, are one class: the solver chooses its cells.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import BinaryIO

import pysolvers
from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Solver

from satcal.analysis.survey import CellSet, survey
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle, Reveal, cell_name
from satcal.puzzle.shapes import Cell

SOLVER = "cadical195"
Class = tuple[str, ...]
"""Labels that meet the same labels of the other category in the reveals that are asked."""


class Places:
    """Where the labels go, as clauses; docs/how-to/make-a-puzzle.md says what they mean.

    No reveal may leave an ``excluded`` pair of cells uncovered.
    """

    def __init__(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], excluded: Collection[CellSet]
    ) -> None:
        self.puzzle, self.classes = puzzle, _classes(puzzle, reveals)
        self._numbers = numbers = IDPool()
        self.clauses: list[list[int]] = []
        for which in self.classes:
            literals = [numbers.id((which, cell)) for cell in puzzle.cells]
            chosen = CardEnc.equals(
                literals, len(which), vpool=numbers, encoding=EncType.seqcounter
            )
            self.clauses += chosen.clauses
        for cell in puzzle.cells:
            for one, other in itertools.combinations(self.classes, 2):
                self.clauses.append([-numbers.id((one, cell)), -numbers.id((other, cell))])
        asked = set(reveals)
        both = itertools.product(self.classes, repeat=2)
        pairs = [(a, b) for a, b in both if (a[0], b[0]) in asked]
        for left, right in sorted(excluded):
            for a, b in pairs:
                for here, there in ((left, right), (right, left)):
                    self.clauses.append([-numbers.id((a, here)), -numbers.id((b, there))])

    def dimacs(self) -> Iterator[str]:
        """Yield the lines of the formula; comments say which labels and cell a variable is of."""
        for which in self.classes:
            for cell in self.puzzle.cells:
                yield f"c {self._numbers.id((which, cell))} {cell_name(cell)} {' '.join(which)}\n"
        yield f"p cnf {self._numbers.top} {len(self.clauses)}\n"
        for clause in self.clauses:
            yield f"{' '.join(map(str, clause))} 0\n"

    def arranged(self, proof: BinaryIO | None = None) -> Puzzle | None:
        """The puzzle with its labels so moved; None if there is no way.

        That there is none the solver proves, in LRAT, in the file ``proof``.
        """
        with Solver(SOLVER) as solver:
            if proof:
                _trace(solver, proof)
            solver.append_formula(self.clauses)
            try:
                if not solver.solve():
                    return None
            except pysolvers.error as error:  # so PySAT says in its own words that Ctrl-C came
                raise KeyboardInterrupt from error
            true = set(solver.get_model())
        to: dict[Cell, Cell] = {}
        for which in self.classes:
            cells = [cell for cell in self.puzzle.cells if self._numbers.id((which, cell)) in true]
            for text, cell in zip(which, cells, strict=True):
                to[self.puzzle.labels[text].cells[0]] = cell
        return moved(self.puzzle, to)


def places(
    puzzle: Puzzle, reveals: Sequence[Reveal], least: int, most: int | None = None
) -> Places:
    """The question where the labels go so that all ``reveals`` have enough tilings.

    That is at least ``least`` and, if it is given, no more than ``most``.

    Raises:
        OptionError: the puzzle has not two categories with each label on one cell.
    """
    if len(puzzle.categories) != 2 or any(len(x.cells) != 1 for x in puzzle.labels.values()):
        raise OptionError(
            f"{puzzle.name}: arrange needs a board with two categories and one cell per label; "
            "choose another board"
        )
    counts = survey(puzzle).counts
    unfit = {
        cells
        for cells, tilings in counts.items()
        if tilings < least or (most is not None and tilings > most)
    }
    return Places(puzzle, reveals, unfit)


def _trace(solver: Solver, file: BinaryIO) -> None:
    """Have CaDiCaL write its proof as LRAT; PySAT itself offers DRAT alone."""
    solver.solver.configure({"lrat": 1, "binary": 0})
    solver.solver.prfile = file  # PySAT writes what is left and closes it with the solver
    solver.solver.prfp = pysolvers.cadical195_tracepr(solver.solver.cadical, file)


def moved(puzzle: Puzzle, to: Mapping[Cell, Cell]) -> Puzzle:
    """The puzzle with the labels of some cells on other ones."""
    labels = {
        text: replace(label, cells=tuple(to.get(cell, cell) for cell in label.cells))
        for text, label in puzzle.labels.items()
    }
    return replace(puzzle, labels=labels)


def _classes(puzzle: Puzzle, reveals: Sequence[Reveal]) -> list[Class]:
    meets: dict[str, set[str]] = defaultdict(set)
    for one, other in reveals:
        meets[one].add(other)
        meets[other].add(one)
    together: dict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
    for category, texts in puzzle.categories.items():
        for text in texts:
            together[category, frozenset(meets[text])].append(text)
    return list(map(tuple, together.values()))
