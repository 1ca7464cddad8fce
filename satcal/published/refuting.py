"""Certificates of what claims speak of, and a text for the author of a wrong table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from satcal.certificates.certify import write_certificate
from satcal.errors import Disagreement, OptionError
from satcal.files import check_output, make_file_name, make_folder
from satcal.published.verdicts import Verdict
from satcal.puzzle.model import Puzzle, Reveal
from satcal.tabular import RENDER

TEXT = "issue.md"
"""The file with the text for the author, beside the certificate."""


def prove(
    folder: Path, boards: Sequence[tuple[Puzzle, Mapping[Reveal, int]]], force: bool
) -> Iterator[Path]:
    """Write and check a certificate for each board, of these numbers of tilings.

    Raises:
        OptionError: two boards have the same name.
        FileTrouble: a file exists, and ``force`` is not given.
        Disagreement: a certificate proves another number.
    """
    proofs = {folder / f"{make_file_name(puzzle.name, ())}.satcert": puzzle for puzzle, _ in boards}
    if len(proofs) < len(boards):
        raise OptionError("two boards have the same name; certify their files one by one")
    for path in proofs:
        check_output(path, force)
    make_folder(folder)
    for (path, puzzle), (_, counts) in zip(proofs.items(), boards, strict=True):
        proved = write_certificate(path, puzzle, list(counts), force=force).tilings
        if proved != counts:
            raise Disagreement(f"{path}: it proves other numbers than counted; please report it")
        yield path


def format_issue(table: str, verdict: Verdict) -> str:
    """Return a Markdown issue: the claimed and the true numbers, and how to check them."""
    puzzle, wrong = verdict.statement.puzzle, verdict.wrong_rows()
    records = (row.as_fields(puzzle) for row in wrong)
    rows = "".join(RENDER["markdown"](records, [*puzzle.categories, "claimed", "true"]))
    return (
        f"## Wrong numbers in {table}: {len(wrong):,} of {len(verdict.statement.over.items):,}\n\n"
        f"Solutions of {puzzle.title or puzzle.name} (satcal's `{puzzle.name}`):\n\n{rows}\n"
        "The attached certificate (`.satcert`) proves the true numbers: it has the puzzle and, for "
        "each row, a search tree in which every solution appears. `satcal check` checks it.\n"
    )
