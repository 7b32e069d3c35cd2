"""Sign-in and sign-out of the page: a token is exchanged for a cookie, so that no script of the page holds it."""

from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from sightline.access import looks_like_key
from sightline.api.auth.authentication import Authentication
from sightline.api.auth.cookies import clear_session_cookies
from sightline.api.auth.identity import seconds_left
from sightline.api.auth.oidc import OidcSignIn
from sightline.api.auth.page_sign_in import begin_session
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


class OidcOption(BaseModel):
    name: str = Field(examples=["Example"], description="What the button calls the issuer.")


class SignInOptionsAnswer(BaseModel):
    accepts_tokens: bool = Field(examples=[True], description="Whether the page can sign in with an access token.")
    oidc: OidcOption | None = Field(
        examples=[{"name": "Example"}], description="The OpenID Connect issuer to sign in with; null if there is none."
    )


class EndedSessionAnswer(BaseModel):
    sign_out_url: str = Field(
        examples=["https://login.example.com/logout?client_id=sightline"],
        description="Where the browser goes to sign out at the issuer too.",
    )


@router.get("/options")
async def sign_in_options(request: Request, platform: CurrentPlatform) -> SignInOptionsAnswer:
    """How people sign in here. Needs no sign-in."""
    sign_in: OidcSignIn | None = request.app.state.oidc
    return SignInOptionsAnswer(
        accepts_tokens=platform.settings.auth.accepts_tokens,
        oidc=None if sign_in is None else OidcOption(name=sign_in.name),
    )


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
    await begin_session(platform, response, caller, expires_at, is_secure=authentication.is_secure(request.scope))
    return SessionAnswer(
        user_id=caller.user_id, email=caller.email, is_operator=caller.is_operator, expires_at=expires_at
    )


@router.delete("", status_code=204, responses={200: {"model": EndedSessionAnswer}})
async def remove_session(request: Request, platform: CurrentPlatform) -> Response:
    """Sign the page out: the cookie is worth nothing from now on, wherever it is. 200 with an address if the session began at
    an OpenID Connect issuer that offers signing out, otherwise 204."""
    authentication: Authentication = request.app.state.authentication
    sign_in: OidcSignIn | None = request.app.state.oidc
    secret = authentication.page_secret(request.scope)
    sealed_id_token = None
    if secret is not None:
        with suppress(NotAuthenticated):  # it has ended already; the cookies go all the same
            request.state.signed_in = await authentication.of_request(request.scope)
            sealed_id_token = await platform.page_sessions.end(secret)
            log.info("session.ended")
    response = Response(status_code=204)
    if sign_in is not None and sealed_id_token is not None:
        address = await sign_in.sign_out_address(sealed_id_token)
        if address is not None:
            response = JSONResponse(EndedSessionAnswer(sign_out_url=address).model_dump())
    clear_session_cookies(response, is_secure=authentication.is_secure(request.scope))
    return response
