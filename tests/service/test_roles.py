"""Who may what: strangers play, who has a token has jobs, and each client its own."""

from __future__ import annotations

from types import SimpleNamespace

import httpx
import pytest

from benchmarks.growing import rectangle
from helpers.servers import ANN, BOB, Server, inside
from helpers.waiting import awaited
from satcal.errors import Stopped
from satcal.service.limits import Shares, client_of
from satcal.service.routing import LARGE, PART, InParts
from satcal.service.security import Caller
from satcal.store.jobs import Jobs
from satcal.store.location import Location
from satcal.store.results import Store

SLOW = {"kind": "count", "puzzle": "weekday", "method": "search", "date": "2025-03-03"}

API, PAGE = "/api/v1/puzzles/rhombus/counts", "/docs"
VISIT = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def forwarded(server: Server, token: str | None = None, **options) -> httpx.Client:
    """A client whose requests come by the proxy."""
    headers = {
        "Host": "puzzles.example",
        "X-Forwarded-For": "203.0.113.7",
        "X-Forwarded-Proto": "https",
    }
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return server.client(headers=headers, **options)


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Real-IP"])
def test_what_a_proxy_forwards_to_a_private_server_is_refused(server, header) -> None:
    with server.client(headers={header: "203.0.113.7"}) as client:
        said = client.get("/api/v1/puzzles")
        assert said.status_code == 403
        assert "start satcal serve with --name and --token" in said.json()["detail"]
        assert client.get("/health").status_code == 200


def test_strangers_play_and_post_small_boards_and_who_has_a_token_larger_ones(proxied) -> None:
    large = {"definition": rectangle(10, 11, {"D": ("##", 55)})}
    with forwarded(proxied) as stranger, forwarded(proxied, ANN) as ann:
        assert {stranger.get(path).status_code for path in ("/", "/docs", API)} == {200}
        said = stranger.post("/api/v1/puzzles", json=large)
        assert said.status_code == 413
        assert "110 cells, more than the 100" in said.json()["detail"]
        assert ann.post("/api/v1/puzzles", json=large).status_code == 201


def test_jobs_and_figures_are_not_for_strangers(proxied) -> None:
    job = "/api/v1/jobs/x"
    own = [
        ("GET", "/api/v1/jobs"),
        ("POST", "/api/v1/jobs"),
        ("POST", "/api/v1/certificates"),
        ("GET", job),
        ("DELETE", job),
        ("GET", f"{job}/events"),
        ("GET", f"{job}/certificate"),
        ("GET", "/metrics"),
    ]
    with forwarded(proxied) as stranger, forwarded(proxied, f"{ANN}x") as wrong:
        for method, path in own:
            said = stranger.request(method, path, json=SLOW if method == "POST" else None)
            assert (said.status_code, said.headers["www-authenticate"]) == (401, "Bearer"), path
            assert wrong.request(method, path).status_code == 401
        assert wrong.get("/api/v1/puzzles").status_code == 401


def test_a_client_sees_and_cancels_its_own_jobs_only(proxied) -> None:
    with forwarded(proxied, ANN) as ann, forwarded(proxied, BOB) as bob:
        job = ann.post("/api/v1/jobs", json=SLOW).json()["id"]
        other = bob.post("/api/v1/jobs", json=SLOW).json()["id"]
        assert job != other
        assert [each["id"] for each in ann.get("/api/v1/jobs").json()] == [job]
        for path in (f"/api/v1/jobs/{job}", f"/api/v1/jobs/{job}/events"):
            assert bob.get(path).status_code == 404
        assert bob.delete(f"/api/v1/jobs/{job}").status_code == 404
        assert ann.get(f"/api/v1/jobs/{job}").json()["state"] in ("queued", "running")
        assert ann.delete(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"
        assert bob.delete(f"/api/v1/jobs/{other}").json()["state"] == "cancelled"


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("//evil.example/x", "/evil.example/x"),
        ("/%2f/evil.example", "/evil.example"),
        ("/\\evil.example", "/%5Cevil.example"),
        ("/puzzles/%CE%A9", "/puzzles/%CE%A9"),
        ("/puzzles/a%0d%0aSet-Cookie:x", "/puzzles/a%0D%0ASet-Cookie%3Ax"),
    ],
)
def test_a_link_with_the_token_leads_to_this_server_and_no_other(proxied, path, there) -> None:
    head = f"GET {path}?token={ANN} HTTP/1.1\r\nHost: puzzles.example\r\nConnection: close"
    said = proxied.raw(f"{head}\r\n\r\n".encode()).decode()
    assert said.startswith("HTTP/1.1 303 ")
    assert f"location: {there}\r\n" in said


@pytest.mark.parametrize(("protocol", "secure"), [("https", True), ("http", False)])
def test_a_link_with_the_token_leaves_a_cookie_that_opens_jobs(proxied, protocol, secure) -> None:
    with forwarded(proxied) as client:
        client.headers["X-Forwarded-Proto"] = protocol
        said = client.get("/puzzles/rhombus", params={"date": "2025-10-23", "token": BOB})
        assert said.headers["location"] == "/puzzles/rhombus?date=2025-10-23"
        cookie = said.headers["set-cookie"]
        flags = cookie.split("; ")
        assert "HttpOnly" in flags and "SameSite=strict" in flags
        assert ("Secure" in flags) == secure
        assert client.get("/api/v1/jobs", headers={"Cookie": cookie}).is_success


def test_without_public_nothing_but_health_is_answered_without_the_token(tmp_path) -> None:
    async def ask() -> None:
        async with inside(tmp_path, host="0.0.0.0", tokens=(ANN,)) as client:
            assert (await client.get("/health")).status_code == 200
            for path in ("/", API, "/docs", "/metrics", "/static/x"):
                said = await client.get(path)
                assert (said.status_code, said.headers["www-authenticate"]) == (401, "Bearer")
            for token, status in ((f"{ANN}x", 401), (ANN, 200)):
                headers = {"Authorization": f"Bearer {token}"}
                assert (await client.get("/docs", headers=headers)).status_code == status
            assert "open /?token=TOKEN once" in (await client.get("/")).json()["detail"]

    awaited(ask())


@pytest.mark.parametrize("path", ["/", "/nothing", API])
def test_head_is_answered_as_get_is_without_the_body(server, path) -> None:
    with server.client() as client:
        got, headed = client.get(path), client.head(path)
    assert (headed.status_code, headed.content) == (got.status_code, b"")
    for name in ("content-type", "etag", "content-length", "content-security-policy"):
        assert headed.headers.get(name) == got.headers.get(name)


@pytest.mark.parametrize(
    ("headers", "path", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, API, 403),
        ({"Sec-Fetch-Site": "same-site"}, API, 403),
        ({"Origin": "https://evil.example"}, API, 403),
        (VISIT, API, 403),
        (VISIT | {"Sec-Fetch-Dest": "iframe"}, PAGE, 403),
        (VISIT, PAGE, 200),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, API, 200),
        ({"Sec-Fetch-Site": "same-origin"}, API, 200),
    ],
)
def test_a_page_of_another_site_asks_nothing_but_links_to_pages(
    server, headers, path, status
) -> None:
    with server.client(headers=headers) as client:
        assert client.get(path).status_code == status


def test_nobody_has_more_than_a_quarter_of_what_is_shared() -> None:
    shares = Shares("things", 8)
    shares.take("a", 2)
    with pytest.raises(
        Stopped, match=r"^you may have at most 2 things at a time; try again in a moment$"
    ):
        shares.take("a")
    for client in "bcd":
        shares.take(client, 2)
    with pytest.raises(
        Stopped, match=r"^the service allows at most 8 things at a time; try again in a moment$"
    ):
        shares.take("e")
    shares.give("a", 2)
    with shares.lent("e"):
        assert len(shares) == 7
    assert len(shares) == 6


def test_a_household_is_one_client_whatever_addresses_it_has() -> None:
    def client(address: str) -> str:
        return client_of({"client": (address, 1)})

    assert client("2001:db8::1") == client("2001:db8::ffff:2") != client("2001:db8:0:1::1")
    assert client("::ffff:192.0.2.1") == client("192.0.2.1") != client("192.0.2.2")
    assert client_of({}) == ""


def test_boards_of_one_client_never_push_out_those_of_others(tmp_path) -> None:
    with Store(Location(tmp_path / "store.sqlite")) as store:
        jobs = Jobs(store)

        def post(client: str, number: int) -> None:
            for each in range(number):
                jobs.post(f"{client}-{each:02}", "", client, 40)

        def kept(client: str) -> list[int]:
            return [each for each in range(60) if jobs.definition(f"{client}-{each:02}") == ""]

        post("own", 10)
        post("spammer", 60)
        assert kept("own") == list(range(10))
        assert kept("spammer") == list(range(50, 60))
        for client in "abcdefgh":
            post(client, 10)
        assert min(len(kept("h")), len(kept("own"))) >= 4


def test_what_a_client_does_not_read_has_a_share_of_memory(tmp_path) -> None:
    """A large answer is handed over in parts; one too large for the client's share is refused."""
    size, sent = LARGE + PART, []

    async def slow(message: dict) -> None:
        sent.append(len(message.get("body", b"")))
        if len(sent) == 3:  # the client reads no more, and asks for the same once again
            with pytest.raises(Stopped, match="bytes of unread answers at a time"):
                await InParts(bytes(size))(scope, None, None)
            assert len(answers) == size

    async def ask() -> list[httpx.Response]:
        await InParts(bytes(size))(scope, None, slow)
        async with inside(tmp_path, answers=4 * PART) as client:
            client.headers["Accept-Encoding"] = "identity"
            return [await client.get(f"/data/{name}") for name in ("puzzles.json", "rhombus.bin")]

    answers = Shares("bytes of unread answers", 4 * size)
    app = SimpleNamespace(state=SimpleNamespace(service=SimpleNamespace(answers=answers)))
    scope = {"app": app, "satcal.caller": Caller("a", None)}
    short, refused = awaited(ask())
    assert (sum(sent), max(sent), len(answers)) == (size, PART, 0)
    assert (short.status_code, refused.status_code) == (200, 503)
    assert refused.headers["content-type"] == "application/problem+json"
