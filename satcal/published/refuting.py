"""Certificates of what claims speak of, and a text for the author of a wrong table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from satcal.certificates.certify import write_certificate
from satcal.errors import Disagreement, OptionError
from satcal.files import make_file_name, write_bytes
from satcal.published.verdicts import WrongRow, spell_out
from satcal.puzzle.model import Puzzle, Reveal
from satcal.tabular import render
from satcal.version import __version__

ROWS, TEXT = "wrong-rows.csv", "issue.md"
"""The files beside the certificates: all wrong rows, and the text for the author."""


Proofs = Mapping[Path, tuple[Puzzle, Mapping[Reveal, int]]]
"""The certificates to write: for each, the puzzle, and the number of tilings of its reveals."""


def plan_proofs_of_rows(folder: Path, puzzle: Puzzle, wrong: Sequence[WrongRow]) -> Proofs:
    """Return one certificate for each wrong row of a table."""
    return {
        name_certificate(folder, puzzle, row.item): (puzzle, {row.item: row.true}) for row in wrong
    }


def plan_proofs_of_boards(
    folder: Path, boards: Iterable[tuple[Puzzle, Mapping[Reveal, int]]]
) -> Proofs:
    """Return one certificate for each board; raise OptionError if two have the same name."""
    proofs: dict[Path, tuple[Puzzle, Mapping[Reveal, int]]] = {}
    for puzzle, true in boards:
        path = name_certificate(folder, puzzle)
        if path in proofs:
            raise OptionError(f"two boards are named {puzzle.name}; certify their files one by one")
        proofs[path] = puzzle, true
    return proofs


def name_certificate(folder: Path, puzzle: Puzzle, reveal: Reveal = ()) -> Path:
    """Return the path of the certificate of a reveal, or of a board."""
    return folder / f"{make_file_name(puzzle.name, reveal)}.satcert"


def write_proofs(proofs: Proofs) -> Iterator[Path]:
    """Write and check certificates; raise Disagreement if one proves another number."""
    for path, (puzzle, true) in proofs.items():
        proved = write_certificate(path, puzzle, list(true), force=True).tilings
        for reveal, tilings in true.items():
            if proved[reveal] != tilings:
                raise Disagreement(
                    f"{path}: {proved[reveal]:,} tilings proved, but satcal counted {tilings:,}; "
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
