"""The verifier: it says whether a list of (piece, cells) is a tiling of the puzzle.

It works from the cells, labels and drawings of the puzzle file with a few lines of its
own, and uses no encoder, no solver, and none of satcal's orientations: one that is missing
there would make all methods agree on a number that is too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

Cell = tuple[int, int]


class Placement(Protocol):
    """A piece's name and the cells that it covers."""

    @property
    def piece(self) -> str: ...

    @property
    def cells(self) -> Sequence[Cell]: ...


class Label(Protocol):
    """The cells that a label leaves uncovered."""

    @property
    def cells(self) -> Sequence[Cell]: ...


class Piece(Protocol):
    """A drawing's squares, the number of copies, and whether it may be turned over."""

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> Sequence[Cell]: ...

    @property
    def copies(self) -> int: ...

    @property
    def flip(self) -> bool: ...


class Puzzle(Protocol):
    """What the verifier reads of a puzzle, which is what its file says."""

    @property
    def cells(self) -> Sequence[Cell]: ...

    @property
    def labels(self) -> Mapping[str, Label]: ...

    @property
    def drawn(self) -> Sequence[Piece]: ...


# Rows of the matrices of the square's symmetries: rotations, then reflections.
_TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
_MIRRORS = ((1, 0, 0, -1), (-1, 0, 0, 1), (0, 1, 1, 0), (0, -1, -1, 0))


def _at_origin(cells: Sequence[Cell]) -> frozenset[Cell]:
    top = min(r for r, _ in cells)
    left = min(c for _, c in cells)
    return frozenset((r - top, c - left) for r, c in cells)


def _faces(shape: Sequence[Cell], flip: bool) -> set[frozenset[Cell]]:
    """Return all that a drawing may look like, moved to the origin."""
    return {
        _at_origin([(a * r + b * c, d * r + e * c) for r, c in shape])
        for a, b, d, e in (_TURNS + _MIRRORS if flip else _TURNS)
    }


class Verifier:
    """Checks tilings of one puzzle and one reveal."""

    def __init__(self, puzzle: Puzzle, reveal: Sequence[str]) -> None:
        self._board = frozenset(puzzle.cells)
        self._revealed = {cell for text in reveal for cell in puzzle.labels[text].cells}
        self._to_cover = self._board - self._revealed
        # Pieces with the same set of orientations count as copies of the first of them.
        self._looks: dict[str, set[frozenset[Cell]]] = {}
        self._first: dict[str, str] = {}
        self._copies: dict[str, int] = {}
        for piece in puzzle.drawn:
            faces = _faces(piece.shape, piece.flip)
            same = [name for name, looks in self._looks.items() if looks == faces]
            first = same[0] if same else piece.name
            self._looks.setdefault(first, faces)
            self._first[piece.name] = first
            self._copies[first] = self._copies.get(first, 0) + piece.copies

    def fault(self, tiling: Iterable[Placement]) -> str | None:
        """Return why a list of placements is not a tiling; None if it is one."""
        covered: set[Cell] = set()
        used = dict.fromkeys(self._copies, 0)
        for placed in tiling:
            name = self._first.get(placed.piece)
            if name is None:
                return f"there is no piece {placed.piece}"
            for cell in placed.cells:
                where = f"{placed.piece} covers r{cell[0]}c{cell[1]}"
                if cell not in self._board:
                    return f"{where}, which is not on the board"
                if cell in self._revealed:
                    return f"{where}, which the reveal leaves uncovered"
                if cell in covered:
                    return f"{where}, which is covered already"
                covered.add(cell)
            if not placed.cells or _at_origin(placed.cells) not in self._looks[name]:
                return (
                    f"the cells of {placed.piece} are not a rotated or flipped copy of its drawing"
                )
            used[name] += 1
        for name, copies in self._copies.items():
            if used[name] != copies:
                return f"{name} is used {used[name]} times, not {copies}"
        missing = sorted(self._to_cover - covered)
        if missing:
            return f"r{missing[0][0]}c{missing[0][1]} is not covered"
        return None
