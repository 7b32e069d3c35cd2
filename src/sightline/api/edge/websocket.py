"""WebSocket connections as the edge counts them. Their silence ends by uvicorn's pings; headers were read before."""

import asyncio
from asyncio.transports import BaseTransport
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.http11 import Response

from sightline.api.edge.connections import Connections
from sightline.api.edge.refusals import SLOW_READER
from sightline.api.edge.unread import UnreadAnswer

_SAFE_HEADERS = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}


class GuardedWebSocket(WebSocketsSansIOProtocol):
    edge: Connections  # set by `websocket_protocol`

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        send_response = self.conn.send_response

        def send_safe_response(response: Response) -> None:
            # Also for refused handshakes, which the library answers by itself.
            response.headers.update(_SAFE_HEADERS)
            send_response(response)

        self.conn.send_response = send_safe_response  # type: ignore[method-assign]

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        stream = cast(asyncio.Transport, transport)
        self._unread = UnreadAnswer(stream, self.edge.limits.send_timeout_s)
        before = stream.get_protocol()
        if before is not None:
            self.edge.replace(cast(Any, before), self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.edge.release(self)
        super().connection_lost(exc)

    def check(self, now: float) -> None:
        if self._unread.is_stuck(now):
            self.edge.report(SLOW_READER, self.client[0] if self.client else None)
            self.transport.abort()


def websocket_protocol(connections: Connections) -> type[GuardedWebSocket]:
    """The class for uvicorn, which makes the instances and passes nothing of ours on."""
    return type("ServedWebSocket", (GuardedWebSocket,), {"edge": connections})
