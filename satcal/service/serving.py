"""The server, granian, with limits on the bytes and the patience of unknown clients."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict, dataclass
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from satcal.errors import FileTrouble
from satcal.launcher import die_with_parent
from satcal.processes import SINGLE_THREADED

SETTINGS = "SATCAL_SERVE"
"""The variable with which the server's process gets its settings."""
HEADER_MILLISECONDS = 5_000
"""To send a head, also on a connection that is kept."""
HEAD_BYTES = 16_384
BACKLOG = 1_024
CONNECTIONS = 4_096
"""Also the idle ones: granian accepts no more, and others wait."""
STOP_SECONDS = 1
"""For answers on their way when the server ends; event streams would never end."""


@dataclass(frozen=True)
class Settings:
    """What the operator chooses; ``memory`` in bytes and ``seconds`` bound each task."""

    store: str
    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    public: bool = False
    board: str = "a-puzzle-a-day"
    workers: int = 2
    memory: int = 3 * 2**30
    seconds: float = 3600
    cluster: str = ""


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0.

    Raises:
        FileTrouble: another program listens there, or the address is not ours.
    """
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, number) as bound:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen()
            return int(bound.getsockname()[1])
    except OSError as error:
        raise FileTrouble(f"cannot listen on {host}:{port}: {error.strerror or error}") from error


def serve_forever(settings: Settings) -> None:
    """Serve until a signal; the server is a child process, and ends with this one."""
    os.environ[SETTINGS] = json.dumps(asdict(settings))
    Granian(
        "satcal.service.serving:app_of_child",
        settings.host,
        settings.port,
        factory=True,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(HEADER_MILLISECONDS, max_buffer_size=HEAD_BYTES),
        backpressure=CONNECTIONS,
        backlog=BACKLOG,
        loop=Loops.asyncio,
        log_level=LogLevels.error,
        websockets=False,
        workers_kill_timeout=STOP_SECONDS,
    ).serve()


def app_of_child() -> Any:
    """Return the application, in the server's process."""
    from satcal.service.app import make_app

    die_with_parent()
    os.environ.update(SINGLE_THREADED)
    return make_app(Settings(**json.loads(os.environ[SETTINGS])))
