"""The symmetries of a puzzle, and its tilings up to them, by canonical form.

Counting by division (9356 / 4) would be wrong wherever a tiling is its own image, so
every tiling is turned in all ways and the smallest image stands for its class; unless
the pieces show that no tiling is its own image.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from satcal.puzzle.model import Placement, Puzzle, Tiling
from satcal.puzzle.shapes import Cell, reflect


@dataclass(frozen=True)
class Symmetry:
    """Where each cell of a board goes, and whether the board is turned over."""

    image: Mapping[Cell, Cell]
    reflects: bool

    def of(self, tiling: Tiling) -> Tiling:
        """The image of a tiling, ordered by piece name and cells."""
        image = self.image
        placed = ((p.piece, tuple(sorted(image[cell] for cell in p.cells))) for p in tiling)
        return tuple(Placement(piece, cells) for piece, cells in sorted(placed))


def symmetries(puzzle: Puzzle) -> tuple[Symmetry, ...]:
    """The symmetries that map tilings of the puzzle to tilings, identity first.

    Of the square's 8 they are those that map every cell to a cell, and a label to itself: a
    calendar that is turned asks for another date. A reflection is one only if each piece may
    be turned over, or looks the same when it is: every tiling uses them all.
    """
    may_reflect = all(reflect(piece.shape) in piece.orientations for piece in puzzle.pieces)
    cells, labels = puzzle.cells, puzzle.label_at
    top, left = map(min, zip(*cells, strict=True))
    found = []
    for reflects in (False, True) if may_reflect else (False,):
        turned = [(row, -column) if reflects else (row, column) for row, column in cells]
        for _ in range(4):
            up, west = map(min, zip(*turned, strict=True))
            moved = [(row - up + top, column - west + left) for row, column in turned]
            image = dict(zip(cells, moved, strict=True))
            same = all(labels.get(cell) == labels.get(to) for cell, to in image.items())
            if same and set(moved) == set(cells):
                found.append(Symmetry(image, reflects))
            turned = [(-b, a) if reflects else (b, -a) for a, b in turned]
    return tuple(found)


def fixed(symmetry: Symmetry, placements: Iterable[Placement]) -> list[Placement]:
    """The placements that a symmetry maps to themselves."""
    image = symmetry.image
    return [
        placement
        for placement in placements
        if {image[c] for c in placement.cells} == set(placement.cells)
    ]


def moves_every_tiling(puzzle: Puzzle, placements: Sequence[Placement]) -> bool:
    """Whether the pieces show that no symmetry but the identity fixes a tiling.

    A tiling that is its own image has each piece of one copy on its own image: where no
    placement of such a piece is that, the tilings of a class are as many as the symmetries.
    """
    single = {piece.name for piece in puzzle.pieces if piece.copies == 1}
    _, *others = symmetries(puzzle)
    return all(
        single - {placement.piece for placement in fixed(other, placements)} for other in others
    )


def classes(puzzle: Puzzle, tilings: Iterable[Tiling]) -> Iterator[Tiling]:
    """Yield the first tiling of each class under the puzzle's symmetries, in their order.

    The smallest image stands for a class; copies of a piece in it have one name.
    """
    group = symmetries(puzzle)
    seen: set[Tiling] = set()
    for tiling in tilings:
        images = (symmetry.of(tiling) for symmetry in group)
        form = min(images, key=lambda image: [(p.piece, p.cells) for p in image])
        if form not in seen:
            seen.add(form)
            yield tiling
