"""Jobs: long work in processes of its own, kept in the store, taken up again after a restart."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import secrets
from collections.abc import AsyncIterator
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
        self._waiting = 0

    async def run(self, request: dict[str, Any], seconds: float) -> bytes:
        """Return the file that a process makes of a request.

        Raises:
            Stopped: too many wait already.
            BudgetExhausted: it took longer than ``seconds``.
            SatcalError: what went wrong.
        """
        if self._waiting >= self._limits.waiting_at_once:
            raise Stopped("too many exports and pictures are being made; ask again in a moment")
        self._waiting += 1
        try:
            async with self._slots:
                return await self._run(request, seconds)
        finally:
            self._waiting -= 1

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

    async def start(self) -> None:
        """Take up what was not finished when the server ended, and begin to work."""
        for job in await asyncio.to_thread(self.kept.all):
            self._jobs[job.id] = job
            if job.state not in UNFINISHED:
                continue
            if job.starts >= MOST_STARTS:
                error = Stopped(f"the server ended {job.starts} times while this job ran")
                await self._finish(job, FAILED, error=error)
            else:
                job.state = QUEUED
                await asyncio.to_thread(self.kept.save, job)
                self._queue.put_nowait(job.id)
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
        if sum(job.state in UNFINISHED for job in self._jobs.values()) >= self._limits.queued:
            raise Stopped(f"{self._limits.queued} jobs wait already; cancel one, or come back")
        job = Job(secrets.token_hex(8), request)
        self._jobs[job.id] = job
        try:
            await asyncio.to_thread(self.kept.add, job, file)
        except SatcalError:
            del self._jobs[job.id]
            raise
        self._queue.put_nowait(job.id)
        await self._forget_oldest()
        return job

    async def _forget_oldest(self) -> None:
        finished = [job.id for job in self._jobs.values() if job.state in FINISHED]
        for name in finished[: max(0, len(self._jobs) - self._limits.kept_jobs)]:
            del self._jobs[name]
            await asyncio.to_thread(self.kept.forget, name)

    async def file(self, job: Job) -> bytes | None:
        """Return the file that a job has made."""
        return await asyncio.to_thread(self.kept.file, job.id)

    async def cancel(self, job: Job) -> None:
        """Cancel a job that is not finished; a finished one stays as it is."""
        if job.state in UNFINISHED:
            await self._finish(job, CANCELLED)
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
            except SatcalError as error:
                _log.warning("job %s: %s", job.id, error)
                job.state = FAILED
                self._tell(job)

    async def _run(self, job: Job) -> None:
        """Run one job to its end.

        Raises:
            StoreError: its end cannot be stored.
        """
        job.state, job.starts = RUNNING, job.starts + 1
        await asyncio.to_thread(self.kept.save, job)
        self._tell(job)
        child = await Child.start("satcal.service.job_process", self._limits.memory, NICE)
        self._children[job.id] = child
        try:
            if job.state in FINISHED:  # cancelled while its process was started
                return
            child.send(await self._message(job))
            receiving = child.receive(lambda said: self._progress(job, said))
            said = json.loads(await asyncio.wait_for(receiving, self._limits.job_seconds))
            data = None if said["file"] is None else base64.b64decode(said["file"])
            await self._finish(job, DONE, said["result"], data)
        except TimeoutError:
            text = f"not done within {self._limits.job_seconds:g} seconds; what it counted is kept"
            await self._finish(job, FAILED, error=BudgetExhausted(text))
        except SatcalError as error:
            await self._finish(job, FAILED, error=error)
        finally:
            del self._children[job.id]
            await child.close()

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

    async def _finish(
        self,
        job: Job,
        state: str,
        result: dict[str, Any] | None = None,
        file: bytes | None = None,
        error: SatcalError | None = None,
    ) -> None:
        if job.state in FINISHED:  # cancelled a moment ago
            return
        job.result = result
        if error is not None:
            job.error = {"kind": type(error).__name__, "detail": str(error)}
        job.state = state
        await asyncio.to_thread(self.kept.save, job, file)
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
