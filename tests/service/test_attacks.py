"""Attacks in a row against one real server: it answers throughout, stays small, and works on."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import psutil
import pytest

from benchmarks.growing import rectangle
from helpers.servers import Server, finished

pytestmark = pytest.mark.usefixtures("survives")
OTHERS = "127.0.0.2"  # where the attacks come from
COUNTS = "/api/v1/puzzles/rhombus/counts"
GROWING = {
    "tables": ("\n".join(f"[a{number}]" for number in range(30_000)), 422),
    "columns": ('board = "' + "* " * 120_000 + '"', 413),
}


@pytest.fixture(scope="module")
def stranger(attacked) -> Iterator[httpx.Client]:
    """A client at another address than the supervisor's."""
    limits = httpx.Limits(max_connections=60)
    transport = httpx.HTTPTransport(local_address=OTHERS, limits=limits)
    base = f"{attacked.url}/api/v1"
    with httpx.Client(base_url=base, timeout=120, transport=transport) as client:
        yield client


def at_once(asking: Callable[[int], httpx.Response], number: int) -> set[int]:
    """Return how so many requests at a time are answered."""
    with ThreadPoolExecutor(number) as threads:
        return {said.status_code for said in threads.map(asking, range(number))}


def connections(server: Server, number: int) -> list[socket.socket]:
    return [server.connection(OTHERS) for _ in range(number)]


@pytest.mark.parametrize(("text", "status"), GROWING.values(), ids=GROWING)
def test_a_definition_that_grows_when_it_is_read(stranger, text, status) -> None:
    statuses = at_once(lambda _: stranger.post("/puzzles", json={"definition": text}), 20)
    assert status in statuses <= {status, 503}


def test_the_longest_tables_by_many_at_a_time(stranger) -> None:
    def ask(number: int) -> httpx.Response:
        style = "csv" if number % 2 else "json"
        dates = {"from": f"{1900 + number}-01-01", "to": f"{1926 + number}-12-31", "format": style}
        return stranger.get("/puzzles/rhombus/counts", params=dates)

    assert at_once(ask, 20) == {200}


@pytest.mark.parametrize(
    "path",
    ["/data/weekday.json", "/data/rhombus.bin", "/docs", "/api/v1/puzzles/weekday/pieces.svg"],
)
def test_what_takes_a_few_milliseconds_by_many_at_a_time(attacked, stranger, path) -> None:
    assert at_once(lambda _: stranger.get(attacked.url + path), 60) == {200}


def test_bodies_of_half_a_megabyte_that_are_wrong_in_every_part(stranger) -> None:
    many = {f"a{number}": 1 for number in range(40_000)}
    count = {"kind": "count", "puzzle": "rhombus", "method": "diagram"}
    place = [f"{name}@r{row}c{column}" for name in "NX" for row in range(4) for column in range(8)]
    wrong = [
        {"definition": "", **many},
        {**count, **many},
        {**count, "reveals": [[1] * 32] * 3500},
        {**count, "reveals": [["Thu", "Oct", "23"]] * 4000, "place": place},
    ]
    bodies = [
        *(json.dumps(each).encode() for each in wrong),
        b"[" * 500_000,
        b'{"definition":' * 35_000,
        json.dumps([[]] * 125_000).encode(),
    ]
    headers = {"Content-Type": "application/json"}
    for body in bodies:
        statuses = at_once(
            lambda _, body=body: stranger.post("/jobs", content=body, headers=headers), 6
        )
        assert statuses <= {202, 400, 422, 503}


def test_certificates_that_are_none_are_gone_from_the_disk_when_that_is_known(
    attacked, stranger
) -> None:
    before, jobs = attacked.store.stat().st_size, []

    def send(_: int) -> httpx.Response:
        headers = {"Content-Type": "application/octet-stream"}
        said = stranger.post("/certificates", content=bytes(32 * 2**20), headers=headers)
        if said.status_code == 202:
            jobs.append(said.json())
        return said

    assert {202, 503} <= at_once(send, 12) <= {202, 408, 503}
    assert {finished(stranger, job)["state"] for job in jobs} == {"failed"}
    assert list(attacked.store.with_name(f"{attacked.store.name}.uploads").iterdir()) == []
    assert attacked.store.stat().st_size < before + 2**20


def test_slow_connections_give_way_to_new_ones(attacked) -> None:
    slow = connections(attacked, 600)
    try:
        for line in slow[:550]:
            with suppress(ConnectionError):
                line.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        for _ in range(3):
            assert httpx.get(f"{attacked.url}/api/v1/puzzles").status_code == 200
        process = psutil.Process(attacked.process.pid)
        assert len(process.net_connections("tcp")) <= 513
    finally:
        for line in slow:
            line.close()


def test_answers_that_nobody_reads(attacked) -> None:
    paths = [f"{COUNTS}?from={1600 + n}-01-01&to={1626 + n}-12-31" for n in range(16)]
    lines = connections(attacked, 16)
    for path, line in zip(paths, lines, strict=True):
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert httpx.get(attacked.url + paths[-1], timeout=60).status_code == 200  # after all others
    for line in lines:
        line.close()


def test_jobs_by_the_hundred_with_long_definitions(stranger) -> None:
    text = rectangle(2, 4, {"L4": ("###\\n#..", 2)}) + "# " + "x" * 200_000
    name = stranger.post("/puzzles", json={"definition": text}).json()["id"]
    for number in range(60):
        place = [f"L4@r{number % 2}c{number % 4}"] if number % 3 else []
        asked = {"kind": "count", "puzzle": name, "method": "search", "place": place}
        job = stranger.post("/jobs", json=asked)
        assert job.status_code in (202, 503)
        if job.status_code == 202:
            stranger.delete(f"/jobs/{job.json()['id']}")


def test_heads_that_are_no_http_by_the_thousand_fill_no_log(attacked) -> None:
    head = b"POST /api/v1/puzzles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9"
    heads = {b"no\r\n\r\n": 20, b"\x16\x03\x01" + bytes(range(256)) * 300: 1, head * 50: 1}
    for data, times in heads.items():  # nobody reads the log, which is a pipe of 64 KiB
        for _ in range(times):
            for line in connections(attacked, 100):
                line.sendall(data)
                line.close()
