"""Every error is a problem document that names the field, the value and the way out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from oracle import dominoes, labels_alone

API = "/api/v1"
RHOMBUS = f"{API}/puzzles/rhombus"
WITH_QUERIES = ("counts", "hint", "tilings", "export")
COUNT: dict[str, Any] = {"kind": "count", "puzzle": "rhombus", "date": "2027"}


def check_problem(answer: Any, status: int, word: str) -> None:
    """Check that an answer is a problem document with a status and a word in its detail."""
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    problem = answer.json()
    assert (answer.status_code, problem["status"]) == (status, status), problem
    assert problem["type"].startswith("urn:satcal:")
    assert word in problem["detail"]
    assert "store.sqlite" not in answer.text


@pytest.mark.parametrize(
    ("path", "status", "word"),
    [
        (f"{API}/puzzles/rhombos", 404, "rhombus"),
        (f"{RHOMBUS}/counts?date=2025-02-30", 422, "2025-02-30"),
        (f"{RHOMBUS}/counts?date=1583..9999", 413, "3,074,246"),
        (f"{RHOMBUS}/counts?date=2025&reveal=Thu,Oct,23", 400, "date and reveal"),
        (f"{RHOMBUS}/counts?reveal=Thu,Oct", 422, "day"),
        (f"{RHOMBUS}/counts?place=/etc/passwd", 422, "/etc/passwd"),
        (f"{RHOMBUS}/hint?date=2025-10", 400, "31"),
        (f"{RHOMBUS}/tilings?limit=201", 422, "limit: Input should be less than or equal to 200"),
        (f"{RHOMBUS}/export?open=true&date=today", 400, "date and open"),
        *((f"{RHOMBUS}/{route}?dats=2025", 422, "dats") for route in WITH_QUERIES),
        (f"{API}/jobs/none", 404, "none"),
        (f"{API}/nothing", 404, "/api/v1/nothing"),
    ],
)
def test_a_question_without_an_answer_is_refused(client, path, status, word):
    check_problem(client.get(path), status, word)


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (COUNT | {"year": 1}, 422, "year"),
        (COUNT | {"method": "dlx"}, 422, "method"),
        (COUNT | {"puzzle": "rhombos"}, 404, "rhombus"),
        (COUNT | {"all_reveals": True}, 400, "date and all_reveals"),
        (COUNT | {"reveal": "", "date": None}, 422, "weekday"),
        (COUNT | {"puzzle": 7}, 422, "puzzle: Input should be a valid string, not 7"),
        (COUNT | {"puzzle": "x" * 65}, 422, "64"),
        (COUNT | {"place": ["N", None]}, 422, "place.1"),
        ({"kind": "count"}, 422, "puzzle: Field required"),
        ({"kind": "coun"}, 422, "'count', 'certificate'"),
        ({"kind": "certificate", "puzzle": "rhombus", "date": "2027"}, 400, "365"),
        ({"kind": "certificate", "puzzle": "rhombus", "place": []}, 422, "place"),
    ],
)
def test_a_wrong_job_is_refused(client, body, status, word):
    before = client.get(f"{API}/jobs").json()
    check_problem(client.post(f"{API}/jobs", json=body), status, word)
    assert client.get(f"{API}/jobs").json() == before


@pytest.mark.parametrize(
    ("content", "kind", "status", "word"),
    [
        (b"{", "application/json", 400, "JSON"),
        (b'{"kind": "count"}', "text/plain", 422, "body: Input"),
        (b"[" * 100_000, "application/json", 400, ""),
        (b'{"kind": "\\ud800"}', "application/json", 422, "kind"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(client, content, kind, status, word):
    answer = client.post(f"{API}/jobs", content=content, headers={"Content-Type": kind})
    check_problem(answer, status, word)


@pytest.mark.parametrize(
    ("text", "status", "word"),
    [
        ("board = 1", 422, "board"),
        (dominoes(13, 20).text, 413, "260 cells, more than the 256"),
        (dominoes(5, 26).text, 413, "65 pieces, more than the 64"),
        (
            labels_alone(**{f"c{each}": [f"{each}.{n}" for n in range(22)] for each in "xyz"}).text,
            413,
            "more than the 10,000",
        ),
    ],
)
def test_a_wrong_definition_is_refused(client, text, status, word):
    check_problem(client.post(f"{API}/puzzles", json={"definition": text}), status, word)


def test_a_formula_that_is_too_large_is_not_sent(client, monkeypatch):
    monkeypatch.setattr("satcal.service.work.MAX_FORMULA", 1000)
    check_problem(client.get(f"{RHOMBUS}/export?format=asp"), 413, "satcal export")


def test_a_method_that_a_route_does_not_take_is_refused(client):
    answer = client.put(f"{API}/puzzles")
    check_problem(answer, 405, "PUT")
    assert "GET" in answer.headers["allow"]


def test_an_unexpected_error_tells_only_its_type(client, monkeypatch):
    monkeypatch.setattr("satcal.service.work.give_hint", lambda *arguments: 1 // 0)
    answer = client.get(f"{RHOMBUS}/hint")
    check_problem(answer, 500, "ZeroDivisionError")
    assert "integer" not in answer.text


@pytest.mark.parametrize("path", ["/nothing", "/deep/nothing.html", "/data/rhombos.json"])
def test_a_browser_gets_a_page_that_leads_back(client, path):
    accept = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer = client.get(path, headers=accept)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "That does not work" in answer.text
    links = re.findall(r'href="([^"]*)"', answer.text)
    assert "/" in links
    for link in links:
        assert client.get(link).status_code == 200
    check_problem(client.get(f"{API}/nothing", headers=accept), 404, "nothing")
