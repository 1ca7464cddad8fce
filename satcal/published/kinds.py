"""The kinds of statements: each says what it claims, and finds what is true.

Who adds a kind writes its class and lists it in ``KINDS``.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, ClassVar, NamedTuple

from satcal.counting.covers import covers
from satcal.counting.search import Search, piece_by_piece
from satcal.errors import FormatError
from satcal.published import fields as written
from satcal.published.facts import Facts
from satcal.published.fields import Bound, about, bounds, claimed
from satcal.puzzle.dates import reveal_in_full
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import cover_of, placements
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import classes, fixed, moves_every_tiling, symmetries

NAMED = 3  # sets of cells that an answer names
SECONDS = 60.0  # for a search; one without pruning takes two on the library's boards
LISTED = 12  # wrong rows of a table that a sentence names

Reveals = Sequence[Reveal]


class Undecided(Exception):
    """Nothing that satcal knows confirms or refutes a statement; the text says why."""


class Truth(NamedTuple):
    """What is true: a value for each field that the statement may claim.

    ``example`` is the reveal that decides, ``says`` replaces the text made of ``truth``.
    """

    truth: Mapping[str, Any]
    example: Reveal | None = None
    says: str = ""


@dataclass(frozen=True, kw_only=True)
class Claim(ABC):
    """What a statement says. A kind is a dataclass whose fields are those of a claim file."""

    @abstractmethod
    def truth(self, facts: Facts) -> Truth:
        """Return what is true of that.

        Raises Undecided where satcal cannot find it, and BudgetExhausted or TooLarge where that
        takes too much.
        """

    def check(self, puzzle: Puzzle) -> None:  # noqa: B027 - most kinds have nothing to check
        """Raise FormatError if its fields, each of which is right, do not go together."""

    @classmethod
    def claimed(cls) -> list[str]:
        """The names of the fields that make the claim."""
        return [field.name for field in fields(cls) if field.metadata["claimed"]]


@dataclass(frozen=True, kw_only=True)
class OneReveal(Claim):
    """A claim about one reveal, or about a puzzle that has no labels."""

    reveal: Reveal = about(default=(), reveal=written.labels)

    def check(self, puzzle: Puzzle) -> None:
        """Raise FormatError where the puzzle has labels, and none are named."""
        if puzzle.categories and not self.reveal:
            raise FormatError("reveal is missing: this board leaves labels uncovered")


@dataclass(frozen=True, kw_only=True)
class CountClaim(OneReveal):
    """Tilings of one reveal, or of a date."""

    reveal: Reveal = about(default=(), reveal=written.labels, date=written.date)
    bound: Bound = claimed(**bounds("tilings"))

    def truth(self, facts: Facts) -> Truth:
        return Truth({"bound": facts.counts([self.reveal])[self.reveal]}, self.reveal)


@dataclass(frozen=True, kw_only=True)
class UpToSymmetryClaim(OneReveal):
    """Tilings of a reveal up to the symmetries of the board."""

    classes: int = claimed(classes=written.whole)

    def truth(self, facts: Facts) -> Truth:
        puzzle = facts.puzzle
        if moves_every_tiling(puzzle, list(placements(puzzle, puzzle.cells))):
            number = facts.counts([self.reveal])[self.reveal] // len(symmetries(puzzle))
        else:
            number = len(list(classes(puzzle, facts.sources.tilings(puzzle, self.reveal))))
        return Truth({"classes": number}, self.reveal)


@dataclass(frozen=True, kw_only=True)
class RangeClaim(Claim):
    """A claim about the reveals of a range."""

    range: Reveals = about(range=written.reveals)


@dataclass(frozen=True, kw_only=True)
class TotalClaim(RangeClaim):
    """Tilings of all reveals of a range together."""

    tilings: int = claimed(tilings=written.whole)

    def truth(self, facts: Facts) -> Truth:
        return Truth({"tilings": facts.total(self.range)})


@dataclass(frozen=True, kw_only=True)
class MeanClaim(RangeClaim):
    """Tilings of a reveal of a range on average, to the decimals that are given."""

    rounding: str = about(default="nearest", rounding=written.rounding)
    tilings: Decimal = claimed(tilings=written.decimal)

    def truth(self, facts: Facts) -> Truth:
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
    tilings: int | None = claimed(default=None, tilings=written.whole)
    reveal: Reveal | None = claimed(default=None, reveal=written.labels)

    def truth(self, facts: Facts) -> Truth:
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
    """All reveals of a range, ``of`` so many, have so many tilings."""

    bound: Bound = claimed(**bounds("exactly"))
    of: int | None = claimed(default=None, of=written.whole)

    def truth(self, facts: Facts) -> Truth:
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
    """At least one reveal of a range has so many tilings."""

    bound: Bound = claimed(**bounds("exactly"))

    def truth(self, facts: Facts) -> Truth:
        counts, number = facts.counts(self.range), self.bound.number
        if self.bound.name == "exactly":
            example = min(counts, key=lambda reveal: abs(counts[reveal] - number))
        else:
            best = max if self.bound.name == "at_least" else min
            example = best(counts, key=counts.__getitem__)
        return Truth({"bound": counts[example]}, example)


@dataclass(frozen=True, kw_only=True)
class HowManyClaim(RangeClaim):
    """How many reveals of a range have so many tilings."""

    bound: Bound = about(**bounds("exactly"))
    reveals: int = claimed(reveals=written.whole)

    def truth(self, facts: Facts) -> Truth:
        counts = facts.counts(self.range)
        those = [reveal for reveal in self.range if self.bound.allows(counts[reveal])]
        return Truth({"reveals": len(those)}, those[0] if those else None)


@dataclass(frozen=True, kw_only=True)
class FewerClaim(RangeClaim):
    """How many reveals of a range have fewer tilings than the one that is named."""

    reveal: Reveal = about(reveal=written.labels)
    reveals: int | None = claimed(default=None, reveals=written.whole)

    def truth(self, facts: Facts) -> Truth:
        counts = facts.counts([*self.range, self.reveal])
        own = counts[self.reveal]
        true = sum(counts[reveal] < own for reveal in self.range)
        says = f"{true:,} of {len(self.range):,} reveals have fewer than its {own:,}"
        return Truth({"reveals": true}, self.reveal, says)


@dataclass(frozen=True, kw_only=True)
class TableClaim(Claim):
    """Each row of a published table."""

    file: Mapping[Reveal, int] = claimed(file=written.counts)

    def truth(self, facts: Facts) -> Truth:
        file, counts = self.file, facts.counts(list(self.file))
        wrong = [reveal for reveal in file if counts[reveal] != file[reveal]]
        rows = f"{len(file):,} row{'s' if len(file) > 1 else ''} claimed"
        if not wrong:
            fewest = min(file, key=file.__getitem__)
            return Truth({"file": counts}, fewest, f"{rows}, all are right")
        listed = "; ".join(
            f"{reveal_in_full(facts.puzzle.calendar, reveal)} is {counts[reveal]:,}, "
            f"not {file[reveal]:,}"
            for reveal in wrong[:LISTED]
        )
        more = f"; and {len(wrong) - LISTED:,} more" if len(wrong) > LISTED else ""
        says = f"{rows}, {len(wrong):,} {'are' if len(wrong) > 1 else 'is'} wrong: {listed}{more}"
        return Truth({"file": counts}, wrong[0], says)


@dataclass(frozen=True, kw_only=True)
class FewestOfClaim(Claim):
    """Which of several puzzles has the fewest tilings per date."""

    choose: ClassVar[Any] = min
    boards: Mapping[str, Puzzle] = about(boards=written.boards)
    range: Reveals = about(range=written.reveals)
    winner: str = claimed(winner=written.text)

    def check(self, puzzle: Puzzle) -> None:
        """Raise FormatError if the winner is none of them."""
        if self.winner not in self.boards:
            raise FormatError(f"winner '{self.winner}' is not one of boards; add it")

    def truth(self, facts: Facts) -> Truth:
        totals = {
            name: Facts(board, facts.sources).total(self.range)
            for name, board in self.boards.items()
        }
        best = self.choose(totals, key=totals.get)
        true = self.winner if totals[self.winner] == totals[best] else best
        ordered = sorted((number, name) for name, number in totals.items())
        listed = ", ".join(f"{name} {number:,}" for number, name in ordered)
        return Truth({"winner": true}, says=f"{true} ({listed})")


class MostOfClaim(FewestOfClaim):
    """Which of several puzzles has the most tilings per date."""

    choose: ClassVar[Any] = max


@dataclass(frozen=True, kw_only=True)
class WaysToPlaceClaim(Claim):
    """Ways to lay so many pieces, or those that are named, on the board, up to its symmetries.

    By Burnside's lemma: on average over the symmetries, how many ways each of them fixes.
    """

    together: int = about(default=1, together=written.one_or_two)
    named: Sequence[str] = about(default=(), named=written.pieces)
    ways: int = claimed(ways=written.whole)

    def truth(self, facts: Facts) -> Truth:
        puzzle, total = facts.puzzle, 0
        if any(piece.copies > 1 for piece in puzzle.pieces):
            raise Undecided("pieces with copies are not told apart")
        every, group = list(placements(puzzle, puzzle.cells)), symmetries(puzzle)
        for symmetry in group:
            placed: dict[str, list[frozenset[Cell]]] = {piece.name: [] for piece in puzzle.pieces}
            for placement in fixed(symmetry, every):
                placed[placement.piece].append(frozenset(placement.cells))
            for names in [self.named] if self.named else combinations(placed, self.together):
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
    """How many ways to lay one piece, up to symmetry, are in so many tilings up to symmetry.

    Those that are in no tiling are not counted.
    """

    bound: Bound = about(**bounds("exactly"))
    ways: int = claimed(ways=written.whole)

    def truth(self, facts: Facts) -> Truth:
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
    """Ways to cover the board with its pieces, of each as many as one likes."""

    covers: int = claimed(covers=written.whole)

    def truth(self, facts: Facts) -> Truth:
        return Truth({"covers": covers(facts.puzzle)})


@dataclass(frozen=True, kw_only=True)
class SurveyTotalClaim(Claim):
    """Tilings of all sets of cells that may stay uncovered, dates or not."""

    tilings: int = claimed(tilings=written.whole)

    def truth(self, facts: Facts) -> Truth:
        return Truth({"tilings": facts.sources.survey(facts.puzzle).total})


@dataclass(frozen=True, kw_only=True)
class SurveyHowManyClaim(Claim):
    """How many such sets have so many tilings.

    ``cut_off`` says whether a part that no pieces can fill is to be cut off in them.
    """

    bound: Bound = about(**bounds("exactly"))
    cut_off: bool | None = about(default=None, cut_off=written.yes_or_no)
    sets: int = claimed(sets=written.whole)

    def truth(self, facts: Facts) -> Truth:
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

    per_piece: Mapping[str, int] = claimed(per_piece=written.numbers_of_pieces)

    def truth(self, facts: Facts) -> Truth:
        counts = Counter(
            placement.piece for placement in placements(facts.puzzle, facts.puzzle.cells)
        )
        return Truth({"per_piece": {name: counts[name] for name in self.per_piece}})


@dataclass(frozen=True, kw_only=True)
class OrientationsClaim(Claim):
    """Orientations of all pieces together."""

    orientations: int = claimed(orientations=written.whole)

    def truth(self, facts: Facts) -> Truth:
        return Truth({"orientations": sum(len(p.orientations) for p in facts.puzzle.pieces)})


@dataclass(frozen=True, kw_only=True)
class PlacementsClaim(Claim):
    """Placements that a reveal leaves."""

    reveal: Reveal = about(reveal=written.labels)
    placements: int = claimed(placements=written.whole)

    def truth(self, facts: Facts) -> Truth:
        return Truth({"placements": _left(facts.puzzle, [self.reveal])[0]}, self.reveal)


def _left(puzzle: Puzzle, reveals: Reveals) -> list[int]:
    """Return how many placements cover no cell of each reveal."""
    covering = dict.fromkeys(puzzle.cells, 0)  # the placements on each cell, as bits
    for index, placed in enumerate(placements(puzzle, puzzle.cells)):
        for cell in placed.cells:
            covering[cell] |= 1 << index
    lost = [reduce(or_, (covering[c] for c in puzzle.uncovered(reveal)), 0) for reveal in reveals]
    return [index + 1 - bits.bit_count() for bits in lost]


@dataclass(frozen=True, kw_only=True)
class MeanPlacementsClaim(RangeClaim):
    """Placements that a reveal of a range leaves on average."""

    unit: int = about(default=1, unit=written.unit)
    rounding: str = about(default="nearest", rounding=written.rounding)
    placements: int = claimed(placements=written.whole)

    def check(self, puzzle: Puzzle) -> None:
        """Raise FormatError if the number is not one that the rounding gives."""
        if self.placements % self.unit:
            raise FormatError(
                f"placements = {self.placements} is not a multiple of the unit {self.unit}; "
                "write the number as it was rounded"
            )

    def truth(self, facts: Facts) -> Truth:
        left = _left(facts.puzzle, self.range)
        exact = Fraction(sum(left), len(left))
        true = _rounded(exact / self.unit, self.rounding) * self.unit
        says = f"{true:,} (from {_decimal(exact, 1):,}, {min(left):,} to {max(left):,})"
        return Truth({"placements": true}, says=says)


@dataclass(frozen=True, kw_only=True)
class BoardClaim(Claim):
    """Cells of the board, of the pieces, and of the array that are off the board."""

    cells: int | None = claimed(default=None, cells=written.whole)
    area: int | None = claimed(default=None, area=written.whole)
    off_board: int | None = claimed(default=None, off_board=written.whole)

    def truth(self, facts: Facts) -> Truth:
        puzzle, own = facts.puzzle, len(facts.puzzle.cells)
        off = puzzle.rows * puzzle.columns - own
        return Truth({"cells": own, "area": puzzle.area, "off_board": off})


@dataclass(frozen=True, kw_only=True)
class RevealsClaim(RangeClaim):
    """How many reveals a range has; ``all-dates`` are those that some year has."""

    reveals: int = claimed(reveals=written.whole)

    def truth(self, facts: Facts) -> Truth:
        return Truth({"reveals": len(self.range)})


@dataclass(frozen=True, kw_only=True)
class SymmetriesClaim(Claim):
    """Symmetries that map tilings of the puzzle to tilings of it."""

    symmetries: int = claimed(symmetries=written.whole)

    def truth(self, facts: Facts) -> Truth:
        return Truth({"symmetries": len(symmetries(facts.puzzle))})


@dataclass(frozen=True, kw_only=True)
class OrdersClaim(Claim):
    """Orders in which the pieces of one tiling can be placed."""

    orders: int = claimed(orders=written.whole)

    def truth(self, facts: Facts) -> Truth:
        # the placements of a tiling are all different, those of copies included
        return Truth({"orders": math.factorial(sum(p.copies for p in facts.puzzle.pieces))})


@dataclass(frozen=True, kw_only=True)
class PieceByPieceClaim(Claim):
    """What it takes to place the pieces in their order, each wherever it fits in an array."""

    reveal: Reveal = about(reveal=written.labels)
    side: int = about(side=written.whole)
    tried: int | None = claimed(default=None, tried=written.whole)
    valid: int | None = claimed(default=None, valid=written.whole)

    def truth(self, facts: Facts) -> Truth:
        tried, valid = piece_by_piece(facts.puzzle, self.reveal, self.side)
        says = f"{tried:,} tried, {valid:,} of them valid ({' '.join(self.reveal)})"
        return Truth({"tried": tried, "valid": valid}, self.reveal, says)


@dataclass(frozen=True, kw_only=True)
class PruningClaim(Claim):
    """How many times fewer partial tilings a search visits when it prunes small parts.

    It goes on at the first uncovered cell, as the programs do that people wrote of.
    """

    reveal: Reveal = about(reveal=written.labels)
    times: int | None = claimed(default=None, times=written.whole)

    def truth(self, facts: Facts) -> Truth:
        work, until = [], time.monotonic() + SECONDS
        for name in ("none", "smallest"):
            search = Search(cover_of(facts.puzzle, self.reveal), name, until, first_cell=True)
            deque(search.tilings(), maxlen=0)  # to its end, and no tiling is kept
            work.append(search.visited)
        gain = Fraction(work[0], work[1])
        visited = f"{work[1]:,} partial tilings visited for {work[0]:,}"
        says = f"{_decimal(gain, 1)} times ({visited})"
        return Truth({"times": _rounded(gain, "nearest")}, self.reveal, says)


@dataclass(frozen=True, kw_only=True)
class OpenClaim(Claim):
    """Nothing that satcal can find; ``needs`` says why."""

    needs: str = claimed(needs=written.text)

    def truth(self, facts: Facts) -> Truth:
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
    "orders": OrdersClaim,
    "piece-by-piece": PieceByPieceClaim,
    "pruning": PruningClaim,
    "open": OpenClaim,
}
