"""What happens to every request: correlation id, span, log line, metrics, size limit, and a last net for errors."""

import time
from collections.abc import Callable, Collection
from functools import lru_cache

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.api.serving.errors import answer_for, internal_error
from sightline.api.serving.loggable_path import loggable_path
from sightline.api.serving.request_headers import header_of
from sightline.api.serving.response_headers import add_headers
from sightline.config import is_loopback
from sightline.errors import NotAllowed, TooLarge
from sightline.observability import CORRELATION_HEADER, accept_correlation_id, span, work_context

log = structlog.get_logger(__name__)

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_CORRELATION_NAME = CORRELATION_HEADER.encode()
_TRACE_NAMES = frozenset({b"traceparent", b"tracestate"})
_QUIET_PATHS = frozenset({"/api/health", "/metrics"})
MAX_HOST_NAME = 255  # no host has a longer one, and longer ones would fill the memory of those that are known
_LENGTH_DIGITS = 18  # more than any disk holds; Python refuses to read numbers of some thousand digits


class RequestContext:
    """Outermost: gives the request its id, and logs it afterwards."""

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        self._app = app
        self._seconds = Histogram(
            "sightline_http_request_duration_seconds", "Time to answer.", ["method", "route"], registry=registry
        )
        self._answers = Counter(
            "sightline_http_requests_total", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        # Cached, because looking up labels costs more than counting.
        self._counted: dict[tuple[str, str, int], tuple[Callable[[float], None], Callable[[], None]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        correlation_id = accept_correlation_id(header_of(scope, _CORRELATION_NAME))
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                add_headers(message, scope["path"], correlation_id)
            await send(message)

        started = time.perf_counter()
        carrier = {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in _TRACE_NAMES}
        with (
            work_context(correlation_id=correlation_id),
            span("http.request", carrier=carrier, **{"http.request.method": scope["method"]}) as current,
        ):
            try:
                await self._app(scope, receive, send_with_id)
            finally:
                seconds = time.perf_counter() - started
                route = self._tell(scope, status, seconds)
                if current is not None:
                    current.set_attribute("http.route", route)
                    current.set_attribute("http.response.status_code", status)

    def _tell(self, scope: Scope, status: int, seconds: float) -> str:
        # The route's pattern, not the path: a label per video id would grow without end.
        route = getattr(scope.get("route"), "path", None) or "unmatched"
        # The same goes for methods, which may be any word.
        method = scope["method"] if scope["method"] in _METHODS else "other"
        counted = self._counted.get((method, route, status))
        if counted is None:
            counted = self._counted[method, route, status] = (
                self._seconds.labels(method, route).observe,
                self._answers.labels(method, route, str(status)).inc,
            )
        counted[0](seconds)
        counted[1]()
        level = "debug" if scope["path"] in _QUIET_PATHS and status < 400 else "info"
        getattr(log, level)(
            "request.completed",
            method=scope["method"],
            path=loggable_path(scope["path"]),
            status=status,
            milliseconds=round(seconds * 1000, 1),
        )
        return str(route)


class LastNet:
    """Responds to unexpected errors. Inside CORS, so that an allowed page can read this response too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def noting_send(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, noting_send)
        except ClientDisconnect:
            log.info("request.abandoned", method=scope["method"], path=loggable_path(scope["path"]))
        except Exception as error:
            log.error("request.crashed", method=scope["method"], path=loggable_path(scope["path"]), exc_info=error)
            if has_started:
                raise  # half an answer is out; closing the connection is all that is left to say
            await internal_error()(scope, receive, send)


class LocalGuard:
    """Without authentication, loopback alone is no wall: any web page can make a browser ask us.

    A foreign Host header is a page that had its name re-bound to 127.0.0.1; a foreign Origin is a page that posts here.
    Where every request carries a permission of its own (`open_below`), a foreign page may ask: it needs that permission.
    """

    def __init__(self, app: ASGIApp, allowed_origins: Collection[str], open_below: tuple[str, ...] = ()) -> None:
        self._app = app
        self._origins = frozenset(allowed_origins)
        self._open_below = open_below

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            host = header_of(scope, b"host") or ""
            name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
            origin = None if self._is_open(scope) else header_of(scope, b"origin")
            is_foreign = (
                len(name) > MAX_HOST_NAME
                or not _is_local(name)
                or (origin is not None and origin not in self._origins and origin.partition("://")[2] != host)
            )
            if is_foreign:
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 1008})
                    return
                error = NotAllowed(f"not served to host {host!r}, origin {origin!r}: this platform is local only")
                await answer_for(error, scope["path"])(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_open(self, scope: Scope) -> bool:
        return scope["type"] == "http" and str(scope["path"]).startswith(self._open_below)


@lru_cache(maxsize=256)
def _is_local(name: str) -> bool:
    is_bracketed = name.startswith("[") and name.endswith("]")
    return is_loopback(name[1:-1] if is_bracketed else name.lower())


class BodyLimit:
    """Refuses bodies that are too large: at once if the length is declared, otherwise when they exceed it.

    Not below `except_below`, where files are taken in.
    """

    def __init__(self, app: ASGIApp, max_bytes: int, except_below: tuple[str, ...] = ()) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._except_below = except_below

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(self._except_below):
            await self._app(scope, receive, send)
            return
        declared = header_of(scope, b"content-length") or ""
        if declared.isdecimal() and (len(declared) > _LENGTH_DIGITS or int(declared) > self._max_bytes):
            await self._refuse(scope, receive, send)
            return
        taken = 0
        is_refused = has_started = False

        async def counting_receive() -> Message:
            nonlocal taken, is_refused
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._max_bytes and not is_refused:
                is_refused = True
                if not has_started:
                    await self._refuse(scope, receive, send)
            return {"type": "http.disconnect"} if is_refused else message

        async def guarded_send(message: Message) -> None:
            nonlocal has_started
            if not is_refused:  # the refusal has been sent; whatever the route says now is too late
                has_started = True
                await send(message)

        try:
            await self._app(scope, counting_receive, guarded_send)
        except Exception:
            if not is_refused:
                raise

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = TooLarge(f"The request body is too large: the limit here is {self._max_bytes} bytes")
        await answer_for(error, scope["path"])(scope, receive, send)
