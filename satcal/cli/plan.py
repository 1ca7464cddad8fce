"""``satcal plan``: what a run will need, estimated from a sample."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from satcal.cli.options import Selection, counting_options, selecting
from satcal.cli.progress import progress
from satcal.counting.methods import Settings
from satcal.draw.words import count_of
from satcal.errors import OptionError

if TYPE_CHECKING:
    from satcal.counting.planning import Forecast, Spent


NOTICED = 0.9  # of a core: a sample that had more was hardly disturbed
BESIDE = (
    "wall times are for cores that do nothing else; the sample's had other work, and took "
    "{:.1f} times as long"
)


def numbers(ctx: click.Context, parameter: click.Parameter, text: str) -> list[int]:
    """Return numbers of cores from text such as ``1,100,10000``."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 0 < int(part) <= 10**6 for part in parts):
        raise OptionError(f"--cores '{text}': write numbers by commas, such as 1,100,10000")
    return [int(part) for part in parts]


@click.command()
@selecting
@counting_options()
@click.option(
    "--cores",
    default="1,100,10000",
    show_default=True,
    callback=numbers,
    metavar="N,N,...",
    help="For how many cores.",
)
@click.option(
    "--sample",
    default=20,
    show_default=True,
    type=click.IntRange(min=2),
    metavar="N",
    help="How many tasks are run.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="JSON has times in seconds, memory in bytes.",
)  # fmt: skip
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def plan(
    selection: Selection, settings: Settings, alone: bool, cores: list[int], sample: int,
    style: str, quiet: bool,
) -> int:  # fmt: skip
    """Estimate what counting these dates will need, from a sample of them that is counted now.

    CPU time with the interval in which it lies in nine of ten cases, and for each number of
    cores, if they have nothing else to do, wall time, memory of all processes and the room of
    the store. The interval allows for another sample and for a machine whose speed varies, as
    it does beside other work, but not for another machine. Needs --method sat or search: the
    diagram counts all dates at once, on one core.
    """
    from satcal.counting.planning import forecast, measure, prepared
    from satcal.processes import cores as own_cores
    from satcal.processes import executing

    if settings.method == "diagram" and not settings.up_to_symmetry:
        raise OptionError(
            "the diagram counts all dates at once, in about the time of one: there is nothing to "
            "spread over cores; plan --method sat or --method search"
        )
    puzzle = selection.puzzle
    reveals = list(dict.fromkeys(row.reveal for row in selection.rows))
    jobs = min(settings.jobs or own_cores(), sample)
    with executing(jobs, settings.cluster) as executor:
        # start the workers before a diagram makes this process, and so its copies, large
        executor.submit(abs, 0).result()
        tasks, tilings, chosen = prepared(puzzle, reveals, settings, sample)
        wanted = {number: tasks[number] for number in chosen}
        with progress("sampling", len(chosen), quiet) as shown:
            spent = measure(puzzle, wanted, settings, executor, shown.advance)
    found = forecast(len(tasks), tilings, spent, f"{puzzle.digest} {settings.method}")
    head = f"{puzzle.name}, {selection.words} by {settings.method}"
    disk = room(selection, settings, reveals, spent)
    click.echo((as_json if style == "json" else as_text)(head, found, spent, cores, disk))
    return 0


def room(
    selection: Selection, settings: Settings, reveals: list[Any], spent: dict[int, Spent]
) -> int:
    """Return the bytes of a store with a result for each reveal, by filling one."""
    from satcal.store.location import parse_location
    from satcal.store.resuming import Keeper

    most = max(each.tilings for each in spent.values())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.db")
        keeper = Keeper(parse_location(str(path)), quiet=True)
        keeper.recall(selection.puzzle, reveals, settings)
        keeper.record(selection.puzzle, settings, dict.fromkeys(reveals, most))
        keeper.close()
        return path.stat().st_size


def as_text(
    head: str, found: Forecast, spent: dict[int, Spent], cores: list[int], disk: int
) -> str:
    """Return a forecast as text."""
    from satcal.counting.planning import share

    had = share(spent)
    lines = [
        f"{head}: {count_of(len(found.each), 'task')}, {len(spent):,} of them counted",
        f"CPU time {span(found.seconds)} ({span(found.low)} to {span(found.high)} in nine of ten "
        f"cases), longest task {span(max(found.each))}, disk {size(disk)}",
        *([BESIDE.format(1 / had)] if had < NOTICED else []),
        f"{'cores':>8}  {'wall time':>10}  {'from':>10}  {'to':>10}  {'memory':>8}",
    ]
    for each in rows(found, spent, cores):
        walls = (span(each[name]) for name in ("wall", "wall_low", "wall_high"))
        cells = "  ".join(f"{wall:>10}" for wall in walls)
        lines.append(f"{each['cores']:>8,}  {cells}  {size(each['memory']):>8}")
    return "\n".join(lines)


def as_json(
    head: str, found: Forecast, spent: dict[int, Spent], cores: list[int], disk: int
) -> str:
    """Return a forecast as JSON; times in seconds, memory and disk in bytes."""
    from satcal.counting.planning import share

    said = {
        "what": head, "tasks": len(found.each), "sample": len(spent),
        "cpu": round(found.seconds, 3), "cpu_low": round(found.low, 3),
        "cpu_high": round(found.high, 3), "longest": round(max(found.each), 3), "disk": disk,
        "share": round(share(spent), 3),
        "cores": rows(found, spent, cores),
    }  # fmt: skip
    return json.dumps(said, indent=1)


def rows(found: Forecast, spent: dict[int, Spent], cores: list[int]) -> list[dict[str, Any]]:
    """Return the figures for each number of cores; no more processes than tasks are of use."""
    peak = max(each.peak for each in spent.values())
    return [
        {
            "cores": number,
            "wall": round(found.wall(number), 3),
            "wall_low": round(found.wall(number, found.low), 3),
            "wall_high": round(found.wall(number, found.high), 3),
            "memory": peak * min(number, len(found.each)),
        }
        for number in cores
    ]


def span(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    for unit, name in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.1f} {name}"
    return f"{seconds:.1f} s"


def size(count: int) -> str:
    """Return a number of bytes in the unit that suits it."""
    for unit, name in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count / 1000:.0f} kB"
