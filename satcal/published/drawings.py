"""Published tilings: a file of drawings, each perhaps below its date.

A drawing has a line of entries for each row of the board, as :mod:`satcal.puzzle.placed` reads it.
The cells that it leaves uncovered must be those of its date; without a date, those of some reveal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from satcal.errors import FormatError, PlacementError, RevealError, quote
from satcal.proof.verifier import Verifier
from satcal.published.evaluating import Lookup
from satcal.published.sheets import DAY_FIRST, MONTH_FIRST, parse_reveal
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import parse_place
from satcal.tabular import count_of, some_of

ROW = re.compile(r"[\w.*#-]+")
"""A row of entries without blanks, and, unlike a date, without slashes and colons."""
MISSING = "no drawing"
MAX_ENTRY = 4  # characters of an entry; words are longer


class Drawing(NamedTuple):
    """The rows of a drawing, the number of the first line, and the line of text above it."""

    line: int
    title: str
    rows: str


class Finding(NamedTuple):
    """What is wrong with a drawing, or a reveal without a drawing (on line 0)."""

    line: int
    reveal: Reveal
    fault: str

    def __str__(self) -> str:
        reveal = f"{' '.join(self.reveal)}: " if self.reveal else ""
        return f"line {self.line}: {reveal}{self.fault}"

    def as_fields(self, puzzle: Puzzle) -> dict[str, object]:
        """Return the record of the finding: its line, a label for each category, its fault."""
        labels = self.reveal or [""] * len(puzzle.categories)
        by_category = dict(zip(puzzle.categories, labels, strict=True))
        return {"line": self.line or "", **by_category, "fault": self.fault}


def find_drawings(path: Path, text: str, puzzle: Puzzle) -> list[Drawing]:
    """Return the drawings in a text, none if it has no drawing of this board.

    Raises:
        FormatError: rows are too few or too many for drawings.
    """

    def is_row(numbered: tuple[int, str]) -> bool:
        entries = re.split(r"[\s,|]+", numbered[1].strip(" ,|"))
        if len(entries) == 1:
            return len(entries[0]) == puzzle.columns and bool(ROW.fullmatch(entries[0]))
        return len(entries) == puzzle.columns and max(map(len, entries)) <= MAX_ENTRY

    drawings: list[Drawing] = []
    unread, title, height = [], "", puzzle.rows
    for are_rows, group in groupby(enumerate(re.split("\r\n?|\n", text), start=1), is_row):
        lines = list(group)
        if not are_rows:
            title = ([line.strip() for _, line in lines if line.strip()] or [""])[-1]
        elif len(lines) % height:
            unread.append(lines[0][0])
        else:
            for start in range(0, len(lines), height):
                rows = "\n".join(line for _, line in lines[start : start + height])
                drawings.append(Drawing(lines[start][0], title, rows))
                title = ""
    if drawings and unread:
        raise FormatError(
            f"{path}: line {unread[0]}: a drawing of {puzzle.name} has {height} rows of "
            f"{puzzle.columns} entries; leave an empty line between drawings"
        )
    return drawings


def check_drawings(
    puzzle: Puzzle, drawings: Sequence[Drawing], lookup: Lookup
) -> Iterator[Finding]:
    """Yield the drawings that are not tilings of their date, or repeat one, and what is missing.

    A date (on a board without dates, a reveal) is missing if it has a tiling, but no right drawing.
    """
    line_of: dict[tuple[Reveal, frozenset[Placement]], int] = {}
    for drawing in drawings:
        reveal: Reveal = ()
        try:
            placements = parse_place(puzzle, drawing.rows)
            reveal = find_reveal(puzzle, drawing.title, placements)
            fault = Verifier(puzzle, reveal).find_fault(placements)
        except (PlacementError, RevealError) as error:
            fault = str(error)
        if not fault:
            line = line_of.setdefault((reveal, frozenset(placements)), drawing.line)
            fault = f"the drawing of line {line} again" if line != drawing.line else ""
        if fault:
            yield Finding(drawing.line, reveal, fault)
    drawn, calendar = {reveal for reveal, _ in line_of}, puzzle.calendar
    others = [reveal for reveal in puzzle.reveals() if reveal not in drawn]
    dates = [reveal for reveal in others if calendar.parts is None or calendar.is_date(reveal)]
    counts = lookup.find_or_count(puzzle, dates)
    yield from (Finding(0, reveal, MISSING) for reveal in dates if counts[reveal])


def summarise(puzzle: Puzzle, drawings: Sequence[Drawing], findings: Sequence[Finding]) -> str:
    """Return a report: how many drawings are right, what is missing, then each wrong one."""
    wrong = [finding for finding in findings if finding.line]
    missing = [" ".join(finding.reveal) for finding in findings if not finding.line]
    unread = [each.title for each in drawings if each.title and not read_title(puzzle, each.title)]
    right = f"{len(drawings) - len(wrong):,} of {count_of(len(drawings), 'drawing')}"
    lines = [f"{puzzle.name}: {right} are tilings, each for its date"]
    lines.append(f"missing: {some_of(missing)}" if missing else "no date is missing")
    if unread:
        lines.append(
            f"{len(unread):,} titles such as {quote(unread[0])} are not read: the uncovered cells "
            "say the date"
        )
    return "\n".join([*lines, *map(str, wrong)]) + "\n"


def find_reveal(puzzle: Puzzle, title: str, placements: Sequence[Placement]) -> Reveal:
    """Return the reveal that a title names, or else the one that placements leave uncovered.

    If day and month can be read in two orders, the uncovered cells decide.

    Raises:
        RevealError: the title names no reveal, and the uncovered cells are not those of one.
    """
    covered = {cell for placement in placements for cell in placement.cells}
    named = read_title(puzzle, title)
    for reveal in named:
        if covered.isdisjoint(puzzle.uncovered_cells(reveal)):
            return reveal
    uncovered = [text for text in puzzle.labels if covered.isdisjoint(puzzle.labels[text].cells)]
    return named[0] if named else puzzle.check_reveal(tuple(uncovered))


def read_title(puzzle: Puzzle, title: str) -> list[Reveal]:
    """Return the reveals that the text above a drawing can name."""
    reveals = []
    for order in (DAY_FIRST, MONTH_FIRST) if title else ():
        with suppress(RevealError):
            reveals.append(parse_reveal(puzzle, title.rstrip(":"), order))
    return reveals
