"""The live feed as Server-Sent Events: the frames of the WebSocket, numbered so that a browser returns by itself."""

import json
import time
from collections.abc import Sequence

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sightline.api.live.http_follower import HttpConnection, ending_with
from sightline.api.live.transport import stopping_of
from sightline.live import Follower, LiveHub

RETRY_MS = 2000

log = structlog.get_logger(__name__)


class EventStream(Response):
    """Lasts until the client goes, its token ends, it reads too slowly, or the server stops."""

    media_type = "text/event-stream"

    def __init__(
        self, hub: LiveHub, stream: str, follower: Follower, connection: HttpConnection, *, is_return: bool
    ) -> None:
        self.status_code = 200
        self.background = None
        # A proxy that collects the answer before it passes it on would pass on nothing.
        self.init_headers({"cache-control": "no-store", "x-accel-buffering": "no"})
        self._hub = hub
        self._stream = stream
        self._follower = follower
        self._connection = connection
        self._events = EventWriter(is_return=is_return)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.monotonic()
        client_id = self._follower.client_id
        log.info("live.followed", stream=self._stream, client_id=client_id)
        try:
            async with ending_with(self._connection, receive, stopping_of(scope)):
                await self._write(send)
        finally:
            self._hub.leave(self._stream, self._follower)
            seconds = round(time.monotonic() - started, 1)
            log.info("live.left", stream=self._stream, client_id=client_id, seconds=seconds)

    async def _write(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send(_part(f"retry: {RETRY_MS}\n\n".encode()))
        while payloads := await self._connection.take():
            await send(_part(self._events.events(payloads)))
            # Sent is not read, but what is not read piles up, and the server's `send` waits then.
            self._hub.mark_active(self._follower)
        assert self._connection.end is not None
        code, reason = self._connection.end
        last = f"event: closed\ndata: {json.dumps({'code': code, 'reason': reason})}\n\n"
        await send(_part(last.encode(), is_last=True))


def _part(body: bytes, *, is_last: bool = False) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": not is_last}


class EventWriter:
    """Turns frames into events. Those after which the client stands elsewhere carry an id: what it returns with."""

    def __init__(self, *, is_return: bool) -> None:
        self._is_return = is_return
        self._epoch = ""

    def events(self, payloads: Sequence[bytes]) -> bytes:
        return b"".join([self._event(payload) for payload in payloads])

    def _event(self, payload: bytes) -> bytes:
        place = self._place(json.loads(payload))
        number = b"" if place is None else f"id: {event_id(self._epoch, place)}\n".encode()
        return b"%bdata: %b\n\n" % (number, payload)

    def _place(self, frame: dict[str, object]) -> object:
        data = frame.get("data")
        match frame:
            case {"redelivery": _}:
                return None  # out of its turn: the client stays where it is
            case {"sequence": sequence}:
                return sequence
            case {"type": "hello" | "gap" as kind} if isinstance(data, dict):
                self._epoch = data["epoch"]
                # A client that returns is not caught up yet: missed messages follow, or a gap.
                return None if kind == "hello" and self._is_return else data["sequence"]
            case {"type": "resumed"} if isinstance(data, dict) and not data["replayed"]:
                return data["to"]
        return None


def event_id(epoch: str, sequence: object) -> str:
    """What a browser sends back as `Last-Event-ID`."""
    return f"{epoch}.{sequence}"
