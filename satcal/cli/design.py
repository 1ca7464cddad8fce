"""``satcal design``: sets of pieces that solve every date of a board."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import cloup

from satcal.cli.output import Writer, writing
from satcal.cli.progress import info, progress
from satcal.cli.words import board_argument, board_option, select_board
from satcal.counting.run import ended_at_once
from satcal.designing.deciding import GOALS, Decision, Requirement, reveals_of
from satcal.designing.exploring import Explorer, Log, best_first, climb, exhaust
from satcal.designing.space import PieceSet, parse_sizes, set_of, space
from satcal.draw.board import draw_shape
from satcal.errors import NoTiling
from satcal.files import check_output, write_bytes
from satcal.processes import LocalProcesses, cores, interruptible
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.writing import to_toml

FIELDS = ("pieces", "fewest", "median", "most", "total", "unique", "unevenness", "faces")
REFUTED = "refuted_by"


@cloup.command()
@board_argument
@cloup.option_group(
    "Which sets",
    board_option,
    cloup.option(
        "--sizes",
        default="7x5,1x6",
        metavar="7x5,1x6|4-6",
        help="Seven pieces of five squares and one of six; or any number of four to six squares.",
    ),
    cloup.option("--number", type=click.IntRange(1), help="Of pieces, if --sizes leaves it open."),
    cloup.option("--allow", default="", metavar="F,I,H7", help="The polyominoes to choose from."),
    cloup.option("--must", default="", metavar="X", help="Polyominoes of every set."),
    cloup.option("--must-not", default="", metavar="I", help="Polyominoes of no set."),
    cloup.option("--copies", default=1, type=click.IntRange(1, 50), help="Most of one piece."),
    cloup.option("--list", "listing", is_flag=True, help="Draw the polyominoes; no search."),
)
@cloup.option_group(
    "Which are better",
    cloup.option("--at-least", default=1, type=click.IntRange(0), help="Solutions of each date."),
    cloup.option("--all-reveals", is_flag=True, help="Ask for all labels, also those of no date."),
    cloup.option(
        "--goal",
        "goals",
        multiple=True,
        type=click.Choice(list(GOALS)),
        default=("few",),
        help="hard, kind: fewest, most solutions on the hardest date; few, many: in all; even: "
        "alike on all dates; unique: most dates with exactly one; no-flips: none turned over. "
        "Repeat it to break ties.",
    ),
    cloup.option("--compare", multiple=True, metavar="BOARD", help="Rank its pieces as well."),
)
@cloup.option_group(
    "How to search",
    cloup.option(
        "--tries",
        default=50_000,
        type=click.IntRange(1),
        help="Up to this number of sets all are decided; otherwise a climb tries this number.",
    ),
    cloup.option("--seed", default=0, help="Of the climb."),
    cloup.option("-j", "--jobs", type=click.IntRange(1), help="Processes; default: one per core."),
    cloup.option("--log", metavar="FILE", help="Keep what is decided; a later run continues."),
)
@cloup.option_group(
    "More results",
    cloup.option("--best", metavar="FILE.toml", help="Write the best set as a puzzle."),
    cloup.option("--certify", metavar="FOLDER", help="Prove that refuted sets have too few."),
    cloup.option("--limit", default=10, type=click.IntRange(0), help="Sets to show."),
    cloup.option("--all", "show_all", is_flag=True, help="Show every set, also the refuted ones."),
)
@writing("table", "csv", "json", "ndjson", "markdown", also=["certify", "best"])
def design(
    words: Sequence[str],
    board: str | None,
    sizes: str,
    number: int | None,
    allow: str,
    must: str,
    must_not: str,
    copies: int,
    listing: bool,
    at_least: int,
    all_reveals: bool,
    goals: Sequence[str],
    compare: Sequence[str],
    tries: int,
    seed: int,
    jobs: int | None,
    log: str | None,
    best: str | None,
    certify: str | None,
    limit: int,
    show_all: bool,
    writer: Writer,
) -> None:
    """Search for sets of pieces that solve every date of a board.

    Each set is decided by its counts, or by a date that refutes it. The 27,720 sets of seven
    pentominoes and a hexomino take minutes:

    \b
    satcal design --goal few --best hard.toml
    """  # noqa: D301 - click reads the backspace
    if best:
        check_output(Path(best), writer.force)
    puzzle = select_board(words, board)
    allowed, needed, banned = (split_names(text) for text in (allow, must, must_not))
    wanted = space(puzzle, parse_sizes(sizes), number, allowed, needed, banned, copies)
    if listing:
        for name, piece in wanted.pool.items():
            click.echo("\n".join([f"{name}:", *draw_shape(piece.shape), ""]))
        return
    others = {name: set_of(wanted, load(name)) for name in compare}
    question = Requirement(wanted, reveals_of(puzzle, all_reveals), at_least, "no-flips" in goals)
    exhaustive = len(wanted) <= tries
    climbing = None if exhaustive else (goals, tries, seed)
    with (
        ended_at_once(LocalProcesses(jobs or cores())) as workers,
        closing(Log(Path(log) if log else None, fingerprint(puzzle, question, exhaustive))) as kept,
        interruptible(),
    ):
        verdicts = decide_sets(question, workers, kept, climbing)
        stand = list(best_first(verdicts.values(), question, goals))
        if certify:
            write_refutations(Path(certify), question, verdicts.values(), workers, writer.force)
    shown: list[Decision] = stand[:limit]
    fields: Sequence[str] = FIELDS
    if show_all:
        refuted = [verdict for verdict in verdicts.values() if verdict.refuted_by is not None]
        shown, fields = [*stand, *refuted], (FIELDS[0], REFUTED, *FIELDS[1:])
    with writer:
        writer.records((as_record(verdict, fields) for verdict in shown), fields)
    info("\n".join(summary(question, verdicts.values(), exhaustive)))
    for name, known in others.items():
        info(f"{name}: {place_of(known, stand, verdicts)}")
    if not stand:
        raise NoTiling("no set of those tried has enough solutions on every date")
    if best:
        found = wanted.puzzle(stand[0].pieces, Path(best).stem)
        write_bytes(Path(best), to_toml(found).encode(), writer.force)


def split_names(text: str) -> list[str]:
    """Return the names in a list with commas or blanks."""
    return [name for name in re.split(r"[,\s]+", text) if name]


def decide_sets(
    question: Requirement,
    workers: Executor,
    log: Log,
    climbing: tuple[Sequence[str], int, int] | None,
) -> dict[PieceSet, Decision]:
    """Decide all sets, or those on a climb with goals, tries and a seed, and show progress."""
    total = len(question.space) if climbing is None else climbing[1]
    with progress("deciding sets") as step:

        def show(number: int, verdict: Decision) -> None:
            step(number, total, " ".join(verdict.pieces))

        explorer = Explorer(question, workers, log, show)
        if climbing is None:
            exhaust(explorer)
        else:
            climb(explorer, *climbing)
    return explorer.verdicts


def write_refutations(
    folder: Path,
    question: Requirement,
    verdicts: Iterable[Decision],
    workers: Executor,
    force: bool,
) -> None:
    """Write a certificate of the count of each refuted set on the reveal that refutes it.

    Raises:
        Disagreement: a certificate proves more tilings than the diagram found.
    """
    from satcal.certificates.certify import MANIFEST, write_folder

    asked = [
        (
            "-".join(verdict.pieces),
            question.space.puzzle(verdict.pieces, " ".join(verdict.pieces)),
            verdict.refuted_by,
            range(question.at_least),
        )
        for verdict in sorted(verdicts, key=lambda verdict: verdict.pieces)
        if verdict.refuted_by is not None
    ]
    if not asked:
        info(f"{folder}: not written, as there is nothing to prove")
        return
    number = write_folder(folder, asked, workers, force=force)
    info(f"{folder}: {number:,} certificates, each proved and checked, and {MANIFEST}")


def fingerprint(puzzle: Puzzle, question: Requirement, exhaustive: bool) -> str:
    """Return a line that says what a log is about: the board and all that decides a verdict."""
    space = question.space
    facts = {
        "satcal design": 1,
        "board": [puzzle.cells, [label.cells for label in puzzle.labels.values()]],
        "reveals": question.reveals,
        "pool": {name: [p.shape, p.flip] for name, p in space.pool.items()},
        "mixes": [sorted(mix.items()) for mix in space.mixes],
        "rules": [space.must, space.copies, question.at_least, question.faces, exhaustive],
    }
    return json.dumps(facts, separators=(",", ":"))


def as_record(verdict: Decision, fields: Sequence[str]) -> dict[str, Any]:
    """Return the figures of a set as a row; ``board`` is refuted where there are no labels."""
    faces = "" if verdict.faces is None else " ".join(verdict.faces) or "as named"
    refuted = "" if verdict.refuted_by is None else " ".join(verdict.refuted_by) or "board"
    named = {"pieces": " ".join(verdict.pieces), REFUTED: refuted, "faces": faces}
    known = named | verdict.figures
    return {field: known.get(field, "") for field in fields}


def summary(
    question: Requirement, verdicts: Collection[Decision], exhaustive: bool
) -> Iterator[str]:
    """Yield how many sets were tried and stand, and which reveals refuted most of the others."""
    refuting = Counter(
        " ".join(verdict.refuted_by) or "the board"
        for verdict in verdicts
        if verdict.refuted_by is not None
    )
    tried = f"all {len(verdicts):,} sets"
    if not exhaustive:
        tried = f"{len(verdicts):,} of {len(question.space):,} possible sets"
    yield (
        f"{tried} tried: {len(verdicts) - refuting.total():,} have at least {question.at_least:,} "
        f"on each of {len(question.reveals):,} reveals"
    )
    if refuting:
        most = ", ".join(f"{reveal} ({n:,})" for reveal, n in refuting.most_common(5))
        yield f"{refuting.total():,} refuted, most often by {most}"


def place_of(
    pieces: PieceSet | None, stand: Sequence[Decision], verdicts: Mapping[PieceSet, Decision]
) -> str:
    """Return where another board's set stands among those that were tried, in words."""
    if pieces is None:
        return "its set is not among those that the options allow"
    named, verdict = " ".join(pieces), verdicts.get(pieces)
    if verdict is None:
        return f"its set, {named}, was not tried"
    if verdict.refuted_by is not None:
        return f"its set, {named}, is refuted by {' '.join(verdict.refuted_by) or 'the board'}"
    return f"its set, {named}, is {stand.index(verdict) + 1:,} of {len(stand):,}"
