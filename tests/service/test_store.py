"""The server and its store: one server, changes one at a time, and what clients hear of it."""

from __future__ import annotations

import asyncio
import sqlite3
import time

import httpx
import pytest

from helpers.servers import inside, start
from helpers.waiting import awaited
from satcal.service.queue import Turns
from satcal.service.writing import without_folder
from satcal.store.jobs import Job
from satcal.store.location import parse_location

QUICK = {"kind": "count", "puzzle": "tetromino", "method": "diagram", "reveals": [["Jan", "1"]]}


@pytest.mark.promise("a second server on a store")
def test_a_second_server_on_a_store_says_so_and_exits_3(satcal, tmp_path) -> None:
    with start(tmp_path) as running:
        said = satcal("serve", "--port", "0", "--store", str(running.store))
        assert said.code == 3
        assert said.err == (
            f"satcal: error: store {running.store}: another server uses it; end that one, or "
            "choose another store with --store\n"
        )
        with running.api() as api:
            assert api.post("/jobs", json=QUICK).status_code == 202
        running.process.kill()
        running.process.wait()
    with start(tmp_path) as again, again.api() as api:
        assert len(api.get("/jobs").json()) == 1


def test_turns_are_by_owner() -> None:
    async def ask() -> list[str]:
        turns = Turns()
        for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
            turns.put(Job(name, {"kind": "claims", "owner": name[0]}))
        first = [(await turns.get()).id for _ in range(4)]
        turns.put(Job("d1", {"kind": "claims"}))
        return first + [(await turns.get()).id for _ in range(3)]

    assert awaited(ask()) == ["a1", "b1", "c1", "a2", "b2", "a3", "d1"]


@pytest.mark.promise("another process's lock")
def test_a_locked_store_costs_each_request_its_own_patience_only(tmp_path) -> None:
    async def ask() -> tuple[list[httpx.Response], float]:
        async with inside(tmp_path, patience=0.5) as client:
            with sqlite3.connect(tmp_path / "store.sqlite", isolation_level=None) as holder:
                holder.execute("BEGIN IMMEDIATE")
                begun = time.monotonic()
                asked = [
                    client.post("/api/v1/jobs", json=QUICK | {"reveals": [["Jan", str(day)]]})
                    for day in range(1, 11)
                ]
                said = await asyncio.gather(*asked)
                took = time.monotonic() - begun
                holder.execute("ROLLBACK")
            holder.close()
            assert (await client.post("/api/v1/jobs", json=QUICK)).status_code == 202
            return said, took

    said, took = awaited(ask())
    assert {each.status_code for each in said} == {503}
    assert "store store.sqlite: another process holds its lock" in said[0].json()["detail"]
    assert str(tmp_path) not in said[0].text
    assert took < 10 * 0.5


@pytest.mark.promise("a store deleted while a server uses it")
def test_with_the_store_deleted_jobs_and_boards_are_refused(tmp_path) -> None:
    with start(tmp_path) as running, running.api() as api:
        assert api.post("/jobs", json=QUICK).status_code == 202
        running.store.unlink()
        said = api.post("/jobs", json=QUICK | {"reveals": [["Jan", "2"]]})
        assert said.status_code == 503
        assert said.json()["detail"] == "the store's file was removed; restart the server"
        assert api.get("/puzzles").status_code == 200


@pytest.mark.parametrize(
    ("where", "text", "shown"),
    [
        ("/a/b/s.sqlite", "store /a/b/s.sqlite: it is full", "store s.sqlite: it is full"),
        ("s.sqlite", "store s.sqlite: it is full", "store s.sqlite: it is full"),
        (
            "postgresql://u:p@h/d",
            "store postgresql+psycopg://u:***@h/d: gone",
            "store in the database: gone",
        ),
    ],
)
def test_where_a_store_is_stays_unsaid(where, text, shown) -> None:
    assert without_folder(text, parse_location(where)) == shown
