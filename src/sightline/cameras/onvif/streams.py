"""Streams of an ONVIF device: what it offers, largest picture first, with addresses that can be watched."""

import contextlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

import httpx

from sightline.cameras.address import host_and_port, port_of, read_address
from sightline.cameras.onvif.soap import OnvifDevice
from sightline.cameras.onvif.xml import all_named, first_named, text_of
from sightline.cameras.problems import SourceProblem
from sightline.cameras.source import Reach
from sightline.cameras.sources.reach import HostAddresses, checked_address, system_resolver
from sightline.cameras.sources.relay import camera_tls
from sightline.errors import InvalidInput

MAX_PROFILES = 16
_DEVICE = "http://www.onvif.org/ver10/device/wsdl"
_MEDIA = "http://www.onvif.org/ver10/media/wsdl"


@dataclass(frozen=True, slots=True)
class DeviceStream:
    name: str
    address: str
    """rtsp://, without credentials."""
    width: int | None
    height: int | None
    codec: str | None
    fps: float | None


async def streams_of_device(
    xaddr: str,
    username: str | None,
    password: str | None,
    *,
    reach: Reach,
    timeout_s: float,
    verifies_certificate: bool = True,
    ca_file: Path | None = None,
    resolve: HostAddresses = system_resolver,
) -> list[DeviceStream]:
    """Raises a `SourceProblem` that says why the device gives none."""
    parts = urlsplit(read_address(xaddr, "snapshot").address)  # the same rules: HTTP, a host, no control characters
    host = parts.hostname or ""
    ip = await checked_address(host, port_of(parts), reach, resolve=resolve)
    tls = camera_tls(verifies=verifies_certificate, ca_file=ca_file)
    async with httpx.AsyncClient(verify=tls, timeout=timeout_s, trust_env=False, follow_redirects=False) as client:
        device = OnvifDevice(client, parts.geturl(), ip, username, password)
        await device.set_clock()
        capabilities = await device.request(
            f'<GetCapabilities xmlns="{_DEVICE}"><Category>Media</Category></GetCapabilities>'
        )
        path = urlsplit(text_of(capabilities, "Media", "XAddr")).path or "/onvif/media_service"
        answer = await device.request(f'<GetProfiles xmlns="{_MEDIA}"/>', path=path)
        streams = []
        for profile in list(all_named(answer, "Profiles"))[:MAX_PROFILES]:
            token = profile.get("token")
            if token and (address := await _stream_address(device, path, token, host)) is not None:
                streams.append(_stream(profile, token, address))
    if not streams:
        raise SourceProblem("not_video")
    return sorted(streams, key=lambda stream: -(stream.width or 0) * (stream.height or 0))


async def _stream_address(device: OnvifDevice, path: str, token: str, host: str) -> str | None:
    """None for a profile without a stream. The host is the one that was asked: behind a router devices name another one."""
    body = (
        f'<GetStreamUri xmlns="{_MEDIA}"><StreamSetup><Stream xmlns="http://www.onvif.org/ver10/schema">RTP-Unicast</Stream>'
        '<Transport xmlns="http://www.onvif.org/ver10/schema"><Protocol>RTSP</Protocol></Transport></StreamSetup>'
        f"<ProfileToken>{escape(token)}</ProfileToken></GetStreamUri>"
    )
    try:
        answer = await device.request(body, path=path)
    except SourceProblem as problem:
        if problem.code == "camera_error":
            return None
        raise
    with contextlib.suppress(InvalidInput, ValueError):
        found = urlsplit(read_address(text_of(answer, "MediaUri", "Uri"), "stream").address)
        return found._replace(netloc=host_and_port(host, found.port)).geturl()
    return None


def _stream(profile: Element, token: str, address: str) -> DeviceStream:
    encoder = first_named(profile, "VideoEncoderConfiguration")
    name = text_of(profile, "Name") or token
    if encoder is None:
        return DeviceStream(name[:100], address, None, None, None, None)
    width, height = (_number(text_of(encoder, "Resolution", side)) for side in ("Width", "Height"))
    fps = _number(text_of(encoder, "RateControl", "FrameRateLimit"))
    codec = text_of(encoder, "Encoding").lower()[:40] or None
    return DeviceStream(name[:100], address, width, height, codec, None if fps is None else float(fps))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text) <= 20_000 else None
