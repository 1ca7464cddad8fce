"""A solver's answer, compared with what satcal counts."""

from __future__ import annotations

from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter
from satcal.encoding.answer import parse_answer
from satcal.encoding.decode import Decoded, ExportedFormula, decode
from satcal.encoding.formula import Satisfiability
from satcal.errors import BudgetExhausted, Disagreement, NoTiling, SatcalError, Unsatisfiable
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Puzzle
from satcal.tabular import count_of


def decode_answer(
    puzzle: Puzzle, text: str, formula: ExportedFormula, where: str = "answer"
) -> list[Decoded]:
    """Return the verified tilings of a solver's answer without duplicates, in its order.

    ``where`` names the answer in errors. An answer that claims to be complete must have as many
    tilings as the diagram counts.

    Raises:
        FormatError: the text is not an answer, or the formula is not satcal's.
        OptionError: the formula was exported from another puzzle.
        NoTiling: a model is not a tiling, or is a tiling that the formula excludes.
        Unsatisfiable: neither the solver nor satcal finds a tiling.
        Disagreement: the answer differs from the count.
        BudgetExhausted: the solver says UNKNOWN.
    """
    cover, blocked_tilings = formula.cover_on(puzzle), formula.blocked_tilings(puzzle)
    answer = parse_answer(text, len(cover.options), formula.variables, where)
    name = " ".join([puzzle.name, *(() if cover.reveal is None else cover.reveal)])
    if answer.verdict is Satisfiability.UNKNOWN:
        raise BudgetExhausted(
            f"{where}: the solver says UNKNOWN: it stopped before it knew whether {name} has a "
            "tiling; give it more time"
        )
    verifier = None if cover.reveal is None else Verifier(puzzle, cover.reveal)
    tilings: dict[Decoded, None] = {}
    for number, model in enumerate(answer.models, start=1):
        source = f"{where}: model {number}" if len(answer.models) > 1 else where
        decoded = decode(cover, model, source, verifier)
        if decoded.tiling in blocked_tilings:
            raise NoTiling(f"{source}: a clause of the formula excludes this tiling")
        tilings.setdefault(decoded)
    if answer.complete or answer.verdict is Satisfiability.UNSAT:
        reveals = list(puzzle.reveals()) if cover.reveal is None else [cover.reveal]
        counts = DiagramMethod().counts(puzzle, reveals, formula.place(puzzle), Meter())
        count = sum(counts.values()) - len(blocked_tilings)
        if count != len(tilings) or not tilings:
            raise _mismatch_error(name, len(tilings), len(blocked_tilings), count, where)
    return list(tilings)


def _mismatch_error(name: str, tilings: int, blocked: int, count: int, where: str) -> SatcalError:
    """Return the error for a wrong or empty answer that claims to have every tiling.

    ``tilings`` is the answer's number of tilings, ``count`` is satcal's, and ``blocked`` is the
    number that the formula excludes. The error is Unsatisfiable if satcal finds no tiling either,
    and Disagreement otherwise.
    """
    exclusion = f" besides the {blocked:,} that the formula excludes" if blocked else ""
    if not tilings and count == 0:
        return Unsatisfiable(
            f"{where}: the solver says UNSATISFIABLE, and so does satcal: {name} has no "
            f"solution{exclusion}"
        )
    verdict = f"finds {tilings:,} and no more" if tilings else "says UNSATISFIABLE"
    return Disagreement(
        f"{where}: the solver {verdict}, but satcal counts {count_of(count, 'solution')}"
        f"{exclusion} of {name}"
    )
