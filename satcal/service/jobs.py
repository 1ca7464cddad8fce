"""Jobs: work that takes longer than a request and continues after a restart.

Each job has a task that alone ends it, in memory and in the store. What a request wants is a
reservation made before it waits for anything, or a wish that this task fulfils, because the client
may leave at any moment.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import uuid
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from pydantic import TypeAdapter

from satcal.counting.methods import method_named
from satcal.counting.run import run_task, split_tasks
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
from satcal.puzzle.model import Reveal
from satcal.service.boards import POSTED_PREFIX, Boards
from satcal.service.job import CountPlan, Job
from satcal.service.metrics import Metrics
from satcal.service.models import CertificateJob, CountJob
from satcal.service.problems import problem_fields
from satcal.service.work import certify, confirm, examine_claims
from satcal.service.workers import Workers
from satcal.store.jobs import CANCELLED, DONE, FAILED, QUEUED, RUNNING, JobRecord
from satcal.store.opening import Store
from satcal.version import __version__

T = TypeVar("T")
JOB_REQUEST: TypeAdapter[CountJob | CertificateJob] = TypeAdapter(CountJob | CertificateJob)
MAX_UNFINISHED = 100
"""Limit on the jobs that are queued or running."""
MAX_FINISHED = 500
"""Limit on the finished jobs; the oldest is deleted."""
RETRY_SECONDS = (0.1, 0.5, 2, 5, 10)
"""The waits before the next attempt to reach a store, such as a database that restarts."""
log = logging.getLogger(__name__)


class Jobs:
    """The jobs of a store, and its posted puzzles: records with the state done."""

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
        self._jobs: dict[str, Job] = {}
        self._finishing: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Load the jobs and posted puzzles of the store, and continue the unfinished jobs."""
        records = await self._call_store(self._store.jobs)
        for record in sorted(records, key=lambda record: not record.id.startswith(POSTED_PREFIX)):
            try:
                await self._load(Job.read(record))
            except (ValueError, TypeError, LookupError):
                log.warning("the job %.40s of the store is malformed and left out", record.id)

    async def _load(self, job: Job) -> None:
        """Add a posted puzzle or a job of the store; raise ValueError if it is malformed."""
        if job.id.startswith(POSTED_PREFIX):
            if removed := self._boards.add(job.id, job.request["definition"], owned=True):
                await self._call_store(self._store.remove_job, removed)
            return
        try:
            self._prepare(job)
            if job.is_finished:
                await self._recall(job)
        except SatcalError as error:  # for example, its posted puzzle was deleted
            if not job.is_finished:
                await self._fail(job, error)
        self._jobs[job.id] = job
        if not job.is_finished:
            self._start(job)

    async def stop(self) -> None:
        """Stop all jobs; they continue after the next start."""
        tasks = [task for job in self._jobs.values() for task in (job.task, job.work) if task]
        tasks = [*tasks, *self._finishing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def add_puzzle(self, name: str, text: str, owned: bool) -> None:
        """Add a posted puzzle to the boards, or renew it; the store has those of the owner."""
        self._boards.add(name, text, owned)  # what it removes leaves the store at a restart
        if self._boards.find(name).is_owned:
            fields = {"kind": "puzzle", "definition": text, "owned": True}
            record = JobRecord(name, json.dumps(fields), DONE, "", format_now())
            await self._finish(self._call_store(self._store.save_job, record))

    async def _finish(self, change: Coroutine[Any, Any, T]) -> T:
        """Make a change to its end, even if the client leaves."""
        task = asyncio.create_task(change)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        return await asyncio.shield(task)

    async def post(self, request: CountJob | CertificateJob) -> Job:
        """Begin to count or to make a certificate; raise an InputError for a wrong request."""
        # the fields that were sent; a reveal "" among them is that of a board without labels
        fields = request.model_dump(exclude_unset=True)
        return await self._begin(fields | {"today": str(self._today())})

    async def claims(self) -> Job:
        """Return the job that examines published claims; begin it if there is none."""
        request = {"kind": "claims", "version": __version__}
        for job in self._jobs.values():
            if job.request == request and job.state not in (FAILED, CANCELLED):
                return job
        return await self._begin(request)

    async def _begin(self, request: dict[str, Any]) -> Job:
        """Begin a job; its place is taken before anything is waited for."""
        job = Job(uuid.uuid4().hex, request, format_now())
        self._prepare(job)
        if sum(not other.is_finished for other in self._jobs.values()) >= MAX_UNFINISHED:
            raise Stopped(f"{MAX_UNFINISHED} jobs wait or run; cancel one, or try again later")
        self._jobs[job.id] = job
        await self._finish(self._store_new(job))
        return job

    async def _store_new(self, job: Job) -> None:
        """Forget the oldest finished jobs, store a new one, and start it."""
        try:
            finished = [other.id for other in self._jobs.values() if other.is_finished]
            for name in finished[:-MAX_FINISHED]:
                await self._delete(name)
            if job.board is not None and job.board.posted:  # the answer about the job needs it
                await self.add_puzzle(job.board.name, job.board.text, owned=True)
            await self._save(job, QUEUED)
        except BaseException:
            del self._jobs[job.id]
            raise
        self._start(job)

    def _start(self, job: Job) -> None:
        job.work = asyncio.create_task(self._execute(job))
        job.task = asyncio.create_task(self._end(job, job.work))

    def _prepare(self, job: Job) -> None:
        """Parse the request of a job; raise an InputError for a wrong one."""
        fields = dict(job.request)
        if "today" not in fields:  # only post() adds it; claims have nothing to parse
            return
        today = date.fromisoformat(fields.pop("today"))  # the day that "tomorrow" was relative to
        try:
            request = JOB_REQUEST.validate_python(fields)
        except ValueError as error:  # another version of satcal may have stored it
            raise InputError("this satcal does not know the request; post it again") from error
        entry = self._boards.find(request.puzzle)
        job.board, selection = entry.board, request.select(entry.puzzle, today)
        if isinstance(request, CertificateJob):
            job.reveal = selection.row.reveal
        else:
            job.plan = CountPlan(selection, method_named(request.method))

    async def _recall(self, job: Job) -> None:
        """Read the counts that the store has."""
        if (plan := job.plan) is not None:
            reveals = plan.selection.reveals
            plan.counts = await self._call_store(self._store.recall, plan.key, reveals)

    async def probe(self) -> None:
        """Read the store; raise StoreError if that fails."""
        await asyncio.to_thread(self._store.probe)

    def find(self, name: str) -> Job:
        """Return the job with this name; raise UnknownName if there is no such job."""
        if name not in self._jobs:
            raise UnknownName(f"no job '{name}'; GET /api/v1/jobs lists them")
        return self._jobs[name]

    def all(self) -> list[Job]:
        """Return all jobs, the oldest first."""
        return list(self._jobs.values())

    def get_certificate(self, name: str) -> tuple[str, bytes]:
        """Return the file name and the bytes of the certificate that a job has made."""
        job = self.find(name)
        if "file" not in job.result or job.board is None or job.reveal is None:
            raise UnknownName(f"the job {name} has no certificate; it is {job.state}")
        data = base64.b64decode(job.result["file"])
        return "-".join([job.board.name, *job.reveal]) + ".satcert", data

    async def cancel(self, name: str) -> Job:
        """Cancel an unfinished job, or delete a finished one; its counts stay in the store."""
        job = self.find(name)
        if job.is_finished:
            await self._finish(self._delete(name))
            return job
        if job.work and job.task:  # else it is being stored
            job.work.cancel()
            await asyncio.wait([job.task])
        return job

    async def _delete(self, name: str) -> None:
        if self._jobs.pop(name, None) is not None:  # another request may have deleted it
            await self._call_store(self._store.remove_job, name)

    async def _end(self, job: Job, work: asyncio.Task[dict[str, Any]]) -> None:
        """Wait for the work of a job, and store its end."""
        try:
            await asyncio.wait([work])
            if work.cancelled():
                await self._save(job, CANCELLED)
            else:
                await self._save(job, DONE, **work.result())
        except* Exception as group:
            error = group.exceptions[0]
            if not isinstance(error, SatcalError):
                log.error("job %s", job.id, exc_info=group)
            await self._fail(job, error)

    async def _fail(self, job: Job, error: Exception) -> None:
        try:
            await self._save(job, FAILED, error=problem_fields(error))
        except StoreError:  # it runs again after a restart
            job.state, job.result = FAILED, {"error": problem_fields(error)}

    async def _execute(self, job: Job) -> dict[str, Any]:
        """Execute a job; return its result, without the counts."""
        await self._recall(job)
        job.state = RUNNING
        if job.plan is not None:
            await self._count(job, job.plan)
            return {}
        if job.board is not None:
            data, report = await self._workers.run_job(certify, job.board, job.reveal)
            return {"file": base64.b64encode(data).decode(), "fields": report}
        return {"fields": {"verdicts": await self._workers.run_job(examine_claims)}}

    async def _count(self, job: Job, plan: CountPlan) -> None:
        todo = [reveal for reveal in plan.selection.reveals if reveal not in plan.counts]
        # few at a time, so that the jobs take turns
        slots = asyncio.Semaphore(self._workers.job_slots)
        async with asyncio.TaskGroup() as group:
            for reveals in split_tasks(plan.method, todo):
                await slots.acquire()
                batch = group.create_task(self._count_batch(job, plan, reveals))
                batch.add_done_callback(lambda _: slots.release())

    async def _count_batch(self, job: Job, plan: CountPlan, reveals: Sequence[Reveal]) -> None:
        """Count reveals in one worker, and store the counts."""
        selection = plan.selection
        arguments = (plan.method, selection.puzzle, reveals, selection.place)
        answers = await self._workers.run_count(run_task, *arguments)
        errors = [answer.error for answer in answers if answer.error]
        counts = {answer.reveal: answer.tilings for answer in answers if answer.complete}
        if job.board is not None and not selection.place:
            confirm(job.board, counts)
        contradictions = await self._call_store(self._store.put, plan.key, counts)
        if contradictions:
            raise Disagreement(contradictions[0])
        if errors:
            raise errors[0]
        self._metrics.dates.inc(len(counts))
        plan.counts |= counts

    async def _save(self, job: Job, state: str, **result: Any) -> None:
        """Store the new state of a job, and then tell it: a request may delete a finished job."""
        await self._call_store(self._store.save_job, job.record(state, result))
        job.state, job.result = state, result

    async def _call_store(self, operation: Callable[..., T], *args: Any) -> T:
        """Call the store in a thread, again if it is locked or cannot be reached."""
        waits = list(RETRY_SECONDS)
        while True:
            try:
                return await asyncio.to_thread(operation, *args)
            except StoreError as error:
                self._metrics.store_errors.inc()
                if not waits or not isinstance(error, StoreUnavailable | StoreLocked):
                    raise
                log.warning("%s; trying again in %g s", error, waits[0])
                await asyncio.sleep(waits.pop(0))


def format_now() -> str:
    """Return the current time in the format of the store."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
