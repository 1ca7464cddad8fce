"""The diagram of a puzzle: what the graph knows, in the puzzle's words.

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

import random
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from satcal.diagram import cache
from satcal.diagram.build import build
from satcal.diagram.graph import Diagram, Tilings
from satcal.diagram.model import Array, DiagramError, ExactCover, MemoryLimitError
from satcal.errors import NoTiling, OptionError, TooLarge
from satcal.processes import memory_to_use
from satcal.progress import Progress
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placed import compatible_options
from satcal.puzzle.placements import Cover, cover_of, filling_order, keep


def build_problem(cover: Cover) -> ExactCover:
    """Return an open cover as the graph sees it, its cells in the order of filling."""
    bit = {cover.cells[index]: 1 << rank for rank, index in enumerate(filling_order(cover))}
    return ExactCover(
        cells=len(cover.cells),
        copies=[item.copies for item in cover.items],
        item=cover.item_of,
        mask=[sum(map(bit.__getitem__, option.cells)) for option in cover.options],
        categories=len(cover.puzzle.categories),
    )


class PuzzleDiagram:
    """All tilings of a puzzle, or of some reveals, and what can be asked of them.

    The order of tilings is that of the diagram: by the option that covers the first cell in the
    order of filling, then the next uncovered one. Where a question takes a ``reveal``, None asks
    about all together; ``placed`` is on the table already.

    Raises:
        OptionError: by a question, if the diagram was not built for the reveal.
        PlacementError: by a question, if pieces overlap, or are more than there are.
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
        placed: Sequence[Placement] = (),
        memory_limit: int | None = None,
        progress: Progress | None = None,
    ) -> PuzzleDiagram:
        """Return the diagram of what will be asked; arguments as for :func:`.build.build`.

        Raises:
            TooLarge: too much memory, or too many states.
            PlacementError: pieces that overlap, or more of one than there are.
        """
        cover = cover_of(puzzle, None)
        usable = np.flatnonzero(_usable(cover, reveals, placed)).tolist()
        with too_large(puzzle):
            diagram = build(build_problem(cover), usable, memory_limit, progress)
        return cls(cover, diagram, None if reveals is None else frozenset(reveals))

    def _tilings(self, reveal: Reveal | None, placed: Sequence[Placement]) -> Tilings:
        """Return the tilings that a question is about; those of the last are kept."""
        if self._reveals is not None:
            if reveal is None and len(self._reveals) == 1:
                (reveal,) = self._reveals
            if reveal is None:
                raise OptionError("this diagram was not built for all reveals; name one")
            if reveal not in self._reveals:
                raise OptionError(f"this diagram was not built for the reveal {' '.join(reveal)}")
        key = (reveal, tuple(placed))
        if self._last[0] != key:
            usable = _usable(self.cover, None if reveal is None else [reveal], placed)
            self._last = (key, Tilings(self.diagram, usable))
        return self._last[1]

    def only(self, labels: Collection[str]) -> PuzzleDiagram:
        """Return the smaller, quicker diagram of the reveals that have these labels."""
        known = self.puzzle.reveals() if self._reveals is None else self._reveals
        reveals = frozenset(reveal for reveal in known if set(labels) <= set(reveal))
        # of a category without one of the labels, all of its own
        category = {self.puzzle.labels[text].category for text in labels}
        texts = {
            label.text
            for label in self.puzzle.labels.values()
            if label.text in labels or label.category not in category
        }
        diagram, used = Tilings(self.diagram, _has_label(self.cover, texts)).extract()
        return PuzzleDiagram(keep(self.cover, used.tolist()), diagram, reveals)

    def counts(self, placed: Sequence[Placement] = ()) -> dict[Reveal, int]:
        """Return the number of tilings of each reveal, in canonical order."""
        table = Tilings(self.diagram, _usable(self.cover, None, placed)).reveals()
        known = list(self.puzzle.reveals()) if self._reveals is None else self._reveals
        return read_table(self.puzzle, known, table)

    def count(self, reveal: Reveal | None = None, placed: Sequence[Placement] = ()) -> int:
        """Return the number of tilings."""
        return self._tilings(reveal, placed).count()

    def containing(
        self, reveal: Reveal | None = None, placed: Sequence[Placement] = ()
    ) -> dict[Placement, int]:
        """Return the number of tilings that contain each placement."""
        numbers = self._tilings(reveal, placed).per_option().tolist()
        counted = zip(self.cover.options, numbers, strict=True)
        return {option: n for option, n in counted if isinstance(option, Placement)}

    def tiling(
        self, rank: int, reveal: Reveal | None = None, placed: Sequence[Placement] = ()
    ) -> Tiling:
        """Return the tiling of a rank, from 0; raise NoTiling if none has it."""
        tilings = self._tilings(reveal, placed)
        if not 0 <= rank < tilings.count():
            number = f"the number of tilings is {tilings.count():,}"
            raise NoTiling(f"no tiling has rank {rank}: ranks start at 0, and {number}")
        return self.cover.tiling(tilings.kth(rank))

    def random(
        self,
        generator: random.Random,
        reveal: Reveal | None = None,
        placed: Sequence[Placement] = (),
    ) -> Tiling:
        """Return a tiling, all equally likely; raise NoTiling if none exists."""
        count = self.count(reveal, placed)
        if not count:
            raise NoTiling("there is no tiling to draw")
        return self.tiling(generator.randrange(count), reveal, placed)

    def tilings(
        self, reveal: Reveal | None = None, placed: Sequence[Placement] = ()
    ) -> Iterator[Tiling]:
        """Yield every tiling once, in the diagram's order."""
        return map(self.cover.tiling, self._tilings(reveal, placed))


def _usable(
    cover: Cover, reveals: Collection[Reveal] | None, placed: Sequence[Placement] = ()
) -> Array:
    """Return whether reveals (None: all) and what is placed leave each option, bool [options]."""
    usable = np.array(compatible_options(cover, placed), bool)
    if reveals is not None:
        usable &= _has_label(cover, {text for reveal in reveals for text in reveal})
    return usable


def _has_label(cover: Cover, texts: Collection[str]) -> Array:
    """Return whether each option is a placement, or one of these labels; bool [options]."""
    return np.array([isinstance(o, Placement) or o.text in texts for o in cover.options], bool)


def read_table(puzzle: Puzzle, reveals: Collection[Reveal], table: Array) -> dict[Reveal, int]:
    """Return the entries of some reveals in a table with an axis for each category.

    The result is in canonical order, whatever that of the reveals.
    """
    wanted = set(reveals)
    counted = zip(puzzle.reveals(), table.ravel().tolist(), strict=True)
    return {reveal: number for reveal, number in counted if reveal in wanted}


def open_diagram(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    placed: Sequence[Placement] = (),
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> PuzzleDiagram:
    """Return a diagram that knows some reveals: cached, or the quickest to build.

    A diagram of few labels, or with something placed, is built faster than the whole one is
    read, so only the whole one is kept. Arguments and errors as for :meth:`PuzzleDiagram.build`;
    without a limit it may take three quarters of the memory that is free.
    """
    cover = cover_of(puzzle, None)
    found = cache.read(build_problem(cover)) if use_cache else None
    if found is not None:
        return PuzzleDiagram(cover, found)
    limit = memory_to_use() if memory_limit is None else memory_limit
    if not _usable(cover, reveals, placed).all():
        return PuzzleDiagram.build(puzzle, reveals, placed, limit, progress)
    built = PuzzleDiagram.build(puzzle, None, (), limit, progress)
    if use_cache:
        cache.write(built.diagram)
    return built


@contextmanager
def too_large(puzzle: Puzzle) -> Iterator[None]:
    """Raise TooLarge, in the words of users, where a diagram is refused."""
    try:
        yield
    except MemoryLimitError as error:
        raise TooLarge(
            f"diagram of {puzzle.name}: {error}; count fewer dates at once, or use --method sat"
        ) from error
    except DiagramError as error:
        raise TooLarge(f"diagram of {puzzle.name}: {error}; use --method sat") from error
