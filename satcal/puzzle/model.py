"""The puzzle: cells, labels, categories, pieces."""

from __future__ import annotations

import datetime
import hashlib
import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.errors import OptionError, RevealError, UnknownName, did_you_mean, quote
from satcal.puzzle.calendar import Calendar, fold, meanings
from satcal.puzzle.normal import MAX_NAME, NO_CELL, OUTSIDE, PLAIN_CELL, in_quotes
from satcal.puzzle.shapes import Cell, Shape, orientations, shape_rows
from satcal.puzzle.when import parse_dates

Reveal = tuple[str, ...]
"""One label per category, in the order of the puzzle's categories."""


def labels_in(text: str) -> tuple[str, ...]:
    """Parse the labels of a reveal: ``Thu,Oct,23`` or ``Oct 23``."""
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def name_reveal(reveal: Reveal) -> str:
    """Return the labels of a reveal, or ``the board`` for the empty one."""
    return " ".join(reveal) or "the board"


def parse_flip(flip: str, names: Collection[str]) -> Collection[str]:
    """Return the pieces that may be turned over: ``all``, ``none`` or those named (``N,L4``).

    Raises:
        OptionError: there is no piece of a name.
    """
    flips = {"all": names, "none": []}.get(flip, [name.strip() for name in flip.split(",")])
    for name in flips:
        if name not in names:
            raise OptionError(
                f"flip: there is no piece {quote(name)}; use all, none, or some of "
                f"{','.join(names)}{did_you_mean(name, names)}"
            )
    return flips


def cell_name(cell: Cell) -> str:
    """Return the name of a cell in texts: ``r2c3``."""
    return f"r{cell[0]}c{cell[1]}"


@dataclass(frozen=True)
class Label:
    """A region of the board: adjacent cells that stay uncovered as a whole."""

    text: str
    category: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Piece:
    """A polyomino with its number of interchangeable copies."""

    name: str
    shape: Shape
    copies: int = 1
    flip: bool = True

    @cached_property
    def orientations(self) -> tuple[Shape, ...]:
        """The distinct orientations, the drawing first."""
        return orientations(self.shape, self.flip)

    @property
    def area(self) -> int:
        """The number of cells of one copy."""
        return len(self.shape)

    @property
    def entry(self) -> str:
        """The piece as a table in one line of TOML."""
        drawing, flip = "\\n".join(shape_rows(self.shape)), str(self.flip).lower()
        return f'{{ shape = "{drawing}", copies = {self.copies}, flip = {flip} }}'


@dataclass(frozen=True)
class Placement:
    """A piece in an orientation at a position: its cells in row-major order."""

    piece: str
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return f"{self.piece}:{','.join(map(cell_name, self.cells))}"


Tiling = tuple[Placement, ...]
"""Its placements in canonical order: pieces in file order, then cells."""


@dataclass(frozen=True)
class Puzzle:
    """A board, its labels and its pieces.

    ``cells`` is in row-major order, ``categories`` maps each category to its labels in
    canonical order, ``drawn`` has the pieces as the file draws them.
    """

    name: str
    cells: tuple[Cell, ...]
    labels: Mapping[str, Label]
    categories: Mapping[str, tuple[str, ...]]
    drawn: tuple[Piece, ...]
    calendar: Calendar
    title: str = ""
    designer: str = ""
    source: str = ""

    def __hash__(self) -> int:
        return hash((self.name, self.cells, self.drawn))

    def __repr__(self) -> str:
        pieces = " ".join(piece.name for piece in self.drawn)
        return f"<Puzzle {self.name}: {len(self.cells)} cells, pieces {pieces}>"

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces in file order; pieces with equal orientations are copies of the first."""
        merged: dict[frozenset[Shape], Piece] = {}
        for piece in self.drawn:
            key = frozenset(piece.orientations)
            copies = piece.copies + (merged[key].copies if key in merged else 0)
            merged[key] = replace(merged.get(key, piece), copies=copies)
        return tuple(merged.values())

    def piece(self, name: str) -> Piece:
        """Return the piece of that name or, for the name of a copy, the piece that it copies.

        Raises:
            UnknownName: the puzzle has no such piece.
        """
        names = [piece.name for piece in self.drawn]
        if name not in names:
            raise UnknownName(
                f"{self.name} has no piece '{name}' (its pieces are {', '.join(names)})"
                + did_you_mean(name, names)
            )
        same = set(self.drawn[names.index(name)].orientations)
        return next(piece for piece in self.pieces if set(piece.orientations) == same)

    @property
    def rows(self) -> int:
        """The number of rows, from row 0 to the last cell."""
        return 1 + max(row for row, _ in self.cells)

    @property
    def columns(self) -> int:
        """The number of columns, from column 0 to the last cell."""
        return 1 + max(column for _, column in self.cells)

    @property
    def area(self) -> int:
        """The number of cells that the pieces cover together."""
        return sum(piece.area * piece.copies for piece in self.pieces)

    @property
    def number_of_reveals(self) -> int:
        """The number of reveals; 1 without categories."""
        return math.prod(map(len, self.categories.values()))

    @cached_property
    def label_at(self) -> dict[Cell, Label]:
        """The label on each labelled cell."""
        return {cell: label for label in self.labels.values() for cell in label.cells}

    @cached_property
    def labels_by_case(self) -> dict[str, list[str]]:
        """The labels by their folded text."""
        labels: dict[str, list[str]] = {}
        for text in self.labels:
            labels.setdefault(fold(text), []).append(text)
        return labels

    def reveals(self) -> Iterator[Reveal]:
        """Yield every reveal in canonical order; without categories, the empty one."""
        return itertools.product(*self.categories.values())

    def reveal(
        self,
        when: datetime.date | str | Sequence[str | int],
        today: datetime.date | None = None,
    ) -> Reveal:
        """Return the reveal of a date, of a sequence of labels, or of the text of either.

        A text without a year means the year of ``today``, by default the system's.

        Raises:
            RevealError: no reveal fits.
        """
        if isinstance(when, datetime.date):
            return self.calendar.reveal(when)
        if isinstance(when, str):
            return self._parse_reveal(when, today)
        return self.check_reveal(tuple(map(str, when)))

    def _parse_reveal(self, text: str, today: datetime.date | None) -> Reveal:
        try:
            return self.check_reveal(labels_in(text))
        except RevealError as error:
            if self.calendar.parts is None:
                raise
            label_error = error
        try:
            spans = parse_dates(text, today or datetime.date.today())
        except RevealError as error:
            has_label = not self.labels.keys().isdisjoint(labels_in(text))
            raise label_error if has_label else error from error
        if len(spans) != 1 or spans[0].days > 1:
            raise RevealError(f"'{text}' is not one day; write one, such as 2026-10-06")
        return self.calendar.reveal(spans[0].first)

    def check_reveal(self, texts: tuple[str, ...]) -> Reveal:
        """Return the reveal of labels in any order and case; raise RevealError if there is none.

        Months and weekdays may be in any language, in full or short.
        """
        label_of = self._by_category(texts)
        for category in self.categories:
            if category not in label_of:
                names, example = ", ".join(self.categories), ",".join(next(self.reveals()))
                raise RevealError(
                    f"reveal: no label of the category {category}; give one label for each "
                    f"of {names}, such as {example}"
                )
        return tuple(label_of[category] for category in self.categories)

    def reveals_with(self, texts: tuple[str, ...]) -> list[Reveal]:
        """Return the reveals that have these labels; only weekday and year may be left out.

        Raises:
            RevealError: there is no such reveal, or another category has no label.
        """
        label_of = self._by_category(texts)
        free = {"weekday", "year"} - label_of.keys()
        if not {"month", "day"} <= label_of.keys() or self.calendar.parts is None:
            return [self.check_reveal(texts)]
        options = [
            labels if name in free else (label_of[name],)
            for name, labels in self.categories.items()
        ]
        return list(itertools.product(*options))

    def _by_category(self, texts: tuple[str, ...]) -> dict[str, str]:
        """Return the labels by category; raise RevealError for two of one category."""
        label_of: dict[str, str] = {}
        for label in map(self._find_label, texts):
            category = label.category
            if category in label_of:
                raise RevealError(
                    f"reveal: '{label_of[category]}' and '{label.text}' are both of the "
                    f"category {category}; give one label per category"
                )
            label_of[category] = label.text
        return label_of

    def _find_label(self, text: str) -> Label:
        """Return the label that a text means; raise RevealError if there is none, or two."""
        if text in self.labels:
            return self.labels[text]
        candidates = self.labels_by_case.get(fold(text)) or [
            labels[number - 1]
            for part, labels in (self.calendar.parts or {}).items()
            for number in meanings(part, text)
            if labels[number - 1]
        ]
        if not candidates:
            hint = did_you_mean(text, self.labels)
            raise RevealError(f"reveal: {self.name} has no label {quote(text)}{hint}")
        if len(candidates) > 1:
            names = " or ".join(candidates)
            raise RevealError(f"reveal: '{text}' could be {names}; write it as the board does")
        return self.labels[candidates[0]]

    def uncovered_cells(self, reveal: Reveal) -> frozenset[Cell]:
        """Return the cells that a reveal leaves uncovered."""
        return frozenset(cell for text in reveal for cell in self.labels[text].cells)

    def with_flips(self, flip: str) -> Puzzle:
        """Return the puzzle with other flips: ``all``, ``none`` or the pieces named (``N,L4``)."""
        flips = parse_flip(flip, [piece.name for piece in self.drawn])
        drawn = tuple(replace(piece, flip=piece.name in flips) for piece in self.drawn)
        return replace(self, drawn=drawn)

    def board_rows(self) -> list[str]:
        """Return the rows of the board's drawing, with aligned columns."""
        at = self.label_at
        tokens = {cell: at[cell].text if cell in at else PLAIN_CELL for cell in self.cells}
        width = max(map(len, tokens.values()))
        rows = (
            [tokens.get((row, column), NO_CELL).ljust(width) for column in range(self.columns)]
            for row in range(self.rows)
        )
        return [" ".join(row).rstrip() for row in rows]

    def normal_form(self) -> str:
        r"""Return the text in a certificate, which has the name and only what a proof needs.

        >>> from satcal.puzzle.loading import load
        >>> print(load("pentomino-3x20").normal_form().partition("[pieces]")[2][:50])
        <BLANKLINE>
        F = { shape = "##.\n.##\n.#.", copies = 1, flip =
        """
        lines = [f"name = {in_quotes(OUTSIDE.sub('?', self.name[:MAX_NAME]))}", 'board = """']
        lines += [*self.board_rows(), '"""', "", "[categories]"]
        for name, labels in self.categories.items():
            lines.append(f"{in_quotes(name)} = [{', '.join(map(in_quotes, labels))}]")
        lines += ["", "[pieces]", *(f"{piece.name} = {piece.entry}" for piece in self.drawn)]
        return "\n".join(lines) + "\n"

    @cached_property
    def digest(self) -> str:
        """The SHA-256, in hexadecimal, of the normal form without the puzzle's name."""
        return hashlib.sha256(self.normal_form().partition("\n")[2].encode()).hexdigest()
