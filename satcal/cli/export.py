"""``satcal export``: write formulas for external solvers, in one file or in a folder."""

from __future__ import annotations

import csv
import hashlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from satcal.cli.options import (
    Command,
    add_section,
    add_selection,
    encoding_option,
    place_option,
    refuse_several,
)
from satcal.cli.output import Writer, add_output, info, name_for
from satcal.cli.words import find_board, load_board, read_placements, select
from satcal.encoding import encoding_named, split_names
from satcal.encoding.export import DEFAULT_ENCODING, DEFAULT_FORMAT, FORMATS, export_text
from satcal.encoding.lemmas import LEMMAS
from satcal.errors import FormatError, OptionError
from satcal.files import check_output, locking, make_file_name, make_folder, read_text, write_bytes
from satcal.processes import interruptible
from satcal.published.shipped import shipped_counts
from satcal.puzzle.rows import Row, Selection
from satcal.tabular import RENDER, Record, count_of

SUFFIXES = {name: format.suffix for name, format in FORMATS.items()}
MANIFEST = "manifest.csv"
FIELDS = (
    *("file", "puzzle", "digest", "reveal", "encoding", "lemmas"),
    *("determined", "variables", "clauses", "literals", "tilings", "sha256"),
)
"""The columns of a manifest: ``tilings`` from the shipped table, ``sha256`` of the text.

``determined`` says yes where the models are as many as the tilings.
"""


@dataclass(frozen=True)
class Export:
    """A formula to write: for a row, or (if that is None) for all reveals at once."""

    selection: Selection
    row: Row | None
    format: str
    encoding: str
    lemmas: str

    def make_text(self) -> str:
        """Return the text of the formula."""
        return export_text(
            self.selection.puzzle,
            None if self.row is None else self.row.reveal,
            format=self.format,
            encoding=self.encoding or None,
            lemmas=self.lemmas,
            place=self.selection.place,
        )

    def file_name(self) -> str:
        """Return the name of the file in a folder: names sort by date and name the encoding."""
        puzzle = self.selection.puzzle
        name = name_for(puzzle, self.row) if self.row else make_file_name(puzzle.name, ["open"])
        lemmas = self.lemmas if self.lemmas != "none" else ""
        return ".".join(filter(None, [name, self.encoding, lemmas])) + FORMATS[self.format].suffix

    def manifest_row(self, text: str) -> Record:
        """Return the row of the manifest; a field without a value is empty."""
        puzzle, is_dimacs = self.selection.puzzle, self.format == DEFAULT_FORMAT
        counts = {} if self.selection.place else shipped_counts(puzzle)
        reveals = [self.row.reveal] if self.row else list(puzzle.reveals())
        has_counts = counts.keys() >= set(reveals)
        lines = text.splitlines() if is_dimacs else []
        clauses = [line for line in lines if line[0] not in "cp"]
        return {
            "puzzle": puzzle.name,
            "digest": puzzle.digest,
            "reveal": ",".join(self.row.reveal) if self.row else "open",
            "encoding": self.encoding,
            "lemmas": self.lemmas if is_dimacs else "",
            "determined": ("no", "yes")[encoding_named(self.encoding).determined]
            if is_dimacs
            else "",
            "variables": next((line.split()[2] for line in lines if line[0] == "p"), ""),
            "clauses": len(clauses) if is_dimacs else "",
            "literals": sum(line.count(" ") for line in clauses) if is_dimacs else "",
            "tilings": sum(counts[reveal] for reveal in reveals) if has_counts else "",
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }


@click.command(cls=Command)
@add_selection
@add_section(
    "Formula",
    click.option("--open", "is_open", is_flag=True, help="One formula of all reveals at once."),
    place_option,
    encoding_option,
    click.option(
        "--lemmas", type=click.Choice(LEMMAS), default="none", help="Adds implied clauses."
    ),
)
@add_output(*FORMATS, suffixes=SUFFIXES, folders=True)
def export(
    words: Sequence[str],
    is_open: bool,
    encodings: Sequence[str],
    lemmas: str,
    writer: Writer,
    **options: Any,
) -> None:
    """Write formulas for external solvers.

    Comments in a formula name every variable. Variables 1 to n are the placements; satcal decode
    reads them back from a solver's answer. -o DIR/ writes a file for each date and encoding, and
    manifest.csv; BOARD may then be several, such as rhombus,weekday. FILE may end in .gz or .xz.
    --lemmas closed adds clauses that every solution satisfies.
    """
    is_list = [all(map(find_board, word.split(","))) for word in words]
    choices = [
        word.split(",") if several else [word] for word, several in zip(words, is_list, strict=True)
    ]
    selections = [
        select_open(line, options) if is_open else select(line, **options)
        for line in itertools.product(*choices)
    ]
    format = writer.style
    has_names = encodings or format == DEFAULT_FORMAT
    names = split_names(encodings, DEFAULT_ENCODING) if has_names else [""]
    undetermined = [name for name in names if name and not encoding_named(name).determined]
    formulas = [
        Export(selection, row, format, name, lemmas)
        for selection in selections
        for row in ([None] if is_open else selection.rows)
        for name in names
    ]
    if writer.folder:
        write_all(writer.folder, formulas, writer.force)
    elif len(formulas) > 1:
        raise OptionError(f"{len(formulas):,} formulas need a folder; name one with -o DIR/")
    else:
        with writer:
            writer.write(formulas[0].make_text())
    if undetermined:
        encoding_list = ", ".join(undetermined)
        info(f"{encoding_list}: auxiliary variables are not determined; count with projection")


def select_open(words: Sequence[str], options: Mapping[str, Any]) -> Selection:
    """Return the selection of all reveals at once."""
    dates = any(options[name] for name in ("date", "year", "reveal", "all_reveals"))
    refuse_several({"--open": True, "a choice of dates": dates})
    puzzle = load_board(words, options["board"])
    return Selection(puzzle, [], read_placements(puzzle, options["place"]))


def write_all(folder: Path, formulas: Sequence[Export], force: bool) -> None:
    """Write a file for each formula, and the manifest.

    Raises:
        FileTrouble: a file exists, and ``force`` is false; nothing is written.
        Stopped: another process is writing there, the disk is full, or permission is missing.
    """
    with interruptible(), locking(folder):
        paths = [folder / formula.file_name() for formula in formulas]
        rows = read_manifest(folder / MANIFEST)
        for path in paths:
            check_output(path, force)
        make_folder(folder)
        for path, formula in zip(paths, formulas, strict=True):
            text = formula.make_text()
            write_bytes(path, text.encode(), force)
            rows[path.name] = {"file": path.name, **formula.manifest_row(text)}
        lines = RENDER["csv"]([rows[name] for name in sorted(rows)], FIELDS)
        write_bytes(folder / MANIFEST, "".join(lines).encode())
    names = " ... ".join(dict.fromkeys(path.name for path in (paths[0], paths[-1])))
    info(f"{folder}: {count_of(len(paths), 'formula')}, {names}")


def read_manifest(path: Path) -> dict[str, Record]:
    """Return the rows of a manifest by file name; none if the manifest does not exist."""
    if not path.exists():
        return {}
    table = csv.DictReader(read_text(path, "manifest").splitlines())
    if table.fieldnames is None or tuple(table.fieldnames) != FIELDS:
        raise FormatError(f"{path} is not a manifest of formulas; choose another folder")
    return {row["file"]: row for row in table}
