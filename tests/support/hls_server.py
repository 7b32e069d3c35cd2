"""A camera for tests that is an HLS address: a playlist whose window moves on, and segments of one second."""

import asyncio
import io
import re
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Self

import av

from support.camera_clips import FPS, scene
from support.loopback_server import LoopbackServer

_WINDOW = 4


class HlsCamera(LoopbackServer):
    """`async with HlsCamera() as camera`: `camera.address` is its playlist. It began some seconds ago."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/yard/index.m3u8"

    async def __aenter__(self) -> Self:
        self._began = asyncio.get_running_loop().time() - _WINDOW
        return await super().__aenter__()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while True:
                    request = (await reader.readuntil(b"\r\n\r\n")).decode()
                    path = request.split(" ")[1]
                    self.requests.append(path)
                    status, kind, body = await self._answer(path)
                    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
                    writer.write(head.encode() + body)
                    await writer.drain()
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _answer(self, path: str) -> tuple[str, str, bytes]:
        newest = int(asyncio.get_running_loop().time() - self._began)
        if path == "/yard/index.m3u8":
            return "200 OK", "application/vnd.apple.mpegurl", _playlist(newest - _WINDOW, newest)
        if (found := re.fullmatch(r"/yard/(\d+)\.ts", path)) and int(found[1]) < newest:
            return "200 OK", "video/mp2t", await asyncio.to_thread(_segment, int(found[1]))
        return "404 Not Found", "text/plain", b""


def _playlist(first: int, end: int) -> bytes:
    head = ("#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", f"#EXT-X-MEDIA-SEQUENCE:{first}")
    segments = (line for number in range(first, end) for line in ("#EXTINF:1.0,", f"{number}.ts"))
    return "\n".join((*head, *segments, "")).encode()


@lru_cache(maxsize=64)
def _segment(number: int) -> bytes:
    written = io.BytesIO()
    with av.open(written, "w", format="mpegts") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "tune": "zerolatency"})
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for at in range(number * FPS, (number + 1) * FPS):
            frame = av.VideoFrame.from_ndarray(scene(320, 240, at), format="rgb24")
            frame.pts, frame.time_base = at, Fraction(1, FPS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return written.getvalue()
