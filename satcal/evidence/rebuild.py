"""The formula that a certificate's proofs refute, built from the puzzle file by own few lines.

Nothing here is shared with satcal's shapes, placements or encoders. What is numbered how:
placements in the order of the pieces in the file (pieces that look alike are copies of the
first), then orientation (as drawn, its clockwise turns, then those of its mirror image; equal
ones once), then the row and the column of the upper left corner of its frame. Variable i is
the i-th placement on the cells to be covered. Every tiling satisfies every clause here, so a
proof that no model is left, but those that are blocked, proves that no tiling is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from satcal.errors import CertificateRefused, TooLarge
from satcal.evidence.verifier import PuzzleFile

Cell = tuple[int, int]
Clause = tuple[int, ...]
Placed = tuple[str, frozenset[Cell]]
"""A piece's name and the cells that it covers."""

MAX_CLAUSES = 5_000_000


@dataclass(frozen=True)
class Task:
    """Cells to be covered by pieces, each used as often as stated: a puzzle, or a cube of it."""

    cells: frozenset[Cell]
    copies: tuple[tuple[str, tuple[frozenset[Cell], ...], int], ...]

    def placements(self) -> list[Placed]:
        """Return all placements on the cells, in the order that numbers the variables."""
        if not self.cells:
            return []
        rows = range(1 + max(row for row, _ in self.cells))
        columns = range(1 + max(column for _, column in self.cells))
        return [
            (name, cells)
            for name, looks, copies in self.copies
            if copies
            for look in looks
            for row in rows
            for column in columns
            if (cells := frozenset((row + r, column + c) for r, c in look)) <= self.cells
        ]

    def without(self, placed: Placed) -> Task:
        """Return what remains to be done after a placement."""
        name, cells = placed
        return Task(
            self.cells - cells,
            tuple((n, looks, k - (n == name)) for n, looks, k in self.copies),
        )


def task(puzzle: PuzzleFile, reveal: Sequence[str]) -> Task:
    """Return the task of a puzzle file and a reveal."""
    free = set(puzzle.cells).difference(*(puzzle.labels[text].cells for text in reveal))
    pieces: dict[frozenset[frozenset[Cell]], tuple[str, tuple[frozenset[Cell], ...], int]] = {}
    for piece in puzzle.drawn:
        looks = _looks(piece.shape, piece.flip)
        key = frozenset(looks)
        name, _, known = pieces.get(key, (piece.name, looks, 0))
        pieces[key] = (name, pieces[key][1] if key in pieces else looks, known + piece.copies)
    return Task(frozenset(free), tuple(pieces.values()))


def _looks(shape: Iterable[Cell], flip: bool) -> tuple[frozenset[Cell], ...]:
    """Return what a drawing may look like, its frame's upper left corner at the origin.

    A cell is the complex number column + row * i; with rows downwards, times i is a clockwise
    turn, and the conjugate of -x mirrors left to right.
    """
    drawn = [complex(column, row) for row, column in shape]
    found: dict[frozenset[Cell], None] = {}
    for face in (drawn, [-x.conjugate() for x in drawn])[: 2 if flip else 1]:
        for turns in range(4):
            turned = [x * 1j**turns for x in face]
            left, top = min(x.real for x in turned), min(x.imag for x in turned)
            found.setdefault(frozenset((round(x.imag - top), round(x.real - left)) for x in turned))
    return tuple(found)


def formula(todo: Task, placements: Sequence[Placed]) -> list[Clause]:
    """Return the plain encoding of a task: no auxiliary variable, no clause twice.

    At least one placement per cell and per piece, no two that share a cell or the only copy of
    a piece, and of a piece with k copies no k + 1 that share no cell.

    Raises:
        TooLarge: more than ``MAX_CLAUSES`` clauses.
    """
    cells, single = sorted(todo.cells), {name: k == 1 for name, _, k in todo.copies}
    owner = np.array([name for name, _ in placements], dtype=object)
    covers = np.array([[cell in mine for cell in cells] for _, mine in placements], bool)
    covers = covers.reshape(len(placements), len(cells))
    groups = [covers[:, index] for index in range(len(cells))]
    groups += [owner == name for name, _, copies in todo.copies if copies]
    clauses = list(dict.fromkeys(tuple((np.flatnonzero(g) + 1).tolist()) for g in groups))
    conflict = np.zeros((len(placements), len(placements)), bool)
    for together in [*groups[: len(cells)], *(owner == name for name in single if single[name])]:
        conflict[np.ix_(together, together)] = True
    pairs = -1 - np.argwhere(np.triu(conflict, 1))
    if len(pairs) > MAX_CLAUSES:
        raise TooLarge(f"a formula of more than {MAX_CLAUSES} clauses")
    clauses += map(tuple, pairs.tolist())
    for name, _, copies in todo.copies:
        if copies > 1:
            mine = [number for number, (n, _) in enumerate(placements, 1) if n == name]
            clauses += _apart(mine, copies + 1, placements)
    return clauses


def _apart(numbers: Sequence[int], size: int, placements: Sequence[Placed]) -> Iterator[Clause]:
    """Yield a clause against each set of so many placements of which no two share a cell."""
    steps = 0
    stack: list[tuple[Clause, frozenset[Cell], int]] = [((), frozenset(), 0)]
    while stack:
        chosen, covered, start = stack.pop()
        for index in range(start, len(numbers)):
            steps += 1
            if steps > MAX_CLAUSES:
                raise TooLarge("a piece has too many copies for a plain formula")
            number, cells = numbers[index], placements[numbers[index] - 1][1]
            if covered & cells:
                continue
            if len(chosen) == size - 1:
                yield (*chosen, -number)
            else:
                stack.append(((*chosen, -number), covered | cells, index + 1))


Cube = tuple[tuple[Cell, Placed], ...]
"""Choices, one after the other: the chosen cell, and the placement that covers it."""


def cubes_cover(todo: Task, cubes: Sequence[Cube]) -> list[Task]:
    """Return the remaining task of each cube, if together they cover all tilings.

    At each level every cube chooses for the same cell, and each placement that covers this
    cell is chosen.

    Raises:
        CertificateRefused: a placement is missing, there twice, or none of this task.
    """
    found: list[Task] = []
    stack = [(todo, list(cubes), 0)]  # no recursion: a stranger's cube may have a thousand choices
    while stack:
        rest, mine, depth = stack.pop()
        if len(mine) == 1 and len(mine[0]) == depth:
            found.append(rest)
            continue
        parts = _by_choice(rest, mine, depth)
        stack += [(rest.without(chosen), its, depth + 1) for chosen, its in reversed(parts)]
    return found


def _by_choice(todo: Task, cubes: Sequence[Cube], depth: int) -> list[tuple[Placed, list[Cube]]]:
    """Return each placement over the cell that all cubes choose for, with the cubes that take it.

    Raises:
        CertificateRefused: as :func:`cubes_cover`.
    """
    if any(len(cube) <= depth for cube in cubes) or len({cube[depth][0] for cube in cubes}) != 1:
        raise CertificateRefused("cubes: they do not choose for the same cell")
    cell = cubes[0][depth][0]
    name = f"r{cell[0]}c{cell[1]}"
    if cell not in todo.cells:
        raise CertificateRefused(f"cubes: {name} is no cell that is still to be covered")
    found: list[tuple[Placed, list[Cube]]] = []
    rest = list(cubes)
    for placed in (each for each in todo.placements() if cell in each[1]):
        its = [cube for cube in rest if cube[depth][1] == placed]
        if not its or rest[: len(its)] != its:
            raise CertificateRefused(
                f"cubes: no cube, or not in order, for {placed[0]} over {name}"
            )
        rest = rest[len(its) :]
        found.append((placed, its))
    if rest:
        raise CertificateRefused(f"cubes: {rest[0][depth][1][0]} over {name} is there twice")
    return found
