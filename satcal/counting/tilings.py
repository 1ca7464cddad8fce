"""The tilings of a reveal by the settings' method, or a diagram of them."""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from satcal.counting.settings import DEFAULTS, Settings, add_work
from satcal.errors import BudgetExhausted, OptionError
from satcal.puzzle.demands import check_reveal, place
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import cover

if TYPE_CHECKING:
    from satcal.diagram.model import Progress
    from satcal.diagram.puzzle import PuzzleDiagram


class Source:
    """The tilings of some reveals; a diagram is built once for all.

    ``deadline`` is a ``time.monotonic()`` reading; None for that of the
    settings' time limit. ``alone``: sat and search work in a process of their
    own, as in a solver's call Python hears neither Ctrl-C nor its clock. ``work`` is
    added to, by the names of ``WORK``; it needs this process.

    Raises:
        As :func:`diagram_for`.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        reveals: Collection[Reveal],
        settings: Settings,
        deadline: float | None = None,
        alone: bool = False,
        work: dict[str, float] | None = None,
    ) -> None:
        if settings.method == "verified":
            raise OptionError("the method verified counts tilings and lists none; use another")
        if deadline is None and settings.time_limit is not None:
            deadline = time.monotonic() + settings.time_limit
        self._puzzle, self._settings, self._deadline = puzzle, settings, deadline
        self._alone, self._work = alone and work is None, work
        self._counts: dict[Reveal, int] | None = None
        by_diagram = settings.method == "diagram"
        self._diagram = diagram_for(puzzle, reveals, settings, deadline) if by_diagram else None
        if self._diagram is not None and work is not None:
            add_work(work, {"nodes": self._diagram.diagram.nodes})

    def tilings(self, reveal: Reveal) -> Iterator[Tiling]:
        """Yield the tilings of a reveal, each once, in the method's order.

        Raises:
            BudgetExhausted: a budget ran out; what was yielded is not all.
        """
        asked = (self._puzzle, reveal, self._settings, self._deadline)
        if self._diagram is not None:
            every = self._of_diagram(self._diagram, reveal)
        elif self._alone:
            from satcal.processes import apart

            every = apart(_by_method, *asked, deadline=self._deadline)
        else:
            every = _by_method(*asked, self._work)
        if self._settings.up_to_symmetry:
            from satcal.puzzle.symmetry import classes

            return classes(self._puzzle, every)
        return every

    def _of_diagram(self, diagram: PuzzleDiagram, reveal: Reveal) -> Iterator[Tiling]:
        for number, tiling in enumerate(diagram.tilings(reveal, self._settings.demands)):
            if self._deadline is not None and time.monotonic() >= self._deadline:
                raise BudgetExhausted(f"stopped by its budget after {number} tilings", number)
            yield tiling

    def exists(self, reveal: Reveal) -> bool:
        """Return whether a reveal has a tiling; raises as :meth:`tilings`."""
        if self._diagram is None:
            return next(self.tilings(reveal), None) is not None
        if self._counts is None:
            self._counts = self._diagram.counts(self._settings.demands)
        return self._counts[reveal] > 0

    def random(self, reveal: Reveal, generator: random.Random) -> Tiling | None:
        """Return a tiling of a reveal, all equally likely; None if there is none."""
        demands = self._settings.demands
        if self._diagram is not None and not self._settings.up_to_symmetry:
            count = self._diagram.count(reveal, demands)
            return self._diagram.random(generator, reveal, demands) if count else None
        every = list(self.tilings(reveal))  # only the diagram draws at once
        return generator.choice(every) if every else None


def _by_method(
    puzzle: Puzzle, reveal: Reveal, settings: Settings, deadline: float | None,
    work: dict[str, float] | None = None,
) -> Iterator[Tiling]:  # fmt: skip
    whole = place(cover(puzzle, reveal), settings.demands)
    if settings.method == "search":
        from satcal.counting.search import Search

        search = Search(whole, settings.pruning, deadline)
        try:
            yield from search.tilings()
        finally:
            if work is not None:
                add_work(work, search.work)
    else:
        from satcal.counting import sat

        yield from sat.tilings(whole, settings, deadline, work)


def tilings(
    puzzle: Puzzle, reveal: Reveal, settings: Settings = DEFAULTS, deadline: float | None = None,
    work: dict[str, float] | None = None,
) -> Iterator[Tiling]:  # fmt: skip
    """Yield the tilings of one reveal; arguments and errors as for :class:`Source`."""
    return Source(puzzle, [reveal], settings, deadline, work=work).tilings(reveal)


def diagram_for(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    settings: Settings,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> PuzzleDiagram:
    """Return a diagram that knows the reveals, under the conditions of the settings.

    Raises:
        BudgetExhausted: the deadline passed while it was built.
        TooLarge: it would need more memory than the limit.
        PlacementError: something is placed on a cell that a reveal leaves uncovered.
    """
    from satcal.diagram.puzzle import open_diagram

    def watch(name: str, layer: int, layers: int, states: int) -> None:
        if deadline is not None and time.monotonic() >= deadline:
            raise BudgetExhausted(f"the diagram was not built in time ({name}, layer {layer})")
        if progress is not None:
            progress(name, layer, layers, states)

    for reveal in reveals:
        check_reveal(puzzle, reveal, settings.demands)
    return open_diagram(
        puzzle, reveals, settings.demands, settings.use_cache, settings.memory_limit, watch
    )
