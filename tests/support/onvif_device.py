"""An ONVIF camera on loopback: answers WS-Discovery over UDP, and SOAP requests signed with a password digest over HTTP."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree as ET

_SOAP = "http://www.w3.org/2003/05/soap-envelope"


@dataclass
class OnvifCamera:
    username: str = "viewer"
    password: str = "s3cret-of-camera"
    clock_ahead: timedelta = timedelta()
    """How wrong its clock is; it accepts digests of five minutes by that clock."""
    udp_port: int = 0
    http_port: int = 0
    requests: list[str] = field(default_factory=list)
    tail: bytes = b""
    """Sent before each discovery answer, as other devices of a network would."""

    @property
    def xaddr(self) -> str:
        return f"http://127.0.0.1:{self.http_port}/onvif/device_service"


@asynccontextmanager
async def onvif_camera(camera: OnvifCamera | None = None) -> AsyncIterator[OnvifCamera]:
    camera = camera or OnvifCamera()
    server = await asyncio.start_server(lambda r, w: _serve(camera, r, w), "127.0.0.1", 0)
    camera.http_port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: _Discovery(camera), local_addr=("127.0.0.1", 0))
    camera.udp_port = transport.get_extra_info("sockname")[1]
    try:
        yield camera
    finally:
        transport.close()
        server.close()


class _Discovery(asyncio.DatagramProtocol):
    def __init__(self, camera: OnvifCamera) -> None:
        self._camera = camera
        self._transport: asyncio.DatagramTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # of a datagram endpoint

    def datagram_received(self, data: bytes, addr: tuple[str | int, ...]) -> None:
        asked = next(one.text or "" for one in ET.fromstring(data).iter() if one.tag.rpartition("}")[2] == "MessageID")
        if self._camera.tail:
            self._transport.sendto(self._camera.tail, addr)
        answer = f"""<?xml version="1.0"?><s:Envelope xmlns:s="{_SOAP}"
 xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery">
<s:Header><a:RelatesTo>{asked}</a:RelatesTo></s:Header><s:Body><d:ProbeMatches><d:ProbeMatch>
<d:Scopes>onvif://www.onvif.org/type/video_encoder onvif://www.onvif.org/name/Front%20Door onvif://www.onvif.org/hardware/C200
</d:Scopes><d:XAddrs>http://10.99.99.99/onvif/device_service {self._camera.xaddr}</d:XAddrs>
</d:ProbeMatch></d:ProbeMatches></s:Body></s:Envelope>"""
        self._transport.sendto(answer.encode(), addr)


async def _serve(camera: OnvifCamera, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = next(
                int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length")
            )
            status, body = _answer(camera, await reader.readexactly(length))
            content = f'<s:Envelope xmlns:s="{_SOAP}"><s:Body>{body}</s:Body></s:Envelope>'.encode()
            writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


def _answer(camera: OnvifCamera, content: bytes) -> tuple[int, str]:
    envelope = ET.fromstring(content)
    found = {one.tag.rpartition("}")[2]: one for one in envelope.iter()}
    body = found["Body"][0]
    name = body.tag.rpartition("}")[2]
    camera.requests.append(name)
    now = datetime.now(UTC) + camera.clock_ahead
    if name == "GetSystemDateAndTime":
        date = f"<Date><Year>{now.year}</Year><Month>{now.month}</Month><Day>{now.day}</Day></Date>"
        time = f"<Time><Hour>{now.hour}</Hour><Minute>{now.minute}</Minute><Second>{now.second}</Second></Time>"
        return 200, f"<R><SystemDateAndTime><UTCDateTime>{time}{date}</UTCDateTime></SystemDateAndTime></R>"
    if not _is_signed(camera, found, now):
        fault = "<s:Subcode><s:Value>ter:NotAuthorized</s:Value></s:Subcode>"
        return 400, f"<s:Fault><s:Code><s:Value>s:Sender</s:Value>{fault}</s:Code></s:Fault>"
    if name == "GetCapabilities":
        return 200, "<R><Capabilities><Media><XAddr>http://10.99.99.99/onvif/media</XAddr></Media></Capabilities></R>"
    if name == "GetProfiles":
        return 200, "<R>" + _profile("sub", 640, 360) + _profile("main", 2560, 1440) + '<Profiles token="audio"/></R>'
    token = found["ProfileToken"].text
    if token == "audio":
        return 400, "<s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code></s:Fault>"
    return 200, f"<R><MediaUri><Uri>rtsp://10.99.99.99:8554/{token}?unicast=true&amp;proto=Onvif</Uri></MediaUri></R>"


def _profile(token: str, width: int, height: int) -> str:
    size = f"<Resolution><Width>{width}</Width><Height>{height}</Height></Resolution>"
    rate = "<RateControl><FrameRateLimit>25</FrameRateLimit></RateControl>"
    encoder = f"<VideoEncoderConfiguration><Encoding>H264</Encoding>{size}{rate}</VideoEncoderConfiguration>"
    return f'<Profiles token="{token}"><Name>{token}Stream</Name>{encoder}</Profiles>'


def _is_signed(camera: OnvifCamera, found: dict[str, Any], now: datetime) -> bool:
    if "UsernameToken" not in found:
        return False
    created = found["Created"].text
    moment = datetime.fromisoformat(created)
    content = base64.b64decode(found["Nonce"].text) + created.encode() + camera.password.encode()
    expected = base64.b64encode(hashlib.sha1(content).digest()).decode()
    is_fresh = abs(moment - now) < timedelta(minutes=5)
    return is_fresh and found["Username"].text == camera.username and found["Password"].text == expected
