"""What people send who mean harm, and the answers they get; the server works on after each."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from benchmarks.growing import rectangle
from helpers.servers import ANN
from helpers.waiting import until

OCTETS = {"Content-Type": "application/octet-stream"}
SCRIPT = "<script>alert(1)</script>"
SLOW = {"kind": "count", "puzzle": "weekday", "method": "search"}


@pytest.fixture(scope="module")
def trickling(server):
    """A body and a head that never end, begun at once, so that nobody has to wait for them."""
    head = b"POST /api/v1/puzzles HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    slow = [head + b"Content-Length: 1000\r\n\r\n{", b"GET / HTTP/1.1\r\nHost: local"]

    def timed(data: bytes) -> tuple[bytes, float]:
        begun = time.monotonic()
        return server.raw(data, 30), time.monotonic() - begun

    threads = ThreadPoolExecutor(2)
    yield [threads.submit(timed, data) for data in slow]
    threads.shutdown(wait=False)


@pytest.fixture(autouse=True)
def works_on(server, trickling):
    """Whatever was sent, the server answers the next one, and no process of its own is stuck."""
    yield
    with server.client() as client:
        found = client.get("/api/v1/puzzles/rhombus/remaining", params={"date": "2025-10-23"})
    assert found.json()["tilings"] == 201


DAYS = range(15)
MANY_REVEALS = (
    f'board = "{" ".join(f"{c}{n}" for c in "abcd" for n in DAYS)}"\n[categories]\n'
    + "\n".join(f"{c} = {[f'{c}{n}' for n in DAYS]}" for c in "abcd")
    + '\n[pieces]\nI = { shape = "#", copies = 56 }\n'
)
BODIES = {
    "oversized": (b'{"definition": "' + b"x" * 2_000_000 + b'"}', 413, "the body is larger than"),
    "nested": (b"[" * 200_000, 400, "the body cannot be read"),
    "no UTF-8": (b"\xff\xfe\x00", 400, "the body cannot be read"),
    "cut off": (b'{"definition": ', 422, "JSON decode error"),
    "extra": ({"definition": "", "more": 1}, 422, "there is no field 'more'"),
    "long": ({"definition": "a" * 262_145}, 422, "at most 262144"),
    "cells": ({"definition": rectangle(16, 17, {"I": ("#", 272)})}, 413, "272 cells"),
    "pieces": ({"definition": rectangle(1, 64, {"I": ("#", 65)})}, 413, "65 pieces"),
    "reveals": ({"definition": MANY_REVEALS}, 413, "50,625 reveals"),
}


@pytest.mark.parametrize(("body", "status", "detail"), BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_puzzle_or_one_too_large_is_refused(
    api: httpx.Client, body, status, detail
) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    said = api.post("/puzzles", content=content, headers={"Content-Type": "application/json"})
    assert said.status_code == status, said.text
    assert said.headers["content-type"] == "application/problem+json"
    assert detail in said.json()["detail"]


def test_a_diagram_that_would_eat_all_memory_is_refused_and_its_process_ends(proxied) -> None:
    shapes = ("###\\n#..", "###\\n.#.", ".##\\n##.", "####", "##\\n##", "####", "##\\n##")
    board = rectangle(14, 14, {f"A{n}": (shape, 7) for n, shape in enumerate(shapes)})
    with proxied.api() as api:
        api.headers.update({"Host": "puzzles.example", "Authorization": f"Bearer {ANN}"})
        posted = api.post("/puzzles", json={"definition": board})
        answer = api.get(f"/puzzles/{posted.json()['id']}/counts", timeout=140)
        assert answer.status_code in (413, 503), answer.text
        assert api.get("/puzzles/rhombus/counts").status_code == 200


def test_labels_and_names_that_are_markup_stay_text_in_every_answer(server, api) -> None:
    text = (
        f"name = '{SCRIPT}'\ntitle = '\"><img src=x onerror=alert(1)>'\nsource = '{SCRIPT}'\n"
        f"board = '{SCRIPT} \u0635 \U0001f9e9 *'\n[categories]\n"
        f"'{SCRIPT}' = ['{SCRIPT}', '\u0635', '\U0001f9e9']\n[pieces]\nI = '#'\nD = '##'\n"
    )
    puzzle = api.post("/puzzles", json={"definition": text}).json()["id"]
    for path in ("board.svg", "pieces.svg"):
        picture = api.get(f"/puzzles/{puzzle}/{path}")
        assert "<script" not in picture.text
        assert picture.headers["content-security-policy"] == "default-src 'none'; sandbox"
    data = httpx.get(f"{server.url}/data/{puzzle}.json")
    assert data.headers["content-type"] == "application/json"
    assert data.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/puzzles/..%2f..%2fetc%2fpasswd",
        "/api/v1/puzzles/%2e%2e",
        "/api/v1/puzzles/etc%00",
        "/puzzles/..%2f..%2fetc%2fpasswd",
        "/static/../../../etc/passwd",
        "/static/%2e%2e/app.py",
        "/api/v1/jobs/..%2f..",
        "/api/v1/puzzles/posted-%27%20OR%201",
    ],
)
def test_a_path_names_a_puzzle_or_nothing_and_never_a_file(server, path) -> None:
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    said = server.raw(head.encode())
    assert said.startswith(b"HTTP/1.1 404 ")
    assert b"root:" not in said


def test_an_upload_and_an_address_beyond_their_limits_are_refused(api: httpx.Client) -> None:
    said = api.post("/certificates", content=bytes(33 * 2**20), headers=OCTETS)
    assert said.status_code == 413
    assert api.get("/puzzles?" + "x" * 17_000).status_code == 414
    assert api.get("/puzzles", headers={"X": "y" * 70_000}).status_code in (400, 431)


def test_no_more_streams_are_open_than_allowed_and_dropped_ones_are_given_back(
    server, api: httpx.Client
) -> None:
    job = api.post("/jobs", json=SLOW | {"date": "2025-03-04"}).json()
    path = f"{server.url}/api/v1/jobs/{job['id']}/events"
    with ExitStack() as opened:
        client = opened.enter_context(httpx.Client(timeout=30))
        for _ in range(16):
            assert opened.enter_context(client.stream("GET", path)).status_code == 200
        said = api.get(f"/jobs/{job['id']}/events")
        assert (said.status_code, said.headers["retry-after"]) == (503, "2")
        assert "you may have at most 16 event streams" in said.json()["detail"]
    assert httpx.head(path).status_code == 200  # HEAD takes one, and no body
    until(lambda: "satcal_streams 0.0" in httpx.get(f"{server.url}/metrics").text)
    api.delete(f"/jobs/{job['id']}")


def test_a_name_that_is_not_ours_is_not_answered(server) -> None:
    with server.client() as client:
        assert client.get("/", headers={"Host": "rebound.example"}).status_code == 421
        assert client.get("/", headers={"Host": "localhost:1"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/v1/puzzles"])
def test_every_answer_tells_the_browser_to_trust_nothing_else(server, path) -> None:
    headers = httpx.get(f"{server.url}{path}").headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_a_body_or_a_head_that_trickles_in_is_cut_off(trickling) -> None:
    (body, waited), (unsaid, _) = (each.result() for each in trickling)
    assert body.startswith(b"HTTP/1.1 408 ")
    assert unsaid == b""
    assert waited > 9
