"""Every error is a problem document that names the field, the value and the way out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from oracle import dominoes, labels_alone

if TYPE_CHECKING:
    pass

API = "/api/v1"
RHOMBUS = f"{API}/puzzles/rhombus"
COUNT: dict[str, Any] = {"kind": "count", "puzzle": "rhombus", "year": 2027}


def check_problem(said: Any, status: int, word: str) -> None:
    """Check that an answer is a problem document with a status and a word in its detail."""
    assert said.headers["content-type"] == "application/problem+json"
    problem = said.json()
    assert (said.status_code, problem["status"]) == (status, status), problem
    assert problem["type"].startswith("urn:satcal:")
    assert word in problem["detail"]
    assert "satcal.sqlite" not in said.text


@pytest.mark.parametrize(
    ("path", "status", "word"),
    [
        (f"{API}/puzzles/rhombos", 404, "rhombus"),
        (f"{API}/puzzles/..%2Frhombus", 404, "/api/v1/"),
        (f"{RHOMBUS}/counts?dates=2025-02-30", 422, "2025-02-30"),
        (f"{RHOMBUS}/counts?dates=1583..9999", 413, "3,074,246"),
        (f"{RHOMBUS}/counts?year=1582", 422, "year"),
        (f"{RHOMBUS}/counts?year=2025&dates=today", 400, "dates and year"),
        (f"{RHOMBUS}/counts?all_reveals=true", 413, "2,604"),
        (f"{RHOMBUS}/counts?reveal=Thu,Oct", 422, "day"),
        (f"{API}/puzzles/pentomino-6x10/counts?dates=2025-01-01", 422, "no dates"),
        (f"{RHOMBUS}/remaining?date=2025-10", 400, "31"),
        (f"{RHOMBUS}/remaining?place=Q:r1c1", 422, "Q"),
        (f"{RHOMBUS}/remaining?place=/etc/passwd", 422, "/etc/passwd"),
        (f"{RHOMBUS}/tilings?limit=201", 422, "limit"),
        (f"{RHOMBUS}/tiling.svg?rank=5", 404, "from 1 to 4"),
        (f"{RHOMBUS}/tiling.svg?rank=0", 422, "rank"),
        (f"{RHOMBUS}/counts?dats=2025", 422, "dates"),
        (f"{RHOMBUS}/board.gif", 422, "style"),
        (f"{RHOMBUS}/export?encoding=ladde", 404, "ladder"),
        (f"{RHOMBUS}/export?open=true&date=today", 400, "open"),
        (f"{API}/jobs/none", 404, "none"),
        (f"{API}/jobs/none/events", 404, "none"),
        (f"{API}/nothing", 404, "/api/v1/nothing"),
        ("/nothing.js", 404, "/nothing.js"),
        ("/data/rhombos.json", 404, "rhombus"),
    ],
)
def test_what_cannot_be_asked(client, path, status, word):
    check_problem(client.get(path), status, word)


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (COUNT | {"years": 1}, 422, "'year'"),
        (COUNT | {"year": 1200}, 422, "1200"),
        (COUNT | {"method": "dlx"}, 422, "method"),
        (COUNT | {"puzzle": "rhombos"}, 404, "rhombus"),
        (COUNT | {"dates": "2027"}, 400, "dates and year"),
        (COUNT | {"dates": "1600..1700", "year": None}, 413, "36,890"),
        (COUNT | {"place": ["N: nowhere"]}, 422, "nowhere"),
        (COUNT | {"puzzle": ""}, 404, "no puzzle"),
        (COUNT | {"reveal": "", "year": None}, 422, "weekday"),
        (COUNT | {"puzzle": 7}, 422, "puzzle: must be"),
        (COUNT | {"puzzle": "x" * 65}, 422, "64"),
        (COUNT | {"place": ["N", None]}, 422, "place.1"),
        (COUNT | {"count": 1}, 422, "count: this request"),
        ({"kind": "count"}, 422, "puzzle: must be"),
        ({"kind": "coun"}, 422, "kind: must be count or certificate"),
        ({"kind": ["count"]}, 422, '["count"]'),
        ({"puzzle": "rhombus"}, 422, "kind: must be count or certificate"),
        ({"kind": "certificate", "puzzle": "rhombus", "date": "2027"}, 400, "365"),
        ([COUNT], 422, "JSON object"),
    ],
)
def test_what_cannot_be_a_job(client, body, status, word):
    before = client.get(f"{API}/jobs").json()
    check_problem(client.post(f"{API}/jobs", json=body), status, word)
    assert client.get(f"{API}/jobs").json() == before


@pytest.mark.parametrize(
    ("content", "kind", "status", "word"),
    [
        (b"{", "application/json", 400, "JSON"),
        (b"\xff", "application/json", 400, "JSON"),
        (b'{"kind": "count"}', "", 415, "is missing"),
        (b'{"kind": "count"}', "text/plain", 415, "text/plain"),
        (b"[" * 100_000, "application/json", 400, ""),
        (b"", "application/json", 422, "missing"),
        (b"null", "application/json", 422, "null"),
        (b'{"kind": "\\ud800"}', "application/json", 422, "kind"),
    ],
)
def test_a_body_that_is_not_read(client, content, kind, status, word):
    headers = {"Content-Type": kind} if kind else {}
    said = client.post(f"{API}/jobs", content=content, headers=headers)
    check_problem(said, status, word)


def pieces(number: int) -> str:
    """Return a definition of so many pieces of two squares."""
    row = " ".join("*" * 2 * number)
    board = "\n".join(row[start : start + 40] for start in range(0, len(row), 40))
    named = "\n".join(f'P{each} = "##"' for each in range(number))
    return f'board = """\n{board}\n"""\n[pieces]\n{named}\n'


def numbers(first: int) -> list[str]:
    """Return 22 labels."""
    return list(map(str, range(first, first + 22)))


@pytest.mark.parametrize(
    ("text", "status", "word"),
    [
        ("board = 1", 422, "board"),
        ('board = "* *"\n[pieces]\nD = "###"', 422, "area"),
        (dominoes(13, 20).text, 413, "260 cells, more than the 256"),
        (pieces(65), 413, "65 pieces, more than the 64"),
        (
            labels_alone(x=numbers(0), y=numbers(22), z=numbers(44)).text,
            413,
            "more than the 10,000",
        ),
        ('board = "' + "* " * 257 + '"\n[pieces]\nI = {shape = "#", copies = 257}', 413, "64 rows"),
    ],
)
def test_a_definition_that_is_refused(client, text, status, word):
    said = client.post(f"{API}/puzzles", json={"definition": text})
    check_problem(said, status, word)


def test_a_method_that_a_route_does_not_take(client):
    said = client.put(f"{API}/puzzles")
    check_problem(said, 405, "PUT")
    assert "GET" in said.headers["allow"]


def test_a_misspelt_field_is_refused_at_every_route_with_parameters(client):
    names = {"puzzle": "rhombus", "style": "svg", "job": "none"}
    paths = client.get(f"{API}/openapi.json").json()["paths"]
    asked = 0
    for path, operations in paths.items():
        parameters = operations.get("get", {}).get("parameters", [])
        if any(parameter["in"] == "query" for parameter in parameters):
            address = re.sub(r"{(\w+)}", lambda found: names[found[1]], path)
            check_problem(client.get(f"{address}?nonsense=1"), 422, "nonsense")
            asked += 1
    assert asked > 6


def test_an_unexpected_error_tells_only_its_type(client, monkeypatch):
    monkeypatch.setattr("satcal.service.routes.tilings.give_hint", lambda *asked: 1 // 0)
    said = client.get(f"{RHOMBUS}/hint")
    check_problem(said, 500, "ZeroDivisionError")
    assert "integer" not in said.text


@pytest.mark.parametrize("path", ["/nothing", "/deep/nothing.html", "/data/rhombos.json"])
def test_a_browser_gets_a_page_that_leads_back(client, path):
    accept = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    said = client.get(path, headers=accept)
    assert (said.status_code, said.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "That does not work" in said.text
    links = re.findall(r'href="([^"]*)"', said.text)
    assert "/" in links
    for link in links:
        assert client.get(link).status_code == 200
    check_problem(client.get(f"{API}/nothing", headers=accept), 404, "nothing")
