"""The routes of a puzzle: what they answer."""

from __future__ import annotations

import hashlib
import random
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from helpers.servers import InThreads
from oracle import TINY, truth
from satcal.encoding.export import export_text
from satcal.puzzle.loading import library, load
from satcal.service.files import FileCache, StoredFile
from satcal.service.models import ExportQuery
from satcal.service.work import diagrams
from satcal.service.work.counts import count
from shared.make_vectors import BOARDS, DEFINITIONS, vectors

if TYPE_CHECKING:
    from starlette.testclient import TestClient

HTTP = Path(__file__).parents[2] / "docs" / "reference" / "http.md"
JSON = {"Content-Type": "application/json"}
RHOMBUS = "/api/v1/puzzles/rhombus"
OCTOBER = {"date": "2025-10-23"}
X = "X:r5c6,r6c5,r6c6,r6c7,r7c6"


def get(client: TestClient, path: str, **params: Any) -> Any:
    """Return the JSON of a successful answer."""
    said = client.get(path, params=params)
    assert said.status_code == 200, said.text
    return said.json()


@pytest.fixture(scope="module")
def posted(client: TestClient) -> str:
    """Return the path of a posted puzzle."""
    said = client.post("/api/v1/puzzles", json={"definition": TINY.text})
    assert said.status_code == 201
    location: str = said.headers["location"]
    return location


def test_the_library_is_listed_and_each_puzzle_described(client):
    assert [each["id"] for each in get(client, "/api/v1/puzzles")] == list(library())
    described = get(client, RHOMBUS)
    assert (described["cells"], described["reveals"], described["dates"]) == (50, 2604, True)
    assert described["digest"] == load("rhombus").digest
    assert get(client, "/api/v1/puzzles/dragonfjord")["id"] == "a-puzzle-a-day"
    assert "[pieces]" in client.get(f"{RHOMBUS}/definition").text


@pytest.mark.parametrize(
    ("asked", "rows", "total"),
    [
        ({}, 1, 4),
        ({"reveal": "23,oct,Thu"}, 1, 201),
        ({"dates": "2025-01-30..2025-02-02"}, 4, 1847),
        ({"year": 2024}, 366, 206_453),
    ],
)
def test_counts_come_for_a_date_a_range_and_a_year(client, asked, rows, total):
    counts = get(client, f"{RHOMBUS}/counts", **asked)
    assert len(counts["rows"]) == rows
    assert counts["total"] == sum(row["tilings"] for row in counts["rows"]) == total


@pytest.mark.parametrize(
    ("dates", "status"), [("2024-01-01..2025-02-03", 200), ("2024-01-01..2025-02-04", 413)]
)
def test_an_answer_has_at_most_400_rows(client, dates, status):
    assert client.get(f"{RHOMBUS}/counts", params={"dates": dates}).status_code == status


def test_all_reveals_come_as_csv(client):
    said = client.get(f"{RHOMBUS}/counts", params={"all_reveals": True, "format": "csv"})
    head, *rows = said.text.splitlines()
    assert (head, len(rows)) == ("date,weekday,month,day,tilings", 2604)
    assert sum(int(row.rpartition(",")[2]) for row in rows) == 1_527_044


def test_a_board_without_categories_has_one_row(client):
    path = "/api/v1/puzzles/pentomino-3x20"
    row = {"date": None, "reveal": [], "tilings": 8}
    assert get(client, f"{path}/counts")["rows"] == [row]
    assert get(client, f"{path}/remaining")["tilings"] == 8
    assert get(client, f"{path}/remaining", reveal="")["tilings"] == 8


def test_what_is_placed_leaves_fewer_tilings(client):
    answer = get(client, f"{RHOMBUS}/remaining", place=X, **OCTOBER)
    assert answer == {"reveal": ["Thu", "Oct", "23"], "place": [X], "tilings": 73}
    assert get(client, f"{RHOMBUS}/remaining", **OCTOBER)["tilings"] == 201


@pytest.mark.parametrize("name", BOARDS)
def test_a_hint_is_that_of_the_definition(client, name):
    path = f"/api/v1/puzzles/{name}"
    if name in DEFINITIONS:
        posted = client.post("/api/v1/puzzles", json={"definition": DEFINITIONS[name]})
        path = posted.headers["Location"]
    for row in (row for row in vectors("hints") if row["board"] == name):
        answer = get(client, f"{path}/hint", reveal=",".join(row["reveal"]), place=row["place"])
        fields = ("reveal", "tilings", "cell", "next", "blame")
        assert [answer[field] for field in fields] == [row[field] for field in fields]
        assert bool(answer["advice"]) == (row["tilings"] == 0)


def test_tilings_come_in_pages_by_rank_from_1_and_at_random(client):
    path = f"{RHOMBUS}/tilings"
    whole = get(client, path)["items"]
    assert [item["rank"] for item in whole] == [1, 2, 3, 4]
    assert get(client, path, offset=3, limit=5)["items"] == whole[3:]
    assert get(client, path, offset=4)["items"] == []
    for seed in range(8):
        (drawn,) = get(client, f"{path}/random", seed=seed)["items"]
        assert drawn == whole[random.Random(seed).randrange(4)]


def test_a_posted_puzzle_can_be_asked_everything(client, posted):
    counts = list(truth(TINY).values())
    again = client.post("/api/v1/puzzles", json={"definition": TINY.text})
    assert again.headers["location"] == posted
    assert load_text(client.get(f"{posted}/definition").text).digest == TINY.load().digest
    rows = get(client, f"{posted}/counts", all_reveals=True)["rows"]
    assert [row["tilings"] for row in rows] == counts
    assert client.get(f"{posted}/board.svg").text.startswith("<svg ")
    name = posted.rpartition("/")[2]
    assert get(client, f"/data/{name}.json")["name"] == name
    assert get(client, f"/data/{name}.year.json") == list(map(str, counts))


def load_text(text: str) -> Any:
    """Return the puzzle of a definition."""
    from satcal.puzzle.loading import parse_puzzle

    return parse_puzzle(text, "posted")


def test_exports_are_those_of_the_command_line(client):
    path = "/api/v1/puzzles/a-puzzle-a-day/export"
    said = client.get(path, params={"reveal": "Oct,6", "encoding": "owner"})
    assert said.text == export_text(load("a-puzzle-a-day"), ("Oct", "6"), encoding="owner")
    assert 'attachment; filename="a-puzzle-a-day-Oct-6.cnf"' in said.headers["content-disposition"]
    every = client.get(path, params={"open": True, "format": "opb"})
    assert every.text == export_text(load("a-puzzle-a-day"), None, format="opb")
    rows = ["_ _ _ _ _ _ .", "_ _ _ Oct _ _ .", "_ _ _ _ _ 6 _", *["_ _ _ _ _ _ _"] * 3]
    drawing = "\n".join([*rows, "_ _ _ . . . ."])  # of Oct 6, though the formula has all dates
    assert client.get(path, params={"open": True, "place": drawing}).status_code == 200


EXPORTED = {
    "date": {"date": "2026-10-07"},
    "reveal": {"reveal": "Oct,8"},
    "place": {"reveal": "Oct,6", "place": "O: 1 2 3 8 9 10"},
    "format": {"reveal": "Oct,6", "format": "opb"},
    "encoding": {"reveal": "Oct,6", "encoding": "plain"},
    "open": {"open": True},
}
"""For each field of a request, one that differs from ``reveal=Oct,6`` in it."""


def test_a_file_that_is_kept_is_sent_for_its_own_request_only(client):
    assert EXPORTED.keys() == ExportQuery.model_fields.keys()
    requests = [("a-puzzle-a-day", {"reveal": "Oct,6"}), ("jarring-words", {"reveal": "Oct,6"})]
    requests += [("a-puzzle-a-day", params) for params in EXPORTED.values()]
    paths = [(f"/api/v1/puzzles/{puzzle}/export", params) for puzzle, params in requests]
    assert len({client.get(path, params=params).text for path, params in paths}) == len(paths)


def test_files_are_kept_within_limits_and_the_one_read_last_stays(monkeypatch):
    monkeypatch.setattr("satcal.service.files.MAX_CACHED", 10)
    monkeypatch.setattr("satcal.service.files.MAX_FILES", 3)
    cache = FileCache()

    def keep(*sizes: int) -> list[int]:
        for size in sizes:
            cache.add((size,), StoredFile(bytes(size), False))
        return [size for size in range(20) if cache.find((size,))]

    assert keep(1, 2, 3) == [1, 2, 3]
    cache.find((1,))
    assert keep(0) == [0, 1, 3]
    assert keep(9) == [9]
    assert keep(11) == []


def test_a_first_question_is_slow_also_after_a_picture_of_the_board(serve, monkeypatch):
    asked, run = list[tuple[str, bool]](), InThreads.run

    async def note(workers: InThreads, function: Any, *args: Any, slow: bool = False) -> Any:
        asked.append((function.__name__, slow))
        return await run(workers, function, *args, slow=slow)

    monkeypatch.setattr(InThreads, "run", note)
    with serve() as client:
        assert client.get(f"{RHOMBUS}/board.svg").status_code == 200
        for _ in range(2):
            get(client, f"{RHOMBUS}/hint", **OCTOBER)
    assert asked == [("draw_board", False), ("give_hint", True), ("give_hint", False)]


@pytest.mark.needs("cairo", "a font")
def test_pictures_are_svg_and_png(client):
    svg = client.get(f"{RHOMBUS}/tiling.svg", params={"theme": "dark"})
    assert svg.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in svg.headers["content-security-policy"]
    png = client.get(f"{RHOMBUS}/board.png", params={"size": 200})
    assert png.content.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "path", [f"{RHOMBUS}/counts", f"{RHOMBUS}/hint", "/data/rhombus.json", "/style.css", "/"]
)
def test_an_etag_is_a_digest_of_the_body(client, path):
    tags = set[str]()
    for coding in ("identity", "gzip;q=0", "gzip"):
        headers = {"Accept-Encoding": coding}
        with client.stream("GET", path, headers=headers) as said:
            raw, tag = b"".join(said.iter_raw()), said.headers["etag"]
        assert tag.strip('"') == hashlib.sha256(raw).hexdigest()[:24]
        again = client.get(path, headers=headers | {"If-None-Match": f'"other", W/{tag}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers.get("vary") == said.headers.get("vary")
        tags.add(tag)
    assert len(tags) == (2 if said.headers.get("content-encoding") else 1)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/app.js",
        "/data/puzzles.json",
        "/data/rhombus.json",
        "/docs/swagger-ui.css",
    ]
    + [f"/data/rhombus.{kind}" for kind in ("year.json", "bin")]
    + [
        "/api/v1/openapi.json",
        f"{RHOMBUS}/counts?all_reveals=true&format=csv",
        f"{RHOMBUS}/export",
    ],
)
def test_what_seldom_changes_is_compressed_for_those_who_take_it(client, path):
    packed = client.get(path)
    plain = client.get(path, headers={"Accept-Encoding": "br"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < 0.9 * len(plain.content)


def test_the_files_of_the_page_have_names_that_a_browser_keeps(client):
    page = client.get("/").text
    names = re.findall(r'(?:src|href)="([^"#]+\.(?:js|css|svg))"', page)
    assert len(names) > 10
    for name in names:
        said = client.get(f"/{name}")
        assert "immutable" in said.headers["cache-control"]
        assert said.content
    version = names[0].rpartition("/")[0]
    assert client.get(f"/{version}/index.html").status_code == 404  # the entry is never kept
    old = re.sub(r"v/\w+/", "v/123456789abc/", names[0])
    assert client.get(f"/{old}").headers["cache-control"] == "private, no-cache"


def test_head_is_answered_as_get(client):
    assert client.head(f"{RHOMBUS}/counts").status_code == 200


def test_the_data_of_the_page_are_those_of_the_static_edition(client):
    from satcal.site import edition

    puzzle = load("a-puzzle-a-day")
    files = edition.data_files({"a-puzzle-a-day": puzzle}, "a-puzzle-a-day")
    for kind in ("json", "year.json", "evidence.json"):
        path = f"data/a-puzzle-a-day.{kind}"
        assert client.get(f"/{path}").content == files[path]
    said = client.get("/data/a-puzzle-a-day.bin")
    assert said.content == files["data/a-puzzle-a-day.bin"]  # the client has unpacked it
    assert said.headers["content-encoding"] == "gzip"


def test_the_preview_is_a_file(client):
    from satcal.site.page import STATIC

    assert client.get("/preview.png").content == (STATIC / "preview.png").read_bytes()


def test_all_routes_are_listed_with_a_sentence(client):
    routes = get(client, "/api/v1/")
    assert len(routes) > 20
    assert all(route["what"].endswith(".") for route in routes)
    described = get(client, "/api/v1/openapi.json")["paths"]
    assert {route["path"] for route in routes} == set(described)


def test_docs_load_nothing_from_elsewhere(client):
    page = client.get("/docs").text
    assert "http" not in page.replace("http-equiv", "")
    for name in ("swagger-ui-bundle.js", "swagger-ui.css"):
        assert client.get(f"/docs/{name}").status_code == 200


def test_one_date_of_a_board_that_is_too_large_as_a_whole_is_answered(client, monkeypatch):
    board = diagrams.BoardText(
        "tetromino", (client.get("/api/v1/puzzles/tetromino/definition")).text
    )
    (reveal, *_) = load("tetromino").reveals()
    monkeypatch.setattr(diagrams, "build_whole_diagram", lambda board: None)
    diagrams.build_diagram.cache_clear()
    assert count(board, [reveal], ())[reveal] == diagrams.load_shipped_counts(board)[reveal]
    diagrams.build_diagram.cache_clear()


def test_a_diagram_that_contradicts_the_table_is_not_believed(client, monkeypatch):
    monkeypatch.setattr(diagrams, "load_shipped_counts", lambda board: {("Thu", "Sep", "25"): 5})
    diagrams.build_diagram.cache_clear()
    assert client.get(f"{RHOMBUS}/hint").status_code == 409
    diagrams.build_diagram.cache_clear()


def test_health_readiness_and_figures_are_there(client):
    assert get(client, "/health") == {"status": "alive"}
    assert get(client, "/ready") == {"status": "ready"}
    text = client.get("/metrics").text
    assert 'satcal_requests_total{method="GET",route="/health",status="200"}' in text
    assert 'satcal_jobs{state="running"}' in text


def test_the_examples_of_the_reference_are_answered_as_it_says(client):
    examples = re.findall(r"^\$ curl (.*)\n(.+)$", HTTP.read_text("utf-8"), re.MULTILINE)
    assert len(examples) == 4
    for command, output in examples:
        curl, cut, _ = command.partition(" | ")
        *options, address = shlex.split(curl)
        path = address.removeprefix("$SATCAL")
        if "-d" in options:
            said = client.post(path, content=options[options.index("-d") + 1], headers=JSON)
        else:
            said = client.get(path)
        assert said.text.startswith(output) if cut else said.text == output
