"""Objects that a notebook shows as pictures: puzzles, tilings and tables of counts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from satcal.draw.counts import calendar_picture
from satcal.draw.pictures import board_picture, tiling_picture
from satcal.draw.theme import DEFAULT, load_theme
from satcal.errors import Missing, OptionError
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.rows import Row
from satcal.tabular import count_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pandas import DataFrame

    from satcal.draw.svg import Picture


class Tiling(tuple[Placement, ...]):
    """The placements of a tiling, with its puzzle and reveal; a notebook draws it."""

    puzzle: Puzzle
    reveal: Reveal

    def __new__(cls, placements: Iterable[Placement], puzzle: Puzzle, reveal: Reveal) -> Tiling:
        """Return the tiling of a reveal."""
        tiling = super().__new__(cls, placements)
        tiling.puzzle, tiling.reveal = puzzle, reveal
        return tiling

    def __getnewargs__(self) -> tuple[tuple[Placement, ...], Puzzle, Reveal]:
        return tuple(self), self.puzzle, self.reveal

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Tiling of {' '.join((self.puzzle.name, *self.reveal))}: {self}>"

    def array(self) -> NDArray[np.int16]:
        """Return the board as int16 [rows, columns]: -1 without a cell, 0 uncovered, n placement n.

        Placements are numbered from 1.
        """
        import numpy as np

        board = np.full((self.puzzle.rows, self.puzzle.columns), -1, np.int16)
        board[tuple(zip(*self.puzzle.cells, strict=True))] = 0
        for number, placement in enumerate(self, start=1):
            board[tuple(zip(*placement.cells, strict=True))] = number
        return board

    def picture(self, theme: str = DEFAULT) -> Picture:
        """Return the picture, with the reveal as its caption."""
        caption = " ".join(self.reveal)
        return tiling_picture(self.puzzle, self.reveal, self, load_theme(theme), caption)

    def save(self, path: str | os.PathLike[str], theme: str = DEFAULT) -> None:
        """Write the picture into a file: .svg, .png or .pdf."""
        self.picture(theme).save(path)

    def _repr_svg_(self) -> str:
        return self.picture().svg()


class Table(list[dict[str, Any]]):
    """Counts as records, with the fields of ``satcal count``; a notebook shows a calendar."""

    def __init__(self, records: Iterable[dict[str, Any]], puzzle: Puzzle) -> None:
        super().__init__(records)
        self.puzzle = puzzle

    def __repr__(self) -> str:
        return f"<Table of {count_of(len(self), 'row')}>"

    def frame(self) -> DataFrame:
        """Return a pandas DataFrame that sorts and pivots in calendar order.

        ``board`` is the name of the puzzle, so that frames can be concatenated. ``date`` is
        datetime64[s] (NaT without a year), ``day`` an integer if all days are numbers, every other
        category an ordered categorical, ``tilings`` an integer.

        Raises:
            Missing: pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise Missing("a data frame needs pandas: pip install pandas") from error
        categories = {**self.puzzle.categories, **(self.puzzle.calendar.parts or {})}
        frame = pandas.DataFrame(list(self), columns=["date", *categories, "tilings", "methods"])
        frame.insert(0, "board", self.puzzle.name)
        frame["date"] = pandas.to_datetime(frame["date"].replace("", None)).astype("datetime64[s]")
        for name, labels in categories.items():
            texts = [label for label in labels if label]  # "" is one that the board lacks
            if name == "day" and all(label.isdecimal() for label in texts):
                frame[name] = frame[name].astype(int)
            else:
                frame[name] = pandas.Categorical(frame[name], texts, ordered=True)
        return frame

    def picture(self) -> Picture:
        """Return a calendar of the counts; raise OptionError if a row has no date."""
        if not all(record["date"] for record in self):
            raise OptionError("only rows with dates make a calendar; name a year, such as 2026")
        counts = [(Row.read(record, self.puzzle), record["tilings"]) for record in self]
        return calendar_picture(self.puzzle, counts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the calendar into a file: .svg, .png or .pdf."""
        self.picture().save(path)

    def _repr_svg_(self) -> str | None:
        """Return the calendar of several dates."""
        shows_calendar = len(self) > 1 and all(record["date"] for record in self)
        return self.picture().svg() if shows_calendar else None


def _draw_puzzle(puzzle: Puzzle) -> str:
    return board_picture(puzzle).svg()


# the room of puzzles knows no drawing, so a puzzle learns here what a notebook asks of it
Puzzle._repr_svg_ = _draw_puzzle  # type: ignore[attr-defined]
