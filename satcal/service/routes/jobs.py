"""The routes of jobs and claims."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Response

from satcal.service.answers import JobAnswer
from satcal.service.context import ServiceDep, attachment_header, file_route
from satcal.service.models import CertificateJob, CountJob

CERTIFICATE = "application/octet-stream"
router = APIRouter()
JobRequest = Annotated[CountJob | CertificateJob, Body(discriminator="kind")]


@router.post("/jobs", status_code=202)
async def post_job(service: ServiceDep, request: JobRequest, response: Response) -> JobAnswer:
    """Begin a job that counts dates or makes a certificate."""
    job = await service.jobs.post(request)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return job.describe(with_rows=False)


@router.get("/jobs")
async def list_jobs(service: ServiceDep) -> list[JobAnswer]:
    """List all jobs with their progress, the newest first."""
    return [job.describe(with_rows=False) for job in reversed(service.jobs.all())]


@router.get("/jobs/{job}")
async def get_job(service: ServiceDep, job: str) -> JobAnswer:
    """Return a job: its progress, and the rows that it has counted."""
    return service.jobs.find(job).describe()


@router.delete("/jobs/{job}")
async def cancel_job(service: ServiceDep, job: str) -> JobAnswer:
    """Cancel an unfinished job, or delete a finished one; its counts stay in the store."""
    return (await service.jobs.cancel(job)).describe(with_rows=False)


@router.get("/jobs/{job}/certificate", **file_route(CERTIFICATE))
async def get_certificate(service: ServiceDep, job: str) -> Response:
    """Download the certificate that a job has made."""
    name, data = service.jobs.get_certificate(job)
    return Response(data, headers=attachment_header(name), media_type=CERTIFICATE)


@router.get("/claims")
async def get_claims(service: ServiceDep) -> JobAnswer:
    """Return the job that examines the published claims; the first request begins it."""
    return (await service.jobs.claims()).describe()
