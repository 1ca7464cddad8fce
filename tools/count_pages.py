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
import shutil
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import satcal
from satcal.analysis.difficulty import difficulties
from satcal.counting.settings import Question
from satcal.errors import TooLarge
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
    yield from head(f"How many solutions has {book.title} on each date? {summary(book)}")
    yield f"# {book.title}: how many solutions?\n"
    yield f"{summary(book)}\n"
    if puzzle.designer:
        yield f"Designed by {puzzle.designer}. "
    yield f"Published: {puzzle.source}.\n"
    yield f"![the board of {book.title}]({book.board}.board.svg)"
    yield f"![its pieces]({book.board}.pieces.svg)\n"
    yield f'<a class="play" href="../../played/{book.board}.html">Play it</a>\n'
    if book.dates:
        yield from year(book)
    if len(rows) > 1:
        yield from extremes(book)
    yield from proofs(book)
    yield from claims(book)
    yield from files(book)


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
    return (
        f"All {number(len(book.rows), 'reveal')} together have "
        f"**{number(book.total, 'solution')}**. "
        f"The fewest are {number(fewest[0].tilings, 'solution')} ({named(fewest)}), the most "
        f"{number(most[0].tilings, 'solution')} ({named(most)}); the median is "
        f"{statistics.median(counts):g}."
    )


def year(book: Book) -> Iterator[str]:
    """A year as a map of months by days, with each number, coloured by rank."""
    counts = book.dates
    ranks = sorted(set(counts.values()))
    shade = {count: rank * SHADES // len(ranks) for rank, count in enumerate(ranks)}
    of = f" of {YEAR}" if "weekday" in book.puzzle.categories else ""
    yield "## How many solutions has my birthday?\n"
    yield f"The solutions of each date{of}; dark is few.\n"
    heads = "".join(f"<th>{month}</th>" for month in ["", *MONTHS])
    yield '<div class="year-scroll"><table class="year">'
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for day in range(1, 32):
        cells = []
        for month in range(1, 13):
            date = next((d for d in counts if (d.month, d.day) == (month, day)), None)
            cells.append(
                "<td></td>"
                if date is None
                else f'<td class="shade-{shade[counts[date]]}">{counts[date]:,}</td>'
            )
        yield f"<tr><th>{day}</th>{''.join(cells)}</tr>"
    yield "</tbody></table></div>\n"


def extremes(book: Book) -> Iterator[str]:
    """The reveals with the fewest and the most tilings, with a picture of one tiling each."""
    yield "## The fewest and the most\n"
    for most, what in ((False, "fewest"), (True, "most")):
        rows = book.extreme(most)
        yield f"**{what.capitalize()}: {number(rows[0].tilings, 'solution')}**, {named(rows)}.\n"
        if rows[0].tilings:
            yield f"![a solution of {rows[0]}]({book.board}.{what}.svg)\n"
    few = Counter(row.tilings for row in book.rows)
    yield f"{number(few[0], 'reveal')} without a solution, {few[1]:,} with exactly one.\n"
    yield from measures(book)


def measures(book: Book) -> Iterator[str]:
    """How hard the extremes are by the two other measures, on boards that are small enough."""
    reveals = [book.extreme(most)[0].reveal for most in (False, True)]
    try:
        found = list(difficulties(Question(book.puzzle, reveals)))
    except TooLarge:
        return
    yield "| | solutions | [guesses](../explanation/difficulty.md), at least | mean | share |"
    yield "|---|---:|---:|---:|---:|"
    for each in found:
        record = each.record()
        cells = [" ".join(each.reveal), f"{each.tilings:,}"]
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
    yield from verdict_table(book.verdicts)


def verdict_page(verdicts: Sequence[dict[str, str]]) -> Iterator[str]:
    """The page of all verdicts."""
    found = Counter(verdict["verdict"] for verdict in verdicts)
    yield from head(
        "Published statements about calendar puzzles: which are right, and what is true."
    )
    yield "# Published counts, and what is true\n"
    told = ", ".join(f"{found[name]} {name}" for name in VERDICTS)
    yield f"Of {len(verdicts)} statements: {told}. Is one of yours missing?"
    yield "[Examine it](../how-to/number-is-wrong.md).\n"
    yield from verdict_table(verdicts)


def verdict_table(verdicts: Sequence[dict[str, str]]) -> Iterator[str]:
    """A table of verdicts, the refuted ones first."""
    yield "| verdict | published | by | true |\n|---|---|---|---|"
    for verdict in sorted(verdicts, key=lambda each: VERDICTS.index(each["verdict"])):
        cells = (verdict[key] for key in ("verdict", "statement", "source", "truth"))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""


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
        picture = satcal.picture(book.puzzle, what)
        Path(f"{stem}.{what}.svg").write_text(picture.svg(), encoding="utf-8")
    if len(book.rows) > 1:
        for most, what in ((False, "fewest"), (True, "most")):
            row = book.extreme(most)[0]
            if row.tilings:
                picture = satcal.picture(book.puzzle, "tiling", row.reveal)
                Path(f"{stem}.{what}.svg").write_text(picture.svg(), encoding="utf-8")
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
    yield "# The counts\n"
    yield "How many solutions has each puzzle, and each of its dates? Anybody"
    yield "[can check](../how-to/check-a-certificate.md) these numbers.\n"
    yield "| puzzle | reveals | fewest | most | solutions in all |\n|---|---|---|---|---|"
    for book in books:
        counts = [row.tilings for row in book.rows]
        cells = (len(counts), min(counts), max(counts), book.total)
        yield f"| [{book.title}]({book.board}.md) | " + " | ".join(f"{n:,}" for n in cells) + " |"
    yield "\n```{toctree}\n:hidden:\n"
    yield from (f"{book.title} <{book.board}>" for book in books)
    yield "verdicts\ndesigns\n```"


def designs(folder: Path) -> Iterator[str]:
    """The page of the designs that were found, with their pictures and files."""
    yield from head("Sets of pieces and boards that solve every date, found by a complete search.")
    yield "# Designs\n"
    yield "Boards and sets of pieces that satcal found; [how, and what else was decided]"
    yield "(../../results/design/README.md).\n"
    for path in sorted(DESIGNS.glob("*.toml")):
        puzzle = satcal.load(str(path))
        counts = sorted(satcal.count_all(puzzle).values())
        picture = satcal.picture(puzzle, "pieces")
        (folder / f"{path.stem}.pieces.svg").write_text(picture.svg(), encoding="utf-8")
        yield f"## {path.stem}\n"
        yield f"{puzzle.title}: {number(sum(counts), 'solution')} on"
        yield f"{number(len(counts), 'reveal')}, from {counts[0]:,} to {counts[-1]:,}.\n"
        yield f"![its pieces]({path.stem}.pieces.svg)\n"
        for kept in (path, *sorted(DESIGNS.glob(f"{path.stem}.*satcert"))):
            shutil.copy(kept, folder)
            yield f"- {{download}}`{kept.name} <{kept.name}>`"
        yield ""
    yield "## All sets that were decided\n"
    for path in sorted(DESIGNS.glob("*.csv*")):
        shutil.copy(path, folder)
        yield f"- {{download}}`{path.name} <{path.name}>`"


def main(folder: Path) -> None:
    """Write all pages into a folder, which is made anew."""
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "play" / "played").mkdir(parents=True)
    verdicts = json.loads(asked("claims", "--format", "json"))
    books = [Book(board, verdicts) for board in satcal.library()]
    for book in books:
        write_book(book, folder)
    pages = {"verdicts": verdict_page(verdicts), "designs": designs(folder), "index": index(books)}
    for name, lines in pages.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
