"""Jobs: work that takes longer than a request and continues after a restart.

Each job has a task that alone changes its state, in memory and in the store. What a request wants
is a reservation made before it waits for anything, or a wish that this task fulfils, because the
client may leave at any moment.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import TypeAdapter

from satcal.counting.method import Method
from satcal.counting.methods import method_named
from satcal.counting.run import run_task
from satcal.errors import (
    Disagreement,
    InputError,
    SatcalError,
    Stopped,
    StoreError,
    StoreLocked,
    StoreUnavailable,
    UnknownName,
)
from satcal.puzzle.model import Placement, Reveal
from satcal.puzzle.rows import Row
from satcal.service import work
from satcal.service.answers import JobAnswer
from satcal.service.boards import Boards, PuzzleEntry
from satcal.service.metrics import Metrics
from satcal.service.models import CertificateJob, CountJob, parse_placements
from satcal.service.problems import problem_fields
from satcal.service.workers import Workers
from satcal.store.counts import Key, question_key
from satcal.store.jobs import CANCELLED, DONE, FAILED, FINISHED, QUEUED, RUNNING, JobRecord
from satcal.store.opening import Store

T = TypeVar("T")
JOB_REQUEST: TypeAdapter[CountJob | CertificateJob] = TypeAdapter(CountJob | CertificateJob)
MAX_UNFINISHED = 100
"""Limit on the jobs that are queued or running."""
MAX_FINISHED = 500
"""Limit on the finished jobs; the oldest is deleted."""
CLUSTER_TASKS = 256
"""Limit on the concurrent tasks of a cluster, whatever its number of workers."""
RETRY_SECONDS = (0.1, 0.5, 2, 5, 10)
"""The waits before the next attempt to reach a store, such as a database that restarts."""
MAX_FOLLOWERS = 64
"""Limit on the open event streams."""
PUZZLE = "puzzle"
"""The kind of a job record that holds a posted puzzle; its state is always done."""
log = logging.getLogger(__name__)


@dataclass
class CountPlan:
    """The rows that a job counts, and the counts so far."""

    entry: PuzzleEntry
    method: Method
    rows: Sequence[Row]
    placements: tuple[Placement, ...]
    counts: dict[Reveal, int] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """The key of its counts in the store."""
        puzzle = self.entry.puzzle
        return Key(puzzle.digest, question_key(puzzle, self.placements), self.method.key())

    def reveals(self) -> list[Reveal]:
        """Return the distinct reveals."""
        return list(dict.fromkeys(row.reveal for row in self.rows))


@dataclass
class TrackedJob:
    """A job in memory: its record in the store, its progress, and the event for its followers.

    ``task`` changes its state, ``work`` is what it waits for, and ``saved`` tells whether the store
    has the new job.
    """

    record: JobRecord
    count_plan: CountPlan | None = None
    to_certify: tuple[PuzzleEntry, Reveal] | None = None
    task: asyncio.Task[None] | None = None
    work: asyncio.Task[dict[str, Any]] | None = None
    saved: asyncio.Future[None] | None = None
    is_cancelled: bool = False
    step: str = ""
    tilings_found: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_finished(self) -> bool:
        """Whether the job is done, failed or cancelled."""
        return self.record.state in FINISHED

    @property
    def request(self) -> dict[str, Any]:
        """The fields sent; ``today`` is the day they came, ``data`` is a certificate to check."""
        request: dict[str, Any] = json.loads(self.record.request)
        return request

    @property
    def result(self) -> dict[str, Any]:
        """The answer's result (``fields``) and the certificate made (``file``), or an ``error``."""
        result: dict[str, Any] = json.loads(self.record.result or "{}")
        return result

    def describe(self, with_rows: bool = True) -> JobAnswer:
        """Return the answer about the job."""
        record, request, plan, result = self.record, self.request, self.count_plan, self.result
        for internal_field in ("data", "today"):
            request.pop(internal_field, None)
        fields = result.get("fields")
        progress: dict[str, Any] = {"step": self.step} if self.step else {}
        if plan is not None:
            progress = {"done": len(plan.counts), "total": len(plan.reveals())}
            if self.tilings_found:
                progress["tilings"] = self.tilings_found
            rows = work.select_counted(plan.rows, plan.counts) if with_rows else []
            fields = {"method": plan.method.name, "rows": rows} if with_rows else None
        return JobAnswer(
            id=record.id,
            kind=request["kind"],
            puzzle=request.get("puzzle"),
            state=record.state,
            request=request,
            progress=progress,
            result=fields,
            error=result.get("error"),
            file=f"/api/v1/jobs/{record.id}/certificate" if "file" in result else None,
            created_at=record.created_at,
        )

    async def follow(self) -> AsyncIterator[JobAnswer]:
        """Yield the answer about the job after each change, until the job is finished."""
        while True:
            changed, is_finished = self.changed, self.is_finished
            yield self.describe(with_rows=is_finished)
            if is_finished:
                return
            await changed.wait()

    def notify(self, tilings_found: int = 0) -> None:
        """Wake all followers; a job that counts one reveal says how many tilings it has found."""
        self.tilings_found = tilings_found
        self.changed.set()
        self.changed = asyncio.Event()


class Jobs:
    """The jobs of a store; one worker is reserved for requests."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        boards: Boards,
        metrics: Metrics,
        today: Callable[[], date],
    ) -> None:
        self._store, self._workers, self._boards, self._today = store, workers, boards, today
        self._metrics = metrics
        self._slots = asyncio.Semaphore(workers.job_workers)
        self._count_slots = asyncio.Semaphore(CLUSTER_TASKS) if workers.has_cluster else self._slots
        self._jobs: dict[str, TrackedJob] = {}
        self._claims: TrackedJob | None = None
        self._puzzles = asyncio.Lock()
        self._finishing: set[asyncio.Task[Any]] = set()
        self.followers = asyncio.Semaphore(MAX_FOLLOWERS)

    async def start(self) -> None:
        """Load the jobs and posted puzzles of the store, and continue the unfinished jobs."""
        records = await self._call_store(self._store.jobs)
        jobs = [TrackedJob(record) for record in records if is_sound(record)]
        for job in sorted(jobs, key=lambda job: job.request["kind"] != PUZZLE):
            name, request = job.record.id, job.request
            if request["kind"] == PUZZLE:
                self._boards.add(name, request["definition"], request.get("owned", False))
                continue
            self._jobs[name] = job
            try:
                self._prepare(job)
                if job.is_finished:
                    await self._recall(job)
            except SatcalError as error:  # for example, its posted puzzle was deleted
                if not job.is_finished:
                    await self._fail(job, error)
            if not job.is_finished:
                job.task = asyncio.create_task(self._run(job))

    async def stop(self) -> None:
        """Stop all jobs; they continue after the next start."""
        tasks = [task for job in self._jobs.values() for task in (job.task, job.work) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._finishing, return_exceptions=True)

    async def add_puzzle(self, name: str, text: str, owned: bool) -> None:
        """Add a posted puzzle to the boards and to the store, or renew it."""
        unfinished = (job for job in self._jobs.values() if not job.is_finished)
        in_use = {job.request.get("puzzle", "") for job in unfinished}
        removed = self._boards.add(name, text, owned, in_use)
        fields = {"kind": PUZZLE, "definition": text, "owned": self._boards.is_owned(name)}
        record = JobRecord(name, json.dumps(fields), DONE, "", format_now())
        await self._finish(self._replace_puzzle(record, removed))

    async def _replace_puzzle(self, record: JobRecord, removed: str | None) -> None:
        async with self._puzzles:  # else the removal of a board could follow its next arrival
            await self._call_store(self._store.save_job, record)
            if removed and not self._boards.is_posted(removed):
                await self._call_store(self._store.remove_job, removed)

    async def _finish(self, change: Coroutine[Any, Any, T]) -> T:
        """Make a change to its end, even if the client leaves."""
        task = asyncio.create_task(change)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        return await asyncio.shield(task)

    async def post(self, request: CountJob | CertificateJob) -> TrackedJob:
        """Begin to count or to make a certificate; raise an InputError for a wrong request."""
        # the fields that were sent; a reveal "" among them is that of a board without labels
        fields = request.model_dump(exclude_unset=True)
        return await self._wait_until_saved(self._begin(fields | {"today": str(self._today())}))

    async def check(self, data: bytes) -> TrackedJob:
        """Begin to check a certificate."""
        fields = {"kind": "check", "data": base64.b64encode(data).decode()}
        return await self._wait_until_saved(self._begin(fields))

    async def claims(self) -> TrackedJob:
        """Return the job that examines published claims; begin it if there is none."""
        if self._claims is None or self._claims.record.state in (FAILED, CANCELLED):
            self._claims = self._begin({"kind": "claims"})
        return await self._wait_until_saved(self._claims)

    def _begin(self, request: dict[str, Any]) -> TrackedJob:
        """Begin a job; its place is taken before anything is waited for."""
        job = TrackedJob(JobRecord(uuid.uuid4().hex, json.dumps(request), created_at=format_now()))
        self._prepare(job)
        if sum(not other.is_finished for other in self._jobs.values()) >= MAX_UNFINISHED:
            raise Stopped(f"{MAX_UNFINISHED} jobs wait or run; cancel one, or try again later")
        self._jobs[job.record.id] = job
        job.saved = asyncio.get_running_loop().create_future()
        job.task = asyncio.create_task(self._run_new(job, job.saved))
        return job

    async def _wait_until_saved(self, job: TrackedJob) -> TrackedJob:
        """Return the job when the store has it; raise StoreError if it could not be stored."""
        if job.saved is not None:
            await asyncio.shield(job.saved)
        return job

    def _prepare(self, job: TrackedJob) -> None:
        """Parse the request of a job; raise an InputError for a wrong one."""
        fields = job.request
        if "today" not in fields:  # only post() adds it; other jobs have nothing to parse
            return
        today = date.fromisoformat(fields.pop("today"))  # the day that "tomorrow" was relative to
        try:
            request = JOB_REQUEST.validate_python(fields)
        except ValueError as error:  # another version of satcal may have stored it
            raise InputError("this satcal does not know the request; post it again") from error
        entry = self._boards.find(request.puzzle)
        if isinstance(request, CertificateJob):
            job.to_certify = entry, request.parse_reveal(entry.puzzle, today)
            return
        rows = request.parse_rows(entry.puzzle, today)
        placements = parse_placements(entry.puzzle, request.place, [row.reveal for row in rows])
        job.count_plan = CountPlan(entry, method_named(request.method), rows, placements)

    async def _recall(self, job: TrackedJob) -> None:
        """Read the counts that the store has."""
        if (plan := job.count_plan) is not None:
            plan.counts = await self._call_store(self._store.recall, plan.key, plan.reveals())

    async def probe(self) -> None:
        """Read the store; raise StoreError if that fails."""
        await asyncio.to_thread(self._store.probe)

    def find(self, name: str) -> TrackedJob:
        """Return the job with this name; raise UnknownName if there is no such job."""
        if name not in self._jobs:
            raise UnknownName(f"no job '{name}'; GET /api/v1/jobs lists them")
        return self._jobs[name]

    def all(self) -> list[TrackedJob]:
        """Return all jobs, the oldest first."""
        return list(self._jobs.values())

    def get_certificate(self, name: str) -> tuple[str, bytes]:
        """Return the file name and the bytes of the certificate that a job has made."""
        job = self.find(name)
        if "file" not in job.result or job.to_certify is None:
            raise UnknownName(f"the job {name} has no certificate; it is {job.record.state}")
        entry, reveal = job.to_certify
        data = base64.b64decode(job.result["file"])
        return "-".join([entry.board.name, *reveal]) + ".satcert", data

    async def cancel(self, name: str) -> TrackedJob:
        """Cancel an unfinished job, or delete a finished one; its counts stay in the store."""
        job = self.find(name)
        if job.is_finished:
            await self._finish(self._delete(name))
            return job
        job.is_cancelled = True
        if job.work:
            job.work.cancel()
        if job.task:
            await asyncio.wait([job.task])
        return job

    async def _delete(self, name: str) -> None:
        if self._jobs.pop(name, None) is not None:  # another request may have deleted it
            await self._call_store(self._store.remove_job, name)

    async def _run_new(self, job: TrackedJob, saved: asyncio.Future[None]) -> None:
        """Store a new job, forget the oldest finished ones, and run it."""
        try:
            await self._recall(job)
            await self._save(job, QUEUED)
        except Exception as error:
            del self._jobs[job.record.id]
            self._change(job, job.record._replace(state=FAILED))
            saved.set_exception(error)
            saved.exception()  # asyncio reports an error that nobody retrieved
            return
        saved.set_result(None)
        with suppress(StoreError):
            await self._keep_board(job)
            finished = [other.record.id for other in self._jobs.values() if other.is_finished]
            for name in finished[:-MAX_FINISHED]:
                await self._delete(name)
        await self._run(job)

    async def _keep_board(self, job: TrackedJob) -> None:
        """Make the posted board of a job the owner's: the answer about the job needs it."""
        name = job.request.get("puzzle", "")
        if self._boards.is_posted(name) and not self._boards.is_owned(name):
            await self.add_puzzle(name, self._boards.find(name).board.text, owned=True)

    async def _run(self, job: TrackedJob) -> None:
        """Run a job, and store its end."""
        try:
            await self._recall(job)
            await self._save(job, RUNNING)
            if not job.is_cancelled:
                job.work = asyncio.create_task(self._execute(job))
                await asyncio.wait([job.work])
            if job.work is None or job.work.cancelled():
                await self._save(job, CANCELLED)
            else:
                await self._save(job, DONE, **job.work.result())
        except* SatcalError as group:
            await self._fail(job, group.exceptions[0])
        except* Exception as group:
            log.error("job %s", job.record.id, exc_info=group)
            await self._fail(job, group.exceptions[0])

    async def _fail(self, job: TrackedJob, error: Exception) -> None:
        try:
            await self._save(job, FAILED, error=problem_fields(error))
        except StoreError:  # it runs again after a restart
            self._change(job, change_state(job, FAILED, error=problem_fields(error)))

    async def _execute(self, job: TrackedJob) -> dict[str, Any]:
        """Execute a job; return its result, without the counts."""
        if job.count_plan is not None:
            await self._count(job, job.count_plan)
            return {}
        request, result = job.request, {}
        async with self._slots:
            if request["kind"] == "claims":
                return {"fields": {"verdicts": await self._workers.run_job(work.examine_claims)}}
            data = base64.b64decode(request.get("data", ""))
            if job.to_certify is not None:
                entry, reveal = job.to_certify
                self._report_step(job, "searching")
                data = await self._workers.run_job(work.make_certificate, entry.board, reveal)
                result["file"] = base64.b64encode(data).decode()
            self._report_step(job, "checking")
            return result | {"fields": await self._workers.run_job(work.check_certificate, data)}

    def _report_step(self, job: TrackedJob, step: str) -> None:
        job.step = step
        job.notify()

    async def _count(self, job: TrackedJob, plan: CountPlan) -> None:
        todo = [reveal for reveal in plan.reveals() if reveal not in plan.counts]
        batches = [[reveal] for reveal in todo] if plan.method.one_by_one else [todo]
        async with asyncio.TaskGroup() as group:
            for reveals in filter(None, batches):
                await self._count_slots.acquire()
                batch = group.create_task(self._count_batch(job, plan, reveals))
                batch.add_done_callback(lambda _: self._count_slots.release())

    async def _count_batch(self, job: TrackedJob, plan: CountPlan, reveals: list[Reveal]) -> None:
        """Count reveals in one worker, and store the counts."""
        report = None
        if len(plan.reveals()) == 1:
            report = partial(asyncio.get_running_loop().call_soon_threadsafe, job.notify)
        arguments = (plan.method, plan.entry.puzzle, reveals, plan.placements)
        answers = await self._workers.run_count(report, run_task, *arguments)
        errors = [answer.error for answer in answers if answer.error]
        counts = {answer.reveal: answer.tilings for answer in answers if answer.complete}
        if not plan.placements:
            work.confirm(plan.entry.board, counts)
        contradictions = await self._call_store(self._store.put, plan.key, counts)
        if contradictions:
            raise Disagreement(contradictions[0])
        if errors:
            raise errors[0]
        self._metrics.dates.inc(len(counts))
        plan.counts |= counts
        job.notify()

    async def _save(self, job: TrackedJob, state: str, **result: Any) -> None:
        """Store the new state of a job, and then tell it: a request may delete a finished job."""
        record = change_state(job, state, **result)
        await self._call_store(self._store.save_job, record)
        self._change(job, record)

    def _change(self, job: TrackedJob, record: JobRecord) -> None:
        job.record = record
        job.notify()

    async def _call_store(self, operation: Callable[..., T], *args: Any) -> T:
        """Call the store in a thread; retry if it cannot be reached, or once if it is locked."""
        waits = list(RETRY_SECONDS)
        while True:
            try:
                return await asyncio.to_thread(operation, *args)
            except StoreError as error:
                self._metrics.store_errors.inc()
                if not waits or not isinstance(error, StoreUnavailable | StoreLocked):
                    raise
                seconds = waits.pop(0)
                if isinstance(error, StoreLocked):  # it has waited long already
                    waits.clear()
                log.warning("%s; trying again in %g s", error, seconds)
                await asyncio.sleep(seconds)


def change_state(job: TrackedJob, state: str, **result: Any) -> JobRecord:
    """Return the record of a job in a new state; a finished one has no certificate to check."""
    request = job.request
    if state in FINISHED:
        request.pop("data", None)
    text = json.dumps(result) if result else ""
    return job.record._replace(request=json.dumps(request), state=state, result=text)


def is_sound(record: JobRecord) -> bool:
    """Return whether a record can be read; warn of one that another program has changed."""
    try:
        request, result = json.loads(record.request), json.loads(record.result or "{}")
        date.fromisoformat(request.get("today", "2000-01-01"))
        base64.b64decode(request.get("data", "") + result.get("file", ""))
        text = request["definition"] if request["kind"] == PUZZLE else request["kind"]
        is_known = record.state in (QUEUED, RUNNING, *FINISHED)
        sound = is_known and isinstance(text, str) and isinstance(record.created_at, str)
    except (ValueError, TypeError, LookupError, AttributeError):
        sound = False
    if not sound:
        log.warning("the job %.40s of the store is malformed and left out", record.id)
    return sound


def format_now() -> str:
    """Return the current time in the format of the store."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
