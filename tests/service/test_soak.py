"""The server for half an hour, or as many minutes as SATCAL_SOAK_MINUTES says.

Clients ask for everything at random, strangers attack it, and one polite client, which knows the
right answers, measures how long it waits for them.
"""

from __future__ import annotations

import datetime
import json
import multiprocessing
import os
import random
import threading
import time
from collections import Counter
from contextlib import suppress
from multiprocessing.connection import Connection

import httpx
import psutil
import pytest

import satcal
from helpers import attacks
from helpers.servers import ANN, BOB, Server, start
from satcal.cli.main import run
from satcal.diagram.puzzle import open_diagram
from satcal.puzzle.loading import library, library_text

MINUTES = float(os.environ.get("SATCAL_SOAK_MINUTES", "30"))
SLOWEST = 1.0  # seconds that the polite client waits, but for one answer of a hundred
API = "/api/v1"
NAME = "puzzles.example"
HOSTILE = ["date=2025-02-30", "plce=1", "date=x", "place=@/etc/passwd", "year=99999", "reveal=%00"]
STATUSES = {200, 201, 202, 303, 304, 400, 401, 403, 404, 405, 408, 413, 414, 422, 429, 503}


def headers(address: str, token: str = "") -> dict[str, str]:
    given = {"Host": NAME, "X-Forwarded-For": address}
    return given | ({"Authorization": f"Bearer {token}"} if token else {})


class Client:
    """A client that asks for anything."""

    def __init__(self, url: str, number: int) -> None:
        self._random = random.Random(number)
        self._token = random.Random(number).choice([ANN, BOB])
        self._address = f"198.51.100.{number}"
        self._client = httpx.Client(base_url=url, timeout=60)
        self.statuses: Counter[str] = Counter()

    def ask(self) -> None:
        kinds = [self.table, self.position, self.position, self.file, self.post, self.job, self.bad]
        kind = self._random.choice(kinds)
        try:
            said = kind()
        except httpx.TransportError as error:
            self.statuses[type(error).__name__] += 1
            return
        self.statuses[str(said.status_code)] += 1
        assert said.status_code in STATUSES, (kind, said.request.url, said.text)
        assert "internal error" not in said.text, (kind, said.request.url, said.text)

    def get(self, path: str, token: str = "", **params: object) -> httpx.Response:
        return self._client.get(path, params=params, headers=headers(self._address, token))

    @property
    def puzzle(self) -> str:
        return f"{API}/puzzles/{self._random.choice([*library(), 'rhombos'])}"

    def day(self) -> str:
        return str(datetime.date(2025, 1, 1) + datetime.timedelta(self._random.randrange(365)))

    def table(self) -> httpx.Response:
        asked = self._random.choice(
            [
                {"date": self.day()},
                {"month": "2025-10"},
                {"year": 2025},
                {"all_reveals": True},
                {"from": "2020-01-01"},
            ]
        )
        style = self._random.choice(["json", "csv"])
        return self.get(f"{self.puzzle}/counts", **asked, format=style)

    def position(self) -> httpx.Response:
        kind, more = self._random.choice(
            [
                ("remaining", {}),
                ("hint", {}),
                ("tilings", {"limit": 20}),
                ("tilings/3", {}),
                ("tilings/random", {"seed": self._random.randrange(99)}),
                ("tiling.svg", {}),
                ("tiling.png", {"size": 300}),
                ("export", {"format": "dimacs"}),
                ("export", {"format": "opb"}),
            ]
        )
        return self.get(f"{self.puzzle}/{kind}", date=self.day(), **more)

    def file(self) -> httpx.Response:
        name = self._random.choice(library())
        return self.get(
            self._random.choice(
                [
                    "/",
                    "/style.css",
                    "/docs",
                    f"{API}/openapi.json",
                    "/health",
                    "/ready",
                    f"{API}/claims",
                    "/data/puzzles.json",
                    f"/data/{name}.json",
                    f"/data/{name}.bin",
                    f"{API}/puzzles",
                    f"/data/{name}.year.json",
                    f"{API}/puzzles/{name}",
                    f"{API}/puzzles/{name}/board.png",
                    f"{API}/puzzles/{name}/pieces.svg",
                    f"{API}/puzzles/{name}/definition",
                    "/metrics",
                ]
            ),
            self._token if self._random.random() < 0.5 else "",
        )

    def post(self) -> httpx.Response:
        text = library_text(self._random.choice(library()))
        start = self._random.randrange(len(text))
        text = text[:start] + self._random.choice(["", "x", '"""', "[" * 50]) + text[start + 1 :]
        return self._client.post(
            f"{API}/puzzles", json={"definition": text}, headers=headers(self._address)
        )

    def job(self) -> httpx.Response:
        puzzle = self._random.choice(["a-puzzle-a-day", "tetromino", "rhombus"])
        asked = self._random.choice(
            [
                {"kind": "count", "puzzle": puzzle, "method": "diagram", "date": self.day()},
                {"kind": "count", "puzzle": puzzle, "method": "sat", "date": self.day()},
                {"kind": "count", "puzzle": puzzle, "method": "search", "date": self.day()},
                {"kind": "certificate", "puzzle": "a-puzzle-a-day", "date": self.day()},
            ]
        )
        given = headers(self._address, self._token)
        said = self._client.post(f"{API}/jobs", json=asked, headers=given)
        if said.status_code == 202:
            path = f"{API}/jobs/{said.json()['id']}"
            what = self._random.randrange(4)
            if what == 0:
                self._client.delete(path, headers=given)
            elif what == 1:
                with self._client.stream("GET", f"{path}/events", headers=given) as events:
                    next(events.iter_lines(), None)
            elif what == 2:
                body = random.Random(1).randbytes(10_000)
                kind = given | {"Content-Type": "application/octet-stream"}
                self._client.post(f"{API}/certificates", content=body, headers=kind)
            else:
                self._client.get(f"{path}/certificate", headers=given)
        return self.get(f"{API}/jobs", self._token)

    def bad(self) -> httpx.Response:
        query = self._random.choice(HOSTILE)
        kind = self._random.choice(["counts", "remaining", "tilings", "board.svg", "export"])
        return self._client.get(f"{self.puzzle}/{kind}?{query}", headers=headers(self._address))


def clients(url: str, number: int, pipe: Connection) -> None:
    """Ask at random, until the pipe is closed; then send the statuses of all answers."""
    os.nice(5)
    client = Client(url, number)
    while not pipe.poll(0.1):
        try:
            client.ask()
        except BaseException as error:
            pipe.send(repr(error))
            raise
    pipe.send(client.statuses)


def strangers(url: str, number: int, pipe: Connection) -> None:
    """Attack, one way after another, until the pipe is closed; then send how often."""
    os.nice(10)
    source, rounds = random.Random(number), Counter()
    server = Server(None, url, None)
    while not pipe.poll():
        name = source.choice(sorted(attacks.ATTACKS))
        with suppress(RuntimeError), attacks.under(server, *attacks.ATTACKS[name]):
            time.sleep(source.uniform(1, 8))
        rounds[name] += 1
        time.sleep(source.uniform(0, 3))
    pipe.send(rounds)


def polite(server: Server, seconds: float) -> list[float]:
    """Ask what has a known answer four times a second; return how long each answer took."""
    source, took = random.Random(0), []
    known = []
    for name in ("rhombus", "a-puzzle-a-day"):
        puzzle = satcal.load(name)
        counts = open_diagram(puzzle, list(puzzle.reveals())).counts()
        days = [datetime.date(2025, 1, 1) + datetime.timedelta(n) for n in range(365)]
        known += [(name, str(day), counts[puzzle.reveal(day)]) for day in days]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        name, day, tilings = source.choice(known)
        begun = time.monotonic()
        said = httpx.get(
            f"{server.url}{API}/puzzles/{name}/remaining",
            params={"date": day},
            headers=headers("203.0.113.7"),
            timeout=60,
        )
        took.append(time.monotonic() - begun)
        assert (said.status_code, said.json().get("tilings")) == (200, tilings), said.text
        time.sleep(0.25)
    return took


def quantiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    places = {"median": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
    return {
        name: round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 3)
        for name, part in places.items()
    }


@pytest.mark.promise("strangers who attack the server")
@pytest.mark.long
def test_half_an_hour_of_everything_at_once(tmp_path) -> None:
    options = ["--name", NAME, "--public", "--jobs", "1"]
    server = start(tmp_path, *options, SATCAL_TOKEN=f"{ANN} {BOB}")
    log: list[str] = []
    reading = threading.Thread(target=lambda: log.extend(server.process.stderr), daemon=True)
    reading.start()
    process = psutil.Process(server.process.pid)
    for name in ("rhombus", "a-puzzle-a-day"):
        path = f"{server.url}{API}/puzzles/{name}/counts"
        httpx.get(path, headers=headers("203.0.113.7"), timeout=120).raise_for_status()
    before = process.memory_info().rss
    context, others = multiprocessing.get_context("spawn"), []
    for number, work in enumerate((clients, clients, clients, strangers), start=1):
        ours, theirs = context.Pipe()
        other = context.Process(target=work, args=(server.url, number, theirs), daemon=True)
        other.start()
        others.append((other, ours))
    took = polite(server, MINUTES * 60)
    after = process.memory_info().rss
    answered: Counter[str] = Counter()
    for _, pipe in others:
        pipe.send("end")
    for other, pipe in others:
        assert pipe.poll(120)
        found = pipe.recv()
        assert isinstance(found, Counter), found
        answered += found
        other.join(30)
    figures = {
        "minutes": MINUTES,
        "polite": len(took),
        **quantiles(took),
        "MiB before": before >> 20,
        "MiB after": after >> 20,
        "log lines": len(log),
        "server seconds": round(sum(process.cpu_times()[:2])),
        **dict(sorted(answered.items())),
    }
    print(json.dumps(figures, indent=1))
    assert httpx.get(f"{server.url}/ready", headers=headers("203.0.113.7")).status_code == 200
    server.process.terminate()
    server.process.wait(30)
    reading.join(30)
    server.process.stderr.close()
    assert "Traceback" not in "".join(log), "".join(log)[-5000:]
    assert figures["p99"] < SLOWEST
    assert after - before < 100 * 2**20
    assert run(["store", "check", "--store", str(server.store)]) == 0
