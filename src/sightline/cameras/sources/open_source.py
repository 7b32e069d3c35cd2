"""Opening a source: from a camera's row to the process that reads it. A new kind is one `case` here."""

import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from sightline.cameras.address import ENCRYPTED_SCHEMES, host_and_port, port_of, with_credentials
from sightline.cameras.problems import SourceProblem
from sightline.cameras.sample import open_sample_clip
from sightline.cameras.source import Reach, SourceKind, SourceSecrets, Transport
from sightline.cameras.sources.camera_process import (
    CameraProcess,
    ClipInput,
    LookOptions,
    SourceInput,
    StillsInput,
    StreamInput,
    open_camera_process,
)
from sightline.cameras.sources.http_pictures import HttpPictures
from sightline.cameras.sources.reach import HostAddresses, checked_address, system_resolver
from sightline.cameras.sources.relay import LOOPBACK, RelayTarget, camera_tls, open_relay

# Schemes as libav gets them: what is encrypted is so between the relay and the camera.
_PLAIN_SCHEMES = {"rtsps": "rtsp", "rtmps": "rtmp", "https": "http"}
_STREAM_OPTIONS = {
    "fflags": "nobuffer+discardcorrupt",
    "analyzeduration": "2000000",
    "probesize": "1000000",
    # libav would wait for twenty pictures to be sure of their rate, which is only shown.
    "fpsprobesize": "3",
}


class SourceRequest:
    """What is needed to connect. Never logged: it holds the password."""

    def __init__(
        self,
        kind: SourceKind,
        secrets: SourceSecrets,
        *,
        reach: Reach,
        transport: Transport = "auto",
        verifies_certificate: bool = True,
    ) -> None:
        self.kind = kind
        self.secrets = secrets
        self.reach = reach
        self.transport = transport
        self.verifies_certificate = verifies_certificate

    def of_sub_stream(self) -> "SourceRequest | None":
        """The same for the stream of low resolution, if the camera has one."""
        secrets = self.secrets
        if not secrets.sub_address:
            return None
        return SourceRequest(
            self.kind,
            SourceSecrets(secrets.sub_address, secrets.username, secrets.password),
            reach=self.reach,
            transport=self.transport,
            verifies_certificate=self.verifies_certificate,
        )

    def after(self, problem: SourceProblem) -> "SourceRequest | None":
        """Another way to try after this problem: UDP, where the camera refuses TCP and may reach any network."""
        if problem.code != "transport_refused" or self.transport != "auto" or self.reach != "any":
            return None
        return SourceRequest(
            self.kind,
            self.secrets,
            reach=self.reach,
            transport="udp",
            verifies_certificate=self.verifies_certificate,
        )


@asynccontextmanager
async def open_source(
    request: SourceRequest,
    options: LookOptions,
    *,
    directory: Path | None = None,
    resolve: HostAddresses = system_resolver,
) -> AsyncIterator[CameraProcess]:
    """Connects, and starts the camera process, which writes recordings into the directory.

    Raises a `SourceProblem` that says why it cannot.
    """
    async with AsyncExitStack() as stack:
        source = await _prepare(stack, request, options, resolve)
        yield await stack.enter_async_context(open_camera_process(source, options, directory=directory))


async def _prepare(
    stack: AsyncExitStack, request: SourceRequest, options: LookOptions, resolve: HostAddresses
) -> SourceInput:
    match request.kind:
        case "stream":
            return await _stream(stack, request, options, resolve)
        case "mjpeg" | "snapshot":
            pictures = await _http_pictures(request, options, resolve)
            is_stream = request.kind == "mjpeg"
            return StillsInput(pictures.mjpeg() if is_stream else pictures.snapshots(1 / options.looks_per_s))
        case "sample":
            return ClipInput(stack.enter_context(open_sample_clip()).fileno())
        case _:
            raise SourceProblem("unsupported")


async def _stream(
    stack: AsyncExitStack, request: SourceRequest, options: LookOptions, resolve: HostAddresses
) -> StreamInput:
    secrets = request.secrets
    parts = urlsplit(secrets.address)
    host = parts.hostname or ""
    ip = await checked_address(host, port_of(parts), request.reach, resolve=resolve)
    if request.transport == "udp":
        return _direct_stream(request, parts, ip)
    tls = _tls(request, options) if parts.scheme in ENCRYPTED_SCHEMES else None
    target = RelayTarget(ip, port_of(parts), tls, host)
    relay = await stack.enter_async_context(open_relay(target, timeout_s=options.connect_timeout_s))
    local = parts._replace(
        scheme=_PLAIN_SCHEMES.get(parts.scheme, parts.scheme), netloc=host_and_port(LOOPBACK, relay.port)
    )
    return StreamInput(
        with_credentials(local, secrets.username, secrets.password),
        relay.port,
        _options(local, parts),
        has_user=secrets.username is not None,
    )


def _direct_stream(request: SourceRequest, parts: SplitResult, ip: str) -> StreamInput:
    """RTP over UDP cannot go through the relay. The process then reaches the whole network, which not everybody may ask for."""
    if request.reach != "any" or parts.scheme != "rtsp":
        raise SourceProblem("unsupported")
    direct = parts._replace(netloc=host_and_port(ip, port_of(parts)))
    secrets = request.secrets
    options = _STREAM_OPTIONS | {"rtsp_transport": "udp"}
    return StreamInput(
        with_credentials(direct, secrets.username, secrets.password),
        None,
        options,
        has_user=secrets.username is not None,
    )


def _options(local: SplitResult, original: SplitResult) -> dict[str, str]:
    match local.scheme:
        case "rtsp":
            return _STREAM_OPTIONS | {"rtsp_transport": "tcp"}
        case "http":
            host = host_and_port(original.hostname or "", original.port)
            return _STREAM_OPTIONS | {"headers": f"Host: {host}\r\n", "user_agent": "Sightline"}
    return dict(_STREAM_OPTIONS)


def _tls(request: SourceRequest, options: LookOptions) -> ssl.SSLContext:
    return camera_tls(verifies=request.verifies_certificate, ca_file=options.ca_file)


async def _http_pictures(request: SourceRequest, options: LookOptions, resolve: HostAddresses) -> HttpPictures:
    parts = urlsplit(request.secrets.address)
    ip = await checked_address(parts.hostname or "", port_of(parts), request.reach, resolve=resolve)
    return HttpPictures(
        request.secrets,
        ip,
        tls=_tls(request, options),
        connect_timeout_s=options.connect_timeout_s,
        stall_timeout_s=options.stall_timeout_s,
    )
