"""The symmetries of a puzzle, and its tilings up to them.

A symmetry turns the board or turns it over, such that every placement becomes a placement. A piece
may become another one: where pieces may not be turned over, a reflection exchanges those that are
mirror images of each other.

Never divide a count by the number of symmetries: a tiling may be its own image. Either take the
smallest image of each tiling for its class (:func:`classes`), or use Burnside's lemma: the number
of classes is the mean, over the symmetries, of how many tilings each of them fixes.

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
    """Where each cell goes, and which piece each piece becomes (usually itself)."""

    image: Mapping[Cell, Cell]
    renamed: Mapping[str, str]

    def of_placement(self, placement: Placement) -> Placement:
        """Return the image of a placement."""
        cells = tuple(sorted(self.image[cell] for cell in placement.cells))
        return Placement(self.renamed[placement.piece], cells)

    def of(self, tiling: Iterable[Placement]) -> Tiling:
        """Return the image of a tiling, ordered by piece name and cells."""
        return tuple(sorted(map(self.of_placement, tiling), key=lambda p: (p.piece, p.cells)))


def symmetries(puzzle: Puzzle, place: Iterable[Placement] = ()) -> tuple[Symmetry, ...]:
    """Return the symmetries that keep every label and the set of placed pieces, identity first.

    A label goes to itself: a calendar that is turned asks for another date.
    """
    cells, labels, placed = puzzle.cells, puzzle.label_at, set(place)
    top, left = map(min, zip(*cells, strict=True))
    found: dict[tuple[Cell, ...], Symmetry] = {}
    for mirrored in (False, True):
        renamed = (
            names_after_reflection(puzzle) if mirrored else {p.name: p.name for p in puzzle.pieces}
        )
        turned = [(row, -column) if mirrored else (row, column) for row, column in cells]
        for _ in range(4) if renamed else ():
            up, west = map(min, zip(*turned, strict=True))
            moved = tuple((row - up + top, column - west + left) for row, column in turned)
            symmetry = Symmetry(dict(zip(cells, moved, strict=True)), renamed)
            if (
                set(moved) == set(cells)
                and all(
                    labels.get(cell) == labels.get(image) for cell, image in symmetry.image.items()
                )
                and placed == set(map(symmetry.of_placement, placed))
            ):
                found.setdefault(moved, symmetry)
            turned = [(column, -row) for row, column in turned]
    return tuple(found.values())


def names_after_reflection(puzzle: Puzzle) -> dict[str, str]:
    """Return which piece each piece becomes when it is turned over.

    Empty if there is a piece whose mirror image is not a piece with as many copies.
    """
    named = {(frozenset(piece.orientations), piece.copies): piece.name for piece in puzzle.pieces}
    renamed = {}
    for piece in puzzle.pieces:
        mirrored = frozenset(map(reflect, piece.orientations))
        if (mirrored, piece.copies) not in named:
            return {}
        renamed[piece.name] = named[mirrored, piece.copies]
    return renamed


def fixed_placements(symmetry: Symmetry, placements: Iterable[Placement]) -> list[Placement]:
    """Return the placements that a symmetry maps to themselves."""
    return [placement for placement in placements if symmetry.of_placement(placement) == placement]


def moves_every_tiling(puzzle: Puzzle, placements: Sequence[Placement]) -> bool:
    """Return whether the pieces show that no symmetry but the identity fixes a tiling.

    In a tiling that is its own image, a piece with a single copy that keeps its name is its own
    image. If it has no such placement, each class has as many tilings as there are symmetries.
    """
    single = {piece.name for piece in puzzle.pieces if piece.copies == 1}
    _, *others = symmetries(puzzle)
    return all(
        {name for name in single if other.renamed[name] == name}
        - {placement.piece for placement in fixed_placements(other, placements)}
        for other in others
    )


def classes(
    puzzle: Puzzle, tilings: Iterable[Tiling], place: Iterable[Placement] = ()
) -> Iterator[Tiling]:
    """Yield the first tiling of each class under the symmetries, in the order of the tilings."""
    group = symmetries(puzzle, place)
    seen: set[Tiling] = set()
    for tiling in tilings:
        form = min(
            (symmetry.of(tiling) for symmetry in group),
            key=lambda image: [(placement.piece, placement.cells) for placement in image],
        )
        if form not in seen:
            seen.add(form)
            yield tiling
