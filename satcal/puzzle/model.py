"""The puzzle: cells, labels, categories, pieces."""

from __future__ import annotations

import datetime
import hashlib
import itertools
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satcal.errors import InputError, OptionError, RevealError, UnknownName, did_you_mean, shown
from satcal.puzzle.calendar import Calendar, position
from satcal.puzzle.shapes import Cell, Shape, orientations

Reveal = tuple[str, ...]
"""One label per category, in the order of the puzzle's categories."""


def labels_in(text: str) -> tuple[str, ...]:
    """The labels of a reveal as users write it: ``Thu,Oct,23``, ``Oct 23``."""
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def cell_name(cell: Cell) -> str:
    """A cell as it is written everywhere: ``r2c3``."""
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


def may_flip(
    flip: str, names: Collection[str], kind: type[InputError] = OptionError
) -> Collection[str]:
    """The pieces that may be turned over: ``all``, ``none``, or those named (``N,L4``)."""
    if flip in ("all", "none"):
        return names if flip == "all" else ()
    chosen = [name.strip() for name in flip.split(",")]
    for name in chosen:
        if name not in names:
            raise kind(
                f"flip: there is no piece {shown(name)}; use all, none, or some of "
                f"{shown(','.join(names))}{did_you_mean(name, names)}"
            )
    return chosen


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
        """The piece with a copy of that name; raises UnknownName if none."""
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

    def reveals(self) -> Iterator[Reveal]:
        """Yield every reveal in canonical order; without categories, just the empty one."""
        return itertools.product(*self.categories.values())

    def reveal(
        self,
        when: datetime.date | str | Sequence[str | int],
        today: datetime.date | None = None,
    ) -> Reveal:
        """The reveal of a date, a sequence of labels, or text (labels, or else a date).

        Text without a year means the year of ``today``, by default the system's.
        Raises RevealError if there is none.
        """
        if isinstance(when, datetime.date):
            return self.calendar.reveal(when)
        if isinstance(when, str):
            return self._reveal_of(when, today)
        if isinstance(when, Sequence) and not isinstance(when, bytes):
            return self.check_reveal(tuple(map(str, when)))
        kind = type(when).__name__
        raise TypeError(
            f"reveal: give a date, text such as 'Oct 6', or its labels, not the {kind} {when!r:.60}"
        )

    def _reveal_of(self, text: str, today: datetime.date | None) -> Reveal:
        """The reveal whose labels a text has, or else that of the date that it names."""
        try:
            return self.check_reveal(labels_in(text))
        except RevealError as error:
            wrong = error
        from satcal.puzzle import when  # a checker of certificates reads no dates

        try:
            spans = when.parse(text, today or datetime.date.today())
        except RevealError:
            raise wrong from None
        if len(spans) != 1 or spans[0].first != spans[0].last:
            raise RevealError(f"'{text}' is more than one day; give one, such as {spans[0].first}")
        return self.calendar.reveal(spans[0].first)

    def check_reveal(self, texts: tuple[str, ...]) -> Reveal:
        """The reveal of labels in any order and case; raises RevealError if they form none.

        Months and weekdays may be in English, in full or short, whatever language the board uses.
        """
        chosen: dict[str, str] = {}
        for label in map(self._label, texts):
            category = label.category
            if category in chosen:
                raise RevealError(
                    f"reveal: '{chosen[category]}' and '{label.text}' are both of the "
                    f"category {category}; give one label per category"
                )
            chosen[category] = label.text
        for category in self.categories:
            if category not in chosen:
                every, example = ", ".join(self.categories), ",".join(next(self.reveals()))
                raise RevealError(
                    f"reveal: no label of the category {category}; give one label for each "
                    f"of {every}, such as {example}"
                )
        return tuple(chosen[category] for category in self.categories)

    def _label(self, text: str) -> Label:
        if text in self.labels:
            return self.labels[text]
        near = [label for label in self.labels if label.casefold() == text.casefold()]
        for part, labels in (self.calendar.parts or {}).items():
            index = position(part, text)
            if not near and index is not None and labels[index]:
                near = [labels[index]]
        if not near:
            hint = did_you_mean(text, self.labels)
            raise RevealError(f"reveal: {self.name} has no label '{text}'{hint}")
        if len(near) > 1:
            which = " or ".join(near)
            raise RevealError(
                f"reveal: '{text}' could be {which}; write capitals as the board does"
            )
        return self.labels[near[0]]

    def uncovered(self, reveal: Reveal) -> frozenset[Cell]:
        """The cells that a reveal leaves uncovered."""
        return frozenset(cell for text in reveal for cell in self.labels[text].cells)

    def with_flips(self, flip: str) -> Puzzle:
        """The puzzle with other flips: ``all``, ``none`` or names (``N,L4``)."""
        chosen = may_flip(flip, [piece.name for piece in self.drawn])
        drawn = tuple(replace(piece, flip=piece.name in chosen) for piece in self.drawn)
        return replace(self, drawn=drawn)

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of exactly what determines the counts."""
        content = {
            "cells": self.cells,
            "labels": {name: self.labels[name].cells for name in sorted(self.labels)},
            "categories": sorted(sorted(texts) for texts in self.categories.values()),
            "pieces": sorted((sorted(p.orientations), p.copies) for p in self.pieces),
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()
