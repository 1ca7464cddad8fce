"""``satcal design``: sets of pieces that solve every date of a board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import click

from satcal.cli.options import Command, add_section, board_argument, board_option
from satcal.cli.output import Writer, add_output, info, progress
from satcal.cli.words import load_board
from satcal.designing.deciding import GOALS, Decision, Requirement, select_reveals
from satcal.designing.exploring import Explorer, explore, sort_best_first
from satcal.designing.space import build_space, parse_sizes, sizes_of
from satcal.draw.board import draw_shape
from satcal.errors import NoTiling, Stopped
from satcal.files import remove_parts
from satcal.processes import LocalProcesses, interruptible
from satcal.puzzle.writing import to_toml
from satcal.tabular import FORMATS

FIELDS = ("pieces", "fewest", "median", "most", "total", "unique", "unevenness", "faces")
REFUTED = "refuted_by"
PUZZLE = "toml"


@click.command(cls=Command)
@board_argument
@add_section(
    "Which sets",
    board_option,
    click.option(
        "--sizes", help="7x5: seven of 5 squares; 4-6: any of 4 to 6. Default: the board's own."
    ),
    click.option("--number", type=click.IntRange(1), help="Pieces, if --sizes leaves it open."),
    click.option("--allow", metavar="F,I,H7", help="The polyominoes to choose from."),
    click.option("--must", metavar="X", help="Polyominoes that every set has."),
    click.option("--list", "list_pieces", is_flag=True, help="Draw the polyominoes; no search."),
)
@add_section(
    "Which are better",
    click.option("--at-least", default=1, type=click.IntRange(0), help="Fewest solutions."),
    click.option("--all-reveals", is_flag=True, help="All combinations of labels, not only dates."),
    click.option(
        "--goal",
        "goals",
        multiple=True,
        type=click.Choice(list(GOALS)),
        default=("few",),
        help="hard (kind): fewest (most) solutions on the hardest date; few (many): fewest (most) "
        "in all; even: similar on all dates; unique: most dates with exactly one; no-flips: none "
        "turned over. Repeat it to break ties.",
    ),
)
@add_section(
    "How to search",
    click.option("--tries", default=50_000, type=click.IntRange(1), help="Most sets to decide."),
    click.option("--seed", default=0, help="Seed of the random search."),
    click.option("-j", "--jobs", type=click.IntRange(1), help="Processes; default: one per core."),
)
@add_section(
    "What to show",
    click.option("--limit", default=10, type=click.IntRange(0), help="Most sets to show."),
    click.option("--all", "show_all", is_flag=True, help="Show every set, also the refuted ones."),
)
@add_output(*FORMATS, PUZZLE)
def design(
    words: Sequence[str],
    board: str | None,
    sizes: str | None,
    number: int | None,
    allow: str | None,
    must: str | None,
    list_pieces: bool,
    at_least: int,
    all_reveals: bool,
    goals: Sequence[str],
    tries: int,
    seed: int,
    jobs: int | None,
    limit: int,
    show_all: bool,
    writer: Writer,
) -> None:
    """Search for sets of pieces that solve every date of a board.

    Each set is decided by its counts, or by a date that refutes it. If there are at most --tries
    sets, all are decided; else hill climbing tries that many. The 27,720 sets of seven pentominoes
    and a hexomino take minutes. With -o FILE, a run that was stopped continues, when it is
    repeated, with FILE.part. -o FILE.toml writes the best set as a puzzle:

    \b
    satcal design --goal few -o hard.toml
    """  # noqa: D301 - click reads the backspace
    puzzle = load_board(words, board)
    allowed, needed = (re.findall(r"[^,\s]+", text or "") for text in (allow, must))
    pairs = parse_sizes(sizes) if sizes else sizes_of(puzzle)
    space = build_space(puzzle, pairs, number, allowed, needed)
    if list_pieces:
        for name, piece in space.pool.items():
            click.echo("\n".join([f"{name}:", *draw_shape(piece.shape), ""]))
        return
    requirement = Requirement(
        space, select_reveals(puzzle, all_reveals), at_least, "no-flips" in goals
    )
    try_all = len(space) <= tries
    total = len(space) if try_all else tries
    folder = writer.path.with_name(f"{writer.path.name}.part") if writer.path else None
    with LocalProcesses(jobs) as workers, interruptible(), progress("deciding sets") as step:
        explorer = Explorer(
            requirement, workers, lambda number: step(number, total, "sets"), folder
        )
        try:
            explore(explorer, goals, tries, seed)
            if folder:
                remove_parts(folder)
        except KeyboardInterrupt:
            writer.mark_partial()
    decisions = list(explorer.decisions.values())
    suitable = list(sort_best_first(decisions, requirement, goals))
    refuted = [decision for decision in decisions if decision.refuted_by is not None]
    with writer:
        if writer.style != PUZZLE:
            rows = [*suitable, *refuted] if show_all else suitable[:limit]
            fields = (FIELDS[0], REFUTED, *FIELDS[1:]) if show_all else FIELDS
            writer.write_records((to_record(decision, fields) for decision in rows), fields)
        elif suitable:
            writer.write(
                to_toml(
                    space.puzzle(suitable[0].pieces, writer.path.stem if writer.path else "best")
                )
            )
    is_all = try_all and writer.is_complete
    scope = f"all {total:,}" if is_all else f"{len(decisions):,} of {len(space):,} possible"
    info(
        f"{scope} sets tried: {len(suitable):,} have at least {at_least:,} on each of "
        f"{len(requirement.reveals):,} reveals"
    )
    if not writer.is_complete:
        raise Stopped("stopped before all sets were tried")
    if not suitable:
        raise NoTiling("none of the tried sets has enough solutions on every date")


def to_record(decision: Decision, fields: Sequence[str]) -> dict[str, Any]:
    """Return the row of a set; it is refuted by ``board`` if the board has no labels.

    ``faces`` names the pieces to turn over once and for all, so that no date needs a flip. It is
    "as named" if all pieces stay as they are drawn, and empty if some date needs a flip or if the
    set was not examined for flips.
    """
    flips = "" if decision.flips is None else " ".join(decision.flips) or "as named"
    reveal = "" if decision.refuted_by is None else " ".join(decision.refuted_by) or "board"
    names = {"pieces": " ".join(decision.pieces), REFUTED: reveal, "faces": flips}
    record = names | decision.figures
    return {field: record.get(field, "") for field in fields}
