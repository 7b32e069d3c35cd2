"""Errors as HTTP responses: one form, `{"error": {"code", "message", "details"}}`, and one place that knows statuses."""

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from sightline.cameras import SourceProblem
from sightline.errors import (
    BackendUnavailable,
    Conflict,
    Gone,
    InvalidInput,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PermanentFailure,
    PlatformError,
    QuotaExceeded,
    Throttled,
    TooLarge,
    TransientFailure,
)
from sightline.objects import StorageFull

log = structlog.get_logger(__name__)

# Document 002 answers a bad request with 400, the endpoints of the other documents with 422 (ADR 0006).
_VALIDATION_IS_400_BELOW = "/api/"

_STATUS_OF: tuple[tuple[type[PlatformError], int, str], ...] = (
    (NotAuthenticated, 401, "UNAUTHORIZED"),
    (NotAllowed, 403, "FORBIDDEN"),
    (QuotaExceeded, 403, "QUOTA_EXCEEDED"),
    (Gone, 410, "GONE"),
    (NotFound, 404, "NOT_FOUND"),
    (Conflict, 409, "CONFLICT"),
    (SourceProblem, 422, "CAMERA_UNREADABLE"),
    (TooLarge, 413, "PAYLOAD_TOO_LARGE"),
    (Throttled, 429, "RATE_LIMIT_EXCEEDED"),
    (StorageFull, 507, "INSUFFICIENT_STORAGE"),
    (BackendUnavailable, 503, "SERVICE_UNAVAILABLE"),
    (TransientFailure, 503, "SERVICE_UNAVAILABLE"),
    (PermanentFailure, 500, "INTERNAL_SERVER_ERROR"),
)


class ErrorBody(BaseModel):
    code: str = Field(examples=["VALIDATION_ERROR"])
    message: str = Field(examples=["limit: Input should be less than or equal to 100"])
    details: dict[str, Any] = Field(default_factory=dict, examples=[{"errors": [{"field": "limit"}]}])


class ErrorAnswer(BaseModel):
    """The body of every failed request."""

    error: ErrorBody


def validation_status(path: str) -> int:
    return 400 if path.startswith(_VALIDATION_IS_400_BELOW) else 422


def error_response(
    status: int,
    code: str,
    message: str,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    body = {"error": {"code": code, "message": message, "details": dict(details or {})}}
    return JSONResponse(body, status_code=status, headers=dict(headers or {}))


def answer_for(error: PlatformError, path: str) -> JSONResponse:
    """The response to a platform error."""
    if isinstance(error, InvalidInput):
        return error_response(validation_status(path), "VALIDATION_ERROR", error.message, error.details)
    known = ((status, code) for kind, status, code in _STATUS_OF if isinstance(error, kind))
    status, code = next(known, (500, "INTERNAL_SERVER_ERROR"))
    headers = {}
    if isinstance(error, NotFound | Conflict):
        code = error.code
    if isinstance(error, NotAuthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, Throttled):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after.total_seconds())))
    if status >= 500:
        log.error("request.failed", path=path, error=error.message, exc_info=error if status == 500 else None)
    message = error.public_message if status != 500 else "something went wrong on our side"
    return error_response(status, code, message, error.details if status != 500 else None, headers)


def internal_error() -> JSONResponse:
    """For unexpected errors: reveals no internals."""
    return error_response(500, "INTERNAL_SERVER_ERROR", "something went wrong on our side")


def install_error_handlers(app: FastAPI) -> None:
    # The path is the scope's: `request.url` is put together with the Host header, which may hold anything.

    @app.exception_handler(PlatformError)
    async def platform_error(request: Request, error: PlatformError) -> JSONResponse:
        return answer_for(error, request.scope["path"])

    @app.exception_handler(RequestValidationError)
    async def invalid_request(request: Request, error: RequestValidationError) -> JSONResponse:
        problems = [_problem(item) for item in error.errors()]
        message = "; ".join(f"{problem['field']}: {problem['message']}" for problem in problems)
        status = validation_status(request.scope["path"])
        return error_response(status, "VALIDATION_ERROR", message, {"errors": problems})

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> JSONResponse:
        """What the framework itself refuses: unknown paths, wrong methods, unreadable bodies."""
        code = {400: "VALIDATION_ERROR", 401: "UNAUTHORIZED"}.get(error.status_code)
        code = code or HTTPStatus(error.status_code).name
        message = f"nothing at {request.scope['path']}" if error.status_code == 404 else str(error.detail)
        return error_response(error.status_code, code, message, headers=error.headers)


# What limits a field, by its name in the context that pydantic gives. The page says it in the reader's language.
_LIMITS = ("ge", "gt", "le", "lt", "min_length", "max_length", "expected")


def _problem(item: Any) -> dict[str, str]:
    """One wrong field, without echoing the value: it may be large or secret."""
    where, *path = (str(part) for part in item["loc"])
    message = item["msg"].removeprefix("Value error, ")
    problem = {"field": ".".join(path) or where, "message": message, "in": where, "kind": item["type"]}
    context = item.get("ctx", {})
    if limit := next((name for name in _LIMITS if name in context), None):
        problem["limit"] = str(context[limit])
    return problem
