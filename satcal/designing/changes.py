"""What a puzzle would be with one thing changed: a face, a piece, the places of labels."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from satcal.analysis.survey import survey
from satcal.designing.arranging import Places, moved
from satcal.designing.deciding import Requirement, Way, chiral, families, refuting, uncoloured, ways
from satcal.designing.space import PieceSet, Space
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge
from satcal.puzzle.model import Label, Puzzle, Reveal
from satcal.puzzle.shapes import normalise, reflect

SHOWN = 12  # changes of a kind: a reader wants the best, and how many there are
BUDGET = 4_000_000  # nodes of the diagrams built for exchanged pieces: some eight seconds
DIAGRAM = 60_000  # nodes, during whose building one diagram is prepared
LARGE = 100_000  # nodes of a puzzle's diagram; above that the hardest reveal is asked first
FEW = 50  # reveals; of fewer than that one takes as long to count as all
STATES = 5  # the work for a node of a diagram of few reveals, as there are more dead ends


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


@dataclass(frozen=True)
class Tried:
    """Changes of one kind: how many there are, and those that are shown.

    ``solving`` of them give every reveal a tiling, ``refuted`` leave one without, and for
    ``unknown`` it would take too long to know. The others were counted.
    """

    kind: str
    number: int
    solving: int
    refuted: int
    unknown: int
    shown: Sequence[Change]


def tried(kind: str, changes: Sequence[Change], shown: Sequence[Change] | None = None) -> Tried:
    """Changes in numbers, with some that are shown: if None, the kindest."""
    known = [change for change in changes if change.counts]
    refuted = sum(change.refuted_by is not None for change in changes)
    solving = sum(change.solves for change in known)
    if shown is None:
        shown = sorted(known, key=kindness, reverse=True)[:SHOWN]
    return Tried(kind, len(changes), solving, refuted, len(changes) - len(known) - refuted, shown)


def kindness(change: Change) -> tuple[int, int, int]:
    """The kindness of a change: reveals without a tiling, the hardest, all together."""
    return -change.counts.count(0), min(change.counts), sum(change.counts)


def counted(
    text: str, changed: Puzzle, diagram: PuzzleDiagram, reveals: Iterable[Reveal]
) -> Change:
    """A change whose tilings a diagram counts."""
    counts = diagram.counts()
    return Change(text, changed, tuple(counts[reveal] for reveal in reveals))


def laid(puzzle: Puzzle, faces: Mapping[str, bool]) -> Puzzle:
    """The puzzle with pieces that may not be turned over: as drawn, or mirrored (True)."""
    drawn = []
    for original in puzzle.drawn:
        piece = puzzle.piece(original.name)
        if (over := faces.get(piece.name)) is None:
            drawn.append(original)
        else:
            shape = reflect(piece.shape) if over else piece.shape
            drawn.append(replace(original, shape=shape, flip=False))
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
        lie = {(name, shape) for name in faces for shape in changed.piece(name).orientations}
        lying = diagram.using(
            lambda o: (
                isinstance(o, Label) or o.piece not in faces or (o.piece, normalise(o.cells)) in lie
            )
        )
        return counted(text, changed, lying, reveals)

    for name in pieces:
        yield change(f"{name} only as drawn", {name: False})
        yield change(f"{name} only turned over", {name: True})
    if not pieces:
        return
    as_drawn = last = change("all pieces only as drawn", dict.fromkeys(pieces, False))
    yield as_drawn
    left: set[Way] | None = None
    while not last.solves and all(piece.copies == 1 for piece in pieces.values()):
        # of the ways to lay them those that suit this reveal, too, until one suits all
        _, hardest = min(zip(last.counts, reveals, strict=True))
        left = ways(diagram, hardest, left)
        if not left:
            return
        over = [name for name, mirrored in min(left) if mirrored]
        images = "its mirror image" if len(over) == 1 else "mirror images"
        text = f"no piece turned over, with {' '.join(over)} fixed as {images}"
        last = change(text, {name: name in over for name in pieces})
    if last is not as_drawn:
        yield last


def both_faces(puzzle: Puzzle, reveals: Sequence[Reveal]) -> Iterator[Change]:
    """Yield what becomes of a puzzle if pieces of one face get both: each, then all."""
    names = [piece.name for piece in puzzle.drawn if not piece.flip and chiral(piece)]
    both = [piece.name for piece in puzzle.drawn if piece.flip]
    for some in (*([name] for name in names), *([names] if len(names) > 1 else [])):
        changed = puzzle.with_flips(",".join([*both, *some]))
        text = f"{' '.join(some)} turned over as well"
        yield counted(text, changed, PuzzleDiagram.build(changed), reveals)


def exchanges(puzzle: Puzzle, counts: Mapping[Reveal, int], nodes: int) -> list[Change]:
    """What becomes of a puzzle if a piece is left out, and another of its area is doubled.

    ``counts`` are the tilings of the reveals asked, and ``nodes`` those of the puzzle's diagram:
    others will have about as many. What is not refuted by the hardest reveal, where that is asked,
    is counted until ``BUDGET`` is spent.
    """
    copies = Counter({piece.name: piece.copies for piece in puzzle.pieces})
    pool = {piece.name: replace(piece, copies=1) for piece in puzzle.pieces}
    space = Space(puzzle, (), pool)
    hardest: list[Reveal] = []
    if len(counts) >= FEW and nodes > LARGE:
        hardest = [min(counts, key=counts.__getitem__)]
    cost = DIAGRAM + nodes * (1 if len(counts) >= FEW else STATES)
    changes = []
    for gone, piece in pool.items():
        sets: dict[str, PieceSet] = {}
        for name, other in pool.items():
            if name != gone and other.area == piece.area:
                # copies stand together, and last: so sets that differ in them are a family
                kept = copies - Counter([gone])
                twice = [name] * (kept.pop(name, 0) + 1)
                sets[name] = (*kept.elements(), *twice)
        refuted: dict[PieceSet, Reveal] = {}
        for family in families(list(sets.values())):
            refuted |= refuting(Requirement(space, tuple(counts)), family, hardest)
        left = BUDGET // len(pool)
        for name, pieces in sets.items():
            text = f"{gone} left out, {name} doubled"
            changed = space.puzzle(pieces, puzzle.name)
            if pieces not in refuted and cost <= left:
                diagram = PuzzleDiagram.build(changed)
                left -= DIAGRAM + diagram.diagram.nodes
                changes.append(counted(text, changed, diagram, counts))
            else:
                changes.append(Change(text, changed, refuted_by=refuted.get(pieces)))
    return changes


def places(puzzle: Puzzle, reveals: Sequence[Reveal]) -> tuple[list[Tried], Counter[str]]:
    """What labels in other places do, and why reveals have no tiling, where that is seen.

    Two labels change places, or a label and a cell without one: the tilings are those of other
    cells left uncovered, which a survey has counted already. Where a reveal has none, all labels
    are moved so that each has one. Nothing is tried if some label is on many cells, or too many
    stay uncovered.
    """
    reasons: Counter[str] = Counter()
    if not puzzle.labels or any(len(label.cells) > 1 for label in puzzle.labels.values()):
        return [], reasons
    try:
        surveyed = survey(puzzle)
    except TooLarge:
        return [], reasons

    def tilings(of: Puzzle, some: Iterable[Reveal]) -> dict[Reveal, int]:
        return {reveal: surveyed.counts[tuple(sorted(of.uncovered(reveal)))] for reveal in some}

    now = tilings(puzzle, reveals)
    having = {text: [reveal for reveal in reveals if text in reveal] for text in puzzle.labels}
    changes = []
    for one, other in itertools.combinations(puzzle.cells, 2):
        labels = [puzzle.label_at[cell].text for cell in (one, other) if cell in puzzle.label_at]
        if labels:
            changed = moved(puzzle, {one: other, other: one})
            after = now | tilings(changed, itertools.chain(*(having[text] for text in labels)))
            text = f"{' and '.join(surveyed.labels((one, other)))} swap places"
            changes.append(Change(text, changed, tuple(after.values())))
    as_it_is = kindness(Change("", puzzle, tuple(now.values())))
    kinder = [change for change in changes if kindness(change) > as_it_is]
    harder = [change for change in changes if kindness(change) < as_it_is and change.solves]
    shown = [
        *sorted(kinder, key=kindness, reverse=True)[: SHOWN // 2],
        *sorted(harder, key=lambda change: sum(change.counts))[: SHOWN // 2],
    ]
    kinds = [tried("Two labels, or a label and a cell without one, swap places", changes, shown)]
    without = [reveal for reveal in reveals if not now[reveal]]
    for reveal in without:
        if surveyed.cut_off(tuple(sorted(puzzle.uncovered(reveal)))):
            reasons["cut off a part that no pieces fill"] += 1
        elif uncoloured(puzzle, [reveal]):
            reasons["fail on a chessboard colouring"] += 1
    if without and len(puzzle.categories) == 2:
        elsewhere = []
        if arranged := Places(puzzle, reveals, surveyed.having(0)).arranged():
            counts = tuple(tilings(arranged, reveals).values())
            elsewhere.append(Change("all labels moved", arranged, counts))
        kinds.append(tried("All labels moved to where a SAT solver finds places", elsewhere))
    return kinds, reasons
