"""What a puzzle would be with one thing changed: a face, a piece, the places of labels."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from satcal.counting.survey import Impasse, Survey, survey
from satcal.design.arranging import arrange
from satcal.design.deciding import Question, chiral, families, refuting, uncoloured, unflipped
from satcal.design.polyominoes import LARGEST, polyominoes
from satcal.design.space import PieceSet, Space
from satcal.diagram.graph import LARGEST as INT64
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge
from satcal.puzzle.model import Piece, Placement, Puzzle, Reveal
from satcal.puzzle.shapes import Cell, normalise, orientations, reflect

BUDGET = 4_000_000  # nodes of diagrams that are built for exchanged pieces: some eight seconds
DIAGRAM = 60_000  # nodes, during whose building one diagram is prepared
LOOKED_AT = 50  # reveals without a tiling, to find a cell that nothing can cover
SHOWN = 3  # changes of a kind: the best are enough


@dataclass(frozen=True)
class Change:
    """A puzzle with one thing changed, and the tilings of the reveals asked, in their order.

    There are no counts where ``refuted_by``, a reveal without a tiling, says enough, or where
    nobody counted.
    """

    text: str
    puzzle: Puzzle
    counts: tuple[int, ...] = ()
    refuted_by: Reveal | None = None

    @property
    def solves(self) -> bool:
        """Whether every reveal is known to have a tiling."""
        return bool(self.counts) and min(self.counts) > 0


def laid(puzzle: Puzzle, faces: Mapping[str, bool]) -> Puzzle:
    """Return the puzzle with pieces that may not be turned over: as drawn, or mirrored (True)."""
    drawn = []
    for each in puzzle.drawn:
        piece = puzzle.piece(each.name)
        if (over := faces.get(piece.name)) is None:
            drawn.append(each)
        else:
            shape = reflect(piece.shape) if over else piece.shape
            drawn.append(replace(each, shape=shape, flip=False))
    return replace(puzzle, drawn=tuple(drawn))


def one_face(diagram: PuzzleDiagram, reveals: Sequence[Reveal]) -> Iterator[Change]:
    """Yield what becomes of a puzzle whose pieces have one face: each piece, either; then all.

    Where all as drawn lose a reveal, the last lays them so that none does, if that is possible
    and each piece is there once.
    """
    puzzle = diagram.puzzle
    pieces = {piece.name: piece for piece in puzzle.pieces if piece.flip and chiral(piece)}

    def change(text: str, faces: Mapping[str, bool]) -> Change:
        changed = laid(puzzle, faces)
        lie = {name: set(changed.piece(name).orientations) for name in faces}
        lying = diagram.using(
            lambda o: (
                not isinstance(o, Placement)
                or o.piece not in lie
                or normalise(o.cells) in lie[o.piece]
            )
        )
        return Change(text, changed, _asked(lying, reveals))

    for name in pieces:
        yield change(f"{name} only as drawn", {name: False})
        yield change(f"{name} only turned over", {name: True})
    if pieces:
        whole = change("all pieces only as drawn", dict.fromkeys(pieces, False))
        yield whole
        single = all(piece.copies == 1 for piece in pieces.values())
        if single and not whole.solves:
            over = unflipped(diagram, dict(zip(reveals, _asked(diagram, reveals), strict=True)))
            if over is not None:
                faces = {name: name in over for name in pieces}
                yield change(f"no piece turned, but {' '.join(over)} mirrored for good", faces)


def both_faces(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Iterator[Change]:
    """Yield what becomes of a puzzle if pieces of one face get both: each, then all."""
    names = [piece.name for piece in puzzle.drawn if not piece.flip and chiral(piece)]
    both = [piece.name for piece in puzzle.drawn if piece.flip]
    for some in (*([name] for name in names), *([names] if len(names) > 1 else [])):
        changed = puzzle.with_flips(",".join([*both, *some]))
        yield Change(
            f"{' '.join(some)} turned over as well", changed,
            _asked(PuzzleDiagram.build(changed), reveals),
        )  # fmt: skip


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
    area, kept = pool[gone].area, Counter(copies) - Counter([gone])
    if foreign and area <= LARGEST:
        pool |= _foreign(puzzle, area)
    sets: dict[str, PieceSet] = {}
    for name, piece in pool.items():
        if piece.area == area and name != gone and (name in copies) != foreign:
            # copies stand together, and last: so sets that differ in them are a family
            others = [each for each in kept.elements() if each != name]
            sets[name] = (*others, *[name] * (kept[name] + 1))
    question = Question(Space(puzzle, (), pool), tuple(reveals))
    refuted: dict[PieceSet, Reveal] = {}
    for family in families(list(sets.values())):
        refuted |= refuting(question, family, hardest)
    changes, spent = [], 0
    for name, pieces in sets.items():
        changed = question.space.puzzle(pieces, puzzle.name)
        counts: tuple[int, ...] = ()
        if pieces not in refuted and spent + nodes + DIAGRAM <= BUDGET // len(copies):
            diagram = PuzzleDiagram.build(changed)
            spent += diagram.diagram.nodes + DIAGRAM
            counts = _asked(diagram, reveals)
        text = f"{gone} left out, {name} " + ("in its place" if foreign else "doubled")
        changes.append(Change(text, changed, counts, refuted.get(pieces)))
    return changes


def _asked(diagram: PuzzleDiagram, reveals: Sequence[Reveal]) -> tuple[int, ...]:
    counts = diagram.counts()
    return tuple(counts[reveal] for reveal in reveals)


def _foreign(puzzle: Puzzle, area: int) -> dict[str, Piece]:
    """Return the polyominoes of an area that are no pieces of a puzzle, by names it has not."""
    flip = any(piece.flip for piece in puzzle.pieces)
    known = {frozenset(piece.orientations) for piece in puzzle.pieces}
    taken = {piece.name for piece in puzzle.pieces}
    pool: dict[str, Piece] = {}
    for usual, shape in polyominoes(area, flip).items():
        if frozenset(orientations(shape, flip)) not in known:
            name = f"{usual[0]}{900 + len(pool)}" if usual in taken else usual
            pool[name] = Piece(name, shape, flip=flip)
    return pool


@dataclass(frozen=True)
class Places:
    """What a survey knows of a puzzle's labels.

    Two may change places in ``swaps`` ways; after ``solving`` of them every reveal has a tiling.
    ``best`` are the kindest to the hardest reveals, and the hardest that lose none. ``moved`` has
    all labels moved so that every reveal has a tiling, where some has none; ``reasons`` says why
    these have none, where that can be seen, and ``impasse`` shows it of one.
    """

    swaps: int
    solving: int
    best: Sequence[Change]
    moved: Sequence[Change]
    reasons: Counter[str]
    impasse: tuple[Reveal, Impasse] | None


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
    number = {cell: n for n, cell in enumerate(puzzle.cells)}
    sets = np.array([[number[cell] for cell in cells] for cells in surveyed.counts])
    kind = np.int64 if surveyed.total <= INT64 else object
    table = np.zeros([len(number)] * surveyed.size, kind)
    table[tuple(sets.T)] = list(surveyed.counts.values())
    label = puzzle.labels
    uncovered = np.array([[number[label[x].cells[0]] for x in reveal] for reveal in reveals])

    def after(*swap: Cell) -> tuple[int, ...]:
        order = np.arange(len(number))
        order[[number[cell] for cell in swap]] = [number[cell] for cell in swap[::-1]]
        counts: list[int] = table[tuple(np.sort(order[uncovered], axis=1).T)].tolist()
        return tuple(counts)

    changes = [
        Change(f"{' and '.join(surveyed.labels(swap))} change places", _swapped(puzzle, *swap),
               after(*swap))
        for swap in itertools.combinations(puzzle.cells, 2)
        if puzzle.label_at.keys() & {*swap}
    ]  # fmt: skip
    now = after()
    ordered = sorted(changes, key=lambda change: kindness(change.counts), reverse=True)
    kinder = [change for change in ordered if kindness(change.counts) > kindness(now)]
    harder = [change for change in ordered if change.solves and sum(change.counts) < sum(now)]
    best = [*kinder[:SHOWN], *sorted(harder, key=lambda change: sum(change.counts))[:SHOWN]]
    without = [reveal for reveal, tilings in zip(reveals, now, strict=True) if not tilings]
    moved = []
    if without and len(puzzle.categories) == 2 and (other := arrange(puzzle, reveals, 1)):
        cells = [tuple(sorted(other.uncovered(reveal))) for reveal in reveals]
        moved = [Change("all labels moved", other, tuple(surveyed.counts[x] for x in cells))]
    return Places(
        len(changes), sum(c.solves for c in changes), best, moved, *_reasons(surveyed, without)
    )


def kindness(counts: Sequence[int]) -> tuple[int, int, int]:
    """Return how kind counts are: without a tiling, of the hardest, in all."""
    return -counts.count(0), min(counts), sum(counts)


def _swapped(puzzle: Puzzle, one: Cell, other: Cell) -> Puzzle:
    to = {one: other, other: one}
    labels = {
        text: replace(each, cells=tuple(to.get(cell, cell) for cell in each.cells))
        for text, each in puzzle.labels.items()
    }
    return replace(puzzle, labels=labels)


def _reasons(
    surveyed: Survey, without: Sequence[Reveal]
) -> tuple[Counter[str], tuple[Reveal, Impasse] | None]:
    reasons: Counter[str] = Counter()
    shown = None
    for number, reveal in enumerate(without):
        cells = tuple(sorted(surveyed.puzzle.uncovered(reveal)))
        if surveyed.cut_off(cells):
            reasons["cut off a part that no pieces fill"] += 1
        elif uncoloured(surveyed.puzzle, [reveal]):
            reasons["do not fit by a chessboard's colours"] += 1
        elif number < LOOKED_AT and (impasse := surveyed.impasse(cells)):
            reasons["leave a cell that nothing can cover"] += 1
            shown = shown or (reveal, impasse)
    return reasons, shown
