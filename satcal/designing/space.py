"""The sets of pieces that a search can try: their number, all of them, or random ones."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.designing.polyominoes import MAX_SIZE, list_polyominoes
from satcal.errors import OptionError, UnknownName, did_you_mean
from satcal.puzzle.model import Piece, Puzzle

MAX_FIVES = 12  # pentominoes
PieceSet = tuple[str, ...]
"""Names of different pieces in the order of the pool."""
Sizes = Mapping[int, int | None]
"""The number of pieces of each size, or None for any number."""


@dataclass(frozen=True)
class Space:
    """All sets of different pieces for a board that obey rules.

    A set takes its pieces from ``pool`` and contains all of ``must``. ``mixes`` lists the allowed
    numbers of pieces by size, such as ``{5: 7, 6: 1}`` for seven of five squares and one of six.
    """

    board: Puzzle
    mixes: tuple[Mapping[int, int], ...]
    pool: Mapping[str, Piece]
    must: PieceSet = ()

    @cached_property
    def _pool_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.pool)}

    def sort_names(self, names: Iterable[str]) -> PieceSet:
        """Return names in the order of the pool."""
        return tuple(sorted(names, key=self._pool_index.__getitem__))

    @cached_property
    def _parts(self) -> list[list[tuple[list[str], int]]]:
        """The parts of each mix that some set has, one part for each size.

        A part is the pieces of this size and the number of them to choose, both besides ``must``.
        """
        must_sizes, parts_of_mixes = Counter(self.pool[name].area for name in self.must), []
        optional: dict[int, list[str]] = {}
        for name, piece in self.pool.items():
            if name not in self.must:
                optional.setdefault(piece.area, []).append(name)
        for mix in self.mixes:
            numbers = {size: mix.get(size, 0) - must_sizes[size] for size in (*mix, *must_sizes)}
            parts = [(optional.get(size, []), number) for size, number in numbers.items()]
            if all(0 <= number <= len(names) for names, number in parts):
                parts_of_mixes.append(parts)
        return parts_of_mixes

    def __len__(self) -> int:
        """Return the number of sets."""
        return sum(
            math.prod(math.comb(len(names), number) for names, number in parts)
            for parts in self._parts
        )

    def __iter__(self) -> Iterator[PieceSet]:
        """Yield every set once, in a fixed order."""
        for parts in self._parts:
            for choice in itertools.product(*itertools.starmap(itertools.combinations, parts)):
                yield self.sort_names((*self.must, *itertools.chain.from_iterable(choice)))

    def random_set(self, generator: random.Random) -> PieceSet:
        """Return a random set."""
        names = list(self.must)
        for optional, number in generator.choice(self._parts):
            names += generator.sample(optional, number)
        return self.sort_names(names)

    def random_neighbour(self, pieces: PieceSet, generator: random.Random) -> PieceSet:
        """Return a random set that differs from ``pieces`` in one piece, which is not in ``must``.

        With several mixes the sets may differ in two pieces, so that another mix can be reached.
        If 1,000 attempts fail, return any random set.
        """
        optional = [name for name in pieces if name not in self.must]
        number = 1 if len(self.mixes) == 1 else min(2, len(optional))
        for _ in range(1000):
            old_names = generator.sample(optional, number)
            new_names = [generator.choice(list(self.pool)) for _ in old_names]
            names = {*pieces}.difference(old_names).union(new_names)
            mix = dict(Counter(self.pool[name].area for name in names))
            if mix in self.mixes and new_names != old_names and len(names) == len(pieces):
                return self.sort_names(names)
        return self.random_set(generator)

    def puzzle(self, pieces: PieceSet, name: str = "design") -> Puzzle:
        """Return the board with a set of pieces."""
        chosen = tuple(map(self.pool.__getitem__, pieces))
        title = f"{self.board.title or self.board.name}, other pieces"
        return replace(self.board, name=name, title=title, designer="", source="", drawn=chosen)


def parse_sizes(text: str) -> Sizes:
    """Parse ``7x5,1x6`` (seven pieces of five squares, one of six), ``5,6`` or ``4-6``."""
    sizes: dict[int, int | None] = {}
    for part in filter(None, re.split(r"[,\s]+", text)):
        match = re.fullmatch(r"(?:(\d{1,4})x)?(\d{1,2})(?:-(\d{1,2}))?", part)
        if not match or (match[1] and match[3]):
            raise OptionError(
                f"--sizes '{part}': write 7x5,1x6 for seven pieces of five squares and one of six, "
                "or 4-6 for any number of those sizes"
            )
        first, last = int(match[2]), int(match[3] or match[2])
        for size in range(first, last + 1):
            if size in sizes:
                raise OptionError(f"--sizes '{text}': a size is given twice; give each once")
            sizes[size] = int(match[1]) if match[1] else None
    return sizes


def sizes_of(board: Puzzle) -> Sizes:
    """Return the sizes of the board's own pieces, with their numbers."""
    return Counter(piece.area for piece in board.pieces for _ in range(piece.copies))


def suggest_sizes(area: int) -> str:
    """Return options with which some sets have the area."""
    number = area // 5 if area <= MAX_FIVES * 5 else -(-area // 6)
    return f"--sizes 5,6 --number {number}" if 5 * number <= area <= 6 * number else "--sizes 1-8"


def build_space(
    board: Puzzle,
    sizes: Sizes,
    number: int | None = None,
    allowed: Sequence[str] = (),
    must: Sequence[str] = (),
) -> Space:
    """Return the sets of polyominoes that have the area to cover; ignore the board's own pieces.

    ``number`` is the total number of pieces.
    ``allowed`` names the pieces to choose from (empty: all), ``must`` those of every set.

    Raises:
        OptionError: sizes that cannot make up the area.
        UnknownName: there is no polyomino of that name in these sizes.
    """
    if any(not 1 <= size <= MAX_SIZE for size in sizes):
        raise OptionError(f"--sizes: polyominoes have 1 to {MAX_SIZE} squares here")
    pool = {
        name: Piece(name, shape)
        for size in sorted(sizes)
        for name, shape in list_polyominoes(size).items()
    }
    for name in (*allowed, *must):
        if name not in pool:
            raise UnknownName(
                f"there is no polyomino '{name}' of these sizes; satcal design --list names them"
                + did_you_mean(name, pool)
            )
    names = {*(allowed or pool), *must}
    pool = {name: piece for name, piece in pool.items() if name in names}
    mixes = tuple(_list_mixes([*sizes.items()], number, board.area))
    space = Space(board, mixes, pool, tuple(dict.fromkeys(must)))
    if not len(space):
        raise OptionError(
            f"--sizes: no set of these sizes has the {board.area} squares that {board.name} leaves "
            f"to cover; {suggest_sizes(board.area)} has sets"
        )
    return space


def _list_mixes(
    sizes: Sequence[tuple[int, int | None]], number: int | None, area: int
) -> Iterator[dict[int, int]]:
    """Yield each choice of numbers of pieces by size that adds up to the area."""
    if not sizes:
        if not area and not number:
            yield {}
        return
    (size, size_number), *other_sizes = sizes
    for n in range(area // size + 1) if size_number is None else [size_number]:
        remainder = None if number is None else number - n
        if n * size <= area and (remainder is None or remainder >= 0):
            for mix in _list_mixes(other_sizes, remainder, area - n * size):
                yield ({size: n} if n else {}) | mix
