"""The refutation of a published table: certificates of its wrong rows, a text for its author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from satcal.certificates.certify import write_certificate
from satcal.errors import Disagreement
from satcal.files import check_output, make_file_name, write_bytes
from satcal.published.verdicts import WrongRow, spell_out
from satcal.puzzle.model import Puzzle
from satcal.tabular import render
from satcal.version import __version__

ROWS, TEXT = "wrong-rows.csv", "issue.md"
"""The files beside the certificates: all wrong rows, and the text for the author."""


def list_certificate_paths(
    folder: Path, puzzle: Puzzle, wrong: Sequence[WrongRow], force: bool
) -> list[Path]:
    """Return the paths of the certificates, one for each row.

    Raises:
        FileTrouble: a file exists, and ``force`` is false.
    """
    paths = [folder / f"{make_file_name(puzzle.name, row.item)}.satcert" for row in wrong]
    for path in (*paths, folder / ROWS, folder / TEXT) if folder.exists() else ():
        check_output(path, force)
    return paths


def certify_wrong_rows(
    puzzle: Puzzle, wrong: Sequence[WrongRow], paths: Sequence[Path]
) -> Iterator[Path]:
    """Write and check the certificates; raise Disagreement if one proves another number."""
    for row, path in zip(wrong, paths, strict=True):
        tilings = write_certificate(path, puzzle, [row.item], force=True).tilings[row.item]
        if tilings != row.true:
            raise Disagreement(
                f"{path}: {tilings:,} tilings proved, but satcal counted {row.true:,}; "
                "please report it"
            )
        yield path


def write_texts(
    folder: Path, table: str, puzzle: Puzzle, wrong: Sequence[WrongRow], row_count: int
) -> None:
    """Write the wrong rows of a table of ``row_count`` rows as CSV, and the text for the author."""
    fields = [*puzzle.categories, "claimed", "true"]
    records = (row.as_fields(puzzle) for row in wrong)
    write_bytes(folder / ROWS, "".join(render(records, fields, "csv")).encode())
    text = format_issue(table, puzzle, wrong, row_count)
    write_bytes(folder / TEXT, text.encode())


def format_issue(table: str, puzzle: Puzzle, wrong: Sequence[WrongRow], row_count: int) -> str:
    """Return a Markdown issue: the claimed and the true numbers, and how to check them."""
    rows = "\n".join(
        f"| {spell_out(puzzle, row.item)} | {row.claimed:,} | {row.true:,} |" for row in wrong
    )
    is_one = len(wrong) == 1
    title = puzzle.title or puzzle.name
    subject = "The true number is" if is_one else "The true numbers are"
    files = "certificate (`.satcert`)," if is_one else "certificates (`.satcert`), each"
    return (
        f"## {table}: {len(wrong):,} of {row_count:,} numbers {'is' if is_one else 'are'} wrong\n\n"
        f"The table says how many solutions each date of {title} (satcal's `{puzzle.name}`) has. "
        f"{'This row is' if is_one else 'These rows are'} wrong:\n\n"
        f"| | claimed | true |\n|---|--:|--:|\n{rows}\n\n"
        f"{subject} proved by the attached {files} with the puzzle and a search tree in which "
        "every solution appears. One command checks all of this:\n\n"
        "    satcal check *.satcert\n\n"
        f"satcal {__version__} found the true numbers. `{ROWS}` has the same rows as CSV.\n"
    )
