"""The routes of jobs and claims, the list of all routes, and what supervisors ask."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from satcal.errors import Stopped
from satcal.service.access import admit, admit_work, expect
from satcal.service.answers import ClaimsAnswer, JobAnswer
from satcal.service.context import JSON, Serving, attachment, sends
from satcal.service.jobs import TrackedJob
from satcal.service.metrics import Metrics
from satcal.service.models import CertificateJob, CountJob

CERTIFICATE = "application/octet-stream"
jobs = APIRouter(dependencies=[Depends(admit_work)], tags=["jobs"])
about = APIRouter(tags=["service"])
JobRequest = Annotated[CountJob | CertificateJob, Body(discriminator="kind")]


@jobs.post("/jobs", status_code=202, dependencies=[expect(JSON)])
async def post_job(service: Serving, asked: JobRequest, response: Response) -> JobAnswer:
    """Begin a count of dates, or a certificate, that takes longer than a request."""
    running = await service.jobs.post(asked)
    response.headers["Location"] = f"/api/v1/jobs/{running.job.id}"
    return running.describe(rows=False)


@jobs.get("/jobs")
async def list_jobs(service: Serving) -> list[JobAnswer]:
    """List all jobs with their progress, the last one first."""
    return [running.describe(rows=False) for running in reversed(service.jobs.all())]


@jobs.get("/jobs/{job}")
async def get_job(service: Serving, job: str) -> JobAnswer:
    """Return a job: how far it is, and the rows that are counted."""
    return service.jobs.find(job).describe()


@jobs.delete("/jobs/{job}")
async def cancel_job(service: Serving, job: str) -> JobAnswer:
    """Cancel a job, or forget a finished one; what it counted is kept."""
    return (await service.jobs.cancel(job)).describe(rows=False)


async def follow_job(service: Serving, job: str) -> AsyncIterator[TrackedJob]:
    """Give the job that a client follows, if not too many do so."""
    running = service.jobs.find(job)
    if service.jobs.followers.locked():
        raise Stopped("too many clients follow jobs already; ask GET /api/v1/jobs/{job} instead")
    async with service.jobs.followers:
        yield running


@jobs.get("/jobs/{job}/events", response_class=EventSourceResponse)
async def get_events(
    running: Annotated[TrackedJob, Depends(follow_job)],
) -> AsyncIterator[ServerSentEvent]:
    """Follow a job by server-sent events: one now, and one whenever it has changed."""
    async for described in running.changes():
        yield ServerSentEvent(event="job", data=described)


@jobs.get("/jobs/{job}/certificate", **sends(CERTIFICATE))
async def get_certificate(service: Serving, job: str) -> Response:
    """Download the certificate that a job has made."""
    name, data = service.jobs.file(job)
    return Response(data, headers=attachment(name), media_type=CERTIFICATE)


@jobs.post(
    "/certificates",
    status_code=202,
    dependencies=[expect(CERTIFICATE)],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {CERTIFICATE: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def post_certificate(request: Request, service: Serving, response: Response) -> JobAnswer:
    """Check a certificate that you send; the answer is a job."""
    running = await service.jobs.check(await request.body())
    response.headers["Location"] = f"/api/v1/jobs/{running.job.id}"
    return running.describe()


@jobs.get("/claims")
async def get_claims(service: Serving) -> ClaimsAnswer:
    """Return the verdicts on published statements; the first question begins the job."""
    described = (await service.jobs.claims()).describe()
    verdicts = (described.result or {}).get("verdicts", [])
    return ClaimsAnswer(replace(described, result=None), verdicts)


@about.get("/api/v1/", dependencies=[Depends(admit)])
async def list_routes(request: Request) -> list[dict[str, str]]:
    """List the routes."""
    paths = request.app.openapi()["paths"]
    return [
        {"method": method.upper(), "path": path, "what": route["summary"]}
        for path, methods in paths.items()
        for method, route in methods.items()
    ]


@about.get("/health")
async def get_health() -> dict[str, str]:
    """Say that the server answers."""
    return {"status": "alive"}


@about.get("/ready")
async def get_ready(service: Serving) -> dict[str, str]:
    """Say that the server can work: its store and a worker answer."""
    await service.jobs.probe()
    await service.workers.run(os.getpid)
    return {"status": "ready"}


@about.get("/metrics", dependencies=[Depends(admit_work)], **sends("text/plain"))
async def get_metrics(request: Request) -> Response:
    """Return figures in the text format of Prometheus."""
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
