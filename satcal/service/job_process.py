"""``python -m satcal.service.job_process``: does one job, tells how far it is, and ends."""

from __future__ import annotations

import base64
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from satcal.counting.settings import Settings
from satcal.counting.tilings import diagram_for, tilings
from satcal.errors import Missing, TooLarge
from satcal.evidence.checking import Report, check
from satcal.files import read_bytes
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.place import parse_demands
from satcal.puzzle.placements import number_of_placements
from satcal.puzzle.toml import check_area, parse_puzzle
from satcal.puzzle.writing import to_toml
from satcal.service import clustered
from satcal.service.child import answer, begin, dumps, lines, progress
from satcal.store.location import Location
from satcal.store.resuming import Keeper

CUT_ABOVE = 1000  # tilings of a proof: a checker's memory grows with it, and a job has little
INTERVAL = 0.2  # seconds between two reports
Result = tuple[dict[str, Any], bytes | None]
Tell = Callable[[Reveal, int], None]
"""Told of a reveal, and how many tilings of it are found."""


class Reports:
    """Tells how far the work is, not too often."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, **fields: object) -> None:
        """Report, unless that was done a moment ago."""
        now = time.monotonic()
        if now - self._last >= INTERVAL:
            self._last = now
            progress(**fields)


def _puzzle(request: dict[str, Any]) -> Puzzle:
    return parse_puzzle(
        request["text"], "the definition" if request["posted"] else request["puzzle"]
    )


def count(request: dict[str, Any], message: dict[str, Any]) -> Result:
    """Count reveals by a method; each one is stored when it is finished, and never counted twice.

    Raises:
        BudgetExhausted: the time was up; what was counted is stored.
        Stopped, InputError: the cluster is lost, or not fit; what was counted is stored.
    """
    puzzle = _puzzle(request)
    demands = tuple(parse_demands(puzzle, request["place"]))
    settings = Settings(method=request["method"], demands=demands, use_cache=not request["posted"])
    reveals = [puzzle.check_reveal(tuple(reveal)) for reveal in request["reveals"]]
    keeper, report = Keeper(_location(message["store"]), required=False), Reports()
    counts: dict[Reveal, int] = {}

    def tell(reveal: Reveal, found: int) -> None:
        report(done=len(counts), total=len(reveals), reveal=list(reveal), tilings=found)

    try:
        counts |= keeper.recall(puzzle, reveals, settings)
        todo = list(dict.fromkeys(reveal for reveal in reveals if reveal not in counts))
        for reveal, found in _counted(puzzle, todo, settings, message, tell):
            counts[reveal] = found
            keeper.record(puzzle, settings, {reveal: found})
            tell(reveal, found)
    finally:
        keeper.close()
    rows = [{"reveal": list(reveal), "tilings": counts[reveal]} for reveal in reveals]
    return {"method": request["method"], "rows": rows}, None


def _counted(
    puzzle: Puzzle, todo: list[Reveal], settings: Settings, message: dict[str, Any], tell: Tell
) -> Iterator[tuple[Reveal, int]]:
    """Yield reveals with their counts; a diagram, which knows all at once, stays here."""
    if message["cluster"] is None or settings.method == "diagram":
        return _counted_here(puzzle, todo, settings, message["seconds"], tell)
    return clustered.counts(puzzle, todo, settings, clustered.Terms.of(message))


def _counted_here(
    puzzle: Puzzle, todo: list[Reveal], settings: Settings, seconds: float, tell: Tell
) -> Iterator[tuple[Reveal, int]]:
    deadline = time.monotonic() + seconds
    if settings.method == "diagram":
        yield from _by_diagram(puzzle, todo, settings, deadline)
        return
    for reveal in todo:
        found = 0
        for found, _ in enumerate(tilings(puzzle, reveal, settings, deadline), start=1):
            tell(reveal, found)
        yield reveal, found


def _by_diagram(
    puzzle: Puzzle, todo: list[Reveal], settings: Settings, deadline: float
) -> Iterator[tuple[Reveal, int]]:
    """Yield reveals with their counts from one diagram, or from one for each.

    Never layer by layer: strangers could fill the disk.

    Raises:
        BudgetExhausted: the time was up.
        TooLarge: the diagram of a reveal needs more memory than a job has.
    """
    if not todo:
        return
    known: dict[Reveal, int] = {}
    try:
        known = diagram_for(puzzle, todo, settings, deadline).counts(settings.demands)
    except TooLarge:
        if len(todo) == 1:
            raise
    for reveal in todo:
        if reveal not in known:
            diagram = diagram_for(puzzle, [reveal], settings, deadline)
            known = {reveal: diagram.count(reveal, settings.demands)}
        yield reveal, known[reveal]


def _location(said: dict[str, Any]) -> Location:
    path = Path(said["path"]) if said["path"] else None
    return Location(path, said["url"], said["patience"])


def certificate(request: dict[str, Any], message: dict[str, Any]) -> Result:
    """Make a certificate of one reveal, check it before anybody gets it, and note it.

    Raises:
        StoreError: it cannot be noted.
        Stopped, InputError: the cluster is lost, or not fit.
    """
    from satcal.evidence.certify import certify
    from satcal.store.evidence import record_evidence
    from satcal.store.results import Store

    puzzle = _puzzle(request)
    reveal: Reveal = puzzle.check_reveal(tuple(request["reveal"]))
    report = Reports()
    progress(step="finding tilings")
    with clustered.lent(clustered.Terms.of(message)) as executor:
        data = certify(
            puzzle, reveal, cut_above=CUT_ABOVE, executor=executor,
            progress=lambda said: report(step=f"proved {said}"), use_cache=not request["posted"],
        )  # fmt: skip
    checked = check(data, progress=_replaying)
    with Store(_location(message["store"])) as store:
        proved = {each.reveal: each.tilings for each in checked.proved}
        record_evidence(store, checked.puzzle, proved, data, ", ".join(checked.checkers))
    return _checked(checked), data


def _replaying(done: int, total: int) -> None:
    progress(step=f"replayed {done} of {total}")


def check_upload(_: object, message: dict[str, Any]) -> Result:
    """Check a certificate that somebody has uploaded."""
    progress(step="checking")
    data = read_bytes(Path(message["upload"]), "the certificate that was sent")
    return _checked(check(data, progress=_replaying)), None


def _checked(report: Report) -> dict[str, Any]:
    proved = [{"reveal": list(each.reveal), "tilings": each.tilings} for each in report.proved]
    return {
        "puzzle": report.puzzle.name, "library": report.library, "digest": report.puzzle.digest,
        "proved": proved, "tilings": sum(each["tilings"] for each in proved),
        "checked_by": list(report.checkers), "lines": report.lines(),
    }  # fmt: skip


def claims(_: object, message: object) -> Result:
    """Examine the published statements."""
    from satcal.evidence.claims import Examination, load_claims, published

    loaded = [load_claims(path) for path in published()]
    total, report, verdicts = sum(len(file.statements) for file in loaded), Reports(), []
    for verdict in Examination(jobs=1).verdicts(loaded):
        verdicts.append(verdict.as_fields())
        report(done=len(verdicts), total=total)
    return {"verdicts": verdicts}, None


def puzzle(request: dict[str, Any], _: object) -> Result:
    """Read a puzzle that somebody posts: satcal's own text of it, and its placements.

    Raises:
        PuzzleError: what is wrong with it, where, and how to mend it.
        TooLarge: more cells, pieces or reveals than the service takes.
    """
    found = parse_puzzle(request["text"], "the definition")
    sizes = {
        "cells": len(found.cells),
        "pieces": sum(piece.copies for piece in found.pieces),
        "reveals": math.prod(map(len, found.categories.values())),
    }
    for what, number in sizes.items():
        if number > request["limits"][what]:
            raise TooLarge(
                f"{number:,} {what}, more than the {request['limits'][what]:,} that this service "
                "takes; `satcal count --board FILE` counts larger boards"
            )
    check_area(found)
    return {}, dumps({"text": to_toml(found), "placements": number_of_placements(found)})


def export(request: dict[str, Any], _: object) -> Result:
    """Write a formula for an external solver."""
    from satcal.encoding.export import export as chunks

    puzzle = _puzzle(request)
    reveal = None if request["reveal"] is None else puzzle.check_reveal(tuple(request["reveal"]))
    demands = parse_demands(puzzle, request["place"])
    text = chunks(
        puzzle, reveal, format=request["format"], encoding=request["encoding"], demands=demands
    )
    return {}, "".join(text).encode()


def picture(request: dict[str, Any], _: object) -> Result:
    """Draw a PNG."""
    from satcal.service.pictures import draw

    return {}, draw(_puzzle(request), request).encode(".png", request["size"])


WORK: dict[str, Callable[[dict[str, Any], dict[str, Any]], Result]] = {
    "count": count, "certificate": certificate, "check": check_upload, "claims": claims,
    "export": export, "picture": picture, "puzzle": puzzle,
}  # fmt: skip


def main() -> None:
    """Do the job of the first line."""
    begin()
    message = next(lines())

    def work() -> bytes:
        request = message["request"]
        try:
            result, file = WORK[request["kind"]](request, message)
        except ModuleNotFoundError as error:
            raise Missing(
                f"{request['kind']} needs {error.name}, which is not installed"
            ) from error
        data = None if file is None else base64.b64encode(file).decode()
        return dumps({"result": result, "file": data})

    answer(work)


if __name__ == "__main__":
    main()
