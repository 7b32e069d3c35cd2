"""The limit per address for clients behind a trusted proxy: it counts their requests, since all connections are the proxy's."""

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sightline.api.edge import RETRY_AFTER_S, TOO_MANY_FROM_ADDRESS, Connections, address_key
from sightline.api.live.transport import transport_of
from sightline.api.serving.errors import error_response

TRY_AGAIN_LATER = 1013


class ForwardedLimit:
    """Requests, event streams and WebSockets that are open at once, by the address that the proxy names (X-Forwarded-For)."""

    def __init__(self, app: ASGIApp, connections: Connections) -> None:
        self._app = app
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = self._forwarded_address(scope) if self._connections.has_proxies else None
        if address is None:
            await self._app(scope, receive, send)
            return
        if not self._connections.enter(address):
            self._connections.report(TOO_MANY_FROM_ADDRESS.reason, address)
            await _refuse(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._connections.leave(address)

    def _forwarded_address(self, scope: Scope) -> str | None:
        transport = transport_of(scope) if scope["type"] in ("http", "websocket") else None
        peer = transport.get_extra_info("peername") if transport is not None else None
        client = scope.get("client")
        if not isinstance(peer, tuple) or client is None or not self._connections.is_proxy(str(peer[0])):
            return None
        return None if self._connections.is_proxy(client[0]) else address_key(client[0])


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    refusal = TOO_MANY_FROM_ADDRESS
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": refusal.message})
        return
    headers = {"retry-after": str(RETRY_AFTER_S)}
    answer: Response = error_response(refusal.status, refusal.code, refusal.message, headers=headers)
    await answer(scope, receive, send)
