"""Sign-in of the page at an OpenID Connect issuer: two addresses that a browser goes to, one after the other."""

from datetime import timedelta
from typing import Annotated

import structlog
from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse

from sightline.access import AuditEvent
from sightline.api.auth.authentication import Authentication, SignedIn
from sightline.api.auth.cookies import read_cookie
from sightline.api.auth.oidc.attempt import LIFETIME_S, MAX_RETURN_LENGTH, cookie_name, with_query
from sightline.api.auth.oidc.sign_in import OidcSignIn, SignInFailed
from sightline.api.auth.page_sign_in import begin_session
from sightline.api.auth.rate_limit import RateLimit
from sightline.api.dependencies import CurrentPlatform
from sightline.errors import NotFound
from sightline.timing import utc_now

ERROR_PARAMETER = "sign_in_error"
STARTS_PER_MINUTE = 600
"""Of each address; many people may share one."""
_MAX_PARAMETER = 4096

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/session/oidc", tags=["people"])


@router.get("/start", status_code=303, response_class=RedirectResponse)
async def start_sign_in(
    request: Request,
    return_to: Annotated[
        str,
        Query(
            max_length=MAX_RETURN_LENGTH, examples=["/ui/videos"], description="The path of the page to come back to."
        ),
    ] = "/",
) -> RedirectResponse:
    """Go to the issuer to sign in. A browser opens this address; it is redirected."""
    sign_in = _sign_in(request)
    _limit(request)
    try:
        address, state, content = await sign_in.begin(return_to)
    except SignInFailed as failed:
        log.warning("sign_in.refused", problem=failed.problem, error=failed.message)
        return _back(failed)
    authentication: Authentication = request.app.state.authentication
    is_secure = authentication.is_secure(request.scope)
    response = RedirectResponse(address, status_code=303, headers={"cache-control": "no-store"})
    # Lax: the issuer's redirect back comes from another site, with which a Strict cookie would not be sent.
    response.set_cookie(
        cookie_name(state, is_secure=is_secure) or "",
        content,
        max_age=LIFETIME_S,
        path="/",
        secure=is_secure,
        httponly=True,
        samesite="lax",
    )
    return response


@router.get("/callback", status_code=303, response_class=RedirectResponse)
async def finish_sign_in(
    request: Request,
    platform: CurrentPlatform,
    state: Annotated[str, Query(max_length=100, examples=["af0ifjsldkj"], description="As sent to the issuer.")] = "",
    code: Annotated[
        str | None, Query(max_length=_MAX_PARAMETER, examples=["SplxlOBeZQQYbYS6WxSbIA"], description="Used once.")
    ] = None,
    error: Annotated[
        str | None, Query(max_length=200, examples=["access_denied"], description="Why the issuer signed nobody in.")
    ] = None,
    iss: Annotated[
        str | None, Query(max_length=500, examples=["https://login.example.com"], description="The issuer's own name.")
    ] = None,
) -> RedirectResponse:
    """Come back from the issuer: the session begins, and the browser is redirected to the page that it came from."""
    sign_in = _sign_in(request)
    _limit(request)
    authentication: Authentication = request.app.state.authentication
    is_secure = authentication.is_secure(request.scope)
    name = cookie_name(state, is_secure=is_secure)
    cookie = None if name is None else read_cookie(request.headers, name)
    answer = {"state": state, "code": code, "error": error, "iss": iss}
    try:
        finished = await sign_in.finish({key: value for key, value in answer.items() if value is not None}, cookie)
    except SignInFailed as failed:
        log.warning("sign_in.refused", problem=failed.problem, error=failed.message)
        if cookie is not None and failed.problem == "refused":
            await platform.audit.record(AuditEvent("sign_in.refused", via="oidc", outcome="refused"))
        response = _back(failed)
    else:
        request.state.signed_in = SignedIn(finished.caller, "oidc")
        response = RedirectResponse(finished.return_to, status_code=303, headers={"cache-control": "no-store"})
        expires_at = utc_now() + timedelta(hours=platform.settings.auth.session_max_h)
        await begin_session(
            platform,
            response,
            finished.caller,
            expires_at,
            is_secure=is_secure,
            sealed_id_token=finished.sealed_id_token,
        )
    if name is not None and cookie is not None:
        response.delete_cookie(name, path="/", secure=is_secure, httponly=True, samesite="lax")
    return response


def _sign_in(request: Request) -> OidcSignIn:
    found: OidcSignIn | None = request.app.state.oidc
    if found is None:
        raise NotFound("No OpenID Connect issuer is configured. Set SIGHTLINE_AUTH_OIDC_ISSUER to sign in with one.")
    return found


def _limit(request: Request) -> None:
    """Strangers may call these addresses, and each call can cost one at the issuer."""
    limit: RateLimit = request.app.state.oidc_limit
    limit.take(request.client.host if request.client is not None else "")


def _back(failed: SignInFailed) -> RedirectResponse:
    address = with_query(failed.return_to, **{ERROR_PARAMETER: failed.problem})
    return RedirectResponse(address, status_code=303, headers={"cache-control": "no-store"})
