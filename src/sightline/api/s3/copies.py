"""Copies inside the store: CopyObject and UploadPartCopy, with conditions on their source."""

import re
from urllib.parse import unquote_to_bytes

from starlette.responses import Response

from sightline.api.s3.get import failed_condition, precondition_failed
from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.stored_headers import content_type, not_implemented, refuse_unsupported, stored_headers
from sightline.api.s3.xml import XML_TYPE, document
from sightline.errors import NotFound
from sightline.objects import MAX_PART_BYTES, StoredObject
from sightline.objects.protocol import check_part_number, invalid_request, quoted_etag
from sightline.timing import iso_utc

SOURCE_HEADER = "x-amz-copy-source"
_RANGE = re.compile(r"bytes=(\d{1,18})-(\d{1,18})")


async def copy_object(request: ObjectRequest) -> Response:
    refuse_unsupported(request)
    source_key = _source_key(request)
    is_replaced = _replaces_metadata(request)
    if source_key == request.key and not is_replaced:
        raise invalid_request(
            "InvalidRequest",
            "This copy request is illegal because it is trying to copy an object to itself without changing its metadata.",
        )
    async with request.objects.open_reader(source_key) as source:
        stored = source.stored
        _check_source(request, stored)
        _check_size(stored.size)
        await request.check_space(stored.size)
        copied = await request.objects.receiver.copy(
            source,
            request.key,
            content_type=content_type(request) if is_replaced else stored.content_type,
            headers=stored_headers(request) if is_replaced else stored.headers,
        )
    return _result("CopyObjectResult", copied.etag, iso_utc(copied.modified_at))


async def copy_part(request: ObjectRequest) -> Response:
    refuse_unsupported(request)
    number, upload_id = check_part_number(request.number("partNumber", 0)), request.query["uploadId"]
    async with request.objects.open_reader(_source_key(request)) as source:
        _check_source(request, source.stored)
        start, end = _source_range(request, source.stored.size)
        _check_size(end - start)
        async with request.objects.receiver.part(request.key, upload_id, number, length=end - start) as incoming:
            async for chunk in source.chunks(start, end):
                await incoming.write(chunk)
            await incoming.flush()
            part = await incoming.commit()
    return _result("CopyPartResult", part.etag, iso_utc(part.modified_at))


def _source_key(request: ObjectRequest) -> str:
    """`x-amz-copy-source` is `bucket/key`, percent-encoded, with or without a slash in front."""
    raw, _, query = (request.header(SOURCE_HEADER) or "").partition("?")
    if query:
        raise not_implemented("objects have no versions, so the source of a copy cannot name one")
    try:
        bucket, _, key = unquote_to_bytes(raw.encode("latin-1")).decode().removeprefix("/").partition("/")
    except UnicodeDecodeError as error:
        raise invalid_request("InvalidArgument", f"{SOURCE_HEADER} is not UTF-8") from error
    if not bucket or not key:
        raise invalid_request("InvalidArgument", f"{SOURCE_HEADER} must be of the form bucket/key")
    if bucket != request.objects.bucket:
        raise NotFound(f"The specified bucket does not exist: {bucket[:100]}", details={"code": "NoSuchBucket"})
    return key


def _replaces_metadata(request: ObjectRequest) -> bool:
    directive = request.header("x-amz-metadata-directive") or "COPY"
    if directive not in ("COPY", "REPLACE"):
        raise invalid_request("InvalidArgument", "x-amz-metadata-directive must be COPY or REPLACE")
    return directive == "REPLACE"


def _check_source(request: ObjectRequest, stored: StoredObject) -> None:
    if failed_condition(request, stored, f"{SOURCE_HEADER}-") is not None:
        raise precondition_failed()


def _check_size(size: int) -> None:
    if size > MAX_PART_BYTES:
        raise invalid_request(
            "InvalidRequest", f"at most {MAX_PART_BYTES} bytes can be copied at once; copy larger objects in parts"
        )


def _source_range(request: ObjectRequest, size: int) -> tuple[int, int]:
    given = request.header(f"{SOURCE_HEADER}-range")
    if given is None:
        return 0, size
    match = _RANGE.fullmatch(given.strip())
    if match is None or int(match[1]) > int(match[2]):
        raise invalid_request("InvalidArgument", f"{SOURCE_HEADER}-range must be of the form bytes=first-last")
    start, end = int(match[1]), int(match[2]) + 1
    if end > size:
        raise invalid_request(
            "InvalidRange", f"the range {given[:50]} is not within the source of {size} bytes", size=size
        )
    return start, end


def _result(name: str, etag: str, modified_at: str) -> Response:
    fields = [("LastModified", modified_at), ("ETag", quoted_etag(etag))]
    return Response(document(name, fields), media_type=XML_TYPE)
