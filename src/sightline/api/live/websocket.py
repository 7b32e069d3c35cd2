"""The WebSocket `/ws/{stream}`: from the handshake to the last message of a client."""

import time

import structlog
from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send

from sightline.api.auth.rate_limit import RateLimit
from sightline.api.live.admission import Admission
from sightline.api.live.connection import DirectConnection, QueuedConnection, connection_for
from sightline.api.live.handshake import Credential, read_connect_request, read_credential
from sightline.api.live.presence import ClientLeft, Inbox, while_present
from sightline.bootstrap import Platform
from sightline.errors import PlatformError, Throttled, TransientFailure
from sightline.live import Follower, LiveHub

POLICY_VIOLATION = 1008
TRY_AGAIN_LATER = 1013

log = structlog.get_logger(__name__)


def install_live(app: FastAPI) -> None:
    platform: Platform = app.state.platform
    app.state.live_admission = admission = Admission(
        app.state.authentication,
        RateLimit(platform.settings.live.connects_per_minute),
        platform.open_connections,
        tokens_end=platform.settings.auth.is_configured,
    )
    socket = LiveSocket(platform.live_hub, admission, app.state.rate_limit)
    app.router.routes.append(WebSocketRoute("/ws/{stream}", socket, name="live"))


class LiveSocket:
    """Plain ASGI: a framework's WebSocket object would only stand between the hub and the socket."""

    def __init__(self, hub: LiveHub, admission: Admission, messages: RateLimit) -> None:
        self._hub = hub
        self._admission = admission
        self._messages = messages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # the request to connect
        credential = read_credential(scope)
        # Accepted before it is refused: a browser sees the close code and reason only of a connection that was open.
        await send({"type": "websocket.accept", "subprotocol": credential.subprotocol})
        connection = connection_for(scope, send)
        stream: str = scope["path_params"]["stream"]
        inbox = Inbox(receive)
        try:
            follower = await while_present(
                self._admit(stream, scope, credential, connection),
                inbox.until_gone,
                undo=lambda late: self._hub.leave(stream, late),
            )
            await self._follow(stream, follower, inbox)
        except ClientLeft:
            log.info("live.left_unadmitted", stream=stream)
        except PlatformError as error:
            # Too many is what the caller does wrong; anything else that passes by itself is ours.
            is_ours = isinstance(error, TransientFailure) and not isinstance(error, Throttled)
            log.info("live.refused", stream=stream, error=error.message)
            connection.close(TRY_AGAIN_LATER if is_ours else POLICY_VIOLATION, error.public_message)
        finally:
            await connection.finish()
            await inbox.close()

    async def _admit(
        self, stream: str, scope: Scope, credential: Credential, connection: DirectConnection | QueuedConnection
    ) -> Follower:
        caller, ends_at = await self._admission.admit(credential, scope, connection)
        return await self._hub.follow(stream, connection, caller, read_connect_request(scope), ends_at=ends_at)

    async def _follow(self, stream: str, follower: Follower, inbox: Inbox) -> None:
        started = time.monotonic()
        log.info("live.followed", stream=stream, client_id=follower.client_id)
        try:
            await self._listen(stream, follower, inbox)
        finally:
            self._hub.leave(stream, follower)
            seconds = round(time.monotonic() - started, 1)
            log.info("live.left", stream=stream, client_id=follower.client_id, seconds=seconds)

    async def _listen(self, stream: str, follower: Follower, inbox: Inbox) -> None:
        while (event := await inbox.next())["type"] == "websocket.receive":
            try:
                self._messages.take(str(follower.caller.user_id))
            except Throttled as error:
                self._hub.refuse(follower, "RATE_LIMIT_EXCEEDED", error.message)
            else:
                await self._hub.receive(stream, follower, event.get("text"))
