"""Serves an application on a socket that was bound beforehand, as a supervised service."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator

import psutil
import uvicorn
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from sightline.api.edge import ClosesUnsentBody, Connections, http_protocol, websocket_protocol
from sightline.api.live.transport import OffersTransport, StopSignal
from sightline.api.serving.forwarded import ForwardedLimit
from sightline.bootstrap import Platform
from sightline.config import ApiSettings
from sightline.errors import ConfigurationError

BACKLOG = 2048
LARGEST_CLIENT_MESSAGE = 64 * 1024
# Requests that are under way when the server stops may take so long.
GRACE_S = 2


def bind(host: str, port: int, *, chosen_by: str = "--port or SIGHTLINE_API_PORT") -> socket.socket:
    """A listening socket; a port that is taken is said so at once, with who has it if that can be seen."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise ConfigurationError(f"cannot listen on {host!r}: {error.strerror}") from error
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        holder = _holder(port)
        raise ConfigurationError(
            f"cannot listen on {host}:{port}: {(error.strerror or str(error)).lower()}"
            f"{f' by {holder}' if holder else ''}. Choose another port with {chosen_by}"
        ) from error
    listening.setblocking(False)
    return listening


def _holder(port: int) -> str | None:
    with contextlib.suppress(psutil.Error, OSError):
        for connection in psutil.net_connections(kind="tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.pid and connection.laddr[1:2] == (port,):
                return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
    return None


class _Server(uvicorn.Server):
    """uvicorn without its own signal handling: signals are the supervisor's business."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _connections_of(app: FastAPI) -> Connections:
    platform: Platform | None = getattr(getattr(app, "state", None), "platform", None)
    if platform is None:  # an application of a test or a benchmark
        return Connections(ApiSettings(), CollectorRegistry())
    return Connections(platform.settings.api, platform.registry)


class HttpServer:
    def __init__(self, name: str, app: FastAPI, *listening: socket.socket) -> None:
        self.name = name
        self._app = app
        self._listening = listening
        self._connections = _connections_of(app)

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        # Answers that last as long as somebody listens end when this is set; the server would wait for them otherwise.
        is_stopping = StopSignal()
        limits = self._connections.limits
        server = _Server(
            uvicorn.Config(
                OffersTransport(ClosesUnsentBody(ForwardedLimit(self._app, self._connections)), is_stopping),
                log_config=None,
                access_log=False,
                server_header=False,
                lifespan="off",
                timeout_graceful_shutdown=GRACE_S,
                timeout_keep_alive=limits.keep_alive_s,
                proxy_headers=bool(limits.trusted_proxies),
                forwarded_allow_ips=list(limits.trusted_proxies),
                http=http_protocol(self._connections, getattr(self._app, "direct_calls", None), is_stopping),
                ws=websocket_protocol(self._connections),
                ws_max_size=LARGEST_CLIENT_MESSAGE,
                ws_per_message_deflate=False,
            )
        )
        # Duplicates, because uvicorn closes what it is given, and a restarted server needs the ports again.
        serving = asyncio.create_task(server.serve(sockets=[one.dup() for one in self._listening]))
        stopping = asyncio.create_task(stop.wait())
        watching = asyncio.create_task(self._connections.watch())
        try:
            while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn tells it by a flag alone
                await asyncio.sleep(0.005)
            if not serving.done():
                ready()
            # The watch ends only by an error, which is the service's then: without it, connections would not be limited.
            await asyncio.wait((serving, stopping, watching), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            is_stopping.set()
            server.should_exit = True
            await serving
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
