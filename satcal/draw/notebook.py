"""What a notebook shows by itself: a tiling, the empty board, a table of counts."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from satcal.draw import pictures
from satcal.draw.svg import Picture
from satcal.draw.theme import DEFAULT, ink_on, load_theme
from satcal.errors import Missing
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.model import Tiling as Placements
from satcal.puzzle.shapes import pose
from satcal.tables import count_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pandas import DataFrame

MANY_ROWS = 60  # as many as pandas shows


class Tiling(tuple[Placement, ...]):
    """The placements of a tiling, which knows its puzzle and reveal; a notebook draws it."""

    puzzle: Puzzle
    reveal: Reveal

    def __new__(cls, placements: Iterable[Placement], puzzle: Puzzle, reveal: Reveal) -> Tiling:
        """The tiling of a reveal."""
        tiling = super().__new__(cls, placements)
        tiling.puzzle, tiling.reveal = puzzle, reveal
        return tiling

    def __getnewargs__(self) -> tuple[Placements, Puzzle, Reveal]:
        return tuple(self), self.puzzle, self.reveal

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Tiling of {' '.join((self.puzzle.name, *self.reveal))}: {self}>"

    def placements(self) -> list[dict[str, Any]]:
        """The placements for whoever draws them, as ``solve --format json`` has them.

        Of each the ``piece``, as drawn in the puzzle file, turned over if ``flip``, then by
        ``quarter_turns`` clockwise; the row and column of its bounding box's top left corner
        (``anchor``); and its ``cells``, all from 0.
        """
        return placed(self.puzzle, self)

    def array(self) -> NDArray[np.int16]:
        """The board as rows of numbers: -1 is no cell, 0 uncovered, n the n-th placement."""
        import numpy as np

        board = np.full((self.puzzle.rows, self.puzzle.columns), -1, np.int16)
        board[tuple(zip(*self.puzzle.cells, strict=True))] = 0
        for number, placement in enumerate(self, start=1):
            board[tuple(zip(*placement.cells, strict=True))] = number
        return board

    def svg(self, theme: str = DEFAULT) -> str:
        """The text of its picture."""
        return tiling_picture(self, theme).svg()

    def save(self, path: str | os.PathLike[str], theme: str = DEFAULT) -> None:
        """Write its picture, by the file's suffix, as :meth:`Picture.save` does."""
        tiling_picture(self, theme).save(path)

    def _repr_svg_(self) -> str:
        return self.svg()


def placed(puzzle: Puzzle, tiling: Iterable[Placement]) -> list[dict[str, Any]]:
    """Placements as records: piece, anchor, quarter turns, flip and cells."""
    records = []
    for placement in tiling:
        stands = pose(puzzle.piece(placement.piece).shape, placement.cells)._asdict()
        records.append({"piece": placement.piece, **stands, "cells": placement.cells})
    return records


class Table(list[dict[str, Any]]):
    """Counts as records, with the fields of ``satcal count``; a notebook shows a calendar,
    or the rows where one has no date.

    ``categories`` are the labels of each category, months and weekdays in calendar order.
    """

    def __init__(
        self, records: Iterable[dict[str, Any]], categories: Mapping[str, Sequence[str]]
    ) -> None:
        super().__init__(records)
        self.categories = categories

    def __repr__(self) -> str:
        return f"<Table of {count_of(len(self), 'row')}>"

    @overload
    def __getitem__(self, at: SupportsIndex) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> Table: ...
    def __getitem__(self, at: SupportsIndex | slice) -> dict[str, Any] | Table:
        if isinstance(at, slice):
            return Table(super().__getitem__(at), self.categories)
        return super().__getitem__(at)

    def frame(self) -> DataFrame:
        """A pandas DataFrame that sorts and pivots in calendar order.

        ``date`` is datetime64[s] (NaT without a year), ``day`` an integer where all days are
        numbers, every other category an ordered categorical of its labels in the puzzle's order,
        ``tilings`` an integer. Raises Missing where pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise Missing("a data frame needs pandas: pip install pandas") from error
        frame = pandas.DataFrame(
            list(self), columns=["date", *self.categories, "tilings", "methods"]
        )
        frame["date"] = pandas.to_datetime(frame["date"].replace("", None)).astype("datetime64[s]")
        for name, labels in self.categories.items():
            if name == "day" and all(label.isdecimal() for label in labels if label):
                frame[name] = frame[name].astype(int)
            else:
                known = [label for label in labels if label]  # a board may lack a day
                frame[name] = pandas.Categorical(frame[name], known, ordered=True)
        return frame

    def _repr_html_(self) -> str:
        """The days of each month, shaded by rank; row by row where one has no date."""
        if not all(record["date"] for record in self):
            return self._rows()
        counts = {tuple(map(int, row["date"].split("-"))): row["tilings"] for row in self}
        ordered, theme, lines = sorted(counts.values()), load_theme(), []

        def cell(*day: int) -> str:
            if day not in counts:
                return "<td>"
            rank = bisect_left(ordered, counts[day])
            colour = theme.heat_colour(rank / max(1, len(ordered) - 1))
            style = f"background:{colour};color:{ink_on(colour)};text-align:right"
            return f'<td style="{style}">{counts[day]:,}'

        for year in sorted({year for year, _, _ in counts}):
            months, days = (sorted({d[part] for d in counts if d[0] == year}) for part in (1, 2))
            lines.append("<table><caption>Tilings, from few (dark) to many (bright)</caption>")
            lines.append(f"<tr><th>{year}")
            lines += [f"<th>{MONTHS[month - 1]}" for month in months]
            for day in days:
                lines += [f"<tr><th>{day}", *(cell(year, month, day) for month in months)]
            lines.append("</table>")
        return "\n".join(lines)

    def _rows(self) -> str:
        """The first rows, and how many there are more."""
        fields = [*self.categories, "tilings"]
        if any(record["date"] for record in self):
            fields.insert(0, "date")
        lines = ["<table><tr>" + "".join(f"<th>{escape(name)}" for name in fields)]
        for record in self[:MANY_ROWS]:
            cells = (f"<td>{escape(str(record[name]))}" for name in fields[:-1])
            lines.append(f"<tr>{''.join(cells)}<td>{record['tilings']:,}")
        lines.append("</table>")
        if len(self) > MANY_ROWS:
            lines.append(f"<p>and {count_of(len(self) - MANY_ROWS, 'more row')}")
        return "\n".join(lines)


def tiling_picture(tiling: Tiling, theme: str = DEFAULT) -> Picture:
    """The picture of a tiling; ``theme`` is a name or a file."""
    puzzle, reveal, colours = tiling.puzzle, tiling.reveal, load_theme(theme)
    return pictures.tiling_picture(puzzle, reveal, tiling, colours, " ".join(reveal))


def board_svg(puzzle: Puzzle) -> str:
    """The text of a picture of the empty board."""
    return pictures.board_picture(puzzle, load_theme()).svg()
