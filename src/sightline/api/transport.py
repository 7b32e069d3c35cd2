"""The way past the server's own framing: the transport behind a WebSocket, where the server is one we know.

Frames are built once and written to a thousand sockets; through the server's `send`, each would be built a thousand times.
"""

import asyncio
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

_EXTENSION = "sightline.transport"
_KNOWN_SERVER = "uvicorn.protocols.websockets"


class OffersTransport:
    """Outermost, since middleware inside wraps `send`, and a wrapped one leads nowhere."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            scope["extensions"] = {**scope.get("extensions", {}), _EXTENSION: _behind(send)}
        await self._app(scope, receive, send)


def transport_of(scope: Scope) -> asyncio.Transport | None:
    """None with a server that is not known; then messages go through `send`."""
    found: asyncio.Transport | None = scope.get("extensions", {}).get(_EXTENSION)
    return found


def _behind(send: Any) -> asyncio.Transport | None:
    protocol = getattr(send, "__self__", None)
    if not type(protocol).__module__.startswith(_KNOWN_SERVER):
        return None
    transport: asyncio.Transport | None = getattr(protocol, "transport", None)
    return transport
