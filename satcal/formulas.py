"""The functions of :mod:`satcal.api` for formulas, and the answers of solvers to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from satcal.arguments import Board, Date, Place, select, select_all, to_puzzle
from satcal.draw.notebook import Tiling

if TYPE_CHECKING:
    from pysat.formula import CNF

    from satcal.encoding.cnf import PuzzleFormula
    from satcal.encoding.decode import ExportedFormula

FORMAT_MARKS = {"*": "opb", "%": "asp"}
"""The format of a formula by its first character; any other character means DIMACS."""


def select_formula(board: Board, date: Date | None, place: Place, open: bool) -> dict[str, Any]:
    """Return the puzzle, the reveal (None if ``open``) and the placed pieces of a formula."""
    selection = select_all(board, (), place) if open else select(board, date, place)
    reveal = None if open else selection.row.reveal
    return {"puzzle": selection.puzzle, "reveal": reveal, "place": selection.place}


def export(
    board: Board,
    date: Date | None = None,
    *,
    format: str = "dimacs",
    encoding: str | None = None,
    lemmas: str = "none",
    place: Place = (),
    open: bool = False,
) -> str:
    """Return the text of ``satcal export``; ``open`` is one formula of all reveals."""
    from satcal.encoding.export import export_text

    question = select_formula(board, date, place, open)
    return export_text(**question, format=format, encoding=encoding, lemmas=lemmas)


def formula(
    board: Board,
    date: Date | None = None,
    *,
    encoding: str | None = None,
    lemmas: str = "none",
    place: Place = (),
    open: bool = False,
) -> PuzzleFormula:
    """Return the DIMACS of :func:`export` as PySAT's CNF, with the meaning of its variables."""
    from satcal.encoding.cnf import puzzle_formula
    from satcal.encoding.export import DEFAULT_ENCODING

    question = select_formula(board, date, place, open)
    return puzzle_formula(**question, encoding=encoding or DEFAULT_ENCODING, lemmas=lemmas)


def decode(
    answer: str | Iterable[int], formula: str | CNF, *, board: Board | None = None
) -> list[Tiling]:
    """Return the verified tilings of a solver's answer: its output, or a model of PySAT.

    ``formula`` is the result of :func:`export` or :func:`formula`. It names its date, and its board
    if that is in the library. A model may omit false literals.

    Raises:
        Unsatisfiable: the solver reports that there is no tiling, and this is true.
        NoTiling: a model is not a tiling.
        Disagreement: the answer contradicts satcal's formula.
    """
    from satcal.encoding.cnf import PuzzleFormula
    from satcal.external.answers import decode_answer

    if isinstance(formula, PuzzleFormula) and not isinstance(answer, str):
        solution = formula.decode(answer)  # the formula knows its variables
        return [Tiling(solution.tiling, formula.cover.puzzle, solution.reveal)]
    text = answer if isinstance(answer, str) else format_answer(answer)
    exported = to_exported_formula(formula)
    puzzle = to_puzzle(exported.head.puzzle if board is None else board)
    solutions = decode_answer(puzzle, text, exported)
    return [Tiling(solution.tiling, puzzle, solution.reveal) for solution in solutions]


def format_answer(model: Iterable[int]) -> str:
    """Return a model, such as PySAT's ``get_model``, as a solver prints it."""
    return f"s SATISFIABLE\nv {' '.join(map(str, [*model, 0]))}\n"


def to_exported_formula(formula: str | CNF) -> ExportedFormula:
    """Return the parsed formula from its text, or from a CNF of PySAT."""
    from satcal.encoding.decode import read_formula

    if not isinstance(formula, str):
        size = f"p cnf {formula.nv} {len(formula.clauses)}"
        clauses = (" ".join(map(str, [*clause, 0])) for clause in formula.clauses)
        formula = "\n".join([*formula.comments, size, *clauses, ""])
    return read_formula(formula, "formula", FORMAT_MARKS.get(formula[:1], "dimacs"))
