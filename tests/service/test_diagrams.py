"""The diagrams that are kept hot: which of them give way, and their slices."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from looping import awaited
from serving import inside

from satcal.diagram.puzzle import open_diagram
from satcal.puzzle.loading import load
from satcal.service import answers
from satcal.service.answers import Position, Slices, Warm


def test_a_diagram_that_somebody_waits_for_does_not_give_way(tmp_path) -> None:
    paths = [f"/api/v1/puzzles/{name}/counts?year=2025" for name in ("tetromino", "a-puzzle-a-day")]

    async def ask() -> list[httpx.Response]:
        async with inside(tmp_path, diagrams=1) as client:
            both = await asyncio.gather(*map(client.get, paths))
            return [*both, await client.get(paths[1]), await client.get(paths[0])]

    first, refused, second, again = awaited(ask())
    assert refused.status_code == 503, refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    assert "ask again in a moment" in refused.json()["detail"]
    assert [said.status_code for said in (first, second, again)] == [200] * 3
    assert first.json() == again.json()


@pytest.mark.parametrize("slots", [1, 2, 3, 20])
def test_reveals_are_counted_however_few_slices_are_kept(monkeypatch, slots) -> None:
    monkeypatch.setattr(answers, "SLICES", slots)
    puzzle = load("tetromino")
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    slices = Slices(diagram)
    for month in puzzle.categories["month"]:
        Warm((month,)).answer(slices)
    counts = diagram.counts()
    for reveal in [*list(puzzle.reveals())[:40], *list(puzzle.reveals())[:3]]:
        said = Position(reveal, ()).answer(slices)
        assert f'"tilings":{counts[reveal]}}}'.encode() in said
        assert len(slices._known) <= slots
