"""The sets of pieces that a search goes through: how many there are, all of them, some of them."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.designing.polyominoes import LARGEST, polyominoes
from satcal.errors import OptionError, UnknownName, did_you_mean
from satcal.puzzle.model import Piece, Puzzle

PieceSet = tuple[str, ...]
"""Names of pieces in the order of the pool, copies one after another."""


@dataclass(frozen=True)
class Space:
    """All sets of pieces for a board that obey some rules.

    ``mixes`` holds each allowed combination, the number of pieces of each size, such as
    ``{5: 7, 6: 1}``; ``must`` are in every set; a piece is in a set at most ``copies`` times.
    """

    board: Puzzle
    mixes: tuple[Mapping[int, int], ...]
    pool: Mapping[str, Piece]
    must: PieceSet = ()
    copies: int = 1

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.pool)}

    def sort_names(self, names: Iterable[str]) -> PieceSet:
        """Return names in the order of the pool."""
        return tuple(sorted(names, key=self._place.__getitem__))

    @cached_property
    def _choices(self) -> list[list[tuple[dict[str, int], int]]]:
        """The choices of each mix that is possible, by size.

        A choice is how often each piece may still be taken, and how many pieces are still needed.
        """
        chosen, choices = Counter(self.must), []
        needed = Counter(self.pool[name].area for name in self.must)
        room: dict[int, dict[str, int]] = {}
        for name, piece in self.pool.items():
            room.setdefault(piece.area, {})[name] = self.copies - chosen[name]
        for mix in self.mixes:
            left = {size: mix.get(size, 0) - needed[size] for size in (*mix, *needed)}
            parts = [(room.get(size, {}), number) for size, number in left.items()]
            if min(left.values()) >= 0 and all(itertools.starmap(_count_multisets, parts)):
                choices.append(parts)
        return choices

    def __len__(self) -> int:
        """Return the number of sets."""
        return sum(math.prod(itertools.starmap(_count_multisets, parts)) for parts in self._choices)

    def __iter__(self) -> Iterator[PieceSet]:
        """Yield every set once, in a fixed order."""
        for parts in self._choices:
            for chosen in itertools.product(*itertools.starmap(_multisets, parts)):
                yield self.sort_names((*self.must, *itertools.chain.from_iterable(chosen)))

    def random_set(self, generator: random.Random) -> PieceSet:
        """Return a random set."""
        names = list(self.must)
        for room, number in generator.choice(self._choices):
            names += generator.sample(list(Counter(room).elements()), number)
        return self.sort_names(names)

    def random_neighbour(self, pieces: PieceSet, generator: random.Random) -> PieceSet:
        """Return a set that differs in one piece, but not in one that must be there.

        With several mixes of sizes it may differ in two, so that another mix is reached. If none is
        found, return a random set.
        """
        fixed = Counter(self.must)
        loose = list((Counter(pieces) - fixed).elements())
        for _ in range(1000):
            gone = generator.sample(loose, 1 if len(self.mixes) == 1 else min(2, len(loose)))
            kept = Counter(pieces) - Counter(gone)
            new = [generator.choice(list(self.pool)) for _ in gone]
            candidate = kept + Counter(new)
            sizes = Counter(self.pool[name].area for name in candidate.elements())
            if dict(sizes) in self.mixes and max(candidate.values()) <= self.copies and new != gone:
                return self.sort_names(list(candidate.elements()))
        return self.random_set(generator)

    def puzzle(self, pieces: PieceSet, name: str = "design") -> Puzzle:
        """Return the board with a set of pieces."""
        drawn = tuple(
            replace(self.pool[name], copies=copies) for name, copies in Counter(pieces).items()
        )
        title = f"{self.board.title or self.board.name}, other pieces"
        return replace(self.board, name=name, title=title, designer="", source="", drawn=drawn)


def _multisets(room: Mapping[str, int], number: int) -> list[PieceSet]:
    """Return the multisets of a number of names, each at most as often as there is room."""
    names = [name for name in room if room[name]]
    multisets = itertools.combinations_with_replacement(names, number)
    return [
        names for names in multisets if all(n <= room[name] for name, n in Counter(names).items())
    ]


def _count_multisets(room: Mapping[str, int], number: int) -> int:
    """Return the number of multisets: a coefficient of the product of 1 + x + … + x^room."""
    ways = [1] + [0] * number
    for most in room.values():
        ways = [sum(ways[max(0, n - most) : n + 1]) for n in range(number + 1)]
    return ways[number]


def parse_sizes(text: str) -> list[tuple[int, int | None]]:
    """Return the sizes of ``7x5,1x6`` (seven of five squares), ``5,6`` or ``4-6``."""
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
    """Return the sets of polyominoes that have the area to cover, whatever the board's own pieces.

    ``sizes`` pairs each size with its number of pieces, None for any; ``number`` is the total.
    ``allowed``, ``must`` and ``must_not`` are names: those to choose from (none: all), those of
    every set and of no set. ``copies`` is how often a piece may be in a set. Without ``flip`` both
    mirror images of a piece are in the pool.

    Raises:
        OptionError: options that contradict each other, or sizes that cannot make up the area.
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
    for name in must:
        if name in must_not:
            raise OptionError(f"{name} is in both --must and --must-not")
        if must.count(name) > copies:
            raise OptionError(
                f"--must has {name} {must.count(name)} times, but --copies is {copies}"
            )
    usable = {*(allowed or pool), *must}.difference(must_not)
    pool = {name: piece for name, piece in pool.items() if name in usable}
    areas = {len(board.cells) - len(board.uncovered_cells(reveal)) for reveal in board.reveals()}
    if len(areas) > 1:
        raise OptionError(f"{board.name}: its reveals leave different areas, so no set fills all")
    (area,) = areas
    wanted = Space(board, tuple(_mixes(sizes, number, area)), pool, tuple(must), copies)
    if not len(wanted):
        raise OptionError(
            f"--sizes: no set of these sizes has the {area} squares that {board.name} leaves to "
            "cover; --sizes 5,6 --number 8 tries all mixes of eight pieces"
        )
    return wanted


def _mixes(
    sizes: Sequence[tuple[int, int | None]], number: int | None, area: int
) -> Iterator[dict[int, int]]:
    """Yield the numbers of pieces by size that make the area."""
    if not sizes:
        if not area and not number:
            yield {}
        return
    (size, fixed), *others = sizes
    for n in range(area // size + 1) if fixed is None else [fixed]:
        left = None if number is None else number - n
        if n * size <= area and (left is None or left >= 0):
            for mix in _mixes(others, left, area - n * size):
                yield ({size: n} if n else {}) | mix
