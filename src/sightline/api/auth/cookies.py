"""The page's cookies: the session, which no script can read, and the CSRF token, which the page's own scripts repeat."""

from datetime import datetime
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response

from sightline.access import csrf_token, is_csrf_token
from sightline.errors import NotAllowed

SESSION_COOKIE = "sightline_session"
CSRF_COOKIE = "sightline_csrf"
CSRF_HEADER = "x-csrf-token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# A browser takes a cookie of this name only over HTTPS and from this very host, not from a neighbour below its domain.
_HOST_PREFIX = "__Host-"


def cookie_names(*, is_secure: bool) -> tuple[str, str]:
    prefix = _HOST_PREFIX if is_secure else ""
    return prefix + SESSION_COOKIE, prefix + CSRF_COOKIE


def read_session_cookie(headers: Headers, *, is_secure: bool) -> str | None:
    return read_cookie(headers, cookie_names(is_secure=is_secure)[0])


def read_cookie(headers: Headers, name: str) -> str | None:
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load("; ".join(headers.getlist("cookie")))
    except CookieError:
        return None
    found = jar.get(name)
    return found.value if found is not None and found.value else None


def set_session_cookies(response: Response, secret: str, expires_at: datetime, *, is_secure: bool) -> None:
    session, csrf = cookie_names(is_secure=is_secure)
    for name, value, is_hidden in ((session, secret, True), (csrf, csrf_token(secret), False)):
        response.set_cookie(
            name, value, expires=expires_at, path="/", secure=is_secure, httponly=is_hidden, samesite="strict"
        )


def clear_session_cookies(response: Response, *, is_secure: bool) -> None:
    for name in cookie_names(is_secure=is_secure):
        response.delete_cookie(name, path="/", secure=is_secure, samesite="strict")


def check_page_request(headers: Headers, kind: str, method: str, secret: str, *, own_origin: str) -> None:
    """Refuses a request that carries the cookie but was made by another site's page.

    Cookies know no ports, and a neighbour on the same domain counts as the same site, so SameSite alone is not enough.
    A WebSocket always comes with an Origin; a request that changes something repeats the CSRF token.
    """
    check_own_page(headers, kind, own_origin=own_origin)
    if kind == "http" and method not in SAFE_METHODS and not is_csrf_token(secret, headers.get(CSRF_HEADER)):
        raise NotAllowed("The CSRF token is missing or wrong. Reload the page and try again.")


def check_own_page(headers: Headers, kind: str, *, own_origin: str) -> None:
    origin = headers.get("origin")
    is_own = origin is not None and is_same_origin(origin, headers.get("host", ""), own_origin)
    is_foreign = (origin is not None or kind == "websocket") and not is_own
    is_embedded = (
        headers.get("sec-fetch-site") in ("cross-site", "same-site") and headers.get("sec-fetch-mode") != "navigate"
    )
    if is_foreign or is_embedded:
        raise NotAllowed("Only Sightline's own page can do this with its session")


def is_same_origin(origin: str, host: str, own_origin: str) -> bool:
    return origin.partition("://")[2] == host or origin == own_origin


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
