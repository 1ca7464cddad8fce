"""The tilings of a reveal by a method, or a diagram of them."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from satcal.counting.outcomes import add_work
from satcal.counting.settings import DIAGRAM, ByDiagram, BySat, BySearch, Method, Question
from satcal.errors import BudgetExhausted, OptionError
from satcal.puzzle.demands import check_reveal, place
from satcal.puzzle.model import Reveal, Tiling
from satcal.puzzle.placements import cover_of

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram
    from satcal.progress import Progress


class Source:
    """The tilings that a question asks for; a diagram is built once for all reveals.

    ``deadline`` is a ``time.monotonic()`` reading. ``alone``: sat and search work in a process
    of their own, as in a solver's call Python hears neither Ctrl-C nor its clock. ``work`` is
    added to, by the names of ``WORK``; it needs this process.

    Raises:
        OptionError: the method lists no tilings.
        As :func:`diagram_for`.
    """

    def __init__(
        self,
        question: Question,
        method: Method = DIAGRAM,
        deadline: float | None = None,
        alone: bool = False,
        work: dict[str, float] | None = None,
    ) -> None:
        if not method.lists:
            raise OptionError(
                f"the method {method.name} only counts and cannot list tilings; use another method"
            )
        self._question, self._method, self._deadline = question, method, deadline
        self._alone, self._work = alone and work is None, work
        self._counts: dict[Reveal, int] | None = None
        self._diagram: PuzzleDiagram | None = None
        if isinstance(method, ByDiagram):
            self._diagram = diagram_for(question, method, deadline)
            if work is not None:
                add_work(work, {"nodes": self._diagram.diagram.nodes})

    def tilings(self, reveal: Reveal) -> Iterator[Tiling]:
        """Yield the tilings of a reveal, each once, in the method's order.

        Raises:
            BudgetExhausted: a budget ran out; what was yielded is not all.
        """
        asked = (self._question, reveal, self._method, self._deadline)
        if self._diagram is not None:
            every = self._of_diagram(self._diagram, reveal)
        elif self._alone:
            from satcal.processes import apart

            every = apart(_by_method, *asked, deadline=self._deadline)
        else:
            every = _by_method(*asked, self._work)
        if self._question.up_to_symmetry:
            from satcal.puzzle.symmetry import classes

            return classes(self._question.puzzle, every)
        return every

    def _of_diagram(self, diagram: PuzzleDiagram, reveal: Reveal) -> Iterator[Tiling]:
        for found, tiling in enumerate(diagram.tilings(reveal, self._question.demands)):
            if self._deadline is not None and time.monotonic() >= self._deadline:
                raise BudgetExhausted(f"budget exhausted; tilings found so far: {found:,}", found)
            yield tiling

    def exists(self, reveal: Reveal) -> bool:
        """Whether a reveal has a tiling; raises as :meth:`tilings`."""
        if self._diagram is None:
            return next(self.tilings(reveal), None) is not None
        if self._counts is None:
            self._counts = self._diagram.counts(self._question.demands)
        return self._counts[reveal] > 0

    def random(self, reveal: Reveal, generator: random.Random) -> Tiling | None:
        """A tiling of a reveal, all equally likely; None if there is none."""
        demands = self._question.demands
        if self._diagram is not None and not self._question.up_to_symmetry:
            count = self._diagram.count(reveal, demands)
            return self._diagram.random(generator, reveal, demands) if count else None
        every = list(self.tilings(reveal))  # only the diagram draws at once
        return generator.choice(every) if every else None


def _by_method(
    question: Question,
    reveal: Reveal,
    method: Method,
    deadline: float | None,
    work: dict[str, float] | None = None,
) -> Iterator[Tiling]:
    cover = place(cover_of(question.puzzle, reveal), question.demands)
    if isinstance(method, BySearch):
        from satcal.counting.search import Search

        search = Search(cover, method.pruning, deadline)
        try:
            yield from search.tilings()
        finally:
            if work is not None:
                add_work(work, search.work)
    else:
        from satcal.counting import sat

        assert isinstance(method, BySat)
        yield from sat.tilings(cover, method, deadline, work)


def tilings(
    question: Question,
    method: Method = DIAGRAM,
    deadline: float | None = None,
    work: dict[str, float] | None = None,
) -> Iterator[Tiling]:
    """Yield the tilings of a question's reveals, one after the other; as :class:`Source`."""
    source = Source(question, method, deadline, work=work)
    return chain.from_iterable(map(source.tilings, question.reveals))


def diagram_for(
    question: Question,
    method: ByDiagram = DIAGRAM,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> PuzzleDiagram:
    """A diagram that knows the reveals of a question, under its conditions.

    Raises:
        BudgetExhausted: the deadline passed while it was built.
        TooLarge: it would need more memory than the limit.
        PlacementError: something is placed on a cell that a reveal leaves uncovered.
    """
    from satcal.diagram.puzzle import open_diagram

    watch = _watching(question, deadline, progress)
    return open_diagram(
        question.puzzle,
        question.reveals,
        question.demands,
        method.use_cache,
        method.memory_limit,
        watch,
    )


def counts_for(
    question: Question,
    method: ByDiagram = DIAGRAM,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> tuple[dict[Reveal, int], int]:
    """The numbers of tilings by the diagram or its layers, and how many nodes these have.

    All tilings: who asks ``up_to_symmetry`` has to list them by :func:`tilings`.

    Raises:
        As :func:`diagram_for`.
    """
    from satcal.diagram.puzzle import counts_by_diagram

    watch = _watching(question, deadline, progress)
    return counts_by_diagram(
        question.puzzle,
        question.reveals,
        question.demands,
        method.use_cache,
        method.memory_limit,
        watch,
    )


def _watching(question: Question, deadline: float | None, progress: Progress | None) -> Progress:
    """The progress of a diagram, which ends it at the deadline."""
    for reveal in question.reveals if question.demands else ():
        check_reveal(question.puzzle, reveal, question.demands)

    def watch(layer: int, layers: int, what: str) -> None:
        if deadline is not None and time.monotonic() >= deadline:
            raise BudgetExhausted(f"the diagram was not built in time (layer {layer}: {what})")
        if progress is not None:
            progress(layer, layers, what)

    return watch
