"""Requests and puzzle files at random: no fault of the server, no stall, no traceback.

The long test takes 20 minutes, or as many as SATCAL_FUZZ_MINUTES says. What fails is made again by
its number: ``at_random(number, ...)`` returns the same text.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from benchmarks import load
from helpers.servers import Server
from satcal.puzzle.loading import library, library_text

MINUTES = float(os.environ.get("SATCAL_FUZZ_MINUTES", "20"))
FILES = [library_text(name) for name in library()]
MARKS = [
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "\n",
    "\r",
    "\0",
    "\x1b[2J",
    "\u202e",
    "\ud7ff",
    "=",
    ".",
    ",",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "#",
    "*",
    "a.a.a",
    "0x" + "f" * 99,
    "1e999",
    "nan",
    "-1",
    "copies = ",
    "flip = ",
    "[pieces]",
    "[categories]",
    "[calendar]",
    "1979-05-27",
    "true",
    "é",
    "\U0001f9e9",
]
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
PUZZLE = "/api/v1/puzzles/tetromino"
REQUESTS = [
    f"GET {PUZZLE}/counts?from=2025-01-01&to=2025-02-01&format=csv HTTP/1.1\r\n",
    f"GET {PUZZLE}/hint?reveal=Oct,30&place=I4@r4c5 HTTP/1.1\r\n",
    f"GET {PUZZLE}/tilings/3?date=2025-10-30 HTTP/1.1\r\n",
    f"HEAD {PUZZLE}/tiling.svg?date=2025-10-30&rank=1&theme=dark HTTP/1.1\r\n",
    "GET /?token=a&date=2025-10-30 HTTP/1.1\r\nCookie: satcal_token=a; satcal_puzzle=tetromino\r\n",
    "POST /api/v1/puzzles HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 20\r\n",
    "DELETE /api/v1/jobs/x HTTP/1.1\r\nAuthorization: Bearer x\r\nOrigin: http://localhost\r\n",
    "GET /metrics HTTP/1.1\r\nIf-None-Match: W/x\r\nX-Forwarded-For: ::1\r\nAccept: */*\r\n",
]
PARTS = ["%", "%00", "%ff", "/", "//", "..", "?", "&", "=", ":", " ", "\t", "\r\n", "\0", "é"]


def at_random(number: int, seeds: Sequence[str], marks: Sequence[str]) -> str:
    """Return one of some texts with a few changes: the same number, the same text."""
    source = random.Random(number)
    text = source.choice(seeds)
    for _ in range(source.choice((1, 1, 2, 3, 8))):
        start, length = source.randrange(len(text) + 1), source.choice((0, 1, 2, 10, 60))
        part = text[start : start + length]
        times = source.choice((0, 0, 1, 2, 200)) if length else 1
        new = source.choice((part * times, source.choice(marks), source.choice(marks) * 50))
        text = (text[:start] + new + text[start + length :])[:200_000]
    return text


def numbers(seconds: float) -> Iterator[int]:
    """Yield 0, 1, 2... until the time is up."""
    end = time.monotonic() + seconds
    return itertools.takewhile(lambda _: time.monotonic() < end, itertools.count())


def send_raw(server: Server, seconds: float) -> int:
    """Send requests that may be none; return how many."""
    for number in numbers(seconds):
        text = f"{at_random(number, REQUESTS, PARTS)}Host: localhost\r\nConnection: close\r\n\r\n"
        said = server.raw(text.encode()[:60_000], 0.3)  # some leave before they are answered
        status = re.match(rb"HTTP/1.1 (\d+) ", said)
        assert status is None or status[1] < b"500" or status[1] == b"503", (number, text, said)
    return number


def post_files(server: Server, seconds: float) -> int:
    """Post puzzles that may be none, and ask about those that are; return how many."""
    with server.api() as client:
        for number in numbers(seconds):
            text = at_random(number, FILES, MARKS)
            said = client.post("/puzzles", json={"definition": text})
            assert said.status_code in (201, 413, 422, 503), (number, said.text)
            assert "internal error" not in said.text, (number, said.text)
            for path in ("board.svg", "pieces.svg", "definition") if said.is_success else ():
                asked = client.get(f"/puzzles/{said.json()['id']}/{path}")
                assert asked.status_code < 500 or asked.status_code == 503, (number, asked.text)
    return number


@pytest.mark.parametrize("seconds", [2, pytest.param(MINUTES * 60, marks=pytest.mark.long)])
def test_requests_and_puzzles_at_random_get_answers_all_the_time(
    attacked, survives, seconds
) -> None:
    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(work, attacked, seconds) for work in (send_raw, post_files)]
        print("{:,} requests, {:,} puzzles".format(*(each.result() for each in both)))


@pytest.mark.needs("cairo", "a font")
@pytest.mark.parametrize("examples", [2, pytest.param(300, marks=pytest.mark.long)])
def test_no_described_request_ends_in_a_fault_of_the_server(server, examples) -> None:
    described = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    quick = described.exclude(path_regex="/events$|/claims$")
    operations = [each.ok() for each in quick.get_all_operations()]
    assert len(operations) > 15
    for operation in operations:

        @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def ask(case) -> None:
            # most made-up names are of no puzzle, which would end every question at once
            if "puzzle" in case.path_parameters and len(case.path_parameters["puzzle"]) % 8:
                case.path_parameters["puzzle"] = "tetromino"
            said = case.call_and_validate(checks=CHECKS, timeout=60)
            if said.status_code == 202:  # a queue of jobs that nobody waits for would soon be full
                httpx.delete(f"{server.url}/api/v1/jobs/{said.json()['id']}").raise_for_status()

        ask()


@pytest.mark.long
def test_a_minute_of_requests_beside_a_sat_job_has_no_error_and_memory_stays(tmp_path) -> None:
    process, url = load.serve(tmp_path)
    try:
        found = asyncio.run(load.measure(url, process.pid, 60, 300, 50))
    finally:
        process.terminate()
        process.communicate(timeout=30)
    for name, figures in found.items():
        print(name, figures)
        assert (figures["requests"], figures["errors"]) == (18_000, 0)
        first, *_, last = figures["memory_mib"][1:]
        assert last < 1.1 * first
