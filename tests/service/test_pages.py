"""What people get from the server: the static edition's own files, packed, and errors to read."""

from __future__ import annotations

import datetime
import gzip
import io
import re

import pytest
from PIL import Image

from helpers.browser import Windows
from helpers.servers import TODAY
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.preview import preview_picture
from satcal.draw.theme import load_theme
from satcal.puzzle.loading import library, load
from satcal.service import answers
from satcal.site import edition
from satcal.site.packing import pack

VISIT = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
RHOMBUS = "/api/v1/puzzles/rhombus"


@pytest.fixture
def client(server):
    with server.client() as client:
        yield client


def test_the_page_and_its_data_are_those_of_the_static_edition(client, server) -> None:
    for name, content in edition.page().items():
        if name not in ("index.html", "preview.png"):  # they say which boards, and which day
            assert client.get(f"/{name}").content == content, name
    boards = ["rhombus", *(name for name in library() if name != "rhombus")]
    for path in ("/", "/index.html"):
        assert client.get(path).content == edition.front(boards, f"{server.url}/")
    puzzle = load("crea-makerspace")
    diagram = PuzzleDiagram.build(puzzle)
    for path, content in {
        "json": edition.describe(puzzle, puzzle.name),
        "bin": pack(diagram.diagram),
        "year.json": edition.year(diagram),
    }.items():
        assert client.get(f"/data/{puzzle.name}.{path}").content == content
    shown = client.get("/data/puzzles.json").json()
    assert shown["served"] and shown["first"] == "rhombus"


def test_others_are_shown_the_board_of_today_at_an_absolute_address(client, server) -> None:
    tag = re.search(r'og:image" content="(.*?)"', client.get("/").text)
    assert tag and tag[1] == f"{server.url}/preview.png"
    puzzle = load("rhombus")
    shown = client.get(tag[1])
    assert shown.headers["content-type"] == "image/png"
    with Image.open(io.BytesIO(shown.content)) as picture:
        assert picture.size == (1200, 630)
    today = puzzle.calendar.reveal(datetime.date.fromisoformat(TODAY))
    for reveal, same in ((today, True), ((), False)):
        drawn = preview_picture(puzzle, load_theme(), reveal).encode(".png", 1200)
        assert (shown.content == drawn) == same


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/", "text/html"),
        ("/engine.js", "text/javascript"),
        ("/style.css", "text/css"),
        ("/favicon.ico", "image/"),
        ("/manifest.webmanifest", "application/manifest+json"),
        (RHOMBUS, "application/json"),
        (f"{RHOMBUS}/counts", "application/json"),
        (f"{RHOMBUS}/hint", "application/json"),
        (f"{RHOMBUS}/board.svg", "image/svg+xml"),
        (f"{RHOMBUS}/definition", "application/toml"),
    ],
)
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
    "path", ["/nope", "/static/x", "/data/nope.json", "/data/nope.bin", "/data/<b>`.json"]
)
def test_an_address_of_nothing_is_a_problem_also_for_a_browser(client, path) -> None:
    for headers in ({}, VISIT):
        said = client.get(path, headers=headers)
        assert said.status_code == 404
        assert said.headers["content-type"] == "application/problem+json"
        assert said.headers["content-security-policy"].startswith("default-src 'none'")


def test_the_description_of_the_api_is_read_without_any_other_server(
    windows: Windows, server
) -> None:
    page = windows.open((1280, 900), base_url=server.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/docs")
    page.get_by_text("/api/v1/puzzles/{puzzle}/counts").wait_for(timeout=60_000)
    assert all(address.startswith((server.url, "data:")) for address in asked)


def test_tilings_are_packed_once_for_all(client) -> None:
    packed = client.get("/data/rhombus.bin")
    plain = client.get("/data/rhombus.bin", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == "Accept-Encoding"


def test_one_diagram_packs_its_tilings_once(monkeypatch) -> None:
    held, packed = answers.Slices(PuzzleDiagram.build(load("tetromino"))), []
    compress = gzip.compress
    monkeypatch.setattr(gzip, "compress", lambda *a, **k: packed.append(1) or compress(*a, **k))
    one, other = (answers.PageFile("packed").answer(held) for _ in range(2))
    assert one is other and gzip.decompress(one) == answers.PageFile("tilings").answer(held)
    assert len(packed) == 1
