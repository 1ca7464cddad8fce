"""Jobs: counts, certificates and claims; cancelled, followed, and after a restart."""

from __future__ import annotations

import asyncio
import datetime
import gc
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from helpers.waiting import PATIENCE
from oracle import CLAIM
from satcal.certificates.checking import check
from satcal.counting.methods import method_named
from satcal.errors import StoreFull, StoreLocked, StoreUnavailable, TooLarge
from satcal.puzzle.loading import load
from satcal.store.counts import CountTable, Key
from satcal.store.jobs import JobRecord, JobTable
from satcal.store.opening import open_store

if TYPE_CHECKING:
    from starlette.testclient import TestClient

Follow = Callable[["TestClient", dict[str, Any]], dict[str, Any]]
PATH = "/api/v1/jobs"
DAILY = {"kind": "count", "puzzle": "a-puzzle-a-day"}
OCT_6 = {"date": "2026-10-06", "reveal": ["Oct", "6"], "tilings": 7}


@pytest.fixture
def own(serve: Any, tmp_path: Path) -> Iterator[TestClient]:
    """A client of a service of the test's own, with its store in ``tmp_path``."""
    with serve(tmp_path / "store.sqlite") as made:
        yield made


def post(client: TestClient, **asked: Any) -> dict[str, Any]:
    """Post a job."""
    said = client.post(PATH, json=asked)
    assert said.status_code == 202, said.text
    job: dict[str, Any] = said.json()
    assert said.headers["location"] == f"{PATH}/{job['id']}"
    return job


@pytest.mark.parametrize(
    "asked", [{}, {"method": "diagram"}, {"method": "sat"}, {"method": "search"}]
)
def test_a_count_has_rows_with_their_dates(client, follow, asked):
    job = post(client, **DAILY, dates="2026-10-06..2026-10-07", **asked)
    done = follow(client, job)
    assert (done["state"], done["progress"]) == ("done", {"done": 2, "total": 2})
    assert done["result"]["method"] == asked.get("method", "diagram")
    assert done["result"]["rows"][0] == OCT_6
    assert client.get(f"{PATH}/{job['id']}").json() == done


@pytest.mark.parametrize(
    ("asked", "dates"),
    [
        ({"year": 2027}, 365),
        ({"dates": "Oct 20..Nov 3 2026"}, 15),
        ({"all_reveals": True}, 372),
        ({"reveal": "Oct,6"}, 1),
        ({}, 1),
    ],
)
def test_dates_are_asked_for_as_on_the_command_line(client, follow, asked, dates):
    done = follow(client, post(client, **DAILY, method="diagram", **asked))
    assert len(done["result"]["rows"]) == done["progress"]["total"] == dates


def test_a_count_with_pieces_on_the_table(client, follow):
    asked = DAILY | {"dates": "2026-10-07", "place": ["O: 1 2 3 8 9 10"]}
    job = follow(client, post(client, **asked, method="diagram"))
    path = "/api/v1/puzzles/a-puzzle-a-day/remaining?date=2026-10-07&place=O: 1 2 3 8 9 10"
    assert job["result"]["rows"][0]["tilings"] == client.get(path).json()["tilings"]


def test_jobs_are_listed_the_last_one_first(own, follow):
    made = [post(own, **DAILY, dates=f"2026-10-0{day}", method="diagram") for day in (6, 7)]
    for job in made:
        follow(own, job)
    listed = own.get(PATH).json()
    assert [job["id"] for job in listed] == [made[1]["id"], made[0]["id"]]
    assert listed[0]["request"] == DAILY | {"dates": "2026-10-07", "method": "diagram"}
    assert own.delete(f"{PATH}/{made[0]['id']}").status_code == 200
    assert [job["id"] for job in own.get(PATH).json()] == [made[1]["id"]]


def test_a_certificate_is_made_checked_and_downloaded(client, follow):
    asked = {"kind": "certificate", "puzzle": "a-puzzle-a-day", "date": "Oct 6"}
    job = follow(client, post(client, **asked))
    assert (job["state"], job["result"]["proved"][0]["tilings"]) == ("done", 7)
    said = client.get(job["file"])
    assert 'filename="a-puzzle-a-day-Oct-6.satcert"' in said.headers["content-disposition"]
    assert check(said.content).tilings == {("Oct", "6"): 7}
    count = post(client, **DAILY)
    assert client.get(f"{PATH}/{count['id']}/certificate").status_code == 404
    follow(client, count)


def test_claims_are_examined_once_also_after_a_restart(serve, follow, tmp_path, monkeypatch):
    (path := tmp_path / "claims.toml").write_text(CLAIM)
    monkeypatch.setattr("satcal.published.reading.claim_files", lambda: [path])
    jobs = []
    for _ in range(2):
        with serve(tmp_path / "store.sqlite") as client:
            jobs.append(client.get("/api/v1/claims").json()["job"])
            follow(client, jobs[-1])
            again = client.get("/api/v1/claims").json()
            assert [each["verdict"] for each in again["verdicts"]] == ["refuted"]
            assert again["job"]["request"] == {"kind": "claims"}
            assert len(client.get(PATH).json()) == 1
    assert jobs[0]["id"] == jobs[1]["id"]


class Held:
    """Counts that wait until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.calls: list[Any] = []
        from satcal.service.jobs import run_task

        monkeypatch.setattr("satcal.service.jobs.run_task", self.wrap(run_task))

    def wrap(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a count that waits."""

        def count(*asked: Any) -> Any:
            self.calls.append(asked[2])
            self.begun.set()
            assert self.go_on.wait(PATIENCE)
            return real(*asked)

        return count


def test_a_job_is_cancelled_while_it_counts(own, follow, monkeypatch):
    held = Held(monkeypatch)
    job = post(own, **DAILY, dates="2026-10", method="sat")
    assert held.begun.wait(PATIENCE)
    assert own.get(f"{PATH}/{job['id']}").json()["state"] == "running"
    assert own.delete(f"{PATH}/{job['id']}").json()["state"] == "cancelled"
    held.go_on.set()
    assert follow(own, job)["state"] == "cancelled"
    assert len(held.calls) == 1


def test_a_job_continues_after_a_restart_and_counts_nothing_twice(
    serve, follow, tmp_path, monkeypatch
):
    where, puzzle = tmp_path / "store.sqlite", load("a-puzzle-a-day")
    request = DAILY | {"dates": "Oct 6..Oct 8", "method": "sat", "today": "2026-01-01"}
    with closing(open_store(where)) as store:
        for name, job in (("again", request), ("strange", request | {"colour": "red"})):
            store.save_job(JobRecord(name, json.dumps(job), "running", "", "2026-01-01"))
        key = Key(puzzle.digest, "", method_named("sat").key())
        store.put(key, {("Oct", "6"): 7})
    held = Held(monkeypatch)
    held.go_on.set()
    with serve(where) as client:
        done = follow(client, {"id": "again"})
        assert client.get(f"{PATH}/strange").json()["state"] == "failed"
    assert [reveal for (reveal,) in held.calls] == [("Oct", "7"), ("Oct", "8")]
    assert done["result"]["rows"][0] == OCT_6  # and not of another year


def test_a_job_of_a_posted_puzzle_continues_after_a_restart(serve, follow, tmp_path):
    where = tmp_path / "store.sqlite"
    text = 'board = "* * * *\\n* * * *"\n[pieces]\nL4 = { shape = "###\\n#..", copies = 2 }'
    with serve(where) as first:
        name = first.post("/api/v1/puzzles", json={"definition": text}).json()["id"]
        job = follow(first, post(first, kind="count", puzzle=name, method="search"))
    with serve(where) as again:
        assert again.get(f"/api/v1/puzzles/{name}/counts").json()["total"] == 2
        assert again.get(f"{PATH}/{job['id']}").json() == job


def test_an_error_of_a_worker_fails_its_job_and_not_the_next(own, follow, monkeypatch):
    def too_large(*_: Any) -> None:
        raise TooLarge("choose a smaller board")

    with monkeypatch.context() as patch:
        patch.setattr("satcal.service.jobs.run_task", too_large)
        failed = follow(own, post(own, **DAILY, method="diagram"))
    assert failed["error"] == {"type": "urn:satcal:TooLarge", "detail": "choose a smaller board"}
    assert follow(own, post(own, **DAILY, method="diagram"))["state"] == "done"


def test_an_unexpected_error_tells_only_its_type(own, follow, monkeypatch):
    monkeypatch.setattr("satcal.service.jobs.run_task", lambda *_: 1 // 0)
    failed = follow(own, post(own, **DAILY, method="diagram"))
    assert failed["error"]["type"] == "urn:satcal:InternalError"
    assert "ZeroDivisionError" in failed["error"]["detail"]


def test_a_number_that_contradicts_the_store_fails_its_job(own, follow, tmp_path):
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.put(Key(load("a-puzzle-a-day").digest, "", "search of old"), {("Oct", "6"): 8})
    failed = follow(own, post(own, **DAILY, dates="2026-10-06", method="diagram"))
    assert failed["error"]["type"] == "urn:satcal:Disagreement"


@pytest.mark.parametrize("kind", [StoreUnavailable, StoreLocked])
def test_a_store_that_is_away_or_locked_is_asked_again(own, follow, monkeypatch, kind):
    put, calls = CountTable.put, list[Any]()

    def away(store: Any, *asked: Any) -> Any:
        calls.append(asked)
        if len(calls) < 3:
            raise kind("the database is away")
        return put(store, *asked)

    monkeypatch.setattr(CountTable, "put", away)
    monkeypatch.setattr("satcal.service.jobs.RETRY_SECONDS", (0, 0, 0))
    assert follow(own, post(own, **DAILY, method="diagram"))["state"] == "done"
    text = own.get("/metrics").text
    assert "satcal_store_errors_total 2.0" in text
    assert "satcal_dates_total 1.0" in text


def test_a_full_disk_fails_the_job_and_names_no_folder(own, follow, monkeypatch):
    def full(*_: Any) -> None:
        raise StoreFull("store /home/me/store.sqlite: database or disk is full")

    monkeypatch.setattr(CountTable, "put", full)
    failed = follow(own, post(own, **DAILY, method="diagram"))
    assert failed["error"]["detail"] == "store store.sqlite: database or disk is full"


def test_as_many_finished_jobs_are_kept_as_allowed(own, follow, monkeypatch):
    monkeypatch.setattr("satcal.service.jobs.MAX_FINISHED", 2)
    for _ in range(5):
        follow(own, post(own, **DAILY, method="diagram"))
    assert len(own.get(PATH).json()) == 3  # two, and the last: it was unfinished


def test_more_clients_than_allowed_follow_no_job(serve, tmp_path, monkeypatch):
    monkeypatch.setattr("satcal.service.jobs.MAX_FOLLOWERS", 0)
    with serve(tmp_path / "store.sqlite") as client:
        job = post(client, **DAILY, dates="2026-10-06", method="diagram")
        said = client.get(f"{PATH}/{job['id']}/events")
    assert (said.status_code, int(said.headers["retry-after"]) > 0) == (503, True)


@pytest.mark.parametrize(("rows", "status"), [(3_700, 202), (3_701, 413)])
def test_a_job_has_at_most_3700_rows(client, follow, rows, status):
    first = datetime.date(2020, 1, 1)
    last = first + datetime.timedelta(rows - 1)
    said = client.post(PATH, json=DAILY | {"dates": f"{first}..{last}"})
    assert said.status_code == status
    if status == 202:
        assert follow(client, said.json())["state"] == "done"


def test_two_requests_that_forget_the_same_jobs_are_answered(own, follow, monkeypatch):
    for _ in range(3):
        follow(own, post(own, **DAILY, method="diagram"))
    forget, nested = JobTable.remove_job, list[Any]()

    def post_meanwhile(store: Any, name: str) -> None:
        if not nested:
            nested.append(name)
            nested.append(own.post(PATH, json=DAILY | {"method": "diagram"}))
        forget(store, name)

    monkeypatch.setattr(JobTable, "remove_job", post_meanwhile)
    monkeypatch.setattr("satcal.service.jobs.MAX_FINISHED", 1)
    last = own.post(PATH, json=DAILY | {"method": "diagram"})
    follow(own, last.json())
    assert (last.status_code, nested[1].status_code) == (202, 202)
    follow(own, nested[1].json())  # else it counts beside the next test


def test_followed_jobs_leave_no_events_behind(client, follow):
    def events() -> int:
        gc.collect()
        return sum(type(each) is asyncio.Event for each in gc.get_objects())

    job = follow(client, post(client, **DAILY, dates="2026-10-06", method="diagram"))
    before = events()
    for _ in range(30):
        follow(client, job)
    assert events() < before + 30


def test_a_store_that_was_removed_under_a_job_fails_it(own, follow, tmp_path, monkeypatch):
    held = Held(monkeypatch)
    job = post(own, **DAILY, dates="2026-10-06", method="diagram")
    assert held.begun.wait(PATIENCE)
    for path in tmp_path.glob("store.sqlite*"):
        path.unlink()
    held.go_on.set()
    ended = follow(own, job)
    assert (ended["state"], ended["error"]["type"]) == ("failed", "urn:satcal:StoreDamaged")
    again = post(own, **DAILY, dates="2026-10-06", method="diagram")
    assert follow(own, again)["state"] == "done"


@pytest.mark.parametrize(
    ("request_text", "state", "result"),
    [
        ("{", "queued", ""),
        ("[]", "running", ""),
        ('{"kind": 7}', "queued", ""),
        ('{"kind": "count", "today": "soon"}', "queued", ""),
        ('{"kind": "claims"}', "asleep", ""),
        ('{"kind": "claims"}', "done", "[]"),
    ],
)
def test_a_malformed_job_of_the_store_is_left_out(serve, tmp_path, request_text, state, result):
    where = tmp_path / "store.sqlite"
    with closing(open_store(where)) as store:
        store.save_job(JobRecord("strange", request_text, state, result, "2026-01-01"))
    with serve(where) as client:
        assert client.get(PATH).json() == []
