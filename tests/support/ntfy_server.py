"""A server that speaks ntfy's published HTTP API, for tests: publishing as JSON and by headers, polling, tokens, its error form.

It refuses what ntfy refuses, so a channel that breaks the API fails the test.
"""

import asyncio
import base64
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")
JSON_FIELDS = {
    "topic": str,
    "message": str,
    "title": str,
    "tags": list,
    "priority": int,
    "click": str,
    "attach": str,
    "filename": str,
    "sequence_id": str,
}


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class HttpDouble:
    """An HTTP/1.1 server that keeps connections, remembers what it was asked, and answers as a test says."""

    asked: list[Asked] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    """Given once each, before the usual ones."""
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0
    drops_after_taking: bool = False
    is_down: bool = False

    def __post_init__(self) -> None:
        self.may_answer.set()
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.StreamWriter] = set()
        self.connected = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """On the same port each time."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in list(self._connections):
            connection.close()

    def answer(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        return 200, {}, b"{}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        self.connected += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                first, *lines = head.splitlines()
                method, path, _ = first.split(" ", 2)
                pairs = (line.split(":", 1) for line in lines if line)
                headers = {name.lower(): value.strip() for name, value in pairs}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                asked = Asked(method, path, headers, body)
                self.asked.append(asked)
                more: dict[str, str] = {}
                if self.is_down:
                    status, content = 502, b"bad gateway"
                elif self.answers:
                    status, more, content = self.answers.pop(0)
                else:
                    status, more, content = self.answer(asked)
                await self.may_answer.wait()
                if self.drops_after_taking:
                    break
                extra = "".join(f"{name}: {value}\r\n" for name, value in more.items())
                writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(content)}\r\n{extra}\r\n".encode() + content)
        self._connections.discard(writer)
        writer.close()


@dataclass
class NtfyServer(HttpDouble):
    token: str | None = None
    published: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        if self.token is not None and asked.headers.get("authorization") != f"Bearer {self.token}":
            return _error(403, 40301, "forbidden")
        url = urlsplit(asked.path)
        match asked.method, url.path.strip("/").split("/"):
            case (("POST" | "PUT"), [""]):
                return self._publish_json(asked)
            case (("POST" | "PUT"), [topic]):
                return self._publish(topic, asked)
            case "GET", [topic, "json"]:
                return self._poll(topic, parse_qs(url.query))
        return _error(404, 40401, "page not found")

    def _publish_json(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        try:
            content = json.loads(asked.body)
        except ValueError:
            return _error(400, 40024, "invalid request: request body must be valid JSON")
        if not TOPIC.fullmatch(str(content.get("topic", ""))):
            return _error(400, 40009, "invalid request: topic invalid")
        for name, value in content.items():
            if name not in JSON_FIELDS or not isinstance(value, JSON_FIELDS[name]):
                return _error(400, 40024, f"invalid request: {name}")
        return self._take(content)

    def _publish(self, topic: str, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        if not TOPIC.fullmatch(topic):
            return _error(400, 40009, "invalid request: topic invalid")
        headers = {name: _decoded(value) for name, value in asked.headers.items()}
        content: dict[str, Any] = {"topic": topic}
        for name in ("title", "message", "click", "filename"):
            if f"x-{name}" in headers:
                content[name] = headers[f"x-{name}"].replace("\\n", "\n")
        if "x-sequence-id" in headers:
            content["sequence_id"] = headers["x-sequence-id"]
        if "x-priority" in headers:
            content["priority"] = int(headers["x-priority"])
        if "x-tags" in headers:
            content["tags"] = headers["x-tags"].split(",")
        if "filename" in content:
            content["attachment"] = {"name": content.pop("filename"), "size": len(asked.body)}
        else:
            content["message"] = asked.body.decode()
        return self._take(content)

    def _take(self, content: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        if not 1 <= content.get("priority", 3) <= 5:
            return _error(400, 40007, "invalid priority parameter")
        if "sequence_id" in content and not TOPIC.fullmatch(content["sequence_id"]):
            return _error(400, 40049, "invalid request: sequence ID invalid")
        if len(content.get("message", "").encode()) > 4096:
            return _error(413, 41301, "message too long")
        kept = {"id": f"ntfy{len(self.published):06d}", "time": int(time.time()), "event": "message", **content}
        self.published.append(kept)
        return 200, {"Content-Type": "application/json"}, json.dumps(kept).encode()

    def _poll(self, topic: str, query: dict[str, list[str]]) -> tuple[int, dict[str, str], bytes]:
        since = int(query.get("since", ["0"])[0])
        if query.get("poll") != ["1"]:
            return _error(400, 40008, "invalid since parameter")
        lines = [json.dumps(one) for one in self.published if one["topic"] == topic and one["time"] >= since]
        return 200, {}, ("\n".join(lines) + "\n").encode()


def _decoded(text: str) -> str:
    """RFC 2047, as ntfy reads headers."""
    found = re.fullmatch(r"=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=", text)
    return text if found is None else base64.b64decode(found[1]).decode()


def _error(status: int, code: int, text: str) -> tuple[int, dict[str, str], bytes]:
    content = {"code": code, "http": status, "error": text, "link": "https://ntfy.sh/docs/publish/"}
    return status, {"Content-Type": "application/json"}, json.dumps(content).encode()


@asynccontextmanager
async def ntfy_server(**options: Any) -> AsyncIterator[NtfyServer]:
    server = NtfyServer(**options)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
