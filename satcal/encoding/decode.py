"""Decoding: an external solver's answer to an export becomes verified tilings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from satcal.encoding.solver_output import Verdict, parse_answer
from satcal.errors import BudgetExhausted, NoTiling
from satcal.proof.verifier import Verifier
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.model import Label, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, cover


@dataclass(frozen=True)
class Decoded:
    """A tiling that an external solver found, verified, and the reveal that it leaves."""

    reveal: Reveal
    tiling: Tiling


def decode(
    puzzle: Puzzle,
    reveal: Reveal | None,
    text: str,
    *,
    demands: Sequence[Demand] = (),
    where: str = "answer",
) -> list[Decoded]:
    """Return the different tilings of a solver's answer, in the order of the answer.

    In every format and encoding, variables 1 to n are the options of the cover, so the answer
    is read without the formula. Models that differ in auxiliary variables alone are one tiling.

    ``puzzle``, ``reveal`` (None for the open formula) and ``demands`` are those of the
    export, ``text`` is what the solver printed, ``where`` names it in errors.

    Raises:
        FormatError: the text is no answer, or contradicts itself.
        NoTiling: the solver says UNSATISFIABLE, or a model is no tiling; the text says why.
        BudgetExhausted: the solver says UNKNOWN.
    """
    whole = place(cover(puzzle, reveal), demands)
    answer = parse_answer(text, len(whole.options), where)
    of_what = f"{puzzle.name} {' '.join(reveal or ())}".rstrip()
    if answer.verdict is Verdict.UNSAT:
        raise NoTiling(f"{where}: the solver says UNSATISFIABLE: {of_what} has no tiling")
    if answer.verdict is Verdict.UNKNOWN:
        raise BudgetExhausted(
            f"{where}: the solver says UNKNOWN: it stopped before it knew whether {of_what} has "
            "a tiling; give it more time"
        )
    decoded: dict[Decoded, None] = {}
    for number, model in enumerate(answer.models, start=1):
        which = f"{where}: model {number}" if len(answer.models) > 1 else where
        decoded.setdefault(_decoded(whole, model, which))
    return list(decoded)


def _decoded(whole: Cover, model: frozenset[int], where: str) -> Decoded:
    chosen = [number - 1 for number in sorted(model)]
    tiling, reveal = whole.tiling(chosen), whole.reveal
    if reveal is None:
        options = [whole.options[number] for number in chosen]
        reveal = _revealed(whole.puzzle, [o for o in options if isinstance(o, Label)], where)
    fault = Verifier(whole.puzzle, reveal).fault(tiling)
    if fault:
        raise NoTiling(
            f"{where}: this is no tiling: {fault}; was the formula exported for this board, "
            "reveal and --place?"
        )
    return Decoded(reveal, tiling)


def _revealed(puzzle: Puzzle, labels: Sequence[Label], where: str) -> Reveal:
    reveal: list[str] = []
    for category in puzzle.categories:
        texts = [label.text for label in labels if label.category == category]
        if len(texts) != 1:
            what = f"reveals {' and '.join(texts)}" if texts else "reveals no label"
            raise NoTiling(
                f"{where}: this is no tiling: it {what} of the category {category}; was the open "
                "formula of this board exported?"
            )
        reveal += texts
    return tuple(reveal)
