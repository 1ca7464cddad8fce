"""What processes do for the service: the tasks of jobs, and files for which a request waits.

A task is what the server sends and the store keeps. Whoever does it imports what that needs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from satcal.errors import TooLarge
from satcal.files import read_bytes
from satcal.puzzle.demands import parse_demands, parse_placement
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.toml import check_area, parse_puzzle
from satcal.service.config import Means

if TYPE_CHECKING:  # what only a process imports that does the work
    from satcal.counting.settings import Settings
    from satcal.draw.svg import Picture
    from satcal.evidence.checking import Report

CUT_ABOVE = 1000  # tilings of a proof: a checker's memory grows with it, and a job has little
INTERVAL = 0.2  # seconds between two reports
LARGEST = 32 * 2**20  # bytes of a formula that the server takes


class Result(NamedTuple):
    """What came of a job: the fields that its client sees, and its file."""

    fields: dict[str, Any]
    file: bytes | None = None


class Progress:
    """Tells how far a task is, in the fields that clients see."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell, self._last = tell, 0.0

    def __call__(self, **fields: object) -> None:
        """Tell it."""
        self._tell(fields)

    def sometimes(self, **fields: object) -> None:
        """Tell it, unless that was done a moment ago."""
        now = time.monotonic()
        if now - self._last >= INTERVAL:
            self._last = now
            self._tell(fields)


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a job is to do; each kind of job has a subclass. Only its owner may see the job."""

    kind: ClassVar[str]
    owner: str | None = None

    def do(self, means: Means, progress: Progress) -> Result:
        """Do it, in a process of its own."""
        raise NotImplementedError

    def request(self) -> dict[str, Any]:
        """Return the task as the store keeps it."""
        fields = {name: value for name, value in asdict(self).items() if value is not None}
        return {"kind": self.kind, **fields}


@dataclass(frozen=True, kw_only=True)
class PuzzleTask(Task):
    """A task about a puzzle: its name, its definition, and whether a client has posted it."""

    puzzle: str
    text: str
    posted: bool

    def parsed(self) -> Puzzle:
        """Return the puzzle."""
        return parse_puzzle(self.text, "the definition" if self.posted else self.puzzle)


@dataclass(frozen=True, kw_only=True)
class Count(PuzzleTask):
    """Count reveals by a method; each one is stored when it is counted, and never counted twice."""

    kind = "count"
    method: str
    place: list[str]
    reveals: list[list[str]]

    def do(self, means: Means, progress: Progress) -> Result:
        """Count."""
        from satcal.counting.settings import Settings
        from satcal.store.resuming import Keeper

        puzzle = self.parsed()
        demands = tuple(parse_demands(puzzle, self.place))
        settings = Settings(method=self.method, demands=demands, use_cache=not self.posted)
        reveals = [tuple(reveal) for reveal in self.reveals]
        counts: dict[Reveal, int] = {}

        def tell(reveal: Reveal, tilings: int) -> None:
            done, total = len(counts), len(reveals)
            progress.sometimes(done=done, total=total, reveal=reveal, tilings=tilings)

        with closing(Keeper(means.store, required=False)) as keeper:
            counts |= keeper.recall(puzzle, reveals, settings)
            todo = list(dict.fromkeys(reveal for reveal in reveals if reveal not in counts))
            for reveal, tilings in _counted(puzzle, todo, settings, means, tell):
                counts[reveal] = tilings
                keeper.record(puzzle, settings, {reveal: tilings})
                tell(reveal, tilings)
        rows = [{"reveal": reveal, "tilings": counts[reveal]} for reveal in reveals]
        return Result({"method": self.method, "rows": rows})


def _counted(
    puzzle: Puzzle, todo: list[Reveal], settings: Settings, means: Means,
    tell: Callable[[Reveal, int], None],
) -> Iterator[tuple[Reveal, int]]:  # fmt: skip
    """Yield reveals with their counts; a diagram, which knows all at once, stays here."""
    from satcal.counting.count import exact_counts
    from satcal.counting.tilings import tilings
    from satcal.service import clustered

    deadline = time.monotonic() + means.seconds
    if settings.method == "diagram" and todo:
        yield from exact_counts(puzzle, todo, replace(settings, time_limit=means.seconds))
    elif means.cluster is not None and todo:
        yield from clustered.counts(puzzle, todo, settings, means)
    else:
        for reveal in todo:
            number = 0
            for number, _ in enumerate(tilings(puzzle, reveal, settings, deadline), start=1):
                tell(reveal, number)
            yield reveal, number


@dataclass(frozen=True, kw_only=True)
class Certificate(PuzzleTask):
    """Make a certificate of one reveal, check it before anybody gets it, and note it."""

    kind = "certificate"
    reveal: list[str]

    def do(self, means: Means, progress: Progress) -> Result:
        """Make it."""
        from satcal.evidence.certify import certify
        from satcal.service.clustered import lent
        from satcal.store.evidence import record_evidence
        from satcal.store.results import Store

        progress(step="finding tilings")
        with lent(means) as executor:
            data = certify(
                self.parsed(), tuple(self.reveal), cut_above=CUT_ABOVE, executor=executor,
                use_cache=not self.posted,
                progress=lambda done: progress.sometimes(step=f"proved {done}"),
            )  # fmt: skip
        report, fields = _checked(data, progress)
        with Store(means.store) as store:
            proved = {each.reveal: each.tilings for each in report.proved}
            record_evidence(store, report.puzzle, proved, data, ", ".join(report.checkers))
        return Result(fields, data)


@dataclass(frozen=True, kw_only=True)
class Check(Task):
    """Check a certificate that somebody has uploaded."""

    kind = "check"

    def do(self, means: Means, progress: Progress) -> Result:
        """Check it."""
        progress(step="checking")
        data = read_bytes(means.upload, "the certificate that was sent")
        return Result(_checked(data, progress)[1])


def _checked(data: bytes, progress: Progress) -> tuple[Report, dict[str, Any]]:
    """Return the report of a check, and what clients see of it."""
    from satcal.evidence.checking import check

    report = check(data, progress=lambda n, total: progress(step=f"replayed {n} of {total}"))
    proved = [{"reveal": each.reveal, "tilings": each.tilings} for each in report.proved]
    return report, {
        "puzzle": report.puzzle.name, "library": report.library, "digest": report.puzzle.digest,
        "proved": proved, "tilings": sum(each.tilings for each in report.proved),
        "checked_by": list(report.checkers), "lines": report.lines(),
    }  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Claims(Task):
    """Examine the published statements, as ``version`` of satcal does."""

    kind = "claims"
    version: str

    def do(self, means: Means, progress: Progress) -> Result:
        """Examine them."""
        from satcal.evidence.claims.examination import Examination
        from satcal.evidence.claims.reading import load_claims, published

        loaded = [load_claims(path) for path in published()]
        total, verdicts = sum(len(file.statements) for file in loaded), []
        for verdict in Examination(jobs=1).verdicts(loaded):
            verdicts.append(verdict.as_fields())
            progress.sometimes(done=len(verdicts), total=total)
        return Result({"verdicts": verdicts})


KINDS: dict[str, type[Task]] = {kind.kind: kind for kind in (Count, Certificate, Check, Claims)}


def task_of(request: dict[str, Any]) -> Task:
    """Return the task that the store has kept."""
    fields = dict(request)
    return KINDS[fields.pop("kind")](**fields)


def do(task: Task, means: Means, tell: Callable[[dict[str, Any]], None]) -> Result:
    """Do a task, and tell how far it is."""
    return task.do(means, Progress(tell))


def sizes(puzzle: Puzzle) -> dict[str, int]:
    """Return how much there is of a puzzle."""
    return {
        "cells": len(puzzle.cells),
        "pieces": sum(piece.copies for piece in puzzle.pieces),
        "reveals": math.prod(map(len, puzzle.categories.values())),
    }


def read_puzzle(text: str, most: dict[str, int]) -> tuple[str, int]:
    """Read a puzzle that somebody posts: satcal's own text of it, and its number of placements.

    ``most`` says how many cells, pieces and reveals it may have.
    """
    from satcal.puzzle.placements import number_of_placements
    from satcal.puzzle.writing import to_toml

    puzzle = parse_puzzle(text, "the definition")
    for what, number in sizes(puzzle).items():
        if number > most[what]:
            raise TooLarge(
                f"{number:,} {what}, more than the {most[what]:,} that this service "
                "takes; `satcal count --board FILE` counts larger boards"
            )
    check_area(puzzle)
    return to_toml(puzzle), number_of_placements(puzzle)


def export(
    puzzle: Puzzle, reveal: Reveal | None, place: tuple[str, ...], style: str, encoding: str | None
) -> bytes:
    """Return the formula of a reveal, or of all, for an external solver."""
    from satcal.encoding.export import export as chunks

    demands = parse_demands(puzzle, place)
    text = chunks(puzzle, reveal, format=style, encoding=encoding, demands=demands)
    data = "".join(text).encode()
    if len(data) > LARGEST:
        raise TooLarge("the answer is too large to be sent")
    return data


@dataclass(frozen=True)
class Drawing:
    """A picture: ``what`` is board, pieces or tiling, in one of satcal's own themes."""

    what: str
    theme: str
    reveal: Reveal = ()
    placements: tuple[str, ...] = ()

    def of(self, puzzle: Puzzle) -> Picture:
        """Return the picture of a puzzle."""
        from satcal.draw.pictures import board_picture, pieces_picture, tiling_picture
        from satcal.draw.theme import load_theme

        theme = load_theme(self.theme)
        if self.what == "board":
            return board_picture(puzzle, theme)
        if self.what == "pieces":
            return pieces_picture(puzzle, theme)
        placements = [parse_placement(puzzle, text) for text in self.placements]
        return tiling_picture(puzzle, self.reveal, placements, theme, " ".join(self.reveal))


def png(puzzle: Puzzle, drawing: Drawing, size: int) -> bytes:
    """Return a picture as a PNG."""
    return drawing.of(puzzle).encode(".png", size)


def svg(puzzle: Puzzle, drawing: Drawing) -> bytes:
    """Return a picture as an SVG."""
    return drawing.of(puzzle).svg().encode()
