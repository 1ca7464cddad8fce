"""The sets of pieces that a search goes through: how many there are, all of them, some of them."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.design.polyominoes import LARGEST, polyominoes
from satcal.errors import OptionError, UnknownName, did_you_mean
from satcal.puzzle.model import Piece, Puzzle

PieceSet = tuple[str, ...]
"""Names of pieces in the order of the pool, copies one after another."""


@dataclass(frozen=True)
class Space:
    """All sets of pieces for a board that obey some rules.

    ``mixes`` holds what numbers of which sizes are allowed, such as ``{5: 7, 6: 1}``; ``must``
    are in every set; a piece is in a set at most ``copies`` times.
    """

    board: Puzzle
    mixes: tuple[Mapping[int, int], ...]
    pool: Mapping[str, Piece]
    must: PieceSet = ()
    copies: int = 1

    @cached_property
    def by_size(self) -> dict[int, list[str]]:
        """The names of the pool by size."""
        sizes: dict[int, list[str]] = {}
        for name, piece in self.pool.items():
            sizes.setdefault(piece.area, []).append(name)
        return sizes

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.pool)}

    def ordered(self, names: Sequence[str]) -> PieceSet:
        """Return names in the order of the pool."""
        return tuple(sorted(names, key=self._place.__getitem__))

    def _free(self, mix: Mapping[int, int]) -> dict[int, int] | None:
        """Return how many of each size are to be chosen beside those that must be there."""
        needed = Counter(self.pool[name].area for name in self.must)
        left = {size: number - needed[size] for size, number in mix.items()}
        return left if min(left.values()) >= 0 and needed.keys() <= mix.keys() else None

    def _room(self, size: int) -> list[int]:
        """Return how often each piece of a size may still be chosen."""
        chosen = Counter(self.must)
        return [self.copies - chosen[name] for name in self.by_size.get(size, ())]

    def __len__(self) -> int:
        """Return the number of sets."""
        total = 0
        for mix in self.mixes:
            free = self._free(mix)
            if free is not None:
                total += math.prod(_ways(self._room(size), number) for size, number in free.items())
        return total

    def __iter__(self) -> Iterator[PieceSet]:
        """Yield every set once, in a fixed order."""
        for mix in self.mixes:
            free = self._free(mix)
            if free is None:
                continue
            parts = [
                _chosen(self.by_size.get(size, []), self._room(size), number)
                for size, number in free.items()
            ]
            for chosen in itertools.product(*parts):
                yield self.ordered((*self.must, *itertools.chain.from_iterable(chosen)))

    def any(self, generator: random.Random) -> PieceSet:
        """Return some set."""
        mixes = [free for free in map(self._free, self.mixes) if free is not None]
        free = generator.choice(mixes)
        names = list(self.must)
        for size, number in free.items():
            several = zip(self.by_size.get(size, ()), self._room(size), strict=False)
            names += generator.sample([name for name, room in several for _ in range(room)], number)
        return self.ordered(names)

    def near(self, pieces: PieceSet, generator: random.Random) -> PieceSet:
        """Return a set that differs in one piece, which may not be one that must be there.

        With several mixes of sizes it may differ in two, so that another mix is reached.
        """
        fixed = Counter(self.must)
        loose = list((Counter(pieces) - fixed).elements())
        mixes = [dict(mix) for mix in self.mixes]
        for _ in range(1000):
            gone = generator.sample(loose, 1 if len(mixes) == 1 else min(2, len(loose)))
            kept = Counter(pieces) - Counter(gone)
            new = [generator.choice(list(self.pool)) for _ in gone]
            both = kept + Counter(new)
            sizes = Counter(self.pool[name].area for name in both.elements())
            if dict(sizes) in mixes and max(both.values()) <= self.copies and new != gone:
                return self.ordered(list(both.elements()))
        return self.any(generator)

    def puzzle(self, pieces: PieceSet, name: str = "design") -> Puzzle:
        """Return the board with a set of pieces."""
        drawn = tuple(
            replace(self.pool[each], copies=copies) for each, copies in Counter(pieces).items()
        )
        title = f"{self.board.title or self.board.name}, other pieces"
        return replace(self.board, name=name, title=title, designer="", source="", drawn=drawn)


def _chosen(names: Sequence[str], room: Sequence[int], number: int) -> list[PieceSet]:
    """Return the multisets of a number of names, each at most as often as there is room."""
    most = dict(zip(names, room, strict=True))
    found = itertools.combinations_with_replacement([name for name in names if most[name]], number)
    return [each for each in found if all(n <= most[name] for name, n in Counter(each).items())]


def _ways(room: Sequence[int], number: int) -> int:
    """Return how many multisets there are: a coefficient of the product of 1 + x + … + x^room."""
    ways = [1] + [0] * number
    for most in room:
        ways = [sum(ways[max(0, n - most) : n + 1]) for n in range(number + 1)]
    return ways[number]


def space(
    board: Puzzle,
    sizes: Sequence[tuple[int, int | None]],
    number: int | None = None,
    allowed: Sequence[str] = (),
    must: Sequence[str] = (),
    must_not: Sequence[str] = (),
    copies: int = 1,
    flip: bool = True,
) -> Space:
    """Return the sets of polyominoes that fill a board.

    Args:
        board: its own pieces are left aside.
        sizes: each with the number of pieces that have it, or None: any.
        number: of pieces together, where a size has no number of its own.
        allowed: the names that may be used; none: all.
        must: names that every set has.
        must_not: names that no set has.
        copies: how often a piece may be in a set.
        flip: whether pieces may be turned over; if not, both hands of one are in the pool.

    Raises:
        OptionError: no such set can fill the board; the text says which areas could.
        UnknownName: there is no polyomino of that name in these sizes.
    """
    if any(not 1 <= size <= LARGEST for size, _ in sizes):
        raise OptionError(f"--sizes: polyominoes have 1 to {LARGEST} squares here")
    pool = {
        name: Piece(name, shape, flip=flip)
        for size in sorted({size for size, _ in sizes})
        for name, shape in polyominoes(size, flip).items()
    }
    for name in (*allowed, *must, *must_not):
        if name not in pool:
            raise UnknownName(
                f"no polyomino '{name}' of these sizes; satcal design --list names them"
                + did_you_mean(name, pool)
            )
    pool = {
        name: piece
        for name, piece in pool.items()
        if name not in must_not and (not allowed or name in allowed or name in must)
    }
    areas = {len(board.cells) - len(board.uncovered(reveal)) for reveal in board.reveals()}
    if len(areas) > 1:
        raise OptionError(f"{board.name}: its reveals leave different areas, so no set fills all")
    mixes = tuple(_mixes(sizes, number, areas.pop()))
    wanted = Space(board, mixes, pool, tuple(must), copies)
    if not len(wanted):
        area = len(board.cells) - len(board.uncovered(next(board.reveals())))
        raise OptionError(
            f"--sizes: no set of these sizes has the {area} squares that {board.name} leaves to "
            "cover; --sizes 5,6 --number 8 tries all mixes of eight pieces"
        )
    return wanted


def _mixes(
    sizes: Sequence[tuple[int, int | None]], number: int | None, area: int
) -> Iterator[dict[int, int]]:
    """Yield the numbers of pieces by size that make the area."""
    ranges = [
        range(area // size + 1) if fixed is None else range(fixed, fixed + 1)
        for size, fixed in sizes
    ]
    for numbers in itertools.product(*ranges):
        mix = {size: n for (size, _), n in zip(sizes, numbers, strict=True) if n}
        if sum(size * n for size, n in mix.items()) == area and number in (None, sum(numbers)):
            yield mix


def set_of(wanted: Space, puzzle: Puzzle) -> PieceSet | None:
    """Return the set of the space that has a puzzle's pieces, if it has them all."""
    names = {frozenset(piece.orientations): name for name, piece in wanted.pool.items()}
    pieces = [(names.get(frozenset(p.orientations)), p.copies) for p in puzzle.pieces]
    if any(name is None for name, _ in pieces):
        return None
    return wanted.ordered([name for name, copies in pieces if name for _ in range(copies)])
