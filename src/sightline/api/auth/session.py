"""Sign-in and sign-out of the page: a token is exchanged for a cookie, so that no script of the page holds it."""

from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from sightline.access import looks_like_key
from sightline.api.auth.authentication import Authentication
from sightline.api.auth.cookies import clear_session_cookies, set_session_cookies
from sightline.api.auth.identity import seconds_left
from sightline.api.dependencies import CurrentPlatform
from sightline.contracts import LOCAL_OWNER_ID
from sightline.errors import Conflict, InvalidInput, NotAuthenticated
from sightline.timing import utc_now

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/session", tags=["people"])


class NewSession(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: str = Field(
        min_length=1,
        max_length=16_384,
        examples=["eyJhbGciOi…"],
        description="A token of the issuer, without `Bearer`.",
    )


class SessionAnswer(BaseModel):
    user_id: UUID = Field(examples=[LOCAL_OWNER_ID])
    email: str | None = Field(examples=["ann@example.com"])
    is_operator: bool = Field(examples=[False])
    expires_at: datetime = Field(examples=["2026-01-17T10:00:00Z"], description="When the page has to sign in again.")


@router.post("", status_code=201)
async def new_session(
    request: Request, response: Response, platform: CurrentPlatform, body: NewSession
) -> SessionAnswer:
    """Sign the page in: sets an httpOnly cookie, and a second one with the CSRF token that changes have to repeat in
    the header `X-CSRF-Token`. The session ends with the token, or after `SIGHTLINE_AUTH_SESSION_MAX_H`."""
    settings = platform.settings.auth
    if not settings.is_configured:
        raise Conflict("Sign-in is not needed here: everyone on this machine is the owner")
    if looks_like_key(body.token.strip()):
        raise InvalidInput("API keys are for detectors and scripts. Sign in with a token.")
    authentication: Authentication = request.app.state.authentication
    authentication.check_own_page(request.scope)
    authorization = f"Bearer {body.token.strip()}"
    request.state.signed_in = signed_in = await authentication.of_credential(authorization)
    caller = signed_in.caller
    longest = timedelta(hours=settings.session_max_h)
    left = seconds_left(authorization)
    expires_at = utc_now() + (longest if left is None else min(longest, timedelta(seconds=left)))
    session, secret = await platform.page_sessions.start(caller, expires_at)
    set_session_cookies(response, secret, expires_at, is_secure=authentication.is_secure(request.scope))
    log.info("session.started", session_id=str(session.session_id))
    return SessionAnswer(
        user_id=caller.user_id, email=caller.email, is_operator=caller.is_operator, expires_at=expires_at
    )


@router.delete("", status_code=204)
async def remove_session(request: Request, response: Response, platform: CurrentPlatform) -> None:
    """Sign the page out: the cookie is worth nothing from now on, wherever it is."""
    authentication: Authentication = request.app.state.authentication
    secret = authentication.page_secret(request.scope)
    if secret is not None:
        with suppress(NotAuthenticated):  # it has ended already; the cookies go all the same
            request.state.signed_in = await authentication.of_request(request.scope)
            await platform.page_sessions.end(secret)
            log.info("session.ended")
    clear_session_cookies(response, is_secure=authentication.is_secure(request.scope))
