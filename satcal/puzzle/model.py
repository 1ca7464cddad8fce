"""The puzzle: cells, labels, categories, pieces."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.errors import OptionError, RevealError, UnknownName, did_you_mean, quote
from satcal.puzzle.calendar import Calendar, fold, meanings
from satcal.puzzle.normal import digest_of
from satcal.puzzle.shapes import Cell, Shape, orientations
from satcal.puzzle.when import parse as parse_dates

Reveal = tuple[str, ...]
"""One label per category, in the order of the puzzle's categories."""


def labels_in(text: str) -> tuple[str, ...]:
    """Return the labels of a reveal as users write it: ``Thu,Oct,23``, ``Oct 23``."""
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def cell_name(cell: Cell) -> str:
    """Return a cell as it is written everywhere: ``r2c3``."""
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
        """Number of cells of one copy."""
        return len(self.shape)


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
    canonical order, ``drawn`` holds the pieces as the file has them.
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
        """The pieces in file order; those with equal orientations are copies of one."""
        merged: dict[frozenset[Shape], Piece] = {}
        for piece in self.drawn:
            key = frozenset(piece.orientations)
            copies = piece.copies + (merged[key].copies if key in merged else 0)
            merged[key] = replace(merged.get(key, piece), copies=copies)
        return tuple(merged.values())

    def piece(self, name: str) -> Piece:
        """Return the piece with a copy of that name; raise UnknownName if none."""
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
        """Number of rows of the smallest array that holds the board."""
        return 1 + max(row for row, _ in self.cells)

    @property
    def columns(self) -> int:
        """Number of columns of the smallest array that holds the board."""
        return 1 + max(column for _, column in self.cells)

    @property
    def area(self) -> int:
        """Number of cells that the pieces cover together."""
        return sum(piece.area * piece.copies for piece in self.pieces)

    @cached_property
    def label_at(self) -> dict[Cell, Label]:
        """The label on each labelled cell."""
        return {cell: label for label in self.labels.values() for cell in label.cells}

    @cached_property
    def labels_by_case(self) -> dict[str, list[str]]:
        """The labels by their text in one case."""
        found: dict[str, list[str]] = {}
        for text in self.labels:
            found.setdefault(fold(text), []).append(text)
        return found

    def reveals(self) -> Iterator[Reveal]:
        """Yield every reveal in canonical order; without categories, just the empty one."""
        return itertools.product(*self.categories.values())

    def reveal(
        self,
        when: datetime.date | str | Sequence[str | int],
        today: datetime.date | None = None,
    ) -> Reveal:
        """Return the reveal of a date, of a sequence of labels, or of a text that names either.

        A text without a year means the year of ``today``, by default the system's.

        Raises:
            RevealError: no reveal fits.
        """
        if isinstance(when, datetime.date):
            return self.calendar.reveal(when)
        if isinstance(when, str):
            return self._reveal_of(when, today)
        return self.check_reveal(tuple(map(str, when)))

    def _reveal_of(self, text: str, today: datetime.date | None) -> Reveal:
        try:
            return self.check_reveal(labels_in(text))
        except RevealError as error:
            if self.calendar.parts is None:
                raise
            wrong = error
        try:
            spans = parse_dates(text, today or datetime.date.today())
        except RevealError as error:
            raise error if self.labels.keys().isdisjoint(labels_in(text)) else wrong from error
        if len(spans) != 1 or spans[0].days > 1:
            raise RevealError(f"'{text}' is not one day; write one, such as 2026-10-06")
        return self.calendar.reveal(spans[0].first)

    def check_reveal(self, texts: tuple[str, ...]) -> Reveal:
        """Return the reveal of labels in any order and case; raise RevealError if they form none.

        Months and weekdays may be in any language, in full or short, whatever the board uses.
        """
        chosen = self._by_category(texts)
        for category in self.categories:
            if category not in chosen:
                names, example = ", ".join(self.categories), ",".join(next(self.reveals()))
                raise RevealError(
                    f"reveal: no label of the category {category}; give one label for each "
                    f"of {names}, such as {example}"
                )
        return tuple(chosen[category] for category in self.categories)

    def reveals_with(self, texts: tuple[str, ...]) -> list[Reveal]:
        """Return the reveals that have some labels: a month and a day mean every weekday and year.

        Raises:
            RevealError: they form none, or another category has no label.
        """
        chosen = self._by_category(texts)
        free = {"weekday", *self.calendar.year_parts} - chosen.keys()
        if not {"month", "day"} <= chosen.keys() or self.calendar.parts is None:
            return [self.check_reveal(texts)]
        options = [
            labels if name in free else (chosen[name],) for name, labels in self.categories.items()
        ]
        return list(itertools.product(*options))

    def _by_category(self, texts: tuple[str, ...]) -> dict[str, str]:
        """Return the category of each label; raise RevealError for two of one category."""
        chosen: dict[str, str] = {}
        for label in map(self._label, texts):
            category = label.category
            if category in chosen:
                raise RevealError(
                    f"reveal: '{chosen[category]}' and '{label.text}' are both of the "
                    f"category {category}; give one label per category"
                )
            chosen[category] = label.text
        return chosen

    def _label(self, text: str) -> Label:
        """Return the label that a text means; raise RevealError if it is none, or two."""
        if text in self.labels:
            return self.labels[text]
        near = self.labels_by_case.get(fold(text)) or [
            labels[number - 1]
            for part, labels in (self.calendar.parts or {}).items()
            for number in meanings(part, text)
            if labels[number - 1]
        ]
        if not near:
            hint = did_you_mean(text, self.labels)
            raise RevealError(f"reveal: {self.name} has no label {quote(text)}{hint}")
        if len(near) > 1:
            which = " or ".join(near)
            raise RevealError(f"reveal: '{text}' could be {which}; write it as the board does")
        return self.labels[near[0]]

    def uncovered_cells(self, reveal: Reveal) -> frozenset[Cell]:
        """Return the cells that a reveal leaves uncovered."""
        return frozenset(cell for text in reveal for cell in self.labels[text].cells)

    def with_flips(self, flip: str) -> Puzzle:
        """Return the puzzle with other flips: ``all``, ``none`` or names (``N,L4``)."""
        names = [piece.name for piece in self.drawn]
        chosen = {"all": names, "none": []}.get(flip, [name.strip() for name in flip.split(",")])
        if odd := [name for name in chosen if name not in names]:
            raise OptionError(
                f"flip: there is no piece {quote(odd[0])}; use all, none, or some of "
                f"{','.join(names)}{did_you_mean(odd[0], names)}"
            )
        drawn = tuple(replace(piece, flip=piece.name in chosen) for piece in self.drawn)
        return replace(self, drawn=drawn)

    @cached_property
    def digest(self) -> str:
        """The digest of the puzzle's normal form, by which a checker of certificates knows it."""
        return digest_of(self)
