"""The routes of a puzzle: what they answer."""

from __future__ import annotations

import hashlib
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from helpers.checkers import DOCS
from helpers.servers import InThreads
from oracle import ONE_FACE, TINY, truth
from satcal.encoding.export import export_text
from satcal.errors import TooLarge
from satcal.puzzle.loading import library, load, parse_puzzle
from satcal.puzzle.placed import parse_place
from satcal.service import work
from satcal.service.files import FileCache
from satcal.service.models import ExportQuery
from satcal.site import edition
from satcal.site.page import page_files
from shared.make_vectors import vectors

if TYPE_CHECKING:
    from starlette.testclient import TestClient

JSON = {"Content-Type": "application/json"}
PUZZLES = "/api/v1/puzzles"
RHOMBUS = f"{PUZZLES}/rhombus"


def get(client: TestClient, path: str, **params: Any) -> Any:
    """Return the JSON of a successful answer."""
    answer = client.get(path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(client: TestClient, definition: str) -> str:
    """Post a puzzle; return its path."""
    answer = client.post(PUZZLES, json={"definition": definition})
    assert answer.status_code == 201, answer.text
    location: str = answer.headers["location"]
    assert location == f"{PUZZLES}/{answer.json()['id']}"
    return location


def test_the_library_is_listed_and_each_puzzle_described(client):
    listed = get(client, PUZZLES)
    assert [puzzle["id"] for puzzle in listed] == list(library())
    rhombus = get(client, RHOMBUS)
    assert rhombus in listed
    assert (rhombus["cells"], rhombus["reveals"], rhombus["dates"]) == (50, 2604, True)
    assert rhombus["digest"] == load("rhombus").digest
    assert get(client, f"{PUZZLES}/dragonfjord")["id"] == "a-puzzle-a-day"
    assert "[pieces]" in client.get(f"{RHOMBUS}/definition").text


@pytest.mark.parametrize(
    ("question", "rows", "total"),
    [
        ({}, 1, 4),
        ({"reveal": "23,oct,Thu"}, 1, 201),
        ({"date": "2025-01-30..2025-02-02"}, 4, 1847),
        ({"date": "2025-10-23", "place": "X:r5c6,r6c5,r6c6,r6c7,r7c6"}, 1, 73),
    ],
)
def test_counts_are_of_today_a_reveal_or_dates(client, question, rows, total):
    counts = get(client, f"{RHOMBUS}/counts", **question)
    assert len(counts["rows"]) == rows
    assert counts["total"] == sum(row["tilings"] for row in counts["rows"]) == total


@pytest.mark.parametrize(
    ("dates", "status"), [("2024-01-01..2025-02-03", 200), ("2024-01-01..2025-02-04", 413)]
)
def test_an_answer_has_at_most_400_rows(client, dates, status):
    assert client.get(f"{RHOMBUS}/counts", params={"date": dates}).status_code == status


def test_all_reveals_come_as_csv(client):
    head, *rows = client.get(f"{RHOMBUS}/counts.csv").text.splitlines()
    assert (head, len(rows)) == ("date,weekday,month,day,tilings", 2604)
    assert sum(int(row.rpartition(",")[2]) for row in rows) == 1_527_044


def test_a_board_without_categories_has_one_row(client):
    for question in ({}, {"reveal": ""}):
        counts = get(client, f"{PUZZLES}/pentomino-3x20/counts", **question)
        assert counts["rows"] == [{"date": None, "reveal": [], "tilings": 8}]


def test_a_hint_is_that_of_the_definition(client):
    board = "a-puzzle-a-day"
    for row in (row for row in vectors("hints") if row["board"] == board):
        question = {"reveal": ",".join(row["reveal"]), "place": row["place"]}
        answer = get(client, f"{PUZZLES}/{board}/hint", **question)
        fields = ("reveal", "tilings", "cell", "next", "blame")
        assert [answer[field] for field in fields] == [row[field] for field in fields]
        assert bool(answer["advice"]) == (row["tilings"] == 0)


def test_tilings_are_listed_by_rank_from_1(client):
    path = f"{RHOMBUS}/tilings"
    listed = get(client, path)
    assert (listed["tilings"], [item["rank"] for item in listed["items"]]) == (4, [1, 2, 3, 4])
    assert get(client, path, offset=3, limit=5)["items"] == listed["items"][3:]
    assert get(client, path, offset=4)["items"] == []


def test_every_route_takes_a_posted_puzzle(client):
    counts, path = list(truth(TINY).values()), post(client, TINY.text)
    assert post(client, TINY.text) == path
    text = client.get(f"{path}/definition").text
    assert parse_puzzle(text, "posted").digest == TINY.load().digest
    rows = get(client, f"{path}/counts", all_reveals=True)["rows"]
    assert [row["tilings"] for row in rows] == counts
    picture = client.get(f"{path}/board.svg")
    assert picture.text.startswith("<svg ")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in picture.headers["content-security-policy"]
    name = path.rpartition("/")[2]
    assert get(client, f"/data/{name}.year.json") == list(map(str, counts))


def test_each_field_of_an_export_is_that_of_the_command_line(client):
    board, puzzle, placed = post(client, TINY.text), TINY.load(), "V:r1c2,r2c2,r2c3"
    path, reveal, place = f"{board}/export", ("Jan", "1"), parse_place(puzzle, placed)
    name = f"{board.removeprefix(f'{PUZZLES}/')}-Jan-1.cnf"
    disposition = client.get(path, params={"reveal": "Jan,1"}).headers["content-disposition"]
    assert disposition == f"attachment; filename*=UTF-8''{name}"
    exports = {
        "date": ({"date": "2026-02-01"}, {"reveal": ("Feb", "1")}),
        "reveal": ({"reveal": "Jan,1"}, {}),
        "place": ({"reveal": "Jan,1", "place": placed}, {"place": place}),
        "format": ({"reveal": "Jan,1", "format": "opb"}, {"format": "opb"}),
        "encoding": ({"reveal": "Jan,1", "encoding": "plain"}, {"encoding": "plain"}),
        "open": ({"open": True, "place": placed}, {"reveal": None, "place": place}),
    }
    assert exports.keys() == ExportQuery.model_fields.keys()
    for params, options in exports.values():
        text = export_text(puzzle, **{"reveal": reveal, **options})
        assert client.get(path, params=params).text == text
    other = f"{post(client, ONE_FACE.text)}/export"
    text = export_text(ONE_FACE.load(), reveal)
    assert client.get(other, params={"reveal": "Jan,1"}).text == text


def test_files_are_kept_within_limits_and_the_one_read_last_stays(monkeypatch):
    monkeypatch.setattr("satcal.service.files.MAX_CACHED", 10)
    monkeypatch.setattr("satcal.service.files.MAX_FILES", 3)
    cache = FileCache()

    def keep(*sizes: int) -> list[int]:
        for size in sizes:
            cache.add((size,), bytes(size))
        return [size for size in range(20) if cache.find((size,)) is not None]

    assert keep(1, 2, 3) == [1, 2, 3]
    cache.find((1,))
    assert keep(0) == [0, 1, 3]
    assert keep(9) == [9]
    assert keep(11) == []


def test_a_first_question_is_slow_also_after_a_file_about_the_board(serve, monkeypatch):
    noted, run = list[tuple[str, bool]](), InThreads.run

    async def note(workers: InThreads, function: Any, *args: Any, slow: bool = False) -> Any:
        noted.append((function.__name__, slow))
        return await run(workers, function, *args, slow=slow)

    monkeypatch.setattr(InThreads, "run", note)
    with serve() as client:
        assert client.get(f"{RHOMBUS}/board.svg").status_code == 200
        for _ in range(2):
            get(client, f"{RHOMBUS}/hint")
    assert noted == [("draw_board", True), ("give_hint", True), ("give_hint", False)]


PACKED = [
    *("/", "/app.js", "/docs/swagger-ui.css", "/api/v1/openapi.json"),
    *(f"{RHOMBUS}/{name}" for name in ("export", "board.svg", "counts.csv")),
    *("/data/puzzles.json", "/data/rhombus.json"),
]


@pytest.mark.parametrize("path", [*PACKED, f"{RHOMBUS}/counts", f"{RHOMBUS}/hint"])
def test_an_etag_is_a_digest_of_what_is_sent_and_files_are_compressed(client, path):
    tags, bodies = set[str](), set[bytes]()
    for coding in ("identity", "gzip"):
        headers = {"Accept-Encoding": coding}
        with client.stream("GET", path, headers=headers) as answer:
            sent, tag = b"".join(answer.iter_raw()), answer.headers["etag"]
        assert tag.strip('"') == hashlib.sha256(sent).hexdigest()[:24]
        again = client.get(path, headers=headers | {"If-None-Match": f'"other", W/{tag}'})
        assert (again.status_code, again.content) == (304, b"")
        is_packed = path in PACKED and coding == "gzip"
        assert answer.headers.get("content-encoding") == ("gzip" if is_packed else None)
        assert answer.headers.get("vary") == ("Accept-Encoding" if path in PACKED else None)
        tags.add(tag)
        bodies.add(body := client.get(path, headers=headers).content)
        assert not is_packed or len(sent) < 0.9 * len(body)
    assert (len(tags), len(bodies)) == (2 if path in PACKED else 1, 1)


def test_the_files_of_the_page_have_names_that_a_browser_keeps(client):
    page = client.get("/").text
    names = re.findall(r'(?:src|href)="([^"#]+\.(?:js|css|svg))"', page)
    assert len(names) > 10
    version = names[0].rpartition("/")[0]
    for name in names:
        assert "immutable" in client.get(f"/{name}").headers["cache-control"]
    for entry in ("index.html", "manifest.webmanifest"):
        assert client.get(f"/{version}/{entry}").status_code == 404
    assert client.get("/app.js").content == page_files()["app.js"]
    old = re.sub(r"v/\w+/", "v/123456789abc/", names[0])
    assert client.get(f"/{old}").headers["cache-control"] == "private, no-cache"


def test_the_data_of_the_page_are_those_of_the_static_edition(client):
    files = edition.data_files({"a-puzzle-a-day": load("a-puzzle-a-day")}, "a-puzzle-a-day")
    for kind in ("json", "year.json", "evidence.json", "bin"):
        path = f"data/a-puzzle-a-day.{kind}"
        assert client.get(f"/{path}").content == files[path]


def test_docs_load_nothing_from_elsewhere(client):
    loaded = re.findall(r'(?:href|src)="([^"]+)"', client.get("/docs").text)
    assert len(loaded) == 4
    for name in loaded:
        assert client.get(f"/{name}").status_code == 200


def test_one_date_of_a_board_that_is_too_large_as_a_whole_is_answered(client, monkeypatch):
    text = client.get(f"{PUZZLES}/tetromino/definition").text
    board, reveal = work.BoardText("tetromino", text), next(load("tetromino").reveals())
    monkeypatch.setattr(work, "build_whole_diagram", lambda board: None)
    work.build_diagram.cache_clear()
    assert work.count(board, [reveal], ())[reveal] == work.load_shipped_counts(board)[reveal]
    with pytest.raises(TooLarge):
        work.pack_tilings(board)
    work.build_diagram.cache_clear()


def test_a_diagram_that_contradicts_the_table_is_not_believed(client, monkeypatch):
    monkeypatch.setattr(work, "load_shipped_counts", lambda board: {("Thu", "Sep", "25"): 5})
    work.build_diagram.cache_clear()
    assert client.get(f"{RHOMBUS}/hint").status_code == 409
    work.build_diagram.cache_clear()


def test_health_readiness_and_metrics_are_reported(client):
    assert get(client, "/health") == {"status": "alive"}
    assert get(client, "/ready") == {"status": "ready"}
    client.request("BREW", "/pot/coffee")
    text = client.get("/metrics").text
    assert 'satcal_requests_total{method="GET",route="/health",status="200"}' in text
    assert 'satcal_requests_total{method="other",route="other"' in text  # no client adds names
    assert 'satcal_jobs{state="running"}' in text


def test_the_examples_of_the_reference_are_answered_as_it_says(client):
    page = (DOCS / "reference" / "http.md").read_text("utf-8")
    examples = re.findall(r"^\$ curl (.*)\n(.+)$", page, re.MULTILINE)
    assert len(examples) == 4
    for command, output in examples:
        curl, cut, _ = command.partition(" | ")
        *options, address = shlex.split(curl)
        path = address.removeprefix("$SATCAL")
        if "-d" in options:
            answer = client.post(path, content=options[options.index("-d") + 1], headers=JSON)
        else:
            answer = client.get(path)
        assert answer.text.startswith(output) if cut else answer.text == output
