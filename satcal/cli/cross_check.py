"""``satcal cross-check``: what external programs say of our exports."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note, progress, say
from satcal.draw.tables import count_of
from satcal.encoding import encoding as encoding_named
from satcal.encoding.export import DEFAULT_ENCODING
from satcal.errors import OptionError
from satcal.evidence.external import programs
from satcal.evidence.external.programs import Checked, Outcome
from satcal.evidence.external.questions import Question, golden_questions, questions
from satcal.evidence.external.solvers import Limits

COLUMNS = ("board", "reveal", "formula", "tilings", "program", "outcome", "said")


@click.command()
@options.selecting
@click.option(
    "--with", "names", default="all", metavar="clasp,cadical,...|all",
    help="Which programs; a missing one that is named is an error.",
)  # fmt: skip
@options.encoding_option
@click.option(
    "--golden", metavar="FOLDER", help="The golden files of a folder, instead of a range."
)
@click.option(
    "--time-limit", type=options.seconds, default=60.0, metavar="SECONDS",
    help="Budget of one program on one date.",
)  # fmt: skip
@options.memory_option("Of one program.", "8G")
@click.option(
    "--tolerance", type=options.Amount(min=0, min_open=True), default=0.8,
    help="An approximate count may be wrong by a factor of 1 + this.",
)  # fmt: skip
@options.tabular()
def cross_check(
    selection: options.Selection, names: str, encoding: str | None, golden: str | None,
    time_limit: float, memory_limit: int, tolerance: float, style: str,
) -> int:  # fmt: skip
    """Let external programs count, and compare with the diagram.

    A difference is exit 1; what took too long, or failed, is exit 3. docs/external.md says
    what each program is asked.
    """
    chosen = programs.chosen(names)
    asked = _questions(selection, encoding, golden)
    limits = Limits(time_limit, memory_limit, tolerance=tolerance)
    total = len(asked) * len(chosen)
    rows: list[Checked] = []
    interrupted = False
    with progress("asking programs", total) as advance:
        try:
            for row in programs.cross_check(asked, chosen, limits):
                rows.append(row)
                advance(str(row))
        except KeyboardInterrupt:
            interrupted = True
    records = [row.as_fields() for row in rows]
    options.echo(records, COLUMNS, style)
    for row, record in zip(rows, records, strict=True):
        if row.outcome in (Outcome.DISAGREES, Outcome.FAILED):
            where = " ".join(str(record[name]) for name in ("board", "reveal") if record[name])
            said = f"{row.answer} (satcal: {row.question.tilings:,})"
            say(f"{row.outcome.name} {where}, {row.program.name}: {said}")
    outcomes = Counter(row.outcome for row in rows)
    if rows and len(rows) == outcomes[Outcome.UNSUITABLE]:
        raise OptionError(f"nothing was compared: {rows[0].program.name}: {rows[0].answer}")
    numbers = (f"{outcomes[each]} {each.value}" for each in Outcome if outcomes[each])
    summary = ", ".join(numbers) or "none"
    note(f"{len(rows):,} of {count_of(total, 'answer')}: {summary}")
    if interrupted:
        say("stopped by Ctrl-C")
    if outcomes[Outcome.DISAGREES]:
        return 1
    return 3 if interrupted or outcomes[Outcome.STOPPED] or outcomes[Outcome.FAILED] else 0


def _questions(
    selection: options.Selection, encoding: str | None, golden: str | None
) -> list[Question]:
    if golden is None:
        name = encoding_named(encoding or DEFAULT_ENCODING).name
        reveals = [row.reveal for row in selection.rows]
        return list(questions(selection.puzzle, reveals, selection.demands, name))
    reason = "means nothing with --golden: its files say what they are about"
    options.refuse(reason, "board", "pieces", "flip", *options.DATES, "place", "encoding")
    return list(golden_questions(Path(golden)))
