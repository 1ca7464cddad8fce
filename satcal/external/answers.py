"""A solver's answer, compared with what satcal counts."""

from __future__ import annotations

from collections.abc import Sequence

from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter
from satcal.encoding.answer import parse_answer
from satcal.encoding.decode import Decoded, ExportedFormula, decode
from satcal.encoding.formula import Satisfiability
from satcal.errors import BudgetExhausted, Disagreement, NoTiling, SatcalError, Unsatisfiable
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement, Puzzle
from satcal.puzzle.placements import Cover


def decode_answer(
    puzzle: Puzzle, text: str, formula: ExportedFormula, where: str = "answer"
) -> list[Decoded]:
    """Return the different tilings of a solver's answer, verified, in the order of the answer.

    An answer that claims to be complete is compared with the count of the diagram.

    Raises:
        FormatError: the text is not an answer, or the formula is not satcal's.
        OptionError: the formula was exported from another puzzle.
        NoTiling: a model is not a tiling, or one that the formula excludes.
        Unsatisfiable: the solver finds no tiling, as the count says.
        Disagreement: the answer differs from the count.
        BudgetExhausted: the solver says UNKNOWN.
    """
    cover, blocked = formula.cover_on(puzzle), formula.blocked_tilings(puzzle)
    answer = parse_answer(text, len(cover.options), formula.variables, where)
    about = " ".join([puzzle.name, *(() if cover.reveal is None else cover.reveal)])
    if answer.verdict is Satisfiability.UNKNOWN:
        raise BudgetExhausted(
            f"{where}: the solver says UNKNOWN: it stopped before it knew whether {about} has a "
            "tiling; give it more time"
        )
    verifier = None if cover.reveal is None else Verifier(puzzle, cover.reveal)
    found: dict[Decoded, None] = {}
    for number, model in enumerate(answer.models, start=1):
        which = f"{where}: model {number}" if len(answer.models) > 1 else where
        decoded = decode(cover, model, which, verifier)
        if decoded.tiling in blocked:
            raise NoTiling(f"{which}: a clause of the formula excludes this tiling")
        found.setdefault(decoded)
    if answer.complete or answer.verdict is Satisfiability.UNSAT:
        left = _count(cover, formula.place(puzzle)) - len(blocked)
        if left != len(found) or not found:
            raise _completeness_error(about, len(found), len(blocked), left, where)
    return list(found)


def _count(cover: Cover, place: Sequence[Placement]) -> int:
    """Return the number of tilings of the reveal, or of all reveals."""
    puzzle = cover.puzzle
    reveals = list(puzzle.reveals()) if cover.reveal is None else [cover.reveal]
    return sum(DiagramMethod().counts(puzzle, reveals, place, Meter()).values())


def _completeness_error(about: str, found: int, blocked: int, left: int, where: str) -> SatcalError:
    """Return the error for an answer that claims to have every tiling.

    It is Unsatisfiable if satcal finds no tiling either, and Disagreement otherwise.
    """
    besides = f" besides the {blocked:,} that the formula excludes" if blocked else ""
    if not found and left == 0:
        return Unsatisfiable(
            f"{where}: the solver says UNSATISFIABLE, and so does satcal: {about} has no "
            f"solution{besides}"
        )
    counted = f"{left:,} solution{'s' * (left != 1)}{besides}"
    says = f"finds {found:,} and no more" if found else "says UNSATISFIABLE"
    return Disagreement(f"{where}: the solver {says}, but satcal counts {counted} of {about}")
