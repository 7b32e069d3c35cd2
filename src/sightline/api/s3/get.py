"""GET and HEAD of an object: ranges, conditions, and the bytes without holding them in memory."""

import asyncio
import re
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sightline.api.s3.request import ObjectRequest
from sightline.objects import StoredObject
from sightline.objects.disk.store import Reading
from sightline.objects.etags import bare, quoted
from sightline.objects.refusals import refused

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_OVERRIDES = {
    "response-cache-control": "Cache-Control",
    "response-content-disposition": "Content-Disposition",
    "response-content-encoding": "Content-Encoding",
    "response-content-language": "Content-Language",
    "response-content-type": "Content-Type",
    "response-expires": "Expires",
}
# What strangers stored is served from the platform's own origin, and must not become a page of it.
_GUARDS = {"Content-Security-Policy": "sandbox", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What is to be sent of an object."""

    reading: Reading
    start: int
    end: int


class HeadAnswer(Response):
    """An answer without a body, or without one yet. Starlette writes headers as latin-1; names of files are in any script."""

    def __init__(self, status: int, headers: dict[str, str]) -> None:
        super().__init__(status_code=status)
        self.raw_headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]


class ObjectAnswer(HeadAnswer):
    """The bytes of an open object, which is closed however this ends."""

    def __init__(self, status: int, headers: dict[str, str], stretch: _Stretch, opened: AsyncExitStack) -> None:
        super().__init__(status, headers)
        self._stretch = stretch
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._opened:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            if scope["method"] != "HEAD":
                await self._send_bytes(receive, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_bytes(self, receive: Receive, send: Send) -> None:
        # Servers drop what is sent to a client that has gone, without a word; reading on would be for nobody.
        gone = asyncio.create_task(_until_gone(receive))
        try:
            async for piece in self._stretch.reading.pieces(self._stretch.start, self._stretch.end):
                if gone.done():
                    return
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            gone.cancel()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def get_object(asked: ObjectRequest) -> Response:
    async with AsyncExitStack() as stack:
        reading = await stack.enter_async_context(asked.objects.reading(asked.key))
        stored = reading.stored
        headers = _headers(asked, stored)
        if (status := _condition(asked, stored)) is not None:
            if status == 412:
                raise refused("PreconditionFailed", "At least one of the pre-conditions you specified did not hold")
            del headers["Content-Length"], headers["Content-Type"]
            return HeadAnswer(304, headers)
        chosen = _chosen_range(asked, stored)
        start, end = chosen or (0, stored.size)
        if chosen is not None:
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{stored.size}"
            headers["Content-Length"] = str(end - start)
        stretch = _Stretch(reading, start, end)
        return ObjectAnswer(200 if chosen is None else 206, headers, stretch, stack.pop_all())


def _headers(asked: ObjectRequest, stored: StoredObject) -> dict[str, str]:
    headers = {
        "Content-Type": stored.content_type,
        "Content-Length": str(stored.size),
        "Accept-Ranges": "bytes",
        "ETag": quoted(stored.etag),
        "Last-Modified": format_datetime(stored.modified_at, usegmt=True),
        **_GUARDS,
    }
    for name, header in _OVERRIDES.items():
        if (value := asked.query.get(name)) is not None:
            if not value.isprintable():
                raise refused("InvalidArgument", f"{name} holds characters that no header can have")
            headers[header] = value
    return headers


def _condition(asked: ObjectRequest, stored: StoredObject) -> int | None:
    """304 or 412 when a condition of the request says so; ETags come before times (RFC 9110, 13.2.2)."""
    changed = stored.modified_at.replace(microsecond=0)
    if (wanted := asked.header("if-match")) is not None:
        if not _names(wanted, stored.etag):
            return 412
    elif (moment := _time(asked.header("if-unmodified-since"))) is not None and changed > moment:
        return 412
    if (known := asked.header("if-none-match")) is not None:
        return 304 if _names(known, stored.etag) else None
    if (moment := _time(asked.header("if-modified-since"))) is not None and changed <= moment:
        return 304
    return None


def _chosen_range(asked: ObjectRequest, stored: StoredObject) -> tuple[int, int] | None:
    """The one range that is asked for; several at once, or none that can be read, mean the whole, as with S3."""
    match = _RANGE.fullmatch((asked.header("range") or "").strip())
    if match is None or not _is_current(asked.header("if-range"), stored):
        return None
    first, last = match.groups()
    if not first and not last:
        return None
    if not first:
        start, end = max(0, stored.size - int(last)), stored.size
    else:
        start, end = int(first), min(int(last) + 1 if last else stored.size, stored.size)
        if last and int(last) < int(first):
            return None
    if start >= end:
        raise refused("InvalidRange", "The requested range is not satisfiable", size=stored.size)
    return start, end


def _is_current(condition: str | None, stored: StoredObject) -> bool:
    if condition is None:
        return True
    moment = _time(condition)
    if moment is not None:
        return moment == stored.modified_at.replace(microsecond=0)
    return bare(condition) == stored.etag


def _names(condition: str, etag: str) -> bool:
    return condition.strip() == "*" or etag in (bare(one.strip().removeprefix("W/")) for one in condition.split(","))


def _time(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
