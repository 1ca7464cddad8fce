"""Servers: satcal's own, as a user starts it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import uvicorn
from satcal.service.config import Config, Limits
from satcal.store.location import Location
from uvicorn.lifespan.on import LifespanOn

from helpers.waiting import until
from satcal.service.app import create_app

# `satcal serve` with a clock of ours: four tilings of the rhombus have this date
TODAY = "2025-09-25"
START = (
    "import datetime, sys; from satcal.cli.main import cli; "
    f"cli.main(sys.argv[1:], obj=lambda: datetime.date.fromisoformat('{TODAY}'))"
)
ANN, BOB = "the-token-of-ann-is-long", "the-token-of-bob-is-long"


@dataclass
class Server:
    """A process that serves; ``url`` has no slash at its end."""

    process: subprocess.Popen[str]
    url: str
    store: Path

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60, **options)

    def api(self) -> httpx.Client:
        return httpx.Client(base_url=f"{self.url}/api/v1", timeout=60)

    def connection(self, source: str = "") -> socket.socket:
        where = urlsplit(self.url)
        return socket.create_connection((where.hostname, where.port), 30, (source, 0))

    def raw(self, data: bytes, seconds: float = 5) -> bytes:
        """Send bytes as they are, and return what comes back."""
        said = b""
        with self.connection() as line:
            line.sendall(data)
            line.settimeout(seconds)
            with suppress(TimeoutError, ConnectionResetError):
                while part := line.recv(65_536):
                    said += part
        return said

    def stop(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)  # reads its log: the pipe may be full

    def __enter__(self) -> Server:
        return self

    __exit__ = stop


def start(folder: Path, *options: str, store: str = "", **env: str) -> Server:
    """Start a server as the command line does; its store is in the folder, or as ``store`` says."""
    file = folder / "store.sqlite"
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            START,
            "serve",
            "--port",
            "0",
            "--store",
            store or str(file),
            "--board",
            "rhombus",
            *options,
        ],
        env=os.environ | env,
        cwd=folder,
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    line = process.stderr.readline()
    found = re.search(r"serving (http://\S+)/ ", line)
    assert found, line + process.stderr.read()
    return Server(process, found[1], file)


@asynccontextmanager
async def inside(
    folder: Path,
    host: str = "127.0.0.1",
    tokens: tuple[str, ...] = (),
    patience: float = 10.0,
    **limits: Any,
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service in this process, of whose parts a test can break one."""
    store = Location(folder / "store.sqlite", patience=patience)
    app = create_app(Config(host, tokens=tokens, store=store, limits=Limits(**limits)))
    lifespan = LifespanOn(uvicorn.Config(app, lifespan="on", log_config=None))
    await lifespan.startup()
    assert not lifespan.should_exit
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield client
    finally:
        await lifespan.shutdown()


def finished(api: httpx.Client, job: dict[str, Any], seconds: float = 120) -> dict[str, Any]:
    """Wait for the end of a job."""

    def ended() -> dict[str, Any] | None:
        now = api.get(f"/jobs/{job['id']}").json()
        return now if now["state"] in ("done", "failed", "cancelled") else None

    return until(ended, seconds)
