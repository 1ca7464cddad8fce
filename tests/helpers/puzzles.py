"""Small puzzles, and their tilings by brute force.

Nothing here uses satcal to find a tiling: the brute force has its own rotations, taken from
the drawings, and its own recursion. Puzzles go to satcal as TOML text, so that the loading
is tested with them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_uppercase

from hypothesis import strategies as st

from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import drawn

Cell = tuple[int, int]
Cells = frozenset[Cell]
Drawn = tuple[str, tuple[str, ...], int, bool]
"""A piece: its name, the rows of its drawing, copies, whether it may be turned over."""
Found = frozenset[tuple[str, Cells]]
"""A tiling as a set of (piece, cells)."""


@dataclass(frozen=True)
class Small:
    """A puzzle as it is written: board tokens, categories, drawings."""

    board: tuple[tuple[str, ...], ...]
    categories: dict[str, tuple[str, ...]]
    pieces: tuple[Drawn, ...]

    def text(self) -> str:
        board = "\n".join(map(" ".join, self.board))
        lines = [f'name = "small"\nboard = """\n{board}\n"""\n[categories]']
        lines += [f"{name} = {list(labels)!r}" for name, labels in self.categories.items()]
        lines.append("[pieces]")
        for name, rows, copies, flip in self.pieces:
            shape, turns = "\\n".join(rows), str(flip).lower()
            lines.append(f'{name} = {{ shape = "{shape}", copies = {copies}, flip = {turns} }}')
        return "\n".join(lines) + "\n"

    def load(self) -> Puzzle:
        return parse_puzzle(self.text(), "small.toml")

    def reveals(self) -> list[tuple[str, ...]]:
        return list(itertools.product(*self.categories.values()))

    def spots(self, reveal: Iterable[str]) -> tuple[list[tuple[str, list[Cells], int]], Cells]:
        """Return the placements of each piece beside a reveal, its copies; and all free cells."""
        tokens = {(r, c): token for r, row in enumerate(self.board) for c, token in enumerate(row)}
        free = frozenset(cell for cell in tokens if tokens[cell] not in {".", *reveal})
        kinds: dict[frozenset[Cells], tuple[str, int]] = {}
        for name, rows, copies, flip in self.pieces:
            every = faces(rows, flip)
            first, before = kinds.get(every, (name, 0))
            kinds[every] = (first, before + copies)
        largest_first = sorted(kinds.items(), key=lambda kind: -len(next(iter(kind[0]))))
        spots = [(name, _spots(every, free), copies) for every, (name, copies) in largest_first]
        return spots, free

    def tilings(self, reveal: Iterable[str]) -> set[Found]:
        """Return the tilings of a reveal by brute force."""
        return {frozenset(tiling) for tiling in _fill(*self.spots(reveal))}

    def solutions(self, reveal: Reveal | None) -> set[tuple[Reveal, Found]]:
        """Return the tilings of a cover, those of an open one with the labels that they reveal."""
        if reveal is not None:
            return {((), tiling) for tiling in self.tilings(reveal)}
        return {(labels, tiling) for labels in self.reveals() for tiling in self.tilings(labels)}


def faces(rows: Iterable[str], flip: bool) -> frozenset[Cells]:
    """Return what is drawn in each direction, turned over, too, where that is allowed."""
    drawn = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
    seen = set()
    for side in (drawn, [(r, -c) for r, c in drawn]) if flip else (drawn,):
        turned = side
        for _ in range(4):
            turned = [(c, -r) for r, c in turned]
            seen.add(_moved(turned))
    return frozenset(seen)


def _moved(cells: Iterable[Cell]) -> Cells:
    listed = list(cells)
    top, left = min(r for r, _ in listed), min(c for _, c in listed)
    return frozenset((r - top, c - left) for r, c in listed)


def _spots(faces: Iterable[Cells], free: Cells) -> list[Cells]:
    downs = range(1 + max((r for r, _ in free), default=0))
    rights = range(1 + max((c for _, c in free), default=0))
    found = {
        frozenset((r + down, c + right) for r, c in face)
        for face in faces
        for down, right in itertools.product(downs, rights)
    }
    return sorted((spot for spot in found if spot <= free), key=sorted)


def _fill(
    kinds: list[tuple[str, list[Cells], int]], free: Cells
) -> Iterator[list[tuple[str, Cells]]]:
    if not kinds:
        if not free:
            yield []
        return
    (name, spots, copies), *others = kinds
    if not copies:
        yield from _fill(others, free)
        return
    for number, spot in enumerate(spots):
        if spot <= free:
            rest = [(name, spots[number + 1 :], copies - 1), *others]
            for others_placed in _fill(rest, free - spot):
                yield [(name, spot), *others_placed]


def as_found(tilings: Iterable[Tiling]) -> list[Found]:
    """Return satcal's tilings in the form of the brute force; a list, so that a repeat shows."""
    return [frozenset((p.piece, frozenset(p.cells)) for p in tiling) for tiling in tilings]


def in_order(tilings: Iterable[Found]) -> list[Found]:
    """Return tilings in an order that does not depend on hashes."""
    return sorted(tilings, key=parts)


def parts(found: Found) -> list[tuple[str, list[Cell]]]:
    return sorted((name, sorted(cells)) for name, cells in found)


def write(small: Small, path: Path) -> Path:
    """Write a puzzle file and return its path."""
    path.write_text(small.text(), encoding="utf-8")
    return path


def domino_rectangle(rows: int, columns: int, corners: bool = True) -> Small:
    """Return a rectangle to be filled with dominoes, maybe without two opposite corners."""
    gaps = set() if corners else {(0, 0), (rows - 1, columns - 1)}
    board = tuple(
        tuple("." if (r, c) in gaps else "*" for c in range(columns)) for r in range(rows)
    )
    copies = (rows * columns - len(gaps)) // 2
    return Small(board, {}, (("I2", ("##",), copies, True),))


TWO_EACH = Small(
    board=(("a", "b", "*"), ("*", "*", "*")),
    categories={"letter": ("a", "b")},
    pieces=(("I", ("##",), 1, True), ("V", ("##", "#."), 1, True)),
)
"""Two reveals of two tilings each."""


# --- random puzzles ---------------------------------------------------------------------------


def _grow(rng: random.Random, allowed: set[Cell], size: int) -> set[Cell]:
    """Return a connected set of at most ``size`` allowed cells."""
    grown = {rng.choice(sorted(allowed))}
    while len(grown) < size:
        near = {(r + x, c + y) for r, c in grown for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))}
        border = sorted(near & allowed - grown)
        if not border:
            break
        grown.add(rng.choice(border))
    return grown


def _drawing(cells: Iterable[Cell]) -> tuple[str, ...]:
    drawn = _moved(cells)
    height, width = 1 + max(r for r, _ in drawn), 1 + max(c for _, c in drawn)
    return tuple(
        "".join("#" if (r, c) in drawn else "." for c in range(width)) for r in range(height)
    )


def _pieces(rng: random.Random, shapes: Iterable[set[Cell]]) -> tuple[Drawn, ...]:
    """Return pieces of these shapes; equal ones become copies, or pieces of two names."""
    pieces: list[Drawn] = []
    one_sided = rng.random() < 0.4
    for shape in shapes:
        flip = not (one_sided and rng.random() < 0.7)
        every = faces(_drawing(shape), flip)
        rows = _drawing(rng.choice(sorted(every, key=sorted)))
        for number, (name, other, copies, other_flip) in enumerate(pieces):
            same = other_flip == flip and faces(other, flip) == every
            if same and rng.random() < 0.6:
                pieces[number] = (name, other, copies + 1, flip)
                break
        else:
            name = ascii_uppercase[len(pieces)] + rng.choice(("", "", "4", "17"))
            pieces.append((name, rows, 1, flip))
    return tuple(pieces)


def _make(seed: int, rows: int, columns: int, solvable: bool) -> Small:
    rng = random.Random(seed)
    cells = {(r, c) for r in range(rows) for c in range(columns)}
    if len(cells) > 3:
        cells -= set(rng.sample(sorted(cells), rng.choice((0, 0, 0, 1, 2))))
    rest, regions = set(cells), []
    while rest:
        regions.append(_grow(rng, rest, rng.choice((1, 2, 3, 3, 4, 4, 5))))
        rest -= regions[-1]
    rng.shuffle(regions)
    narrow = [region for region in regions if len(region) < 4]
    revealed = narrow[: min(rng.choice((0, 1, 1, 2, 2)), len(regions) - 1)]
    tokens = dict.fromkeys(cells, "*")
    categories: dict[str, tuple[str, ...]] = {}
    unlabelled = cells.difference(*revealed)
    for category, region in zip(("x", "y"), revealed, strict=False):
        places = [region]
        for _ in range(rng.randrange(3)):
            other = _grow(rng, unlabelled, len(region)) if unlabelled else set()
            if len(other) == len(region):
                places.append(other)
                unlabelled -= other
        rng.shuffle(places)
        categories[category] = tuple(f"{category}{number}" for number in range(len(places)))
        for label, place in zip(categories[category], places, strict=True):
            tokens.update(dict.fromkeys(place, label))
    shapes = [region for region in regions if region not in revealed]
    if not solvable:
        area, shapes = sum(map(len, shapes)), []
        while area:
            field = {(r, c) for r in range(4) for c in range(4)}
            shapes.append(_grow(rng, field, min(area, rng.choice((1, 2, 3, 3, 4, 4, 5)))))
            area -= len(shapes[-1])
    board = tuple(tuple(tokens.get((r, c), ".") for c in range(columns)) for r in range(rows))
    return Small(board, categories, _pieces(rng, shapes))


def random_small(seed: int) -> Small:
    """A puzzle as :func:`small_puzzles` draws them, of a seed."""
    rng = random.Random(f"small {seed}")
    rows = rng.randint(1, 4)
    columns = rng.randint(2 if rows == 1 else 1, 16 // rows if rows > 2 else 7)
    return _make(rng.randrange(2**32), rows, columns, rng.random() < 0.7)


@st.composite
def small_puzzles(draw: st.DrawFn, solvable: bool | None = None) -> Small:
    """Draw a puzzle of 2 to 16 cells, at least one reveal of which is solvable if ``solvable``.

    None draws both kinds. Copies, ``*`` cells, wide labels, one-sided pieces, pieces of two
    names and boards with gaps are among them.
    """
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(2 if rows == 1 else 1, 16 // rows if rows > 2 else 7))
    kind = draw(st.booleans()) if solvable is None else solvable
    return _make(draw(st.integers(0, 2**32 - 1)), rows, columns, kind)


# --- puzzles that are drawn here, and what brute force says of those of satcal ------------------


TINY = Small(
    board=(("Jan", "Feb", "*", "*"), ("1", "29", "30", "*"), ("*", "*", "*", "*")),
    categories={"month": ("Jan", "Feb"), "day": ("1", "29", "30")},
    pieces=(("L4", ("###", "#.."), 1, True), ("V", ("##", "#."), 2, True)),
)
ONE_FACE = replace(TINY, pieces=(("L4", ("###", "#.."), 1, False), *TINY.pieces[1:]))
SQUARE = Small(
    board=(("*",) * 4,) * 4,
    categories={},
    pieces=(
        ("P", ("###", "##."), 1, True),
        ("V", ("###", "#..", "#.."), 1, True),
        ("L4", ("###", "#.."), 1, True),
        ("D", ("##",), 1, True),
    ),
)
FREE = Small(board=(("*",) * 3,) * 2, categories={}, pieces=(("V", ("##", "#."), 2, True),))

LETTERS = (
    """name = "small"
board = """
    + '"""\nA B C D\n* * * *\n* * * *\n"""'
    + """
[categories]
letter = ["A", "B", "C", "D"]
[pieces]
L = "#.\\n#.\\n##"
T = "###\\n.#."
I = "###"
"""
)
"""A puzzle whose certificates take no time."""


def truth(small: Small) -> dict[Reveal, int]:
    """Return the counts of all reveals by brute force."""
    return {reveal: len(small.tilings(reveal)) for reveal in small.reveals()}


PATCH = Small(
    board=(("*",) * 4, ("*", "*", "1", "*"), ("*", "2", "b", "*"), ("*", "*", "*", "a")),
    categories={"letter": ("a", "b"), "number": ("1", "2")},
    pieces=(
        ("I", ("#####",), 1, True),
        ("V", ("#..", "#..", "###"), 1, True),
        ("T4", ("###", ".#."), 1, True),
    ),
)


def as_small(puzzle: Puzzle) -> Small:
    """Return a puzzle as the brute force takes it."""
    tokens = dict.fromkeys(puzzle.cells, "*")
    tokens |= {cell: label.text for cell, label in puzzle.label_at.items()}
    board = tuple(
        tuple(tokens.get((row, column), ".") for column in range(puzzle.columns))
        for row in range(puzzle.rows)
    )
    pieces = tuple(
        (piece.name, tuple(drawn(piece.shape)), piece.copies, piece.flip) for piece in puzzle.drawn
    )
    return Small(board, dict(puzzle.categories), pieces)


def counts(puzzle: Puzzle, reveals: Iterable[Reveal]) -> tuple[int, ...]:
    """Return the numbers of tilings of some reveals by brute force."""
    small = as_small(puzzle)
    return tuple(len(small.tilings(reveal)) for reveal in reveals)


# --- exact covers without a board, whose numbers of tilings are known --------------------------
