"""A camera for tests that speaks HTTP: motion JPEG at /video, one picture at /snapshot; Basic or Digest authentication."""

import asyncio
import base64
import hashlib
import re
from contextlib import suppress
from typing import Literal

from support.camera_clips import FPS, jpeg
from support.loopback_server import LoopbackServer

_REALM, _NONCE = "camera", "5ccc069c403ebaf9f0171e9517f40e41"


class PictureCamera(LoopbackServer):
    """`async with PictureCamera() as camera`: `camera.address("mjpeg")` is where it is."""

    def __init__(
        self, *, user: str | None = None, password: str = "", auth: Literal["basic", "digest"] = "digest"
    ) -> None:
        self.user, self.password, self.auth = user, password, auth
        super().__init__()
        self.requests: list[str] = []
        self.redirects_to: str | None = None
        self.is_broken = False
        self._shown = 0

    def address(self, kind: str) -> str:
        return f"http://127.0.0.1:{self.port}/{'video' if kind == 'mjpeg' else 'snapshot'}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while True:
                    await self._answer((await reader.readuntil(b"\r\n\r\n")).decode(), writer)
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _answer(self, request: str, writer: asyncio.StreamWriter) -> None:
        method, path, _ = request.splitlines()[0].split(" ")
        self.requests.append(f"{method} {path}")
        given = re.search(r"(?im)^authorization: (.*?)\r$", request)
        if self.redirects_to is not None:
            writer.write(_head(302, f"Location: {self.redirects_to}", "Content-Length: 0"))
        elif self.user is not None and not self._is_allowed(method, path, given[1] if given else ""):
            challenge = (
                f'Digest realm="{_REALM}", nonce="{_NONCE}", qop="auth"'
                if self.auth == "digest"
                else f'Basic realm="{_REALM}"'
            )
            writer.write(_head(401, f"WWW-Authenticate: {challenge}", "Content-Length: 0"))
        elif path == "/snapshot":
            picture = self._picture()
            writer.write(_head(200, "Content-Type: image/jpeg", f"Content-Length: {len(picture)}") + picture)
        elif path == "/video":
            await self._stream(writer)
        else:
            writer.write(_head(404, "Content-Length: 0"))
        await writer.drain()

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        writer.write(_head(200, "Content-Type: multipart/x-mixed-replace; boundary=frame"))
        while True:
            picture = self._picture()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n".encode()
            writer.write(head + picture + b"\r\n")
            await writer.drain()
            await asyncio.sleep(1 / FPS)

    def _picture(self) -> bytes:
        self._shown += 1
        return b"not a picture" if self.is_broken else jpeg(at=self._shown % 50)

    def _is_allowed(self, method: str, path: str, given: str) -> bool:
        if self.auth == "basic":
            return given == "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        fields = dict(re.findall(r'(\w+)=(?:"([^"]*)"|)', given)) | dict(re.findall(r"\b(nc|qop)=(\w+)", given))
        secret = _md5(f"{self.user}:{_REALM}:{self.password}")
        middle = f"{_NONCE}:{fields.get('nc')}:{fields.get('cnonce')}:{fields.get('qop')}"
        expected = _md5(f"{secret}:{middle}:{_md5(f'{method}:{path}')}")
        return given.startswith("Digest") and fields.get("response") == expected


def _md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def _head(status: int, *lines: str) -> bytes:
    words = {200: "OK", 302: "Found", 401: "Unauthorized", 404: "Not Found"}
    return "\r\n".join((f"HTTP/1.1 {status} {words[status]}", *lines, "", "")).encode()
