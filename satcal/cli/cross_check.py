"""``satcal cross-check``: external programs count what satcal exports, and are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import cloup

from satcal.cli.output import Writer, writing
from satcal.cli.progress import info, progress, warn
from satcal.cli.words import placing, select, selecting
from satcal.encoding import encoding as encoding_named
from satcal.encoding.export import DEFAULT_ENCODING
from satcal.errors import Disagreement, OptionError, Stopped
from satcal.external.programs import Compared, parse_programs
from satcal.external.programs import cross_check as compare
from satcal.external.questions import Question, golden_questions, questions
from satcal.external.solvers import Bounds
from satcal.processes import interruptible
from satcal.tabular import FORMATS

FIELDS = ("board", "reveal", "formula", "tilings", "program", "outcome", "said")
GIB = 2**30


@cloup.command()
@selecting
@cloup.option_group(
    "Comparison",
    cloup.option(
        "--with",
        "programs",
        multiple=True,
        default=["all"],
        metavar="NAME,...|'SOLVER {}'",
        help="clasp, cadical, d4, ... or all that are installed; or a command that prints the s "
        "and v lines of the SAT competition, in which {} is the formula's file.",
    ),
    placing,
    cloup.option("--encoding", default=DEFAULT_ENCODING, help="Of the formulas in DIMACS."),
    cloup.option("--golden", metavar="FOLDER", help="Ask about its golden files, not dates."),
    cloup.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        default=60.0,
        metavar="SECONDS",
        help="For each program on each date.",
    ),
    cloup.option(
        "--memory-limit",
        type=click.FloatRange(0, min_open=True),
        default=8.0,
        metavar="GIB",
        help="For each program.",
    ),
)
@writing(*FORMATS)
def cross_check(
    words: Sequence[str],
    programs: Sequence[str],
    encoding: str,
    golden: str | None,
    time_limit: float,
    memory_limit: float,
    writer: Writer,
    **options: Any,
) -> int:
    """Let external programs count, and compare.

    Exit code 1: a program disagrees; 3: one failed or took too long.
    """
    chosen = parse_programs(programs)
    asked = golden_or_dates(words, golden, encoding, options)
    limits = Bounds(time_limit, memory=int(memory_limit * GIB))
    rows: list[Compared] = []
    with writer:
        try:
            with interruptible(), progress("asking programs") as step:
                for row in compare(asked, chosen, limits):
                    rows.append(row)
                    step(len(rows), len(asked) * len(chosen), f"{row.program.name} {row.outcome}")
        except KeyboardInterrupt:
            writer.stop()
        writer.records([row.as_fields() for row in rows], FIELDS)
    return conclude(rows, len(asked) * len(chosen))


def golden_or_dates(
    words: Sequence[str], golden: str | None, encoding: str, options: dict[str, Any]
) -> list[Question]:
    """Return the questions of a folder of golden files, or of a selection."""
    if golden is not None:
        if words or any(options.values()) or encoding != DEFAULT_ENCODING:
            raise OptionError("--golden says board, date and encoding itself; leave them out")
        return list(golden_questions(Path(golden)))
    encoding_named(encoding)
    selection = select(words, **options)
    return list(questions(selection.puzzle, selection.reveals, selection.place, encoding))


def conclude(rows: Sequence[Compared], total: int) -> int:
    """Say what differed or failed, and what the others say; return the exit code.

    Raises:
        OptionError: no program can be asked.
    """
    for row in rows:
        if row.outcome in ("disagrees", "failed"):
            cover = row.question.cover
            labels = () if cover.reveal is None else cover.reveal
            about = " ".join([cover.puzzle.name, *labels])
            warn(
                f"{row.outcome.upper()} {about}, {row.program.name}: {row.said} "
                f"(satcal: {row.question.tilings:,})"
            )
    if rows and all(row.outcome == "unsuitable" for row in rows):
        raise OptionError(f"nothing was compared: {rows[0].program.name}: {rows[0].said}")
    outcomes = Counter(row.outcome for row in rows)
    info("compared: " + ", ".join(f"{outcome} {number}" for outcome, number in outcomes.items()))
    if len(rows) < total:
        warn(f"stopped, {len(rows)} of {total} compared")
    if outcomes["disagrees"]:
        return Disagreement.exit_code
    unanswered = outcomes["stopped"] + outcomes["failed"] + total - len(rows)
    return Stopped.exit_code if unanswered else 0
