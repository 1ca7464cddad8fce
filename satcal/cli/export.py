"""``satcal export``: formulas for external solvers, in one file or in a folder."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cloup

from satcal.cli.output import Writer, quiet_option
from satcal.cli.progress import info
from satcal.cli.words import Selection, board_name, one_of, placing, read_place, select, selecting
from satcal.encoding import encoding
from satcal.encoding.export import DEFAULT, DEFAULT_ENCODING, FORMATS
from satcal.encoding.export import export as text_of
from satcal.encoding.lemmas import LEMMAS
from satcal.errors import FormatError, OptionError
from satcal.files import (
    check_output,
    locking,
    make_folder,
    name_of_file,
    read_text,
    write_bytes,
)
from satcal.processes import interruptible
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.when import Row
from satcal.tabular import Record, count_of, render

SUFFIXES = {form.suffix: name for name, form in FORMATS.items()}
MANIFEST = "manifest.csv"
FIELDS = (
    *("file", "puzzle", "digest", "reveal", "encoding", "lemmas"),
    *("variables", "clauses", "literals", "tilings", "sha256"),
)
"""The columns of a manifest. ``tilings`` is from the shipped table; ``sha256`` is of the text."""


@dataclass(frozen=True)
class Wanted:
    """A formula to write: that of a row, or of all reveals at once."""

    row: Row | None
    format: str
    encoding: str
    lemmas: str

    def text(self, selection: Selection) -> str:
        """Return the text of the formula."""
        return text_of(
            selection.puzzle,
            None if self.row is None else self.row.reveal,
            format=self.format,
            encoding=self.encoding or None,
            lemmas=self.lemmas,
            place=selection.place,
        )

    def name(self, puzzle: Puzzle) -> str:
        """Return the name of its file in a folder: names sort by date and name the encoding."""
        name = name_of_file(
            puzzle.name, ["open"] if self.row is None else sorting(puzzle, self.row)
        )
        lemmas = self.lemmas if self.lemmas != "none" else ""
        return ".".join(filter(None, [name, self.encoding, lemmas])) + FORMATS[self.format].suffix

    def facts(self, selection: Selection, text: str) -> Record:
        """Return what a manifest says of the formula; what is not known stays empty."""
        puzzle, clauses = selection.puzzle, self.format == DEFAULT
        counts = {} if selection.place else shipped_counts(puzzle)
        reveals = [self.row.reveal] if self.row else list(puzzle.reveals())
        known = counts.keys() >= set(reveals)
        lines = text.splitlines() if clauses else []
        body = [line for line in lines if line[0] not in "cp"]
        return {
            "puzzle": puzzle.name,
            "digest": puzzle.digest,
            "reveal": ",".join(self.row.reveal) if self.row else "open",
            "encoding": self.encoding,
            "lemmas": self.lemmas if clauses else "",
            "variables": next((line.split()[2] for line in lines if line[0] == "p"), ""),
            "clauses": len(body) if clauses else "",
            "literals": sum(line.count(" ") for line in body) if clauses else "",
            "tilings": sum(counts[reveal] for reveal in reveals) if known else "",
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }


@cloup.command()
@selecting
@one_of("is_open", "date", "year", "reveal", "all_reveals")
@cloup.option_group(
    "Formula",
    cloup.option("--open", "is_open", is_flag=True, help="One formula of all reveals at once."),
    placing,
    cloup.option(
        "--encoding",
        "encodings",
        multiple=True,
        metavar="NAME,...",
        help="ladder (default), plain, owner, card-seqcounter, ... for DIMACS; one file for each.",
    ),
    cloup.option("--lemmas", type=click.Choice(LEMMAS), default="none", help="Implied clauses."),
    cloup.option("--format", "style", type=click.Choice([*FORMATS]), help="If -o has no suffix."),
)
@cloup.option_group(
    "Output",
    cloup.option("-o", "--output", default="-", metavar="FILE|DIR/", help=" ".join(SUFFIXES)),
    cloup.option("--force", is_flag=True, help="Replace files that exist."),
    quiet_option,
)
def export(
    words: Sequence[str],
    is_open: bool,
    encodings: Sequence[str],
    lemmas: str,
    style: str | None,
    output: str,
    force: bool,
    **options: Any,
) -> None:
    """Write formulas for external solvers.

    Comments in a formula name every variable. Variables 1 to n are the placements; satcal decode
    reads them back from a solver's answer. -o DIR/ writes a file for each date and encoding, and
    manifest.csv. FILE may end in .gz or .xz.
    """
    if is_open:
        puzzle = load(board_name(words, options["board"]))
        selection = Selection(puzzle, [], [], read_place(puzzle, options["place"]))
    else:
        selection = select(words, **options)
    path = Path(output)
    new = not path.suffix and not path.exists()  # a name without a suffix is meant as a folder
    folder = output != "-" and (output.endswith("/") or path.is_dir() or new)
    style = style or (DEFAULT if output == "-" else None)
    writer = None if folder else Writer(output, style, force, suffixes=SUFFIXES)
    form = writer.style if writer else style or DEFAULT
    usual = DEFAULT_ENCODING if form == DEFAULT else ""
    names = list(dict.fromkeys((",".join(encodings) or usual).split(",")))
    loose = [name for name in names if name and not encoding(name).determined]
    rows: Sequence[Row | None] = [None] if is_open else selection.rows
    wanted = [Wanted(row, form, name, lemmas) for row in rows for name in names]
    if writer is None:
        write_folder(path, selection, wanted, force)
    elif len(wanted) > 1:
        raise OptionError(f"{len(wanted):,} formulas need a folder; name one with -o DIR/")
    else:
        with writer:
            writer.write(wanted[0].text(selection))
    if loose:
        info(f"count with projection: {', '.join(loose)} leaves auxiliaries undetermined")


def sorting(puzzle: Puzzle, row: Row) -> list[str]:
    """Return the parts of a file's name that sort in the order of the calendar.

    >>> from satcal.puzzle.loading import load
    >>> sorting(load("rhombus"), Row(("Thu", "Oct", "6")))
    ['10', '06', 'Thu']
    """
    if row.date:
        return row.date.isoformat().split("-")
    if puzzle.calendar.parts is None:
        return list(row.reveal)
    at = puzzle.calendar.indices(row.reveal)
    numbers = [f"{at[part] + 1:02}" for part in ("month", "day")]
    labels = zip(at, row.reveal, strict=True)
    return [*numbers, *(label for part, label in labels if part not in ("month", "day"))]


def write_folder(folder: Path, selection: Selection, wanted: Sequence[Wanted], force: bool) -> None:
    """Write a file for each formula, and the manifest; first check that none exists.

    Raises:
        FileTrouble: a file exists, and ``force`` is not given.
        Stopped: another process is writing there, the disk is full, or a right is missing.
    """
    with interruptible(), locking(folder):
        paths = [folder / one.name(selection.puzzle) for one in wanted]
        rows = read_manifest(folder / MANIFEST)
        for path in paths:
            check_output(path, force)
        make_folder(folder)
        for path, one in zip(paths, wanted, strict=True):
            text = one.text(selection)
            write_bytes(path, text.encode(), force)
            rows[path.name] = {"file": path.name, **one.facts(selection, text)}
        lines = render([rows[name] for name in sorted(rows)], FIELDS, "csv")
        write_bytes(folder / MANIFEST, "".join(lines).encode())
    names = " ... ".join(dict.fromkeys(path.name for path in (paths[0], paths[-1])))
    info(f"{folder}: {count_of(len(paths), 'formula')}, {names}")


def read_manifest(path: Path) -> dict[str, Record]:
    """Return the rows of a folder's manifest by file; none if there is no manifest."""
    if not path.exists():
        return {}
    table = csv.DictReader(read_text(path, "manifest").splitlines())
    if table.fieldnames is None or tuple(table.fieldnames) != FIELDS:
        raise FormatError(f"{path} is not a manifest of formulas; choose another folder")
    return {row["file"]: row for row in table}
