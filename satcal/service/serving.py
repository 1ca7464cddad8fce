"""The server, granian, with limits on what an unknown client may send and on its time."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from satcal.errors import FileTrouble
from satcal.service.settings import VARIABLE, Settings

HEADER_MILLISECONDS = 5_000
"""The time a client has to send its request headers, also on a connection that is kept."""
HEAD_BYTES = 16_384
BACKLOG = 1_024
CONNECTIONS = 4_096
"""Open connections, idle ones included; further clients wait."""
LOG = {
    "formatters": {"satcal": {"format": "satcal: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "satcal"}},
    "loggers": {"_granian": {}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
STOP_SECONDS = 1
"""For answers on their way when the server ends; event streams would never end."""


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0.

    Raises:
        FileTrouble: another program listens there, or the address is not ours.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family) as bound:
            return int(bound.getsockname()[1])
    except OSError as error:
        raise FileTrouble(f"cannot listen on {host}:{port}: {error.strerror or error}") from error


def serve_forever(settings: Settings) -> None:
    """Serve until a signal; the server is a child process, and ends with this one."""
    os.environ[VARIABLE] = json.dumps(asdict(settings))
    Granian(
        "satcal.service.app:app_of_child",
        settings.host,
        settings.port,
        factory=True,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(HEADER_MILLISECONDS, max_buffer_size=HEAD_BYTES),
        backpressure=CONNECTIONS,
        backlog=BACKLOG,
        loop=Loops.asyncio,
        log_dictconfig=LOG,
        log_level=LogLevels.error,
        websockets=False,
        workers_kill_timeout=STOP_SECONDS,
    ).serve()
