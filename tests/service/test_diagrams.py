"""The diagrams that are kept hot: which of them give way, and their slices."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import Any

import httpx
import pytest

import satcal
from helpers.servers import inside
from helpers.waiting import awaited
from satcal.diagram.puzzle import open_diagram
from satcal.errors import NoTiling, Stopped
from satcal.puzzle.loading import load
from satcal.puzzle.ranges import Range
from satcal.service import answers
from satcal.service.answers import (
    DrawnTiling,
    Help,
    Page,
    Position,
    Slices,
    TableAsked,
    answer,
    build,
)
from satcal.service.config import Limits
from satcal.service.diagrams import DiagramProcess
from satcal.service.puzzles import ShelfEntry


def test_a_diagram_that_somebody_waits_for_does_not_give_way(tmp_path) -> None:
    paths = [f"/api/v1/puzzles/{name}/counts?year=2025" for name in ("tetromino", "a-puzzle-a-day")]

    async def ask() -> list[httpx.Response]:
        async with inside(tmp_path, diagrams=1) as client:
            both = await asyncio.gather(*map(client.get, paths))
            return [*both, await client.get(paths[1]), await client.get(paths[0])]

    first, refused, second, again = awaited(ask())
    assert refused.status_code == 503, refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    assert "try again in a moment" in refused.json()["detail"]
    assert [said.status_code for said in (first, second, again)] == [200] * 3
    assert first.json() == again.json()


def test_answers_that_nobody_waits_for_any_more_leave_no_traceback(caplog) -> None:
    puzzle = load("tetromino")
    question = TableAsked("mine", Range(year=2025), csv=False)

    async def leave() -> None:
        process = DiagramProcess(ShelfEntry("1", "", puzzle, 0, b"", posted=True), Limits())
        asking = [asyncio.create_task(process.ask(question)) for _ in range(5)]
        await asking[0]
        for each in asking:
            each.cancel()
        await process.close()
        with pytest.raises(Stopped, match="its process was closed; try again"):
            await process._child.ask(5, "late", build, puzzle, False, 10**9)

    awaited(leave())
    gc.collect()  # asyncio tells of errors that nobody heard when their task is thrown away
    assert not caplog.records


@pytest.mark.parametrize("slots", [1, 3, 600])
def test_reveals_are_counted_however_few_slices_are_kept(monkeypatch, slots) -> None:
    monkeypatch.setattr(answers, "SLICES", slots)
    puzzle = load("tetromino")
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    slices, counts = Slices(diagram), diagram.counts()
    for reveal in [*list(puzzle.reveals())[:40], *list(puzzle.reveals())[:3]]:
        said = Position(reveal, ()).answer(slices)
        assert f'"tilings":{counts[reveal]}}}'.encode() in said
        assert slices.of.cache_info().currsize <= slots


def test_a_process_that_holds_a_diagram_answers_every_kind_of_question() -> None:
    puzzle = load("tetromino")
    assert build(puzzle, use_cache=False, memory=10**9) is None

    def asked(question: Any) -> Any:
        return json.loads(answer(question))

    month = Range(month="2025-01")
    january = [satcal.count(puzzle, puzzle.reveal(f"2025-01-{day:02}")) for day in range(1, 32)]
    table = asked(TableAsked("mine", month, csv=False))
    assert (table["puzzle"], table["total"]) == ("mine", sum(january))
    assert [row["tilings"] for row in table["rows"]] == january
    text = answer(TableAsked("mine", month, csv=True)).decode()
    assert text.splitlines()[:2] == [
        "date,month,day,tilings,methods",
        f"2025-01-01,Jan,1,{january[0]},diagram",
    ]
    new_year = puzzle.reveal("2025-01-01")
    tilings = [list(map(str, each)) for each in satcal.tilings(puzzle, new_year)]
    page = asked(Page(new_year, (), offset=1, limit=2))
    assert [item["placements"] for item in page["items"]] == tilings[1:3]
    drawn = asked(DrawnTiling(new_year, (), seed=7))["items"][0]
    assert drawn["placements"] == tilings[drawn["rank"]]
    hint = asked(Help(new_year, (tilings[0][0],)))
    assert hint["tilings"] == sum(tilings[0][0] in each for each in tilings)
    with pytest.raises(NoTiling, match="no tiling has rank"):
        answer(Page(new_year, (), offset=10**6, rank=True))
