"""A camera for tests: RTSP 1.0 over TCP with interleaved RTP or over UDP, a generated clip, Basic or Digest authentication.

It can also misbehave as cameras do: stall, hang up, refuse, lose packets, change its resolution, let its clock jump.
"""

import asyncio
import base64
import hashlib
import re
import socket
import struct
from contextlib import suppress
from typing import Literal

from support.camera_clips import FPS, CodedPicture, VideoCodec, coded_clip

_CLOCK_HZ = 90_000
_MAX_PAYLOAD = 1400
_REALM, _NONCE = "camera", "dcd98b7102dd2f0e8b11d0f600bfb0c093"


class RtspCamera:
    """`async with RtspCamera() as camera`: `camera.address` is where it is."""

    def __init__(
        self,
        *,
        user: str | None = None,
        password: str = "",
        auth: Literal["basic", "digest"] = "digest",
        path: str = "/stream1",
        codec: VideoCodec = "h264",
    ) -> None:
        self.user, self.password, self.auth, self.path, self.codec = user, password, auth, path, codec
        self.clip: tuple[CodedPicture, ...] = coded_clip(codec=codec)
        self.fps: float = FPS
        self.port = 0
        self.connections = 0
        self.requests: list[str] = []
        self.is_stalled = False
        self.hangs_up_at: str | None = None
        """The next request of this method is not answered."""
        self.refuses_tcp = False
        """It then sends its pictures by UDP, to the port that the last client named."""
        self.refuses_udp = False
        self.loses_every: int | None = None
        """Each so manyeth packet that goes by UDP is lost on its way."""
        self.lost_packets = 0
        self._udp_port: int | None = None
        self.clock_offset_s = 0.0
        self._then: tuple[CodedPicture, ...] | None = None
        self._began = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}{self.path}"

    @property
    def address_with_password(self) -> str:
        return f"rtsp://{self.user}:{self.password}@127.0.0.1:{self.port}{self.path}"

    @property
    def is_watched(self) -> bool:
        return bool(self._writers)

    async def __aenter__(self) -> "RtspCamera":
        await self.plug_in()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.unplug()

    async def plug_in(self) -> None:
        """On the same port as before."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def unplug(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        self.hang_up()

    def play_once(self, clip: tuple[CodedPicture, ...], *, then: tuple[CodedPicture, ...]) -> None:
        """Shows a clip once from its beginning, and then another in a loop."""
        self._began.clear()
        self.clip, self._then = clip, then

    async def began(self) -> None:
        """Until the first picture of the clip has been sent."""
        await self._began.wait()

    def hang_up(self) -> None:
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        playing: asyncio.Task[None] | None = None
        try:
            while True:
                request = await _read_request(reader)
                if request is None:
                    return
                method, target, headers = request
                self.requests.append(f"{method} {target}")
                if method == self.hangs_up_at:
                    self.hangs_up_at = None
                    writer.transport.abort()
                    return
                status, answer, body = self._answer(method, target, headers)
                writer.write(_response(status, headers.get("cseq", "0"), answer, body))
                await writer.drain()
                if method == "PLAY" and status == 200 and playing is None:
                    playing = asyncio.create_task(self._play(writer))
                if method == "TEARDOWN":
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            if playing is not None:
                playing.cancel()
            self._writers.discard(writer)
            writer.close()

    def _answer(self, method: str, target: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        if method == "OPTIONS":
            return 200, {"Public": "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER"}, b""
        if self.user is not None and not self._is_allowed(method, target, headers.get("authorization", "")):
            challenge = (
                f'Digest realm="{_REALM}", nonce="{_NONCE}"' if self.auth == "digest" else f'Basic realm="{_REALM}"'
            )
            return 401, {"WWW-Authenticate": challenge}, b""
        if self.path not in target:
            return 404, {}, b""
        match method:
            case "DESCRIBE":
                return 200, {"Content-Type": "application/sdp", "Content-Base": target.rstrip("/") + "/"}, self._sdp()
            case "SETUP":
                wanted = headers.get("transport", "")
                ports = re.search(r"client_port=(\d+)-(\d+)", wanted)
                if ports is not None and self.refuses_tcp and not self.refuses_udp:
                    self._udp_port = int(ports[1])
                    answer = f"RTP/AVP;unicast;client_port={ports[1]}-{ports[2]};server_port=39000-39001"
                    return 200, {"Transport": answer, "Session": "12345678;timeout=60"}, b""
                if "TCP" not in wanted or self.refuses_tcp:
                    return 461, {}, b""
                return 200, {"Transport": "RTP/AVP/TCP;unicast;interleaved=0-1", "Session": "12345678;timeout=60"}, b""
            case "PLAY":
                return 200, {"Session": "12345678", "Range": "npt=0.000-"}, b""
        return 200, {"Session": "12345678"}, b""

    def _is_allowed(self, method: str, target: str, given: str) -> bool:
        if self.auth == "basic":
            token = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
            return given == f"Basic {token}"
        fields = dict(re.findall(r'(\w+)="([^"]*)"', given))
        secret = hashlib.md5(f"{self.user}:{_REALM}:{self.password}".encode()).hexdigest()
        request = hashlib.md5(f"{method}:{fields.get('uri', '')}".encode()).hexdigest()
        expected = hashlib.md5(f"{secret}:{_NONCE}:{request}".encode()).hexdigest()
        return given.startswith("Digest") and fields.get("response") == expected

    def _sdp(self) -> bytes:
        format_lines = _h264_lines if self.codec == "h264" else _h265_lines
        lines = (
            "v=0",
            "o=- 1 1 IN IP4 127.0.0.1",
            "s=camera",
            "c=IN IP4 0.0.0.0",
            "t=0 0",
            "m=video 0 RTP/AVP 96",
            *format_lines(self.clip[0]),
            "a=control:trackID=0",
            "",
        )
        return "\r\n".join(lines).encode()

    async def _play(self, writer: asyncio.StreamWriter) -> None:
        sequence = number = index = 0
        clip = self.clip
        loop = asyncio.get_running_loop()
        started = loop.time()
        with suppress(ConnectionError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            while True:
                if index >= len(clip) and self._then is not None and clip is self.clip:
                    self.clip, self._then = self._then, None
                if clip is not self.clip or index >= len(clip):
                    clip, index = self.clip, 0  # which begins with a key frame
                picture = clip[index]
                index += 1
                stamp = int((number / self.fps + self.clock_offset_s) * _CLOCK_HZ) & 0xFFFFFFFF
                if not self.is_stalled:
                    packets = list(_h264_payloads(picture) if self.codec == "h264" else _h265_payloads(picture))
                    for part, payload in enumerate(packets):
                        marker = 0x80 if part == len(packets) - 1 else 0
                        head = struct.pack("!BBHII", 0x80, marker | 96, sequence & 0xFFFF, stamp, 0x1234)
                        packet = head + payload
                        if self._udp_port is not None:
                            if self.loses_every is not None and sequence % self.loses_every == 0:
                                self.lost_packets += 1
                            else:
                                udp.sendto(packet, ("127.0.0.1", self._udp_port))
                        else:
                            writer.write(struct.pack("!cBH", b"$", 0, len(packet)) + packet)
                        sequence += 1
                    await writer.drain()
                self._began.set()
                number += 1
                await asyncio.sleep(max(0.0, started + number / self.fps - loop.time()))


def _h264_lines(picture: CodedPicture) -> tuple[str, ...]:
    units = {unit[0] & 0x1F: unit for unit in picture.units}
    sets = ",".join(base64.b64encode(units[kind]).decode() for kind in (7, 8))
    return "a=rtpmap:96 H264/90000", f"a=fmtp:96 packetization-mode=1;sprop-parameter-sets={sets}"


def _h265_lines(picture: CodedPicture) -> tuple[str, ...]:
    units = {unit[0] >> 1 & 0x3F: base64.b64encode(unit).decode() for unit in picture.units}
    return "a=rtpmap:96 H265/90000", f"a=fmtp:96 sprop-vps={units[32]};sprop-sps={units[33]};sprop-pps={units[34]}"


def _h264_payloads(picture: CodedPicture):
    """Single NAL units where they fit, fragments (FU-A) where they do not."""
    for unit in picture.units:
        if len(unit) <= _MAX_PAYLOAD:
            yield unit
            continue
        indicator, kind = (unit[0] & 0xE0) | 28, unit[0] & 0x1F
        parts = [unit[at : at + _MAX_PAYLOAD] for at in range(1, len(unit), _MAX_PAYLOAD)]
        for index, part in enumerate(parts):
            flags = (0x80 if index == 0 else 0) | (0x40 if index == len(parts) - 1 else 0)
            yield bytes((indicator, flags | kind)) + part


def _h265_payloads(picture: CodedPicture):
    """The same for H.265, whose units begin with two bytes."""
    for unit in picture.units:
        if len(unit) <= _MAX_PAYLOAD:
            yield unit
            continue
        kind = unit[0] >> 1 & 0x3F
        parts = [unit[at : at + _MAX_PAYLOAD] for at in range(2, len(unit), _MAX_PAYLOAD)]
        for index, part in enumerate(parts):
            flags = (0x80 if index == 0 else 0) | (0x40 if index == len(parts) - 1 else 0)
            yield bytes((unit[0] & 0x81 | 49 << 1, unit[1], flags | kind)) + part


async def _read_request(reader: asyncio.StreamReader) -> tuple[str, str, dict[str, str]] | None:
    while True:
        first = await reader.read(1)
        if not first:
            return None
        if first == b"$":  # RTCP of the client
            _, length = struct.unpack("!BH", await reader.readexactly(3))
            await reader.readexactly(length)
            continue
        text = (first + await reader.readuntil(b"\r\n\r\n")).decode()
        head, *lines = text.strip().split("\r\n")
        method, target, _ = head.split(" ")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if (length := int(headers.get("content-length", 0))) > 0:
            await reader.readexactly(length)
        return method, target, headers


def _response(status: int, cseq: str, headers: dict[str, str], body: bytes) -> bytes:
    words = {200: "OK", 401: "Unauthorized", 404: "Not Found", 461: "Unsupported Transport"}
    lines = [
        f"RTSP/1.0 {status} {words[status]}",
        f"CSeq: {cseq}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join((*lines, "", "")).encode() + body
