"""Deciding one set of pieces: a reveal that refutes it, or its counts.

What refutes is cheap first: colours, then the reveals that refuted most sets before, each by
one diagram for all sets that share all pieces but one, and at last the diagram of all reveals.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.designing.space import PieceSet, Space
from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.puzzle import PuzzleDiagram, problem_of
from satcal.errors import OptionError
from satcal.puzzle.model import Piece, Puzzle, Reveal
from satcal.puzzle.placements import cover_of
from satcal.puzzle.shapes import Cell, normalise, orientations, reflect

Way = tuple[tuple[str, bool], ...]
"""How the pieces of a tiling lie: of each that has two faces whether it is mirrored."""


@dataclass(frozen=True)
class Decision:
    """What is known of a set of pieces.

    ``refuted_by`` is a reveal with fewer tilings than were asked for, None if there is none;
    ``counts`` are the tilings of the reveals asked, empty where a reveal refuted the set before
    all were counted. ``faces`` says how the pieces lie in a set that needs no flipping: the
    names of those that lie as their mirror images; None if it needs some, or nobody asked.
    """

    pieces: PieceSet
    refuted_by: Reveal | None
    counts: tuple[int, ...] = ()
    faces: tuple[str, ...] | None = None

    @cached_property
    def figures(self) -> dict[str, float]:
        """What a table says of the counts; ``unevenness`` is their deviation over their mean."""
        if not self.counts:
            return {}
        mean = statistics.fmean(self.counts)
        return {
            "fewest": min(self.counts),
            "median": statistics.median(self.counts),
            "most": max(self.counts),
            "total": sum(self.counts),
            "unique": self.counts.count(1),
            "unevenness": round(statistics.pstdev(self.counts) / mean, 4) if mean else 0,
        }


GOALS: Mapping[str, Callable[[Decision], float]] = {
    "hard": lambda verdict: verdict.figures["fewest"],
    "kind": lambda verdict: -verdict.figures["fewest"],
    "few": lambda verdict: verdict.figures["total"],
    "many": lambda verdict: -verdict.figures["total"],
    "even": lambda verdict: verdict.figures["unevenness"],
    "unique": lambda verdict: -verdict.figures["unique"],
    "no-flips": lambda verdict: verdict.faces is None,
}
"""What is less the better a set is; docs/how-to/make-a-puzzle.md says it in words."""


@dataclass(frozen=True)
class Requirement:
    """What is asked of each set: at least so many tilings for each of these reveals.

    ``faces``: whether it can do without flipping, too.
    """

    space: Space
    reveals: tuple[Reveal, ...]
    at_least: int = 1
    faces: bool = False


def dates_of(puzzle: Puzzle, all_reveals: bool = False) -> tuple[Reveal, ...]:
    """The reveals that dates have, or all; raises OptionError for a board without dates."""
    reveals = tuple(r for r in puzzle.reveals() if all_reveals or puzzle.calendar.is_date(r))
    if not reveals:
        raise OptionError(f"{puzzle.name} has no dates; ask for --all-reveals")
    return reveals


def decide(
    question: Requirement, sets: Sequence[PieceSet], killers: Sequence[Reveal], fully: bool
) -> list[Decision]:
    """A verdict for each set; the reveals of ``killers`` are asked first.

    ``fully``: all reveals of a set that is refuted are counted, too, since how far it is from
    being good shows a search where to go on.
    """
    refuted: dict[PieceSet, Reveal] = {}
    if question.at_least and not fully:
        for family in families(sets):
            refuted |= refuting(question, family, killers)
    return [
        Decision(pieces, refuted[pieces])
        if pieces in refuted
        else _counted(question, pieces, fully)
        for pieces in sets
    ]


def families(sets: Sequence[PieceSet]) -> Iterator[list[PieceSet]]:
    """Yield the sets again, those together that differ in their last piece and have it once."""
    common: dict[PieceSet, list[PieceSet]] = {}
    for pieces in sets:
        single = pieces.count(pieces[-1]) == 1
        common.setdefault(pieces[:-1] if single else pieces, []).append(pieces)
    yield from common.values()


def refuting(
    question: Requirement, family: Sequence[PieceSet], killers: Sequence[Reveal]
) -> dict[PieceSet, Reveal]:
    """The sets of a family that colours or one of the killers refute, and by which."""
    refuted: dict[PieceSet, Reveal] = {}
    for pieces in family:
        reveal = uncoloured(question.space.puzzle(pieces), question.reveals)
        if reveal:
            refuted[pieces] = reveal
    for reveal in killers:
        left = [pieces for pieces in family if pieces not in refuted]
        for pieces, tilings in _tilings(question.space, left, reveal).items():
            if tilings < question.at_least:
                refuted[pieces] = reveal
    return refuted


def _tilings(space: Space, family: Sequence[PieceSet], reveal: Reveal) -> dict[PieceSet, int]:
    """The tilings of one reveal for each set of a family, all by one diagram.

    To the diagram the last pieces are one piece with the placements of all. A tiling has one of
    these, so the tilings that contain the placements of a piece are those of its set.
    """
    if not family:
        return {}
    last = {pieces[-1]: pieces for pieces in family}
    cover = cover_of(space.puzzle((*family[0][:-1], *last)), reveal)
    problem = problem_of(cover)
    variant = len(problem.copies) - len(last)  # the pieces in common come first
    copies = family[0].count(family[0][-1])  # more than one only in a family of one set
    problem = replace(
        problem,
        copies=[*problem.copies[:variant], copies],
        item=[min(item, variant) for item in problem.item],
        categories=0,
    )
    containing = Tilings(build(problem)).per_option().tolist()
    tilings = dict.fromkeys(family, 0)
    for placed, count in zip(cover.placements, containing, strict=True):
        if placed.piece in last:
            tilings[last[placed.piece]] += count
    return {pieces: count // copies for pieces, count in tilings.items()}


def _counted(question: Requirement, pieces: PieceSet, fully: bool) -> Decision:
    puzzle = question.space.puzzle(pieces)
    diagram = PuzzleDiagram.build(puzzle)
    every = diagram.counts()
    counts = {reveal: every[reveal] for reveal in question.reveals}
    hardest = min(counts, key=counts.__getitem__)
    if counts[hardest] < question.at_least:
        return Decision(pieces, hardest, tuple(counts.values()) if fully else ())
    faces = unflipped(diagram, counts) if question.faces else None
    return Decision(pieces, None, tuple(counts.values()), faces)


def uncoloured(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Reveal | None:
    """A reveal that the pieces cannot fill as a chessboard's colours show, if any.

    A piece covers as many black cells more than white ones, or as many fewer, as its shape
    says; the cells to cover differ by a sum of these numbers, each with a sign.
    """

    def excess(cells: Sequence[Cell]) -> int:
        return sum(1 if (row + column) % 2 else -1 for row, column in cells)

    sums = {0}
    for piece in puzzle.pieces:
        for _ in range(piece.copies):
            sums = {s + sign * excess(piece.shape) for s in sums for sign in (1, -1)}
    board = excess(puzzle.cells)
    return next(
        (r for r in reveals if board - excess(tuple(puzzle.uncovered(r))) not in sums), None
    )


def ways(diagram: PuzzleDiagram, reveal: Reveal, among: Set[Way] | None = None) -> set[Way]:
    """The ways in which the pieces lie in a reveal's tilings; or those ``among`` some."""
    turned = {
        piece.name: frozenset(orientations(piece.shape, flip=False))
        for piece in diagram.puzzle.pieces
        if chiral(piece)
    }
    found: set[Way] = set()
    for tiling in diagram.tilings(reveal):
        found.add(
            tuple(
                sorted(
                    (p.piece, normalise(p.cells) not in turned[p.piece])
                    for p in tiling
                    if p.piece in turned
                )
            )
        )
        if among is not None and found >= among:
            break
    return found if among is None else found & among


def unflipped(diagram: PuzzleDiagram, counts: Mapping[Reveal, int]) -> tuple[str, ...] | None:
    """The pieces to turn over once and for all so that every reveal keeps a tiling.

    The names of the pieces that lie as their mirror images, if there is a way: the first one in
    order. Reveals with few tilings come first, since they leave few ways.
    """
    common: set[Way] | None = None
    for reveal in sorted(counts, key=lambda reveal: (counts[reveal], reveal)):
        common = ways(diagram, reveal, common)
        if not common:
            return None
    return tuple(name for name, mirrored in min(common or {()}) if mirrored)


def chiral(piece: Piece) -> bool:
    """Whether a piece turned over is another shape."""
    return reflect(piece.shape) not in orientations(piece.shape, flip=False)
