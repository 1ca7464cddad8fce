"""What processes do for the service: the tasks of jobs, and files for which a request waits.

A task is what the server sends and the store keeps. Whoever does it imports what that needs.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from satcal.errors import TooLarge
from satcal.files import read_bytes
from satcal.puzzle.demands import parse_demands, parse_placement
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.toml import check_area, parse_puzzle
from satcal.service.config import Means

if TYPE_CHECKING:  # what only a process imports that does the work
    from satcal.certificates.checking import Report
    from satcal.counting.settings import Method, Question

INTERVAL = 0.2  # seconds between two reports
LARGEST = 32 * 2**20  # bytes of a formula that the server takes
Tell = Callable[[dict[str, Any]], None]


class Result(NamedTuple):
    """What came of a job: the fields that its client sees, and its file."""

    fields: dict[str, Any]
    file: bytes | None = None


def sometimes(tell: Tell) -> Callable[..., None]:
    """A function that tells fields, unless it did so a moment ago."""
    last = 0.0

    def tell_sometimes(**fields: object) -> None:
        nonlocal last
        if time.monotonic() - last >= INTERVAL:
            last = time.monotonic()
            tell(fields)

    return tell_sometimes


@dataclass(frozen=True, kw_only=True)
class Task(ABC):
    """What a job is to do; each kind of job has a subclass. Only its owner may see the job."""

    kind: ClassVar[str]
    owner: str | None = None

    @abstractmethod
    def do(self, means: Means, tell: Tell) -> Result:
        """Do it, in a process of its own, and tell how far it is."""

    def request(self) -> dict[str, Any]:
        """The task as the store keeps it."""
        fields = {name: value for name, value in asdict(self).items() if value is not None}
        return {"kind": self.kind, **fields}


@dataclass(frozen=True, kw_only=True)
class PuzzleTask(Task):
    """A task about a puzzle: its name, its definition, and whether a client has posted it."""

    puzzle: str
    text: str
    posted: bool

    def parsed(self) -> Puzzle:
        """The puzzle."""
        return parse_puzzle(self.text, "the definition" if self.posted else self.puzzle)


@dataclass(frozen=True, kw_only=True)
class Count(PuzzleTask):
    """Count reveals by a method; each one is stored when it is counted, and never counted twice."""

    kind = "count"
    method: str
    place: list[str]
    reveals: list[list[str]]

    def do(self, means: Means, tell: Tell) -> Result:
        """Count."""
        from satcal.counting.settings import Question, method_of
        from satcal.store.resuming import Keeper

        puzzle = self.parsed()
        demands = tuple(parse_demands(puzzle, self.place))
        reveals = [tuple(reveal) for reveal in self.reveals]
        question = Question(puzzle, reveals, demands)
        method = method_of(self.method, use_cache=not self.posted)
        counts: dict[Reveal, int] = {}
        tell_sometimes = sometimes(tell)

        def found(reveal: Reveal, tilings: int) -> None:
            tell_sometimes(done=len(counts), total=len(reveals), reveal=reveal, tilings=tilings)

        with closing(Keeper(means.store, required=False)) as keeper:
            counts |= keeper.recall(question, method)
            todo = list(dict.fromkeys(reveal for reveal in reveals if reveal not in counts))
            left = question.about(*todo)
            for reveal, tilings in _counted(left, method, means, found) if todo else ():
                counts[reveal] = tilings
                keeper.record(question, method, {reveal: tilings})
                found(reveal, tilings)
        tell({"done": len(reveals), "total": len(reveals)})
        rows = [{"reveal": reveal, "tilings": counts[reveal]} for reveal in reveals]
        return Result({"method": self.method, "rows": rows})


def _counted(
    question: Question,
    method: Method,
    means: Means,
    found: Callable[[Reveal, int], None],
) -> Iterator[tuple[Reveal, int]]:
    """Yield reveals with their counts; where this process lists the tilings, tell how many."""
    from satcal.counting.count import exact_counts
    from satcal.counting.settings import Assignment, ByDiagram, Run
    from satcal.counting.tilings import tilings

    run = Run(time_limit=means.seconds)
    if isinstance(method, ByDiagram) or means.cluster is not None:
        yield from exact_counts(Assignment(question, method, run), lambda _: _workers(means))
        return
    deadline = run.deadline()
    for reveal in question.reveals:
        number = 0
        for number, _ in enumerate(tilings(question.about(reveal), method, deadline), start=1):
            found(reveal, number)
        yield reveal, number


def _workers(means: Means) -> Executor:
    """The workers of the cluster, which do the tasks of a job within its limits."""
    from satcal.counting.cluster import Bounded, connect

    assert means.cluster is not None
    return Bounded(connect(means.cluster, 1), means.memory, means.seconds)


@dataclass(frozen=True, kw_only=True)
class Certificate(PuzzleTask):
    """Make a certificate of one reveal, check it before anybody gets it, and note it."""

    kind = "certificate"
    reveal: list[str]

    def do(self, means: Means, tell: Tell) -> Result:
        """Make it."""
        from satcal.certificates.certify import certify
        from satcal.store.evidence import record_evidence
        from satcal.store.results import Store

        tell({"step": "searching"})
        with nullcontext() if means.cluster is None else _workers(means) as executor:
            data = certify(self.parsed(), [tuple(self.reveal)], executor)
        tell({"step": "checking"})
        report, fields = _checked(data, tell)
        with Store(means.store) as store:
            proved = {tree.reveal: tree.tilings for tree in report.proved}
            record_evidence(
                store,
                report.puzzle,
                proved,
                report.sha256,
                report.bytes,
                ", ".join(report.checkers),
            )
        return Result(fields, data)


@dataclass(frozen=True, kw_only=True)
class Check(Task):
    """Check a certificate that somebody has uploaded."""

    kind = "check"

    def do(self, means: Means, tell: Tell) -> Result:
        """Check it."""
        tell({"step": "checking"})
        data = read_bytes(means.upload, "the certificate that was sent")
        return Result(_checked(data, tell)[1])


def _checked(data: bytes, tell: Tell) -> tuple[Report, dict[str, Any]]:
    """The report of a check, and what clients see of it."""
    from satcal.certificates.checking import check

    tell_sometimes = sometimes(tell)
    report = check(
        data, progress=lambda n, total, _: tell_sometimes(step=f"checked {100 * n // total} %")
    )
    proved = [{"reveal": tree.reveal, "tilings": tree.tilings} for tree in report.proved]
    return report, {
        "puzzle": report.puzzle.name,
        "library": report.library,
        "digest": report.puzzle.digest,
        "proved": proved,
        "tilings": report.parts[0].tilings,
        "checked_by": list(report.checkers),
        "lines": report.lines(),
    }


@dataclass(frozen=True, kw_only=True)
class Claims(Task):
    """Examine the published statements, as ``version`` of satcal does."""

    kind = "claims"
    version: str

    def do(self, means: Means, tell: Tell) -> Result:
        """Examine them."""
        from satcal.published.examination import Examination
        from satcal.published.reading import load_claims, published

        loaded = [load_claims(path) for path in published()]
        total, verdicts = sum(len(file.statements) for file in loaded), []
        tell_sometimes = sometimes(tell)
        for verdict in Examination(jobs=1).verdicts(loaded):
            verdicts.append(verdict.as_fields())
            tell_sometimes(done=len(verdicts), total=total)
        return Result({"verdicts": verdicts})


KINDS: dict[str, type[Task]] = {kind.kind: kind for kind in (Count, Certificate, Check, Claims)}


def task_of(request: dict[str, Any]) -> Task:
    """The task that the store has kept."""
    fields = dict(request)
    return KINDS[fields.pop("kind")](**fields)


def sizes(puzzle: Puzzle) -> dict[str, int]:
    """The sizes of a puzzle."""
    return {
        "cells": len(puzzle.cells),
        "pieces": sum(piece.copies for piece in puzzle.pieces),
        "reveals": math.prod(map(len, puzzle.categories.values())),
    }


def read_puzzle(text: str, name: str, most: dict[str, int]) -> tuple[str, int, bytes]:
    """satcal's own text of a posted puzzle of at most such sizes, and what follows from it:
    how many placements it has, and what the page is told of it by a name."""
    from satcal.puzzle.placements import number_of_placements
    from satcal.puzzle.writing import to_toml
    from satcal.site import edition

    puzzle = parse_puzzle(text, "the definition")
    for what, number in sizes(puzzle).items():
        if number > most[what]:
            raise TooLarge(
                f"{number:,} {what}, more than the {most[what]:,} that this service "
                "takes; `satcal count --board FILE` counts larger boards"
            )
    check_area(puzzle)
    return to_toml(puzzle), number_of_placements(puzzle), edition.describe(puzzle, name)


def export(
    puzzle: Puzzle, reveal: Reveal | None, place: tuple[str, ...], style: str, encoding: str | None
) -> bytes:
    """The formula of a reveal, or of all, for an external solver."""
    from satcal.encoding.export import export as text_of

    demands = parse_demands(puzzle, place)
    data = text_of(puzzle, reveal, format=style, encoding=encoding, demands=demands).encode()
    if len(data) > LARGEST:
        raise TooLarge("the answer is too large to be sent")
    return data


def picture(
    puzzle: Puzzle,
    style: str,
    size: int,
    what: str,
    theme: str,
    reveal: Reveal = (),
    placements: Iterable[str] = (),
) -> bytes:
    """A picture of the board, the pieces or a tiling as SVG, or as PNG of a size."""
    from satcal.draw import pictures
    from satcal.draw.theme import load_theme

    colours = load_theme(theme)
    if what == "board":
        drawn = pictures.board_picture(puzzle, colours)
    elif what == "pieces":
        drawn = pictures.pieces_picture(puzzle, colours)
    else:
        tiling = [parse_placement(puzzle, text) for text in placements]
        drawn = pictures.tiling_picture(puzzle, reveal, tiling, colours, " ".join(reveal))
    return drawn.svg().encode() if style == "svg" else drawn.encode(".png", size)


def preview(puzzle: Puzzle, reveal: Reveal) -> bytes:
    """The page's preview of a reveal as PNG."""
    from satcal.draw.preview import WIDTH, preview_picture
    from satcal.draw.theme import load_theme

    return preview_picture(puzzle, load_theme(), reveal).encode(".png", WIDTH)
