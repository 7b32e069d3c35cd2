"""HTTP/1.1 connections with limits where the bytes arrive: size, number and time of headers, speed of bodies, silence.

uvicorn's own protocol puts headers together piece by piece and without an end: one of 96 MB takes half a minute in which no
other client is served.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from sightline.api.edge.connections import Connections
from sightline.api.edge.direct import DirectAnswers, DirectCalls, DirectCycle, has_short_body
from sightline.api.edge.refusals import (
    INVALID,
    LARGE_HEADERS,
    MANY_HEADERS,
    SILENT,
    SLOW_BODY,
    SLOW_HEADERS,
    SLOW_READER,
    TOO_MANY_PIPELINED,
    Refusal,
)
from sightline.api.edge.unread import UnreadAnswer
from sightline.api.edge.unwanted_body import ResponseTransport, UnwantedBody
from sightline.api.live.transport import StopSignal

# How long a refused client may take to read why. Closing at once would reset the connection under the answer.
LINGER_S = 2.0
MAX_PIPELINED = 32


class RequestStage(Enum):
    """What is expected of the client next."""

    REQUEST = "request"
    HEADERS = "headers"
    BODY = "body"


class _LimitBroken(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class GuardedHttp(HttpToolsProtocol):
    edge: Connections  # these three are set by `http_protocol`
    direct: DirectCalls | None
    stopping: StopSignal

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        limits = self.edge.limits
        self._max_header_bytes = limits.max_header_bytes
        self._max_header_fields = limits.max_header_fields
        self.stage = RequestStage.REQUEST
        self._since = 0.0
        """When the stage began, or the window in which the bytes of the body are counted."""
        self.body_bytes = 0
        self._header_bytes = 0
        self._header_fields = 0
        self._unparsed_bytes = 0
        """Received since the parser last came to the end of headers, to bytes of a body, or to the end of a request."""
        self._broken: Refusal | None = None
        self._is_refused = False
        """What still arrives is not parsed any more."""
        self._unwanted: UnwantedBody | None = None
        """Of a request that is answered, while its body is still arriving."""
        self._closes_after_body = False
        self._lingering: asyncio.TimerHandle | None = None
        self._response: ResponseTransport | None = None
        """Of the request that arrived last."""
        self._arriving: DirectCycle | None = None
        """The direct call whose body is arriving."""
        self._answering: DirectAnswers | None = None
        """What answers direct calls of this connection, once there was one."""
        self.when_lost: set[Callable[[], None]] = set()
        """What waits on behalf of this client, to be ended when it goes away."""

    # The connection.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._unread = UnreadAnswer(transport, self.edge.limits.send_timeout_s)
        self._since = self.edge.clock()
        if (refusal := self.edge.admit(self, self._peer)) is not None:
            self._refuse(refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        self.edge.release(self)
        if self._lingering is not None:
            self._lingering.cancel()
            self._lingering = None
            self.edge.stop_lingering()
        if self._answering is not None:
            self._answering.end()
        super().connection_lost(exc)
        self._notify_lost()

    def _notify_lost(self) -> None:
        for callback in tuple(self.when_lost):
            callback()

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._unset_keepalive_if_required()
        self._unparsed_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            return
        except httptools.HttpParserError:
            if self._broken is None and self._has_whole_request:
                # Bytes after a request without a length; its response (411) says more than "invalid" would.
                self._is_refused, self.cycle.keep_alive = True, False
            else:
                self._refuse(self._broken or INVALID)
            return
        if self._unparsed_bytes > self._max_header_bytes:
            self._refuse(LARGE_HEADERS)

    # The parser.

    def on_message_begin(self) -> None:
        self.stage = RequestStage.HEADERS
        self._since = self.edge.clock()
        self._header_bytes = self._header_fields = 0
        # The rest of what uvicorn does here is for the framework, and has to wait until it is known who answers.
        self.url = b""
        self.expect_100_continue = False
        self.headers = []

    def on_url(self, url: bytes) -> None:
        self._header_bytes += len(url)
        if self._header_bytes > self._max_header_bytes:
            self._break(LARGE_HEADERS)
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._header_fields += 1
        if self._header_fields > self._max_header_fields:
            self._break(MANY_HEADERS)
        self._header_bytes += len(name) + len(value) + 4  # with ": " and the end of the line
        if self._header_bytes > self._max_header_bytes:
            self._break(LARGE_HEADERS)
        # As uvicorn does it: a call of its method costs more than the method.
        name = name.lower()
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        self.stage = RequestStage.BODY
        self._since = self.edge.clock()
        self.body_bytes = self._unparsed_bytes = 0
        if len(self.pipeline) >= MAX_PIPELINED:
            self._break(TOO_MANY_PIPELINED)
        if self._begin_direct():
            return
        before = self.cycle
        url, headers, expects_continue = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.expect_100_continue = url, expects_continue
        self.headers += headers  # the list that the scope has
        super().on_headers_complete()
        if self.cycle is not before:
            writing = ResponseTransport(
                self.transport, self.loop, partial(self._close_after, self.cycle), self.when_lost
            )
            self._response = writing
            self.cycle.transport = cast(asyncio.Transport, writing)

    def on_body(self, body: bytes) -> None:
        self._unparsed_bytes = 0
        self.body_bytes += len(body)
        if self._arriving is not None:
            self._arriving.body += body
            return
        super().on_body(body)
        if self._unwanted is not None and not self._is_refused:
            self._unwanted.drop(len(body))
            if self._unwanted.is_too_much:
                self._is_refused = True
                self._linger()

    def on_message_complete(self) -> None:
        self.stage = RequestStage.REQUEST
        self._unparsed_bytes = 0
        self._unwanted = None
        if self._arriving is not None and self.direct is not None:
            cycle, self._arriving = self._arriving, None
            if self._answering is None:
                self._answering = DirectAnswers(self.direct, self)
            self._answering.start(cycle)
            return
        super().on_message_complete()
        if self._closes_after_body:
            self.transport.close()

    # Direct calls.

    def _begin_direct(self) -> bool:
        """Whether the request is answered without the framework. Anything unusual about it goes the usual way."""
        direct, before = self.direct, cast("RequestResponseCycle | DirectCycle | None", self.cycle)
        if direct is None or self.expect_100_continue or (before is not None and not before.response_complete):
            return False
        if not self.url.startswith(b"/"):
            return False
        headers = dict(self.headers)
        if len(headers) < len(self.headers) or (service := direct.service_of(headers)) is None:
            return False
        parser = self.parser
        if (
            parser.get_method() != b"POST"
            or parser.get_http_version() != "1.1"
            or parser.should_upgrade()
            or not has_short_body(headers, direct.max_body_bytes)
        ):
            return False
        self._arriving = DirectCycle(service, self.url, headers, keep_alive=parser.should_keep_alive())
        self.cycle = cast(RequestResponseCycle, self._arriving)
        return True

    def complete_direct(self, cycle: DirectCycle) -> None:
        """Called when the response of a direct call is written."""
        cycle.response_complete = True
        if not cycle.keep_alive:
            self._close_after(cycle)
        if self.pipeline or self.transport.is_closing():
            self.on_response_complete()
        else:  # `check` ends the connection if no other request comes, so there is no timer to be set for each response
            self._since = self.edge.clock()
            self.server_state.total_requests += 1

    def on_response_complete(self) -> None:
        self._since = self.edge.clock()
        super().on_response_complete()
        if self.stage is RequestStage.BODY and not self.is_answering:
            self._unwanted = UnwantedBody(self.edge.limits, self._since)
            self._unset_keepalive_if_required()  # the client is not idle; `check` limits how long it may take

    def _close_after(self, cycle: RequestResponseCycle | DirectCycle) -> None:
        """Closes the connection after this response. A client that is still sending gets the time to come to the end."""
        if not cycle.response_complete or cycle is not self.cycle or self.transport.is_closing():
            self.transport.close()
        elif self._is_refused:
            self._linger()
        elif self.stage is not RequestStage.BODY:
            self.transport.close()
        else:
            self._closes_after_body = True
            if self.transport.can_write_eof():
                self.transport.write_eof()

    def _break(self, refusal: Refusal) -> None:
        # The parser stops at an exception, but passes on another one.
        self._broken = refusal
        raise _LimitBroken(refusal)

    # Time.

    def check(self, now: float) -> None:
        if self._unread.is_stuck(now):
            self.edge.report(SLOW_READER, self._peer)
            self.transport.abort()
        elif not self._is_refused and not self.transport.is_closing():
            self._check_request(now)

    def _check_request(self, now: float) -> None:
        limits = self.edge.limits
        passed = now - self._since
        if self.stage is RequestStage.BODY and not self.is_answering:
            if self._unwanted is None or self._unwanted.is_too_slow(now):
                self.transport.close()
        elif self.stage is RequestStage.BODY:
            if self._is_waiting_for_us:
                self._since, self.body_bytes = now, 0
            elif passed >= limits.body_timeout_s:
                if self.body_bytes < limits.min_body_bytes_per_s * passed or not self.body_bytes:
                    self._refuse(SLOW_BODY)
                self._since, self.body_bytes = now, 0
        elif self.is_answering:
            return  # the next request may come whenever this one is answered
        elif self.stage is RequestStage.HEADERS and passed >= limits.header_timeout_s:
            self._refuse(SLOW_HEADERS)
        elif self.stage is RequestStage.REQUEST and self._is_kept_alive:
            if passed >= limits.keep_alive_s:
                self.transport.close()
        elif self.stage is RequestStage.REQUEST and passed >= max(limits.header_timeout_s, limits.keep_alive_s):
            self.edge.report(SILENT, self._peer)
            self.transport.close()

    @property
    def is_answering(self) -> bool:
        cycle: Any = self.cycle  # None before the first request, whatever uvicorn's annotation says
        return cycle is not None and not cycle.response_complete

    @property
    def _is_kept_alive(self) -> bool:
        """A request was answered, and no timer of uvicorn waits for the next one."""
        cycle: Any = self.cycle
        return cycle is not None and self.timeout_keep_alive_task is None

    @property
    def _has_whole_request(self) -> bool:
        """A request has arrived to its end and is being answered, and no other one waits behind it."""
        return self.is_answering and self.stage is not RequestStage.BODY and not self.pipeline

    @property
    def _is_waiting_for_us(self) -> bool:
        """The client cannot send: the application has not asked for the body, or is slower than the client."""
        return self.flow.read_paused or (self.is_answering and self.cycle.waiting_for_100_continue)

    @property
    def _peer(self) -> str | None:
        return self.client[0] if self.client else None

    # Refusing.

    def _refuse(self, refusal: Refusal) -> None:
        """Answers if no other answer is under way, and ends the connection."""
        self._is_refused = True
        self.edge.report(refusal.reason, self._peer)
        is_answering, has_started = self.is_answering, self.is_answering and self.cycle.response_started
        if is_answering:
            # The application sees a client that has gone; what it still sends is dropped.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self._notify_lost()
        self.flow.resume_writing()
        if has_started or self.pipeline:
            self.transport.abort()
        elif not self.transport.is_closing():
            if self._response is not None:
                self._response.flush()
            self.transport.write(refusal.answer)
            self._linger()

    def _linger(self) -> None:
        if not self.transport.can_write_eof() or not self.edge.start_lingering():
            self.transport.close()
            return
        self.transport.write_eof()
        self._lingering = self.loop.call_later(LINGER_S, self.transport.abort)


def http_protocol(connections: Connections, direct: DirectCalls | None, stopping: StopSignal) -> type[GuardedHttp]:
    """The class for uvicorn, which makes the instances and passes nothing of ours on. Behind a proxy no call is direct: the
    limits of its clients are counted in the framework."""
    own = {"edge": connections, "direct": None if connections.has_proxies else direct, "stopping": stopping}
    return type("ServedHttp", (GuardedHttp,), own)
