"""``satcal cross-check``: what external programs say of our exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note, progress, say
from satcal.encoding import encoding as encoding_named
from satcal.encoding.export import DEFAULT_ENCODING
from satcal.errors import OptionError
from satcal.external import programs
from satcal.external.programs import Checked, Ending
from satcal.external.questions import Challenge, golden_questions, questions
from satcal.external.solvers import Bounds
from satcal.tables import count_of

NO_ANSWER = {Ending.STOPPED, Ending.FAILED}
COLUMNS = ("board", "reveal", "formula", "tilings", "program", "outcome", "said")


@options.command()
@options.selecting
@click.option(
    "--with",
    "programs_named",
    multiple=True,
    default=["all"],
    metavar="clasp,cadical,...|all|'SOLVER {}'",
    help="Programs to ask, or a command of your own that prints the s and v lines of the SAT "
    "competition; in it, {} stands for the formula's file. It is an error to name a program that "
    "is not installed. May be repeated.",
)
@options.encoding_option
@click.option(
    "--golden",
    metavar="FOLDER",
    help="Ask about the golden files in this folder instead of about dates.",
)
@click.option(
    "--time-limit",
    type=options.seconds,
    default=60.0,
    metavar="SECONDS",
    help="Time for each program on each date.",
)
@options.memory_option("Memory for each program.", "8G")
@options.tabular()
def cross_check(
    selection: options.Selection,
    programs_named: tuple[str, ...],
    encoding: str | None,
    golden: str | None,
    time_limit: float,
    memory_limit: int,
    style: str,
) -> int:
    """Let external programs count, and compare with the diagram.

    The exit code is 1 if a program disagrees, and 3 if one failed or took too long. `satcal
    manual programs` says what each program is asked.
    """
    chosen = programs.chosen(programs_named)
    asked = _questions(selection, encoding, golden)
    limits = Bounds(time_limit, memory_limit)
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
        if row.outcome in (Ending.DISAGREES, Ending.FAILED):
            where = " ".join(str(record[name]) for name in ("board", "reveal") if record[name])
            said = f"{row.answer} (satcal: {row.question.tilings:,})"
            say(f"{row.outcome.name} {where}, {row.program.name}: {said}")
    outcomes = Counter(row.outcome for row in rows)
    if rows and len(rows) == outcomes[Ending.UNSUITABLE]:
        raise OptionError(f"nothing was compared: {rows[0].program.name}: {rows[0].answer}")
    note(_in_a_sentence(rows))
    if interrupted:
        say("stopped by Ctrl-C")
    if outcomes[Ending.DISAGREES]:
        return 1
    return 3 if interrupted or outcomes[Ending.STOPPED] or outcomes[Ending.FAILED] else 0


def _in_a_sentence(rows: Sequence[Checked]) -> str:
    """How many programs agree on all that they were asked, and what became of the others."""
    said: dict[str, set[Ending]] = {}
    for row in rows:
        said.setdefault(row.program.name, set()).add(row.outcome)
    there = [endings for endings in said.values() if Ending.MISSING not in endings]
    compared = [endings for endings in there if endings != {Ending.UNSUITABLE}]
    agree = sum(endings <= {Ending.AGREES, Ending.UNSUITABLE} for endings in compared)
    asked = count_of(len(there), "program")
    one = len(there) == 1
    parts = [f"{agree} of {asked} {'agrees' if one else 'that are installed agree'}"]
    for number, of_one, of_many in (
        (len(there) - len(compared), "cannot be asked this", "cannot be asked this"),
        (sum(Ending.DISAGREES in endings for endings in there), "DISAGREES", "DISAGREE"),
        (
            sum(not endings.isdisjoint(NO_ANSWER) for endings in there),
            "gave no answer",
            "gave no answer",
        ),
        (len(said) - len(there), "is not installed", "are not installed"),
    ):
        if number:
            parts.append(f"{number} {of_one if number == 1 else of_many}")
    return "; ".join(parts)


def _questions(
    selection: options.Selection, encoding: str | None, golden: str | None
) -> list[Challenge]:
    if golden is None:
        name = encoding_named(encoding or DEFAULT_ENCODING).name
        reveals = [row.reveal for row in selection.rows]
        return list(questions(selection.puzzle, reveals, selection.demands, name))
    reason = "cannot be combined with --golden; drop one"
    options.refuse(reason, "board", "pieces", "flip", *options.DATES, "place", "encoding")
    return list(golden_questions(Path(golden)))
