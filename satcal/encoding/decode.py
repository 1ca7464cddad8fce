"""Decoding: an external solver's answer to an export becomes verified tilings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from satcal.encoding.formats.solver_output import Verdict, parse_answer
from satcal.errors import BudgetExhausted, NoTiling
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Label, Puzzle, Reveal, Tiling
from satcal.puzzle.place import Demand, place
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

    Args:
        puzzle: the puzzle that was exported.
        reveal: the reveal that was exported; None for the open formula.
        text: what the solver printed, or minisat's result file.
        demands: the demands of the export.
        where: the file's name, for errors.

    Raises:
        FormatError: the text is no answer, or contradicts itself.
        NoTiling: the solver says UNSATISFIABLE, or a model is no tiling; the text says why.
        BudgetExhausted: the solver says UNKNOWN.
    """
    whole = place(cover(puzzle, reveal), demands)
    answer = parse_answer(text, len(whole.options), where)
    of_what = f"{puzzle.name} {' '.join(reveal)}".rstrip() if reveal is not None else puzzle.name
    if answer.verdict is Verdict.UNSAT:
        raise NoTiling(f"{where}: the solver says UNSATISFIABLE: {of_what} has no tiling")
    if answer.verdict is Verdict.UNKNOWN:
        raise BudgetExhausted(
            f"{where}: the solver says UNKNOWN: it stopped before it knew whether {of_what} has "
            "a tiling; give it more time"
        )
    found: dict[Decoded, None] = {}
    for number, model in enumerate(answer.models, start=1):
        which = f"{where}: model {number}" if len(answer.models) > 1 else where
        found.setdefault(_decoded(whole, model, which))
    return list(found)


def _decoded(whole: Cover, model: frozenset[int], where: str) -> Decoded:
    chosen = [number for number in range(len(whole.options)) if number + 1 in model]
    tiling = whole.tiling(chosen)
    reveal = whole.reveal
    if reveal is None:
        labels = [whole.options[number] for number in chosen]
        reveal = _revealed(whole.puzzle, [o for o in labels if isinstance(o, Label)], where)
    fault = Verifier(whole.puzzle, reveal).fault(tiling)
    if fault:
        raise NoTiling(
            f"{where}: this is no tiling: {fault}; was the formula exported for this board, "
            "reveal and --place?"
        )
    return Decoded(reveal, tiling)


def _revealed(puzzle: Puzzle, labels: Sequence[Label], where: str) -> Reveal:
    """Return the reveal of an open formula's model."""
    reveal = []
    for category in puzzle.categories:
        texts = [label.text for label in labels if label.category == category]
        if len(texts) != 1:
            what = f"reveals {' and '.join(texts)}" if texts else "reveals no label"
            raise NoTiling(
                f"{where}: this is no tiling: it {what} of the category {category}; was the open "
                "formula of this board exported?"
            )
        reveal.append(texts[0])
    return tuple(reveal)
