"""``satcal claims``: what others have published, confirmed or refuted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note, progress, say
from satcal.counting.settings import METHODS
from satcal.draw.tables import tabulated
from satcal.errors import BudgetExhausted
from satcal.evidence.claims.examination import Examination
from satcal.evidence.claims.reading import load_claims, published
from satcal.evidence.claims.verdicts import Verdict

MARKS = {"confirmed": "+", "refuted": "-", "settled": "=", "undecided": "?"}
HEADS = {
    "refuted": ("published", "by", "true", "off by", "shown by"),
    "settled": ("published", "by", "the fact", "why it is not judged", "shown by"),
    "undecided": ("published", "by", "why", "see"),
    "confirmed": ("published", "by"),
}
"""The tables of the format markdown, and their columns."""


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.method_option()
@click.option(
    "--recount", type=options.some, default="1", metavar="N|all",
    help="Rows of each table of results/counts to count again, by sat where the method is "
    "diagram, which counts all of them; all lifts every bound.",
)  # fmt: skip
@options.jobs_option
@click.option("--strict", is_flag=True, help="Exit 1 if a claim is refuted.")
@options.tabular("text")
def claims(
    files: tuple[str, ...], method: str | None, recount: int, jobs: int | None, strict: bool,
    style: str,
) -> int:  # fmt: skip
    """Check published statements: confirmed, refuted, settled, or undecided and why.

    Without FILE, all that come with satcal; results/published/README.md says how to write one.
    The method counts what no table holds. What its
    author leaves open or hedges is settled by the fact. A refuted claim is a finding, not a
    failure; satcal's own tables contradicting a fresh count is exit 1.
    """
    rows = None if recount == options.MOST else recount
    loaded = [load_claims(path) for path in list(map(Path, files)) or published()]
    examination = Examination(method or METHODS[0], recounts=rows, jobs=jobs)
    verdicts: list[Verdict] = []
    total = sum(len(file.statements) for file in loaded)
    with progress("examining claims", total) as advance:
        for verdict in examination.verdicts(loaded):
            verdicts.append(verdict)
            advance(verdict.statement.id)
    click.echo(render(verdicts, style), nl=False)
    again: defaultdict[str, Counter[str]] = defaultdict(Counter)
    stopped = ""
    try:
        for row in examination.recounted():
            again[row.method][row.board] += 1
    except BudgetExhausted as stop:
        stopped = str(stop)
    numbers = Counter(verdict.judgement.value for verdict in verdicts)
    for name, boards in again.items():
        counted = ", ".join(f"{count:,} of {board}" for board, count in boards.items())
        note(f"rows counted again by {name}, equal to satcal's tables: {counted}")
    if stopped:
        say(f"not all rows were counted again: {stopped}")
    note(f"{total} statements: " + ", ".join(f"{numbers[name]} {name}" for name in MARKS))
    return 3 if stopped else int(strict and numbers["refuted"] > 0)


def render(verdicts: Sequence[Verdict], style: str) -> str:
    """Return verdicts as text or a table; in Markdown a table for each judgement."""
    if style == "markdown":
        return "\n".join(_table(name, verdicts) for name in HEADS)
    records = [verdict.as_fields() for verdict in verdicts]
    if style == "text":
        return "".join(map(_text, records))
    return tabulated(records, list(records[0]) if records else [], style)


def _text(record: dict[str, str]) -> str:
    """Return statement, source, truth, reason, and what shows it, as far as known."""
    verdict, files = record["verdict"], _files(record)
    truth = {"refuted": f"claimed {record['claimed']}; true is ", "settled": "the fact: "}
    lines = [
        f"{MARKS[verdict]} {record['id']:<4} {verdict}: {record['statement']}",
        f"{record['source']} ({record['board']})",
        truth[verdict] + _truth(record) if verdict in truth else "",
        record["reason"],
        f"shown by {', '.join(f'results/{file}' for file in files)}" if files else "",
    ]
    return "\n       ".join(filter(None, lines)) + "\n"


def _truth(record: dict[str, str]) -> str:
    """Return what is true, and the reveal that decides."""
    example = record["example"]
    return record["truth"] + (f" ({example})" if example not in record["truth"] else "")


def _files(record: dict[str, str]) -> list[str]:
    """Return the files that show the truth, as seen from ``results``."""
    return [*filter(None, [record["certificate"]]), *record["see"].split()]


def _table(name: str, verdicts: Iterable[Verdict]) -> str:
    """Return the table of a judgement, with links from ``results/README.md``."""
    those = [verdict for verdict in verdicts if verdict.judgement.value == name]
    rows = []
    for verdict in those:
        record = verdict.as_fields()
        shown = ", ".join(f"[{Path(file).name}]({file})" for file in _files(record))
        rows.append({
            "": record["id"], "published": f"{record['board']}: {record['statement']}",
            "by": record["source"], "true": _truth(record), "the fact": _truth(record),
            "off by": verdict.off_by, "why": record["reason"],
            "why it is not judged": record["reason"], "shown by": shown, "see": shown,
        })  # fmt: skip
    table = tabulated(rows, ["", *HEADS[name]], "markdown")
    return f"### {name.capitalize()}: {len(those)}\n\n{table}"
