"""The guard: what a request may cost before and after the application sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest

from command import run_alone
from helpers.checkers import DOCS
from satcal.service import boards, guard, jobs, serving, workers
from satcal.service.guard import Guard, Message

Receive = Callable[[], Any]


def scope(path: str = "/x", method: str = "POST", **headers: str) -> dict[str, Any]:
    """Return a request."""
    listed = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return {"type": "http", "path": path, "method": method, "headers": listed}


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

    @property
    def status(self) -> int:
        """The status of the answer."""
        status: int = self.messages[0]["status"]
        return status

    @property
    def body(self) -> bytes:
        """The body of the answer."""
        return b"".join(message.get("body", b"") for message in self.messages)


async def echo(scope: Any, receive: Receive, send: Any) -> None:
    """Answer with the body."""
    message = await receive()
    await answer(send, 200, message["body"])


async def answer(send: Any, status: int, body: bytes) -> None:
    """Send an answer."""
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": body})


def refuse(status: int, detail: str) -> Any:
    """Return the answer to a refused request."""

    async def app(scope: Any, receive: Receive, send: Any) -> None:
        await answer(send, status, detail.encode())

    return app


def guarded(app: Any = echo, **limits: Any) -> Guard:
    """Return a guard around an application."""
    return Guard(app, refuse, lambda *_: None, **limits)


def ask(asked: Any, client: Client, app: Guard | None = None) -> Client:
    """Send a request through a guard, and return the client with its answer."""
    run_alone((app or guarded())(asked, client.receive, client.send))
    return client


def test_a_body_arrives_whole():
    client = ask(scope(content_length="6"), Client(b"ab", b"cd", b"ef"))
    assert (client.status, client.body) == (200, b"abcdef")


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (str(guard.MAX_BODY), 200),
        *((text, 413) for text in (str(guard.MAX_BODY + 1), "1" * 12, "-1", "1e9", "", "٣")),
    ],
)
def test_a_body_has_a_largest_size(length, status):
    assert ask(scope(content_length=length), Client(b"x")).status == status


def test_a_body_in_chunks_is_refused():
    assert ask(scope(transfer_encoding="chunked"), Client(b"x")).status == 411


def test_a_body_that_does_not_end_is_refused():
    slow = Client(b"x", ends=False)
    assert ask(scope(content_length="9"), slow, guarded(body_seconds=0)).status == 408


def test_a_client_that_leaves_is_not_answered_by_the_application():
    assert ask(scope(content_length="9"), Client(stays=False)).messages == []


def test_an_answer_that_is_not_taken_is_given_up():
    silent = Client(reads=False)
    assert ask(scope(method="GET"), silent, guarded(answer_seconds=0)).messages == []


def test_a_large_answer_is_sent_in_chunks():
    large = b"x" * (2 * guard.CHUNK + 1)

    async def app(scope: Any, receive: Receive, send: Any) -> None:
        await answer(send, 200, large)

    client = ask(scope(method="GET"), Client(), guarded(app))
    assert [len(m.get("body", b"")) for m in client.messages] == [0, guard.CHUNK, guard.CHUNK, 1]
    assert client.body == large


@pytest.mark.parametrize(("path", "status"), [("/x", 503), ("/health", 200), ("/ready", 200)])
def test_too_many_requests_are_refused_but_not_those_of_supervisors(path, status):
    app = guarded(max_requests=0, place_seconds=0)
    assert ask(scope(path, "GET"), Client(), app).status == status


def test_concurrent_bodies_share_a_limit_as_they_arrive_and_free_their_bytes():
    statuses = list[int]()

    async def run() -> None:
        app = guarded(body_seconds=60)
        asked = scope(content_length=str(guard.MAX_BODY))

        async def send(part: bytes) -> Client:
            (client := Client(part)).ends = False
            waiting.append(asyncio.create_task(app(asked, client.receive, client.send)))
            await asyncio.sleep(0)
            return client

        waiting: list[asyncio.Task[None]] = []
        for _ in range(2 * guard.MAX_TOTAL // guard.MAX_BODY):
            await send(b"")  # announced bytes are not taken from others
        for _ in range(guard.MAX_TOTAL // guard.MAX_BODY):
            await send(bytes(guard.MAX_BODY))
        for _ in range(2):
            more = Client(b"x")
            await app(asked, more.receive, more.send)
            statuses.append(more.status)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    run_alone(run())
    assert statuses == [503, 200]


def test_the_work_for_a_client_that_left_is_cancelled_and_frees_its_place():
    noted, begun, ended = list[int](), list[str](), list[str]()

    class Leaver(Client):
        async def receive(self) -> Message:
            while len(begun) == len(ended):
                await asyncio.sleep(0)
            return {"type": "http.disconnect"}

    async def endless(scope: Any, receive: Receive, send: Any) -> None:
        await receive()
        begun.append("begun")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    app = Guard(endless, refuse, lambda _, status, __: noted.append(status), max_requests=1)
    for _ in range(3):
        assert ask(scope(method="GET"), Leaver(), app).messages == []
    assert (noted, ended) == ([499] * 3, ["cancelled"] * 3)


def test_an_application_that_runs_out_of_time_is_not_taken_for_a_client_that_does_not_read():
    async def slow(scope: Any, receive: Receive, send: Any) -> None:
        raise TimeoutError

    with pytest.raises(BaseException) as raised:
        ask(scope(method="GET"), Client(), guarded(slow))
    assert isinstance(raised.value, TimeoutError)


def test_a_websocket_is_not_served():
    client = ask({"type": "websocket"}, Client())
    assert client.messages == []


def test_each_answer_is_noted():
    noted: list[tuple[str, int]] = []
    app = Guard(echo, refuse, lambda scope, status, _: noted.append((scope["path"], status)))
    ask(scope(content_length="1"), Client(b"x"), app)
    ask(scope(transfer_encoding="chunked"), Client(b"x"), app)
    assert noted == [("/x", 200), ("/x", 411)]


def test_the_reference_states_the_limits_that_hold():
    page = (DOCS / "reference" / "http.md").read_text("utf-8").partition("## Limits")[2]
    usual = {name: each.default for name, each in signature(Guard).parameters.items()}
    for row in (
        f"{guard.MAX_BODY // 1024} KiB, all together {guard.MAX_TOTAL >> 20} MiB; "
        f"within {usual['body_seconds']} s",
        f"{serving.MAX_HEADER_BYTES // 1024} KiB, within {serving.HEADER_MILLISECONDS // 1000} s",
        f"{usual['answer_seconds']} s for the client to take each part",
        f"{boards.MAX_POSTED} of the owner and {boards.MAX_POSTED} of others are kept",
        f"{workers.REQUEST_SECONDS} s; {workers.MAX_WAITING} slow ones",
        f"{jobs.MAX_UNFINISHED} not finished, {jobs.MAX_FINISHED} finished",
        f"{serving.MAX_CONNECTIONS:,} connections, {usual['max_requests']} requests "
        f"(others wait {usual['place_seconds']} s)",
    ):
        assert f"| {row}" in page or f"; {row}" in page, row
