"""The socket that the service listens on, and the server that answers there."""

from __future__ import annotations

import socket

import uvicorn
from starlette.types import ASGIApp

from satcal.service.config import Config
from satcal.service.limits import protocol


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, bound before anything is said about it.

    Raises:
        OSError: the address is in use, or not ours.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, protocol)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
        bound.listen(1024)
    except OSError:
        bound.close()
        raise
    return bound


def server(app: ASGIApp, config: Config) -> uvicorn.Server:
    """Return uvicorn with the limits of the service."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=protocol(config.limits, not config.private),
            ws="none",
            lifespan="on",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=3,
            access_log=False,
            log_level="error",  # warnings are of what strangers send: they would fill the log
            server_header=False,
            h11_max_incomplete_event_size=65536,
        )
    )
