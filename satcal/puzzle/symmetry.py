"""The symmetries of a puzzle, and its tilings up to them.

A symmetry rotates or reflects the board so that the image of every placement is a placement. The
image of a piece may be another one: if pieces may not be turned over, a reflection exchanges those
that are mirror images of each other.

Never divide a count by the number of symmetries: a tiling may be its own image. Take the smallest
image of each tiling for its class (:func:`classes`), unless :func:`tilings_are_asymmetric`.

>>> from satcal.puzzle.loading import load
>>> len(symmetries(load("pentomino-6x10"))), len(symmetries(load("rhombus")))
(4, 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from satcal.puzzle.model import Placement, Puzzle, Tiling
from satcal.puzzle.shapes import Cell, reflect


@dataclass(frozen=True)
class Symmetry:
    """The image of each cell, and the name of each piece's image, usually its own."""

    image: Mapping[Cell, Cell]
    image_name: Mapping[str, str]

    def of_placement(self, placement: Placement) -> Placement:
        """Return the image of a placement."""
        cells = tuple(sorted(self.image[cell] for cell in placement.cells))
        return Placement(self.image_name[placement.piece], cells)

    def of(self, tiling: Iterable[Placement]) -> Tiling:
        """Return the image of a tiling, ordered by piece name and cells."""
        return tuple(sorted(map(self.of_placement, tiling), key=lambda p: (p.piece, p.cells)))


def symmetries(puzzle: Puzzle, place: Iterable[Placement] = ()) -> tuple[Symmetry, ...]:
    """Return the symmetries that keep every label and the set of placed pieces, identity first.

    The image of a label must be itself, as a reveal names its labels.
    """
    cells, labels, placed = puzzle.cells, puzzle.label_at, set(place)
    top, left = map(min, zip(*cells, strict=True))
    by_images: dict[tuple[Cell, ...], Symmetry] = {}
    for is_reflection in (False, True):
        names = {piece.name: piece.name for piece in puzzle.pieces}
        if is_reflection:
            names = map_reflected_names(puzzle)
        points = [(row, -column) if is_reflection else (row, column) for row, column in cells]
        for _ in range(4) if names else ():
            up, west = map(min, zip(*points, strict=True))
            images = tuple((row - up + top, column - west + left) for row, column in points)
            symmetry = Symmetry(dict(zip(cells, images, strict=True)), names)
            if (
                set(images) == set(cells)
                and all(
                    labels.get(cell) == labels.get(image) for cell, image in symmetry.image.items()
                )
                and placed == set(map(symmetry.of_placement, placed))
            ):
                by_images.setdefault(images, symmetry)
            points = [(column, -row) for row, column in points]
    return tuple(by_images.values())


def map_reflected_names(puzzle: Puzzle) -> dict[str, str]:
    """Return the name of the mirror image of each piece.

    Return an empty dict if the mirror image of a piece is not a piece with as many copies.
    """
    names = {(frozenset(piece.orientations), piece.copies): piece.name for piece in puzzle.pieces}
    image_names = {}
    for piece in puzzle.pieces:
        mirror_image = frozenset(map(reflect, piece.orientations))
        if (mirror_image, piece.copies) not in names:
            return {}
        image_names[piece.name] = names[mirror_image, piece.copies]
    return image_names


def tilings_are_asymmetric(puzzle: Puzzle, placements: Sequence[Placement]) -> bool:
    """Return whether single pieces suffice to show that only the identity fixes a tiling.

    If a symmetry fixes a tiling, it also fixes the placement of every piece that has one copy and
    is its own image. So a symmetry that fixes no placement of one such piece fixes no tiling.
    """
    names = {piece.name for piece in puzzle.pieces if piece.copies == 1}
    _, *others = symmetries(puzzle)
    return all(
        {name for name in names if other.image_name[name] == name}
        - {each.piece for each in placements if other.of_placement(each) == each}
        for other in others
    )


def classes(
    puzzle: Puzzle, tilings: Iterable[Tiling], place: Iterable[Placement] = ()
) -> Iterator[Tiling]:
    """Yield the first tiling of each class under the symmetries, in the order of the tilings."""
    group = symmetries(puzzle, place)
    seen: set[Tiling] = set()
    for tiling in tilings:
        canonical_form = min(
            (symmetry.of(tiling) for symmetry in group),
            key=lambda image: [(placement.piece, placement.cells) for placement in image],
        )
        if canonical_form not in seen:
            seen.add(canonical_form)
            yield tiling
