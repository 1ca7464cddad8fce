"""Partly filled boards: what ``--place`` says, and what it leaves of a cover.

A condition is a placement (``N:r2c3,r2c4,...``), a piece on a cell (``N@r2c3``), or a grid
of the board's shape with names of pieces, and ``_`` where nothing is placed yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from satcal.errors import SHOWN, PlacementError, UnknownName, did_you_mean, quoted, shown
from satcal.files import read_text
from satcal.puzzle.drawings import rows_of
from satcal.puzzle.loading import MAX_CELLS
from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name
from satcal.puzzle.placements import Cover, Option, keep
from satcal.puzzle.shapes import Cell, normalise

_CELL = re.compile(r"r(\d{1,4})c(\d{1,4})")
EMPTY = "_"
OFF_BOARD = "."


@dataclass(frozen=True)
class Demand:
    """That a piece covers these cells: as a whole placement, or each by some copy."""

    piece: str
    cells: tuple[Cell, ...]
    whole: bool

    def __str__(self) -> str:
        if self.whole:
            return str(Placement(self.piece, self.cells))
        return " ".join(f"{self.piece}@{cell_name(cell)}" for cell in self.cells)

    def allows(self, option: Option) -> bool:
        """Whether an option that covers one of the cells is as demanded."""
        if not isinstance(option, Placement) or option.piece != self.piece:
            return False
        return not self.whole or option.cells == self.cells


def parse_cell(text: str, where: str) -> Cell:
    """The cell that ``r2c3`` names; raises PlacementError if none."""
    match = _CELL.fullmatch(text.strip())
    if not match:
        raise PlacementError(f"{where}: '{text}' is not a cell; write row and column as r2c3")
    return int(match[1]), int(match[2])


def named_cells(puzzle: Puzzle, text: str, where: str) -> tuple[Cell, ...]:
    """The cells that a name means: ``r2c3``, or those on which a label is printed.

    Raises PlacementError for what is neither, or not on the board.
    """
    name = text.strip()
    if name not in puzzle.labels and _CELL.fullmatch(name):
        cell = parse_cell(name, where)
        _check_on_board(puzzle, (cell,), where)
        return (cell,)
    near = [label for label in puzzle.labels.values() if label.text == name]
    near += [label for label in puzzle.labels.values() if label.text.casefold() == name.casefold()]
    if not near:
        hint = did_you_mean(name, puzzle.labels)
        raise PlacementError(
            f"{where}: {shown(name)} is not a label; write a label, or row and column as r2c3{hint}"
        )
    return near[0].cells


def parse_cells(puzzle: Puzzle, text: str) -> tuple[Cell, ...]:
    """The cells that ``--cells`` lists: by labels, or as rows and columns such as ``r0c5``.

    Raises PlacementError for what is neither a label nor a cell of the board.
    """
    found: dict[Cell, None] = {}
    for word in filter(None, text.split(",")):
        if word in puzzle.labels:
            found |= dict.fromkeys(puzzle.labels[word].cells)
        else:
            hint = did_you_mean(word, puzzle.labels) or "; write labels, or cells as r2c3"
            match = re.fullmatch("r([0-9]{1,4})c([0-9]{1,4})", word)
            cell = (int(match[1]), int(match[2])) if match else (-1, -1)
            if cell not in puzzle.cells:
                raise PlacementError(f"--cells: '{word}' is not a cell of {puzzle.name}{hint}")
            found.setdefault(cell)
    return tuple(sorted(found))


def parse_placement(puzzle: Puzzle, text: str) -> Placement:
    """The placement that ``N:r2c3,r2c4,...`` or ``N:9,10,...`` names.

    Its cells are named by row and column, from 0, or by what is printed on them. Raises
    PlacementError for anything else.
    """
    text = text.strip()
    name, _, rest = text.partition(":")
    piece = puzzle.piece(name)
    where = f"placement {text[:SHOWN]}"
    if rest.count(",") >= MAX_CELLS:
        raise PlacementError(f"{where}…: more cells than any board has; name those of one piece")
    named = [cell for part in rest.split(",") for cell in named_cells(puzzle, part, where)]
    cells = tuple(sorted(named))
    if normalise(cells) not in piece.orientations:
        hint = "" if piece.flip else " (it may not be turned over)"
        these = "this cell does" if len(cells) == 1 else f"these {len(cells)} cells do"
        raise PlacementError(
            f"{where}: {these} not form piece {name} in any orientation{hint}; `satcal show` draws "
            "it"
        )
    return Placement(piece.name, cells)


def written(puzzle: Puzzle, placed: Placement) -> str:
    """A placement as :func:`parse_placement` reads it, with what is printed on its cells.

    A cell without a label, or with a part of one, is written as ``r2c3``.
    """
    names = []
    for cell in placed.cells:
        label = puzzle.label_at.get(cell)
        label_covered = label is not None and set(placed.cells).issuperset(label.cells)
        names.append(label.text if label is not None and label_covered else cell_name(cell))
    return f"{placed.piece}:{','.join(dict.fromkeys(names))}"


def parse_demands(puzzle: Puzzle, texts: Iterable[str]) -> list[Demand]:
    """The demands of ``--place``, read from a file for ``@FILE``."""
    demands: list[Demand] = []
    for text in texts:
        where, content = "partly filled board", text
        if in_file := text.startswith("@"):
            content = read_text(Path(text[1:]), where)
            where = f"{where} {quoted(text[1:])}"
        lines = [line.strip() for line in rows_of(content, where, PlacementError)]
        lines = [line for line in lines if line and not line.startswith("#")]
        if not lines:
            raise PlacementError(f"{where}: it is empty; give placements or a grid")
        if all(":" in line or "@" in line for line in lines):
            parts = re.sub(r"\s*,\s*", ",", " ".join(lines)).split()
            with _in(where) if in_file else nullcontext():
                for part in parts:
                    demands += _whole(puzzle, [_parse_demand(puzzle, one) for one in _apart(part)])
        elif len(lines) == 1 < puzzle.rows and not in_file:
            raise PlacementError(_where_to(puzzle, lines[0]))
        else:
            with _in(where):
                demands += _parse_grid(puzzle, lines)
    return demands


@contextmanager
def _in(where: str) -> Iterator[None]:
    """Begin what is wrong with a placement, or a piece's name, with the place where it stands."""
    try:
        yield
    except (PlacementError, UnknownName) as error:
        raise type(error)(f"{where}: {error}") from error


def _apart(text: str) -> list[str]:
    """Split ``P@Jan,Feb`` into ``P@Jan`` and ``P@Feb``; other texts are returned whole."""
    name, at, where = text.partition("@")
    return [f"{name}@{cell}" for cell in where.split(",")] if at and ":" not in text else [text]


def _whole(puzzle: Puzzle, demands: list[Demand]) -> list[Demand]:
    """One demand of a placement, if these cells of a piece are all that it covers."""
    cells = tuple(sorted(cell for demand in demands for cell in demand.cells))
    piece = puzzle.piece(demands[0].piece)
    fits = len(set(cells)) == len(cells) and normalise(cells) in piece.orientations
    return [Demand(piece.name, cells, whole=True)] if fits else demands


def _where_to(puzzle: Puzzle, text: str) -> str:
    """What is wrong with a piece of which is not said where it lies."""
    names = [piece.name for piece in puzzle.drawn]
    name = next((name for name in names if text.startswith(name)), names[0])
    first, second, *_ = [*puzzle.labels, "r0c0", "r0c1"]
    return (
        f"place {shown(text)}: no cell given; write {name}@{first} for one of its cells, or "
        f"{name}:{first},{second},... for all of them. A cell is a label, or r2c3 (row and column, "
        "counted from 0)"
    )


def _parse_demand(puzzle: Puzzle, text: str) -> Demand:
    if ":" in text:
        placement = parse_placement(puzzle, text)
        return Demand(placement.piece, placement.cells, whole=True)
    name, _, where = text.partition("@")
    piece = puzzle.piece(name).name
    cells = named_cells(puzzle, where, f"place {text}")
    if len(cells) > 1:
        listed = " or ".join(f"{piece}@{cell_name(cell)}" for cell in cells)
        raise PlacementError(f"place {text}: {where} is printed on several cells; write {listed}")
    return Demand(piece, cells, whole=False)


def _names(puzzle: Puzzle) -> set[str]:
    """The names of the pieces."""
    return {piece.name for piece in puzzle.drawn}


def _parse_grid(puzzle: Puzzle, lines: list[str]) -> list[Demand]:
    if len(lines) != puzzle.rows:
        drawn = "1 row" if len(lines) == 1 else f"{len(lines)} rows"
        raise PlacementError(
            f"{drawn}, but {puzzle.name} has {puzzle.rows}; write placements such as "
            f"N:r2c3,r2c4,... or a grid with '{EMPTY}' where nothing is placed"
        )
    names = _names(puzzle)
    cells: dict[str, list[Cell]] = {}
    for row, line in enumerate(lines):
        tokens = line.split()
        if len(tokens) != puzzle.columns:
            raise PlacementError(
                f"row {row} has {len(tokens)} entries, but {puzzle.name} has "
                f"{puzzle.columns} columns; write '{OFF_BOARD}' where there is no cell"
            )
        for column, token in enumerate(tokens):
            cell = (row, column)
            label = puzzle.label_at.get(cell)
            is_label = label is not None and label.text == token
            if is_label and token in names:
                raise PlacementError(
                    f"'{token}' in {cell_name(cell)} is both its label and a piece; write "
                    f"'{EMPTY}' for the label, or placements such as {token}@{cell_name(cell)} "
                    "in place of the grid"
                )
            if not is_label and token not in (EMPTY, OFF_BOARD, "*"):
                _check_on_board(puzzle, (cell,), f"place {token}")
                cells.setdefault(puzzle.piece(token).name, []).append(cell)
    return [Demand(name, tuple(at), whole=False) for name, at in cells.items()]


def _check_on_board(puzzle: Puzzle, cells: Iterable[Cell], where: str) -> None:
    on_board = frozenset(puzzle.cells)
    for cell in cells:
        if cell not in on_board:
            raise PlacementError(
                f"{where}: {cell_name(cell)} is not a cell of {puzzle.name} "
                f"(rows 0 to {puzzle.rows - 1}, columns 0 to {puzzle.columns - 1})"
            )


def check_reveal(puzzle: Puzzle, reveal: Reveal, demands: Iterable[Demand]) -> None:
    """Raise PlacementError for a demand on a cell that the reveal leaves uncovered."""
    uncovered = puzzle.uncovered(reveal)
    for cell in (cell for demand in demands for cell in demand.cells):
        if cell in uncovered:
            label = puzzle.label_at[cell].text
            raise PlacementError(
                f"place: {cell_name(cell)} is {label}, which {' '.join(reveal)} leaves uncovered; "
                "place the piece elsewhere"
            )


def place(cover: Cover, demands: Sequence[Demand]) -> Cover:
    """The cover with the options that are :func:`allowed`."""
    return keep(cover, allowed(cover, demands)) if demands else cover


def allowed(cover: Cover, demands: Sequence[Demand]) -> list[bool]:
    """Whether the demands leave each option of a cover.

    Every cell must be covered: to leave no other option on a cell fixes what covers it.
    Raises PlacementError for demands that exclude each other or the reveal.
    """
    if cover.reveal is not None:
        check_reveal(cover.puzzle, cover.reveal, demands)
    demand_on: dict[Cell, Demand] = {}
    for demand in demands:
        for cell in demand.cells:
            other = demand_on.setdefault(cell, demand)
            if other.piece != demand.piece or (other.whole and demand.whole and other != demand):
                both = f"both {other.piece} and {demand.piece}"
                if other.piece == demand.piece:
                    both = f"two placements of {demand.piece}"
                raise PlacementError(
                    f"place: {cell_name(cell)} is given to {both}; remove one of them"
                )
            if demand.whole:
                demand_on[cell] = demand
    return [
        all(demand_on[cell].allows(option) for cell in option.cells if cell in demand_on)
        for option in cover.options
    ]
