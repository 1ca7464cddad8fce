"""The API of the running server."""

from __future__ import annotations

import json
import re

import httpx
import pytest

import satcal
from helpers.puzzles import TINY
from helpers.servers import TODAY, finished
from satcal.encoding.export import export

PUZZLE = satcal.load("rhombus")
TILINGS = list(satcal.tilings(PUZZLE, PUZZLE.reveal(TODAY)))
OCTOBER = {"date": "2025-10-23"}


def test_the_library_is_listed_and_each_puzzle_described(api: httpx.Client) -> None:
    assert [each["id"] for each in api.get("/puzzles").json()] == list(satcal.library())
    described = api.get("/puzzles/rhombus").json()
    assert (described["cells"], described["reveals"], described["dates"]) == (50, 2604, True)
    assert [piece["name"] for piece in described["piece_set"]] == [p.name for p in PUZZLE.pieces]
    assert api.get("/puzzles/dragonfjord").json()["id"] == "a-puzzle-a-day"
    assert "[pieces]" in api.get("/puzzles/rhombus/definition").text


def test_counts_come_for_a_date_a_year_and_all_reveals(api: httpx.Client) -> None:
    path = "/puzzles/rhombus/counts"
    today = {"date": TODAY, "reveal": ["Thu", "Sep", "25"], "tilings": 4}
    assert api.get(path).json() == {"puzzle": "rhombus", "total": 4, "rows": [today]}
    assert api.get(path, params={"year": 2025}).json()["total"] == 213_869
    assert api.get(path, params={"all_reveals": True}).json()["total"] == 1_527_044
    assert len(api.get(path, params={"from": "2025-01-30", "to": "2025-02-02"}).json()["rows"]) == 4
    said = api.get(path, params={"month": "2025-10", "format": "csv"})
    assert said.headers["content-type"] == "text/csv; charset=utf-8"
    head, *rows = said.text.splitlines()
    assert head == "date,weekday,month,day,tilings,methods"
    assert (len(rows), rows[22]) == (31, "2025-10-23,Thu,Oct,23,201,diagram")


def test_a_hint_names_the_tightest_piece_and_a_placement_that_leads_on(api: httpx.Client) -> None:
    found = api.get("/puzzles/rhombus/hint", params=OCTOBER).json()
    assert (found["tilings"], found["tightest"], found["places"]["X"]) == (201, "X", 12)
    following = OCTOBER | {"place": found["next"]}
    assert api.get("/puzzles/rhombus/remaining", params=following).json()["tilings"] > 0


def test_tilings_come_in_pages_by_rank_and_at_random(api: httpx.Client) -> None:
    path, expected = "/puzzles/rhombus/tilings", [list(map(str, each)) for each in TILINGS]
    whole = api.get(path).json()
    assert [each["placements"] for each in whole["items"]] == expected
    part = api.get(path, params={"offset": 3, "limit": 5}).json()
    assert part["items"] == [{"rank": 3, "placements": expected[3]}]
    assert api.get(f"{path}/2").json()["items"][0]["placements"] == expected[2]
    drawn = [api.get(f"{path}/random", params={"seed": s}).json()["items"][0] for s in range(20)]
    assert {each["rank"] for each in drawn} == {0, 1, 2, 3}
    assert all(each["placements"] == expected[each["rank"]] for each in drawn)
    assert api.get(f"{path}/random", params={"seed": 7}).json()["items"][0] == drawn[7]


def test_a_posted_puzzle_can_be_asked_everything_also_by_the_page(server, api) -> None:
    asked = {"definition": TINY.text()}
    counts = [len(TINY.tilings(reveal)) for reveal in TINY.reveals()]
    said = api.post("/puzzles", json=asked)
    name = said.json()["id"]
    path = f"/puzzles/{name}"
    assert (said.status_code, said.headers["location"]) == (201, f"/api/v1{path}")
    assert api.post("/puzzles", json=asked).json() == said.json()
    assert api.get(f"{path}/definition").text == asked["definition"]
    assert api.get(f"{path}/board.svg").text.startswith("<svg ")
    rows = api.get(f"{path}/counts", params={"all_reveals": True}).json()["rows"]
    assert [row["tilings"] for row in rows] == counts
    tilings = api.get(f"{path}/tilings", params={"reveal": "Feb,29"}).json()
    assert len(tilings["items"]) == len(TINY.tilings(("Feb", "29")))
    job = {"kind": "count", "puzzle": name, "method": "search", "reveals": TINY.reveals()}
    done = finished(api, api.post("/jobs", json=job).json())
    assert [row["tilings"] for row in done["result"]["rows"]] == counts
    data = f"{server.url}/data/{name}"
    assert httpx.get(f"{data}.json").json()["name"] == name
    assert httpx.get(f"{data}.year.json").json() == list(map(str, counts))
    assert httpx.get(f"{data}.bin").content


def test_exports_are_those_of_the_command_line(api: httpx.Client) -> None:
    path = "/puzzles/a-puzzle-a-day/export"
    said = api.get(path, params={"reveal": "Oct,6", "encoding": "plain"})
    daily = satcal.load("a-puzzle-a-day")
    assert said.text == export(daily, ("Oct", "6"), encoding="plain")
    name = 'filename="a-puzzle-a-day-Oct-6.cnf"'
    assert said.headers["content-disposition"] == f"attachment; {name}"


@pytest.mark.needs("cairo", "a font")
def test_pictures_are_svg_and_png(api: httpx.Client) -> None:
    svg = api.get("/puzzles/rhombus/tiling.svg", params={"theme": "dark"})
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.text.startswith("<svg ")
    png = api.get("/puzzles/rhombus/pieces.png", params={"size": 200})
    assert png.content.startswith(b"\x89PNG")


def test_a_sat_count_is_a_job_whose_progress_comes_as_events(api: httpx.Client) -> None:
    reveals = [["Thu", "Sep", "25"], ["Sep", "25", "Fri"]]
    said = api.post("/jobs", json={"kind": "count", "puzzle": "rhombus", "reveals": reveals})
    assert said.status_code == 202
    with api.stream("GET", f"/jobs/{said.json()['id']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert any(event["progress"].get("total") == 2 for event in events)
    assert events[-1]["state"] == "done"
    friday = satcal.count(PUZZLE, ("Fri", "Sep", "25"))
    assert [row["tilings"] for row in events[-1]["result"]["rows"]] == [4, friday]


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ("counts?date=23 Oct 2025", "counts?date=2025-10-23"),
        ("counts?date=10/23/2025", "counts?date=2025-10-23"),
        ("counts?date=Oct 2025", "counts?month=2025-10"),
        ("counts?from=1.10.2025&to=Oct 3 2025", "counts?from=2025-10-01&to=2025-10-03"),
        (
            "remaining?date=23.10.2025&place=L4@Jan",
            "remaining?date=2025-10-23&place=L4@r4c5",
        ),
    ],
)
def test_dates_and_cells_are_named_as_on_the_command_line(api, words, plain) -> None:
    said, wanted = api.get(f"/puzzles/rhombus/{words}"), api.get(f"/puzzles/rhombus/{plain}")
    assert (said.status_code, said.json()) == (200, wanted.json()), said.text


def test_health_readiness_and_figures_are_there(server) -> None:
    with server.client() as client:
        assert client.get("/health").json() == {"status": "alive"}
        assert client.get("/ready").json() == {"status": "ready"}
        text = client.get("/metrics").text
    assert 'satcal_requests_total{method="GET",route="/health",status="200"}' in text
    assert "satcal_diagrams " in text


@pytest.mark.parametrize(
    ("method", "path", "status", "detail"),
    [
        ("GET", "/puzzles/rhombos", 404, "did you mean 'rhombus'?"),
        (
            "GET",
            "/puzzles/rhombus/counts?date=2025-02-30",
            422,
            "there is no Feb 30 in 2025; that month has 28 days",
        ),
        (
            "GET",
            "/puzzles/rhombus/counts?from=1583-01-01&to=9999-12-31",
            400,
            "3,074,246 rows, more than 10,000; ask for fewer years",
        ),
        (
            "GET",
            "/puzzles/pentomino-6x10/counts?date=2025-01-01",
            422,
            "this puzzle has no dates: it lacks the categories month and day; "
            "use reveal or all_reveals",
        ),
        ("GET", "/puzzles/rhombus/remaining?place=Q@r1c1", 404, "rhombus has no piece 'Q'"),
        # a condition names no file and no command
        ("GET", "/puzzles/rhombus/remaining?place=@/etc/passwd", 422, "should match pattern"),
        ("GET", "/puzzles/rhombus/remaining?place=N:r0c0;ls", 422, "'r0c0;ls' is not a label"),
        ("GET", "/puzzles/rhombus/remaining?place=N@r1c1%0A@x", 422, "should match pattern"),
        ("GET", "/puzzles/rhombus/remaining?date=3/4", 422, "date '3/4' could be Mar 4 or Apr 3"),
        ("GET", "/puzzles/rhombus/remaining?date=2025-10", 400, "give one date, not 31"),
        ("GET", "/puzzles/rhombus/counts?date=1225", 422, "did you mean Dec 25?"),
        ("GET", "/puzzles/rhombus/tilings/4", 404, "no tiling has rank 4; ranks go from 0 to 3"),
        ("GET", "/puzzles/rhombus/tilings?limit=201", 422, "limit: Input should be less than"),
        (
            "GET",
            "/puzzles/rhombus/remaining?date=2025-10-23&plce=X:r1c1",
            422,
            "no parameter 'plce'; did you mean 'place'?",
        ),
        ("GET", "/puzzles/rhombus/counts?dat=2025-10-23", 422, "did you mean 'date'?"),
        (
            "GET",
            "/puzzles/rhombus/counts?date=2025-10-23&date=2025-10-24",
            422,
            "date is given 2 times; give it once",
        ),
        ("GET", "/puzzles?order=name", 422, "no parameter 'order'; there are: none"),
        ("GET", "/puzzles/rhombus/tilings/0?seed=1", 422, "no parameter 'seed'; there are: date, "),
        ("GET", "/puzzles/rhombus/board.svg?themes=dark", 422, "did you mean 'theme'?"),
        ("GET", "/puzzles/rhombus/export?opne=true", 422, "did you mean 'open'?"),
        ("GET", "/jobs?state=done", 422, "no parameter 'state'"),
        ("POST", "/jobs?kind=count", 422, "no parameter 'kind'"),
        ("GET", "/claims?x", 422, "no parameter 'x'"),
        ("GET", "/jobs/none", 404, "no job 'none'"),
        ("GET", "/nothing", 404, "there is nothing at /api/v1/nothing"),
        ("PUT", "/puzzles", 405, "Method Not Allowed"),
        ("POST", "/puzzles", 422, "body: Field required"),
        ("POST", "/certificates", 400, "application/octet-stream"),
    ],
)
def test_every_error_is_a_problem_that_says_what_is_wrong(
    api: httpx.Client, method, path, status, detail
) -> None:
    said = api.request(method, path)
    assert (said.status_code, said.headers["content-type"]) == (status, "application/problem+json")
    problem = said.json()
    assert problem["status"] == status
    assert problem["type"].startswith("urn:satcal:")
    assert detail in problem["detail"]


def test_an_unknown_parameter_is_refused_at_every_address(server, api) -> None:
    described = api.get("/openapi.json").json()["paths"]
    names = {"puzzle": "rhombus", "rank": "0", "style": "svg", "job": "none"}
    addresses = [
        (method.upper(), re.sub(r"{(\w+)}", lambda found: names[found[1]], path))
        for path, operations in described.items()
        for method in operations
    ]
    others = (
        "/",
        "/style.css",
        "/docs",
        "/metrics",
        "/data/puzzles.json",
        "/data/rhombus.json",
        "/data/rhombus.bin",
        "/data/rhombus.year.json",
        "/api/v1/openapi.json",
    )
    with server.client() as client:
        for method, path in [*addresses, *(("GET", path) for path in others)]:
            said = client.request(method, path, params={"unheard": "1"})
            assert said.status_code == 422, (method, path)
            assert "no parameter 'unheard'" in said.json()["detail"]
    assert len(addresses) > 18


def test_published_claims_are_examined_by_a_job_when_somebody_asks(api: httpx.Client) -> None:
    found = api.get("/claims").json()
    assert (found["job"]["kind"], found["verdicts"]) == ("claims", [])
    assert api.get("/claims").json()["job"]["id"] == found["job"]["id"]
    assert api.delete(f"/jobs/{found['job']['id']}").json()["state"] == "cancelled"


@pytest.mark.long
def test_published_claims_come_with_their_verdicts(api: httpx.Client) -> None:
    assert finished(api, api.get("/claims").json()["job"], 200)["state"] == "done"
    verdicts = {each["id"]: each for each in api.get("/claims").json()["verdicts"]}
    assert verdicts["3a"]["verdict"] == "confirmed"
    assert (verdicts["3b"]["verdict"], verdicts["3b"]["truth"]) == ("refuted", "216 (Jan 25)")
