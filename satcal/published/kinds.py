"""The kinds of statements: for each a function that finds what is true.

Its parameters are the fields of a statement: those behind the ``*`` make the claim, the others
say what it is about, and those without a default are needed. It returns the true value of each
that may be claimed. Who adds a kind writes its function and lists it in ``KINDS``.
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations
from operator import eq, ge, le, or_
from typing import Any, NamedTuple

from satcal.counting.covers import covers as count_covers
from satcal.counting.search import Search
from satcal.counting.search import piece_by_piece as by_pieces
from satcal.published.facts import Facts
from satcal.puzzle.dates import reveal_in_full
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import cover
from satcal.puzzle.placements import placements as all_placements
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import classes as classes_of
from satcal.puzzle.symmetry import fixed, moves_every_tiling
from satcal.puzzle.symmetry import symmetries as symmetries_of

NAMED = 3  # sets of cells that an answer names
SECONDS = 60.0  # for a search; one without pruning takes two on the library's boards

Range = Sequence[Reveal]


LISTED = 12  # wrong rows of a table that a sentence names


class Undecided(Exception):
    """Nothing that satcal knows confirms or refutes a statement; the text says why."""


class Bound(NamedTuple):
    """What a number of tilings is said to be.

    The name is that of the field: ``at_least``, ``at_most``, ``exactly`` or ``tilings``.
    """

    name: str
    number: int

    def allows(self, true: int) -> bool:
        """Return whether a number is as it is said to be."""
        compare = {"at_least": ge, "at_most": le}.get(self.name, eq)
        return bool(compare(true, self.number))


class Truth(NamedTuple):
    """What is true: a value for each field that the statement may claim.

    ``example`` is the reveal that decides, ``says`` replaces the text made of ``truth``.
    """

    truth: Mapping[str, Any]
    example: Reveal | None = None
    says: str = ""


def count(facts: Facts, reveal: Reveal = (), *, bound: Bound) -> Truth:
    """Tilings of one reveal, or of a date."""
    return Truth({"bound": facts.counts([reveal])[reveal]}, reveal)


def total(facts: Facts, range: Range, *, tilings: int) -> Truth:
    """Tilings of all reveals of a range together."""
    return Truth({"tilings": facts.total(range)})


def mean(facts: Facts, range: Range, rounding: str = "nearest", *, tilings: Decimal) -> Truth:
    """Tilings of a reveal of a range on average, to the decimals that are given."""
    exact = Fraction(facts.total(range), len(range))
    true = _decimal(exact, max(0, -int(tilings.as_tuple().exponent)), rounding)
    return Truth({"tilings": true}, says=f"{true} (from {_decimal(exact, 3)})")


def _decimal(value: Fraction, decimals: int, rounding: str = "nearest") -> Decimal:
    # from a text: arithmetic on decimals would round to 28 digits
    return Decimal(f"{_rounded(value * 10**decimals, rounding)}E-{decimals}")


def _rounded(value: Fraction, rounding: str) -> int:
    """Return a value of at least 0 as a whole number, halves up or cut off."""
    return math.floor(value + (Fraction(1, 2) if rounding == "nearest" else 0))


def extreme(
    choose: Any,
    facts: Facts,
    range: Range,
    *,
    tilings: int | None = None,
    reveal: Reveal | None = None,
) -> Truth:
    """The fewest or the most tilings of a reveal of a range, and which has them."""
    counts = facts.counts(range)
    true = choose(counts.values())
    # any that reaches the extreme may be named; else it is the first in canonical order
    example = reveal if reveal and counts.get(reveal) == true else choose(counts, key=counts.get)
    says = f"the {'fewest' if choose is min else 'most'} is {true:,}" if tilings is None else ""
    return Truth({"tilings": true, "reveal": example}, example, says)


def every(facts: Facts, range: Range, *, bound: Bound, of: int | None = None) -> Truth:
    """All reveals of a range, ``of`` so many, have so many tilings."""
    counts = facts.counts(range)
    if bound.name == "exactly":
        example = next((each for each in range if counts[each] != bound.number), range[0])
    else:
        example = (min if bound.name == "at_least" else max)(counts, key=counts.__getitem__)
    return Truth({"bound": counts[example], "of": len(range)}, example)


def some(facts: Facts, range: Range, *, bound: Bound) -> Truth:
    """At least one reveal of a range has so many tilings."""
    counts = facts.counts(range)
    if bound.name == "exactly":
        example = min(counts, key=lambda reveal: abs(counts[reveal] - bound.number))
    else:
        example = (max if bound.name == "at_least" else min)(counts, key=counts.__getitem__)
    return Truth({"bound": counts[example]}, example)


def how_many(facts: Facts, range: Range, bound: Bound, *, reveals: int) -> Truth:
    """How many reveals of a range have so many tilings."""
    counts = facts.counts(range)
    those = [reveal for reveal in range if bound.allows(counts[reveal])]
    return Truth({"reveals": len(those)}, those[0] if those else None)


def fewer(facts: Facts, reveal: Reveal, range: Range, *, reveals: int | None = None) -> Truth:
    """How many reveals of a range have fewer tilings than the one that is named."""
    counts = facts.counts([*range, reveal])
    true, own = sum(counts[each] < counts[reveal] for each in range), counts[reveal]
    says = f"{true:,} of {len(range):,} reveals have fewer than its {own:,}"
    return Truth({"reveals": true}, reveal, says)


def table(facts: Facts, *, file: Mapping[Reveal, int]) -> Truth:
    """Each row of a published table."""
    counts = facts.counts(list(file))
    wrong = [reveal for reveal in file if counts[reveal] != file[reveal]]
    rows = f"{len(file):,} row{'s' if len(file) > 1 else ''} claimed"
    if not wrong:
        return Truth({"file": counts}, min(file, key=file.__getitem__), f"{rows}, all are right")
    listed = "; ".join(
        f"{reveal_in_full(facts.puzzle.calendar, reveal)} is {counts[reveal]:,}, "
        f"not {file[reveal]:,}"
        for reveal in wrong[:LISTED]
    )
    more = f"; and {len(wrong) - LISTED:,} more" if len(wrong) > LISTED else ""
    says = f"{rows}, {len(wrong):,} {'are' if len(wrong) > 1 else 'is'} wrong: {listed}{more}"
    return Truth({"file": counts}, wrong[0], says)


def ranked(
    choose: Any, facts: Facts, boards: Mapping[str, Puzzle], range: Range, *, winner: str
) -> Truth:
    """Which of several puzzles has the fewest or the most tilings per date."""
    totals = {name: Facts(board, facts.sources).total(range) for name, board in boards.items()}
    best = choose(totals, key=totals.get)
    true = winner if totals[winner] == totals[best] else best
    ordered = sorted((number, name) for name, number in totals.items())
    listed = ", ".join(f"{name} {number:,}" for number, name in ordered)
    return Truth({"winner": true}, says=f"{true} ({listed})")


def up_to_symmetry(facts: Facts, reveal: Reveal = (), *, classes: int) -> Truth:
    """Tilings of a reveal up to the symmetries of the board."""
    puzzle = facts.puzzle
    if moves_every_tiling(puzzle, list(all_placements(puzzle, puzzle.cells))):
        number = facts.counts([reveal])[reveal] // len(symmetries_of(puzzle))
    else:
        number = len(list(classes_of(puzzle, facts.sources.tilings(puzzle, reveal))))
    return Truth({"classes": number}, reveal)


def ways_to_place(
    facts: Facts, together: int = 1, named: Sequence[str] = (), *, ways: int
) -> Truth:
    """Ways to lay so many pieces, or those that are named, on the board, up to its symmetries.

    By Burnside's lemma: on average over the symmetries, how many ways each of them fixes.
    """
    puzzle, total = facts.puzzle, 0
    if any(piece.copies > 1 for piece in puzzle.pieces):
        raise Undecided("pieces with copies are not told apart")
    every, group = list(all_placements(puzzle, puzzle.cells)), symmetries_of(puzzle)
    for symmetry in group:
        placed: dict[str, list[frozenset[Cell]]] = {piece.name: [] for piece in puzzle.pieces}
        for each in fixed(symmetry, every):
            placed[each.piece].append(frozenset(each.cells))
        for names in [named] if named else combinations(placed, together):
            total += _disjoint([placed[name] for name in names])
    return Truth({"ways": total // len(group)})


def _disjoint(sets: Sequence[Sequence[frozenset[Cell]]]) -> int:
    """Return in how many ways one set of each list can be chosen so that none overlap."""
    first, *rest = sets
    if not rest:
        return len(first)
    return sum(_disjoint([list(filter(a.isdisjoint, each)) for each in rest]) for a in first)


def ways_in_tilings(facts: Facts, bound: Bound, *, ways: int) -> Truth:
    """How many ways to lay one piece, up to symmetry, are in so many tilings up to symmetry.

    Those that are in no tiling are not counted.
    """
    puzzle = facts.puzzle
    containing = facts.sources.containing(puzzle)
    if not moves_every_tiling(puzzle, list(containing)):
        raise Undecided("a tiling of this board may be its own image")
    group, those = symmetries_of(puzzle), 0
    seen: set[Tiling] = set()
    for placement, tilings in containing.items():
        images = [symmetry.of((placement,)) for symmetry in group]
        if tilings and seen.isdisjoint(images):
            seen.update(images)
            those += bound.allows(tilings // images.count((placement,)))
    return Truth({"ways": those})


def covers(facts: Facts, *, covers: int) -> Truth:
    """Ways to cover the board with its pieces, of each as many as one likes."""
    return Truth({"covers": count_covers(facts.puzzle)})


def survey_total(facts: Facts, *, tilings: int) -> Truth:
    """Tilings of all sets of cells that may stay uncovered, dates or not."""
    return Truth({"tilings": facts.sources.survey(facts.puzzle).total})


def survey_how_many(facts: Facts, bound: Bound, cut_off: bool | None = None, *, sets: int) -> Truth:
    """How many such sets have so many tilings.

    ``cut_off`` says whether a part that no pieces can fill is to be cut off in them.
    """
    survey = facts.sources.survey(facts.puzzle)
    those = [cells for cells, tilings in survey.counts.items() if bound.allows(tilings)]
    if cut_off is not None:
        those = [cells for cells in those if bool(survey.cut_off(cells)) == cut_off]
    named = ", ".join(" and ".join(survey.labels(cells)) for cells in those[:NAMED])
    more = ", …" if those[NAMED:] else ""
    noun = "set" if len(those) == 1 else "sets"
    says = f"{len(those):,} {noun}" + (f" ({named}{more})" if those else "")
    return Truth({"sets": len(those)}, says=says)


def placements_per_piece(facts: Facts, *, per_piece: Mapping[str, int]) -> Truth:
    """Placements of pieces on the empty board."""
    counts = Counter(each.piece for each in all_placements(facts.puzzle, facts.puzzle.cells))
    return Truth({"per_piece": {name: counts[name] for name in per_piece}})


def orientations(facts: Facts, *, orientations: int) -> Truth:
    """Orientations of all pieces together."""
    return Truth({"orientations": sum(len(p.orientations) for p in facts.puzzle.pieces)})


def placements(facts: Facts, reveal: Reveal, *, placements: int) -> Truth:
    """Placements that a reveal leaves."""
    return Truth({"placements": _left(facts.puzzle, [reveal])[0]}, reveal)


def _left(puzzle: Puzzle, reveals: Range) -> list[int]:
    """Return how many placements cover no cell of each reveal."""
    covering = dict.fromkeys(puzzle.cells, 0)  # the placements on each cell, as bits
    for number, placed in enumerate(all_placements(puzzle, puzzle.cells)):
        for cell in placed.cells:
            covering[cell] |= 1 << number
    lost = [reduce(or_, (covering[c] for c in puzzle.uncovered(each)), 0) for each in reveals]
    return [number + 1 - each.bit_count() for each in lost]


def mean_placements(
    facts: Facts, range: Range, unit: int = 1, rounding: str = "nearest", *, placements: int
) -> Truth:
    """Placements that a reveal of a range leaves on average."""
    left = _left(facts.puzzle, range)
    exact = Fraction(sum(left), len(left))
    true = _rounded(exact / unit, rounding) * unit
    says = f"{true:,} (from {_decimal(exact, 1):,}, {min(left):,} to {max(left):,})"
    return Truth({"placements": true}, says=says)


def board(
    facts: Facts,
    *,
    cells: int | None = None,
    area: int | None = None,
    off_board: int | None = None,
) -> Truth:
    """Cells of the board, of the pieces, and of the array that are off the board."""
    puzzle, own = facts.puzzle, len(facts.puzzle.cells)
    off = puzzle.rows * puzzle.columns - own
    return Truth({"cells": own, "area": puzzle.area, "off_board": off})


def reveals(facts: Facts, range: Range, *, reveals: int) -> Truth:
    """How many reveals a range has; ``all-dates`` are those that some year has."""
    return Truth({"reveals": len(range)})


def symmetries(facts: Facts, *, symmetries: int) -> Truth:
    """Symmetries that map tilings of the puzzle to tilings of it."""
    return Truth({"symmetries": len(symmetries_of(facts.puzzle))})


def orders(facts: Facts, *, orders: int) -> Truth:
    """Orders in which the pieces of one tiling can be placed."""
    # the placements of a tiling are all different, those of copies included
    return Truth({"orders": math.factorial(sum(p.copies for p in facts.puzzle.pieces))})


def piece_by_piece(
    facts: Facts, reveal: Reveal, side: int, *, tried: int | None = None, valid: int | None = None
) -> Truth:
    """What it takes to place the pieces in their order, each wherever it fits in an array."""
    looked, fitting = by_pieces(facts.puzzle, reveal, side)
    says = f"{looked:,} tried, {fitting:,} of them valid ({' '.join(reveal)})"
    return Truth({"tried": looked, "valid": fitting}, reveal, says)


def pruning(facts: Facts, reveal: Reveal, *, times: int | None = None) -> Truth:
    """How many times fewer partial tilings a search visits when it prunes small parts.

    It goes on at the first uncovered cell, as the programs do that people wrote of.
    """
    work, until = [], time.monotonic() + SECONDS
    for name in ("none", "smallest"):
        search = Search(cover(facts.puzzle, reveal), name, until, first_cell=True)
        deque(search.tilings(), maxlen=0)  # to its end, and no tiling is kept
        work.append(search.visited)
    gain = Fraction(work[0], work[1])
    says = f"{_decimal(gain, 1)} times ({work[1]:,} partial tilings visited for {work[0]:,})"
    return Truth({"times": _rounded(gain, "nearest")}, reveal, says)


def undecided(facts: Facts, *, needs: str) -> Truth:
    """Nothing that satcal can find; ``needs`` says why."""
    raise Undecided(needs)


KINDS: Mapping[str, Callable[..., Truth]] = {
    "count": count,
    "total": total,
    "mean": mean,
    "minimum": partial(extreme, min),
    "maximum": partial(extreme, max),
    "every": every,
    "some": some,
    "how-many": how_many,
    "fewer": fewer,
    "table": table,
    "fewest-of": partial(ranked, min),
    "most-of": partial(ranked, max),
    "up-to-symmetry": up_to_symmetry,
    "ways-to-place": ways_to_place,
    "ways-in-tilings": ways_in_tilings,
    "covers": covers,
    "survey-total": survey_total,
    "survey-how-many": survey_how_many,
    "placements-per-piece": placements_per_piece,
    "orientations": orientations,
    "placements": placements,
    "mean-placements": mean_placements,
    "board": board,
    "reveals": reveals,
    "symmetries": symmetries,
    "orders": orders,
    "piece-by-piece": piece_by_piece,
    "pruning": pruning,
    "open": undecided,
}
