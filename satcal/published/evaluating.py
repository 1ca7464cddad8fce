"""The truth about statements, from satcal's tables where there is one, by a method otherwise."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import NamedTuple

from satcal.analysis.survey import survey
from satcal.counting import run
from satcal.counting.methods import method_named
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.published.covers import covers
from satcal.published.shipped import TableRow, shipped_table
from satcal.published.statements import Item, Range, Statement
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import placements
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import classes, fixed_placements, moves_every_tiling, symmetries

Numbers = Sequence[tuple[Item, int]]


class Undecided(Exception):
    """What satcal knows neither confirms nor refutes a statement; the text says why."""


class Truth(NamedTuple):
    """What is true: the value, and the items that decide. Of a table, all numbers that it claims.

    ``of`` is the number of items, where the value is how many of them there are.
    """

    value: int | Fraction | Mapping[Item, int]
    items: Sequence[Item] = ()
    of: int | None = None


class Sources:
    """Counts from the tables in ``folder``; a diagram counts puzzles without a table.

    ``used`` are the tables that were asked, by digest of their puzzles. ``survey(puzzle)`` and
    ``containing(puzzle)``, the tilings of each placement, are found once.
    """

    def __init__(self, jobs: int | None = None, folder: Path | None = None) -> None:
        self._jobs, self._folder = jobs, folder
        self._tables: dict[str, dict[Reveal, TableRow]] = {}
        self._counted: dict[tuple[str, tuple[Placement, ...]], dict[Reveal, int]]
        self._counted = defaultdict(dict)
        self.used: dict[str, tuple[Puzzle, Mapping[Reveal, TableRow]]] = {}
        self.survey, self.containing = cache(survey), cache(containing)

    def look_up_or_count(
        self, puzzle: Puzzle, reveals: Iterable[Reveal], place: Sequence[Placement] = ()
    ) -> Mapping[Reveal, int]:
        """Return the number of tilings of these reveals and perhaps others.

        They come from the table of the puzzle. Without a table each is counted once.

        Raises:
            Disagreement: the table is not the one that the manifest describes.
        """
        if puzzle.digest not in self._tables:
            self._tables[puzzle.digest] = shipped_table(puzzle, self._folder)
        table = self._tables[puzzle.digest]
        if not table or place:
            counted = self._counted[puzzle.digest, tuple(place)]
            missing = [reveal for reveal in reveals if reveal not in counted]
            counted.update(self.count(puzzle, missing, place))
            return counted
        self.used[puzzle.digest] = puzzle, table
        return {reveal: table[reveal].tilings for reveal in reveals}

    def count(
        self,
        puzzle: Puzzle,
        reveals: Iterable[Reveal],
        place: Sequence[Placement] = (),
        method: str = "diagram",
    ) -> Iterator[tuple[Reveal, int]]:
        """Yield what a method counts."""
        counting = run.count(puzzle, [*reveals], method_named(method), place=place, jobs=self._jobs)
        for counted in counting:
            if counted.error:
                raise counted.error
            yield counted.reveal, counted.tilings


def containing(puzzle: Puzzle) -> dict[Placement, int]:
    """Return the number of tilings that each placement is in."""
    return PuzzleDiagram.build(puzzle).containing()


def evaluate(statement: Statement, sources: Sources) -> Truth:
    """Return what is true, whatever was claimed.

    Raises:
        Undecided: satcal cannot find it.
        TooLarge: finding it takes too much memory.
    """
    if statement.needs:
        raise Undecided(statement.needs)
    count_all = NUMBERS[statement.quantity, statement.over.kind]
    numbers = list(count_all(statement.puzzle, statement.over, sources))
    if isinstance(claimed := statement.value, Mapping):
        wrong = [item for item, number in numbers if number != claimed[item]]
        return Truth(dict(numbers), wrong or [min(numbers, key=lambda pair: pair[1])[0]])
    return fold(statement, numbers)


def fold(statement: Statement, numbers: Numbers) -> Truth:
    """Return one number made of those of all items, and the items that decide."""
    values = [number for _, number in numbers]
    if statement.having is not None:
        deciding = [item for item, number in numbers if statement.having.allows(number)]
        return Truth(len(deciding), deciding, len(numbers))
    if statement.fold == "sum":
        return Truth(sum(values))
    if not values:
        raise Undecided(f"{statement.over} is empty")
    if statement.fold == "mean":
        return Truth(Fraction(sum(values), len(values)))
    if statement.fold == "median":
        return Truth(statistics.median(map(Fraction, values)))
    true = extreme(statement, values)
    items = [item for item, number in numbers if number == true]
    # any that reaches the extreme may be named; else it is the first in canonical order
    return Truth(true, [statement.at] if statement.at in items else items[:1])


def extreme(statement: Statement, values: Sequence[int]) -> int:
    """Return the number that decides: the fewest, the most, or one that is not as claimed."""
    if statement.fold == "most" or (statement.fold, statement.relation) == ("each", "<="):
        return max(values)
    if statement.fold == "fewest" or statement.relation == ">=":
        return min(values)
    return next((value for value in values if not statement.allows(value)), values[0])


def tilings_of(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return the number of tilings of each reveal."""
    counts = sources.look_up_or_count(puzzle, dict.fromkeys(over.items), over.place)
    return [(reveal, counts[reveal]) for reveal in over.items]


def classes_of(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return the number of tilings of each reveal up to symmetry."""
    group = symmetries(puzzle, over.place)
    if moves_every_tiling(puzzle, list(placements(puzzle, puzzle.cells))):
        return [(reveal, n // len(group)) for reveal, n in tilings_of(puzzle, over, sources)]
    diagram, place = PuzzleDiagram.build(puzzle, {*over.items}, over.place), over.place
    return [
        (reveal, len(list(classes(puzzle, diagram.tilings(reveal, place), place))))
        for reveal in over.items
    ]


def placements_of(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return the number of placements that cover no cell of each reveal."""
    covering = dict.fromkeys(puzzle.cells, 0)  # the placements on each cell, as bits
    everywhere = list(placements(puzzle, puzzle.cells))
    for index, placed in enumerate(everywhere):
        for cell in placed.cells:
            covering[cell] |= 1 << index
    lost = [
        reduce(or_, (covering[c] for c in puzzle.uncovered_cells(item)), 0) for item in over.items
    ]
    left = (len(everywhere) - bits.bit_count() for bits in lost)
    return list(zip(over.items, left, strict=True))


def tilings_of_sets(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return the number of tilings of each set of cells that may stay uncovered.

    Without those that cut off a part which no pieces can fill, if the range says so.
    """
    found = sources.survey(puzzle)
    return [
        (tuple(found.labels(cells)), tilings)
        for cells, tilings in found.counts.items()
        if over.text == "cells" or not found.cut_off(cells)
    ]


def placements_of_pieces(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return the number of placements of each piece on the empty board."""
    counts = Counter(placement.piece for placement in placements(puzzle, puzzle.cells))
    return [(item, sum(counts[name] for name in item)) for item in over.items]


def orientations_of(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return the number of orientations of each piece."""
    counts = {piece.name: len(piece.orientations) for piece in puzzle.pieces}
    return [(item, sum(counts[name] for name in item)) for item in over.items]


def ways_of(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return the number of ways to lay each set of pieces on the board, up to its symmetries.

    By Burnside's lemma: on average over the symmetries, how many ways each of them fixes.
    """
    if any(piece.copies > 1 for piece in puzzle.pieces):
        raise Undecided("pieces with copies are not told apart")
    all_placements, group = list(placements(puzzle, puzzle.cells)), symmetries(puzzle)
    if any(old != new for each in group for old, new in each.renamed.items()):
        raise Undecided("a reflection makes a piece another one")
    total = dict.fromkeys(over.items, 0)
    for symmetry in group:
        placed: dict[str, list[frozenset[Cell]]] = {piece.name: [] for piece in puzzle.pieces}
        for placement in fixed_placements(symmetry, all_placements):
            placed[placement.piece].append(frozenset(placement.cells))
        for item in total:
            total[item] += disjoint([placed[name] for name in item])
    return [(item, number // len(group)) for item, number in total.items()]


def disjoint(sets: Sequence[Sequence[frozenset[Cell]]]) -> int:
    """Return in how many ways one set of each list can be chosen so that none overlap."""
    first, *rest = sets
    if not rest:
        return len(first)
    return sum(disjoint([list(filter(a.isdisjoint, sets)) for sets in rest]) for a in first)


def classes_of_placements(puzzle: Puzzle, over: Range, sources: Sources) -> Numbers:
    """Return how many tilings each placement of any tiling occurs in, both up to symmetry."""
    counts = sources.containing(puzzle)
    if not moves_every_tiling(puzzle, list(counts)):
        raise Undecided("a tiling of this board may be its own image")
    group = symmetries(puzzle)
    numbers: list[tuple[Item, int]] = []
    seen: set[Tiling] = set()
    for placement, tilings in counts.items():
        images = [symmetry.of((placement,)) for symmetry in group]
        if tilings and seen.isdisjoint(images):
            seen.update(images)
            numbers.append(((str(placement),), tilings // images.count((placement,))))
    return numbers


def of_board(number: Callable[[Puzzle], int]) -> Callable[[Puzzle, Range, Sources], Numbers]:
    """Return what finds a number that a board has once."""
    return lambda puzzle, over, sources: [((), number(puzzle))]


NUMBERS: Mapping[tuple[str, str], Callable[[Puzzle, Range, Sources], Numbers]] = {
    ("tilings", "reveals"): tilings_of,
    ("tilings", "cells"): tilings_of_sets,
    ("classes", "reveals"): classes_of,
    ("classes", "placements"): classes_of_placements,
    ("placements", "reveals"): placements_of,
    ("placements", "pieces"): placements_of_pieces,
    ("orientations", "pieces"): orientations_of,
    ("ways", "pieces"): ways_of,
    ("reveals", "reveals"): lambda _, over, sources: [((), len(set(over.items)))],
    ("cells", "board"): of_board(lambda puzzle: len(puzzle.cells)),
    ("off-board", "board"): of_board(lambda board: board.rows * board.columns - len(board.cells)),
    ("area", "board"): of_board(lambda puzzle: puzzle.area),
    ("symmetries", "board"): of_board(lambda puzzle: len(symmetries(puzzle))),
    ("covers", "board"): of_board(covers),
}
"""What finds the numbers of a quantity over a kind of range."""
