"""Health and metrics: for load balancers, orchestrators and scrapers."""

import hmac
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from sightline import __version__
from sightline.api.dependencies import CurrentPlatform, Operator, documented_bearer, get_caller, get_operator
from sightline.bootstrap import Platform
from sightline.observability import CONTENT_TYPE_LATEST, render

router = APIRouter(tags=["health"])


class HealthPartAnswer(BaseModel):
    status: str = Field(examples=["ok"])
    error: str | None = Field(None, examples=[None])
    detail: str | None = Field(None, description="How it works, where that differs.", examples=[None])
    milliseconds: float = Field(examples=[1.3])


class HealthAnswer(BaseModel):
    status: str = Field(examples=["ok"])
    version: str = Field(examples=[__version__])
    parts: dict[str, HealthPartAnswer] | None = Field(
        None, examples=[{"database": {"status": "ok", "error": None, "milliseconds": 1.3}}]
    )


class ServiceAnswer(BaseModel):
    name: str = Field(examples=["api"])
    state: str = Field(examples=["running"])
    since: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    restarts: int = Field(examples=[0])
    last_error: str | None = Field(None, examples=[None])


@router.head("/api/health", response_model_exclude_none=True, include_in_schema=False)
@router.get(
    "/api/health",
    response_model_exclude_none=True,
    responses={503: {"model": HealthAnswer, "description": "A part cannot do its work; `parts` says which and why."}},
)
async def health(
    request: Request,
    platform: CurrentPlatform,
    response: Response,
    deep: Annotated[bool, Query(description="Check every service and backend.", examples=[True])] = False,
) -> HealthAnswer:
    """Liveness; with `deep=true` readiness: 503 names the failing part.

    Where users sign in, `deep=true` requires a bearer token, a user's or the metrics token.
    """
    if not deep:
        return HealthAnswer(status="ok", version=__version__, parts=None)
    if not _has_metrics_token(request, platform):
        await get_caller(request)
    parts = await platform.health.check_all()
    is_healthy = all(part.is_healthy for part in parts)
    response.status_code = 200 if is_healthy else 503
    return HealthAnswer(
        status="ok" if is_healthy else "unavailable",
        version=__version__,
        parts={
            part.part: HealthPartAnswer(
                status="ok" if part.is_healthy else "unavailable",
                error=part.error,
                detail=part.detail,
                milliseconds=part.milliseconds,
            )
            for part in parts
        },
    )


@router.get("/api/status")
async def status(platform: CurrentPlatform, _: Operator) -> list[ServiceAnswer]:
    """The services that run in this process, for operators."""
    return [ServiceAnswer.model_validate(service.as_json()) for service in platform.statuses()]


@router.get(
    "/metrics",
    response_class=Response,
    dependencies=[Depends(documented_bearer)],
    responses={200: {"content": {"text/plain": {"example": f'sightline_info{{version="{__version__}"}} 1.0'}}}},
)
async def metrics(request: Request, platform: CurrentPlatform) -> Response:
    """Metrics in the Prometheus text format."""
    if not _has_metrics_token(request, platform):
        await get_operator(await get_caller(request))
    return Response(render(platform.registry), media_type=CONTENT_TYPE_LATEST)


def _has_metrics_token(request: Request, platform: Platform) -> bool:
    token = platform.settings.observability.metrics_token
    if not token:
        return False
    offered = request.headers.get("authorization", "")
    return hmac.compare_digest(f"Bearer {token.get_secret_value()}".encode(), offered.encode())
