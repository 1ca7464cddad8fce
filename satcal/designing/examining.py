"""Everything a maker wants to know about a puzzle before cutting the wood."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.analysis.difficulty import Difficulty, difficulties
from satcal.counting.settings import Question
from satcal.designing.changes import Tried, both_faces, exchanges, one_face, places, tried
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.errors import TooLarge
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import Symmetry, symmetries

LISTED = 20_000  # tilings of a reveal whose difficulty is measured: it lists them all


@dataclass(frozen=True)
class DesignReport:
    """What is known of a puzzle.

    ``counts`` are the tilings of the reveals that are asked: the dates, or all where there are
    none. ``used``: in how many tilings of all
    reveals each placement is. ``tried`` are kinds of changes, and ``reasons`` says why reveals
    have no tiling. ``hardest`` is the reveal with the
    fewest tilings that has one, and such a tiling; None if there is none. ``difficulty`` is that of
    the three hardest reveals with a tiling, a middle one and the easiest; none where it cannot be
    measured.
    """

    puzzle: Puzzle
    counts: Mapping[Reveal, int]
    used: Mapping[Placement, int]
    tried: Sequence[Tried]
    reasons: Counter[str]
    hardest: tuple[Reveal, Tiling] | None
    difficulty: Sequence[Difficulty]

    @cached_property
    def symmetries(self) -> Sequence[Symmetry]:
        """The ways in which the board, whatever its labels, can be laid on itself."""
        return symmetries(replace(self.puzzle, labels={}, categories={}))

    def equivalent(self) -> list[list[Reveal]]:
        """The classes of reveals that a symmetry of the board makes one puzzle."""
        classes: dict[tuple[Cell, ...], list[Reveal]] = defaultdict(list)
        for reveal in self.counts:
            cells = self.puzzle.uncovered(reveal)
            images = (
                tuple(sorted(map(symmetry.image.__getitem__, cells)))
                for symmetry in self.symmetries
            )
            classes[min(images)].append(reveal)
        return list(classes.values())


def examine(
    puzzle: Puzzle, executor: Executor, on_step: Callable[[str], None] = lambda text: None
) -> DesignReport:
    """The report on a puzzle; it is the same on one core and on many.

    ``on_step`` is called after each of four steps.

    Raises:
        TooLarge: its diagram needs too much memory.
    """
    every = list(puzzle.reveals())
    dates = [r for r in every if puzzle.calendar.parts and puzzle.calendar.is_date(r)]
    reveals = dates or every
    diagram = open_diagram(puzzle, every)
    tilings = diagram.counts()
    counts = {reveal: tilings[reveal] for reveal in reveals}
    on_step("tilings")
    solved = sorted(filter(counts.__getitem__, reveals), key=counts.__getitem__)
    measured = executor.submit(_difficulty, puzzle, counts, solved)
    kinds, reasons = _changes(diagram, counts, executor, on_step)
    return DesignReport(
        puzzle=puzzle,
        counts=counts,
        used=diagram.containing(),
        tried=kinds,
        reasons=reasons,
        hardest=(solved[0], diagram.tiling(0, solved[0])) if solved else None,
        difficulty=measured.result(),
    )


def _changes(
    diagram: PuzzleDiagram,
    counts: Mapping[Reveal, int],
    executor: Executor,
    on_step: Callable[[str], None],
) -> tuple[list[Tried], Counter[str]]:
    """The kinds of changes, and why reveals have no tiling."""
    puzzle, nodes, reveals = diagram.puzzle, diagram.diagram.nodes, list(counts)
    surveyed = executor.submit(places, puzzle, reveals)
    doubled = executor.submit(exchanges, puzzle, counts, nodes)
    faces = list(one_face(diagram, reveals))
    on_step("faces")
    labels, reasons = surveyed.result()
    on_step("labels")
    kinds = [
        tried(
            "No turning over: one piece fixed as drawn or as its mirror image; all fixed as drawn; "
            "and, if that loses dates, all fixed in a way that loses none, if there is one",
            faces,
            faces,
        ),
        tried(
            "One piece replaced by a second copy of another of the same area",
            doubled.result(),
        ),
        *labels,
    ]
    if not all(counts.values()):
        kinds.append(
            tried("One-sided pieces turned over as well", list(both_faces(puzzle, reveals)))
        )
    on_step("pieces exchanged")
    return kinds, reasons


def _difficulty(
    puzzle: Puzzle, counts: Mapping[Reveal, int], solved: Sequence[Reveal]
) -> list[Difficulty]:
    """The difficulty of some reveals, of those that are solved, the hardest first."""
    some = dict.fromkeys([*solved[:3], *solved[len(solved) // 2 :][:1], *solved[-1:]])
    listed = [reveal for reveal in some if counts[reveal] <= LISTED]
    try:
        return list(difficulties(Question(puzzle, listed))) if listed else []
    except TooLarge:
        return []
