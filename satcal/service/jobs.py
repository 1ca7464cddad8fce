"""Jobs: what takes longer than a request, and continues after a restart."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import TypeAdapter

from satcal.counting.method import Method
from satcal.counting.methods import method_named
from satcal.counting.run import run_task
from satcal.errors import Disagreement, SatcalError, Stopped, StoreError, StoreUnavailable
from satcal.errors import UnknownName as NoSuchJob
from satcal.puzzle.model import Placement, Reveal
from satcal.puzzle.when import Row
from satcal.service import work
from satcal.service.answers import JobAnswer
from satcal.service.boards import Boards, Known
from satcal.service.models import CertificateJob, CountJob, placements_in
from satcal.service.problems import problem_fields
from satcal.service.workers import Workers
from satcal.store.database import Job, Key, Store, question_key

T = TypeVar("T")
ASKED: TypeAdapter[CountJob | CertificateJob] = TypeAdapter(CountJob | CertificateJob)
MAX_UNFINISHED = 100
"""Jobs that may be queued or running."""
MAX_FINISHED = 500
"""Finished jobs that are kept; beyond that, the oldest is forgotten."""
CLUSTER_TASKS = 256
"""Tasks that a cluster is given at a time, whatever number of workers it has."""
RETRY_SECONDS = (0.1, 0.5, 2, 5, 10)
"""Between two tries of a store that cannot be reached, while a database restarts."""
MAX_FOLLOWERS = 64
"""Event streams open at once; each may stay open for long."""
QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
FINISHED = (DONE, FAILED, CANCELLED)
PUZZLE = "puzzle"
"""The kind of a row that keeps a posted puzzle: it is done when it is posted."""
log = logging.getLogger(__name__)


@dataclass
class Count:
    """What a job counts, and what is counted so far."""

    known: Known
    method: Method
    rows: Sequence[Row]
    place: tuple[Placement, ...]
    counts: dict[Reveal, int] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What its results are stored under."""
        puzzle = self.known.puzzle
        return Key(puzzle.digest, question_key(puzzle, self.place), self.method.key())

    def reveals(self) -> list[Reveal]:
        """Return the distinct reveals."""
        return list(dict.fromkeys(row.reveal for row in self.rows))


@dataclass
class TrackedJob:
    """A job in memory: its row in the store, its progress, and what wakes its followers."""

    job: Job
    count: Count | None = None
    to_certify: tuple[Known, Reveal] | None = None
    task: asyncio.Task[None] | None = None
    step: str = ""
    found: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def finished(self) -> bool:
        """Whether it is done, failed or cancelled."""
        return self.job.state in FINISHED

    @property
    def request(self) -> dict[str, Any]:
        """What was asked for, on which day, and the ``data`` that were sent."""
        asked: dict[str, Any] = json.loads(self.job.request)
        return asked

    @property
    def result(self) -> dict[str, Any]:
        """What came of it: ``fields``, ``error`` and ``file``, as far as there are any."""
        found: dict[str, Any] = json.loads(self.job.result or "{}")
        return found

    def describe(self, rows: bool = True) -> JobAnswer:
        """Return the job as JSON shows it."""
        job, asked, count, result = self.job, self.request, self.count, self.result
        for hidden in ("data", "today"):
            asked.pop(hidden, None)
        fields = result.get("fields")
        progress: dict[str, Any] = {"step": self.step} if self.step else {}
        if count is not None:
            progress = {"done": len(count.counts), "total": len(count.reveals())}
            if self.found:
                progress["tilings"] = self.found
            counted = work.counted_rows(count.rows, count.counts) if rows else []
            fields = {"method": count.method.name, "rows": counted} if rows else None
        return JobAnswer(
            id=job.id,
            kind=asked["kind"],
            puzzle=asked.get("puzzle"),
            state=job.state,
            request=asked,
            progress=progress,
            result=fields,
            error=result.get("error"),
            file=f"/api/v1/jobs/{job.id}/certificate" if "file" in result else None,
            created_at=job.created_at,
        )

    async def changes(self) -> AsyncIterator[JobAnswer]:
        """Yield the job whenever it has changed, until it is finished."""
        while True:
            changed, finished = self.changed, self.finished
            yield self.describe(rows=finished)
            if finished:
                return
            await changed.wait()

    def notify(self, found: int = 0) -> None:
        """Wake all followers; ``found`` is the number of tilings, if the job counts one reveal."""
        self.found = found
        self.changed.set()
        self.changed = asyncio.Event()


class Jobs:
    """All jobs of a store; one process is left for requests."""

    def __init__(
        self, store: Store, workers: Workers, boards: Boards, today: Callable[[], date]
    ) -> None:
        self._store, self._workers, self._boards, self._today = store, workers, boards, today
        self._turns = asyncio.Semaphore(max(1, workers.number - 1))
        self._counts = asyncio.Semaphore(CLUSTER_TASKS) if workers.has_cluster else self._turns
        self._jobs: dict[str, TrackedJob] = {}
        self._claims: TrackedJob | None = None
        self.followers = asyncio.Semaphore(MAX_FOLLOWERS)

    async def start(self) -> None:
        """Load what the store has, and continue the jobs that are not finished."""
        jobs = [TrackedJob(job) for job in await self._call_store(self._store.jobs)]
        for running in sorted(jobs, key=lambda each: each.request["kind"] != PUZZLE):
            name, request = running.job.id, running.request
            if request["kind"] == PUZZLE:
                self._boards.keep(name, request["definition"])
                continue
            self._jobs[name] = running
            try:
                await self._prepare(running)
            except SatcalError as error:  # such as of a posted puzzle that is gone
                await self._fail(running, error)
            if not running.finished:
                running.task = asyncio.create_task(self._run(running))

    async def stop(self) -> None:
        """Stop what runs; it continues after the next start."""
        tasks = [running.task for running in self._jobs.values() if running.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def keep_puzzle(self, name: str, text: str) -> None:
        """Keep a posted puzzle in the store and here."""
        request = json.dumps({"kind": PUZZLE, "definition": text})
        await self._call_store(self._store.save_job, Job(name, request, DONE, "", now()))
        if oldest := self._boards.keep(name, text):
            await self._call_store(self._store.remove_job, oldest)

    async def post(self, asked: CountJob | CertificateJob) -> TrackedJob:
        """Begin a count or a certificate; raise an InputError for what cannot be asked."""
        given = asked.model_dump(exclude_unset=True)  # "" is the reveal of a board without labels
        return await self._begin(given | {"today": str(self._today())})

    async def check(self, data: bytes) -> TrackedJob:
        """Begin to check a certificate."""
        return await self._begin({"kind": "check", "data": base64.b64encode(data).decode()})

    async def claims(self) -> TrackedJob:
        """Return the examination of published statements, which the first question begins."""
        if self._claims is None or self._claims.job.state in (FAILED, CANCELLED):
            self._claims = await self._begin({"kind": "claims"})
        return self._claims

    async def _begin(self, request: dict[str, Any]) -> TrackedJob:
        if sum(not running.finished for running in self._jobs.values()) >= MAX_UNFINISHED:
            raise Stopped(f"{MAX_UNFINISHED} jobs wait or run; cancel one, or try again later")
        job = Job(uuid.uuid4().hex, json.dumps(request), created_at=now())
        running = TrackedJob(job)
        await self._prepare(running)
        await self._save(running, QUEUED)
        self._jobs[job.id] = running
        running.task = asyncio.create_task(self._run(running))
        done = [other.job.id for other in self._jobs.values() if other.finished]
        for name in done[:-MAX_FINISHED]:
            await self._forget(name)
        return running

    async def _prepare(self, running: TrackedJob) -> None:
        """Find out what is asked for; raise an InputError for what cannot be done."""
        fields = running.request
        if "today" not in fields:  # a check, or claims
            return
        today = date.fromisoformat(fields.pop("today"))  # which says what "tomorrow" is
        asked = ASKED.validate_python(fields)
        known = self._boards.find(asked.puzzle)
        if isinstance(asked, CertificateJob):
            running.to_certify = known, asked.only_reveal(known.puzzle, today)
            return
        rows = asked.rows(known.puzzle, today)
        place = placements_in(known.puzzle, asked.place, [row.reveal for row in rows])
        running.count = count = Count(known, method_named(asked.method), rows, place)
        count.counts = await self._call_store(self._store.recall, count.key, count.reveals())

    async def probe(self) -> None:
        """Read the store; raise StoreError if that fails."""
        await asyncio.to_thread(self._store.probe)

    def find(self, name: str) -> TrackedJob:
        """Return a job; raise NoSuchJob if no job has it."""
        if name not in self._jobs:
            raise NoSuchJob(f"no job '{name}'; GET /api/v1/jobs lists them")
        return self._jobs[name]

    def all(self) -> list[TrackedJob]:
        """Return all jobs, the oldest first."""
        return list(self._jobs.values())

    def file(self, name: str) -> tuple[str, bytes]:
        """Return the name and the bytes of the certificate that a job has made."""
        running = self.find(name)
        if "file" not in running.result or running.to_certify is None:
            raise NoSuchJob(f"the job {name} has no certificate; it is {running.job.state}")
        known, reveal = running.to_certify
        data = base64.b64decode(running.result["file"])
        return "-".join([known.name, *reveal]) + ".satcert", data

    async def cancel(self, name: str) -> TrackedJob:
        """Stop a job for good; forget one that is finished. What it has counted stays."""
        running = self.find(name)
        if running.finished:
            await self._forget(name)
        else:
            if running.task:
                running.task.cancel()
            await self._save(running, CANCELLED)
        return running

    async def _forget(self, name: str) -> None:
        if self._jobs.pop(name, None) is not None:  # two requests may want it gone
            await self._call_store(self._store.remove_job, name)

    async def _run(self, running: TrackedJob) -> None:
        try:
            await self._save(running, RUNNING)
            await self._save(running, DONE, **await self._do(running))
        except* SatcalError as failed:
            await self._fail(running, failed.exceptions[0])
        except* Exception as failed:
            log.error("job %s", running.job.id, exc_info=failed)
            await self._fail(running, failed.exceptions[0])

    async def _fail(self, running: TrackedJob, error: Exception) -> None:
        with suppress(StoreError):
            await self._save(running, FAILED, error=problem_fields(error))

    async def _do(self, running: TrackedJob) -> dict[str, Any]:
        """Do what a job is to do, and return its result but for counts."""
        if running.count is not None:
            await self._count(running, running.count)
            return {}
        request, result = running.request, {}
        async with self._turns:
            if request["kind"] == "claims":
                return {"fields": {"verdicts": await self._workers.work(work.examine_claims)}}
            data = base64.b64decode(request.get("data", ""))
            if running.to_certify is not None:
                known, reveal = running.to_certify
                self._step(running, "searching")
                data = await self._workers.work(work.certificate, known.board, reveal)
                result["file"] = base64.b64encode(data).decode()
            self._step(running, "checking")
            return result | {"fields": await self._workers.work(work.check, data)}

    def _step(self, running: TrackedJob, step: str) -> None:
        running.step = step
        running.notify()

    async def _count(self, running: TrackedJob, count: Count) -> None:
        todo = [reveal for reveal in count.reveals() if reveal not in count.counts]
        one_by_one = count.method.one_by_one
        async with asyncio.TaskGroup() as group:
            for reveals in [[reveal] for reveal in todo] if one_by_one else [todo] if todo else []:
                await self._counts.acquire()
                task = group.create_task(self._count_some(running, count, reveals))
                task.add_done_callback(lambda _: self._counts.release())

    async def _count_some(self, running: TrackedJob, count: Count, reveals: list[Reveal]) -> None:
        """Count some reveals in one task, and store what is found."""
        asked = (count.method, count.known.puzzle, reveals, count.place, None)
        tell = None
        if len(count.reveals()) == 1:
            tell = partial(asyncio.get_running_loop().call_soon_threadsafe, running.notify)
        answers = await self._workers.count(tell, run_task, *asked)
        errors = [answer.error for answer in answers if answer.error]
        found = {answer.reveal: answer.tilings for answer in answers if answer.complete}
        if not count.place:
            work.confirm(count.known.board, found)
        contradictions = await self._call_store(self._store.put, count.key, found)
        if contradictions:
            raise Disagreement(contradictions[0])
        if errors:
            raise errors[0]
        count.counts |= found
        running.notify()

    async def _save(self, running: TrackedJob, state: str, **result: Any) -> None:
        """Store a job's new state, and tell who follows it."""
        request = running.request
        if state in FINISHED:
            request.pop("data", None)
        running.job = running.job._replace(
            request=json.dumps(request), state=state, result=json.dumps(result) if result else ""
        )
        await self._call_store(self._store.save_job, running.job)
        running.notify()

    async def _call_store(self, operation: Callable[..., T], *args: Any) -> T:
        """Call the store in a thread, and again for a while if it cannot be reached."""
        for seconds in RETRY_SECONDS:
            try:
                return await asyncio.to_thread(operation, *args)
            except StoreUnavailable as error:
                log.warning("%s; trying again in %g s", error, seconds)
                await asyncio.sleep(seconds)
        return await asyncio.to_thread(operation, *args)


def now() -> str:
    """Return the time as the store keeps it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
