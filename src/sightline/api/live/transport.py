"""Access to the transport behind a connection, past the server's own framing, where the server is a known one.

Frames are built once and written to a thousand sockets; through the server's `send`, each would be built a thousand times. And
a client that does not read can only be disconnected there.
"""

import asyncio
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

_TRANSPORT = "sightline.transport"
_STOPPING = "sightline.stopping"
_KNOWN_SERVER = "uvicorn.protocols."


class OffersTransport:
    """Outermost, since middleware inside wraps `send`, and a wrapped one leads nowhere."""

    def __init__(self, app: ASGIApp, stopping: asyncio.Event | None = None) -> None:
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


def stopping_of(scope: Scope) -> asyncio.Event:
    """Set when the server stops; never, with a server that is not ours."""
    found: asyncio.Event | None = scope.get("extensions", {}).get(_STOPPING)
    return found or asyncio.Event()


def _behind(send: Any) -> asyncio.Transport | None:
    protocol = getattr(send, "__self__", None)
    if not any(kind.__module__.startswith(_KNOWN_SERVER) for kind in type(protocol).__mro__):
        return None
    transport: asyncio.Transport | None = getattr(protocol, "transport", None)
    return transport
