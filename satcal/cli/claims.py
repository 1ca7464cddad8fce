"""``satcal claims``: what others have published, confirmed or refuted.

:mod:`satcal.published.reading` reads statements or a table,
:class:`satcal.published.examination.Examination` judges them and counts rows of the tables that it
used again, and this file prints the verdicts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import cloup

from satcal.cli.output import Writer, writing
from satcal.cli.progress import info, progress, warn
from satcal.cli.words import DEFAULT_BOARD, board_option
from satcal.errors import OptionError
from satcal.files import make_folder
from satcal.processes import interruptible
from satcal.published import refuting
from satcal.published.examination import Examination
from satcal.published.reading import claim_files, load_claims
from satcal.published.sheets import read_sheets
from satcal.published.shipped import likely_board
from satcal.published.verdicts import ClaimFile, Verdict, WrongRow
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.tabular import FORMATS, render

CERTIFIED = 50  # wrong rows that get a certificate, unless --all is given
MARKS = {"confirmed": "+", "refuted": "-", "settled": "=", "undecided": "?"}
HEADS = {
    "refuted": ("published", "by", "claimed", "true", "off by", "shown by"),
    "settled": ("published", "by", "claimed", "the fact", "why it is not judged", "shown by"),
    "undecided": ("published", "by", "why", "see"),
    "confirmed": ("published", "by", "claimed"),
}
"""The tables of the format markdown, and their columns."""


@cloup.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@cloup.option_group(
    "What to check",
    board_option,
    cloup.option(
        "--recount",
        metavar="N|all",
        default="1",
        help="Rows of each of satcal's tables that sat counts again.",
    ),
    cloup.option("-j", "--jobs", type=click.IntRange(1), help="Processes; default: one per core."),
    cloup.option("--strict", is_flag=True, help="Exit with 1 if a claim is refuted."),
)
@cloup.option_group(
    "Wrong rows of FILE.csv",
    cloup.option(
        "--certify",
        "folder",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Write certificates of them, and a text for the author.",
    ),
    cloup.option(
        "--all", "certify_all", is_flag=True, help=f"Certify all, not the first {CERTIFIED}."
    ),
)
@writing("text", *FORMATS, also=["folder"])
def claims(
    files: tuple[str, ...],
    board: str | None,
    recount: str,
    jobs: int | None,
    strict: bool,
    folder: Path | None,
    certify_all: bool,
    writer: Writer,
) -> int:
    """Check published statements, by default all that come with satcal.

    FILE is a claim file (.toml), or a table as it was published (.csv, .txt, .gz): a date or
    labels, and a number in each row. A statement is confirmed, refuted, settled (its author leaves
    it open, and gets the true number) or undecided.
    """
    rows = parse_rows(recount)
    if certify_all and not folder:
        raise OptionError("--all needs --certify FOLDER")
    paths = [Path(file) for file in files]
    tables = [path for path in paths if path.suffix.casefold() != ".toml"]
    if tables and len(paths) > 1:
        raise OptionError(f"a table must be the only file: give {tables[0].name} alone")
    if not tables and (board or folder):
        option = "--board" if board else "--certify"
        raise OptionError(f"{option} only applies to a table, not to claims; leave it out")
    examination = Examination(rows, jobs=jobs)
    with interruptible(), writer:
        if tables:
            puzzle = load(board or DEFAULT_BOARD)
            verdicts = [judge_table(tables[0], puzzle, examination, writer)]
            if folder:
                rebut(folder, tables[0].name, verdicts[0], CERTIFIED, certify_all, writer.force)
        else:
            verdicts = examine([load_claims(path) for path in paths or claim_files()], examination)
            write_verdicts(verdicts, writer, linked=not paths)
        recount_rows(examination)
    numbers = Counter(verdict.judgement.value for verdict in verdicts)
    listed = ", ".join(f"{numbers[name]} {name}" for name in MARKS)
    if not tables:
        info(f"{len(verdicts)} statement{'s' if len(verdicts) != 1 else ''}: {listed}")
    return int(strict and numbers["refuted"] > 0)


def parse_rows(text: str) -> int | None:
    """Return the number of ``--recount``, None for all."""
    if text == "all":
        return None
    if not text.isascii() or not text.isdecimal():
        raise OptionError(f"--recount {text}: write a number of rows, or all")
    return int(text)


def examine(files: Sequence[ClaimFile], examination: Examination) -> list[Verdict]:
    """Return the verdicts on all statements, with progress."""
    verdicts: list[Verdict] = []
    total = sum(len(file.statements) for file in files)
    with progress("examining claims") as step:
        for verdict in examination.verdicts(files):
            verdicts.append(verdict)
            step(len(verdicts), total, verdict.statement.id)
    return verdicts


def judge_table(path: Path, puzzle: Puzzle, examination: Examination, writer: Writer) -> Verdict:
    """Judge a table as it was published, and write its wrong rows."""
    sheets = read_sheets(path, puzzle)
    with progress("examining claims"):
        sheet, verdict = examination.judge_table(path, sheets, puzzle)
    warn(f"{path}: read as {sheet.understood}")
    wrong, count = verdict.wrong_rows(), len(sheet.counts)
    if 2 * len(wrong) > count and (likely := likely_board(puzzle, sheet.counts)):
        warn(
            f"{len(wrong):,} of {count:,} are wrong; they are those of {likely}: is that the "
            f"board? Add -b {likely}"
        )
    if writer.style == "text":
        writer.write(f"{puzzle.name}: {verdict.truth_in_words or verdict.reason}\n")
    else:
        records = (row.as_fields(puzzle) for row in wrong)
        writer.records(records, [*puzzle.categories, "claimed", "true"])
    return verdict


def rebut(
    folder: Path, table: str, verdict: Verdict, most: int, certify_all: bool, force: bool
) -> None:
    """Write certificates, CSV and text for the wrong rows of a table."""
    puzzle, wrong = verdict.statement.puzzle, verdict.wrong_rows()
    if not wrong:
        info(f"no row is wrong: nothing to write to {folder}")
        return
    chosen_rows: Sequence[WrongRow] = wrong if certify_all else wrong[:most]
    paths = refuting.certificate_paths(folder, puzzle, chosen_rows, force)
    make_folder(folder)
    with progress("certificates") as step:
        for done, path in enumerate(
            refuting.certify_wrong_rows(puzzle, chosen_rows, paths), start=1
        ):
            step(done, len(chosen_rows), path.name)
    rows = len(verdict.statement.over.items)
    refuting.write_texts(folder, table, puzzle, wrong, rows, len(chosen_rows))
    left = len(wrong) - len(chosen_rows)
    more = f"; {left:,} wrong rows are not certified: add --all" if left else ""
    info(f"{folder}: {len(chosen_rows)} certificates, {refuting.ROWS}, {refuting.TEXT}{more}")


def recount_rows(examination: Examination) -> None:
    """Count rows of the tables that were used again, and say which."""
    again: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in examination.recount():
        again[row.method][row.board] += 1
    for name, boards in again.items():
        counted = ", ".join(f"{count:,} of {board}" for board, count in boards.items())
        info(f"rows recounted by {name}, all as in satcal's tables: {counted}")


def write_verdicts(verdicts: Sequence[Verdict], writer: Writer, linked: bool) -> None:
    """Write verdicts as text or a table; in Markdown, a table for each judgement that occurs.

    Files that are ``linked`` are links as seen from ``results``.
    """
    records = [verdict.as_fields() for verdict in verdicts]
    if writer.style == "markdown":
        writer.write(verdicts_as_markdown(verdicts, linked))
    elif writer.style == "text":
        writer.write("".join(map(as_text, records)))
    else:
        writer.records(records, list(records[0]) if records else [])


def as_text(record: dict[str, str]) -> str:
    """Return statement, source, claim, truth, reason, and what shows it, as far as known."""
    verdict, files = record["verdict"], files_of(record)
    truth = {"refuted": record["truth"], "settled": record["truth"]}.get(verdict)
    lines = [
        f"{MARKS[verdict]} {record['id']:<4} {verdict}: {record['statement']}",
        f"{record['source']} ({record['board']})",
        record["claimed"] + (f"; in fact: {truth}" if truth else ""),
        record["reason"],
        f"shown by {', '.join(f'results/{file}' for file in files)}" if files else "",
    ]
    return "\n       ".join(filter(None, lines)) + "\n"


def files_of(record: dict[str, str]) -> list[str]:
    """Return the files that show the truth, as seen from ``results``."""
    return [*filter(None, [record["certificate"]]), *record["see"].split()]


def verdicts_as_markdown(verdicts: Sequence[Verdict], linked: bool = True) -> str:
    """Return a table for each judgement that occurs."""
    return "\n".join(filter(None, (table_of(name, verdicts, linked) for name in HEADS)))


def table_of(name: str, verdicts: Iterable[Verdict], linked: bool) -> str:
    """Return the table of a judgement; "" if there is none."""
    judged = [verdict for verdict in verdicts if verdict.judgement.value == name]
    if not judged:
        return ""
    rows = []
    for verdict in judged:
        record = verdict.as_fields()
        shown = ", ".join(
            f"[{Path(file).name}]({file})" if linked else f"satcal's results/{file}"
            for file in files_of(record)
        )
        rows.append(
            {
                "": record["id"],
                "published": f"{record['board']}: {record['statement']}",
                "by": record["source"],
                "claimed": record["claimed"],
                "true": record["truth"],
                "the fact": record["truth"],
                "off by": verdict.off_by,
                "why": record["reason"],
                "why it is not judged": record["reason"],
                "shown by": shown,
                "see": shown,
            }
        )
    return f"### {name.capitalize()}: {len(judged)}\n\n" + "".join(
        render(rows, ["", *HEADS[name]], "markdown")
    )
