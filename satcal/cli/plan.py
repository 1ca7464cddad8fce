"""``satcal plan``: what a run will need, estimated from a sample."""

from __future__ import annotations

import json

import click

from satcal.cli.options import Selection, counting_options, selecting
from satcal.cli.progress import progress
from satcal.counting.settings import Settings
from satcal.draw.tables import count_of
from satcal.errors import OptionError


@click.command()
@selecting
@counting_options()
@click.option("--cores", default=100, type=click.IntRange(min=1), help="How many do the work.")
@click.option("--sample", default=20, type=click.IntRange(min=1), help="How many tasks to count.")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="Of it."
)
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def plan(
    selection: Selection, settings: Settings, alone: bool, cores: int, sample: int, style: str,
    quiet: bool,
) -> int:  # fmt: skip
    """Estimate what counting these dates will need, from a sample of them that is counted now.

    The CPU seconds of a task, their mean and range; from the mean those of all tasks, and the wall
    time and memory (bytes in JSON) on idle cores. Needs --method sat or search: the diagram counts
    all dates at once, on one core.
    """
    from satcal.counting.executors import executing
    from satcal.counting.planning import choose, measure
    from satcal.processes import cores as own_cores

    if settings.method == "diagram" and not settings.up_to_symmetry:
        raise OptionError(
            "the diagram counts all dates at once, in about the time of one: there is nothing to "
            "spread over cores; plan --method sat or --method search"
        )
    reveals = list(dict.fromkeys(row.reveal for row in selection.rows))
    with executing(min(settings.jobs or own_cores(), sample), settings.cluster) as executor:
        # start the workers before a diagram makes this process, and so its copies, large
        executor.submit(abs, 0).result()
        number, tasks = choose(selection.puzzle, reveals, settings, sample)
        spent = []
        with progress("sampling", len(tasks), quiet) as advance:
            for reveal, each in measure(selection.puzzle, tasks, settings, executor):
                spent.append(each)
                advance(f"{' '.join(reveal)} took {duration(each.seconds)}")
    seconds = [each.seconds for each in spent]
    mean, most = sum(seconds) / len(seconds), max(seconds)
    estimate = {
        "tasks": number, "sample": len(spent), "mean": mean, "least": min(seconds), "most": most,
        "cpu": number * mean, "cores": cores, "wall": max(number * mean / cores, most),
        "memory": max(each.memory for each in spent) * min(cores, number),
    }  # fmt: skip
    if style == "json":
        click.echo(json.dumps(estimate))
        return 0
    click.echo(
        f"{selection.puzzle.name}, {selection.words} by {settings.method}: "
        f"{count_of(number, 'task')}, {len(spent):,} of them counted\n"
        f"a task takes {duration(mean)}, from {duration(min(seconds))} to {duration(most)}\n"
        f"all of them take {duration(estimate['cpu'])} of CPU time; on {count_of(cores, 'core')} "
        f"{duration(estimate['wall'])} and {estimate['memory'] / 1e9:.1f} GB"
    )
    return 0


def duration(seconds: float) -> str:
    """Return a time in words, long ones in hours."""
    return f"{seconds / 3600:,.1f} h" if seconds >= 7200 else f"{seconds:,.2f} s"
