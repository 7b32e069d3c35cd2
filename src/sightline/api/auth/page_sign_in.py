"""The beginning of a page session, however its person signed in."""

from datetime import datetime

import structlog
from starlette.responses import Response

from sightline.api.auth.cookies import set_session_cookies
from sightline.bootstrap import Platform
from sightline.contracts import Caller

log = structlog.get_logger(__name__)


async def begin_session(
    platform: Platform,
    response: Response,
    caller: Caller,
    expires_at: datetime,
    *,
    is_secure: bool,
    sealed_id_token: bytes | None = None,
) -> None:
    """Stores the session and gives the response its cookies."""
    session, secret = await platform.page_sessions.start(caller, expires_at, sealed_id_token=sealed_id_token)
    set_session_cookies(response, secret, expires_at, is_secure=is_secure)
    log.info("session.started", session_id=str(session.session_id))
