"""``satcal claims``: what others have published, confirmed or refuted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.options import format_option, jobs_option, quiet_option
from satcal.cli.progress import progress
from satcal.counting.settings import METHODS
from satcal.errors import BudgetExhausted, OptionError
from satcal.records import STYLES as RECORDS
from satcal.records import written

if TYPE_CHECKING:
    from satcal.evidence.claims.examination import Examination
    from satcal.evidence.claims.verdicts import Verdict

STYLES = ("text", *RECORDS, "markdown")
MARKS = {"confirmed": "+", "refuted": "-", "settled": "=", "undecided": "?"}


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--method", default=METHODS[0], show_default=True, type=click.Choice(METHODS),
    help="Counts what no table holds, and the rows counted again.",
)  # fmt: skip
@click.option(
    "--recount", default="1", show_default=True, metavar="N|all",
    help="Rows of each table of results/counts to count again, by sat where the method is "
    "diagram, which counts all of them; all lifts every bound.",
)  # fmt: skip
@jobs_option
@format_option(STYLES, "text", "Of the verdicts.")
@click.option("--strict", is_flag=True, help="Exit 1 if a claim is refuted.")
@quiet_option
def claims(
    files: tuple[str, ...], method: str, recount: str, jobs: int | None, style: str,
    strict: bool, quiet: bool,
) -> int:  # fmt: skip
    """Check published statements: confirmed, refuted, settled, or undecided and why.

    Without FILE, all that come with satcal. What its author leaves open or hedges is settled by
    the fact. A refuted claim is a finding, not a failure; satcal's own tables contradicting a
    fresh count is exit 1.
    """
    from satcal.evidence.claims.examination import Examination
    from satcal.evidence.claims.reading import load_claims, published

    if recount != "all" and not recount.isdecimal():
        raise OptionError(f"--recount '{recount}': use a number of rows, or all")
    rows = None if recount == "all" else int(recount)
    loaded = [load_claims(path) for path in list(map(Path, files)) or published()]
    examination = Examination(method, recounts=rows, jobs=jobs)
    verdicts: list[Verdict] = []
    total = sum(len(file.statements) for file in loaded)
    with progress("examining claims", total, quiet) as advance:
        for verdict in examination.verdicts(loaded):
            verdicts.append(verdict)
            advance(verdict.statement.id)
    click.echo(render(verdicts, style), nl=False)
    unfinished = _recount(examination, quiet)
    numbers = Counter(verdict.judgement.value for verdict in verdicts)
    if not quiet:
        summary = ", ".join(f"{numbers[name]} {name}" for name in MARKS)
        click.echo(f"{total} statements: {summary}", err=True)
    return 3 if unfinished else int(strict and numbers["refuted"] > 0)


def _recount(examination: Examination, quiet: bool) -> bool:
    """Count rows of the used tables again; return whether a budget ended that.

    Raises:
        Disagreement: a table of satcal's own is wrong.
    """
    again: dict[str, Counter[str]] = {}
    stopped = ""
    try:
        for row in examination.recounted():
            again.setdefault(row.method, Counter())[row.board] += 1
    except BudgetExhausted as stop:
        stopped = str(stop)
    for method, boards in again.items() if not quiet else ():
        rows = ", ".join(f"{count:,} of {board}" for board, count in boards.items())
        click.echo(f"rows counted again by {method}, equal to satcal's tables: {rows}", err=True)
    if stopped:
        click.echo(f"not all rows were counted again: {stopped}", err=True)
    return bool(stopped)


def render(verdicts: Iterable[Verdict], style: str) -> str:
    """Return verdicts as text, CSV, JSON, lines of JSON, or tables in Markdown."""
    if style == "markdown":
        return _markdown(list(verdicts))
    records = [verdict.as_fields() for verdict in verdicts]
    if style == "text":
        return "".join(map(_lines, records))
    return written(records, list(records[0]) if records else [], style)


def _lines(record: dict[str, str]) -> str:
    """Return a verdict as two to five lines: statement, source, truth, and what shows it."""
    lines = [
        f"{MARKS[record['verdict']]} {record['id']:<4} {record['verdict']}: {record['statement']}",
        f"       {record['source']} ({record['board']})",
    ]
    if record["verdict"] == "refuted":
        lines.append(f"       claimed {record['claimed']}; true is {_truth(record)}")
    if record["verdict"] == "settled":
        lines.append(f"       the fact: {_truth(record)}")
    if record["reason"]:
        lines.append(f"       {record['reason']}")
    if files := _files(record):
        lines.append(f"       shown by {', '.join(f'results/{file}' for file in files)}")
    return "\n".join(lines) + "\n"


def _truth(record: dict[str, str]) -> str:
    """Return what is true, with the reveal that decides unless the text names it."""
    example = record["example"]
    return record["truth"] + (f" ({example})" if example not in record["truth"] else "")


def _files(record: dict[str, str]) -> list[str]:
    """Return the files that show the truth, as seen from ``results``."""
    return [*filter(None, [record["certificate"]]), *record["see"].split()]


_HEADS = {
    "refuted": ("published", "by", "true", "off by", "shown by"),
    "settled": ("published", "by", "the fact", "why it is not judged", "shown by"),
    "undecided": ("published", "by", "why", "see"),
    "confirmed": ("published", "by"),
}


def _markdown(verdicts: Sequence[Verdict]) -> str:
    """Return a table for each judgement, with links as seen from ``results/README.md``."""
    lines = []
    for name, heads in _HEADS.items():
        those = [verdict for verdict in verdicts if verdict.judgement.value == name]
        lines += [f"### {name.capitalize()}: {len(those)}", "", _row(["", *heads])]
        lines += ["|---" * (len(heads) + 1) + "|"]
        for verdict in those:
            record = verdict.as_fields()
            shown = ", ".join(f"[{Path(file).name}]({file})" for file in _files(record))
            cells = {
                "published": f"{record['board']}: {record['statement']}", "by": record["source"],
                "true": _truth(record), "the fact": _truth(record), "off by": verdict.off_by,
                "why": record["reason"], "why it is not judged": record["reason"],
                "shown by": shown, "see": shown,
            }  # fmt: skip
            lines.append(_row([record["id"], *(cells[head] for head in heads)]))
        lines.append("")
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
