"""A formula for PySAT with the meanings of its variables.

>>> from satcal.puzzle.loading import load
>>> formula = puzzle_formula(load("a-puzzle-a-day"), ("Oct", "6"), lemmas="closed")
>>> formula.nv, len(formula.projected), str(formula.placements[32])
(129, 32, 'P:r0c4,r0c5,r1c4,r1c5,r2c4')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.formula import CNF

from satcal.encoding.decode import Decoded, decode
from satcal.encoding.export import DEFAULT_ENCODING, encode_clauses, write_comments
from satcal.encoding.formula import Clause, Formula
from satcal.errors import FormatError, NoTiling
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover, Option


class PuzzleFormula(CNF):  # type: ignore[misc]
    """PySAT's CNF of an export, with the meanings of its variables.

    ``placements`` maps each of the first variables to its placement (in the formula of all
    reveals also to a label). ``projected`` lists these variables, which determine the tiling of a
    model. ``names`` has the meaning of every variable, in the words of an export.
    """

    def __init__(self, cover: Cover, formula: Formula, comments: Iterable[str]) -> None:
        super().__init__()
        self.nv, self.clauses, self.comments = formula.variables, formula.clauses, list(comments)
        self.cover = cover
        self.verifier: Verifier | None = None
        if cover.reveal is not None:  # kept, as it takes longer to build than to verify
            self.verifier = Verifier(cover.puzzle, cover.reveal)
        self.placements: dict[int, Option] = dict(enumerate(cover.options, start=1))
        self.projected = list(self.placements)
        self.variable = {option: number for number, option in self.placements.items()}
        self.names = dict(enumerate(formula.names, start=1))

    def block(self, tiling: Iterable[Placement]) -> Clause:
        """Return the clause that excludes a tiling: not all of its placements.

        Raises:
            NoTiling: a placement is not a variable of the formula.
        """
        try:
            return [-self.variable[placement] for placement in tiling]
        except KeyError as error:
            raise NoTiling(f"{error.args[0]} is not a variable of this formula") from error

    def decode(self, model: Iterable[int]) -> Decoded:
        """Return the tiling of a model, given by all its literals or only the true ones.

        Raises:
            FormatError: a literal is beyond the formula's variables.
            NoTiling: the model is not a tiling.
        """
        variables = [literal for literal in model if literal > 0]
        if max(variables, default=0) > self.nv:
            raise FormatError(
                f"model: {max(variables)} is beyond the formula's {self.nv} variables"
            )
        options = frozenset(variable for variable in variables if variable <= len(self.placements))
        return decode(self.cover, options, "model", self.verifier)


def puzzle_formula(
    puzzle: Puzzle,
    reveal: Reveal | None,
    *,
    encoding: str = DEFAULT_ENCODING,
    lemmas: str = "none",
    place: Sequence[Placement] = (),
) -> PuzzleFormula:
    """Return the formula that :func:`satcal.encoding.export.export_text` writes in DIMACS."""
    cover, formula = encode_clauses(cover_with(puzzle, reveal, place), encoding, lemmas)
    comments = write_comments(cover, formula, place, encoding, lemmas)
    return PuzzleFormula(cover, formula, comments)
