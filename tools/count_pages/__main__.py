"""Writes the pages of the counts for the documentation: ``python -m tools.count_pages FOLDER``.

One page for each puzzle of the library, one with all verdicts on published statements, one with
the designs that were found, and their index, as Markdown with the pictures and files beside them,
and each board to play in the folder ``played``. The numbers of the library are those of
results/counts.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import satcal
from tools.count_pages import design_page, puzzle_page, verdict_page
from tools.count_pages.book import Book, by_number
from tools.count_pages.parts import asked, draw, shown


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
        picture = shown(f"{book.board}.board", "its board", " .thumb")
        cells = " | ".join(f"{n:,}" for n in (min(counts), max(counts), book.total))
        yield f"| {picture} [{book.title}]({book.board}.md) | {cells} |"
    yield "\nFewest and most are solutions of one date.\n"
    yield "## Puzzles without dates\n\n| puzzle | solutions |\n|---|---:|"
    for book in others:
        yield f"| [{book.title}]({book.board}.md) | {book.total:,} |"
    yield "\n```{toctree}\n:hidden:\n"
    yield from (f"{book.title} <{book.board}>" for book in (*dated, *others))
    yield "verdicts\ndesigns\n```"


def main(folder: Path) -> None:
    """Write all pages into a folder, which is made anew."""
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "play" / "played").mkdir(parents=True)
    verdicts = json.loads(asked("claims", "--format", "json"))
    books = [Book(board, verdicts) for board in sorted(satcal.library(), key=by_number)]
    for book in books:
        puzzle_page.write(book, folder)
    draw(folder / "christmas", "a-puzzle-a-day", "tiling", "Dec 25")  # for the first page
    pages = {
        "verdicts": verdict_page.page(books, verdicts),
        "designs": design_page.page(folder),
        "index": index(books),
    }
    for name, lines in pages.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
