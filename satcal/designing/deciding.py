"""Deciding one set of pieces: a reveal that refutes it, or its counts.

Cheap refutations are tried first: a chessboard colouring; then the reveals that refuted the most
sets so far, each in one diagram for all sets that differ only in their last piece; finally the
diagram of all reveals.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.designing.space import PieceSet, Space
from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.puzzle import PuzzleDiagram, problem_of
from satcal.puzzle.model import Piece, Puzzle, Reveal
from satcal.puzzle.placements import cover_of
from satcal.puzzle.shapes import Cell, normalise, orientations, reflect

Handedness = tuple[tuple[str, bool], ...]
"""For each chiral piece of a tiling, its name and whether it lies mirrored."""


@dataclass(frozen=True)
class Decision:
    """What is known of a set of pieces.

    ``refuted_by`` is a reveal with too few tilings, or None; it may be the empty reveal of a board
    without labels. ``counts`` are the tilings of the reveals asked; they are empty if the set was
    refuted and not decided fully. ``faces`` names the pieces that lie mirrored if the set needs no
    flipping; it is None if the set does, was refuted, or if that was not asked.
    """

    pieces: PieceSet
    refuted_by: Reveal | None
    counts: tuple[int, ...] = ()
    faces: tuple[str, ...] | None = None

    @cached_property
    def figures(self) -> dict[str, float]:
        """Figures of the counts; ``unevenness`` is their standard deviation over their mean."""
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
"""For each goal, a number that is smaller for a better set; see docs/how-to/make-a-puzzle.md."""


@dataclass(frozen=True)
class Requirement:
    """What is asked of each set: at least this number of tilings for each of these reveals.

    ``faces``: also whether it needs no flipping.
    """

    space: Space
    reveals: tuple[Reveal, ...]
    at_least: int = 1
    faces: bool = False

    def fingerprint(self, exhaustive: bool) -> str:
        """Return a line that names all that decides a verdict: the head of a log."""
        space = self.space
        facts = {
            "satcal design": 2,
            "board": space.board.digest,
            "reveals": self.reveals,
            "pool": [*space.pool],
            "mixes": [sorted(mix.items()) for mix in space.mixes],
            "rules": [space.must, space.copies, self.at_least, self.faces, exhaustive],
        }
        return json.dumps(facts, separators=(",", ":"))


def reveals_of(puzzle: Puzzle, all_reveals: bool = False) -> tuple[Reveal, ...]:
    """Return the reveals that dates have; all reveals if asked for, or if there are no dates."""
    if all_reveals or puzzle.calendar.parts is None:
        return tuple(puzzle.reveals())
    return tuple(filter(puzzle.calendar.is_date, puzzle.reveals()))


def decide(
    question: Requirement, sets: Sequence[PieceSet], killers: Sequence[Reveal], fully: bool
) -> list[Decision]:
    """Return a verdict for each set; the reveals of ``killers`` are asked first.

    ``fully``: all reveals of a refuted set are counted as well, since how far it is from being
    good tells a search where to continue.
    """
    refuted: dict[PieceSet, Reveal] = {}
    if question.at_least > 0 and not fully:
        for family in families(sets):
            refuted |= refuting(question, family, killers)
    return [
        Decision(pieces, refuted[pieces])
        if pieces in refuted
        else _count_set(question, pieces, fully)
        for pieces in sets
    ]


def families(sets: Sequence[PieceSet]) -> Iterator[list[PieceSet]]:
    """Yield the sets in groups that differ in their last piece only, which occurs once."""
    common: dict[PieceSet, list[PieceSet]] = {}
    for pieces in sets:
        single = pieces.count(pieces[-1]) == 1
        common.setdefault(pieces[:-1] if single else pieces, []).append(pieces)
    yield from common.values()


def refuting(
    question: Requirement, family: Sequence[PieceSet], killers: Sequence[Reveal]
) -> dict[PieceSet, Reveal]:
    """Return the sets of a family that colours or one of the killers refute, and the reveal."""
    refuted: dict[PieceSet, Reveal] = {}
    for pieces in family:
        reveal = refute_by_colouring(question.space.puzzle(pieces), question.reveals)
        if reveal is not None:
            refuted[pieces] = reveal
    for reveal in killers:
        left = [pieces for pieces in family if pieces not in refuted]
        for pieces, tilings in _tilings(question.space, left, reveal).items():
            if tilings < question.at_least:
                refuted[pieces] = reveal
    return refuted


def _tilings(space: Space, family: Sequence[PieceSet], reveal: Reveal) -> dict[PieceSet, int]:
    """Return the tilings of one reveal for each set of a family, all by one diagram.

    In the diagram the last pieces of all sets become one piece. Each tiling uses one of its
    placements, which tells the set it belongs to.
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


def _count_set(question: Requirement, pieces: PieceSet, fully: bool) -> Decision:
    puzzle = question.space.puzzle(pieces)
    diagram = PuzzleDiagram.build(puzzle)
    all_counts = diagram.counts()
    counts = {reveal: all_counts[reveal] for reveal in question.reveals}
    hardest = min(counts, key=counts.__getitem__)
    if counts[hardest] < question.at_least:
        return Decision(pieces, hardest, tuple(counts.values()) if fully else ())
    faces = choose_faces(diagram, counts) if question.faces else None
    return Decision(pieces, None, tuple(counts.values()), faces)


def refute_by_colouring(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Reveal | None:
    """Return a reveal that the pieces cannot fill by a chessboard colouring; None if it shows none.

    Wherever a piece lies, the difference between the black and the white cells it covers is the
    same up to its sign; these differences must sum to that of the cells to cover.
    """

    def excess(cells: Sequence[Cell]) -> int:
        return sum(1 if (row + column) % 2 else -1 for row, column in cells)

    sums = {0}
    for piece in puzzle.pieces:
        for _ in range(piece.copies):
            sums = {s + sign * excess(piece.shape) for s in sums for sign in (1, -1)}
    board = excess(puzzle.cells)
    return next(
        (r for r in reveals if board - excess(tuple(puzzle.uncovered_cells(r))) not in sums), None
    )


def handednesses(
    diagram: PuzzleDiagram, reveal: Reveal, among: Set[Handedness] | None = None
) -> set[Handedness]:
    """Return every combination of mirrored pieces in the tilings of a reveal.

    With ``among``, return only those in it.
    """
    unflipped = {
        piece.name: frozenset(orientations(piece.shape, flip=False))
        for piece in diagram.puzzle.pieces
        if chiral(piece)
    }
    found: set[Handedness] = set()
    for tiling in diagram.tilings(reveal):
        found.add(
            tuple(
                sorted(
                    (p.piece, normalise(p.cells) not in unflipped[p.piece])
                    for p in tiling
                    if p.piece in unflipped
                )
            )
        )
        if among is not None and found >= among:
            break
    return found if among is None else found & among


def choose_faces(diagram: PuzzleDiagram, counts: Mapping[Reveal, int]) -> tuple[str, ...] | None:
    """Return the pieces to turn over once and for all so that every reveal keeps a tiling.

    Of the combinations of mirrored pieces that suit every reveal, take the first in sorted order;
    return None if none suits. Reveals with few tilings come first: they leave few combinations.
    """
    common: set[Handedness] | None = None
    for reveal in sorted(counts, key=lambda reveal: (counts[reveal], reveal)):
        common = handednesses(diagram, reveal, common)
        if not common:
            break
    # without a piece that has two faces there is one combination, the empty one
    return tuple(name for name, mirrored in min(common) if mirrored) if common else None


def chiral(piece: Piece) -> bool:
    """Return whether a piece turned over is another shape."""
    return reflect(piece.shape) not in orientations(piece.shape, flip=False)
