"""The probes of supervisors, and the metrics."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from satcal.service.access import admit_jobs
from satcal.service.context import ServiceDep, file_route

router = APIRouter()


@router.get("/health")
async def get_health() -> dict[str, str]:
    """Report that the server answers."""
    return {"status": "alive"}


@router.get("/ready")
async def get_ready(service: ServiceDep) -> dict[str, str]:
    """Report that the server can work: its store answers, and a worker runs."""
    await service.jobs.probe()
    service.workers.check()
    return {"status": "ready"}


@router.get("/metrics", dependencies=[Depends(admit_jobs)], **file_route("text/plain"))
async def get_metrics(request: Request) -> Response:
    """Return metrics in the text format of Prometheus."""
    text = generate_latest(request.app.state.metrics.registry)
    return Response(text, media_type=CONTENT_TYPE_LATEST)
