"""GET and HEAD of an object: ranges, conditions, and streaming."""

import asyncio
import re
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sightline.api.s3.request import ObjectRequest
from sightline.errors import PlatformError
from sightline.objects import StoredObject, bare_etag
from sightline.objects.disk import ObjectReader
from sightline.objects.protocol import invalid_request, quoted_etag

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_OVERRIDES = {
    "response-cache-control": "Cache-Control",
    "response-content-disposition": "Content-Disposition",
    "response-content-encoding": "Content-Encoding",
    "response-content-language": "Content-Language",
    "response-content-type": "Content-Type",
    "response-expires": "Expires",
}
# By the lower-case names under which they are stored; an override then replaces the stored value.
_STORED_HEADERS = {header.lower(): header for header in _OVERRIDES.values()}
# Objects are served from the platform's own origin; these headers keep one from running as a page of it.
_SANDBOX_HEADERS = {"Content-Security-Policy": "sandbox", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True, slots=True)
class _ByteRange:
    """The part of an object to send."""

    reader: ObjectReader
    start: int
    end: int


class HeadersResponse(Response):
    """A response without a body, or without one yet. Headers are UTF-8, because file names can be in any script."""

    def __init__(self, status: int, headers: dict[str, str]) -> None:
        super().__init__(status_code=status)
        self.raw_headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]


class ObjectResponse(HeadersResponse):
    """Streams an open object, and closes it however the response ends."""

    def __init__(self, status: int, headers: dict[str, str], byte_range: _ByteRange, opened: AsyncExitStack) -> None:
        super().__init__(status, headers)
        self._range = byte_range
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._opened:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            if scope["method"] != "HEAD":
                await self._send_bytes(receive, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_bytes(self, receive: Receive, send: Send) -> None:
        # The server silently drops bytes for a client that disconnected, so reading has to stop by itself.
        gone = asyncio.create_task(_until_gone(receive))
        try:
            async for chunk in self._range.reader.chunks(self._range.start, self._range.end):
                if gone.done():
                    return
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            gone.cancel()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def get_object(request: ObjectRequest) -> Response:
    async with AsyncExitStack() as stack:
        reader = await stack.enter_async_context(request.objects.open_reader(request.key))
        stored = reader.stored
        headers = _headers(request, stored)
        if (status := failed_condition(request, stored)) is not None:
            if status == 412:
                raise precondition_failed()
            del headers["Content-Length"], headers["Content-Type"]
            return HeadersResponse(304, headers)
        chosen = _chosen_range(request, stored)
        start, end = chosen or (0, stored.size)
        if chosen is not None:
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{stored.size}"
            headers["Content-Length"] = str(end - start)
        byte_range = _ByteRange(reader, start, end)
        return ObjectResponse(200 if chosen is None else 206, headers, byte_range, stack.pop_all())


def _headers(request: ObjectRequest, stored: StoredObject) -> dict[str, str]:
    headers = {
        "Content-Type": stored.content_type,
        "Content-Length": str(stored.size),
        "Accept-Ranges": "bytes",
        "ETag": quoted_etag(stored.etag),
        "Last-Modified": format_datetime(stored.modified_at, usegmt=True),
        **_SANDBOX_HEADERS,
        **{_STORED_HEADERS.get(name, name): value for name, value in stored.headers},
    }
    for name, header in _OVERRIDES.items():
        if (value := request.query.get(name)) is not None:
            if not value.isprintable():
                raise invalid_request("InvalidArgument", f"{name} contains characters that are not allowed in a header")
            headers[header] = value
    return headers


def failed_condition(request: ObjectRequest, stored: StoredObject, prefix: str = "") -> int | None:
    """304 or 412 when a condition of the request says so; ETags come before times (RFC 9110, 13.2.2).

    `prefix` stands before the names of the headers that condition the source of a copy.
    """
    changed = stored.modified_at.replace(microsecond=0)
    if (required := request.header(f"{prefix}if-match")) is not None:
        if not _names(required, stored.etag):
            return 412
    elif (moment := _time(request.header(f"{prefix}if-unmodified-since"))) is not None and changed > moment:
        return 412
    if (known := request.header(f"{prefix}if-none-match")) is not None:
        return 304 if _names(known, stored.etag) else None
    if (moment := _time(request.header(f"{prefix}if-modified-since"))) is not None and changed <= moment:
        return 304
    return None


def precondition_failed() -> PlatformError:
    return invalid_request("PreconditionFailed", "At least one of the pre-conditions you specified did not hold")


def _chosen_range(request: ObjectRequest, stored: StoredObject) -> tuple[int, int] | None:
    """The requested range; several ranges or an unreadable one mean the whole object, as with S3."""
    match = _RANGE.fullmatch((request.header("range") or "").strip())
    if match is None or not _is_current(request.header("if-range"), stored):
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
        raise invalid_request("InvalidRange", "The requested range is not satisfiable", size=stored.size)
    return start, end


def _is_current(condition: str | None, stored: StoredObject) -> bool:
    if condition is None:
        return True
    moment = _time(condition)
    if moment is not None:
        return moment == stored.modified_at.replace(microsecond=0)
    return bare_etag(condition) == stored.etag


def _names(condition: str, etag: str) -> bool:
    return condition.strip() == "*" or etag in (
        bare_etag(one.strip().removeprefix("W/")) for one in condition.split(",")
    )


def _time(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
