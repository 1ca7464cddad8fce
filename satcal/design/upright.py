"""Whether a solved board comes apart when it is held upright.

It *comes apart* if some piece can slide straight down and out without moving another: below its
squares, down to the edge, are only its own and uncovered cells, and the tray has no rim there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Label, Placement, Puzzle, Reveal
from satcal.puzzle.placements import Option
from satcal.puzzle.shapes import Cell


def below(puzzle: Puzzle, placed: Placement) -> frozenset[Cell]:
    """Return the cells of the board that a piece would sweep on its way down."""
    own = set(placed.cells)
    return frozenset(
        cell for cell in puzzle.cells if cell not in own
        and any(column == cell[1] and row < cell[0] for row, column in own)
    )  # fmt: skip


def holding(diagram: PuzzleDiagram, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal in which no piece can slide out.

    In a tiling all cells are covered but those of the reveal. So whether a placement can slide
    out is a matter of the reveal alone, and the tilings that hold are those without such
    placements: a diagram counts them, at once for all reveals with the same ones.
    """
    puzzle = diagram.puzzle
    swept = {placed: below(puzzle, placed) for placed in diagram.cover.placements}
    diagram = diagram.using(lambda o: isinstance(o, Label) or bool(swept[o]))  # far fewer tilings
    alike: dict[frozenset[Placement], list[Reveal]] = defaultdict(list)
    for reveal in reveals:
        free = puzzle.uncovered(reveal)
        out = frozenset(p for p in diagram.cover.placements if swept[p] <= free)
        alike[out].append(reveal)
    held: dict[Reveal, int] = {}
    for out, some in alike.items():
        kept: set[Option] = {p for p in diagram.cover.placements if p not in out}
        kept |= {puzzle.labels[text] for reveal in some for text in reveal}
        counts = diagram.using(kept.__contains__).counts()
        held |= {reveal: counts[reveal] for reveal in some}
    return {reveal: held[reveal] for reveal in reveals}
