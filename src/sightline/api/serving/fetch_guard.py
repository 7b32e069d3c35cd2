"""Requests that a browser makes for a foreign page, recognized by Sec-Fetch-Site: refused for every method, also without an Origin.

A picture, a script or a frame of a foreign page is a GET without an Origin header. It changes nothing, but its size, its time and
its side effects on caches tell that page about the user's data.
"""

from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

from sightline.api.serving.errors import answer_for
from sightline.api.serving.request_headers import header_of
from sightline.errors import NotAllowed

_OWN_SITES = frozenset({"same-origin", "none"})  # none: the user typed the address


class FetchGuard:
    """Lets pass: our own pages, links that a user follows, origins that may call us, and what brings its own permission."""

    def __init__(self, app: ASGIApp, allowed_origins: Collection[str], open_below: tuple[str, ...] = ()) -> None:
        self._app = app
        self._origins = frozenset(allowed_origins)
        self._open_below = open_below

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._is_foreign(scope):
            error = NotAllowed("not served to pages of other origins. SIGHTLINE_API_CORS_ORIGINS names those that may")
            await answer_for(error, scope["path"])(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_foreign(self, scope: Scope) -> bool:
        site = header_of(scope, b"sec-fetch-site")
        if site is None or site in _OWN_SITES or str(scope["path"]).startswith(self._open_below):
            return False
        is_link = (
            scope["method"] in ("GET", "HEAD")
            and header_of(scope, b"sec-fetch-mode") == "navigate"
            and header_of(scope, b"sec-fetch-dest") == "document"
        )
        return not is_link and header_of(scope, b"origin") not in self._origins
