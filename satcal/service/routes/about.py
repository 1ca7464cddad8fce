"""The list of all routes, the probes of supervisors, and the metrics."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from satcal.service.access import admit, admit_jobs
from satcal.service.context import ServiceDep, file_route
from satcal.service.metrics import Metrics

router = APIRouter()


@router.get("/api/v1/", dependencies=[Depends(admit)])
async def list_routes(request: Request) -> list[dict[str, str]]:
    """List the routes."""
    paths = request.app.openapi()["paths"]
    return [
        {"method": method.upper(), "path": path, "what": route["summary"]}
        for path, methods in paths.items()
        for method, route in methods.items()
    ]


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
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.format(), media_type="text/plain; version=0.0.4; charset=utf-8")
