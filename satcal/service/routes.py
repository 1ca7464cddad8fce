"""The routes of jobs and claims, the list of all routes, and the probes of supervisors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from satcal.errors import Stopped
from satcal.service.access import admit, admit_jobs, require_content_type
from satcal.service.answers import ClaimsAnswer, JobAnswer
from satcal.service.context import JSON, ServiceDep, attachment_header, file_route
from satcal.service.job import Job
from satcal.service.metrics import Metrics
from satcal.service.models import CertificateJob, CountJob

CERTIFICATE = "application/octet-stream"
jobs = APIRouter(dependencies=[Depends(admit_jobs)], tags=["jobs"])
about = APIRouter(tags=["service"])
JobRequest = Annotated[CountJob | CertificateJob, Body(discriminator="kind")]


@jobs.post("/jobs", status_code=202, dependencies=[require_content_type(JSON)])
async def post_job(service: ServiceDep, request: JobRequest, response: Response) -> JobAnswer:
    """Begin a job that counts dates or makes a certificate."""
    job = await service.jobs.post(request)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return job.describe(with_rows=False)


@jobs.get("/jobs")
async def list_jobs(service: ServiceDep) -> list[JobAnswer]:
    """List all jobs with their progress, the newest first."""
    return [job.describe(with_rows=False) for job in reversed(service.jobs.all())]


@jobs.get("/jobs/{job}")
async def get_job(service: ServiceDep, job: str) -> JobAnswer:
    """Return a job: its progress, and the rows that it has counted."""
    return service.jobs.find(job).describe()


@jobs.delete("/jobs/{job}")
async def cancel_job(service: ServiceDep, job: str) -> JobAnswer:
    """Cancel an unfinished job, or delete a finished one; its counts stay in the store."""
    return (await service.jobs.cancel(job)).describe(with_rows=False)


async def follow_job(service: ServiceDep, job: str) -> AsyncIterator[Job]:
    """Yield the job to follow; raise Stopped if too many clients follow jobs."""
    tracked_job = service.jobs.find(job)
    if service.jobs.followers.locked():
        raise Stopped("too many clients follow jobs already; ask GET /api/v1/jobs/{job} instead")
    async with service.jobs.followers:
        yield tracked_job


@jobs.get("/jobs/{job}/events", response_class=EventSourceResponse)
async def get_events(
    job: Annotated[Job, Depends(follow_job)],
) -> AsyncIterator[ServerSentEvent]:
    """Follow a job by server-sent events: one now, and one after each change."""
    async for answer in job.follow():
        yield ServerSentEvent(event="job", data=answer)


@jobs.get("/jobs/{job}/certificate", **file_route(CERTIFICATE))
async def get_certificate(service: ServiceDep, job: str) -> Response:
    """Download the certificate that a job has made."""
    name, data = service.jobs.get_certificate(job)
    return Response(data, headers=attachment_header(name), media_type=CERTIFICATE)


@jobs.get("/claims")
async def get_claims(service: ServiceDep) -> ClaimsAnswer:
    """Return the verdicts on published claims; the first request begins the job."""
    job = (await service.jobs.claims()).describe()
    verdicts = (job.result or {}).get("verdicts", [])
    return ClaimsAnswer(replace(job, result=None), verdicts)


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
    """Report that the server answers."""
    return {"status": "alive"}


@about.get("/ready")
async def get_ready(service: ServiceDep) -> dict[str, str]:
    """Report that the server can work: its store answers, and a worker runs."""
    await service.jobs.probe()
    service.workers.check()
    return {"status": "ready"}


@about.get("/metrics", dependencies=[Depends(admit_jobs)], **file_route("text/plain"))
async def get_metrics(request: Request) -> Response:
    """Return metrics in the text format of Prometheus."""
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.format(), media_type="text/plain; version=0.0.4; charset=utf-8")
