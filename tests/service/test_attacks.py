"""Attacks in a row against one real server: it answers throughout, stays small, and works on."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest
from serving import Server, finished, start
from watching import Watch, watched

OTHERS = "127.0.0.2"  # where the attacks come from
BOARD = 'board = "* * * *\\n* * * *"\n[pieces]\nL4 = {{ shape = "###\\n#..", copies = 2 }}\n# {}\n'


@pytest.fixture(scope="module")
def attacked(tmp_path_factory, cache) -> Iterator[Watch]:
    with start(tmp_path_factory.mktemp("attacked"), cache) as server:
        assert httpx.get(f"{server.url}/ready", timeout=60).status_code == 200
        with watched(server) as watch:
            yield watch


@pytest.fixture(autouse=True)
def alive_small_and_quick(attacked) -> Iterator[None]:
    yield
    attacked.check()
    with attacked.server.client() as client:
        found = client.get("/api/v1/puzzles/rhombus/remaining", params={"date": "2025-10-23"})
    assert found.json()["tilings"] == 201


@pytest.fixture(scope="module")
def stranger(attacked) -> Iterator[httpx.Client]:
    """A client at another address than the supervisor's."""
    limits = httpx.Limits(max_connections=60)
    transport = httpx.HTTPTransport(local_address=OTHERS, limits=limits)
    base = f"{attacked.server.url}/api/v1"
    with httpx.Client(base_url=base, timeout=120, transport=transport) as client:
        yield client


def at_once(asking, number: int = 40) -> list[httpx.Response]:
    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(asking, range(number)))


def connections(server: Server, number: int, address: str) -> list[socket.socket]:
    where = urlsplit(server.url)
    return [
        socket.create_connection((where.hostname, where.port), 30, (address, 0))
        for _ in range(number)
    ]


SQUARE = "\n".join(["#" * 480] * 480)
GROWING = {
    "dots": ("a." * 120_000 + "a = 1", 422),
    "quoted": (".".join(['"a"'] * 12_000) + " = 1", 422),
    "tables": ("\n".join(f"[a{number}]" for number in range(30_000)), 422),
    "piece": (f'board = "*"\n[pieces]\nA = """\n{SQUARE}"""\n', 413),
    "columns": ('board = "' + "* " * 120_000 + '"', 413),
    "labels": (f'board = "*"\n[categories]\nc = {[str(n) for n in range(30_000)]}', 413),
    "label": (f'board = "{"a" * 240_000}"', 422),
}


@pytest.mark.parametrize("name", GROWING)
def test_a_definition_that_grows_when_it_is_read(stranger, name) -> None:
    text, status = GROWING[name]
    said = at_once(lambda _: stranger.post("/puzzles", json={"definition": text}), 20)
    assert status in {each.status_code for each in said} <= {status, 503}


def test_a_range_of_all_years_is_refused_by_its_ends(stranger) -> None:
    path = "/puzzles/rhombus/counts"
    ask = {"from": "0001-01-01", "to": "9999-12-31"}
    said = at_once(lambda _: stranger.get(path, params=ask))
    assert {each.status_code for each in said} == {400}
    assert said[0].json()["detail"] == "3,652,059 rows, more than 10,000; ask for fewer years"
    elsewhere = stranger.get(path, params=ask, headers={"Sec-Fetch-Site": "cross-site"})
    assert elsewhere.status_code == 403


def test_the_longest_tables_by_many_at_a_time(stranger) -> None:
    def ask(number: int) -> httpx.Response:
        style = "csv" if number % 2 else "json"
        dates = {"from": f"{1900 + number}-01-01", "to": f"{1926 + number}-12-31", "format": style}
        return stranger.get("/puzzles/rhombus/counts", params=dates)

    assert {each.status_code for each in at_once(ask)} == {200}


def test_bodies_of_half_a_megabyte_that_are_wrong_in_every_part(stranger) -> None:
    many = {f"a{number}": 1 for number in range(40_000)}
    count = {"kind": "count", "puzzle": "rhombus", "method": "diagram"}
    wrong = [{"definition": "", **many}, {**count, **many}, {**count, "reveals": [[1] * 32] * 3500}]
    bodies = [*(json.dumps(each).encode() for each in wrong), b"[" * 500_000,
              b'{"definition":' * 35_000, json.dumps([[]] * 125_000).encode()]  # fmt: skip
    headers = {"Content-Type": "application/json"}
    for body in bodies:
        said = at_once(
            lambda _, body=body: stranger.post("/jobs", content=body, headers=headers), 10
        )
        assert {each.status_code for each in said} <= {400, 422, 503}


def test_a_job_of_all_reveals_with_everything_placed(stranger) -> None:
    reveals = [["Thu", "Oct", "23"]] * 4000
    place = [f"{name}@r{row}c{column}" for name in "NX" for row in range(4) for column in range(8)]
    asked = {"kind": "count", "puzzle": "rhombus", "reveals": reveals, "place": place}
    said = at_once(lambda _: stranger.post("/jobs", json=asked), 10)
    assert {each.status_code for each in said} <= {202, 422, 503}


def test_certificates_that_are_none_are_gone_from_the_disk_when_that_is_known(
    attacked, stranger
) -> None:
    store = attacked.server.store
    before = store.stat().st_size
    headers = {"Content-Type": "application/octet-stream"}
    waste = bytes(32 * 2**20)
    said = at_once(lambda _: stranger.post("/certificates", content=waste, headers=headers))
    assert {202, 503} <= {each.status_code for each in said} <= {202, 408, 503}
    assert any("of certificates for you" in each.text for each in said)
    for each in said:
        if each.status_code == 202:
            assert finished(stranger, each.json())["state"] == "failed"
    assert list(store.with_name(f"{store.name}.uploads").iterdir()) == []
    assert store.stat().st_size < before + 2**20


def test_slow_connections_have_a_share_and_are_told_so(attacked, stranger) -> None:
    slow = connections(attacked.server, 600, OTHERS)
    try:
        for line in slow[:500]:
            line.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        assert httpx.get(f"{attacked.server.url}/api/v1/puzzles").status_code == 200
        time.sleep(2)  # until those are gone that were one too many
        with httpx.Client(transport=httpx.HTTPTransport(local_address=OTHERS)) as another:
            said = another.get(f"{attacked.server.url}/api/v1/puzzles")
        assert (said.status_code, said.headers["retry-after"]) == (503, "2")
        assert said.json()["detail"] == "more than 128 connections for you; ask again in a moment"
    finally:
        for line in slow:
            line.close()


@pytest.mark.long
def test_boards_that_are_hard_and_large_exports(stranger) -> None:
    shapes = ("###\\n#..", "###\\n.#.", ".##\\n##.", "####", "##\\n##", "###\\n#..", "##\\n##")
    pieces = "\n".join(
        f'{name} = {{ shape = "{shape}", copies = 7 }}'
        for name, shape in zip("ABCDEFG", shapes, strict=True)
    )
    text = 'board = """\n' + ("* " * 14 + "\n") * 14 + f'"""\n[pieces]\n{pieces}\n'
    said = [stranger.post("/puzzles", json={"definition": f"{text}# {n}"}) for n in range(4)]

    def ask(number: int) -> httpx.Response:
        path = f"/puzzles/{said[number % 4].json()['id']}/{('board.png', 'export')[number % 2]}"
        return stranger.get(path, params={"encoding": ("plain", "ladder", "owner")[number % 3]})

    assert {each.status_code for each in at_once(ask, 24)} <= {200, 413, 503}


def test_answers_that_nobody_reads(attacked) -> None:
    lines = connections(attacked.server, 100, OTHERS)
    for number, line in enumerate(lines):
        dates = f"from={1000 + number}-01-01&to={1026 + number}-12-31"
        path = f"/api/v1/puzzles/rhombus/counts?{dates}"
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    time.sleep(3)
    for line in lines:
        line.close()


def test_jobs_by_the_hundred_with_long_definitions(stranger) -> None:
    text = BOARD.format("x" * 200_000)
    name = stranger.post("/puzzles", json={"definition": text}).json()["id"]
    for number in range(200):
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
            for line in connections(attacked.server, 100, OTHERS):
                line.sendall(data)
                line.close()
