"""Jobs: counts, certificates and claims; cancelled, and after a restart."""

from __future__ import annotations

import datetime
import json
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from helpers.servers import wait_for
from helpers.waiting import PATIENCE
from oracle import CLAIM, FREE
from satcal.certificates.checking import check
from satcal.counting.methods import method_named
from satcal.counting.run import run_task
from satcal.errors import StoreFull, StoreLocked, StoreUnavailable, TooLarge
from satcal.puzzle.loading import load
from satcal.service.models import PuzzleQuery
from satcal.store.counts import CountTable, Key
from satcal.store.jobs import JobRecord
from satcal.store.opening import open_store

if TYPE_CHECKING:
    from starlette.testclient import TestClient

PATH = "/api/v1/jobs"
DAILY = {"kind": "count", "puzzle": "a-puzzle-a-day"}
OCT_6 = {"date": "2026-10-06", "reveal": ["Oct", "6"], "tilings": 7}


def post(client: TestClient, **request: Any) -> str:
    """Post a job; return its name."""
    answer = client.post(PATH, json=request)
    assert answer.status_code == 202, answer.text
    name: str = answer.json()["id"]
    assert answer.headers["location"] == f"{PATH}/{name}"
    return name


def complete(client: TestClient, **request: Any) -> dict[str, Any]:
    """Post a job; return the answer about it when it has ended."""
    return wait_for(client, post(client, **request))


@pytest.mark.parametrize(
    ("request_fields", "dates"),
    [
        ({"date": "2026-10-06..2026-10-07", "method": "sat"}, 2),
        ({"reveal": "Oct,6", "method": "search"}, 1),
        ({"all_reveals": True}, 372),
        ({}, 1),
    ],
)
def test_a_count_has_rows_with_their_dates(client, request_fields, dates):
    done = complete(client, **DAILY, **request_fields)
    assert (done["state"], done["progress"]) == ("done", {"done": dates, "total": dates})
    assert done["result"]["method"] == request_fields.get("method", "diagram")
    assert len(done["result"]["rows"]) == dates
    assert "date" not in request_fields or done["result"]["rows"][0] == OCT_6


def test_a_job_counts_with_placed_pieces(client):
    question = {"date": "2026-10-07", "place": "O: 1 2 3 8 9 10"}
    answer = client.get("/api/v1/puzzles/a-puzzle-a-day/counts", params=question)
    done = complete(client, **DAILY, **question | {"place": [question["place"]]})
    assert done["result"]["rows"] == answer.json()["rows"]


def test_jobs_are_listed_the_last_one_first(new_client):
    first, last = (complete(new_client, **DAILY, date=f"2026-10-0{day}") for day in (6, 7))
    listed = new_client.get(PATH).json()
    assert [job["id"] for job in listed] == [last["id"], first["id"]]
    assert listed[0]["request"] == DAILY | {"date": "2026-10-07"}
    assert new_client.delete(f"{PATH}/{first['id']}").status_code == 200
    assert [job["id"] for job in new_client.get(PATH).json()] == [last["id"]]


def test_a_certificate_is_made_checked_and_downloaded(client):
    done = complete(client, kind="certificate", puzzle="a-puzzle-a-day", date="Oct 6")
    assert (done["state"], done["result"]["proved"][0]["tilings"]) == ("done", 7)
    file = client.get(done["file"])
    disposition = file.headers["content-disposition"]
    assert disposition == "attachment; filename*=UTF-8''a-puzzle-a-day-Oct-6.satcert"
    assert check(file.content).tilings == {("Oct", "6"): 7}
    count = complete(client, **DAILY)
    assert client.get(f"{PATH}/{count['id']}/certificate").status_code == 404


def test_claims_are_examined_once_also_after_a_restart(serve, tmp_path, monkeypatch):
    (path := tmp_path / "claims.toml").write_text(CLAIM)
    monkeypatch.setattr("satcal.published.reading.claim_files", lambda: [path])
    jobs = set()
    for _ in range(2):
        with serve(tmp_path / "store.sqlite") as client:
            jobs.add(job := client.get("/api/v1/claims").json()["id"])
            done = wait_for(client, job)
            assert client.get("/api/v1/claims").json() == done
            assert [each["verdict"] for each in done["result"]["verdicts"]] == ["refuted"]
            assert done["request"] == {"kind": "claims"}
            jobs |= {each["id"] for each in client.get(PATH).json()}
    assert len(jobs) == 1


class HeldCounts:
    """The counts of jobs: they begin, and wait until they may go on."""

    def __init__(self) -> None:
        self.begun, self.may_go_on = threading.Event(), threading.Event()
        self.reveals: list[Any] = []

    def __call__(self, *arguments: Any) -> Any:
        """Count as a worker does."""
        self.reveals += arguments[2]
        self.begun.set()
        assert self.may_go_on.wait(PATIENCE)
        return run_task(*arguments)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldCounts:
    """The counts of all jobs."""
    counts = HeldCounts()
    monkeypatch.setattr("satcal.service.jobs.run_task", counts)
    return counts


def test_a_job_is_cancelled_while_it_counts(new_client, held):
    job = post(new_client, **DAILY, date="2026-10", method="sat")
    assert held.begun.wait(PATIENCE)
    assert new_client.get(f"{PATH}/{job}").json()["state"] == "running"
    assert new_client.delete(f"{PATH}/{job}").json()["state"] == "cancelled"
    held.may_go_on.set()
    assert wait_for(new_client, job)["state"] == "cancelled"
    assert len(held.reveals) == 1


def test_a_job_continues_after_a_restart_and_counts_nothing_twice(serve, tmp_path, held):
    path, puzzle = tmp_path / "store.sqlite", load("a-puzzle-a-day")
    request = DAILY | {"date": "Oct 6..Oct 8", "method": "sat", "today": "2026-01-01"}
    with closing(open_store(path)) as store:
        for name, job in (("again", request), ("strange", request | {"colour": "red"})):
            store.save_job(JobRecord(name, json.dumps(job), "running", "", "2026-01-01"))
        store.put(Key(puzzle.digest, "", method_named("sat").key()), {("Oct", "6"): 7})
    held.may_go_on.set()
    with serve(path) as client:
        done = wait_for(client, "again")
        assert client.get(f"{PATH}/strange").json()["state"] == "failed"
    assert held.reveals == [("Oct", "7"), ("Oct", "8")]
    assert done["result"]["rows"][0] == OCT_6  # and not of another year


def test_a_job_of_a_posted_puzzle_is_known_after_a_restart(serve, tmp_path):
    with serve(tmp_path / "store.sqlite") as client:
        posted = client.post("/api/v1/puzzles", json={"definition": FREE.text})
        done = complete(client, kind="count", puzzle=posted.json()["id"], method="search")
    with serve(tmp_path / "store.sqlite") as client:
        assert client.get(f"{posted.headers['location']}/counts").json()["total"] == 2
        assert client.get(f"{PATH}/{done['id']}").json() == done


def test_an_error_of_a_worker_fails_its_job_and_not_the_next(new_client, monkeypatch):
    def too_large(*_: Any) -> None:
        raise TooLarge("choose a smaller board")

    for fault, kind, words in (
        (too_large, "TooLarge", "choose a smaller board"),
        (lambda *_: 1 // 0, "InternalError", "internal error: ZeroDivisionError; the server's log"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr("satcal.service.jobs.run_task", fault)
            error = complete(new_client, **DAILY)["error"]
        assert error["type"] == f"urn:satcal:{kind}"
        assert error["detail"].startswith(words)
    assert complete(new_client, **DAILY)["state"] == "done"


def test_a_contradiction_and_a_removed_store_fail_a_job(new_client, tmp_path, monkeypatch):
    wrong, tables = {("Oct", "6"): 8}, "satcal.service.work.load_shipped_counts"
    with monkeypatch.context() as patch:
        patch.setattr(tables, lambda board: wrong)
        failed = [complete(new_client, **DAILY, date="2026-10-06")]
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.put(Key(load("a-puzzle-a-day").digest, "", "search of old"), wrong)
    failed.append(complete(new_client, **DAILY, date="2026-10-06"))
    assert [each["error"]["type"] for each in failed] == ["urn:satcal:Disagreement"] * 2
    for path in tmp_path.glob("store.sqlite*"):
        path.unlink()
    answer = new_client.post(PATH, json=DAILY)
    assert (answer.status_code, answer.json()["type"]) == (500, "urn:satcal:StoreDamaged")
    assert complete(new_client, **DAILY, date="2026-10-06")["state"] == "done"


@pytest.mark.parametrize("kind", [StoreUnavailable, StoreLocked])
def test_a_store_that_is_away_or_locked_is_asked_again(new_client, monkeypatch, kind):
    put, calls = CountTable.put, list[Any]()

    def fail_twice(store: Any, *arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) < 3:
            raise kind("the database is away")
        return put(store, *arguments)

    monkeypatch.setattr(CountTable, "put", fail_twice)
    monkeypatch.setattr("satcal.service.jobs.RETRY_SECONDS", (0, 0, 0))
    assert complete(new_client, **DAILY)["state"] == "done"
    text = new_client.get("/metrics").text
    assert "satcal_store_errors_total 2.0" in text
    assert "satcal_dates_total 1.0" in text


def test_a_full_disk_fails_the_job_and_names_no_folder(new_client, monkeypatch):
    def full(*_: Any) -> None:
        raise StoreFull("store /home/owner/store.sqlite: database or disk is full")

    monkeypatch.setattr(CountTable, "put", full)
    failed = complete(new_client, **DAILY)
    assert failed["error"]["detail"] == "store store.sqlite: database or disk is full"


def test_as_many_finished_jobs_are_kept_as_allowed(new_client, monkeypatch):
    monkeypatch.setattr("satcal.service.jobs.MAX_FINISHED", 2)
    for _ in range(4):
        complete(new_client, **DAILY)
    assert len(new_client.get(PATH).json()) == 3  # two, and the last: it was unfinished


def test_a_job_has_at_most_3700_rows():
    today, puzzle = datetime.date(2020, 1, 1), load("a-puzzle-a-day")
    most = PuzzleQuery(date="2020-01-01..2030-02-16")
    assert len(most.select(puzzle, today).rows) == 3_700
    with pytest.raises(TooLarge):
        PuzzleQuery(date="2020-01-01..2030-02-17").select(puzzle, today)


def test_malformed_jobs_of_the_store_are_left_out(serve, tmp_path):
    malformed = [
        ("{", "queued", ""),
        ("[]", "running", ""),
        ('{"kind": 7}', "queued", ""),
        ('{"kind": "count", "today": "soon"}', "queued", ""),
        ('{"kind": "claims"}', "asleep", ""),
        ('{"kind": "claims"}', "done", "[]"),
    ]
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        for number, fields in enumerate(malformed):
            store.save_job(JobRecord(str(number), *fields, "2026-01-01"))
    with serve(tmp_path / "store.sqlite") as client:
        assert client.get(PATH).json() == []
