"""``satcal design`` and ``satcal arrange``: pieces for a board, and its labels moved."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from satcal.cli import options
from satcal.cli.certify import make_of_each
from satcal.cli.progress import note, progress
from satcal.counting.count import executing
from satcal.designing import arranging
from satcal.designing.deciding import GOALS, Decision, Requirement, dates_of
from satcal.designing.exploring import Explorer, Log, climb, exhaust, standing
from satcal.designing.space import PieceSet, Space, parse_sizes, set_of, space
from satcal.draw.board import draw_board, draw_shape
from satcal.errors import NoTiling, OptionError
from satcal.files import check_output, failing, read_toml, write_bytes
from satcal.processes import cores
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.writing import to_toml
from satcal.tables import count_of

FIELDS = [
    "pieces",
    "refuted_by",
    "fewest",
    "median",
    "most",
    "total",
    "unique",
    "unevenness",
    "faces",
]

_at_least_option = click.option(
    "--at-least",
    default=1,
    type=click.IntRange(min=0),
    metavar="N",
    help="Smallest number of tilings that a date may have.",
)


def _from_file(ctx: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Take the options that a file gives as defaults; those of the command line come first."""
    known = {name: parameter for parameter in ctx.command.params for name in parameter.opts}
    table = read_toml(Path(path), "design file") if path else {}
    ctx.default_map = {}
    for key, value in table.items():
        if (option := known.get(f"--{key}")) is None:
            raise OptionError(f"{path}: no option '{key}'; the keys are the options' names")
        if option.multiple != isinstance(value, list):  # sizes = ["7x5", "1x6"], goal = "few"
            table[key] = [value] if option.multiple else ",".join(map(str, value))
        ctx.default_map[option.name or ""] = table[key]
    return path


def _names(text: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", text) if name]


@options.command()
@click.argument("file", required=False, metavar="[FILE.toml]", is_eager=True, callback=_from_file)
@options.board_option
@click.option(
    "--sizes",
    default="7x5,1x6",
    metavar="7x5,1x6|4-6",
    help="7x5,1x6: seven pieces of five squares and one of six. 4-6: any number of pieces of four "
    "to six squares.",
)
@click.option(
    "--pieces",
    "boards",
    multiple=True,
    metavar="BOARD",
    help="Also say how this board's own pieces rank among the sets found. May be repeated.",
)
@click.option(
    "--number",
    type=click.IntRange(min=1),
    help="Total number of pieces, if --sizes leaves it open.",
)
@click.option("--allow", default="", metavar="F,I,H7", help="The polyominoes to choose from.")
@click.option("--must", default="", metavar="X", help="Polyominoes that every set must contain.")
@click.option("--must-not", default="", metavar="I", help="Polyominoes that no set may contain.")
@click.option(
    "--copies",
    default=1,
    type=click.IntRange(1, 50),
    help="Most copies of one piece in a set.",
)
@click.option(
    "--flip",
    type=click.Choice(["all", "none"]),
    default="all",
    help="Whether pieces may be turned over.",
)
@_at_least_option
@options.all_reveals_option
@click.option(
    "--goal",
    "goals",
    multiple=True,
    type=click.Choice(GOALS),
    default=("few",),
    help="Which sets rank first: hard (kind): fewest (most) tilings on the hardest date; few "
    "(many): fewest (most) tilings in total; even: counts that vary little; unique: most dates "
    "with exactly one tiling; no-flips: no piece ever turned over. Repeat it to break ties.",
)
@click.option(
    "--tries",
    default=50_000,
    type=click.IntRange(min=1),
    help="Most sets to try. If there are no more than this, all are decided; otherwise hill "
    "climbing looks for better ones.",
)
@click.option("--seed", default=0, help="Seed for the hill climbing.")
@options.jobs_option
@options.cluster_option
@click.option(
    "--log", metavar="FILE", help="Keep a log of decided sets; a stopped run continues from it."
)
@click.option(
    "--all", "every", is_flag=True, help="Show every decided set, including the refuted ones."
)
@options.certify_option
@click.option("--best", metavar="FILE.toml", help="Write the best set as a puzzle.")
@click.option("--limit", default=10, type=options.Limit(min=0), help="Sets to show.")
@click.option("--list", "listing", is_flag=True, help="Name and draw the polyominoes; no search.")
@options.tabular(writes=True)
def design(
    file: str | None,
    board: str,
    sizes: str,
    boards: tuple[str, ...],
    number: int | None,
    allow: str,
    must: str,
    must_not: str,
    copies: int,
    flip: str,
    at_least: int,
    all_reveals: bool,
    goals: tuple[str, ...],
    tries: int,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    log: str | None,
    every: bool,
    certify: Path | None,
    best: str | None,
    limit: int,
    listing: bool,
    style: str,
    force: bool,
) -> None:
    """Search for sets of pieces that solve every date of a board.

    If there are no more than --tries sets, all are decided: for each you get its counts, or a
    date that refutes it. FILE.toml sets options by name, such as sizes = "7x5,1x6".

    Search all 27,720 sets of seven pentominoes and a hexomino (minutes), then certify a date of
    the best one:

    \b
    satcal design --goal few --best hard.toml
    satcal certify --board hard.toml --date ...

    For each refuted set, --certify proves that the date that refutes it has too few tilings.
    """
    for path in (best, certify):
        if path:
            check_output(Path(path), force)
    if every:
        options.refuse("cannot be combined with --all; drop one", "limit")
    if listing:
        searching = ("best", "log", "every", "boards", "certify")
        options.refuse("cannot be combined with --list; drop one", *searching)
    puzzle = load(board)
    wanted = space(
        puzzle,
        parse_sizes(sizes),
        number,
        _names(allow),
        _names(must),
        _names(must_not),
        copies,
        flip == "all",
    )
    if listing:
        click.echo("\n".join(_listed(wanted)))
        return
    others = {name: set_of(wanted, load(name)) for name in boards}
    question = Requirement(wanted, dates_of(puzzle, all_reveals), at_least, "no-flips" in goals)
    exhaustive = len(wanted) <= tries
    path = Path(log) if log else None
    with (
        closing(Log(path, _fingerprint(puzzle, question, exhaustive))) as kept,
        executing(jobs or cores(), cluster) as executor,
    ):
        verdicts = _decide(question, executor, kept, None if exhaustive else (goals, tries, seed))
    stand = list(standing(verdicts.values(), question, goals))
    shown, fields = stand[:limit], [name for name in FIELDS if name != "refuted_by"]
    if every:
        refuted = (verdict for verdict in verdicts.values() if verdict.refuted_by)
        shown, fields = [*stand, *refuted], FIELDS
    options.echo(map(_record, shown), fields, style)
    note("\n".join(_summary(question, verdicts.values(), exhaustive)))
    for name, known in others.items():
        note(f"{name}: {_standing(known, stand, verdicts)}")
    if certify:
        make_of_each(certify, _refutations(question, verdicts.values()), jobs, cluster)
    if not stand:
        raise NoTiling("no set of those tried has enough tilings on every date")
    if best:
        found = wanted.puzzle(stand[0].pieces, Path(best).stem)
        write_bytes(Path(best), to_toml(found).encode(), force)


def _decide(
    question: Requirement,
    executor: Executor,
    log: Log,
    climbing: tuple[Sequence[str], int, int] | None,
) -> dict[PieceSet, Decision]:
    """Decide all sets, or those on a climb of such goals, tries and seed, and show progress."""
    refuting: Counter[str] = Counter()
    total = len(question.space) if climbing is None else climbing[1]
    with progress("deciding sets", total) as advance:

        def show(number: int, verdict: Decision) -> None:
            if verdict.refuted_by:
                refuting[" ".join(verdict.refuted_by)] += 1
            most = "".join(f", {n:,} by {reveal}" for reveal, n in refuting.most_common(3))
            advance(f"{number - refuting.total():,} stand{most}")

        explorer = Explorer(question, executor, log, show)
        if climbing is None:
            exhaust(explorer)
        else:
            climb(explorer, *climbing)
    return explorer.verdicts


def _refutations(
    question: Requirement, verdicts: Iterable[Decision]
) -> Iterator[tuple[Puzzle, Reveal, range]]:
    """Yield each refuted set as a puzzle, the reveal that refutes it, and how few tilings it has.

    In the order of the sets, not of their verdicts: a log, or a climb, must not change the file.
    """
    for verdict in sorted(verdicts, key=lambda verdict: verdict.pieces):
        if verdict.refuted_by:
            puzzle = question.space.puzzle(verdict.pieces, " ".join(verdict.pieces))
            yield puzzle, verdict.refuted_by, range(question.at_least)


def _fingerprint(puzzle: Puzzle, question: Requirement, exhaustive: bool) -> str:
    """A line that says what a log is of: the board and all that decides a verdict."""
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


def _record(verdict: Decision) -> dict[str, Any]:
    faces = "" if verdict.faces is None else " ".join(verdict.faces) or "as named"
    refuted = " ".join(verdict.refuted_by or ())
    named = {"pieces": " ".join(verdict.pieces), "refuted_by": refuted, "faces": faces}
    return dict.fromkeys(FIELDS, "") | named | verdict.figures


def _summary(
    question: Requirement, verdicts: Collection[Decision], exhaustive: bool
) -> Iterator[str]:
    refuting = Counter(" ".join(verdict.refuted_by) for verdict in verdicts if verdict.refuted_by)
    refuted = refuting.total()
    tried = f"all {count_of(len(verdicts), 'set')}"
    if not exhaustive:
        tried = f"{len(verdicts):,} of {count_of(len(question.space), 'possible set')}"
    yield (
        f"{tried} tried: {len(verdicts) - refuted:,} have at least "
        f"{count_of(question.at_least, 'tiling')} on each of {len(question.reveals):,} reveals"
    )
    if refuted:
        most = ", ".join(f"{reveal} ({n:,})" for reveal, n in refuting.most_common(5))
        yield f"{refuted:,} refuted, most often by {most}"


def _standing(
    pieces: PieceSet | None, stand: Sequence[Decision], verdicts: Mapping[PieceSet, Decision]
) -> str:
    if pieces is None:
        return "its set is not among those that the options allow"
    named, verdict = " ".join(pieces), verdicts.get(pieces)
    if verdict is None:
        return f"its set, {named}, was not tried"
    if verdict.refuted_by:
        return f"its set, {named}, is refuted by {' '.join(verdict.refuted_by)}"
    return f"its set, {named}, is {stand.index(verdict) + 1:,} of {len(stand):,}"


def _listed(space: Space) -> Iterator[str]:
    for name, piece in space.pool.items():
        yield "\n".join([f"{name}:", *draw_shape(piece.shape), ""])


@options.command()
@options.only_board_argument
@options.board_options
@_at_least_option
@click.option(
    "--at-most",
    type=click.IntRange(min=0),
    metavar="N",
    help="Largest number of tilings that a date may have.",
)
@options.all_reveals_option
@click.option(
    "--proof",
    "prefix",
    metavar="PREFIX",
    help="If there is no arrangement, write the proof for SAT checkers: PREFIX.cnf and "
    "PREFIX.lrat.",
)
@click.option("--output", "-o", metavar="FILE.toml", help="Write the board as a puzzle.")
@options.force_option
@options.quiet_option
def arrange(
    words: tuple[str, ...],
    board: str,
    pieces: str | None,
    flip: str | None,
    at_least: int,
    at_most: int | None,
    all_reveals: bool,
    prefix: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Move the labels of a board so that every date has enough solutions, but not too many.

    Months and days may go to any cell. If no arrangement exists, a SAT solver proves it, and the
    exit code is 1.
    """
    if at_most is not None and at_most < at_least:
        raise OptionError(f"--at-most {at_most:,} is less than --at-least {at_least:,}")
    for path in filter(None, (output, *_proofs(prefix))):
        check_output(Path(path), force)
    puzzle = load(options.only_board(words, board), pieces, flip)
    places = arranging.places(puzzle, dates_of(puzzle, all_reveals), at_least, at_most)
    moved = _proved(places, *_proofs(prefix)) if prefix else places.arranged()
    if moved is None:
        most = "" if at_most is None else f" and at most {at_most:,}"
        raise NoTiling(f"no arrangement of the labels has at least {at_least:,}{most} everywhere")
    click.echo(draw_board(moved))
    if output:
        write_bytes(Path(output), to_toml(replace(moved, name=Path(output).stem)).encode(), force)


def _proofs(prefix: str | None) -> Sequence[str]:
    """The files of a formula and its refutation."""
    return (f"{prefix}.cnf", f"{prefix}.lrat") if prefix else ()


def _proved(places: arranging.Places, formula: str, proof: str) -> Puzzle | None:
    """The board arranged; the files are kept if that is not possible, which they prove."""
    moved: Puzzle | None = None
    finished = False
    try:
        with failing(f"{proof}: cannot be written"), open(proof, "w+b") as file:
            moved = places.arranged(file)
        if moved is None:
            write_bytes(Path(formula), "".join(places.dimacs()).encode(), force=True)
            finished = True
            size = count_of(Path(proof).stat().st_size, "byte")
            note(f"{formula} and {proof} ({size}) prove it; satcal manual make-a-puzzle says how")
    finally:
        if not finished:
            Path(proof).unlink(missing_ok=True)
    return moved
