"""A camera for tests that is played over RTMP: its handshake, the commands of a player, and H.264 from a generated clip as FLV."""

import asyncio
import io
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

import av

from support.camera_clips import FPS, scene
from support.loopback_server import LoopbackServer

_HANDSHAKE_BYTES = 1536
_CHUNK_BYTES = 65536
_COMMAND, _SET_CHUNK_SIZE, _WINDOW, _BANDWIDTH = 20, 1, 5, 6


class RtmpCamera(LoopbackServer):
    """`async with RtmpCamera() as camera`: `camera.address` is where it is. The clip is repeated; its clock goes on."""

    path = "/live/yard"

    def __init__(self) -> None:
        super().__init__()
        self.commands: list[str] = []

    @property
    def address(self) -> str:
        return f"rtmp://127.0.0.1:{self.port}{self.path}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        playing: asyncio.Task[None] | None = None
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                hello = await reader.readexactly(1 + _HANDSHAKE_BYTES)
                # No version, so that the player does not expect a signed handshake.
                own = bytes(8) + os.urandom(_HANDSHAKE_BYTES - 8)
                writer.write(b"\x03" + own + hello[1:])
                await reader.readexactly(_HANDSHAKE_BYTES)
                async for kind, body in _messages(reader):
                    if kind == _COMMAND and self._obey(body, writer) == "play" and playing is None:
                        playing = asyncio.create_task(_play(writer))
        finally:
            if playing is not None:
                playing.cancel()
            self._writers.discard(writer)
            writer.close()

    def _obey(self, body: bytes, writer: asyncio.StreamWriter) -> str:
        length = struct.unpack(">H", body[1:3])[0]
        name = body[3 : 3 + length].decode()
        number = struct.unpack(">d", body[4 + length : 12 + length])[0]
        self.commands.append(name)
        match name:
            case "connect":
                writer.write(_message(_WINDOW, struct.pack(">I", 5_000_000)))
                writer.write(_message(_BANDWIDTH, struct.pack(">IB", 5_000_000, 2)))
                writer.write(_message(_SET_CHUNK_SIZE, struct.pack(">I", _CHUNK_BYTES)))
                status = {"level": "status", "code": "NetConnection.Connect.Success"}
                writer.write(_message(_COMMAND, _amf("_result", number, None, status)))
            case "createStream":
                writer.write(_message(_COMMAND, _amf("_result", number, None, 1.0)))
            case "play":
                status = {"level": "status", "code": "NetStream.Play.Start"}
                writer.write(_message(_COMMAND, _amf("onStatus", 0.0, None, status), stream=1))
            case "getStreamLength":
                writer.write(_message(_COMMAND, _amf("_result", number, None, 0.0)))
        return name


async def _play(writer: asyncio.StreamWriter) -> None:
    loop = asyncio.get_running_loop()
    started, offset_ms = loop.time(), 0
    tags = _clip()
    with suppress(ConnectionError):
        while True:
            for kind, at_ms, body in tags:
                if offset_ms and kind != 9:
                    continue
                stamp_ms = offset_ms + at_ms
                await asyncio.sleep(max(0.0, started + stamp_ms / 1000 - loop.time()))
                writer.write(_message(kind, body, stream=1, at_ms=stamp_ms))
                await writer.drain()
            offset_ms += tags[-1][1] + 1000 // FPS


@cache
def _clip() -> list[tuple[int, int, bytes]]:
    """Tags of an FLV file: kind, milliseconds and content, which are those of RTMP."""
    written = io.BytesIO()
    with av.open(written, "w", format="flv") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "tune": "zerolatency"})
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        stream.codec_context.gop_size = FPS
        for number in range(50):
            frame = av.VideoFrame.from_ndarray(scene(320, 240, number), format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return list(_tags(written.getvalue()))


def _tags(flv: bytes) -> Iterator[tuple[int, int, bytes]]:
    at = 9 + 4
    while at < len(flv):
        size = int.from_bytes(flv[at + 1 : at + 4])
        yield flv[at], int.from_bytes(flv[at + 4 : at + 7]) | flv[at + 7] << 24, flv[at + 11 : at + 11 + size]
        at += 11 + size + 4


def _message(kind: int, body: bytes, *, stream: int = 0, at_ms: int = 0) -> bytes:
    """In one chunk, which is as long as was said; the first message says so and is short enough for every chunk."""
    assert len(body) <= _CHUNK_BYTES
    head = bytes((3 if stream == 0 else 4,)) + at_ms.to_bytes(3) + len(body).to_bytes(3) + bytes((kind,))
    return head + struct.pack("<I", stream) + body


def _amf(*values: object) -> bytes:
    return b"".join(map(_amf_value, values))


def _amf_value(value: object) -> bytes:
    match value:
        case None:
            return b"\x05"
        case str():
            return b"\x02" + struct.pack(">H", len(value)) + value.encode()
        case float():
            return b"\x00" + struct.pack(">d", value)
        case dict():
            fields = (struct.pack(">H", len(name)) + name.encode() + _amf_value(one) for name, one in value.items())
            return b"\x03" + b"".join(fields) + b"\x00\x00\x09"
    raise TypeError(value)


async def _messages(reader: asyncio.StreamReader):
    """Messages of the player, put together from its chunks: kind and content."""
    chunk_bytes = 128
    heads: dict[int, tuple[int, int]] = {}
    parts: dict[int, bytes] = {}
    while True:
        first = (await reader.readexactly(1))[0]
        form, channel = first >> 6, first & 0x3F
        if channel < 2:
            raise ConnectionError("a player needs fewer channels")
        if form < 3:
            head = await reader.readexactly((11, 7, 3)[form])
            if form < 2:
                heads[channel] = (int.from_bytes(head[3:6]), head[6])
        size, kind = heads[channel]
        known = parts.pop(channel, b"")
        known += await reader.readexactly(min(chunk_bytes, size - len(known)))
        if len(known) < size:
            parts[channel] = known
        elif kind == _SET_CHUNK_SIZE:
            chunk_bytes = struct.unpack(">I", known)[0]
        else:
            yield kind, known
