"""The symmetries of a puzzle, and its tilings up to them, by canonical form.

Counting by division (9356 / 4) would be wrong wherever a tiling is its own image, so every
tiling is turned in all ways and the smallest image stands for its class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from satcal.puzzle.model import Placement, Puzzle, Tiling
from satcal.puzzle.shapes import Cell, reflect

# Rows of the matrices of the square's symmetries: four rotations, then four reflections.
_MATRICES = (
    *((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)),
    *((1, 0, 0, -1), (0, 1, 1, 0), (-1, 0, 0, 1), (0, -1, -1, 0)),
)


@dataclass(frozen=True)
class Symmetry:
    """One symmetry of a board: where each cell goes, and whether it turns the board over."""

    image: Mapping[Cell, Cell]
    reflects: bool

    def of(self, tiling: Tiling) -> Tiling:
        """Return the image of a tiling, ordered by piece name and cells."""
        image = self.image
        placed = ((p.piece, tuple(sorted(image[cell] for cell in p.cells))) for p in tiling)
        return tuple(Placement(piece, cells) for piece, cells in sorted(placed))


def board_symmetries(puzzle: Puzzle) -> tuple[Symmetry, ...]:
    """Return those of the square's 8 symmetries that map the board to itself, identity first.

    Every cell must go to a cell, and every labelled cell to one with the same label: turned
    by 180 degrees, a calendar asks for another date.
    """
    found = []
    top, left = map(min, zip(*puzzle.cells, strict=True))
    labels = puzzle.label_at
    for a, b, c, d in _MATRICES:
        turned = [(a * row + b * column, c * row + d * column) for row, column in puzzle.cells]
        down, right = (
            least - min(axis)
            for least, axis in zip((top, left), zip(*turned, strict=True), strict=True)
        )
        moved = ((row + down, column + right) for row, column in turned)
        image = dict(zip(puzzle.cells, moved, strict=True))
        if set(image.values()) == set(puzzle.cells) and all(
            labels.get(cell) == labels.get(target) for cell, target in image.items()
        ):
            found.append(Symmetry(image, reflects=a * d < b * c))
    return tuple(found)


def symmetries(puzzle: Puzzle) -> tuple[Symmetry, ...]:
    """Return the symmetries that map tilings of the puzzle to tilings of it, identity first.

    They are the board's own. A reflection is one of them only if each piece may be turned
    over, or looks the same when it is: otherwise the mirrored tiling would need a face of a
    piece that the rules keep down. (Each tiling uses each piece, so one such piece decides. A
    piece whose mirror image is another piece of the set counts too: names belong to a tiling.)
    """
    mirror = all(reflect(piece.shape) in piece.orientations for piece in puzzle.pieces)
    return tuple(each for each in board_symmetries(puzzle) if mirror or not each.reflects)


def canonical(tiling: Tiling, group: Iterable[Symmetry]) -> Tiling:
    """Return the smallest image of a tiling under a group: equal for all tilings of a class.

    Copies of a piece have one name, so they are interchangeable.
    """
    images = (each.of(tiling) for each in group)
    return min(images, key=lambda image: [(placed.piece, placed.cells) for placed in image])


def classes(puzzle: Puzzle, tilings: Iterable[Tiling]) -> Iterator[Tiling]:
    """Yield the first tiling of each class under the puzzle's symmetries, in the given order.

    ``sum(1 for _ in classes(puzzle, tilings))`` is the number of tilings up to symmetry if
    ``tilings`` are all tilings of one reveal. It remembers one form per class.
    """
    group = symmetries(puzzle)
    seen: set[Tiling] = set()
    for tiling in tilings:
        form = canonical(tiling, group)
        if form not in seen:
            seen.add(form)
            yield tiling
