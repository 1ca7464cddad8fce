"""Writes the pages of the counts for the documentation: ``python -m tools.count_pages FOLDER``.

One page for each puzzle of the library, one with all verdicts on published statements, one with
the designs that were found, and their index, as Markdown with the pictures and files beside them,
and each board to play in the folder ``played``. The numbers of the library are those of
results/counts.
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
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import satcal
from satcal.analysis.difficulty import difficulties
from satcal.counting.settings import Question
from satcal.errors import TooLarge
from satcal.published.own_tables import rank_in_words
from satcal.puzzle.calendar import MONTHS

ROOT = Path(__file__).parent.parent
COUNTS = ROOT / "results" / "counts"
CERTIFICATES = ROOT / "results" / "certificates"
FABRICATE = "../how-to/make-a-puzzle.md#cut-or-print-it"
DESIGNS = ROOT / "results" / "design"
THEOREMS = ROOT / "theorem" / "results"
YEAR = 2026  # whose dates stand for all years on boards with weekdays
LEAP = 2028  # others have 29 February, too
SHADES = 9  # of the map, the palest for the fewest tilings
SEVERAL = 3  # reveals that a page names where they share a number
VERDICTS = ("refuted", "settled", "undecided", "confirmed")
PLURALS = {"refuted": "wrong", "settled": "settled", "undecided": "undecided", "confirmed": "right"}
FULL = tuple(datetime.date(YEAR, month, 1).strftime("%B") for month in range(1, 13))
FOUND = {
    "hardest": "A-Puzzle-A-Day with the hardest eight pieces",
    "unique": "A-Puzzle-A-Day with exactly one solution on 14 dates",
    "seven": "A-Puzzle-A-Day with seven pieces",
    "moved-labels": "A-Puzzle-A-Day with its labels moved, and no hard date",
    "hardest-rhombus": "The rhombus with the hardest ten pieces",
}
"""The headings of designs that solve every date; other files are boards to search from."""


class Counted(NamedTuple):
    """A reveal and its number of tilings, as results/counts has them."""

    reveal: tuple[str, ...]
    tilings: int
    methods: str

    def __str__(self) -> str:
        return " ".join(self.reveal)


class Book:
    """What is known of one puzzle of the library: its table, and the verdicts about it."""

    def __init__(self, board: str, verdicts: Sequence[dict[str, str]]) -> None:
        self.puzzle = satcal.load(board)
        self.board = board
        self.verdicts = [verdict for verdict in verdicts if verdict["board"] == board]
        names = [*self.puzzle.categories]
        with (COUNTS / f"{board}.csv").open(encoding="utf-8", newline="") as file:
            self.rows = [
                Counted(tuple(row[name] for name in names), int(row["tilings"]), row["methods"])
                for row in csv.DictReader(file)
            ]
        self.total = sum(row.tilings for row in self.rows)
        self.title = self.puzzle.title or board

    @property
    def dates(self) -> dict[datetime.date, int]:
        """The number of tilings of each date of a year; empty without months and days."""
        if not {"month", "day"} <= {*self.puzzle.categories}:
            return {}
        known = {row.reveal: row.tilings for row in self.rows}
        year = YEAR if "weekday" in self.puzzle.categories else LEAP
        first = datetime.date(year, 1, 1)
        dates = (first + datetime.timedelta(days) for days in range(366))
        return {date: known[self.puzzle.reveal(date)] for date in dates if date.year == year}

    def extreme(self, most: bool) -> list[Counted]:
        """All reveals with the most (or the fewest) tilings."""
        at = (max if most else min)(row.tilings for row in self.rows)
        return [row for row in self.rows if row.tilings == at]


def number(count: int, noun: str) -> str:
    """A number with its noun, as in ``1 solution`` and ``1,234 solutions``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def named(rows: Sequence[Counted]) -> str:
    """Some reveals by name, and how many more there are."""
    text = ", ".join(map(str, rows[:SEVERAL]))
    return f"{text} and {len(rows) - SEVERAL} more" if len(rows) > SEVERAL else text


def page(book: Book) -> Iterator[str]:
    """The lines of a puzzle's page."""
    puzzle, rows = book.puzzle, book.rows
    yield from head(f"How many solutions does {book.title} have? {summary(book)}")
    yield f"# {book.title}: how many solutions?\n"
    yield f"{summary(book)}\n"
    if puzzle.designer:
        yield f"Designed by {puzzle.designer}. "
    yield f"Published: {puzzle.source}.\n"
    yield f'<a class="play" href="../../played/{book.board}.html">Play it</a>\n'
    yield shown(f"{book.board}.board", f"the board of {book.title}")
    yield shown(f"{book.board}.pieces", "its pieces") + "\n"
    if book.dates:
        yield from year(book)
    if len(rows) > 1:
        yield from extremes(book)
    yield from proofs(book)
    yield from claims(book)
    yield from files(book)


def shown(name: str, what: str, more: str = "") -> str:
    """A picture in the theme that the page has."""
    light = f"![{what}]({name}.svg){{.only-light{more}}}"
    return f"{light}![{what}]({name}.dark.svg){{.only-dark{more}}}"


def draw(stem: Path, *about: Any) -> None:
    """Write a picture in both themes, for what ``satcal.picture`` takes."""
    for theme, suffix in (("light", ".svg"), ("dark", ".dark.svg")):
        picture = satcal.picture(*about, theme=theme)
        stem.with_name(stem.name + suffix).write_text(picture.svg(), encoding="utf-8")


def head(description: str) -> Iterator[str]:
    """What a search engine, and a page that links here, shows of a page."""
    text = json.dumps(description.replace("**", ""), ensure_ascii=False)
    yield "---\nmyst:\n  html_meta:"
    yield f"    description: {text}\n    property=og:description: {text}\n---\n"


def summary(book: Book) -> str:
    """One paragraph: what is counted, and the numbers that people ask for."""
    if len(book.rows) == 1:
        return f"It has **{number(book.total, 'solution')}**."
    fewest, most = book.extreme(False), book.extreme(True)
    counts = [row.tilings for row in book.rows]
    labels = " and ".join(f"a {name}" for name in book.puzzle.categories)
    return (
        f"All {number(len(book.rows), 'reveal')}, which are {labels} left uncovered, together have "
        f"**{number(book.total, 'solution')}**. "
        f"The fewest are {number(fewest[0].tilings, 'solution')} ({named(fewest)}), the most "
        f"{number(most[0].tilings, 'solution')} ({named(most)}); the median is "
        f"{statistics.median(counts):g}."
    )


def rank(count: int, counts: Sequence[int]) -> str:
    """Where a count stands among all, as ``satcal birthday`` says it."""
    fewer, more = sum(other < count for other in counts), sum(other > count for other in counts)
    return f"{rank_in_words(fewer, more)} of {len(counts)}"


def year(book: Book) -> Iterator[str]:
    """A year as a map of months by days, with each number, coloured by rank."""
    counts = book.dates
    every = sorted(counts.values())
    ranks = sorted(set(every))
    shade = {count: rank * SHADES // len(ranks) for rank, count in enumerate(ranks)}
    of = f" of {YEAR}" if "weekday" in book.puzzle.categories else ""
    yield "## How many solutions does my birthday have?\n"
    quarter = len(every) // 4
    yield f"Solutions for each date{of}: the darker, the fewer. A quarter of the dates have at"
    yield f"most {every[quarter - 1]:,}, a quarter at least {every[-quarter]:,}. Point at a number"
    yield "to see its rank; [satcal birthday](../how-to/ask.md) has it for all puzzles.\n"
    yield '<p class="swipe">Swipe the table for later months.</p>\n'
    heads = "".join(f"<th>{month}</th>" for month in ["", *MONTHS])
    yield '<div class="year-scroll"><table class="year">'
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for day in range(1, 32):
        cells = []
        for month in range(1, 13):
            date = next((d for d in counts if (d.month, d.day) == (month, day)), None)
            if date is None:
                cells.append("<td></td>")
                continue
            count = counts[date]
            told = f"{day} {FULL[month - 1]}: {number(count, 'solution')}, {rank(count, every)}"
            cells.append(f'<td class="shade-{shade[count]}" title="{told}">{count:,}</td>')
        yield f"<tr><th>{day}</th>{''.join(cells)}</tr>"
    yield "</tbody></table></div>\n"
    months = Counter[int]()
    for date, count in counts.items():
        months[date.month] += count
    told = ", ".join(f"{name} {months[number]:,}" for number, name in enumerate(FULL, 1))
    yield f"By month: {told}. These {len(every)} dates together have {sum(every):,}"
    if of:
        yield "solutions; in other years the weekdays differ.\n"
    elif len(every) < len(book.rows):
        yield f"solutions. The other {len(book.rows) - len(every)} of all {len(book.rows)} reveals"
        yield "are days that no year has, such as 30 February.\n"
    else:
        yield "solutions.\n"


def extremes(book: Book) -> Iterator[str]:
    """The reveals with the fewest and the most tilings, with a picture of one tiling each."""
    yield "## The fewest and the most\n"
    for most, what in ((False, "fewest"), (True, "most")):
        rows = book.extreme(most)
        yield f"**{what.capitalize()}: {number(rows[0].tilings, 'solution')}**, {named(rows)}.\n"
        if rows[0].tilings:
            yield shown(f"{book.board}.{what}", f"a solution of {rows[0]}") + "\n"
    few = Counter(row.tilings for row in book.rows)
    yield f"Without a solution: {few[0]:,}; with exactly one: {few[1]:,}.\n"
    yield from measures(book)


def measures(book: Book) -> Iterator[str]:
    """How hard the extremes are by the two other measures, on boards that are small enough."""
    reveals = [book.extreme(most)[0].reveal for most in (False, True)]
    try:
        found = list(difficulties(Question(book.puzzle, reveals)))
    except TooLarge:
        return
    yield "| date | solutions | [guesses](../explanation/difficulty.md), at least | mean | share |"
    yield "|---|---:|---:|---:|---:|"
    for difficulty in found:
        record = difficulty.record()
        cells = [" ".join(difficulty.reveal), f"{difficulty.tilings:,}"]
        for name in ("guesses", "guesses_mean", "share"):
            cells.append("" if record[name] is None else str(record[name]))
        yield f"| {' | '.join(cells)} |"
    yield ""


def proofs(book: Book) -> Iterator[str]:
    """How the numbers were found, by the methods that counted every row."""
    yield "## Why believe it?\n"
    every = set.intersection(*(set(row.methods.split("+")) for row in book.rows))
    yield f"Each number was counted by {len(every)} methods that agree: {', '.join(sorted(every))}."
    theorems = sorted(THEOREMS.glob(f"*_{book.board.replace('-', '_')}.v"))
    if theorems:
        yield "All of them are [theorems](../../theorem/README.md):"
        yield "Coq computed them from the drawings."
    yield "[How do we know it's correct?](../explanation/trust.md)\n"
    kept = sorted(CERTIFICATES.glob(f"{book.board}.*"))
    if kept:
        yield "Certificates, which [anybody can check](../how-to/check-a-certificate.md):\n"
        yield from (f"- {{download}}`{path.name} <{path.name}>`" for path in kept)
    yield ""


def claims(book: Book) -> Iterator[str]:
    """What was published about the puzzle, and what is true."""
    if not book.verdicts:
        return
    yield "## What others have published\n"
    yield f"{tally(book.verdicts)}. [What the verdicts mean](verdicts.md).\n"
    doubtful = [verdict for verdict in book.verdicts if verdict["verdict"] != "confirmed"]
    right = [verdict for verdict in book.verdicts if verdict["verdict"] == "confirmed"]
    if doubtful:
        yield from verdict_table(doubtful)
    if right:
        yield f"<details><summary>{tally(right)}</summary>\n"
        yield from verdict_table(right)
        yield "</details>\n"


def tally(verdicts: Iterable[dict[str, str]]) -> str:
    """How many statements have which verdict."""
    found = Counter(verdict["verdict"] for verdict in verdicts)
    return ", ".join(f"{found[name]} {PLURALS[name]}" for name in VERDICTS if found[name])


def verdict_page(books: Sequence[Book], verdicts: Sequence[dict[str, str]]) -> Iterator[str]:
    """The page of all verdicts, puzzle by puzzle."""
    found = Counter(verdict["verdict"] for verdict in verdicts)
    yield from head(
        "Published statements about calendar puzzles: which are right, and what is true."
    )
    yield "# Published counts, and what is true\n"
    yield f"We examined {len(verdicts)} published statements: {found['confirmed']} are right,"
    yield f"{found['refuted']} wrong, {found['undecided']} cannot be decided;"
    yield f"{found['settled']} say nothing definite, or count in another way, and are *settled* by"
    yield "the exact number. [What is wrong, and by how much](../../results/README.md).\n"
    yield "Is one missing? [Here is how to check it](../how-to/number-is-wrong.md).\n"
    titles = {book.board: f"[{book.title}]({book.board}.md)" for book in books}
    boards = dict.fromkeys(verdict["board"] for verdict in verdicts)
    for board in sorted(boards, key=lambda name: (name not in titles, by_number(name))):
        own = [verdict for verdict in verdicts if verdict["board"] == board]
        yield f"## {titles.get(board, board[0].upper() + board[1:])}\n"
        yield f"{tally(own)}.\n"
        yield from verdict_table(own)


def verdict_table(verdicts: Sequence[dict[str, str]]) -> Iterator[str]:
    """A table of verdicts, the refuted ones first; on a phone, a card for each."""
    heads = ("verdict", "published", "true", "by")
    cells = "".join(f"<th>{name}</th>" for name in heads)
    yield f'<table class="verdicts"><thead><tr>{cells}</tr></thead><tbody>'
    for verdict in sorted(verdicts, key=lambda row: VERDICTS.index(row["verdict"])):
        name = verdict["verdict"]
        values = (name, verdict["statement"], truth(verdict), verdict["source"])
        row = "".join(
            f'<td data-label="{label}">{escape(value)}</td>'
            for label, value in zip(heads, values, strict=True)
        )
        yield f'<tr class="{name}">{row}</tr>'
    yield "</tbody></table>\n"


def truth(verdict: dict[str, str]) -> str:
    """What is true, in words that need no knowledge of how claims are written."""
    if match := re.fullmatch(r"at most ([\d,]+)", verdict["truth"]):
        return f"the fewest is {match[1]} ({verdict['example']})"
    return verdict["truth"] or verdict["reason"]


def by_number(name: str) -> tuple[str | int, ...]:
    """For sorting: 9 before 10."""
    return tuple(int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name))


def files(book: Book) -> Iterator[str]:
    """What can be downloaded."""
    yield "## Files\n"
    for name, what in (
        (f"{book.board}.csv", "all numbers, with the methods that counted them"),
        (f"{book.board}.toml", "the puzzle, as satcal reads it"),
        (f"{book.board}.board.svg", "the board"),
        (f"{book.board}.pieces.svg", "the pieces"),
        (f"{book.board}.stl", f"board and pieces for a printer, [in millimetres]({FABRICATE})"),
    ):
        yield f"- {{download}}`{name} <{name}>`: {what}"


def asked(*words: str) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "satcal", *words, "--quiet"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write_book(book: Book, folder: Path) -> None:
    """Write a puzzle's page with its pictures and files."""
    stem = str(folder / book.board)
    for what in ("board", "pieces"):
        draw(folder / f"{book.board}.{what}", book.puzzle, what)
    if len(book.rows) > 1:
        for most, what in ((False, "fewest"), (True, "most")):
            row = book.extreme(most)[0]
            if row.tilings:
                draw(folder / f"{book.board}.{what}", book.puzzle, "tiling", row.reveal)
    shutil.copy(COUNTS / f"{book.board}.csv", folder)
    shutil.copy(ROOT / "satcal" / "puzzle" / "library" / f"{book.board}.toml", folder)
    for path in CERTIFICATES.glob(f"{book.board}.*"):
        shutil.copy(path, folder)
    asked("fabricate", "-b", book.board, "-o", f"{stem}.stl")
    played = folder / "play" / "played"  # copied into the site as it is, see docs/conf.py
    asked("site", "-b", book.board, "-o", str(played / f"{book.board}.html"))
    Path(f"{stem}.md").write_text("\n".join(page(book)) + "\n", encoding="utf-8")


def index(books: Sequence[Book]) -> Iterator[str]:
    """The lines of the index of all puzzles."""
    dated = [book for book in books if len(book.rows) > 1]
    others = [book for book in books if len(book.rows) == 1]
    yield "# The counts\n"
    yield "How many solutions does each date have? Choose a puzzle; anybody"
    yield "[can check](../how-to/check-a-certificate.md) the numbers, and"
    yield "[published ones](verdicts.md) are compared with them. Each has a board to play.\n"
    yield "| puzzle | fewest | most | in all |\n|---|---:|---:|---:|"
    for book in dated:
        counts = [row.tilings for row in book.rows]
        picture = shown(f"{book.board}.board", "", " .thumb")
        cells = " | ".join(f"{n:,}" for n in (min(counts), max(counts), book.total))
        yield f"| {picture} [{book.title}]({book.board}.md) | {cells} |"
    yield "\nFewest and most are solutions of one date.\n"
    yield "## Puzzles without dates\n\n| puzzle | solutions |\n|---|---:|"
    for book in others:
        yield f"| [{book.title}]({book.board}.md) | {book.total:,} |"
    yield "\n```{toctree}\n:hidden:\n"
    yield from (f"{book.title} <{book.board}>" for book in (*dated, *others))
    yield "verdicts\ndesigns\n```"


def designs(folder: Path) -> Iterator[str]:
    """The page of the designs that were found, with their pictures and files."""
    yield from head("Sets of pieces and boards that solve every date, found by search.")
    yield "# Designs\n"
    yield "Sets of pieces, and places for the labels, that satcal found; every date can be solved."
    yield "[How, and what else was decided](../../results/design/README.md).\n"
    first = datetime.date(YEAR, 1, 1)
    every = [first + datetime.timedelta(days) for days in range(28 * 365 + 7)]  # all weekdays
    for stem, title in FOUND.items():
        path = DESIGNS / f"{stem}.toml"
        puzzle = satcal.load(str(path))
        counts = sorted(satcal.count_all(puzzle, every).values())
        draw(folder / f"{stem}.pieces", puzzle, "pieces")
        yield f"## {title}\n"
        yield f"{number(sum(counts), 'solution')} on {number(len(counts), 'date')}: the fewest are"
        yield f"{counts[0]:,}, the most {counts[-1]:,}; {counts.count(1)} dates have exactly one.\n"
        yield shown(f"{stem}.pieces", "its pieces") + "\n"
        yield from kept(folder, path, *sorted(DESIGNS.glob(f"{stem}.*satcert")))
        yield ""
    yield "## All sets that were decided, and boards to search from\n"
    yield "The boards of 44 and 47 cells are for `satcal design`; their pieces are examples.\n"
    others = [path for path in sorted(DESIGNS.glob("*.toml")) if path.stem not in FOUND]
    yield from kept(folder, *sorted(DESIGNS.glob("*.csv*")), *others)


def kept(folder: Path, *paths: Path) -> Iterator[str]:
    """Links to files, which are copied into the folder."""
    for path in paths:
        shutil.copy(path, folder)
        yield f"- {{download}}`{path.name} <{path.name}>`"


def main(folder: Path) -> None:
    """Write all pages into a folder, which is made anew."""
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "play" / "played").mkdir(parents=True)
    verdicts = json.loads(asked("claims", "--format", "json"))
    books = [Book(board, verdicts) for board in sorted(satcal.library(), key=by_number)]
    for book in books:
        write_book(book, folder)
    pages = {
        "verdicts": verdict_page(books, verdicts),
        "designs": designs(folder),
        "index": index(books),
    }
    for name, lines in pages.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
