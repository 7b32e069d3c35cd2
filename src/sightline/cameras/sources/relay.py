"""The way of a camera process to its camera: a port of this machine that leads to one checked address and nowhere else.

The process that decodes knows neither names nor certificates. It connects to this port, and what it sends goes to the camera,
encrypted here if the camera's scheme asks for it. So a camera that redirects, or one that has taken over the decoder, reaches
nothing else (ADR 0061).
"""

import asyncio
import errno
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sightline.cameras.problems import SourceProblem

LOOPBACK = "127.0.0.1"
_CHUNK_BYTES = 256 * 1024
_UNREACHABLE = frozenset({errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN})

_Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class RelayTarget:
    ip: str
    port: int
    tls: ssl.SSLContext | None = None
    server_name: str | None = None
    """The name that the certificate must have."""


@dataclass(slots=True)
class CameraRelay:
    port: int


@asynccontextmanager
async def open_relay(
    target: RelayTarget, *, timeout_s: float, accepts: Callable[[bytes], bool] = lambda _: True
) -> AsyncIterator[CameraRelay]:
    """Connects once before it listens, so that a camera that cannot be reached is a `SourceProblem` here and now.

    A connection on which the camera sends what `accepts` refuses is closed.
    """
    prepared: list[_Ends] = [await _connect(target, timeout_s)]
    running: set[asyncio.Task[None]] = set()
    relay = CameraRelay(0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        running.add(task)
        camera_writer: asyncio.StreamWriter | None = None
        try:
            camera_reader, camera_writer = prepared.pop() if prepared else await _connect(target, timeout_s)
            await _pump_both((reader, writer), (camera_reader, camera_writer), accepts)
        except (
            SourceProblem,
            OSError,
            asyncio.CancelledError,
        ):  # cancelled below alone, where nothing awaits the result
            pass  # the process sees a closed connection, and the parent asks why by connecting again
        finally:
            running.discard(task)
            for one in (writer, camera_writer):
                if one is not None:
                    one.close()

    server = await asyncio.start_server(serve, LOOPBACK, 0, limit=_CHUNK_BYTES)
    relay.port = server.sockets[0].getsockname()[1]
    try:
        yield relay
    finally:
        server.close()
        for task in tuple(running):
            task.cancel()
        if running:
            await asyncio.wait(running)
        for _, writer in prepared:
            writer.close()


def camera_tls(*, verifies: bool, ca_file: Path | None) -> ssl.SSLContext:
    """Trusts the system and the file; without checks only where a person switched them off for this camera."""
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    if not verifies:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


async def _connect(target: RelayTarget, timeout_s: float) -> _Ends:
    try:
        async with asyncio.timeout(timeout_s):
            return await asyncio.open_connection(
                target.ip,
                target.port,
                ssl=target.tls,
                server_hostname=target.server_name if target.tls is not None else None,
                limit=_CHUNK_BYTES,
            )
    except TimeoutError:
        raise SourceProblem("timed_out") from None
    except ssl.SSLError:
        raise SourceProblem("tls_failed") from None
    except ConnectionRefusedError:
        raise SourceProblem("connection_refused") from None
    except OSError as error:
        raise SourceProblem("no_route" if error.errno in _UNREACHABLE else "connection_refused") from None


async def _pump_both(ours: _Ends, cameras: _Ends, accepts: Callable[[bytes], bool]) -> None:
    """Until one side closes: a stream that ends in one direction is of no use in the other."""
    pumps = [
        asyncio.create_task(_pump(ours[0], cameras[1], lambda _: True)),
        asyncio.create_task(_pump(cameras[0], ours[1], accepts)),
    ]
    try:
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in pumps:
            task.cancel()
        await asyncio.wait(pumps)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, accepts: Callable[[bytes], bool]) -> None:
    with suppress(OSError):
        while (data := await reader.read(_CHUNK_BYTES)) and accepts(data):
            writer.write(data)
            await writer.drain()
