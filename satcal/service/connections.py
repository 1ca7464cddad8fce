"""Connections: what the server reads before the application sees a request.

The parser is h11, under uvicorn: it has one request at a time of a connection, so that what is
pipelined waits in the network, and it bounds whatever is incomplete. What it does not bound is
the work on one piece of data, which may be a thousand chunks of a byte: bodies in chunks are
refused, and so are heads of too many lines, before they are parsed.
"""

from __future__ import annotations

import asyncio
import re

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from satcal.service.config import Limits

LONGEST_HEAD = 65_536  # bytes of a request before its body
MOST_LINES = 100  # of a head; a browser sends twenty
_END = re.compile(rb"\n\r?\n")
CHUNKED = "send the body with a Content-Length; bodies in chunks are not read"
TOO_LONG = f"the head has more than {MOST_LINES} lines or {LONGEST_HEAD} bytes"


class Strict(h11.Connection):
    """A connection that refuses long heads and bodies in chunks; ``refusal`` says which."""

    refusal = ""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event; raises RemoteProtocolError for what is refused."""
        if self.their_state is h11.IDLE:
            data = self.trailing_data[0]
            end = _END.search(data, 0, LONGEST_HEAD)
            head = data[: end.start() if end else LONGEST_HEAD]
            if head.count(b"\n") > MOST_LINES or (not end and len(data) > LONGEST_HEAD):
                self._refuse(TOO_LONG)
        event = super().next_event()
        head_of = event.headers if isinstance(event, h11.Request) else ()
        if any(name == b"transfer-encoding" for name, _ in head_of):
            self._refuse(CHUNKED)
        return event

    def _refuse(self, text: str) -> None:
        self.refusal = text
        raise h11.RemoteProtocolError(text)


def protocol(limits: Limits) -> type[H11Protocol]:
    """uvicorn's protocol with limits on the number of connections and the time of a head.

    A new connection is always heard: where there are too many, the oldest that has not sent its
    head gives way.
    """
    waiting: dict[Patient, asyncio.TimerHandle] = {}  # for a head, the oldest first
    connected: set[Patient] = set()

    class Patient(H11Protocol):
        """Closes the connection when its head comes too slowly."""

        conn: Strict

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self.conn = Strict(h11.SERVER, LONGEST_HEAD)
            self._in_head = True
            super().connection_made(transport)
            if len(connected) >= limits.connections:
                oldest = next(iter(waiting), self)
                oldest.transport.abort()
                oldest._forget()
            connected.add(self)
            self._wait(limits.header_seconds)

        def _wait(self, seconds: float) -> None:
            waiting[self] = self.loop.call_later(seconds, self.transport.close)

        def _wait_no_more(self) -> None:
            if self in waiting:
                waiting.pop(self).cancel()

        def _forget(self) -> None:
            self._wait_no_more()
            connected.discard(self)

        def data_received(self, data: bytes) -> None:
            if self.conn.their_state is h11.MUST_CLOSE:
                return  # the last request is here; what follows it is nothing
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._wait_no_more()
            elif not self._in_head:
                self._wait_no_more()
                self._wait(limits.header_seconds)
            self._in_head = self.conn.their_state is h11.IDLE

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.conn.their_state is h11.IDLE:
                self._in_head = False
                self._wait(self.timeout_keep_alive)

        def send_400_response(self, msg: str) -> None:
            super().send_400_response(self.conn.refusal or msg)

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

    return Patient
