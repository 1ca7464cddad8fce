"""``satcal claims``: confirm or refute published claims.

:mod:`satcal.published.reading` reads the statements, :mod:`satcal.published.sheets` a table,
:mod:`satcal.published.examination` judges them and recounts rows of the shipped tables that it
used, and this file prints the verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from satcal.cli.options import Command
from satcal.cli.output import Writer, add_output, info, progress, warn
from satcal.cli.words import load_board
from satcal.errors import Disagreement, OptionError
from satcal.files import read_text, write_bytes
from satcal.processes import interruptible
from satcal.published.drawings import Drawing, check_drawings, find_drawings, summarise
from satcal.published.evaluating import Lookup
from satcal.published.examination import find_counts, judge_all, judge_table, recount
from satcal.published.reading import claim_files, load_claims, recorded_verdicts
from satcal.published.refuting import TEXT, format_issue, prove
from satcal.published.sheets import MAX_BYTES
from satcal.published.verdicts import Verdict
from satcal.puzzle.model import Puzzle, Reveal
from satcal.tabular import FORMATS, count_of

MARKS = {"refuted": "-", "settled": "=", "undecided": "?", "confirmed": "+"}
"""The mark of each judgement in text output."""


@click.command(cls=Command)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("-b", "--board", metavar="NAME|FILE", help="The puzzle of a table.")
@click.option("--certify", metavar="FOLDER", help="Prove the counts by certificates.")
@add_output("text", *FORMATS)
def claims(
    files: tuple[str, ...],
    board: str | None,
    certify: str | None,
    writer: Writer,
) -> int:
    """Check published statements, by default all that come with satcal.

    FILE is a claim file (.toml), or a table as it was published (.csv, .txt, .gz): a date or
    labels, and a number in each row; or drawings of solutions, each below its date. A statement is
    confirmed, refuted, settled (its author left it open, and satcal gives the true number) or
    undecided. If a statement, row or drawing of a FILE is wrong, the exit code is 1; without a
    FILE, if a verdict differs from the one recorded in satcal.
    --certify writes a certificate for each board: of the reveals that statements speak of or, in a
    folder for each table, of its wrong rows, with a text for its author.
    """
    paths = [Path(file) for file in files]
    tables = [path for path in paths if path.suffix.casefold() != ".toml"]
    if tables and len(paths) > 1:
        raise OptionError(f"a table must be the only file: give {tables[0].name} alone")
    if board and not tables:
        raise OptionError("--board only applies to a table, not to claims; leave it out")
    if certify and not paths:
        raise OptionError("--certify proves the claims of a FILE; name one")
    lookup, folder = Lookup(), Path(certify or "")
    with interruptible(), writer:
        if tables:
            puzzle = load_board(board=board)
            text = read_text(tables[0], "table", MAX_BYTES)
            if drawings := find_drawings(tables[0], text, puzzle):
                if certify:
                    raise OptionError("--certify proves numbers, not drawings; leave it out")
                return write_findings(puzzle, drawings, lookup, writer)
            with progress("examining claims"):
                verdict = judge_table(tables[0], text, puzzle, lookup)
            warn(f"{tables[0]}: read as {verdict.statement.note}")
            write_rows(verdict, puzzle, writer)
            verdicts = [verdict]
            folder /= tables[0].name.partition(".")[0]
            wrong = {row.item: row.true for row in verdict.wrong_rows()}
            boards = [(puzzle, wrong)] if wrong else []
        else:
            statements = load_claims(paths or claim_files())
            with progress("examining claims") as step:
                verdicts = judge_all(statements, lookup, step)
            write_verdicts(verdicts, writer)
            boards = find_counts(verdicts, lookup) if certify else []
        if certify and boards:
            write_certificates(folder, boards, writer.force)
            if tables:
                text = format_issue(tables[0].name, verdict)
                write_bytes(folder / TEXT, text.encode(), writer.force)
        recount_rows(verdicts, lookup)
    numbers = Counter(verdict.judgement.value for verdict in verdicts)
    if not tables:
        summary = ", ".join(f"{numbers[name]} {name}" for name in MARKS)
        info(f"{count_of(len(verdicts), 'statement')}: {summary}")
    if paths:
        return Disagreement.exit_code if numbers["refuted"] else 0
    return compare_with_record(verdicts)


def compare_with_record(verdicts: Sequence[Verdict]) -> int:
    """Print the verdicts that differ from the recorded ones; return the exit code."""
    new, recorded = {v.statement.id: v.judgement.value for v in verdicts}, recorded_verdicts()
    differing = [name for name in {**new, **recorded} if new.get(name) != recorded.get(name)]
    for name in differing:
        judged, before = new.get(name, "not there"), recorded.get(name, "not recorded")
        warn(f"DISAGREEMENT statement {name} is {judged}; in verdicts.csv it is {before}")
    return Disagreement.exit_code if differing else 0


def write_findings(
    puzzle: Puzzle, drawings: Sequence[Drawing], lookup: Lookup, writer: Writer
) -> int:
    """Write what is wrong with drawings, and what is missing; return the exit code."""
    with progress("examining drawings"):
        findings = list(check_drawings(puzzle, drawings, lookup))
    if writer.style == "text":
        writer.write(summarise(puzzle, drawings, findings))
    else:
        records = (finding.as_fields(puzzle) for finding in findings)
        writer.write_records(records, ["line", *puzzle.categories, "fault"])
    recount_rows([], lookup)
    return Disagreement.exit_code if any(finding.line for finding in findings) else 0


def write_rows(verdict: Verdict, puzzle: Puzzle, writer: Writer) -> None:
    """Write the wrong rows of a published table."""
    if writer.style == "text":
        writer.write(f"{puzzle.name}: {verdict.truth_in_words or verdict.reason}\n")
    else:
        records = (row.as_fields(puzzle) for row in verdict.wrong_rows())
        writer.write_records(records, [*puzzle.categories, "claimed", "true"])


def write_certificates(
    folder: Path, boards: Sequence[tuple[Puzzle, Mapping[Reveal, int]]], force: bool
) -> None:
    """Write a certificate for each board, of the reveals that claims speak of."""
    with progress("certificates") as step:
        for number, path in enumerate(prove(folder, boards, force), start=1):
            step(number, len(boards), path.name)
    info(f"{folder}: {count_of(len(boards), 'certificate')}")


def recount_rows(verdicts: Sequence[Verdict], lookup: Lookup) -> None:
    """Recount rows of the shipped tables that the verdicts used, and print how many."""
    rows = [f"{n:,} of {board} by {method}" for board, method, n in recount(verdicts, lookup) if n]
    if rows:
        info(f"rows counted again, all as in satcal's tables: {', '.join(rows)}")


def write_verdicts(verdicts: Sequence[Verdict], writer: Writer) -> None:
    """Write verdicts as text or a table."""
    records = [verdict.as_fields() for verdict in verdicts]
    if writer.style == "text":
        writer.write("".join(map(format_verdict, records)))
    else:
        writer.write_records(records, list(records[0]) if records else [])


def format_verdict(record: dict[str, str]) -> str:
    """Return the text of a verdict: statement, source, claim, truth, reason and evidence."""
    verdict = record["verdict"]
    files = [*filter(None, [record["certificate"]]), *record["see"].split()]
    truth = {"refuted": record["truth"], "settled": record["truth"]}.get(verdict)
    lines = [
        f"{MARKS[verdict]} {record['id']:<4} {verdict}: {record['statement']}",
        f"{record['source']} ({record['board']})",
        record["claimed"] + (f"; in fact: {truth}" if truth else ""),
        record["reason"],
        f"shown by {', '.join(f'results/{file}' for file in files)}" if files else "",
    ]
    return "\n       ".join(filter(None, lines)) + "\n"
