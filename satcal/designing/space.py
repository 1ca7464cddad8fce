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
"""Names of pieces in the order of the pool; a piece with copies occurs several times."""


@dataclass(frozen=True)
class Space:
    """All sets of pieces for a board that obey rules.

    A set takes its pieces from ``pool``, contains all of ``must``, and contains a piece at most
    ``copies`` times. ``mixes`` lists the allowed numbers of pieces by size, such as
    ``{5: 7, 6: 1}`` for seven of five squares and one of six.
    """

    board: Puzzle
    mixes: tuple[Mapping[int, int], ...]
    pool: Mapping[str, Piece]
    must: PieceSet = ()
    copies: int = 1

    @cached_property
    def _pool_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.pool)}

    def sort_names(self, names: Iterable[str]) -> PieceSet:
        """Return names in the order of the pool."""
        return tuple(sorted(names, key=self._pool_index.__getitem__))

    @cached_property
    def _parts(self) -> list[list[tuple[dict[str, int], int]]]:
        """The parts of each mix that some set has, one part for each size.

        A part is the most copies of each piece of this size, and the number of pieces to choose,
        both in addition to ``must``.
        """
        must_copies, parts_of_mixes = Counter(self.must), []
        must_sizes = Counter(self.pool[name].area for name in self.must)
        limits: dict[int, dict[str, int]] = {}
        for name, piece in self.pool.items():
            limits.setdefault(piece.area, {})[name] = self.copies - must_copies[name]
        for mix in self.mixes:
            numbers = {size: mix.get(size, 0) - must_sizes[size] for size in (*mix, *must_sizes)}
            parts = [(limits.get(size, {}), number) for size, number in numbers.items()]
            if min(numbers.values()) >= 0 and all(itertools.starmap(_count_multisets, parts)):
                parts_of_mixes.append(parts)
        return parts_of_mixes

    def __len__(self) -> int:
        """Return the number of sets."""
        return sum(math.prod(itertools.starmap(_count_multisets, parts)) for parts in self._parts)

    def __iter__(self) -> Iterator[PieceSet]:
        """Yield every set once, in a fixed order."""
        for parts in self._parts:
            for choice in itertools.product(*itertools.starmap(_list_multisets, parts)):
                yield self.sort_names((*self.must, *itertools.chain.from_iterable(choice)))

    def random_set(self, generator: random.Random) -> PieceSet:
        """Return a random set."""
        names = list(self.must)
        for limits, number in generator.choice(self._parts):
            names += generator.sample(list(Counter(limits).elements()), number)
        return self.sort_names(names)

    def random_neighbour(self, pieces: PieceSet, generator: random.Random) -> PieceSet:
        """Return a random set that differs from ``pieces`` in one piece, which is not in ``must``.

        With several mixes the sets may differ in two pieces, so that another mix can be reached.
        If 1,000 attempts fail, return any random set.
        """
        optional = list((Counter(pieces) - Counter(self.must)).elements())
        number = 1 if len(self.mixes) == 1 else min(2, len(optional))
        for _ in range(1000):
            old_names = generator.sample(optional, number)
            new_names = [generator.choice(list(self.pool)) for _ in old_names]
            candidate = Counter(pieces) - Counter(old_names) + Counter(new_names)
            names = list(candidate.elements())
            mix = dict(Counter(self.pool[name].area for name in names))
            if (
                mix in self.mixes
                and new_names != old_names
                and max(candidate.values()) <= self.copies
            ):
                return self.sort_names(names)
        return self.random_set(generator)

    def puzzle(self, pieces: PieceSet, name: str = "design") -> Puzzle:
        """Return the board with a set of pieces."""
        chosen = tuple(
            replace(self.pool[name], copies=copies) for name, copies in Counter(pieces).items()
        )
        title = f"{self.board.title or self.board.name}, other pieces"
        return replace(self.board, name=name, title=title, designer="", source="", drawn=chosen)


def _list_multisets(limits: Mapping[str, int], number: int) -> list[PieceSet]:
    """Return the multisets of ``number`` names, each name at most as often as its limit."""
    names = [name for name in limits if limits[name]]
    multisets = itertools.combinations_with_replacement(names, number)
    return [
        names for names in multisets if all(n <= limits[name] for name, n in Counter(names).items())
    ]


def _count_multisets(limits: Mapping[str, int], number: int) -> int:
    """Return the length of :func:`_list_multisets`.

    It is the coefficient of x^number in the product of 1 + x + … + x^limit over all limits.
    """
    coefficients = [1] + [0] * number
    for limit in limits.values():
        coefficients = [sum(coefficients[max(0, n - limit) : n + 1]) for n in range(number + 1)]
    return coefficients[number]


def parse_sizes(text: str) -> list[tuple[int, int | None]]:
    """Parse ``7x5,1x6`` (seven pieces of five squares, one of six), ``5,6`` or ``4-6``.

    Return pairs of a size and a number of pieces, or None for any number.
    """
    sizes: list[tuple[int, int | None]] = []
    for part in filter(None, re.split(r"[,\s]+", text)):
        match = re.fullmatch(r"(?:(\d{1,4})x)?(\d{1,2})(?:-(\d{1,2}))?", part)
        if not match or (match[1] and match[3]):
            raise OptionError(
                f"--sizes '{part}': write 7x5,1x6 for seven pieces of five squares and one of six, "
                "or 4-6 for any number of those sizes"
            )
        first, last = int(match[2]), int(match[3] or match[2])
        sizes += [(size, int(match[1]) if match[1] else None) for size in range(first, last + 1)]
    if len({size for size, _ in sizes}) < len(sizes):
        raise OptionError(f"--sizes '{text}': a size is given twice; give each once")
    return sizes


def sizes_of(board: Puzzle) -> list[tuple[int, int | None]]:
    """Return the sizes of the board's own pieces, with their numbers."""
    numbers = Counter[int]()
    for piece in board.pieces:
        numbers[piece.area] += piece.copies
    return [*numbers.items()]


def suggest_sizes(area: int) -> str:
    """Return options with which some sets have the area, without copies."""
    number = area // 5 if area <= MAX_FIVES * 5 else -(-area // 6)
    return f"--sizes 5,6 --number {number}" if 5 * number <= area <= 6 * number else "--sizes 1-8"


def build_space(
    board: Puzzle,
    sizes: Sequence[tuple[int, int | None]],
    number: int | None = None,
    allowed: Sequence[str] = (),
    must: Sequence[str] = (),
    must_not: Sequence[str] = (),
    copies: int = 1,
    flip: bool = True,
) -> Space:
    """Return the sets of polyominoes that have the area to cover; ignore the board's own pieces.

    ``sizes`` pairs each size with its number of pieces, or None for any; ``number`` is the total.
    ``allowed`` names the pieces to choose from (empty: all), ``must`` those of every set,
    ``must_not`` those of no set. ``copies`` is the most copies of a piece in a set. Without
    ``flip``, both mirror images of a piece are in the pool.

    Raises:
        OptionError: options that contradict each other, or sizes that cannot make up the area.
        UnknownName: there is no polyomino of that name in these sizes.
    """
    if any(not 1 <= size <= MAX_SIZE for size, _ in sizes):
        raise OptionError(f"--sizes: polyominoes have 1 to {MAX_SIZE} squares here")
    pool = {
        name: Piece(name, shape, flip=flip)
        for size in sorted({size for size, _ in sizes})
        for name, shape in list_polyominoes(size, flip).items()
    }
    for name in (*allowed, *must, *must_not):
        if name not in pool:
            raise UnknownName(
                f"there is no polyomino '{name}' of these sizes; satcal design --list names them"
                + did_you_mean(name, pool)
            )
    for name in must:
        if name in must_not:
            raise OptionError(f"{name} is in both --must and --must-not")
        if must.count(name) > copies:
            raise OptionError(
                f"--must has {name} {must.count(name)} times, but --copies is {copies}"
            )
    names = {*(allowed or pool), *must}.difference(must_not)
    pool = {name: piece for name, piece in pool.items() if name in names}
    space = Space(board, tuple(_list_mixes(sizes, number, board.area)), pool, tuple(must), copies)
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
