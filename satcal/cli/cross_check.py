"""``satcal cross-check``: external programs on our exports, and what they say compared."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.options import Selection, format_option, memory_option, quiet_option, selecting
from satcal.cli.progress import progress
from satcal.draw.tables import aligned, count_of
from satcal.errors import OptionError
from satcal.records import STYLES as RECORDS
from satcal.records import written

if TYPE_CHECKING:
    from satcal.evidence.external.programs import Checked
    from satcal.evidence.external.questions import Question

STYLES = ("table", *RECORDS)
COLUMNS = ("board", "reveal", "formula", "tilings", "program", "outcome", "said")


@click.command()
@selecting
@click.option(
    "--with", "names", default="all", show_default=True, metavar="clasp,cadical,...|all",
    help="Which programs; a missing one that is named is an error.",
)  # fmt: skip
@click.option("--encoding", help="Of the clauses.  [default: ladder]")
@click.option(
    "--golden", metavar="FOLDER", help="The golden files of a folder, instead of a range."
)
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
    metavar="SECONDS", help="Of one program on one date.",
)  # fmt: skip
@memory_option("Of one program.", "8G")
@click.option(
    "--tolerance", type=click.FloatRange(min=0, min_open=True), default=0.8, show_default=True,
    help="An approximate count may be wrong by a factor of 1 + this.",
)  # fmt: skip
@format_option(STYLES, None, "[default: table on a terminal, csv elsewhere]")
@quiet_option
def cross_check(
    selection: Selection, names: str, encoding: str | None, golden: str | None, timeout: float,
    memory_limit: int, tolerance: float, style: str | None, quiet: bool,
) -> int:  # fmt: skip
    """Let external programs count, and compare with the diagram.

    A difference is exit 1; what took too long, or failed, is exit 3. docs/external.md says
    what each program is asked.
    """
    from satcal.evidence.external import programs
    from satcal.evidence.external.solvers import Limits

    chosen = programs.chosen(names)
    asked = _questions(selection, encoding, golden)
    limits = Limits(timeout, memory_limit, tolerance=tolerance)
    rows: list[Checked] = []
    interrupted = False
    with progress("asking programs", len(asked) * len(chosen), quiet) as advance:
        try:
            for row in programs.cross_check(asked, chosen, limits):
                rows.append(row)
                advance(str(row))
        except KeyboardInterrupt:
            interrupted = True
    style = style or ("table" if sys.stdout.isatty() else "csv")
    click.echo(render(rows, style), nl=False)
    code = _sum_up(rows, len(asked) * len(chosen), interrupted, quiet)
    return code or (3 if interrupted else 0)


def _questions(
    selection: Selection, encoding: str | None, golden: str | None
) -> Sequence[Question]:
    from satcal.encoding import encoding as encoding_named
    from satcal.encoding.export import DEFAULT_ENCODING
    from satcal.evidence.external.questions import golden_questions, questions

    if golden is not None:
        given = [*selection.wanted.given(), *(["--encoding"] if encoding else [])]
        if given:
            raise OptionError(
                f"golden files say what they are about, so {given[0]} means nothing; drop one of "
                "them"
            )
        return list(golden_questions(Path(golden)))
    name = encoding_named(encoding or DEFAULT_ENCODING).name
    reveals = [row.reveal for row in selection.rows]
    return list(questions(selection.puzzle, reveals, selection.demands, name))


def _sum_up(rows: Sequence[Checked], asked: int, interrupted: bool, quiet: bool) -> int:
    """Say what came of it, and return the exit code.

    Raises:
        OptionError: none of the programs can be asked any of this.
    """
    from satcal.evidence.external.programs import Outcome

    for row in rows:
        if row.outcome in (Outcome.DISAGREES, Outcome.FAILED):
            fields = row.as_fields()
            where = " ".join(str(fields[name]) for name in ("board", "reveal") if fields[name])
            click.echo(
                f"{row.outcome.name} {where}, {row.program.name}: {row.answer} "
                f"(satcal: {row.question.tilings:,})", err=True,
            )  # fmt: skip
    outcomes = Counter(row.outcome for row in rows)
    if rows and len(rows) == outcomes[Outcome.UNSUITABLE]:
        raise OptionError(f"nothing was compared: {rows[0].program.name}: {rows[0].answer}")
    if not quiet:
        numbers = (f"{outcomes[each]} {each.value}" for each in Outcome if outcomes[each])
        summary = ", ".join(numbers) or "none"
        click.echo(f"{len(rows):,} of {count_of(asked, 'answer')}: {summary}", err=True)
    if interrupted:
        click.echo("stopped by Ctrl-C", err=True)
    if outcomes[Outcome.DISAGREES]:
        return 1
    return 3 if outcomes[Outcome.STOPPED] or outcomes[Outcome.FAILED] else 0


def render(rows: Sequence[Checked], style: str) -> str:
    """Return the comparisons as a table, CSV, JSON or lines of JSON."""
    records = [row.as_fields() for row in rows]
    if style != "table":
        return written(records, COLUMNS, style)
    return aligned(COLUMNS, ([str(value) for value in each.values()] for each in records))
