"""The socket that the service listens on."""

from __future__ import annotations

import socket


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
