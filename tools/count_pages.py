"""Write the documentation's pages of counts: ``python -m tools.count_pages FOLDER``.

There is a page for each puzzle of the library, one for all verdicts on published statements, an
index, and the boards of the home page with their counts of each date, as Markdown from the
templates beside this file, with pictures and files. The numbers are those of ``results/counts``.
"""

from __future__ import annotations

import csv
import datetime
import json
import re
import shutil
import statistics
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter
from satcal.draw.pictures import board_picture, tiling_picture
from satcal.draw.scene import Scene
from satcal.draw.svg import Picture
from satcal.draw.theme import Theme, load_theme
from satcal.published.shipped import format_rank, has_theorem, shipped_counts
from satcal.puzzle.calendar import MONTHS, list_days
from satcal.puzzle.loading import library, library_text, load
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.rows import Row, list_rows

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
YEAR = 2026
"""The year whose dates a page shows."""
FEATURED = ("a-puzzle-a-day", "jarring-words", "crea-makerspace", "tetromino", "rhombus", "weekday")
"""The boards of the home page."""
SHADES = 9
"""Shades of the map, from the fewest solutions to the most."""
VERDICTS = ("refuted", "settled", "undecided", "confirmed")
KINDS = {
    ".satcert": "certificate",
    ".csv": "table",
    ".svg": "drawing",
    ".md": "page",
    ".toml": "statement",
}
FACTS = re.compile(r"^\| ([\w, -]+?) \| [^|]+ \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
"""A row of the tables of results/README.md: ids, what is published, what is true, by whom."""

Verdict = Mapping[str, str]


@dataclass(frozen=True)
class Day:
    """A date of the map: its number of solutions, the shade, and what a tap says of it."""

    tilings: int
    shade: int
    text: str


@dataclass(frozen=True)
class Book:
    """What the page of one puzzle is made of."""

    name: str
    puzzle: Puzzle
    verdicts: Sequence[Verdict]

    @cached_property
    def counts(self) -> dict[Reveal, int]:
        """The number of tilings of each reveal."""
        return shipped_counts(self.puzzle)

    @property
    def title(self) -> str:
        """The title of the puzzle."""
        return self.puzzle.title or self.name

    @property
    def total(self) -> int:
        """The sum over all reveals."""
        return sum(self.counts.values())

    @property
    def median(self) -> float:
        """The median over all reveals."""
        return statistics.median(self.counts.values())

    @property
    def methods(self) -> list[str]:
        """The methods that counted every row of the table."""
        with open(RESULTS / "counts" / f"{self.name}.csv", encoding="utf-8", newline="") as file:
            by_row = [set(row["methods"].split("+")) for row in csv.DictReader(file)]
        return sorted(set.intersection(*by_row))

    @property
    def proved(self) -> bool:
        """Whether all numbers are theorems."""
        return has_theorem(self.puzzle)

    @property
    def certificates(self) -> list[str]:
        """The names of the certificates that are kept of the puzzle."""
        return sorted(path.name for path in (RESULTS / "certificates").glob(f"{self.name}.*"))

    def extreme(self, most: bool) -> list[Reveal]:
        """Return the reveals with the most tilings, or those with the fewest."""
        number = (max if most else min)(self.counts.values())
        return [reveal for reveal, count in self.counts.items() if count == number]

    @cached_property
    def year(self) -> dict[tuple[int, int], Day]:
        """The days of the map by month and day; empty if the puzzle has no dates."""
        if self.puzzle.calendar.parts is None:
            return {}
        dated = list_rows(self.puzzle, str(YEAR), datetime.date(YEAR, 1, 1))
        numbers = {row.reveal: self.counts[row.reveal] for row in dated}
        ordered = sorted(numbers.values())
        return {(row.date.month, row.date.day): self.day(row, numbers, ordered)
                for row in dated if row.date}  # fmt: skip

    def by_date(self) -> list[list[int]]:
        """Return the counts of all dates of a leap year, for each weekday if the board has them."""
        parts = self.puzzle.calendar.parts
        rows = [[0] * 366 for _ in range(7 if parts and "weekday" in parts else 1)]
        for date in (date for year in range(2024, 2052) for date in list_days(year)):
            number = (date.replace(year=2024) - datetime.date(2024, 1, 1)).days
            row = rows[date.weekday() % len(rows)]
            row[number] = self.counts[self.puzzle.calendar.labels(date)]
        return rows

    def day(self, row: Row, numbers: Mapping[Reveal, int], ordered: Sequence[int]) -> Day:
        """Return a date of the map; each shade has about as many numbers."""
        number = numbers[row.reveal]
        text = f"{row.date:%a %-d %B %Y}: {in_words(number)}, {format_rank(numbers, row.reveal)}"
        return Day(number, bisect_left(ordered, number) * SHADES // len(ordered), text)


def in_words(number: int) -> str:
    """Return a number of solutions with its noun."""
    return f"{number:,} solution{'' if number == 1 else 's'}"


def plain(text: str) -> str:
    """Return text that Markdown leaves as it is, also in a table."""
    return re.sub(r"([\\`*_{}\[\]<>|#~$])", r"\\\1", text)


def facts() -> dict[str, str]:
    """Return the sentences of results/README.md on what is wrong or settled, by statement."""
    text = (RESULTS / "README.md").read_text(encoding="utf-8")
    return {id_: fact for ids, fact in FACTS.findall(text) for id_ in ids.split(", ")}


def truth(verdict: Verdict) -> str:
    """Return what is true, in Markdown."""
    if verdict["id"] in (known := facts()):
        return re.sub(r"\]\((?!http)", "](../../results/", known[verdict["id"]])
    return plain(verdict["truth"] or verdict["reason"])


def evidence(verdict: Verdict) -> str:
    """Return links to the files that show what is true."""
    files = [verdict["certificate"], *verdict["see"].split()]
    new = [file for file in dict.fromkeys(files) if file and f"/{file})" not in truth(verdict)]
    return ", ".join(f"[{KINDS[Path(file).suffix]}](../../results/{file})" for file in new)


def by_verdict(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return verdicts, the refuted ones first."""
    return sorted(verdicts, key=lambda verdict: VERDICTS.index(verdict["verdict"]))


def run_satcal(*words: str) -> str:
    """Return what a command of satcal prints."""
    command = [sys.executable, "-m", "satcal", *words, "--quiet"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def draw(book: Book, folder: Path) -> None:
    """Write the pictures of a puzzle in both themes: the board, and a tiling of each extreme."""
    for theme, suffix in (("light", "svg"), ("dark", "dark.svg")):
        colours = load_theme(theme)
        pictures = {"board": board_picture(book.puzzle, colours)}
        for most, name in ((False, "fewest"), (True, "most")):
            reveal = book.extreme(most)[0]
            if tiling := next(DiagramMethod().tilings(book.puzzle, reveal, (), Meter()), None):
                caption = " ".join(reveal)
                pictures[name] = tiling_picture(book.puzzle, reveal, tiling, colours, caption)
                pictures["small"] = small_picture(book.puzzle, reveal, tiling, colours)
        for name, picture in pictures.items():
            (folder / f"{book.name}.{name}.{suffix}").write_text(picture.svg(), encoding="utf-8")


def small_picture(puzzle: Puzzle, reveal: Reveal, tiling: Tiling, theme: Theme) -> Picture:
    """Return the picture of a solved board without a text, to tell boards apart."""
    width, height = (20 * size + 12 for size in (puzzle.columns, puzzle.rows))
    picture = Picture(width, height, puzzle.title or puzzle.name, "a solution", "none")
    board = Scene(puzzle, theme, 20, 6, 6)
    picture.add(*board.framed_board(reveal, tiling))
    return picture


def copy_files(book: Book, folder: Path) -> None:
    """Copy what a page offers to download, and write the board to play."""
    shutil.copy(RESULTS / "counts" / f"{book.name}.csv", folder)
    (folder / f"{book.name}.toml").write_text(library_text(book.name), encoding="utf-8")
    run_satcal("site", book.name, "-o", str(folder / "play" / "played" / f"{book.name}.html"))


def by_number(name: str) -> list[tuple[int, str]]:
    """Return a key for sorting names, with 9 before 10."""
    return [(int(part or 0), text) for text, part in re.findall(r"(\D*)(\d*)", name)]


def write(folder: Path) -> None:
    """Write all pages into a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "play" / "played").mkdir(parents=True)
    verdicts = json.loads(run_satcal("claims", "--format", "json"))
    books = []
    for name in sorted(library(), key=by_number):
        own = [verdict for verdict in verdicts if verdict["board"] == name]
        books.append(Book(name, load(name), by_verdict(own)))
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    templates.filters |= {"plain": plain, "in_words": in_words}
    tools = {"truth": truth, "evidence": evidence, "months": MONTHS, "shades": SHADES, "year": YEAR}
    strip = [book for book in books if book.name in FEATURED]
    page = templates.get_template("strip.txt").render(books=strip, json=json)
    (folder / "strip.txt").write_text(page, encoding="utf-8")
    for book in books:
        draw(book, folder)
        copy_files(book, folder)
        page = templates.get_template("puzzle.md").render(book=book, **tools)
        (folder / f"{book.name}.md").write_text(page, encoding="utf-8")
    others = by_verdict([verdict for verdict in verdicts if verdict["board"] not in library()])
    for name in ("index", "verdicts"):
        template = templates.get_template(f"{name}.md")
        page = template.render(books=books, others=others, verdicts=verdicts, **tools)
        (folder / f"{name}.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
