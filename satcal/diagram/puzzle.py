"""The diagram of a puzzle: the graph, with placements and reveals instead of options.

>>> from satcal.puzzle.loading import load
>>> diagram = PuzzleDiagram.build(load("a-puzzle-a-day"))
>>> diagram.count(("Oct", "6")), diagram.count(), diagram.diagram.nodes
(7, 25061, 26501)
>>> print(diagram.tiling(0, ("Oct", "6"))[0])
O:r0c0,r0c1,r1c0,r1c1,r2c0,r2c1
>>> diagram.count(("Oct", "6"), diagram.tiling(0, ("Oct", "6"))[:1])
6
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from satcal.diagram import cache
from satcal.diagram.build import build
from satcal.diagram.graph import Diagram, Tilings
from satcal.diagram.model import Array, DiagramError, ExactCover, MemoryLimitError
from satcal.diagram.reveals import count_reveals
from satcal.errors import NoTiling, OptionError, TooLarge
from satcal.progress import Progress
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placed import compatible_options
from satcal.puzzle.placements import Cover, cover_of, filling_order, keep
from satcal.resources import memory_to_use


def build_problem(cover: Cover) -> ExactCover:
    """Return a cover of all reveals in numbers, with its cells in the order of filling."""
    bit = {cover.cells[index]: 1 << rank for rank, index in enumerate(filling_order(cover))}
    return ExactCover(
        cells=len(cover.cells),
        copies=[item.copies for item in cover.items],
        item=cover.item_of,
        mask=[sum(map(bit.__getitem__, option.cells)) for option in cover.options],
        categories=len(cover.puzzle.categories),
    )


class PuzzleDiagram:
    """All tilings of a puzzle, or of some of its reveals.

    Tilings are ordered by the option that covers the first cell in the order of filling, then by
    that of the next uncovered cell, and so on. Methods answer for a ``reveal``, or for all together
    if it is None, and for the tilings that contain ``place``.

    Raises:
        OptionError: a method is asked about a reveal for which the diagram was not built.
        PlacementError: pieces in ``place`` overlap, or are more than the puzzle has.
    """

    def __init__(
        self, cover: Cover, diagram: Diagram, reveals: frozenset[Reveal] | None = None
    ) -> None:
        self.cover = cover
        self.puzzle: Puzzle = cover.puzzle
        self.diagram = diagram
        self._reveals = reveals
        self._last: tuple[object, Tilings] = ((None, ()), Tilings(diagram))

    @classmethod
    def build(
        cls,
        puzzle: Puzzle,
        reveals: Collection[Reveal] | None = None,
        place: Sequence[Placement] = (),
        memory_limit: int | None = None,
        progress: Progress | None = None,
    ) -> PuzzleDiagram:
        """Return the diagram of these reveals (None: all) and ``place``; see :func:`.build.build`.

        Raises:
            TooLarge: too much memory, or too many states.
            PlacementError: pieces in ``place`` overlap, or are more than the puzzle has.
        """
        cover = cover_of(puzzle, None)
        options = usable_options(cover, reveals, place)
        with too_large(puzzle):
            diagram = build(build_problem(cover), options, memory_limit, progress)
        return cls(cover, diagram, None if reveals is None else frozenset(reveals))

    def _tilings(self, reveal: Reveal | None, place: Sequence[Placement]) -> Tilings:
        """Return the tilings of a reveal that contain ``place``; cache those of the last call."""
        if self._reveals is not None:
            if reveal is None and len(self._reveals) == 1:
                (reveal,) = self._reveals
            if reveal is None:
                raise OptionError("this diagram was not built for all reveals; name one")
            if reveal not in self._reveals:
                raise OptionError(f"this diagram was not built for the reveal {' '.join(reveal)}")
        key = (reveal, tuple(place))
        if self._last[0] != key:
            usable = _usable(self.cover, None if reveal is None else [reveal], place)
            self._last = (key, Tilings(self.diagram, usable))
        return self._last[1]

    def only(self, labels: Collection[str]) -> PuzzleDiagram:
        """Return the smaller, quicker diagram of the reveals that have these labels."""
        all_reveals = self.puzzle.reveals() if self._reveals is None else self._reveals
        reveals = frozenset(reveal for reveal in all_reveals if set(labels) <= set(reveal))
        # a category that has none of the labels keeps all of its own
        categories = {self.puzzle.labels[text].category for text in labels}
        texts = {
            label.text
            for label in self.puzzle.labels.values()
            if label.text in labels or label.category not in categories
        }
        diagram, has_option = Tilings(self.diagram, _has_label(self.cover, texts)).extract()
        return PuzzleDiagram(keep(self.cover, has_option.tolist()), diagram, reveals)

    def counts(
        self, place: Sequence[Placement] = (), reveals: Collection[Reveal] | None = None
    ) -> dict[Reveal, int]:
        """Return the number of tilings of each reveal (None: of all), in canonical order."""
        tilings = Tilings(self.diagram, _usable(self.cover, reveals, place))
        if reveals is None:
            reveals = list(self.puzzle.reveals()) if self._reveals is None else self._reveals
        return read_counts(tilings, self.puzzle, reveals)

    def count(self, reveal: Reveal | None = None, place: Sequence[Placement] = ()) -> int:
        """Return the number of tilings."""
        return self._tilings(reveal, place).count()

    def containing(
        self, reveal: Reveal | None = None, place: Sequence[Placement] = ()
    ) -> dict[Placement, int]:
        """Return the number of tilings that contain each placement."""
        numbers = self._tilings(reveal, place).per_option().tolist()
        pairs = zip(self.cover.options, numbers, strict=True)
        return {option: number for option, number in pairs if isinstance(option, Placement)}

    def largest_parts(
        self, place: Sequence[Placement], reveal: Reveal | None = None
    ) -> dict[tuple[Placement, ...], int]:
        """Return the largest parts of ``place`` that a tiling contains, and their tilings.

        Return nothing if there is no tiling, or if there are more than ``MAX_SUBSETS`` parts.
        """
        number = {option: index for index, option in enumerate(self.cover.options)}
        # a diagram of some reveals lacks placements that are in none of their tilings
        by_option = {number[p]: 1 << bit for bit, p in enumerate(place) if p in number}
        subsets = self._tilings(reveal, ()).largest_subsets(by_option)
        return {
            tuple(p for index, p in enumerate(place) if subset >> index & 1): tilings
            for subset, tilings in subsets.items()
        }

    def tiling(
        self, rank: int, reveal: Reveal | None = None, place: Sequence[Placement] = ()
    ) -> Tiling:
        """Return the tiling with a rank from 0; raise NoTiling if none has it."""
        tilings = self._tilings(reveal, place)
        if not 0 <= rank < tilings.count():
            number = f"the number of tilings is {tilings.count():,}"
            raise NoTiling(f"no tiling has rank {rank}: ranks start at 0, and {number}")
        return self.cover.tiling(tilings.kth(rank))

    def tilings(
        self, reveal: Reveal | None = None, place: Sequence[Placement] = ()
    ) -> Iterator[Tiling]:
        """Yield every tiling once, in the diagram's order."""
        return map(self.cover.tiling, self._tilings(reveal, place))


def _usable(
    cover: Cover, reveals: Collection[Reveal] | None, place: Sequence[Placement] = ()
) -> Array:
    """Return whether a reveal (None: any) and ``place`` allow each option, bool [options]."""
    usable = np.array(compatible_options(cover, place), bool)
    if reveals is not None:
        usable &= _has_label(cover, {text for reveal in reveals for text in reveal})
    return usable


def usable_options(
    cover: Cover, reveals: Collection[Reveal] | None, place: Sequence[Placement] = ()
) -> list[int]:
    """Return the options that a reveal (None: any) and ``place`` allow."""
    options: list[int] = np.flatnonzero(_usable(cover, reveals, place)).tolist()
    return options


def _has_label(cover: Cover, texts: Collection[str]) -> Array:
    """Return whether each option is a placement, or one of these labels; bool [options]."""
    return np.array([isinstance(o, Placement) or o.text in texts for o in cover.options], bool)


def read_counts(tilings: Tilings, puzzle: Puzzle, reveals: Collection[Reveal]) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal, in canonical order.

    The last options are the labels of the puzzle.
    """
    table = count_reveals(tilings)
    first = len(tilings.allowed) - len(puzzle.labels)
    option = {text: number for number, text in enumerate(puzzle.labels, first)}
    ordered = sorted(reveals, key=lambda reveal: [option[text] for text in reveal])
    return {reveal: table.at([option[text] for text in reveal]) for reveal in ordered}


def open_diagram(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    place: Sequence[Placement] = (),
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> PuzzleDiagram:
    """Return a diagram that has these reveals: the puzzle's from the cache, or the smallest.

    A diagram of few labels, or with pieces placed, is built faster than that of the whole puzzle is
    read. So only the latter is cached. Arguments and errors as for :meth:`PuzzleDiagram.build`;
    without a limit, it may take three quarters of the free memory.
    """
    cover = cover_of(puzzle, None)
    graph = cache.read(build_problem(cover)) if use_cache else None
    if graph is not None:
        return PuzzleDiagram(cover, graph)
    limit = memory_to_use() if memory_limit is None else memory_limit
    if not _usable(cover, reveals, place).all():
        return PuzzleDiagram.build(puzzle, reveals, place, limit, progress)
    diagram = PuzzleDiagram.build(puzzle, None, (), limit, progress)
    if use_cache:
        cache.write(diagram.diagram)
    return diagram


@contextmanager
def too_large(puzzle: Puzzle) -> Iterator[None]:
    """Convert DiagramError to TooLarge, which names the puzzle and a way out."""
    try:
        yield
    except MemoryLimitError as error:
        raise TooLarge(
            f"diagram of {puzzle.name}: {error}; count fewer dates at once, or use --method sat"
        ) from error
    except DiagramError as error:
        raise TooLarge(f"diagram of {puzzle.name}: {error}; use --method sat") from error
