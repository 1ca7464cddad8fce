"""What people get from the server: the static edition's own files, packed, and errors to read."""

from __future__ import annotations

import re

import pytest

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.loading import load
from satcal.site import edition
from satcal.site.packing import pack

VISIT = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
RHOMBUS = "/api/v1/puzzles/rhombus"


@pytest.fixture
def client(server):
    with server.client() as client:
        yield client


def test_the_page_and_its_data_are_those_of_the_static_edition(client) -> None:
    for name, content in edition.page().items():
        assert client.get(f"/{name}").content == content, name
    assert client.get("/").content == edition.page()["index.html"]
    puzzle = load("crea-makerspace")
    diagram = PuzzleDiagram.build(puzzle)
    for path, content in {
        "json": edition.describe(puzzle, puzzle.name), "bin": pack(diagram.diagram),
        "year.json": edition.year(diagram),
    }.items():  # fmt: skip
        assert client.get(f"/data/{puzzle.name}.{path}").content == content
    shown = client.get("/data/puzzles.json").json()
    assert shown["served"] and shown["first"] == "rhombus"


@pytest.mark.parametrize(
    ("path", "media"),
    [("/", "text/html"), ("/engine.js", "text/javascript"), ("/style.css", "text/css"),
     ("/favicon.ico", "image/"), ("/manifest.webmanifest", "application/manifest+json"),
     (RHOMBUS, "application/json"), (f"{RHOMBUS}/counts", "application/json"),
     (f"{RHOMBUS}/hint", "application/json"), (f"{RHOMBUS}/board.svg", "image/svg+xml"),
     (f"{RHOMBUS}/definition", "application/toml")],
)  # fmt: skip
def test_what_never_changes_says_what_it_is_and_is_sent_once(client, path, media) -> None:
    answer = client.get(path)
    assert answer.headers["content-type"].startswith(media)
    tag = answer.headers["etag"]
    again = client.get(path, headers={"If-None-Match": f'"other", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)


def test_what_is_long_is_packed_and_a_stream_of_events_is_not(client, api) -> None:
    for path in ("/", "/engine.js", "/data/rhombus.json", RHOMBUS):
        assert client.get(path).headers["content-encoding"] == "gzip", path
    plain = client.get("/engine.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    job = api.post("/jobs", json={"kind": "count", "puzzle": "rhombus"}).json()
    with client.stream("GET", f"/api/v1/jobs/{job['id']}/events") as events:
        assert "content-encoding" not in events.headers


@pytest.mark.parametrize(
    "path",
    ["/nope", "/static/x", "/data/nope.json", "/data/nope.bin", f"/{'long' * 500}",
     "/data/<script>alert(1)<script>`<b>`.json"],
)  # fmt: skip
def test_a_visit_to_nowhere_is_answered_in_html_and_a_program_in_json(client, path) -> None:
    seen = client.get(path, headers=VISIT)
    assert (seen.status_code, seen.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert '<a class="button" href="/">' in seen.text
    assert "--" not in re.sub(r"<!--.*?-->", "", seen.text)
    assert "<script>alert" not in seen.text and "<b>" not in seen.text
    assert seen.headers["content-security-policy"].startswith("default-src 'none'")
    told = client.get(path)
    assert told.headers["content-type"] == "application/problem+json"
    assert client.get(f"/api/v1{path}", headers=VISIT).json()["status"] == 404


@pytest.mark.parametrize(
    ("former", "address"),
    [("rhombus", "/#rhombus"), ("rhombus?date=2025-10-23", "/#rhombus/2025-10-23"),
     ("rhombus?reveal=Thu,Oct,23", "/#rhombus/Thu,Oct,23"), ("%22%3E", "/#%22%3E")],
)  # fmt: skip
def test_an_address_of_former_times_leads_to_the_page(client, former, address) -> None:
    said = client.get(f"/puzzles/{former}")
    assert (said.status_code, said.headers["location"]) == (301, address)


def test_the_description_of_the_api_is_set_and_needs_no_other_server(client) -> None:
    page = client.get("/docs").text
    assert "``" not in page and "<code>" in page
    assert "http" not in page.replace("http://127.0.0.1:8000", "")
    routes = client.get("/api/v1/openapi.json").json()["paths"]
    assert "/api/v1/puzzles/{puzzle}/counts" in routes
    assert all(route in page for route in routes)
