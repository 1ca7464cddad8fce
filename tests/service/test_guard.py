"""The guard: what a request may cost before and after the application sees it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from command import run_alone
from helpers.checkers import DOCS
from satcal.service import boards, guard, jobs, serving, workers
from satcal.service.guard import App, Guard, Message, Receive, Send


class Client:
    """A client that sends parts of a body and takes an answer."""

    def __init__(
        self, *parts: bytes, ends: bool = True, reads: bool = True, stays: bool = True
    ) -> None:
        self.parts, self.ends, self.reads, self.stays = list(parts), ends, reads, stays
        self.messages: list[Message] = []

    async def receive(self) -> Message:
        """Send the next part."""
        if not self.parts:
            if self.stays:
                await asyncio.Event().wait()
            return {"type": "http.disconnect"}
        part = self.parts.pop(0)
        more = bool(self.parts) or not self.ends
        return {"type": "http.request", "body": part, "more_body": more}

    async def send(self, message: Message) -> None:
        """Take a part of the answer, or never."""
        if not self.reads:
            await asyncio.sleep(3600)
        self.messages.append(message)

    def ask(self, application: Guard, path: str = "/x", **headers: str) -> int:
        """Send a request through a guard; return the status of its answer, or 0."""
        run_alone(application(make_scope(path, headers), self.receive, self.send))
        status: int = self.messages[0]["status"] if self.messages else 0
        return status


def make_scope(path: str, headers: dict[str, str]) -> dict[str, Any]:
    """Return a request."""
    listed = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return {"type": "http", "path": path, "method": "POST", "headers": listed}


async def echo(scope: Any, receive: Receive, send: Send) -> None:
    """Answer with the body."""
    body = (await receive())["body"]
    await refuse(200, body.decode("latin-1"))(scope, receive, send)


def refuse(status: int, detail: str) -> App:
    """Return an application that answers with a status and a text."""

    async def application(scope: Any, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": detail.encode("latin-1")})

    return application


def protect(application: App = echo, noted: list[int] | None = None) -> Guard:
    """Return a guard around an application; it notes statuses."""
    statuses = [] if noted is None else noted
    return Guard(application, lambda _, status, __: statuses.append(status))


def test_a_body_arrives_whole():
    client = Client(b"ab", b"cd", b"ef")
    assert client.ask(protect(), content_length="6") == 200
    assert client.messages[-1]["body"] == b"abcdef"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content_length": str(guard.MAX_BODY)}, 200),
        ({"transfer_encoding": "chunked"}, 411),
        *(
            ({"content_length": text}, 413)
            for text in (str(guard.MAX_BODY + 1), "9" * 5_000, "-1", "")
        ),
    ],
)
def test_a_body_has_an_announced_size_and_a_largest_one(headers, status):
    client = Client(b"x")
    assert client.ask(protect(), **headers) == status
    is_closed = (b"connection", b"close") in client.messages[0]["headers"]
    assert is_closed == (status != 200)  # the rest of the body could still arrive


@pytest.mark.parametrize(
    ("limit", "client", "status"),
    [
        ("BODY_SECONDS", Client(b"x", ends=False), 408),
        ("ANSWER_SECONDS", Client(b"x", reads=False), 0),
        (None, Client(stays=False), 0),
    ],
)
def test_a_client_that_is_slow_or_leaves_is_given_up(monkeypatch, limit, client, status):
    if limit:
        monkeypatch.setattr(guard, limit, 0)
    assert client.ask(protect(), content_length="9") == status


def test_a_large_answer_is_sent_in_chunks():
    text, client = "x" * (2 * guard.CHUNK + 1), Client()
    assert client.ask(protect(refuse(200, text))) == 200
    parts = [message.get("body", b"") for message in client.messages]
    assert [len(part) for part in parts] == [0, guard.CHUNK, guard.CHUNK, 1]
    assert b"".join(parts) == text.encode()


@pytest.mark.parametrize(("path", "status"), [("/x", 503), ("/health", 200), ("/ready", 200)])
def test_too_many_requests_are_refused_but_not_those_of_supervisors(monkeypatch, path, status):
    monkeypatch.setattr(guard, "MAX_REQUESTS", 0)
    monkeypatch.setattr(guard, "PLACE_SECONDS", 0)
    client = Client()
    assert client.ask(protect(), path) == status
    assert ((b"retry-after", b"2") in client.messages[0]["headers"]) == (status == 503)


def test_concurrent_bodies_share_a_limit_as_they_arrive_and_free_their_bytes(monkeypatch):
    monkeypatch.setattr(guard, "BODY_SECONDS", 60)
    statuses, application = list[int](), protect()
    scope = make_scope("/x", {"content_length": str(guard.MAX_BODY)})

    async def run() -> None:
        waiting: list[asyncio.Task[None]] = []
        # announced bytes are not taken from others
        announced = [b""] * (2 * guard.MAX_TOTAL // guard.MAX_BODY)
        for part in announced + [bytes(guard.MAX_BODY)] * (guard.MAX_TOTAL // guard.MAX_BODY):
            client = Client(part, ends=False)
            waiting.append(asyncio.create_task(application(scope, client.receive, client.send)))
            await asyncio.sleep(0)
        for _ in range(2):
            more = Client(b"x")
            await application(scope, more.receive, more.send)
            statuses.append(more.messages[0]["status"])
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    run_alone(run())
    assert statuses == [503, 200]


def test_the_work_for_a_client_that_left_is_cancelled_and_frees_its_place(monkeypatch):
    monkeypatch.setattr(guard, "MAX_REQUESTS", 1)
    noted, begun, ended = list[int](), list[str](), list[str]()

    class Leaver(Client):
        async def receive(self) -> Message:
            while len(begun) == len(ended):
                await asyncio.sleep(0)
            return {"type": "http.disconnect"}

    async def endless(scope: Any, receive: Receive, send: Send) -> None:
        await receive()
        begun.append("begun")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    application = protect(endless, noted)
    assert [Leaver().ask(application) for _ in range(3)] == [0, 0, 0]
    assert (noted, ended) == ([499] * 3, ["cancelled"] * 3)


def test_an_application_that_runs_out_of_time_is_not_taken_for_a_client_that_does_not_read():
    async def late(scope: Any, receive: Receive, send: Send) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Client().ask(protect(late))


def test_a_websocket_is_not_served():
    client = Client()
    run_alone(protect()({"type": "websocket"}, client.receive, client.send))
    assert client.messages == []


def test_the_reference_states_the_limits_that_hold():
    page = (DOCS / "reference" / "http.md").read_text("utf-8").partition("## Limits")[2]
    for row in (
        f"{guard.MAX_BODY // 1024} KiB, all together {guard.MAX_TOTAL >> 20} MiB; "
        f"within {guard.BODY_SECONDS} s",
        f"{serving.MAX_HEADER_BYTES // 1024} KiB, within {serving.HEADER_MILLISECONDS // 1000} s",
        f"{guard.ANSWER_SECONDS} s for the client to take each part",
        f"{boards.MAX_POSTED} of the owner and {boards.MAX_POSTED} of others are kept",
        f"{workers.REQUEST_SECONDS} s; {workers.MAX_WAITING} slow ones",
        f"{jobs.MAX_UNFINISHED} not finished, {jobs.MAX_FINISHED} finished",
        f"{serving.MAX_CONNECTIONS:,} connections, {guard.MAX_REQUESTS} requests "
        f"(others wait {guard.PLACE_SECONDS} s)",
    ):
        assert f"| {row}" in page or f"; {row}" in page, row
