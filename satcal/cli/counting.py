"""Running counts for the command line: progress, Ctrl-C, and what a run amounts to in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import click

from satcal.cli.progress import Pace, layers, progress
from satcal.counting.count import Difference, decimal, exact, summarise
from satcal.counting.settings import Outcome, Settings, Status
from satcal.draw.tables import Counted, count_of
from satcal.errors import Disagreement, InputError, exit_code
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Row

if TYPE_CHECKING:
    from satcal.store.resuming import Keeper


@dataclass
class Run:
    """What a run counted, as far as it came."""

    method: str
    wanted: list[Reveal]
    outcomes: dict[Reveal, Outcome] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def counts(self) -> dict[Reveal, int]:
        """The exact counts."""
        return exact(self.outcomes)

    def errors(self) -> list[tuple[Reveal, Outcome]]:
        """Return the reveals whose count failed."""
        return [(r, o) for r, o in self.outcomes.items() if o.status is Status.ERROR]

    @property
    def complete(self) -> bool:
        """Whether every wanted reveal has an exact count."""
        return len(self.counts) == len(self.wanted)


def run_counts(
    puzzle: Puzzle,
    reveals: Iterable[Reveal],
    settings: Settings,
    quiet: bool = False,
    keeper: Keeper | None = None,
    lazily: bool = False,
) -> Run:
    """Count reveals with progress on stderr; Ctrl-C ends the run, what is counted stays.

    What the keeper's store knows is not counted again, and what is finished is stored at once.
    ``lazily`` uses the store only if one diagram does not do: it answers faster than a store.

    Raises:
        InputError: the settings cannot work for any reveal.
        StoreError: the store cannot be used, and the run requires it.
    """
    check(settings)
    run = Run(settings.method, list(dict.fromkeys(reveals)))
    stored = _Stored(puzzle, settings, keeper)
    try:
        known = {} if lazily else stored.recall(run.wanted)
        run.outcomes.update((r, Outcome(Status.EXACT, n)) for r, n in known.items())
        todo = [reveal for reveal in run.wanted if reveal not in run.outcomes]
        if todo:
            _count(puzzle, todo, settings, quiet, stored, run)
    except KeyboardInterrupt:
        run.interrupted = True
    return run


class _Stored:
    """What the store knows of a run, and what is to be stored of it."""

    def __init__(self, puzzle: Puzzle, settings: Settings, keeper: Keeper | None) -> None:
        self._puzzle, self._settings, self._keeper = puzzle, settings, keeper
        self._asked = False
        self._known: Mapping[Reveal, int] = {}
        self._unsaved: dict[Reveal, Outcome] = {}

    def recall(self, reveals: Sequence[Reveal]) -> Mapping[Reveal, int]:
        """Return what is stored, the first time; later that has been taken already."""
        if self._keeper is None or self._asked:
            return {}
        self._asked = True
        self._known = self._keeper.recall(self._puzzle, reveals, self._settings)
        return self._known

    def add(self, reveal: Reveal, outcome: Outcome) -> None:
        """Note an outcome that is to be stored, unless it comes from there."""
        if reveal not in self._known:
            self._unsaved[reveal] = outcome

    def save(self) -> None:
        """Store what was noted."""
        if self._keeper is not None and self._unsaved:
            self._keeper.record(self._puzzle, self._settings, exact(self._unsaved))
            self._unsaved.clear()


def _count(
    puzzle: Puzzle,
    todo: list[Reveal],
    settings: Settings,
    quiet: bool,
    stored: _Stored,
    run: Run,
) -> None:
    """Let a run's outcomes grow by those of the reveals that the store does not know."""
    from satcal.counting.count import count_reveals
    from satcal.counting.executors import maker

    pace = Pace(None, "dates")

    def watched(jobs: int) -> Executor:
        nonlocal pace
        executor = maker(settings.cluster)(jobs)
        pace = Pace(executor, "dates")
        return executor

    at_once = settings.method == "diagram" and not settings.up_to_symmetry
    with (
        progress(f"counting by {settings.method}", len(todo), quiet or at_once) as advance,
        layers(quiet or not at_once) as on_layer,
    ):

        def told(name: str, layer: int, layers: int, states: int) -> None:
            stored.save()  # a diagram's counts come all at once, and then perhaps the next diagram
            if on_layer is not None:
                on_layer(name, layer, layers, states)

        results = count_reveals(puzzle, todo, settings, watched, told, stored.recall)
        try:
            for reveal, outcome in results:
                if outcome.status is Status.ERROR and outcome.exit_code == InputError.exit_code:
                    raise InputError(f"{' '.join(reveal)}: {outcome.message}")
                run.outcomes[reveal] = outcome
                stored.add(reveal, outcome)
                if not at_once:
                    stored.save()
                known = outcome.status is Status.EXACT
                said = f"has {outcome.tilings:,}" if known else f"is {outcome.status.name}"
                advance(pace.after(f"{' '.join(reveal)} {said}"))
        finally:
            results.close()
            stored.save()


def within_limit(settings: Settings, begun: float) -> Settings:
    """Return settings with what is left of a time limit that a command has several runs for."""
    if settings.time_limit is None:
        return settings
    left = settings.time_limit - (time.monotonic() - begun)
    return replace(settings, time_limit=max(0.0, left))


def check(settings: Settings) -> None:
    """Raise at once what every single count would raise: unknown solvers and encodings."""
    if settings.method == "sat":
        from satcal.counting.sat import chosen_solver

        chosen_solver(settings)


def table(
    rows: Sequence[Row], counts: Mapping[Reveal, int], methods: Callable[[Reveal], tuple[str, ...]]
) -> list[Counted]:
    """Return the table of rows, None where there is no exact count."""
    return [
        Counted(row, counts.get(row.reveal), methods(row.reveal) if row.reveal in counts else ())
        for row in rows
    ]


def summary_lines(puzzle: Puzzle, words: str, table: Sequence[Counted]) -> list[str]:
    """Return the summary of a table: total, fewest, most, mean, median, rows without a tiling."""
    known = [(each.row, each.tilings) for each in table if each.tilings is not None]
    noun = "date" if any(each.row.date for each in table) else "reveal"
    rows = count_of(len(table), noun)
    missing = len(table) - len(known)
    head = f"{puzzle.name}, {words}: "
    if not known:
        return [f"{head}partial, none of {rows} counted"]
    if missing:
        head += f"partial, {len(known):,} of {rows} counted: "
    if len(table) == 1:
        return [head + count_of(known[0][1], "tiling")]
    s = summarise(known)
    return [
        f"{head}{count_of(s.total, 'tiling')} on {count_of(s.rows, noun)}",
        f"fewest {s.fewest[0]:,} ({_some(s.fewest[1])}), most {s.most[0]:,} ({_some(s.most[1])}), "
        f"mean {decimal(s.mean)}, median {decimal(s.median, 1)}, without a tiling {s.without:,}",
    ]


def _some(rows: Sequence[Row], limit: int = 3) -> str:
    listed = ", ".join(map(str, rows[:limit]))
    return f"{listed} and {len(rows) - limit} more" if len(rows) > limit else listed


def report_trouble(runs: Sequence[Run], found: Sequence[Difference]) -> int:
    """Say on stderr what differs, failed or is missing, and return the exit code."""
    for difference in found:
        click.echo(f"DISAGREEMENT {difference}", err=True)
    errors = [(run, *error) for run in runs for error in run.errors()]
    alike: dict[str, list[Reveal]] = {}
    for run, reveal, outcome in errors:
        alike.setdefault(f"by {run.method}: {outcome.message}", []).append(reveal)
    for said, reveals in list(alike.items())[:10]:
        more = f" and {len(reveals) - 1:,} more" if len(reveals) > 1 else ""
        click.echo(f"ERROR {' '.join(reveals[0])}{more} {said}", err=True)
    differing = [Disagreement.exit_code] if found else []
    return exit_code([*differing, *(outcome.exit_code for _, _, outcome in errors)])
