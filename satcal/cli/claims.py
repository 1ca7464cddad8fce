"""``satcal claims``: confirm or refute published claims.

:mod:`satcal.published.reading` reads the statements or a table,
:class:`satcal.published.examination.Examination` judges them and recounts rows of the shipped
tables that it used, and this file prints the verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from satcal.cli.options import Command
from satcal.cli.output import Writer, add_output, info, progress, warn
from satcal.cli.words import read_board
from satcal.errors import Disagreement, OptionError
from satcal.files import check_output, make_folder, read_text
from satcal.processes import interruptible
from satcal.published import refuting
from satcal.published.drawings import Drawing, find_drawings, summarise
from satcal.published.examination import Examination
from satcal.published.reading import claim_files, load_claims, recorded_verdicts
from satcal.published.sheets import MAX_BYTES, parse_readings
from satcal.published.shipped import find_likely_board
from satcal.published.verdicts import ClaimFile, Verdict
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.tabular import FORMATS, count_of

MARKS = {"refuted": "-", "settled": "=", "undecided": "?", "confirmed": "+"}
"""The mark of each judgement in text output."""


@click.command(cls=Command)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("-b", "--board", metavar="NAME|FILE", help="The puzzle of a table.")
@click.option("--certify", metavar="FOLDER", help="Prove the numbers.")
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
    --certify writes, in a folder for each table, a certificate of each wrong row and a text for its
    author; for statements, a certificate for each board, of the reveals that they speak of.
    """
    paths = [Path(file) for file in files]
    tables = [path for path in paths if path.suffix.casefold() != ".toml"]
    if tables and len(paths) > 1:
        raise OptionError(f"a table must be the only file: give {tables[0].name} alone")
    if board and not tables:
        raise OptionError("--board only applies to a table, not to claims; leave it out")
    if certify and not paths:
        raise OptionError("--certify proves the claims of a FILE; name one")
    examination = Examination()
    with interruptible(), writer:
        if tables:
            puzzle = load(read_board([], board))
            text = read_text(tables[0], "table", MAX_BYTES)
            if drawings := find_drawings(tables[0], text, puzzle):
                if certify:
                    raise OptionError("--certify proves numbers, not drawings; leave it out")
                return write_findings(puzzle, drawings, examination, writer)
            verdicts = [judge_table(tables[0], text, puzzle, examination, writer)]
            if certify:
                folder = Path(certify) / tables[0].name.partition(".")[0]
                write_refutations(folder, tables[0].name, verdicts[0], writer.force)
        else:
            verdicts = examine([load_claims(path) for path in paths or claim_files()], examination)
            write_verdicts(verdicts, writer)
            if certify:
                boards = examination.find_counts(verdicts)
                proofs = refuting.plan_proofs_of_boards(Path(certify), boards)
                write_certificates(Path(certify), proofs, writer.force)
        recount_rows(examination)
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


def examine(files: Sequence[ClaimFile], examination: Examination) -> list[Verdict]:
    """Return the verdicts on all statements; show progress."""
    verdicts: list[Verdict] = []
    total = sum(len(file.statements) for file in files)
    with progress("examining claims") as step:
        for verdict in examination.verdicts(files):
            verdicts.append(verdict)
            step(len(verdicts), total, verdict.statement.id)
    return verdicts


def write_findings(
    puzzle: Puzzle, drawings: Sequence[Drawing], examination: Examination, writer: Writer
) -> int:
    """Write what is wrong with drawings, and what is missing; return the exit code."""
    with progress("examining drawings"):
        findings = examination.check_drawings(puzzle, drawings)
    if writer.style == "text":
        writer.write(summarise(puzzle, drawings, findings))
    else:
        records = (finding.as_fields(puzzle) for finding in findings)
        writer.write_records(records, ["line", *puzzle.categories, "fault"])
    recount_rows(examination)
    return Disagreement.exit_code if any(finding.line for finding in findings) else 0


def judge_table(
    path: Path, text: str, puzzle: Puzzle, examination: Examination, writer: Writer
) -> Verdict:
    """Judge a published table, and write its wrong rows."""
    readings = parse_readings(text, path, puzzle)
    with progress("examining claims"):
        reading, verdict = examination.judge_table(path, readings, puzzle)
    warn(f"{path}: read as {reading.description}")
    wrong, count = verdict.wrong_rows(), len(reading.counts)
    if 2 * len(wrong) > count and (other := find_likely_board(puzzle, reading.counts)):
        warn(
            f"{len(wrong):,} of {count:,} rows are wrong, but many are right for {other}; if that "
            f"is the board, add -b {other}"
        )
    if writer.style == "text":
        writer.write(f"{puzzle.name}: {verdict.truth_in_words or verdict.reason}\n")
    else:
        records = (row.as_fields(puzzle) for row in wrong)
        writer.write_records(records, [*puzzle.categories, "claimed", "true"])
    return verdict


def write_refutations(folder: Path, table: str, verdict: Verdict, force: bool) -> None:
    """Write certificates, a CSV file and a text for the author about the wrong rows of a table."""
    puzzle, wrong = verdict.statement.puzzle, verdict.wrong_rows()
    if not wrong:
        info(f"no row is wrong: nothing to write to {folder}")
        return
    proofs = refuting.plan_proofs_of_rows(folder, puzzle, wrong)
    texts = [folder / refuting.ROWS, folder / refuting.TEXT]
    write_certificates(folder, proofs, force, texts)
    number_of_rows = len(verdict.statement.over.items)  # a table is a statement over its reveals
    refuting.write_texts(folder, table, puzzle, wrong, number_of_rows)


def write_certificates(
    folder: Path, proofs: refuting.Proofs, force: bool, texts: Sequence[Path] = ()
) -> None:
    """Write certificates into a folder, for which ``texts`` follow."""
    for path in (*proofs, *texts) if folder.exists() else ():
        check_output(path, force)
    make_folder(folder)
    with progress("certificates") as step:
        for number, path in enumerate(refuting.write_proofs(proofs), start=1):
            step(number, len(proofs), path.name)
    names = [count_of(len(proofs), "certificate"), *(path.name for path in texts)]
    info(f"{folder}: {', '.join(names)}")


def recount_rows(examination: Examination) -> None:
    """Recount rows of the shipped tables that the verdicts used, and print how many."""
    if rows := [f"{n:,} of {board} by {method}" for board, method, n in examination.recount() if n]:
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
