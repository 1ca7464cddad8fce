"""The formula that a certificate's proofs refute, built from the puzzle file.

Nothing here is shared with satcal's shapes, placements or encoders. Placements are numbered
in the order of the pieces in the file (pieces that look alike are copies of the
first), then orientation (as drawn, its clockwise turns, then those of its mirror image; equal
ones once), then the row and the column of the upper left corner of its frame. Variable i is
the i-th placement on the cells to be covered. Every tiling that is not listed satisfies every
clause here and breaks no exclusion, so a proof that no assignment is left shows that no other
tiling is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from satcal.errors import CertificateRefused, TooLarge

if TYPE_CHECKING:
    from satcal.puzzle.model import Puzzle

Cell = tuple[int, int]
Placed = tuple[str, frozenset[Cell]]
"""A piece's name and the cells that it covers."""
Cube = tuple[tuple[Cell, Placed], ...]
"""Choices, one after the other: the chosen cell, and the placement that covers it."""

MAX_PLACEMENTS = 20_000  # their exclusions are a matrix of bits: 50 MB


@dataclass(frozen=True)
class Task:
    """Cells to be covered by pieces, each as often as stated: a puzzle, or a cube."""

    cells: frozenset[Cell]
    copies: tuple[tuple[str, tuple[frozenset[Cell], ...], int], ...]

    def placements(self) -> list[Placed]:
        """Return all placements on the cells, in the order that numbers the variables.

        Raises TooLarge if there are more than ``MAX_PLACEMENTS``.
        """
        placements: list[Placed] = []
        rows = range(1 + max((row for row, _ in self.cells), default=-1))
        columns = range(1 + max((column for _, column in self.cells), default=-1))
        for name, looks, copies in self.copies:
            for look in looks if copies else ():
                for row in rows:
                    for column in columns:
                        cells = frozenset((row + r, column + c) for r, c in look)
                        if cells <= self.cells:
                            placements.append((name, cells))
            if len(placements) > MAX_PLACEMENTS:
                raise TooLarge(f"the puzzle has more than {MAX_PLACEMENTS} placements")
        return placements

    def without(self, placed: Placed) -> Task:
        """Return what remains to be done after a placement."""
        name, cells = placed
        return Task(
            self.cells - cells,
            tuple((n, looks, k - (n == name)) for n, looks, k in self.copies),
        )


def task(puzzle: Puzzle, reveal: Sequence[str]) -> Task:
    """Return the task of a puzzle file and a reveal."""
    free = set(puzzle.cells).difference(*(puzzle.labels[text].cells for text in reveal))
    pieces: dict[frozenset[frozenset[Cell]], tuple[str, tuple[frozenset[Cell], ...], int]] = {}
    for piece in puzzle.drawn:
        looks = _looks(piece.shape, piece.flip)
        key = frozenset(looks)
        name, first, known = pieces.get(key, (piece.name, looks, 0))
        pieces[key] = (name, first, known + piece.copies)
    return Task(frozenset(free), tuple(pieces.values()))


def _looks(shape: Sequence[Cell], flip: bool) -> tuple[frozenset[Cell], ...]:
    """Return all that a drawing may look like, moved to the origin."""
    looks: dict[frozenset[Cell], None] = {}
    mirrored = [(row, -column) for row, column in shape]
    for face in (shape, mirrored) if flip else (shape,):
        turned = list(face)
        for _ in range(4):
            top = min(row for row, _ in turned)
            left = min(column for _, column in turned)
            looks[frozenset((row - top, column - left) for row, column in turned)] = None
            turned = [(column, -row) for row, column in turned]  # clockwise
    return tuple(looks)


class Clause(NamedTuple):
    """A disjunction as two sets of variables, whose bit v stands for v."""

    positive: int
    negative: int


@dataclass(frozen=True)
class Formula:
    """What is refuted: clauses, numbered from 1, and what a true placement excludes.

    Sets of placements are integers: bit i stands for the i-th placement, counted from 0.
    ``sharing`` holds per placement the others that share a cell with it, ``rivals`` all
    placements of its piece with the number of copies: when so many are true, the others are not.
    """

    placements: list[Placed]
    sharing: list[int]
    rivals: list[tuple[int, int]]
    clauses: list[Clause]


def formula(todo: Task, cube: Cube, tilings: Sequence[frozenset[Placed]]) -> Formula:
    """Return the formula of what a cube leaves to be done.

    Its clauses: for each cell, row by row, one of the placements that cover it; for each piece
    one of its placements; for each listed tiling that contains the cube's placements not all of
    its other placements.
    """
    placements = todo.placements()
    bits = {placed: 1 << number for number, placed in enumerate(placements)}
    covering = dict.fromkeys(sorted(todo.cells), 0)
    of_piece = {name: 0 for name, _, copies in todo.copies if copies}
    for (name, cells), bit in bits.items():
        of_piece[name] |= bit
        for cell in cells:
            covering[cell] |= bit
    copies = {name: number for name, _, number in todo.copies}
    sharing = []
    for (_, cells), bit in bits.items():
        others = 0
        for cell in cells:
            others |= covering[cell]
        sharing.append(others & ~bit)
    chosen = frozenset(placed for _, placed in cube)
    clauses = [Clause(some, 0) for some in (*covering.values(), *of_piece.values())]
    clauses += (
        Clause(0, sum(bits[placed] for placed in tiling - chosen))
        for tiling in tilings
        if chosen <= tiling
    )
    rivals = [(of_piece[name], copies[name]) for name, _ in placements]
    return Formula(placements, sharing, rivals, clauses)


def cubes_cover(todo: Task, cubes: Sequence[Cube]) -> list[Task]:
    """Return the remaining task of each cube, if together they cover all tilings.

    At each level every cube chooses for the same cell, and each placement that covers this
    cell is chosen. Raises CertificateRefused if one is missing, there twice, or none of
    this task.
    """
    rests: list[Task] = []
    stack = [(todo, list(cubes), 0)]  # no recursion: a stranger's cube may have a thousand choices
    while stack:
        rest, group, depth = stack.pop()
        if len(group) == 1 and len(group[0]) == depth:
            rests.append(rest)
            continue
        for placed, taking in reversed(_by_choice(rest, group, depth)):
            stack.append((rest.without(placed), taking, depth + 1))
    return rests


def _by_choice(todo: Task, cubes: list[Cube], depth: int) -> list[tuple[Placed, list[Cube]]]:
    """Return each placement over the cell that all cubes choose for, with the cubes that take it.

    Raises CertificateRefused as :func:`cubes_cover` does.
    """
    cells = {cube[depth][0] if depth < len(cube) else None for cube in cubes}
    cell = next(iter(cells), None)
    if len(cells) != 1 or cell is None:
        raise CertificateRefused("cubes: they do not choose for the same cell")
    name = f"r{cell[0]}c{cell[1]}"
    choices = [
        (placed, [cube for cube in cubes if cube[depth][1] == placed])
        for placed in todo.placements()
        if cell in placed[1]
    ]
    for placed, taking in choices:
        if not taking:
            raise CertificateRefused(f"cubes: there is none for {placed[0]} over {name}")
    if [cube for _, taking in choices for cube in taking] != cubes:
        raise CertificateRefused(f"cubes: those over {name} are not in order, or one too many")
    return choices
