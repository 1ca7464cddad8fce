"""Who may ask: this machine, holders of the token, or with --public everyone who reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from helpers.servers import TOKEN
from oracle import dominoes

if TYPE_CHECKING:
    from starlette.testclient import TestClient

RIGHT = {"Authorization": f"Bearer {TOKEN}"}
WRONG = {"Authorization": "Bearer a-token-of-22-letters,"}
PUZZLES = "/api/v1/puzzles"
READING = ("/", PUZZLES)
WORKING = ("/api/v1/jobs", "/metrics")
"""A path of each router; these need the token."""


@pytest.fixture(scope="module")
def private(serve: Any) -> Iterator[TestClient]:
    """A client of a service with a token."""
    with serve(token=TOKEN) as made:
        yield made


@pytest.fixture(scope="module")
def public(serve: Any) -> Iterator[TestClient]:
    """A client of a service with a token in which everyone may read."""
    with serve(token=TOKEN, public=True) as made:
        yield made


def test_a_token_with_a_space_is_refused_at_the_start(run):
    answer = run("serve", "--token", "a token of 22 letters.")
    assert (answer.code, "spaces" in answer.err) == (2, True)


@pytest.mark.parametrize("path", READING)
@pytest.mark.parametrize(
    ("headers", "statuses"), [({}, [401, 200]), (WRONG, [401, 401]), (RIGHT, [200, 200])]
)
def test_reading_needs_the_token_unless_the_service_is_public(
    private, public, path, headers, statuses
):
    clients = private, public
    assert [client.get(path, headers=headers).status_code for client in clients] == statuses


@pytest.mark.parametrize("path", WORKING)
def test_work_needs_the_token(private, public, path):
    for client in (private, public):
        for headers in ({}, WRONG):
            answer = client.get(path, headers=headers)
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert client.get(path, headers=RIGHT).status_code == 200


@pytest.mark.parametrize(
    ("name", "texts", "status"),
    [
        ("Host", ("localhost", "LOCALHOST:80", "127.0.0.1:8000", "[::1]:8000"), 200),
        ("Host", ("puzzles.example", "localhost.example", "192.168.0.7", ""), 403),
        ("Host", ("evil.example:99999", "localhost:99999999", "localhost@evil.example"), 403),
        ("Forwarded", ("for=203.0.113.7",), 403),
        ("X-Forwarded-For", ("203.0.113.7",), 403),
        ("X-Forwarded-Host", ("localhost",), 403),
        ("X-Real-IP", ("127.0.0.1",), 403),
    ],
)
def test_without_a_token_only_this_machine_asks_and_no_proxy(client, name, texts, status):
    for text in texts:
        for path in READING:
            assert client.get(path, headers={name: text}).status_code == status, (text, path)
        assert client.get("/health", headers={name: text}).status_code == 200


@pytest.mark.parametrize(
    ("site", "status"),
    [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)],
)
def test_a_page_of_another_site_may_not_begin_work(client, site, status):
    assert client.get("/api/v1/jobs", headers={"Sec-Fetch-Site": site}).status_code == status


def test_strangers_remove_no_board_that_the_owner_posted_or_uses(public, monkeypatch):
    monkeypatch.setattr("satcal.service.boards.MAX_POSTED", 3)
    texts = [dominoes(2, columns).text for columns in range(2, 9)]

    def post(text: str, headers: dict[str, str]) -> str:
        answer = public.post(PUZZLES, json={"definition": text}, headers=headers)
        assert answer.status_code == 201
        return str(answer.json()["id"])

    owned, used = post(texts[0], RIGHT), post(texts[1], {})
    job = {"kind": "count", "puzzle": used}
    assert public.post("/api/v1/jobs", json=job, headers=RIGHT).status_code == 202
    assert post(texts[0], {}) == owned  # a stranger has the same board
    renewed = post(texts[2], {})
    others = [post(text, {}) for text in texts[3:5]]
    assert post(texts[2], {}) == renewed  # so it is not the oldest any more
    for text in texts[5:]:
        post(text, {})
    found = [
        public.get(f"{PUZZLES}/{name}").status_code for name in (owned, used, renewed, *others)
    ]
    assert found == [200, 200, 200, 404, 404]
    last = public.get("/api/v1/jobs", headers=RIGHT).json()[0]
    assert last["state"] in ("queued", "running", "done")


def test_a_proxy_may_ask_where_there_is_a_token(public):
    headers = {"Host": "puzzles.example", "X-Forwarded-For": "203.0.113.7"}
    answer = public.get("/", headers=headers | {"X-Forwarded-Proto": "https"})
    assert answer.status_code == 200
    assert "https://puzzles.example/preview.png" in answer.text


@pytest.mark.parametrize(("columns", "stranger"), [(10, 201), (11, 413)])
def test_strangers_post_boards_of_at_most_100_cells(public, columns, stranger):
    body = {"definition": dominoes(10, columns).text}
    for headers, status in (({}, stranger), (RIGHT, 201)):
        assert public.post(PUZZLES, json=body, headers=headers).status_code == status


@pytest.mark.parametrize(("name", "jobs"), [("client", True), ("public", False)])
def test_the_data_of_the_page_say_whether_there_are_jobs(request, name, jobs):
    client: TestClient = request.getfixturevalue(name)
    assert client.get("/data/puzzles.json").json()["jobs"] is jobs


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_a_page_may_load_only_what_is_ours_and_no_site_may_frame_it(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    sources = {name: texts for name, *texts in map(str.split, policy.split(";"))}
    assert sources["default-src"] == sources["frame-ancestors"] == ["'none'"]
    assert {"'none'"} == {*sources["base-uri"]}  # this and form-action have no default
    others = {text for texts in sources.values() for text in texts} - {"'self'", "'none'"}
    assert path == "/docs" or (sources["form-action"], others) == (["'self'"], set())
    assert headers["x-content-type-options"] == "nosniff"
    assert "camera=()" in headers["permissions-policy"]
