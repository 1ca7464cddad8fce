"""Jobs: counts by SAT and search, certificates made and checked, published claims examined."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Path, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from satcal.errors import OptionError, SatcalError, UnknownName
from satcal.puzzle.demands import check_reveal, parse_demands
from satcal.puzzle.ranges import Range, only_row
from satcal.service.api.puzzles import Sent
from satcal.service.routing import DATE, PLACE, InParts, Running, Worker, attachment
from satcal.service.tasks import Certificate, Check, Claims, Count, Task
from satcal.store.jobs import DONE, Job
from satcal.version import __version__

jobs = APIRouter(tags=["jobs"])
claims = APIRouter(tags=["claims"])
CERTIFICATE = "application/octet-stream"
RevealTexts = Annotated[
    list[Annotated[str, Field(max_length=32)]], Field(max_length=32, fail_fast=True)
]
PUZZLE_NAME = Field(max_length=64, examples=["rhombus"])


class CountRequest(Sent):
    """Count by a method as a job; ``sat`` verifies every tiling and proves that there is no other.

    Either a date, or reveals.
    """

    kind: Literal["count"]
    puzzle: str = PUZZLE_NAME
    method: Literal["diagram", "sat", "search"] = "sat"
    date: str | None = Field(None, max_length=DATE)
    reveals: list[RevealTexts] = Field([], max_length=4000, fail_fast=True)
    place: list[Annotated[str, Field(pattern=PLACE, max_length=2500)]] = Field([], max_length=64)


class CertificateRequest(Sent):
    """Make a certificate of a date, or of a reveal."""

    kind: Literal["certificate"]
    puzzle: str = PUZZLE_NAME
    date: str | None = Field(None, max_length=DATE)
    reveal: list[Annotated[str, Field(max_length=32)]] | None = Field(
        None, max_length=32, fail_fast=True
    )


class JobModel(BaseModel):
    """A job: ``state`` is queued, running, done, failed or cancelled."""

    id: str
    kind: str
    puzzle: str | None
    state: str
    starts: int
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    file: str | None = Field(description="where its file can be downloaded")
    changed_at: str


class ClaimsModel(BaseModel):
    """The verdicts on published statements; empty until the job that examines them is done."""

    job: JobModel
    verdicts: list[dict[str, str]]


JobRequest = Annotated[CountRequest | CertificateRequest, Body(discriminator="kind")]


async def _job(service: Running, caller: Worker, job: Annotated[str, Path(max_length=64)]) -> Job:
    return service.jobs.find(job, caller)


Named = Annotated[Job, Depends(_job)]
"""The job of the caller's own that a path names."""


def described(job: Job) -> dict[str, Any]:
    """What a client sees of a job."""
    has_file = job.state == DONE and job.request["kind"] == "certificate"
    return {
        "id": job.id,
        "kind": job.request["kind"],
        "puzzle": job.request.get("puzzle"),
        "state": job.state,
        "starts": job.starts,
        "progress": job.progress,
        "result": job.result,
        "error": job.error,
        "changed_at": job.changed_at,
        "file": f"/api/v1/jobs/{job.id}/certificate" if has_file else None,
    }


@jobs.get("/jobs", response_model=list[JobModel])
async def list_jobs(service: Running, caller: Worker) -> list[dict[str, Any]]:
    """List your jobs, the last one first, without their results."""
    own = [job for job in service.jobs.all() if caller.owns(job.request.get("owner"))]
    return [described(job) for job in reversed(own)]


@jobs.post("/jobs", status_code=202, response_model=JobModel)
async def post_job(
    service: Running, caller: Worker, asked: JobRequest, response: Response
) -> dict[str, Any]:
    """Queue a count or a certificate; what is queued, running or done already is not done twice."""
    entry = await service.shelf.find(asked.puzzle, caller.client)
    puzzle, today = entry.puzzle, service.config.today()
    if isinstance(asked, CountRequest):
        given = asked.reveals
    else:
        given = [] if asked.reveal is None else [asked.reveal]
    if given and asked.date is not None:
        raise OptionError("date and reveals exclude each other; give one of them")
    reveals = [puzzle.check_reveal(tuple(texts)) for texts in given]
    if not reveals:
        reveals = [only_row(puzzle, Range(date=asked.date), today).reveal]
    about: dict[str, Any] = {
        "owner": caller.owner,
        "puzzle": entry.id,
        "text": entry.text,
        "posted": entry.posted,
    }
    task: Task
    if isinstance(asked, CountRequest):
        place = sorted(set(asked.place))
        revealed = sorted({text for reveal in reveals for text in reveal})
        check_reveal(puzzle, tuple(revealed), parse_demands(puzzle, place))
        rows = [list(reveal) for reveal in reveals]
        task = Count(**about, method=asked.method, place=place, reveals=rows)
    else:
        task = Certificate(**about, reveal=list(reveals[0]))
    job = await service.jobs.submit(task)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return described(await service.jobs.with_result(job))


@jobs.post(
    "/certificates",
    status_code=202,
    response_model=JobModel,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {CERTIFICATE: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def post_certificate(
    request: Request, service: Running, caller: Worker, response: Response
) -> dict[str, Any]:
    """Check a certificate that you upload; the answer is a job."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != CERTIFICATE:
        raise OptionError(f"send the certificate's bytes with Content-Type: {CERTIFICATE}")
    service.jobs.check_room(caller.owner)
    name = secrets.token_hex(8)
    await service.jobs.uploads.receive(name, caller.client, request.receive)
    try:
        job = await service.jobs.submit(Check(owner=caller.owner), name)
    except SatcalError:
        service.jobs.uploads.drop(name)
        raise
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return described(job)


@jobs.get("/jobs/{job}", response_model=JobModel)
async def get_job(service: Running, job: Named) -> dict[str, Any]:
    """Return a job: how far it is, and what came of it."""
    return described(await service.jobs.with_result(job))


@jobs.delete("/jobs/{job}", response_model=JobModel)
async def cancel_job(service: Running, job: Named) -> dict[str, Any]:
    """Cancel a job; its process is killed, and what it counted is kept."""
    await service.jobs.cancel(job)
    return described(job)


@jobs.get(
    "/jobs/{job}/certificate",
    response_class=Response,
    responses={200: {"content": {CERTIFICATE: {}}}},
)
async def get_certificate(service: Running, job: Named) -> Response:
    """Download the certificate that a job has made."""
    data = None
    if job.state == DONE and job.request["kind"] == "certificate":
        data = await asyncio.to_thread(service.jobs.kept.file, job.id)
    if data is None:
        raise UnknownName(f"the job {job.id} has no certificate; it is {job.state}")
    name = "-".join([job.request["puzzle"], *job.request["reveal"]])
    headers = {"Content-Disposition": attachment(f"{name}.satcert")}
    return InParts(data, headers=headers, media_type=CERTIFICATE)


async def _stream(service: Running, caller: Worker) -> AsyncIterator[None]:
    with service.streams.lent(caller.client):
        yield


@jobs.get("/jobs/{job}/events", response_class=EventSourceResponse)
async def get_events(
    service: Running, job: Named, _: Annotated[None, Depends(_stream)]
) -> AsyncIterator[ServerSentEvent]:
    """Follow a job by server-sent events: one now, one whenever it has changed, until its end."""
    async for changed in service.jobs.events(job):
        yield ServerSentEvent(data=described(await service.jobs.with_result(changed)), event="job")


@claims.get("/claims", response_model=ClaimsModel)
async def get_claims(service: Running) -> dict[str, Any]:
    """Return the verdicts; the first request of a version has all statements examined, as a job."""
    job = await service.jobs.with_result(await service.jobs.submit(Claims(version=__version__)))
    verdicts = (job.result or {}).get("verdicts", [])
    return {"job": described(job) | {"result": None}, "verdicts": verdicts}
