"""The decision on one set of pieces: a reveal that refutes it, or its counts.

Cheap refutations come first: a chessboard colouring; then the reveals that refute most sets, each
in one diagram for all sets that differ only in their last piece; finally the diagram of all
reveals.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from satcal.designing.space import PieceSet, Space
from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.puzzle import PuzzleDiagram, build_problem
from satcal.files import make_once
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover_of
from satcal.puzzle.shapes import Cell, normalise, orientations, reflect

Handedness = tuple[tuple[str, bool], ...]
"""For each chiral piece of a tiling, its name and whether it lies mirrored."""


@dataclass(frozen=True)
class Decision:
    """The result for a set of pieces.

    ``refuted_by`` is a reveal with too few tilings, or None. It is an empty tuple, not None, for a
    refuted set on a board without labels. ``counts`` are the tilings of the reveals of the
    requirement, in their order. A refuted set has counts only if ``decide`` counts refuted sets.

    A set needs no flipping if one choice of pieces to turn over serves all reveals. ``flips`` then
    names these pieces. It is None if the set needs flipping, is refuted, or was not checked for it.
    """

    pieces: PieceSet
    refuted_by: Reveal | None
    counts: tuple[int, ...] = ()
    flips: tuple[str, ...] | None = None

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
    "hard": lambda decision: decision.figures["fewest"],
    "kind": lambda decision: -decision.figures["fewest"],
    "few": lambda decision: decision.figures["total"],
    "many": lambda decision: -decision.figures["total"],
    "even": lambda decision: decision.figures["unevenness"],
    "unique": lambda decision: -decision.figures["unique"],
    "no-flips": lambda decision: decision.flips is None,
}
"""For each goal, a number that is smaller for a better set; `satcal design --help` names them."""


@dataclass(frozen=True)
class Requirement:
    """The number of tilings that a set must have for each reveal.

    With ``check_flips``, a decision also says whether the set needs no flipping.
    """

    space: Space
    reveals: tuple[Reveal, ...]
    at_least: int = 1
    check_flips: bool = False


def select_reveals(puzzle: Puzzle, all_reveals: bool = False) -> tuple[Reveal, ...]:
    """Return the reveals of dates; all reveals with ``all_reveals`` or if there are no dates."""
    if all_reveals or puzzle.calendar.parts is None:
        return tuple(puzzle.reveals())
    return tuple(filter(puzzle.calendar.is_date, puzzle.reveals()))


def decide(
    requirement: Requirement,
    sets: Sequence[PieceSet],
    refuters: Sequence[Reveal],
    count_refuted: bool,
) -> list[Decision]:
    """Return a decision for each set.

    With ``count_refuted``, count all reveals of a refuted set too: hill climbing compares sets by
    the number of reveals that fail. Otherwise, try colouring and ``refuters`` first.
    """
    refuted: dict[PieceSet, Reveal] = {}
    if requirement.at_least > 0 and not count_refuted:
        families: dict[PieceSet, list[PieceSet]] = {}
        for pieces in sets:
            families.setdefault(pieces[:-1], []).append(pieces)
        for family in families.values():
            refuted |= find_refutations(requirement, family, refuters)
    return [
        Decision(pieces, refuted[pieces])
        if pieces in refuted
        else _count_set(requirement, pieces, count_refuted)
        for pieces in sets
    ]


def key_decisions(
    requirement: Requirement,
    sets: Sequence[PieceSet],
    refuters: Sequence[Reveal],
    count_refuted: bool,
) -> str:
    """Return the key under which a folder keeps decisions; it has all on which they depend."""
    digests = [requirement.space.puzzle(pieces).digest for pieces in sets]
    rules = (requirement.reveals, requirement.at_least, requirement.check_flips)
    return repr((sets, digests, rules, refuters, count_refuted))


def decide_once(
    folder: Path | None,
    requirement: Requirement,
    sets: Sequence[PieceSet],
    refuters: Sequence[Reveal],
    count_refuted: bool,
) -> list[Decision]:
    """Return the same as :func:`decide`; a folder keeps it."""

    def make() -> bytes:
        decisions = decide(requirement, sets, refuters, count_refuted)
        return json.dumps([(d.refuted_by, d.counts, d.flips) for d in decisions]).encode()

    key = key_decisions(requirement, sets, refuters, count_refuted)
    rows = json.loads(make_once(folder, key, make))
    return [
        Decision(
            pieces,
            None if refuted_by is None else tuple(refuted_by),
            tuple(counts),
            None if flips is None else tuple(flips),
        )
        for pieces, (refuted_by, counts, flips) in zip(sets, rows, strict=True)
    ]


def find_refutations(
    requirement: Requirement, family: Sequence[PieceSet], refuters: Sequence[Reveal]
) -> dict[PieceSet, Reveal]:
    """Return the sets that colouring or a given reveal refutes, each with its reveal.

    The sets of a family differ only in their last piece.
    """
    refuted: dict[PieceSet, Reveal] = {}
    for pieces in family:
        reveal = refute_by_colouring(requirement.space.puzzle(pieces), requirement.reveals)
        if reveal is not None:
            refuted[pieces] = reveal
    for reveal in refuters:
        undecided = [pieces for pieces in family if pieces not in refuted]
        for pieces, count in _count_family(requirement.space, undecided, reveal).items():
            if count < requirement.at_least:
                refuted[pieces] = reveal
    return refuted


def _count_family(space: Space, family: Sequence[PieceSet], reveal: Reveal) -> dict[PieceSet, int]:
    """Return the number of tilings of one reveal for each set of a family, from one diagram.

    The diagram merges the last pieces of all sets into one piece. Each tiling uses a placement of
    it, and this placement tells to which set the tiling belongs.
    """
    if not family:
        return {}
    set_by_last_piece = {pieces[-1]: pieces for pieces in family}
    cover = cover_of(space.puzzle((*family[0][:-1], *set_by_last_piece)), reveal)
    problem = build_problem(cover)
    merged_index = len(problem.copies) - len(set_by_last_piece)  # common pieces come first
    problem = replace(
        problem,
        copies=problem.copies[: merged_index + 1],
        item=[min(item, merged_index) for item in problem.item],
        categories=0,
    )
    per_placement = Tilings(build(problem)).per_option().tolist()
    counts = dict.fromkeys(family, 0)
    for placement, count in zip(cover.placements, per_placement, strict=True):
        if placement.piece in set_by_last_piece:
            counts[set_by_last_piece[placement.piece]] += count
    return counts


def _count_set(requirement: Requirement, pieces: PieceSet, count_refuted: bool) -> Decision:
    puzzle = requirement.space.puzzle(pieces)
    diagram = PuzzleDiagram.build(puzzle)
    all_counts = diagram.counts()
    counts = {reveal: all_counts[reveal] for reveal in requirement.reveals}
    hardest = min(counts, key=counts.__getitem__)
    if counts[hardest] < requirement.at_least:
        return Decision(pieces, hardest, tuple(counts.values()) if count_refuted else ())
    flips = choose_flips(diagram, counts) if requirement.check_flips else None
    return Decision(pieces, None, tuple(counts.values()), flips)


def refute_by_colouring(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Reveal | None:
    """Return a reveal that a chessboard colouring proves to have no tiling, or None.

    Each placement of a piece covers the same number of black minus white cells, up to the sign.
    With some choice of signs, these differences must sum to that of the cells to cover.
    """

    def imbalance(cells: Iterable[Cell]) -> int:
        return sum(1 if (row + column) % 2 else -1 for row, column in cells)

    sums = {0}
    for piece in puzzle.pieces:
        for _ in range(piece.copies):
            sums = {s + sign * imbalance(piece.shape) for s in sums for sign in (1, -1)}
    board = imbalance(puzzle.cells)
    return next(
        (r for r in reveals if board - imbalance(puzzle.uncovered_cells(r)) not in sums), None
    )


def find_handednesses(
    diagram: PuzzleDiagram, reveal: Reveal, candidates: Set[Handedness] | None = None
) -> set[Handedness]:
    """Return the handedness of each tiling of a reveal; with ``candidates``, only those in it."""
    unflipped = {  # of the pieces that differ from their mirror images
        piece.name: turns
        for piece in diagram.puzzle.pieces
        if reflect(piece.shape) not in (turns := orientations(piece.shape, flip=False))
    }
    handednesses: set[Handedness] = set()
    for tiling in diagram.tilings(reveal):
        handednesses.add(
            tuple(
                sorted(
                    (p.piece, normalise(p.cells) not in unflipped[p.piece])
                    for p in tiling
                    if p.piece in unflipped
                )
            )
        )
        if candidates is not None and handednesses >= candidates:
            break
    return handednesses if candidates is None else handednesses & candidates


def choose_flips(diagram: PuzzleDiagram, counts: Mapping[Reveal, int]) -> tuple[str, ...] | None:
    """Return the pieces to turn over once and for all so that every reveal keeps a tiling.

    Among the handednesses that every reveal has, take the first in sorted order. Return None if
    there is none. Start with the reveals with few tilings, as they leave few candidates.
    """
    common: set[Handedness] | None = None
    for reveal in sorted(counts, key=lambda reveal: (counts[reveal], reveal)):
        common = find_handednesses(diagram, reveal, common)
        if not common:
            break
    # without a chiral piece, the empty handedness is the only one
    return tuple(name for name, mirrored in min(common) if mirrored) if common else None
