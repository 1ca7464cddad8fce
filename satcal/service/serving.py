"""The HTTP server, granian, with limits on headers and connections."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict
from functools import partial
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from satcal.errors import FileTrouble
from satcal.service.settings import SETTINGS_VARIABLE, Settings

HEADER_MILLISECONDS = 5_000
"""The time a client has to send its request headers, also on a connection that is kept."""
MAX_HEADER_BYTES = 16_384
BACKLOG = 1_024
MAX_CONNECTIONS = 4_096
"""Limit on open connections, idle ones included; further clients wait."""
LOG_CONFIG = {
    "formatters": {"satcal": {"format": "satcal: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "satcal"}},
    "loggers": {"_granian": {}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
POLL_SECONDS = 0.05
"""The time between two questions whether the server answers yet."""
STOP_SECONDS = 1
"""The time that unfinished answers get when the server stops."""


def find_free_port(host: str, port: int) -> int:
    """Return the port, or any free one for 0.

    Raises:
        FileTrouble: another program uses the port, or this machine does not have the address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family) as server_socket:
            return int(server_socket.getsockname()[1])
    except OSError as error:
        raise FileTrouble(f"cannot listen on {host}:{port}: {error.strerror or error}") from error


def announce(settings: Settings, report: Callable[[str], None]) -> None:
    """Call ``report`` with the URL of the server as soon as it answers."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    while True:
        with suppress(OSError, http.client.HTTPException):  # not yet
            connection = http.client.HTTPConnection(settings.host, settings.port)
            with closing(connection):
                connection.request("GET", "/health")
                connection.getresponse().read()
            report(f"http://{host}:{settings.port}/")
            return
        time.sleep(POLL_SECONDS)


def serve_forever(settings: Settings, report: Callable[[str], None]) -> None:
    """Run the server as a child process until a signal ends both.

    ``report`` is called with its URL when it answers, in another thread.
    """
    os.environ[SETTINGS_VARIABLE] = json.dumps(asdict(settings))
    threading.Thread(target=announce, args=(settings, report), daemon=True).start()
    server = Granian(
        "satcal.service.app:make_child_app",
        settings.host,
        settings.port,
        factory=True,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(HEADER_MILLISECONDS, max_buffer_size=MAX_HEADER_BYTES),
        backpressure=MAX_CONNECTIONS,
        backlog=BACKLOG,
        loop=Loops.asyncio,
        log_dictconfig=LOG_CONFIG,
        log_level=LogLevels.error,
        websockets=False,
        workers_kill_timeout=STOP_SECONDS,
    )
    if hasattr(signal, "SIGHUP"):
        is_ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # as with nohup
        handler: Any = signal.SIG_IGN if is_ignored else server.signal_handler_interrupt
        # by itself, granian would start new workers when its terminal is closed
        server.on_startup(partial(signal.signal, signal.SIGHUP, handler))
    server.serve()
