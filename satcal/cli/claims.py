"""``satcal claims``: what others have published, confirmed or refuted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from satcal.cli import options
from satcal.cli.methods import method_option
from satcal.cli.progress import note, progress, say
from satcal.counting.settings import ByDiagram
from satcal.errors import BudgetExhausted, OptionError
from satcal.files import make_folder
from satcal.published import refuting
from satcal.published.examination import Examination
from satcal.published.own_tables import likely_board
from satcal.published.reading import load_claims, published
from satcal.published.sheets import as_claims, read_sheet
from satcal.published.verdicts import ClaimFile, Verdict, WrongRow
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.tables import count_of, tabulated

CERTIFIED = 50  # wrong rows that get a certificate, unless --all is given
MARKS = {"confirmed": "+", "refuted": "-", "settled": "=", "undecided": "?"}
HEADS = {
    "refuted": ("published", "by", "true", "off by", "shown by"),
    "settled": ("published", "by", "the fact", "why it is not judged", "shown by"),
    "undecided": ("published", "by", "why", "see"),
    "confirmed": ("published", "by"),
}
"""The tables of the format markdown, and their columns."""


class Rebuttal(NamedTuple):
    """Where ``--certify`` writes, for how many rows at most, and whether it replaces files."""

    folder: Path
    most: int
    force: bool

    def write(self, path: Path, puzzle: Puzzle, wrong: Sequence[WrongRow], rows: int) -> None:
        """Write certificates, CSV and text for the wrong rows of the table at a path."""
        some = wrong[: self.most]
        certificate_paths = refuting.certificate_paths(self.folder, puzzle, some, self.force)
        make_folder(self.folder)
        with progress("certificates", len(some)) as advance:
            for name in refuting.certify_wrong_rows(puzzle, some, certificate_paths):
                advance(name.name)
        refuting.write_texts(self.folder, path.name, puzzle, wrong, rows, len(some))
        left = len(wrong) - len(some)
        more = f"; {count_of(left, 'wrong row')} not certified: use --all" if left else ""
        certificates = count_of(len(some), "certificate")
        note(f"{self.folder}: {certificates}, {refuting.ROWS}, {refuting.TEXT}{more}")


@options.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.only_board_option("The puzzle of FILE.csv, a table.  [default: a-puzzle-a-day]")
@method_option
@click.option(
    "--recount",
    type=options.some,
    default="1",
    metavar="N|all",
    help="How many rows of each of satcal's own tables to recount. With --method diagram, the "
    'diagram recounts all rows and sat this many. "all" also removes the time limits.',
)
@options.jobs_option
@click.option(
    "--certify",
    "folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="For FILE.csv: write a certificate for each wrong row, every wrong row as CSV, and a "
    "text to paste into an issue for the table's author.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help=f"With --certify: certify all wrong rows, not only the first {CERTIFIED}.",
)
@click.option("--strict", is_flag=True, help="Exit with code 1 if a claim is refuted.")
@options.tabular("text", writes=True)
def claims(
    files: tuple[str, ...],
    board: str | None,
    method: str | None,
    recount: int,
    jobs: int | None,
    folder: Path | None,
    every: bool,
    strict: bool,
    style: str,
    force: bool,
) -> int:
    """Check published statements: each is confirmed, refuted, settled or undecided, with the
    reason.

    Without FILE, check all claims that come with satcal; `satcal manual claim-file` says how
    to write a claim file.
    FILE.csv is a table as it was published, with dates or labels, and numbers: its wrong rows
    are listed.
    Counts that are in none of satcal's tables are made by --method. A statement that its author
    leaves open or hedges is settled: the true number is given. A refuted claim is not a failure;
    the exit code is 1 only if satcal's own tables contradict a fresh count or, with --strict, if
    a claim is refuted.
    """
    rebuttal = None
    if folder:
        rebuttal = Rebuttal(folder, options.MOST if every else CERTIFIED, force)
    else:
        options.refuse("needs --certify", "every")
    rows = None if recount == options.MOST else recount
    examination = Examination(method or ByDiagram.name, recounts=rows, jobs=jobs)
    paths = list(map(Path, files))
    if any(path.suffix.casefold() == ".csv" for path in paths):
        if len(paths) > 1:
            raise OptionError(
                f"a table must be the only file: give {paths[0].name} alone, or leave it out"
            )
        verdicts = _table_claims(
            paths[0], load(board or options.DEFAULT_BOARD), examination, style, rebuttal
        )
    elif board:
        raise OptionError(
            "--board only applies to a table (FILE.csv); claim files name their own boards, so "
            "leave it out"
        )
    elif folder:
        raise OptionError("--certify only applies to a table (FILE.csv); leave it out")
    else:
        loaded = [load_claims(path) for path in paths or published()]
        verdicts = _examined(loaded, examination)
        click.echo(render(verdicts, style, linked=not paths), nl=False)
    stopped = _recounted(examination)
    numbers = Counter(verdict.judgement.value for verdict in verdicts)
    listed = ", ".join(f"{numbers[name]} {name}" for name in MARKS)
    note(f"{count_of(len(verdicts), 'statement')}: {listed}")
    return 3 if stopped else int(strict and numbers["refuted"] > 0)


def _examined(loaded: Sequence[ClaimFile], examination: Examination) -> list[Verdict]:
    """The verdicts on all statements, with progress."""
    verdicts: list[Verdict] = []
    with progress("examining claims", sum(len(file.statements) for file in loaded)) as advance:
        for verdict in examination.verdicts(loaded):
            verdicts.append(verdict)
            advance(verdict.statement.id)
    return verdicts


def _table_claims(
    path: Path,
    puzzle: Puzzle,
    examination: Examination,
    style: str,
    rebuttal: Rebuttal | None,
) -> list[Verdict]:
    """Judge a table as somebody published it, print its wrong rows, and certify them if asked."""
    sheet = read_sheet(path, puzzle)
    note(f"{path}: read as {sheet.understood}")
    verdicts = _examined([as_claims(path, sheet, puzzle)], examination)
    wrong = verdicts[0].wrong_rows()
    if 2 * len(wrong) > len(sheet.counts) and (likely := likely_board(puzzle, sheet.counts)):
        note(f"most of these numbers are those of {likely}; is that the board? Add -b {likely}")
    if style == "text":
        click.echo(f"{puzzle.name}: {verdicts[0].truth_in_words or verdicts[0].reason}")
    else:
        records = (row.as_fields(puzzle) for row in wrong)
        options.echo(records, [*puzzle.categories, "claimed", "true"], style)
    if rebuttal and wrong:
        rebuttal.write(path, puzzle, wrong, len(sheet.counts))
    elif rebuttal:
        note(f"no row is wrong: nothing to write to {rebuttal.folder}")
    return verdicts


def _recounted(examination: Examination) -> str:
    """Count rows of the tables that were used again, and say so; return what stopped it."""
    again: defaultdict[str, Counter[str]] = defaultdict(Counter)
    stopped = ""
    try:
        for row in examination.recounted():
            again[row.method][row.board] += 1
    except BudgetExhausted as stop:
        stopped = str(stop)
    for name, boards in again.items():
        counted = ", ".join(f"{count:,} of {board}" for board, count in boards.items())
        note(f"rows recounted by {name}, all as in satcal's tables: {counted}")
    if stopped:
        say(f"not all rows were counted again: {stopped}")
    return stopped


def render(verdicts: Sequence[Verdict], style: str, linked: bool = True) -> str:
    """Verdicts as text or a table; in Markdown a table for each judgement that there is.

    What is ``linked`` links to files as seen from ``results``.
    """
    if style == "markdown":
        tables = (_table(name, verdicts, linked) for name in HEADS)
        return "\n".join(filter(None, tables))
    records = [verdict.as_fields() for verdict in verdicts]
    if style == "text":
        return "".join(map(_text, records))
    return tabulated(records, list(records[0]) if records else [], style)


def _text(record: dict[str, str]) -> str:
    """Statement, source, truth, reason, and what shows it, as far as known."""
    verdict, files = record["verdict"], _files(record)
    truth = {"refuted": f"claimed: {record['claimed']}; in fact: ", "settled": "in fact: "}
    lines = [
        f"{MARKS[verdict]} {record['id']:<4} {verdict}: {record['statement']}",
        f"{record['source']} ({record['board']})",
        truth[verdict] + _truth(record) if verdict in truth else "",
        record["reason"],
        f"shown by {', '.join(f'results/{file}' for file in files)}" if files else "",
    ]
    return "\n       ".join(filter(None, lines)) + "\n"


def _truth(record: dict[str, str]) -> str:
    """The truth in words, and the reveal that decides."""
    example = record["example"]
    return record["truth"] + (f" ({example})" if example not in record["truth"] else "")


def _files(record: dict[str, str]) -> list[str]:
    """The files that show the truth, as seen from ``results``."""
    return [*filter(None, [record["certificate"]]), *record["see"].split()]


def _table(name: str, verdicts: Iterable[Verdict], linked: bool) -> str:
    """The table of a judgement, empty if there is none; ``linked`` from ``results/README.md``."""
    those = [verdict for verdict in verdicts if verdict.judgement.value == name]
    if not those:
        return ""
    rows = []
    for verdict in those:
        record = verdict.as_fields()
        shown = ", ".join(
            f"[{Path(file).name}]({file})" if linked else f"satcal's results/{file}"
            for file in _files(record)
        )
        rows.append(
            {
                "": record["id"],
                "published": f"{record['board']}: {record['statement']}",
                "by": record["source"],
                "true": _truth(record),
                "the fact": _truth(record),
                "off by": verdict.off_by,
                "why": record["reason"],
                "why it is not judged": record["reason"],
                "shown by": shown,
                "see": shown,
            }
        )
    table = tabulated(rows, ["", *HEADS[name]], "markdown")
    return f"### {name.capitalize()}: {len(those)}\n\n{table}"
