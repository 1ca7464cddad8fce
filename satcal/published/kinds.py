"""The kinds of statements: each says what it claims, and finds what is true.

To add a kind, write its class and list it in ``KINDS``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, ClassVar, NamedTuple

from satcal.errors import FormatError
from satcal.published import fields as readers
from satcal.published.covers import covers
from satcal.published.facts import FactFinder, reveal_in_full
from satcal.published.fields import Bound, bounds, claim_field, subject_field
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import placements
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import classes, fixed, moves_every_tiling, symmetries

NAMED = 3  # sets of cells that an answer names
LISTED = 12  # wrong rows of a table that a sentence names

Reveals = Sequence[Reveal]


class Undecided(Exception):
    """What satcal knows neither confirms nor refutes a statement; the text says why."""


class Truth(NamedTuple):
    """What is true, whatever was claimed: a value for each field that the statement may claim.

    ``example`` is the reveal that decides, ``says`` replaces the text made of ``values``.
    """

    values: Mapping[str, Any]
    example: Reveal | None = None
    says: str = ""


@dataclass(frozen=True, kw_only=True)
class Claim(ABC):
    """What a statement says. A kind is a dataclass whose fields are those of a claim file."""

    @abstractmethod
    def evaluate(self, facts: FactFinder) -> Truth:
        """Return what is true.

        Raises:
            Undecided: satcal cannot find it.
            BudgetExhausted, TooLarge: finding it takes too much.
        """

    def check_fields(self, puzzle: Puzzle) -> None:  # noqa: B027 - most kinds have nothing to check
        """Raise FormatError if its fields, each of which is right, do not go together."""

    @classmethod
    def claim_field_names(cls) -> list[str]:
        """Return the names of the fields that make the claim."""
        return [field.name for field in fields(cls) if field.metadata["claimed"]]


@dataclass(frozen=True, kw_only=True)
class OneReveal(Claim):
    """A claim about one reveal, or about a puzzle that has no labels."""

    reveal: Reveal = subject_field(default=(), reveal=readers.labels)

    def check_fields(self, puzzle: Puzzle) -> None:
        """Raise FormatError where the puzzle has labels, and none are named."""
        if len(self.reveal) != len(puzzle.categories):
            raise FormatError("reveal is missing: this board leaves labels uncovered")


@dataclass(frozen=True, kw_only=True)
class CountClaim(OneReveal):
    """Tilings of one reveal, or of a date."""

    reveal: Reveal = subject_field(default=(), reveal=readers.labels, date=readers.date)
    bound: Bound = claim_field(**bounds("tilings"))

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"bound": facts.counts([self.reveal])[self.reveal]}, self.reveal)


@dataclass(frozen=True, kw_only=True)
class UpToSymmetryClaim(OneReveal):
    """Tilings of a reveal up to the symmetries of the board."""

    classes: int = claim_field(classes=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        puzzle = facts.puzzle
        if moves_every_tiling(puzzle, list(placements(puzzle, puzzle.cells))):
            number = facts.counts([self.reveal])[self.reveal] // len(symmetries(puzzle))
        else:
            number = len(list(classes(puzzle, facts.sources.tilings(puzzle, self.reveal))))
        return Truth({"classes": number}, self.reveal)


@dataclass(frozen=True, kw_only=True)
class RangeClaim(Claim):
    """A claim about the reveals of a range."""

    range: Reveals = subject_field(range=readers.reveals)


@dataclass(frozen=True, kw_only=True)
class TotalClaim(RangeClaim):
    """Tilings of all reveals of a range together."""

    tilings: int = claim_field(tilings=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"tilings": facts.total(self.range)})


@dataclass(frozen=True, kw_only=True)
class MeanClaim(RangeClaim):
    """Tilings of a reveal of a range on average, to the decimals that are given."""

    rounding: str = subject_field(default="nearest", rounding=readers.rounding)
    tilings: Decimal = claim_field(tilings=readers.decimal)

    def evaluate(self, facts: FactFinder) -> Truth:
        exact = Fraction(facts.total(self.range), len(self.range))
        decimals = max(0, -int(self.tilings.as_tuple().exponent))
        true = _decimal(exact, decimals, self.rounding)
        return Truth({"tilings": true}, says=f"{true} (from {_decimal(exact, 3)})")


def _decimal(value: Fraction, decimals: int, rounding: str = "nearest") -> Decimal:
    # from a text: arithmetic on decimals would round to 28 digits
    return Decimal(f"{_rounded(value * 10**decimals, rounding)}E-{decimals}")


def _rounded(value: Fraction, rounding: str) -> int:
    """Return a value of at least 0 as a whole number, halves up or cut off."""
    return math.floor(value + (Fraction(1, 2) if rounding == "nearest" else 0))


@dataclass(frozen=True, kw_only=True)
class MinimumClaim(RangeClaim):
    """The fewest tilings of a reveal of a range, and which has them."""

    choose: ClassVar[Any] = min
    called: ClassVar[str] = "fewest"
    tilings: int | None = claim_field(default=None, tilings=readers.natural)
    reveal: Reveal | None = claim_field(default=None, reveal=readers.labels)

    def evaluate(self, facts: FactFinder) -> Truth:
        counts, named = facts.counts(self.range), self.reveal
        true = self.choose(counts.values())
        # any that reaches the extreme may be named; else it is the first in canonical order
        reaches = named is not None and counts.get(named) == true
        example = named if reaches else self.choose(counts, key=counts.get)
        says = f"the {self.called} is {true:,}" if self.tilings is None else ""
        return Truth({"tilings": true, "reveal": example}, example, says)


class MaximumClaim(MinimumClaim):
    """The most tilings of a reveal of a range, and which has them."""

    choose: ClassVar[Any] = max
    called: ClassVar[str] = "most"


@dataclass(frozen=True, kw_only=True)
class EveryClaim(RangeClaim):
    """Every reveal in the range satisfies the bound; ``of`` is the claimed size of the range."""

    bound: Bound = claim_field(**bounds("exactly"))
    of: int | None = claim_field(default=None, of=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        counts, number = facts.counts(self.range), self.bound.number
        if self.bound.name == "exactly":
            example = next(
                (reveal for reveal in self.range if counts[reveal] != number), self.range[0]
            )
        else:
            worst = min if self.bound.name == "at_least" else max
            example = worst(counts, key=counts.__getitem__)
        return Truth({"bound": counts[example], "of": len(self.range)}, example)


@dataclass(frozen=True, kw_only=True)
class SomeClaim(RangeClaim):
    """Some reveal in the range satisfies the bound."""

    bound: Bound = claim_field(**bounds("exactly"))

    def evaluate(self, facts: FactFinder) -> Truth:
        counts, number = facts.counts(self.range), self.bound.number
        if self.bound.name == "exactly":
            example = min(counts, key=lambda reveal: abs(counts[reveal] - number))
            says = ""
        else:
            best, called = (max, "most") if self.bound.name == "at_least" else (min, "fewest")
            example = best(counts, key=counts.__getitem__)
            says = f"the {called} is {counts[example]:,}"
        return Truth({"bound": counts[example]}, example, says)


@dataclass(frozen=True, kw_only=True)
class HowManyClaim(RangeClaim):
    """How many reveals in the range satisfy the bound."""

    bound: Bound = subject_field(**bounds("exactly"))
    reveals: int = claim_field(reveals=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        counts = facts.counts(self.range)
        those = [reveal for reveal in self.range if self.bound.allows(counts[reveal])]
        return Truth({"reveals": len(those)}, those[0] if those else None)


@dataclass(frozen=True, kw_only=True)
class FewerClaim(RangeClaim):
    """How many reveals of a range have fewer tilings than the one that is named."""

    reveal: Reveal = subject_field(reveal=readers.labels)
    reveals: int | None = claim_field(default=None, reveals=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        counts = facts.counts([*self.range, self.reveal])
        own = counts[self.reveal]
        true = sum(counts[reveal] < own for reveal in self.range)
        says = f"{true:,} of {len(self.range):,} reveals have fewer than its {own:,}"
        return Truth({"reveals": true}, self.reveal, says)


@dataclass(frozen=True, kw_only=True)
class TableClaim(Claim):
    """Each row of a published table."""

    file: Mapping[Reveal, int] = claim_field(file=readers.counts)

    def evaluate(self, facts: FactFinder) -> Truth:
        file, counts = self.file, facts.counts(list(self.file))
        wrong = [reveal for reveal in file if counts[reveal] != file[reveal]]
        rows = f"{len(file):,} row{'s' if len(file) > 1 else ''} claimed"
        if not wrong:
            fewest = min(file, key=file.__getitem__)
            return Truth({"file": counts}, fewest, f"{rows}, all are right")
        listed = "; ".join(
            f"{reveal_in_full(facts.puzzle, reveal)} is {counts[reveal]:,}, not {file[reveal]:,}"
            for reveal in wrong[:LISTED]
        )
        more = f"; and {len(wrong) - LISTED:,} more" if len(wrong) > LISTED else ""
        says = f"{rows}, {len(wrong):,} {'are' if len(wrong) > 1 else 'is'} wrong: {listed}{more}"
        return Truth({"file": counts}, wrong[0], says)


@dataclass(frozen=True, kw_only=True)
class FewestOfClaim(Claim):
    """Which of several puzzles has the fewest tilings in total."""

    choose: ClassVar[Any] = min
    boards: Mapping[str, Puzzle] = subject_field(boards=readers.boards)
    range: Reveals = subject_field(range=readers.reveals)
    winner: str = claim_field(winner=readers.text)

    def check_fields(self, puzzle: Puzzle) -> None:
        """Raise FormatError if the winner is none of them."""
        if self.winner not in self.boards:
            raise FormatError(f"winner '{self.winner}' is not one of boards; add it")

    def evaluate(self, facts: FactFinder) -> Truth:
        totals = {
            name: FactFinder(board, facts.sources).total(self.range)
            for name, board in self.boards.items()
        }
        best = self.choose(totals, key=totals.get)
        true = self.winner if totals[self.winner] == totals[best] else best
        ordered = sorted((total, name) for name, total in totals.items())
        listed = ", ".join(f"{name} {total:,}" for total, name in ordered)
        return Truth({"winner": true}, says=f"{true} ({listed})")


class MostOfClaim(FewestOfClaim):
    """Which of several puzzles has the most tilings in total."""

    choose: ClassVar[Any] = max


@dataclass(frozen=True, kw_only=True)
class WaysToPlaceClaim(Claim):
    """Ways to place one or two pieces, or those named, on the board, up to its symmetries.

    By Burnside's lemma: on average over the symmetries, how many ways each of them fixes.
    """

    number_of_pieces: int = subject_field(default=1, together=readers.one_or_two)
    named: Sequence[str] = subject_field(default=(), named=readers.pieces)
    ways: int = claim_field(ways=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        puzzle, total = facts.puzzle, 0
        if any(piece.copies > 1 for piece in puzzle.pieces):
            raise Undecided("pieces with copies are not told apart")
        every, group = list(placements(puzzle, puzzle.cells)), symmetries(puzzle)
        if any(old != new for each in group for old, new in each.renamed.items()):
            raise Undecided("a reflection makes a piece another one")
        for symmetry in group:
            placed: dict[str, list[frozenset[Cell]]] = {piece.name: [] for piece in puzzle.pieces}
            for placement in fixed(symmetry, every):
                placed[placement.piece].append(frozenset(placement.cells))
            for names in (
                [self.named] if self.named else combinations(placed, self.number_of_pieces)
            ):
                total += _disjoint([placed[name] for name in names])
        return Truth({"ways": total // len(group)})


def _disjoint(sets: Sequence[Sequence[frozenset[Cell]]]) -> int:
    """Return in how many ways one set of each list can be chosen so that none overlap."""
    first, *rest = sets
    if not rest:
        return len(first)
    return sum(_disjoint([list(filter(a.isdisjoint, sets)) for sets in rest]) for a in first)


@dataclass(frozen=True, kw_only=True)
class WaysInTilingsClaim(Claim):
    """How many placements of a piece, up to symmetry, occur in exactly N tilings, up to symmetry.

    N is the ``bound``, which may be another one. Placements that are in no tiling are not counted.
    """

    bound: Bound = subject_field(**bounds("exactly"))
    ways: int = claim_field(ways=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        puzzle = facts.puzzle
        containing = facts.sources.containing(puzzle)
        if not moves_every_tiling(puzzle, list(containing)):
            raise Undecided("a tiling of this board may be its own image")
        group, those = symmetries(puzzle), 0
        seen: set[Tiling] = set()
        for placement, tilings in containing.items():
            images = [symmetry.of((placement,)) for symmetry in group]
            if tilings and seen.isdisjoint(images):
                seen.update(images)
                those += self.bound.allows(tilings // images.count((placement,)))
        return Truth({"ways": those})


@dataclass(frozen=True, kw_only=True)
class CoversClaim(Claim):
    """Ways to cover the board with any number of each piece."""

    covers: int = claim_field(covers=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"covers": covers(facts.puzzle)})


@dataclass(frozen=True, kw_only=True)
class SurveyTotalClaim(Claim):
    """Tilings of all sets of cells that may stay uncovered, dates or not."""

    tilings: int = claim_field(tilings=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"tilings": facts.sources.survey(facts.puzzle).total})


@dataclass(frozen=True, kw_only=True)
class SurveyHowManyClaim(Claim):
    """How many sets of cells satisfy the bound, counted by the tilings that leave them uncovered.

    ``cut_off`` says whether a part that no pieces can fill is to be cut off in them.
    """

    bound: Bound = subject_field(**bounds("exactly"))
    cut_off: bool | None = subject_field(default=None, cut_off=readers.yes_or_no)
    sets: int = claim_field(sets=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        survey = facts.sources.survey(facts.puzzle)
        those = [cells for cells, tilings in survey.counts.items() if self.bound.allows(tilings)]
        if self.cut_off is not None:
            those = [cells for cells in those if bool(survey.cut_off(cells)) == self.cut_off]
        named = ", ".join(" and ".join(survey.labels(cells)) for cells in those[:NAMED])
        more = ", …" if those[NAMED:] else ""
        noun = "set" if len(those) == 1 else "sets"
        says = f"{len(those):,} {noun}" + (f" ({named}{more})" if those else "")
        return Truth({"sets": len(those)}, says=says)


@dataclass(frozen=True, kw_only=True)
class PlacementsPerPieceClaim(Claim):
    """Placements of pieces on the empty board."""

    per_piece: Mapping[str, int] = claim_field(per_piece=readers.numbers_of_pieces)

    def evaluate(self, facts: FactFinder) -> Truth:
        counts = Counter(
            placement.piece for placement in placements(facts.puzzle, facts.puzzle.cells)
        )
        return Truth({"per_piece": {name: counts[name] for name in self.per_piece}})


@dataclass(frozen=True, kw_only=True)
class OrientationsClaim(Claim):
    """Orientations of all pieces together."""

    orientations: int = claim_field(orientations=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"orientations": sum(len(p.orientations) for p in facts.puzzle.pieces)})


@dataclass(frozen=True, kw_only=True)
class PlacementsClaim(Claim):
    """Placements that a reveal leaves."""

    reveal: Reveal = subject_field(reveal=readers.labels)
    placements: int = claim_field(placements=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"placements": _left(facts.puzzle, [self.reveal])[0]}, self.reveal)


def _left(puzzle: Puzzle, reveals: Reveals) -> list[int]:
    """Return the number of placements that cover no cell of each reveal."""
    covering = dict.fromkeys(puzzle.cells, 0)  # the placements on each cell, as bits
    for index, placed in enumerate(placements(puzzle, puzzle.cells)):
        for cell in placed.cells:
            covering[cell] |= 1 << index
    lost = [reduce(or_, (covering[c] for c in puzzle.uncovered(reveal)), 0) for reveal in reveals]
    return [index + 1 - bits.bit_count() for bits in lost]


@dataclass(frozen=True, kw_only=True)
class MeanPlacementsClaim(RangeClaim):
    """Placements that a reveal of a range leaves on average."""

    unit: int = subject_field(default=1, unit=readers.unit)
    rounding: str = subject_field(default="nearest", rounding=readers.rounding)
    placements: int = claim_field(placements=readers.natural)

    def check_fields(self, puzzle: Puzzle) -> None:
        """Raise FormatError if the number is not one that the rounding gives."""
        if self.placements % self.unit:
            raise FormatError(
                f"placements = {self.placements} is not a multiple of the unit {self.unit}; "
                "write the number as it was rounded"
            )

    def evaluate(self, facts: FactFinder) -> Truth:
        left = _left(facts.puzzle, self.range)
        exact = Fraction(sum(left), len(left))
        true = _rounded(exact / self.unit, self.rounding) * self.unit
        says = f"{true:,} (from {_decimal(exact, 1):,}, {min(left):,} to {max(left):,})"
        return Truth({"placements": true}, says=says)


@dataclass(frozen=True, kw_only=True)
class BoardClaim(Claim):
    """Cells of the board, of the pieces, and of the array that are off the board."""

    cells: int | None = claim_field(default=None, cells=readers.natural)
    area: int | None = claim_field(default=None, area=readers.natural)
    off_board: int | None = claim_field(default=None, off_board=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        puzzle, own = facts.puzzle, len(facts.puzzle.cells)
        off = puzzle.rows * puzzle.columns - own
        return Truth({"cells": own, "area": puzzle.area, "off_board": off})


@dataclass(frozen=True, kw_only=True)
class RevealsClaim(RangeClaim):
    """How many reveals a range has; ``all-dates`` are those that some year has."""

    reveals: int = claim_field(reveals=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"reveals": len(self.range)})


@dataclass(frozen=True, kw_only=True)
class SymmetriesClaim(Claim):
    """Symmetries that map tilings of the puzzle to tilings of it."""

    symmetries: int = claim_field(symmetries=readers.natural)

    def evaluate(self, facts: FactFinder) -> Truth:
        return Truth({"symmetries": len(symmetries(facts.puzzle))})


@dataclass(frozen=True, kw_only=True)
class OpenClaim(Claim):
    """A claim that satcal cannot evaluate; ``needs`` says why."""

    needs: str = claim_field(needs=readers.text)

    def evaluate(self, facts: FactFinder) -> Truth:
        raise Undecided(self.needs)


KINDS: Mapping[str, type[Claim]] = {
    "count": CountClaim,
    "total": TotalClaim,
    "mean": MeanClaim,
    "minimum": MinimumClaim,
    "maximum": MaximumClaim,
    "every": EveryClaim,
    "some": SomeClaim,
    "how-many": HowManyClaim,
    "fewer": FewerClaim,
    "table": TableClaim,
    "fewest-of": FewestOfClaim,
    "most-of": MostOfClaim,
    "up-to-symmetry": UpToSymmetryClaim,
    "ways-to-place": WaysToPlaceClaim,
    "ways-in-tilings": WaysInTilingsClaim,
    "covers": CoversClaim,
    "survey-total": SurveyTotalClaim,
    "survey-how-many": SurveyHowManyClaim,
    "placements-per-piece": PlacementsPerPieceClaim,
    "orientations": OrientationsClaim,
    "placements": PlacementsClaim,
    "mean-placements": MeanPlacementsClaim,
    "board": BoardClaim,
    "reveals": RevealsClaim,
    "symmetries": SymmetriesClaim,
    "open": OpenClaim,
}
