"""The audit trail of the API: records audited requests before their response is sent."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import structlog
from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.access import AuditEvent, AuditLog, Outcome, storable
from sightline.api.auth.audited_routes import AUDITED, AuditedRoute, results_of, target_of, targets_set
from sightline.api.auth.authentication import KEY_HEADER, SignedIn
from sightline.api.auth.rate_limit import RateLimit
from sightline.api.serving.errors import answer_for, internal_error
from sightline.errors import PlatformError, Throttled
from sightline.observability import correlation_id

REPEATED_VIEWS_S = 60.0
VIEWS_REMEMBERED = 10_000
REFUSALS_PER_MINUTE = 600
"""Of refused credentials; beyond that they are counted, so that a guesser cannot fill the log."""
_MAX_READ_BYTES = 100_000

log = structlog.get_logger(__name__)


class AuditTrail:
    """Holds the response back until its entry is committed; if that fails, the response is an error instead."""

    def __init__(
        self, app: ASGIApp, audit: AuditLog, *, is_local: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._audit = audit
        self._is_local = is_local
        self._clock = clock
        self._views: OrderedDict[tuple[str, ...], float] = OrderedDict()
        self._refusals = RateLimit(REFUSALS_PER_MINUTE)
        self._refusals_left_out = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        held: Message | None = None
        has_failed = False

        async def recording_send(message: Message) -> None:
            nonlocal held, has_failed
            if has_failed:
                return  # the error has been sent in the response's place
            if message["type"] == "http.response.start" and self._is_recorded(scope, message["status"]):
                held = message
                return
            if held is not None:
                started, held = held, None
                try:
                    await self._record(scope, started["status"], message.get("body", b""))
                except Exception as error:
                    has_failed = True
                    log.error("audit.not_recorded", path=scope["path"], error=str(error) or type(error).__name__)
                    answer = answer_for(error, scope["path"]) if isinstance(error, PlatformError) else internal_error()
                    await answer(scope, receive, send)
                    return
                await send(started)
            await send(message)

        await self._app(scope, receive, recording_send)

    def _is_recorded(self, scope: Scope, status: int) -> bool:
        return _route(scope) is not None or (status == 401 and _credential(scope) is not None)

    async def _record(self, scope: Scope, status: int, body: bytes) -> None:
        route = _route(scope)
        signed_in: SignedIn | None = scope.get("state", {}).get("signed_in")
        if signed_in is None:
            if status == 401 and (credential := _credential(scope)) is not None:
                await self._record_refusal(scope, credential)
            return
        if route is None:
            return
        event = self._event(scope, status, body, route, signed_in)
        if route.per_result and event.outcome == "done":
            for one in results_of(body):
                target = target_of(route, one, b"")
                outcome: Outcome = "done" if one.get("is_done") is True else "failed"
                await self._audit.record(replace(event, target=target, outcome=outcome))
            return
        if event.outcome == "done" and (targets := targets_set(scope)):
            for target in targets:
                await self._audit.record(replace(event, target=storable(target)))
            return
        if not (route.is_view and event.outcome == "done" and self._is_repeated(event)):
            await self._audit.record(event)

    def _event(self, scope: Scope, status: int, body: bytes, route: AuditedRoute, signed_in: SignedIn) -> AuditEvent:
        known: dict[str, Any] = dict(QueryParams(scope["query_string"])) | scope.get("path_params", {})
        target = target_of(route, known, body if status < 400 and len(body) <= _MAX_READ_BYTES else b"")
        caller = signed_in.caller
        via = f"key {signed_in.key_id}" if signed_in.key_id else "local" if self._is_local else signed_in.by
        return AuditEvent(
            action=route.action,
            via=via,
            actor_id=caller.user_id,
            actor=None if caller.email is None else storable(caller.email),
            target=None if target is None else storable(target),
            outcome=_outcome(status),
            details={"status": status, "address": _address(scope)},
            correlation_id=correlation_id(),
        )

    async def _record_refusal(self, scope: Scope, credential: str) -> None:
        try:
            self._refusals.take("")
        except Throttled:
            self._refusals_left_out += 1
            return
        details: dict[str, str | int | bool | None] = {"address": _address(scope)}
        if self._refusals_left_out:
            details["more_before"], self._refusals_left_out = self._refusals_left_out, 0
        await self._audit.record(
            AuditEvent(
                "sign_in.refused",
                via=credential,
                target=storable(scope["path"]),
                outcome="refused",
                details=details,
                correlation_id=correlation_id(),
            )
        )

    def _is_repeated(self, event: AuditEvent) -> bool:
        seen = (str(event.actor_id), event.via, event.action, event.target or "")
        now = self._clock()
        last = self._views.pop(seen, None)
        is_repeated = last is not None and now - last < REPEATED_VIEWS_S
        self._views[seen] = last if is_repeated and last is not None else now
        if len(self._views) > VIEWS_REMEMBERED:
            self._views.popitem(last=False)
        return is_repeated


def _route(scope: Scope) -> AuditedRoute | None:
    path = getattr(scope.get("route"), "path", None)
    return None if path is None else AUDITED.get((scope["method"], path))


def _credential(scope: Scope) -> str | None:
    """What kind of credential the request came with; never the credential itself."""
    headers = Headers(scope=scope)
    if KEY_HEADER in headers or headers.get("authorization", "").lower().startswith("bearer slk_"):
        return "key"
    if "authorization" in headers or scope["path"] == "/api/session":
        return "token"
    return "session" if "cookie" in headers else None


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _outcome(status: int) -> Outcome:
    if status < 400:
        return "done"
    return "refused" if status in (401, 403) else "failed"
