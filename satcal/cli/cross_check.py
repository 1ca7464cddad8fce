"""``satcal cross-check``: compare satcal's counts with those of external programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from satcal.cli.options import (
    SECONDS,
    Command,
    add_section,
    add_selection,
    encoding_option,
    memory_option,
    place_option,
)
from satcal.cli.output import Writer, add_output, info, progress, warn
from satcal.cli.words import select
from satcal.encoding import split_names
from satcal.encoding.export import DEFAULT_ENCODING
from satcal.errors import Disagreement, Missing, OptionError, Stopped
from satcal.external.programs import GET_FROM_PYPI, Comparison, compare_programs, parse_programs
from satcal.external.questions import build_questions
from satcal.external.solvers import Budget
from satcal.processes import interruptible
from satcal.tabular import FORMATS

FIELDS = ("board", "reveal", "formula", "tilings", "program", "outcome", "answer")


@click.command(cls=Command)
@add_selection
@add_section(
    "Comparison",
    click.option(
        "--with",
        "names",
        multiple=True,
        default=["all"],
        metavar="NAME,...|'SOLVER {}'",
        help="clasp, cadical, d4, ... (default: all that are installed), or a command.",
        show_default=False,
    ),
    place_option,
    encoding_option,
    click.option("--time-limit", type=SECONDS, default=60.0, help="For each program and date."),
    memory_option(8, "For each program."),
)
@add_output(*FORMATS)
def cross_check(
    words: Sequence[str],
    names: Sequence[str],
    encodings: Sequence[str],
    time_limit: float,
    memory_limit: int,
    writer: Writer,
    **options: Any,
) -> int:
    """Let external programs count, and compare.

    A command given to --with gets the formula's file for {}, and prints the s and v lines of the
    SAT competition, or the "c s exact arb int" of the model counting competition.
    Exit code 1: a program disagrees; 3: one failed or took too long.
    """
    programs = parse_programs(names)
    encoding_names = split_names(encodings, DEFAULT_ENCODING)
    selection = select(words, **options)
    arguments = (selection.puzzle, selection.reveals, selection.place)
    questions = [each for name in encoding_names for each in build_questions(*arguments, name)]
    limits = Budget(time_limit, memory=memory_limit)
    rows: list[Comparison] = []
    total = len(questions) * len(programs)
    with writer:
        try:
            with interruptible(), progress("running programs") as step:
                for row in compare_programs(questions, programs, limits):
                    rows.append(row)
                    step(len(rows), total, f"{row.program.name} {row.outcome}")
        except KeyboardInterrupt:
            writer.mark_partial()
        writer.write_records([row.as_fields() for row in rows], FIELDS)
    return conclude(rows, total)


def conclude(rows: Sequence[Comparison], total: int) -> int:
    """Print disagreements, failures and a summary; return the exit code.

    Raises:
        Missing: no program is installed.
        OptionError: no program is suitable.
    """
    for row in rows:
        if row.outcome in ("disagrees", "failed"):
            fields = row.as_fields()
            title = f"{fields['board']} {fields['reveal']}, {fields['program']}"
            warn(f"{row.outcome.upper()} {title}: {row.answer} (satcal: {fields['tilings']:,})")
    if rows and all(row.outcome == "missing" for row in rows):
        raise Missing(
            f"no program is installed; run apt-get install clasp cadical, or {GET_FROM_PYPI}"
        )
    if rows and all(row.outcome == "unsuitable" for row in rows):
        raise OptionError(f"nothing was compared: {rows[0].program.name}: {rows[0].answer}")
    outcomes = Counter(row.outcome for row in rows)
    info("compared: " + ", ".join(f"{outcome} {number}" for outcome, number in outcomes.items()))
    if len(rows) < total:
        warn(f"stopped, {len(rows)} of {total} compared")
    if outcomes["disagrees"]:
        return Disagreement.exit_code
    missing = outcomes["stopped"] + outcomes["failed"] + total - len(rows)
    return Stopped.exit_code if missing else 0
