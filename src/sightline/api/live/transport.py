"""Access to the transport behind a connection, past the server's own framing, where the server is a known one.

Frames are built once and written to a thousand sockets; through the server's `send`, each would be built a thousand times. And
a client that does not read can only be disconnected there.
"""

import asyncio
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, cast

from starlette.types import ASGIApp, Receive, Scope, Send

_TRANSPORT = "sightline.transport"
_STOPPING = "sightline.stopping"
_KNOWN_SERVER = "uvicorn.protocols."


class OffersTransport:
    """Outermost, since middleware inside wraps `send`, and a wrapped one leads nowhere."""

    def __init__(self, app: ASGIApp, stopping: "StopSignal | None" = None) -> None:
        self._app = app
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("websocket", "http"):
            offered = {_TRANSPORT: _behind(send), _STOPPING: self._stopping}
            scope["extensions"] = {**scope.get("extensions", {}), **offered}
        await self._app(scope, receive, send)


def transport_of(scope: Scope) -> asyncio.Transport | None:
    """None with a server that is not known; then everything goes through `send`."""
    found: asyncio.Transport | None = scope.get("extensions", {}).get(_TRANSPORT)
    return found


class StopSignal(asyncio.Event):
    """Set when the server stops. `callbacks` are called then: a thousand who wait need no task each to hear of it."""

    def __init__(self) -> None:
        super().__init__()
        self.callbacks: set[Callable[[], None]] = set()

    def set(self) -> None:
        super().set()
        for callback in tuple(self.callbacks):
            callback()


def stopping_of(scope: Scope) -> StopSignal:
    """Set when the server stops; never, with a server that is not ours."""
    found: StopSignal | None = scope.get("extensions", {}).get(_STOPPING)
    return found or StopSignal()


def lost_callbacks_of(scope: Scope) -> set[Callable[[], None]] | None:
    """Called when the connection is lost; None with a server that does not tell it this way."""
    found: set[Callable[[], None]] | None = getattr(transport_of(scope), "when_lost", None)
    return found


def _behind(send: Any) -> asyncio.Transport | None:
    protocol = getattr(send, "__self__", None)
    if not _is_known_server(cast(Hashable, type(protocol))):
        return None
    transport: asyncio.Transport | None = getattr(protocol, "transport", None)
    return transport


@cache
def _is_known_server(protocol: Hashable) -> bool:
    assert isinstance(protocol, type)
    return any(kind.__module__.startswith(_KNOWN_SERVER) for kind in protocol.__mro__)
