"""Jobs: long work in processes of its own, kept in the store, taken up again after a restart."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import secrets
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from satcal.errors import BudgetExhausted, SatcalError, Stopped, UnknownName
from satcal.service.config import Limits
from satcal.service.process import Child
from satcal.store.jobs import (
    CANCELLED,
    DONE,
    FAILED,
    FINISHED,
    QUEUED,
    RUNNING,
    UNFINISHED,
    Job,
    Jobs,
)
from satcal.store.location import Location

MOST_STARTS = 3  # a job that took the server with it twice does so again
NICE = 10  # jobs wait for answers, not answers for jobs
KINDS = ("count", "certificate", "check", "claims")
_log = logging.getLogger(__name__)


class AtOnce:
    """Runs what a request waits for in processes of their own, a few at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.at_once)
        self._asked = 0  # those that run and those that wait

    async def run(self, request: dict[str, Any], seconds: float) -> bytes:
        """Return the file that a process makes of a request.

        Raises:
            Stopped: too many wait already.
            BudgetExhausted: it took longer than ``seconds``.
            SatcalError: what went wrong.
        """
        if self._asked >= self._limits.at_once + self._limits.waiting_at_once:
            raise Stopped("too many exports and pictures are being made; ask again in a moment")
        self._asked += 1
        try:
            async with self._slots:
                return await self._run(request, seconds)
        finally:
            self._asked -= 1

    async def _run(self, request: dict[str, Any], seconds: float) -> bytes:
        child = await Child.start("satcal.service.job_process", self._limits.memory)
        try:
            child.send({"request": request})
            said = json.loads(await asyncio.wait_for(child.receive(), seconds))
            return base64.b64decode(said["file"] or "")
        except TimeoutError:
            text = f"{request['kind']}: not done within {seconds:g} seconds"
            raise BudgetExhausted(text) from None
        finally:
            await child.close()


class JobRunner:
    """Queues jobs, runs some at a time, and tells whoever listens.

    Args:
        jobs: where they are kept.
        location: of the store, which processes of jobs open themselves.
        limits: how many, how long, how much memory.
        cluster: the address of the scheduler whose workers do their tasks; None for their own
            processes.
    """

    def __init__(
        self, jobs: Jobs, location: Location, limits: Limits, cluster: str | None = None
    ) -> None:
        self.kept, self._location, self._limits = jobs, location, limits
        self._cluster = cluster
        self._jobs: dict[str, Job] = {}
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._children: dict[str, Child] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._workers: list[asyncio.Task[None]] = []
        # the store and the memory of this process must see the changes of a job in one order
        self._changing = asyncio.Lock()

    def take_up(self) -> None:
        """Take up what was not finished when the last server ended.

        Raises:
            StoreError: the store cannot be read, or not be written.
        """
        for job in self.kept.all():
            self._jobs[job.id] = job
            if job.state not in UNFINISHED:
                continue
            if job.starts >= MOST_STARTS:
                error = Stopped(f"the server ended {job.starts} times while this job ran")
                job.state, job.error = FAILED, _fields(error)
            else:
                job.state = QUEUED
                self._queue.put_nowait(job.id)
            self.kept.save(job)

    def start(self) -> None:
        """Begin to work."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._limits.running)]

    async def close(self) -> None:
        """End what runs; it stays unfinished in the store, and is taken up by the next server."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def all(self) -> list[Job]:
        """Return all jobs, the first one first."""
        return list(self._jobs.values())

    def find(self, name: str) -> Job:
        """Return a job.

        Raises:
            UnknownName: no job of that name.
        """
        if name not in self._jobs:
            raise UnknownName(f"no job {name!r}; GET /api/v1/jobs lists them")
        return self._jobs[name]

    def last(self, request: dict[str, Any]) -> Job | None:
        """Return the last job of the same request that did not fail and was not cancelled."""
        for job in reversed(self._jobs.values()):
            if job.request == request and job.state not in (FAILED, CANCELLED):
                return job
        return None

    async def submit(self, request: dict[str, Any], file: bytes | None = None) -> Job:
        """Queue a job, or return the one that does, or did, the same.

        Raises:
            Stopped: too many wait already.
            StoreError: it cannot be kept.
        """
        same = self.last(request) if file is None else None
        if same is not None:
            return same
        if sum(job.state == QUEUED for job in self._jobs.values()) >= self._limits.queued:
            raise Stopped(f"{self._limits.queued} jobs wait already; cancel one, or come back")
        job = Job(secrets.token_hex(8), request)
        self._jobs[job.id] = job
        try:
            async with self._changing:
                await asyncio.to_thread(self.kept.add, job, file)
        except SatcalError:
            del self._jobs[job.id]
            raise
        self._queue.put_nowait(job.id)
        await self._forget_oldest()
        return job

    async def _forget_oldest(self) -> None:
        finished = [job.id for job in self._jobs.values() if job.state in FINISHED]
        oldest = finished[: max(0, len(self._jobs) - self._limits.kept_jobs)]
        for name in oldest:  # all of them before others have their turn, who may do the same
            del self._jobs[name]
        for name in oldest:
            await asyncio.to_thread(self.kept.forget, name)

    async def file(self, job: Job) -> bytes | None:
        """Return the file that a job has made."""
        return await asyncio.to_thread(self.kept.file, job.id)

    async def cancel(self, job: Job) -> None:
        """Cancel a job that is not finished; a finished one stays as it is.

        Raises:
            StoreError: its end cannot be stored; its process is killed even so.
        """
        if job.state in UNFINISHED:
            try:
                await self._change(job, state=CANCELLED)
            finally:
                child = self._children.get(job.id)
                if child is not None:
                    child.kill()

    async def _work(self) -> None:
        while True:
            job = self._jobs.get(await self._queue.get())
            if job is None or job.state != QUEUED:  # cancelled while it waited
                continue
            try:
                await self._run(job)
            except Exception as error:  # whatever it is: the next job wants its turn
                await self._fail(job, error)

    async def _run(self, job: Job) -> None:
        """Run one job to its end.

        Raises:
            BudgetExhausted: it took too long.
            StoreError: its start or its end cannot be stored.
            SatcalError: what went wrong.
        """
        await self._change(job, state=RUNNING, starts=job.starts + 1)
        child = await Child.start("satcal.service.job_process", self._limits.memory, NICE)
        self._children[job.id] = child
        try:
            if job.state in FINISHED:  # cancelled while its process was started
                return
            child.send(await self._message(job))
            receiving = child.receive(lambda said: self._progress(job, said))
            said = json.loads(await asyncio.wait_for(receiving, self._limits.job_seconds))
            data = None if said["file"] is None else base64.b64decode(said["file"])
            await self._change(job, data, state=DONE, result=said["result"])
        except TimeoutError:
            raise BudgetExhausted(
                f"not done within {self._limits.job_seconds:g} seconds; what it counted is kept"
            ) from None
        finally:
            del self._children[job.id]
            await child.close()

    async def _fail(self, job: Job, error: Exception) -> None:
        """End a job that went wrong; if the store cannot be told, the next server does it again."""
        if not isinstance(error, SatcalError):
            _log.error("job %s", job.id, exc_info=error)
            error = SatcalError(
                f"internal error: {type(error).__name__}; the server's log says more"
            )
        failed: dict[str, Any] = {"state": FAILED, "error": _fields(error)}
        try:
            await self._change(job, **failed)
        except Exception as trouble:
            _log.warning("job %s: %s", job.id, trouble)
            vars(job).update(failed)
            self._tell(job)

    async def _message(self, job: Job) -> dict[str, Any]:
        where = self._location
        upload = await self.file(job) if job.request["kind"] == "check" else None
        return {
            "request": job.request,
            "file": None if upload is None else base64.b64encode(upload).decode(),
            "seconds": self._limits.job_seconds - 5,
            "memory": self._limits.memory,
            "cluster": self._cluster,
            "store": {
                "path": str(where.path) if where.path else None,
                "url": where.url,
                "patience": where.patience,
            },
        }

    async def _change(self, job: Job, file: bytes | None = None, **changes: Any) -> None:
        """Change fields of a job, in the store and then here; a finished one stays as it is.

        Raises:
            StoreError: neither is changed.
        """
        async with self._changing:
            if job.state in FINISHED:  # cancelled a moment ago
                return
            changed = replace(job, **changes)
            await asyncio.to_thread(self.kept.save, changed, file)
            vars(job).update(changes, changed_at=changed.changed_at)
        self._tell(job)

    def _progress(self, job: Job, said: dict[str, Any]) -> None:
        job.progress = said
        self._tell(job)

    def _tell(self, job: Job) -> None:
        self._changed.pop(job.id, asyncio.Event()).set()

    async def events(self, job: Job) -> AsyncIterator[Job]:
        """Yield the job now and whenever it has changed, until it is finished."""
        while True:
            changed = self._changed.setdefault(job.id, asyncio.Event())
            yield job
            if job.state in FINISHED:
                return
            await changed.wait()


def _fields(error: SatcalError) -> dict[str, Any]:
    return {"kind": type(error).__name__, "detail": str(error)}
