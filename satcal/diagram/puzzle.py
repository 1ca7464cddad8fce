"""The diagram of a puzzle: the kernel's answers in the puzzle's words."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress

import numpy as np

from satcal.diagram import cache
from satcal.diagram.build import build
from satcal.diagram.graph import Diagram, Tilings
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import Array, DiagramError, Layout, MemoryLimitError
from satcal.errors import NoTiling, OptionError, PlacementError, TooLarge
from satcal.processes import memory_to_use
from satcal.progress import Progress
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placed import allowed
from satcal.puzzle.placements import Cover, Option, cover_of, filling_order, keep


def problem_of(cover: Cover) -> Layout:
    """An open cover as the kernel sees it, its cells in the order of filling."""
    at = {cell: index for index, cell in enumerate(cover.cells)}
    listed = [[at[cell] for cell in option.cells] for option in cover.options]
    rank = {cell: index for index, cell in enumerate(filling_order(cover))}
    return Layout(
        cells=len(cover.cells),
        copies=[copies for _, copies, _ in cover.items],
        item=cover.item_of,
        mask=[sum(1 << rank[cell] for cell in cells) for cells in listed],
        categories=len(cover.puzzle.categories),
    )


class PuzzleDiagram:
    """All tilings of a puzzle, or of some reveals, and what can be asked of them.

    The order of tilings is that of the diagram: by the option that covers the first
    cell in the order of filling, then the next uncovered one. Where a question takes
    a ``reveal``, None asks about all together; ``placed`` is what is placed already.

    Raises:
        OptionError: by a question, if the diagram was not built for the reveal.
    """

    def __init__(
        self, cover: Cover, diagram: Diagram, reveals: frozenset[Reveal] | None = None
    ) -> None:
        self.cover = cover
        self.puzzle: Puzzle = cover.puzzle
        self.diagram = diagram
        self._reveals = reveals
        self._every = Tilings(diagram)
        self._asked: tuple[object, Tilings] = ((None, ()), self._every)

    @classmethod
    def build(
        cls,
        puzzle: Puzzle,
        reveals: Collection[Reveal] | None = None,
        placed: Sequence[Placement] = (),
        memory_limit: int | None = None,
        progress: Progress | None = None,
    ) -> PuzzleDiagram:
        """The diagram of what will be asked; arguments as for :func:`build`.

        Raises:
            TooLarge: too much memory, or too many states.
            PlacementError: pieces that overlap, or more of one than there are.
        """
        cover = cover_of(puzzle, None)
        return _built(cover, problem_of(cover), reveals, placed, memory_limit, progress)

    def _tilings(self, reveal: Reveal | None, placed: Sequence[Placement]) -> Tilings:
        """The tilings that a question is about; those of the last are kept."""
        if self._reveals is not None:
            if reveal is None and len(self._reveals) == 1:
                (reveal,) = self._reveals
            if reveal not in self._reveals:
                named = "all reveals; name one"
                if reveal is not None:
                    named = f"the reveal {' '.join(reveal)}"
                raise OptionError(f"this diagram was not built for {named}")
        key = (reveal, tuple(placed))
        if self._asked[0] != key:
            self._asked = (key, self._restricted(None if reveal is None else [reveal], placed))
        return self._asked[1]

    def _restricted(
        self, reveals: Collection[Reveal] | None, placed: Sequence[Placement]
    ) -> Tilings:
        usable = _allowed(self.cover, reveals, placed)
        return self._every if usable.all() else Tilings(self.diagram, usable)

    def only(self, labels: Collection[str]) -> PuzzleDiagram:
        """The smaller, quicker diagram of the reveals that have these labels."""
        reveals = [r for r in self._reveals or self.puzzle.reveals() if set(labels) <= set(r)]
        chosen = {self.puzzle.labels[text].category for text in labels}
        every = self.puzzle.labels.values()
        texts = {o.text for o in every if o.category not in chosen or o.text in labels}
        return self.using(lambda o: isinstance(o, Placement) or o.text in texts, reveals)

    def using(
        self, allows: Callable[[Option], bool], reveals: Collection[Reveal] | None = None
    ) -> PuzzleDiagram:
        """The smaller, quicker diagram of the tilings with allowed options alone."""
        usable = np.array(list(map(allows, self.cover.options)), bool)
        diagram, used = Tilings(self.diagram, usable).alone()
        known = self._reveals if reveals is None else frozenset(reveals)
        return PuzzleDiagram(keep(self.cover, used.tolist()), diagram, known)

    def counts(self, placed: Sequence[Placement] = ()) -> dict[Reveal, int]:
        """The number of tilings of each reveal, in canonical order."""
        table = self._restricted(None, placed).reveals()
        counted = zip(self.puzzle.reveals(), table.ravel().tolist(), strict=True)
        return {r: n for r, n in counted if self._reveals is None or r in self._reveals}

    def count(self, reveal: Reveal | None = None, placed: Sequence[Placement] = ()) -> int:
        """The number of tilings."""
        return self._tilings(reveal, placed).count()

    def containing(
        self, reveal: Reveal | None = None, placed: Sequence[Placement] = ()
    ) -> dict[Placement, int]:
        """The number of tilings that contain each placement."""
        numbers = self._tilings(reveal, placed).per_option().tolist()
        counted = zip(self.cover.options, numbers, strict=True)
        return {option: n for option, n in counted if isinstance(option, Placement)}

    def tiling(
        self, rank: int, reveal: Reveal | None = None, placed: Sequence[Placement] = ()
    ) -> Tiling:
        """The tiling of a rank, from 0; raises NoTiling if none has it."""
        tilings = self._tilings(reveal, placed)
        if not 0 <= rank < tilings.count():
            number = f"the number of tilings is {tilings.count():,}"
            raise NoTiling(f"no tiling has rank {rank}: ranks start at 0, and {number}")
        return self.cover.tiling(tilings.kth(rank))

    def rank(self, tiling: Tiling, reveal: Reveal) -> int:
        """The rank of a reveal's tiling; raises PlacementError if it is none."""
        options: list[Option] = [*tiling, *(self.puzzle.labels[text] for text in reveal)]
        try:
            numbers = [self.cover.options.index(option) for option in options]
            return self._tilings(reveal, ()).rank(numbers)
        except (ValueError, DiagramError) as error:
            raise PlacementError(f"this is not a tiling of {' '.join(reveal)}") from error

    def random(
        self,
        generator: random.Random,
        reveal: Reveal | None = None,
        placed: Sequence[Placement] = (),
    ) -> Tiling:
        """A tiling, all equally likely; raises NoTiling if there is none."""
        count = self.count(reveal, placed)
        if not count:
            raise NoTiling("there is no tiling to draw")
        return self.tiling(generator.randrange(count), reveal, placed)

    def tilings(
        self, reveal: Reveal | None = None, placed: Sequence[Placement] = ()
    ) -> Iterator[Tiling]:
        """Yield every tiling once, in the diagram's order."""
        return map(self.cover.tiling, self._tilings(reveal, placed))


def _allowed(
    cover: Cover, reveals: Collection[Reveal] | None, placed: Sequence[Placement] = ()
) -> Array:
    """Whether reveals (None: all) and what is placed leave each option."""
    usable = np.array(allowed(cover, placed), bool)
    if reveals is not None:
        usable &= _with_labels(cover, {text for reveal in reveals for text in reveal})
    return usable


def _with_labels(cover: Cover, texts: Collection[str]) -> Array:
    """Whether each option is a placement, or one of these labels."""
    return np.array([isinstance(o, Placement) or o.text in texts for o in cover.options], bool)


def open_diagram(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    placed: Sequence[Placement] = (),
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> PuzzleDiagram:
    """A diagram that knows some reveals: cached, or the quickest to build.

    A diagram of few labels, or with something placed, is built faster than the whole one is
    read, so only the whole one is kept. Arguments and errors as for :meth:`PuzzleDiagram.build`;
    without a limit it may take three quarters of the memory that is free.
    """
    cover = cover_of(puzzle, None)
    return _opened(cover, problem_of(cover), reveals, placed, use_cache, memory_limit, progress)


def counts_by_diagram(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    placed: Sequence[Placement] = (),
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[dict[Reveal, int], int]:
    """Return the number of tilings of each reveal, and the nodes or states they are sums over.

    Arguments and errors as for :func:`open_diagram`.
    """
    cover = cover_of(puzzle, None)
    problem = problem_of(cover)
    found = cache.read(problem) if use_cache else None
    if found is not None:
        diagram = PuzzleDiagram(cover, found)
        if len(set(reveals)) == 1:
            counts = {reveal: diagram.count(reveal, placed) for reveal in reveals}
        else:
            counts = diagram.counts(placed)
        return {reveal: counts[reveal] for reveal in reveals}, found.nodes
    usable = np.flatnonzero(allowed(cover, placed)).tolist()
    return count_problem(
        puzzle, problem, usable, list(dict.fromkeys(reveals)), use_cache, memory_limit, progress
    )


def count_problem(
    puzzle: Puzzle,
    problem: Layout,
    usable: Sequence[int],
    reveals: Sequence[Reveal],
    use_cache: bool = False,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[dict[Reveal, int], int]:
    """Return what usable options of a problem have of each reveal, and the nodes or states.

    The labels of the puzzle are the last options. Where the graph of all reveals does not fit into
    memory, each half has its own; where that of one reveal does not fit, or has no fewer states
    because there is one item, its layers are counted.

    Raises:
        TooLarge: not even the layers of a reveal fit.
    """
    limit = memory_to_use() if memory_limit is None else memory_limit
    if len(problem.copies) > 1:
        options = with_labels(puzzle, problem, usable, reveals)
        with suppress(DiagramError):
            tilings = Tilings(build(problem, options, limit, progress))
            if use_cache and len(options) == len(problem.mask):
                cache.write(tilings.diagram)
            return by_reveal(puzzle, reveals, tilings.reveals()), tilings.diagram.nodes
    # outside of the handler, because the error's traceback keeps what was built
    counts: dict[Reveal, int] = {}
    size = 0
    if len(reveals) > 1:
        half = len(reveals) // 2
        for some in (reveals[:half], reveals[half:]):
            found, more = count_problem(puzzle, problem, usable, some, False, limit, progress)
            counts, size = counts | found, size + more
        return counts, size
    with too_large(puzzle):
        for reveal in reveals:
            options = with_labels(puzzle, problem, usable, [reveal])
            counts[reveal], size = count_by_layers(problem, options, limit, progress)
    return counts, size


def with_labels(
    puzzle: Puzzle, problem: Layout, usable: Sequence[int], reveals: Collection[Reveal]
) -> list[int]:
    """Return the usable options without labels of other reveals."""
    texts = {text for reveal in reveals for text in reveal}
    first = len(problem.mask) - len(puzzle.labels)
    shown = {first + number for number, text in enumerate(puzzle.labels) if text in texts}
    return [option for option in usable if option < first or option in shown]


def by_reveal(puzzle: Puzzle, reveals: Collection[Reveal], table: Array) -> dict[Reveal, int]:
    """Return the entries of some reveals in a table with an axis for each category."""
    counts = dict(zip(puzzle.reveals(), table.ravel().tolist(), strict=True))
    return {reveal: counts[reveal] for reveal in reveals}


@contextmanager
def too_large(puzzle: Puzzle) -> Iterator[None]:
    """Raise TooLarge, in the words of users, where the kernel refuses a diagram."""
    try:
        yield
    except MemoryLimitError as error:
        raise TooLarge(
            f"diagram of {puzzle.name}: {error}; count fewer dates at once, or use --method sat"
        ) from error
    except DiagramError as error:
        raise TooLarge(f"diagram of {puzzle.name}: {error}; use --method sat") from error


def _opened(
    cover: Cover,
    problem: Layout,
    reveals: Collection[Reveal],
    placed: Sequence[Placement],
    use_cache: bool,
    memory_limit: int | None,
    progress: Progress | None,
) -> PuzzleDiagram:
    found = cache.read(problem) if use_cache else None
    if found is not None:
        return PuzzleDiagram(cover, found)
    limit = memory_to_use() if memory_limit is None else memory_limit
    if not _allowed(cover, reveals, placed).all():
        return _built(cover, problem, reveals, placed, limit, progress)
    built = _built(cover, problem, None, (), limit, progress)
    if use_cache:
        cache.write(built.diagram)
    return built


def _built(
    cover: Cover,
    problem: Layout,
    reveals: Collection[Reveal] | None,
    placed: Sequence[Placement],
    memory_limit: int | None,
    progress: Progress | None,
) -> PuzzleDiagram:
    usable = np.flatnonzero(_allowed(cover, reveals, placed)).tolist()
    with too_large(cover.puzzle):
        diagram = build(problem, usable, memory_limit, progress)
    return PuzzleDiagram(cover, diagram, None if reveals is None else frozenset(reveals))
