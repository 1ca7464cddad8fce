"""The queue of jobs: tasks done in processes, kept in the store, taken up again after a restart.

Certificates that clients send are files beside the store until their verdict is there.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs
from starlette.types import Receive

from satcal.errors import OptionError, SatcalError, Stopped, UnknownName
from satcal.service.children import Child, internal
from satcal.service.config import Limits, Means
from satcal.service.limits import Shares, arriving
from satcal.service.security import Caller
from satcal.service.tasks import Task, task_of
from satcal.service.writing import Changes, without_folder
from satcal.store.jobs import CANCELLED, DONE, FAILED, FINISHED, QUEUED, RUNNING, Job, Jobs
from satcal.store.location import Location

MOST_STARTS = 3  # a job that took the server with it twice does so again
NICE = 10  # jobs wait for other answers, and not those for jobs
SHORT = ("kind", "puzzle", "owner", "reveal")  # what a finished job is known by
SPARE = 5  # seconds before its time is up that a job stops by itself, and says so
_log = logging.getLogger(__name__)


class JobQueue:
    """Queues jobs, runs some at a time, and tells whoever listens.

    The processes of jobs open the store at ``location`` themselves; ``cluster`` is the address
    of a scheduler whose workers do their tasks.
    """

    def __init__(
        self,
        kept: Jobs,
        changes: Changes,
        location: Location,
        limits: Limits,
        cluster: str | None = None,
    ) -> None:
        self.kept, self._changes = kept, changes
        self._location, self._limits = location, limits
        self.uploads, self._cluster = Uploads(location, limits), cluster
        self._jobs: dict[str, Job] = {}
        self._asked: dict[str, str] = {}  # what each job is asked: a digest of its request
        self._waiting = Turns()
        self._children: dict[str, Child] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._workers: list[asyncio.Task[None]] = []
        self._ended = False

    def take_up(self) -> None:
        """Take up what was not finished when the last server ended."""
        jobs = self.kept.all()
        self.uploads.keep([job.id for job in jobs if job.state not in FINISHED])
        for job in jobs:
            self._jobs[job.id], self._asked[job.id] = job, _digest(job.request)
            if job.state not in FINISHED:
                if job.starts < MOST_STARTS:
                    job.state = QUEUED
                    self._waiting.put(job)
                else:
                    error = Stopped(f"the server stopped {job.starts} times during this job")
                    job.state, job.error = FAILED, _fields(error, self._location)
                self.kept.save(job)
            if job.state in FINISHED:
                _lighten(job)

    def start(self) -> None:
        """Begin to work."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._limits.running)]

    async def close(self) -> None:
        """End what runs; it stays unfinished in the store, and is taken up by the next server."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def all(self) -> list[Job]:
        """All jobs, the first one first."""
        return list(self._jobs.values())

    def number(self, state: str) -> int:
        """The number of jobs in a state."""
        return sum(job.state == state for job in self._jobs.values())

    def find(self, name: str, caller: Caller) -> Job:
        """A job of the caller's own."""
        job = self._jobs.get(name)
        if job is None or not caller.owns(job.request.get("owner")):
            raise UnknownName(f"no job {name!r}; GET /api/v1/jobs lists yours")
        return job

    async def with_result(self, job: Job) -> Job:
        """A job with its result, which only the store has."""
        if job.state != DONE:
            return job
        return replace(job, result=await asyncio.to_thread(self.kept.result, job.id))

    def check_room(self, owner: str | None) -> None:
        """Raise Stopped if too many jobs wait already, or too many of one of several owners."""
        waiting = [j.request.get("owner") for j in self._jobs.values() if j.state == QUEUED]
        most = self._limits.queued
        if len(waiting) >= most:
            raise Stopped(f"{most:,} jobs are already waiting; cancel one, or try again later")
        if owner and waiting.count(owner) >= max(1, most // 4):
            raise Stopped(f"{max(1, most // 4):,} of your jobs are already waiting; cancel one")

    async def submit(self, task: Task, name: str | None = None) -> Job:
        """Queue a job, or return the last one of the same task that has not failed.

        A job that has an upload is always new, and has the upload's ``name``.
        """
        job = Job(name or secrets.token_hex(8), task.request())
        asked = _digest(job.request)
        for other in reversed(self._jobs.values()) if name is None else ():
            if self._asked[other.id] == asked and other.state not in (FAILED, CANCELLED):
                return other
        self.check_room(task.owner)
        self._jobs[job.id], self._asked[job.id] = job, asked
        try:
            await self._changes.make(self.kept.add, job)
        except SatcalError:
            del self._jobs[job.id], self._asked[job.id]
            raise
        self._waiting.put(job)
        finished = [job.id for job in self._jobs.values() if job.state in FINISHED]
        oldest = finished[: max(0, len(self._jobs) - self._limits.kept_jobs)]
        for old in oldest:  # all of them before others have their turn, who may do the same
            del self._jobs[old], self._asked[old]
        if oldest:
            await self._changes.make(self.kept.forget, oldest)
        return job

    async def cancel(self, job: Job) -> None:
        """Cancel a job that is not finished; its process is killed even if the store fails."""
        if job.state not in FINISHED:
            try:
                await self._change(job, state=CANCELLED)
            finally:
                if job.id in self._children:
                    self._children[job.id].kill()

    async def _work(self) -> None:
        while True:
            job = await self._waiting.get()
            if job.state == QUEUED:  # and was not cancelled while it waited
                try:
                    await self._run(job)
                except Exception as error:  # whatever it is: the next job wants its turn
                    await self._fail(job, error)

    async def _run(self, job: Job) -> None:
        """Run one job to its end; raise what went wrong, or why that cannot be stored."""
        await self._change(job, state=RUNNING, starts=job.starts + 1)
        if job.state in FINISHED:  # cancelled while its start was stored
            return
        memory, seconds = self._limits.memory, self._limits.job_seconds
        upload = self.uploads.path(job.id)
        means = Means(self._location, upload, memory, seconds - SPARE, self._cluster)
        child = self._children[job.id] = Child(memory, NICE)

        def tell(progress: dict[str, Any]) -> None:
            job.progress = progress
            self._tell(job)

        try:
            late = f"not done within {seconds:g} seconds; what it counted is kept"
            result = await child.ask(seconds, late, task_of(job.request).do, means, tell=tell)
            await self._change(job, result.file, state=DONE, result=result.fields)
        finally:
            del self._children[job.id]
            await child.aclose()

    async def _fail(self, job: Job, error: Exception) -> None:
        """End a job that went wrong; if the store cannot be told, the next server does it again."""
        if not isinstance(error, SatcalError):
            _log.error("job %s", job.id, exc_info=error)
            error = internal(error)
        try:
            await self._change(job, state=FAILED, error=_fields(error, self._location))
        except Exception as trouble:
            _log.warning("job %s: %s", job.id, trouble)
            job.state, job.error = FAILED, _fields(error, self._location)
            self._tell(job)

    async def _change(self, job: Job, file: bytes | None = None, **changes: Any) -> None:
        """Change a job that is not finished, in the store and then here; or raise StoreError."""

        def save() -> Job | None:
            if job.state in FINISHED:  # cancelled a moment ago
                return None
            changed = replace(job, **changes)
            self.kept.save(changed, file)
            for name in (*changes, "changed_at"):
                setattr(job, name, getattr(changed, name))
            return changed

        if await self._changes.make(save) is not None:
            self._tell(job)

    def _tell(self, job: Job) -> None:
        """Tell whoever listens of a change; one that is finished needs no more than its end."""
        if job.state in FINISHED:
            self.uploads.drop(job.id)
            _lighten(job)
        self._changed.pop(job.id, asyncio.Event()).set()

    async def events(self, job: Job) -> AsyncIterator[Job]:
        """Yield the job now and whenever it has changed, until it is finished."""
        while True:
            changed = self._changed.setdefault(job.id, asyncio.Event())
            yield job
            if job.state in FINISHED or self._ended:
                return
            await changed.wait()

    def end_streams(self) -> None:
        """End all that listen to events, each with one more: the server ends."""
        self._ended = True
        for changed in self._changed.values():
            changed.set()


class Turns:
    """The jobs that wait: owners have their turn one after the other, each with its oldest job."""

    def __init__(self) -> None:
        self._owners: OrderedDict[str | None, deque[Job]] = OrderedDict()
        self._number = asyncio.Semaphore(0)

    def put(self, job: Job) -> None:
        """Have a job wait."""
        self._owners.setdefault(job.request.get("owner"), deque()).append(job)
        self._number.release()

    async def get(self) -> Job:
        """The next job, when there is one."""
        await self._number.acquire()
        owner, jobs = self._owners.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            self._owners[owner] = jobs
        return job


class Uploads:
    """The uploads that are on their way or wait for their verdict, by the names of their jobs.

    They are kept beside the file of a store, or among the user's data.
    """

    def __init__(self, store: Location, limits: Limits) -> None:
        if store.path is not None:
            self._folder = store.path.with_name(f"{store.path.name}.uploads")
        else:
            name = hashlib.sha256(store.url.encode()).hexdigest()[:16]
            self._folder = Path(platformdirs.user_data_dir("satcal"), f"{name}.uploads")
        self._limits = limits
        self._shares = Shares("bytes of certificates", limits.uploads)
        self._taken: dict[str, tuple[str, int]] = {}  # by whom, and how many bytes

    def path(self, name: str) -> Path:
        """The file of an upload, which may be gone."""
        return self._folder / name

    async def receive(self, name: str, client: str, body: Receive) -> None:
        """Write the body of a request to a file, part by part."""
        size = 0
        self._taken[name] = client, size
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(self.path(name), "xb", opener=partial(os.open, mode=0o600)) as file:
                async for part in arriving(body, self._limits.upload, self._limits.body_seconds):
                    self._shares.take(client, len(part))
                    size += len(part)
                    self._taken[name] = client, size
                    await asyncio.to_thread(file.write, part)
            if not size:
                raise OptionError("the body is empty; send the certificate's bytes")
        except BaseException as error:
            self.drop(name)
            if not isinstance(error, OSError):
                raise
            raise Stopped(f"the certificate cannot be kept: {error.strerror or error}") from error

    def drop(self, name: str) -> None:
        """Remove an upload, if there is one of this name."""
        if name in self._taken:
            self._shares.give(*self._taken.pop(name))
            self.path(name).unlink(missing_ok=True)

    def keep(self, names: Collection[str]) -> None:
        """Remove what the last server has left, but for the uploads of these names."""
        self._taken = dict.fromkeys(names, ("", 0))
        for file in self._folder.iterdir() if self._folder.is_dir() else ():
            if file.name not in names:
                file.unlink()


def _digest(request: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()


def _lighten(job: Job) -> None:
    """Leave what is large to the store: a finished job's definition, reveals and result."""
    job.request = {name: job.request[name] for name in SHORT if name in job.request}
    job.result = None


def _fields(error: SatcalError, location: Location) -> dict[str, Any]:
    detail = without_folder(str(error), location)
    return {"kind": type(error).__name__, "detail": detail}
