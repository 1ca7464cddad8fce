"""Draws a search tree and a tiling diagram whole: ``python -m tools.explain_pictures FOLDER``.

The puzzle is that of docs/vectors/good-three.satcert, 3 by 3 cells, so small that every node has
its place. Both are made by the rules that the documentation states, with none of satcal's methods.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import satcal
from satcal.draw.svg import Picture, element, text_element
from satcal.draw.theme import PIECES
from satcal.puzzle.placements import placements
from satcal.puzzle.shapes import Cell

PUZZLE = satcal.load_drawing(
    "a * *\n* b *\n* * *",
    {"V": "##\n#.", "I3": "###", "I2": "##"},
    {"letter": ["a", "b"]},
)
CELLS = sorted(PUZZLE.cells)
LABEL = "label"
COLOURS = {"V": PIECES[0], "I3": PIECES[1], "I2": PIECES[5], LABEL: "#fff8e8"}
INK, PAPER, BED, DONE, LINE = "#33291f", "#fbf6ec", "#efe3cd", "#a08c6c", "#8a7350"
UNIT = 14  # of a cell
SIDE = 3 * UNIT
STEP = 66  # from one board to the next
FALL = 92  # from one row of boards to the next
SIZE = 10  # of letters


class Option(NamedTuple):
    """What may cover cells: a placement of a piece, or a label that stays uncovered."""

    item: str
    cells: frozenset[Cell]


PLACED = [
    Option(placement.piece, frozenset(placement.cells))
    for placement in placements(PUZZLE, PUZZLE.cells)
]
LABELS = [Option(LABEL, frozenset({cell})) for cell in ((0, 0), (1, 1))]


def board(x: float, y: float, chosen: Sequence[Option], done: frozenset[Cell]) -> list[str]:
    """A small board whose middle is at x: the options chosen, and cells that are only covered."""
    colour = dict.fromkeys(CELLS, BED) | dict.fromkeys(done, DONE)
    for option in chosen:
        colour |= dict.fromkeys(option.cells, COLOURS[option.item])
    return [
        element(
            "rect",
            x=x - SIDE / 2 + column * UNIT,
            y=y + row * UNIT,
            width=UNIT,
            height=UNIT,
            fill=colour[row, column],
            stroke=LINE,
        )
        for row, column in CELLS
    ]


def edge(upper: tuple[float, float], lower: tuple[float, float], item: str) -> str:
    """A line from under a board to the next one, in the colour of what is placed."""
    (x1, y1), (x2, y2) = upper, lower
    colour = INK if item == LABEL else COLOURS[item]
    return element(
        "line", x1=x1, y1=y1 + SIDE + 16, x2=x2, y2=y2 - 2, stroke=colour, stroke_width=1.6
    )


@dataclass
class Node:
    """A node of the search tree: the path to it, what it names, and its children."""

    path: tuple[Option, ...]
    says: str
    children: list[Node] = field(default_factory=list)
    x: float = 0.0


def grown(path: tuple[Option, ...]) -> Node:
    """The tree below a path, branching where the fewest placements fit, the first of several."""
    covered = frozenset().union(*(option.cells for option in path))
    used = {option.item for option in path}
    fits = [o for o in PLACED if o.item not in used and not o.cells & covered]
    if len(covered) == len(CELLS):
        return Node(path, "a tiling")
    ways = {f"r{r}c{c}": [o for o in fits if (r, c) in o.cells] for r, c in CELLS}
    named = {
        name: ways[name] for name, cell in zip(ways, CELLS, strict=True) if cell not in covered
    }
    named |= {
        p.name: [o for o in fits if o.item == p.name] for p in PUZZLE.pieces if p.name not in used
    }
    name = min(named, key=lambda name: len(named[name]))
    children = [grown((*path, option)) for option in named[name]]
    return Node(path, name if children else f"{name}: dead", children)


def spread(node: Node, left: float) -> float:
    """Place a tree's leaves side by side and each node above its children; return what is right."""
    if not node.children:
        node.x = left + STEP / 2
        return left + STEP
    for child in node.children:
        left = spread(child, left)
    node.x = (node.children[0].x + node.children[-1].x) / 2
    return left


def tree() -> Picture:
    """The search tree of the reveal a."""
    root = grown((LABELS[0],))
    picture = Picture(
        spread(root, 0.0),
        4 * FALL - 24,
        "A search tree, whole",
        "The four tilings of a board of 3 by 3 with its upper left corner uncovered.",
        PAPER,
    )

    def draw(node: Node, y: float) -> None:
        for child in node.children:
            picture.add(edge((node.x, y), (child.x, y + FALL), child.path[-1].item))
            draw(child, y + FALL)
        picture.add(*board(node.x, y, node.path, frozenset()))
        picture.add(text_element(node.says, node.x, y + SIDE + 9, SIZE, INK))

    draw(root, 6)
    return picture


class State(NamedTuple):
    """A state of the diagram: cells that are covered, and what is used."""

    covered: frozenset[Cell]
    used: frozenset[str]


def steps(state: State) -> list[tuple[Option, State]]:
    """What may cover the first cell that is not covered, and the state that this leads to."""
    first = min((cell for cell in CELLS if cell not in state.covered), default=None)
    return [
        (option, State(state.covered | option.cells, state.used | {option.item}))
        for option in (*LABELS, *PLACED)
        if first in option.cells
        and option.item not in state.used
        and not option.cells & state.covered
    ]


def ways(state: State, known: dict[State, int]) -> int:
    """The ways to go on to a full board; equal states are asked once."""
    if state not in known:
        full = len(state.covered) == len(CELLS)
        known[state] = int(full) or sum(ways(after, known) for _, after in steps(state))
    return known[state]


def diagram() -> Picture:
    """The diagram of both reveals: states that can be finished, each with its number of ways."""
    known: dict[State, int] = {}
    start = State(frozenset(), frozenset())
    ways(start, known)
    rows: dict[int, list[State]] = defaultdict(list)
    for state in filter(known.get, known):
        rows[len(state.used)].append(state)
    width = STEP * max(map(len, rows.values()))
    at: dict[State, tuple[float, float]] = {}
    for level in sorted(rows):

        def middle(state: State) -> tuple[float, list[Cell]]:
            """Where the states are that lead here, on average: few lines cross."""
            above = [x for other, (x, _) in at.items() if state in dict(steps(other)).values()]
            return sum(above) / max(1, len(above)), sorted(state.covered)

        for place, state in enumerate(sorted(rows[level], key=middle)):
            at[state] = (width * (2 * place + 1) / (2 * len(rows[level])), 6 + FALL * level)
    picture = Picture(
        width,
        FALL * len(rows) - 24,
        "A tiling diagram, whole",
        "All tilings of both reveals of a board of 3 by 3 as one graph.",
        PAPER,
    )
    for state in at:
        for option, after in steps(state):
            if after in at:
                picture.add(edge(at[state], at[after], option.item))
    for state, (x, y) in at.items():
        picture.add(*board(x, y, (), state.covered))
        left = ", ".join(p.name for p in PUZZLE.pieces if p.name not in state.used)
        picture.add(text_element(f"{known[state]} {left}".strip(), x, y + SIDE + 9, SIZE, INK))
    return picture


if __name__ == "__main__":
    for picture, name in ((tree(), "tree.svg"), (diagram(), "diagram.svg")):
        Path(sys.argv[1], name).write_text(picture.svg(), encoding="utf-8")
