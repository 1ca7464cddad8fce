"""The verifier, which tells whether a list of (piece, cells) is a tiling of the puzzle.

It works from the cells, labels and drawings of the puzzle file. It uses no encoder, no solver, and
none of satcal's orientations: one that is missing there would make all methods agree on a number
that is too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # nothing of these modules runs here
    from satcal.puzzle.model import Placement, Puzzle

Cell = tuple[int, int]

# Each symmetry of the square is a 2x2 matrix, written row by row.
_ROTATIONS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
_REFLECTIONS = ((1, 0, 0, -1), (-1, 0, 0, 1), (0, 1, 1, 0), (0, -1, -1, 0))


def _move_to_origin(cells: Sequence[Cell]) -> frozenset[Cell]:
    top = min(r for r, _ in cells)
    left = min(c for _, c in cells)
    return frozenset((r - top, c - left) for r, c in cells)


def _orient(shape: Sequence[Cell], flip: bool) -> set[frozenset[Cell]]:
    """Return the orientations of a drawing, moved to the origin."""
    return {
        _move_to_origin([(a * r + b * c, d * r + e * c) for r, c in shape])
        for a, b, d, e in (_ROTATIONS + _REFLECTIONS if flip else _ROTATIONS)
    }


class Verifier:
    """The check of tilings of one puzzle and one reveal."""

    def __init__(self, puzzle: Puzzle, reveal: Sequence[str]) -> None:
        self._board = frozenset(puzzle.cells)
        self._revealed = {cell for text in reveal for cell in puzzle.labels[text].cells}
        self._to_cover = self._board - self._revealed
        # Pieces with the same set of orientations are copies of the first of them.
        self._orientations: dict[str, set[frozenset[Cell]]] = {}
        self._first: dict[str, str] = {}
        self._copies: dict[str, int] = {}
        for piece in puzzle.drawn:
            orientations = _orient(piece.shape, piece.flip)
            equal = [name for name, other in self._orientations.items() if other == orientations]
            first = equal[0] if equal else piece.name
            self._orientations.setdefault(first, orientations)
            self._first[piece.name] = first
            self._copies[first] = self._copies.get(first, 0) + piece.copies

    def find_misfit(self, placement: Placement) -> str | None:
        """Return why a placement is not a copy of a drawing on the board, or None if it is one."""
        piece, cells = placement.piece, placement.cells
        name = self._first.get(piece)
        if name is None:
            return f"there is no piece {piece}"
        for cell in cells:
            if cell not in self._board:
                return f"{piece} covers r{cell[0]}c{cell[1]}, which is not on the board"
        if not cells or _move_to_origin(cells) not in self._orientations[name]:
            return f"the cells of {piece} are not a rotated or flipped copy of its drawing"
        return None

    def find_fault(self, tiling: Iterable[Placement]) -> str | None:
        """Return why a list of placements is not a tiling, or None if it is one."""
        covered: set[Cell] = set()
        copies_used = dict.fromkeys(self._copies, 0)
        for placement in tiling:
            if fault := self.find_misfit(placement):
                return fault
            for cell in placement.cells:
                where = f"{placement.piece} covers r{cell[0]}c{cell[1]}"
                if cell in self._revealed:
                    return f"{where}, which the reveal leaves uncovered"
                if cell in covered:
                    return f"{where}, which is covered already"
                covered.add(cell)
            copies_used[self._first[placement.piece]] += 1
        for name, copies in self._copies.items():
            if copies_used[name] != copies:
                return f"{name} is used {copies_used[name]} times, not {copies}"
        missing = sorted(self._to_cover - covered)
        if missing:
            return f"r{missing[0][0]}c{missing[0][1]} is not covered"
        return None
