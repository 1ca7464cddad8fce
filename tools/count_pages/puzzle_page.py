"""The page of one puzzle of the library, with its pictures and files."""

from __future__ import annotations

import shutil
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from satcal.analysis.difficulty import difficulties
from satcal.errors import TooLarge
from tools.count_pages import verdict_page, year_map
from tools.count_pages.book import COUNTS, ROOT, Book, in_words, number
from tools.count_pages.parts import asked, draw, head, shown
from tools.count_pages.pieces import row_of_pieces

CERTIFICATES = ROOT / "results" / "certificates"
THEOREMS = ROOT / "theorem" / "results"
FABRICATE = "../how-to/make-a-puzzle.md#cut-or-print-it"
MANY = 20  # reveals with the same number that are named one by one


def page(book: Book) -> Iterator[str]:
    """The lines of a puzzle's page."""
    puzzle = book.puzzle
    yield from head(f"How many solutions does {book.title} have? {summary(book)}")
    yield f"# {book.title}: how many solutions?\n"
    yield f"{summary(book)}\n"
    if puzzle.designer:
        yield f"Designed by {puzzle.designer}. "
    yield f"Published: {puzzle.source}.\n"
    yield f'<a class="play" href="../../played/{book.board}.html">Play it</a>\n'
    yield shown(f"{book.board}.board", f"the board of {book.title}") + "\n"
    yield from row_of_pieces(puzzle)
    if book.dated:
        yield from year_map.section(book)
    if len(book.rows) > 1:
        yield from extremes(book)
    yield from proofs(book)
    yield from verdict_page.section(book.verdicts)
    yield from files(book)


def summary(book: Book) -> str:
    """One paragraph: what is counted, and the numbers that people ask for."""
    if len(book.rows) == 1:
        return f"It has **{number(book.total, 'solution')}**."
    fewest, most = book.extreme(False), book.extreme(True)
    median = statistics.median(row.tilings for row in book.rows)
    labels = " and ".join(f"a {name}" for name in book.puzzle.categories)
    return (
        f"All {number(len(book.rows), 'reveal')}, which are {labels} left uncovered, together have "
        f"**{number(book.total, 'solution')}**. "
        f"The fewest are {number(fewest[0].tilings, 'solution')} ({book.named(fewest)}), the most "
        f"{number(most[0].tilings, 'solution')} ({book.named(most)}); the median is "
        f"{f'{median:,.1f}'.removesuffix('.0')}."
    )


def extremes(book: Book) -> Iterator[str]:
    """The reveals with the fewest and the most tilings, with a picture of one tiling each."""
    yield "## The fewest and the most\n"
    for most, what in ((False, "fewest"), (True, "most")):
        rows = book.extreme(most)
        number_of = number(rows[0].tilings, "solution")
        yield f"**{what.capitalize()}: {number_of}**, {book.named(rows, MANY)}.\n"
        if rows[0].tilings:
            words = in_words(book.puzzle, rows[0].reveal)
            yield shown(f"{book.board}.{what}", f"a solution of {words}") + "\n"
    few = Counter(row.tilings for row in book.rows)
    yield f"Without a solution: {few[0]:,}; with exactly one: {few[1]:,}.\n"
    yield from measures(book)


def measures(book: Book) -> Iterator[str]:
    """How hard the extremes are, on boards that are small enough."""
    reveals = [book.extreme(most)[0].reveal for most in (False, True)]
    try:
        found = list(difficulties(book.puzzle, reveals))
    except TooLarge:
        return
    yield "| date | solutions | fewest guesses | mean of guesses | |"
    yield "|---|---:|---:|---:|---|"
    for each in found:
        guesses = (
            [f"{each.guesses.least}", f"{each.guesses.mean:.2f}"] if each.guesses else ["", ""]
        )
        cells = [" ".join(each.reveal), f"{each.tilings:,}", *guesses, each.word or ""]
        yield f"| {' | '.join(cells)} |"
    yield "\n*Guesses* are the placements of a solution after which all others follow:"
    yield "[how hard is a date?](../explanation/difficulty.md)\n"


def proofs(book: Book) -> Iterator[str]:
    """How the numbers were found, by the methods that counted every row."""
    yield "## Why believe it?\n"
    every = set.intersection(*(set(row.methods.split("+")) for row in book.rows))
    yield f"Each number was counted by {len(every)} methods that agree: {', '.join(sorted(every))}."
    if any(THEOREMS.glob(f"*_{book.board.replace('-', '_')}.v")):
        yield "All of them are [theorems](../../theorem/README.md):"
        yield "Coq computed them from the drawings."
    else:
        yield "Unlike those of the other puzzles, this number is not a"
        yield "[theorem](../../theorem/README.md): Coq has not computed it."
    yield "[How do we know it's correct?](../explanation/trust.md)\n"
    kept = sorted(CERTIFICATES.glob(f"{book.board}.*"))
    if kept:
        yield "Certificates, which [anybody can check](../how-to/check-a-certificate.md):\n"
        yield from (f"- {{download}}`{path.name} <{path.name}>`" for path in kept)
    yield ""


def files(book: Book) -> Iterator[str]:
    """What can be downloaded."""
    yield "## Files\n"
    for name, what in (
        (f"{book.board}.csv", "all numbers, with the methods that counted them"),
        (f"{book.board}.toml", "the puzzle, as satcal reads it"),
        (f"{book.board}.board.svg", "the board"),
        (f"{book.board}.pieces.svg", "the pieces in all orientations"),
        (f"{book.board}.stl", f"board and pieces for a printer, [in millimetres]({FABRICATE})"),
    ):
        yield f"- {{download}}`{name} <{name}>`: {what}"


def write(book: Book, folder: Path) -> None:
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
