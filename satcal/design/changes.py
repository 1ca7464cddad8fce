"""What a puzzle would be with one thing changed: a face, a piece, the places of labels.

A change holds the puzzle that it makes, so that whoever follows it can count again.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from satcal.counting.survey import Impasse, Survey, survey
from satcal.design.arranging import arrange
from satcal.design.deciding import (
    Question,
    chiral,
    families,
    figures,
    refuting,
    uncoloured,
    unflipped,
)  # fmt: skip
from satcal.design.polyominoes import LARGEST, polyominoes
from satcal.design.space import PieceSet, Space
from satcal.diagram.graph import LARGEST as INT64
from satcal.diagram.model import Array
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge
from satcal.puzzle.model import Label, Piece, Placement, Puzzle, Reveal
from satcal.puzzle.shapes import Cell, normalise, orientations, reflect

BUDGET = 4_000_000  # nodes of diagrams that are built for exchanged pieces: some eight seconds
DIAGRAM = 60_000  # nodes, during whose building one diagram is prepared
SHOWN = 3  # changes of a kind: the best are enough


@dataclass(frozen=True)
class Change:
    """A puzzle with one thing changed, and the tilings that its reveals then have.

    ``counts`` are those of the reveals that were asked, in their order. They are empty where
    ``refuted_by``, a reveal without a tiling, says enough, or where nobody counted.
    """

    text: str
    puzzle: Puzzle
    counts: tuple[int, ...] = ()
    refuted_by: Reveal | None = None

    @property
    def solves(self) -> bool:
        """Whether every reveal is known to have a tiling."""
        return bool(self.counts) and min(self.counts) > 0

    @property
    def figures(self) -> dict[str, float]:
        """The figures of the counts, and how many of the reveals are without a tiling."""
        return {"without": self.counts.count(0), **figures(self.counts)} if self.counts else {}


# --- faces --------------------------------------------------------------------------------------


def laid(puzzle: Puzzle, faces: Mapping[str, bool]) -> Puzzle:
    """Return the puzzle with pieces that may not be turned over: as drawn, or mirrored (True)."""
    sides = {name: puzzle.piece(name).shape for name in faces}
    drawn = []
    for each in puzzle.drawn:
        name = puzzle.piece(each.name).name
        over = faces.get(name)
        shape = reflect(sides[name]) if over else sides.get(name, each.shape)
        drawn.append(replace(each, shape=shape, flip=each.flip and over is None))
    return replace(puzzle, drawn=tuple(drawn))


def one_face(diagram: PuzzleDiagram, reveals: Sequence[Reveal]) -> Iterator[Change]:
    """Yield what becomes of a puzzle whose pieces have one face: each piece, either; then all.

    The last change, if there is one, lays all pieces so that every reveal keeps a tiling.
    """
    puzzle = diagram.puzzle
    pieces = {p.name: p for p in puzzle.pieces if p.flip and chiral(p)}

    def change(text: str, faces: Mapping[str, bool]) -> Change:
        kept = {
            name: orientations(reflect(pieces[name].shape) if over else pieces[name].shape, False)
            for name, over in faces.items()
        }
        lying = diagram.using(
            lambda o: not isinstance(o, Placement)
            or o.piece not in kept
            or normalise(o.cells) in kept[o.piece]
        )
        return Change(text, laid(puzzle, faces), _asked(lying.counts(), reveals))

    for name in pieces:
        yield change(f"{name} only as drawn", {name: False})
        yield change(f"{name} only turned over", {name: True})
    if pieces:
        whole = change("all pieces only as drawn", dict.fromkeys(pieces, False))
        yield whole
        if not whole.solves and all(p.copies == 1 for p in pieces.values()):
            counts = diagram.counts()
            over = unflipped(diagram, {r: counts[r] for r in reveals})
            if over is not None and any(counts[r] for r in reveals):
                faces = {name: name in over for name in pieces}
                yield change(f"no piece turned, but {' '.join(over)} mirrored for good", faces)


def turned_over(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Iterator[Change]:
    """Yield what becomes of a puzzle if pieces of one face get both: each, then all."""
    names = [piece.name for piece in puzzle.drawn if not piece.flip and chiral(piece)]
    both = [piece.name for piece in puzzle.drawn if piece.flip]
    for some in (*([name] for name in names), *([names] if len(names) > 1 else [])):
        changed = puzzle.with_flips(",".join([*both, *some]))
        text = f"{some[0] if len(some) == 1 else 'all pieces'} turned over as well"
        yield Change(text, changed, _asked(PuzzleDiagram.build(changed).counts(), reveals))


# --- pieces -------------------------------------------------------------------------------------


def exchanges(
    puzzle: Puzzle, reveals: Sequence[Reveal], hardest: Sequence[Reveal], gone: str,
    foreign: bool, nodes: int,
) -> list[Change]:  # fmt: skip
    """Return what becomes of a puzzle if a piece is left out, and another one takes its place.

    That is one of its area that the set has already, which is doubled, or with ``foreign`` any
    polyomino of that area that it has not. The ``hardest`` reveals are asked first; what they do
    not refute is counted until ``BUDGET`` is spent, and afterwards not: ``nodes`` are those of
    the puzzle's own diagram, as others will have about as many.
    """
    copies = {piece.name: piece.copies for piece in puzzle.pieces}
    pool = {piece.name: replace(piece, copies=1) for piece in puzzle.pieces}
    if foreign:
        pool |= _foreign(puzzle)
    kept = Counter(copies) - Counter([gone])
    sets: dict[str, PieceSet] = {}
    for name, piece in pool.items():
        if piece.area == pool[gone].area and name != gone and (name in copies) != foreign:
            # copies stand together, and last: so sets that differ in them are a family
            others = [each for each in kept.elements() if each != name]
            sets[name] = (*others, *[name] * (kept[name] + 1))
    question = Question(Space(puzzle, (), pool), tuple(reveals))
    refuted: dict[PieceSet, Reveal] = {}
    for family in families(list(sets.values())):
        refuted |= refuting(question, family, hardest)
    changes, spent = [], 0
    for name, pieces in sets.items():
        text = f"{gone} left out, {name} " + ("in its place" if foreign else "doubled")
        changed = question.space.puzzle(pieces, puzzle.name)
        counts: tuple[int, ...] = ()
        if pieces not in refuted and spent + nodes + DIAGRAM <= BUDGET // len(copies):
            diagram = PuzzleDiagram.build(changed)
            spent += diagram.diagram.nodes + DIAGRAM
            counts = _asked(diagram.counts(), reveals)
        changes.append(Change(text, changed, counts, refuted.get(pieces)))
    return changes


def _asked(counts: Mapping[Reveal, int], reveals: Sequence[Reveal]) -> tuple[int, ...]:
    return tuple(counts[reveal] for reveal in reveals)


def _foreign(puzzle: Puzzle) -> dict[str, Piece]:
    """Return the polyominoes of the areas of the pieces that are none of them, by new names."""
    flip = any(piece.flip for piece in puzzle.pieces)
    known = {frozenset(piece.orientations) for piece in puzzle.pieces}
    taken, pool = {piece.name for piece in puzzle.pieces}, {}
    for area in sorted({piece.area for piece in puzzle.pieces if piece.area <= LARGEST}):
        for usual, shape in polyominoes(area, flip).items():
            if frozenset(orientations(shape, flip)) not in known:
                names = (usual, *(f"{usual[0]}{number}" for number in range(100, 1000)))
                name = next(each for each in names if each not in taken and each not in pool)
                pool[name] = Piece(name, shape, flip=flip)
    return pool


# --- labels -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """What a survey knows of a puzzle's labels: what two that change places do, and why not.

    ``swaps`` were tried, after ``solving`` of them every reveal has a tiling. ``kindest`` and
    ``hardest`` are the best of those that change the counts. ``moved`` has all labels moved so
    that every reveal has a tiling, if some has none. ``reasons`` says why some have none.
    """

    swaps: int
    solving: int
    kindest: tuple[Change, ...]
    hardest: tuple[Change, ...]
    moved: Change | None
    reasons: Mapping[Reveal, str]
    impasses: Mapping[Reveal, Impasse]


def places(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Places | None:
    """Return what a survey knows of the labels; None if it cannot: some label is on many cells.

    Two labels change places, or a label and a cell without one: the tilings are those of other
    cells left uncovered, which the survey has counted already.
    """
    if not puzzle.labels or any(len(label.cells) > 1 for label in puzzle.labels.values()):
        return None
    try:
        surveyed = survey(puzzle)
    except TooLarge:
        return None
    table = _Table(surveyed, reveals)
    now, cells = table.after(()), range(len(puzzle.cells))
    label = [puzzle.label_at.get(cell) for cell in puzzle.cells]
    tried = [swap for swap in itertools.combinations(cells, 2) if any(label[n] for n in swap)]
    after = {swap: table.after(swap) for swap in tried}
    ranks = {swap: (-(c == 0).sum(), c.min(), c.sum()) for swap, c in after.items()}
    own = (-(now == 0).sum(), now.min(), now.sum())
    kind = sorted((s for s in tried if ranks[s] > own), key=lambda s: (ranks[s], -s[0]))[::-1]
    hard = [swap for swap in tried if after[swap].min() and ranks[swap] < own]
    hard.sort(key=lambda swap: ranks[swap][2])

    def change(swap: tuple[int, int]) -> Change:
        text = " and ".join(surveyed.labels(tuple(puzzle.cells[n] for n in swap)))
        moved = _swapped(puzzle, *(puzzle.cells[n] for n in swap))
        return Change(f"{text} change places", moved, tuple(after[swap].tolist()))

    without = [reveal for reveal, n in zip(reveals, now.tolist(), strict=True) if not n]
    moved = _moved(puzzle, reveals, surveyed) if without else None
    reasons, impasses = _reasons(surveyed, without)
    return Places(
        len(tried), sum(int(each.min() > 0) for each in after.values()),
        tuple(map(change, kind[:SHOWN])), tuple(map(change, hard[:SHOWN])),
        moved, reasons, impasses,
    )  # fmt: skip


class _Table:
    """The tilings of reveals for any order of the cells."""

    def __init__(self, surveyed: Survey, reveals: Sequence[Reveal]) -> None:
        puzzle, size = surveyed.puzzle, surveyed.size
        number = {cell: n for n, cell in enumerate(puzzle.cells)}
        kind = np.int64 if surveyed.total <= INT64 else object
        self.counts = np.zeros([len(number)] * size, kind)
        sets = np.array([[number[cell] for cell in cells] for cells in surveyed.counts])
        self.counts[tuple(sets.T)] = list(surveyed.counts.values())
        labels = puzzle.labels
        self.cells = np.array([[number[labels[x].cells[0]] for x in reveal] for reveal in reveals])
        self.still = np.arange(len(number))

    def after(self, swap: Sequence[int]) -> Array:
        """Return the tilings of the reveals when two cells, by number, have changed places."""
        order = self.still.copy()
        order[list(swap)] = swap[::-1]
        counts: Array = self.counts[tuple(np.sort(order[self.cells], axis=1).T)]
        return counts


def _swapped(puzzle: Puzzle, one: Cell, other: Cell) -> Puzzle:
    to = {one: other, other: one}
    labels: dict[str, Label] = {
        text: replace(each, cells=tuple(to.get(cell, cell) for cell in each.cells))
        for text, each in puzzle.labels.items()
    }
    return replace(puzzle, labels=labels)


def _moved(puzzle: Puzzle, reveals: Sequence[Reveal], surveyed: Survey) -> Change | None:
    if len(puzzle.categories) != 2:
        return None
    moved = arrange(puzzle, reveals, surveyed.counts, 1)
    if moved is None:
        return None
    at = [tuple(sorted(moved.uncovered(reveal))) for reveal in reveals]
    return Change("all labels moved", moved, tuple(surveyed.counts[cells] for cells in at))


def _reasons(
    surveyed: Survey, without: Collection[Reveal]
) -> tuple[dict[Reveal, str], dict[Reveal, Impasse]]:
    """Return why reveals have no tiling, where that can be seen: in words, and to be drawn."""
    reasons: dict[Reveal, str] = {}
    impasses: dict[Reveal, Impasse] = {}
    for reveal in without:
        cells = tuple(sorted(surveyed.puzzle.uncovered(reveal)))
        part = surveyed.cut_off(cells)
        if part:
            names = " ".join(surveyed.labels(tuple(sorted(part))))
            reasons[reveal] = f"cuts off {names if len(part) <= 4 else f'{len(part)} cells'}"
        elif uncoloured(surveyed.puzzle, [reveal]):
            reasons[reveal] = "a chessboard's colours do not fit"
        elif len(impasses) < SHOWN and (impasse := surveyed.impasse(cells)):
            impasses[reveal] = impasse
            reasons[reveal] = f"nothing can cover {surveyed.labels((impasse.cell,))[0]}"
    return reasons, impasses
