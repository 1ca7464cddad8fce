"""Placements of pieces on a board, and the exact cover problem they make (Knuth, TAOCP 7.2.2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.puzzle.model import Label, Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell

Option = Placement | Label


def placements(puzzle: Puzzle, free: Iterable[Cell]) -> Iterator[Placement]:
    """Yield the placements on the free cells in canonical order.

    Canonical order: pieces in file order, then orientation, row, column.
    """
    allowed = frozenset(free)
    corners = [(row, column) for row in range(puzzle.rows) for column in range(puzzle.columns)]
    for piece in puzzle.pieces:
        for shape in piece.orientations:
            for top, left in corners:
                cells = tuple((top + row, left + column) for row, column in shape)
                if allowed.issuperset(cells):
                    yield Placement(piece.name, cells)


@dataclass(frozen=True)
class Cover:
    """What is to be covered, and the options that may cover it.

    ``cells`` are in row-major order. With a reveal its cells are left out; without one the
    cover is *open*: every cell is in it, and each label is an option that covers its cells,
    one per category, so that the exact covers are the tilings of all reveals.
    """

    puzzle: Puzzle
    reveal: Reveal | None
    cells: tuple[Cell, ...]
    options: tuple[Option, ...]

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """The options that are placements; they come first."""
        return tuple(option for option in self.options if isinstance(option, Placement))

    @cached_property
    def by_cell(self) -> dict[Cell, list[int]]:
        """Per cell the indices (0-based) of the options that cover it."""
        index: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for number, option in enumerate(self.options):
            for cell in option.cells:
                index[cell].append(number)
        return index

    @cached_property
    def items(self) -> list[tuple[str, int, list[int]]]:
        """Per piece, then per category of an open cover: name, copies, indices of its options."""
        pieces: dict[str, list[int]] = {piece.name: [] for piece in self.puzzle.pieces}
        labels: dict[str, list[int]] = {}
        if self.reveal is None:
            labels = {category: [] for category in self.puzzle.categories}
        for number, option in enumerate(self.options):
            if isinstance(option, Placement):
                pieces[option.piece].append(number)
            else:
                labels[option.category].append(number)
        copies = {piece.name: piece.copies for piece in self.puzzle.pieces}
        return [(name, copies[name], found) for name, found in pieces.items()] + [
            (category, 1, found) for category, found in labels.items()
        ]

    @cached_property
    def item_of(self) -> list[int]:
        """Per option the index of its item in ``items``."""
        owner = [0] * len(self.options)
        for number, (_, _, found) in enumerate(self.items):
            for option in found:
                owner[option] = number
        return owner

    def tiling(self, chosen: Iterable[int]) -> Tiling:
        """Return the placements among the chosen option indices, in canonical order."""
        picked = (self.options[number] for number in sorted(chosen))
        order = {piece.name: number for number, piece in enumerate(self.puzzle.pieces)}
        found = [option for option in picked if isinstance(option, Placement)]
        return tuple(sorted(found, key=lambda p: (order[p.piece], p.cells)))


def cover(puzzle: Puzzle, reveal: Reveal | None) -> Cover:
    """Return the cover of a reveal, or for None the open cover of all reveals."""
    if reveal is not None:
        hidden = puzzle.uncovered(reveal)
        cells = tuple(cell for cell in puzzle.cells if cell not in hidden)
        return Cover(puzzle, reveal, cells, tuple(placements(puzzle, cells)))
    labels = [puzzle.labels[text] for texts in puzzle.categories.values() for text in texts]
    return Cover(puzzle, None, puzzle.cells, (*placements(puzzle, puzzle.cells), *labels))


def keep(whole: Cover, allowed: Sequence[bool]) -> Cover:
    """Return the cover with only those options whose entry is true."""
    kept = tuple(o for o, allow in zip(whole.options, allowed, strict=True) if allow)
    return replace(whole, options=kept)


def number_of_placements(puzzle: Puzzle) -> int:
    """Return how many placements the open board has, of all pieces together."""
    return len(cover(puzzle, None).options) - len(puzzle.labels)
