"""Published statements and satcal's verdicts on them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from satcal.service.api.jobs import described
from satcal.service.core import Running
from satcal.service.models import ClaimsModel
from satcal.version import __version__

router = APIRouter(tags=["claims"])


@router.get("/claims", response_model=ClaimsModel)
async def get_claims(service: Running) -> dict[str, Any]:
    """Return the verdicts; the first request of a version has all statements examined, as a job."""
    job = await service.jobs.whole(
        await service.jobs.submit({"kind": "claims", "version": __version__})
    )
    verdicts = (job.result or {}).get("verdicts", [])
    return {"job": described(job) | {"result": None}, "verdicts": verdicts}
