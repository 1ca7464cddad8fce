"""``satcal plan``: what counting will need."""

from __future__ import annotations

import click

from satcal.cli import options
from satcal.cli.progress import progress
from satcal.counting.count import executing
from satcal.counting.planning import choose, measure
from satcal.counting.settings import Settings
from satcal.draw.tables import count_of
from satcal.processes import cores as own_cores


@click.command()
@options.selecting
@options.counting_options(methods=("sat", "search", "verified"), default="sat")
@click.option("--cores", default=100, type=options.Limit(min=1), help="How many do the work.")
@click.option("--sample", default=20, type=click.IntRange(min=1), help="How many tasks to count.")
@options.tabular("text")
def plan(
    selection: options.Selection, settings: Settings, cores: int, sample: int, style: str
) -> None:
    """Estimate what counting these dates will need, from a sample of them that is counted now.

    The CPU seconds of a task, their mean and range; from the mean those of all tasks, and the wall
    time and memory (in tables bytes) on idle cores. The diagram has nothing to plan: it counts all
    dates at once, in about the time of one, on one core.
    """
    puzzle = selection.puzzle
    with executing(min(settings.jobs or own_cores(), sample), settings.cluster) as executor:
        # start the workers before a diagram makes this process, and so its copies, large
        executor.submit(abs, 0).result()
        number, tasks = choose(puzzle, selection.reveals, settings, sample)
        spent = []
        with progress("sampling", len(tasks)) as advance:
            for reveal, each in measure(puzzle, tasks, settings, executor):
                spent.append(each)
                advance(f"{' '.join(reveal)} took {_duration(each.seconds)}")
    seconds = [each.seconds for each in spent]
    mean, least, most = sum(seconds) / len(seconds), min(seconds), max(seconds)
    cpu, memory = number * mean, max(each.memory for each in spent) * min(cores, number)
    wall = max(cpu / cores, most)
    if style != "text":
        estimate = {
            "tasks": number, "sample": len(spent), "mean": mean, "least": least, "most": most,
            "cpu": cpu, "cores": cores, "wall": wall, "memory": memory,
        }  # fmt: skip
        options.echo([estimate], list(estimate), style)
        return
    click.echo(
        f"{puzzle.name}, {selection.words} by {settings.method}: "
        f"{count_of(number, 'task')}, {len(spent):,} of them counted\n"
        f"a task takes {_duration(mean)}, from {_duration(least)} to {_duration(most)}\n"
        f"all of them take {_duration(cpu)} of CPU time; on "
        f"{count_of(cores, 'core')} {_duration(wall)} and {memory / 1e9:.1f} GB"
    )


def _duration(seconds: float) -> str:
    """Return a time in words, long ones in hours."""
    return f"{seconds / 3600:,.1f} h" if seconds >= 7200 else f"{seconds:,.2f} s"
