"""Lists of objects, parts and uploads in pages, as S3 returns them."""

import base64
import binascii
from urllib.parse import quote

from starlette.responses import Response

from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.xml import XML_TYPE, Field, document
from sightline.objects import DiskObjectStore, StoredObject
from sightline.objects.protocol import invalid_request, quoted_etag
from sightline.timing import iso_utc

MAX_PAGE = 1000
_AFTER_ALL = b"\xff"  # never occurs in UTF-8, so every key with a prefix sorts before prefix + this


async def list_buckets(request: ObjectRequest) -> Response:
    bucket = [("Name", request.objects.bucket), ("CreationDate", "2026-01-01T00:00:00.000Z")]
    fields: list[Field] = [("Owner", [("ID", "sightline")]), ("Buckets", [("Bucket", bucket)])]
    return Response(document("ListAllMyBucketsResult", fields), media_type=XML_TYPE)


async def list_objects(request: ObjectRequest) -> Response:
    """Version 1, which older clients use, and version 2: they differ in how the next page is named."""
    is_v2 = request.query.get("list-type") == "2"
    prefix, delimiter = request.query.get("prefix", ""), request.query.get("delimiter", "")
    limit = min(request.number("max-keys", MAX_PAGE), MAX_PAGE)
    found = await _page(request.objects, prefix, delimiter, _after(request), limit + 1) if limit else []
    page, is_truncated = found[:limit], len(found) > limit
    encode = quote if request.query.get("encoding-type") == "url" else str
    fields: list[Field] = [
        ("Name", request.bucket),
        ("Prefix", encode(prefix)),
        ("MaxKeys", limit),
        ("IsTruncated", is_truncated),
    ]
    if is_v2:
        fields.append(("KeyCount", len(page)))
    echoed = {"continuation-token": "ContinuationToken", "start-after": "StartAfter"} if is_v2 else {"marker": "Marker"}
    for name, element in echoed.items():
        if name in request.query or name == "marker":
            value = request.query.get(name, "")
            fields.append((element, value if name == "continuation-token" else encode(value)))
    if encode is quote:
        fields.append(("EncodingType", "url"))
    if delimiter:
        fields.append(("Delimiter", encode(delimiter)))
    if is_truncated and is_v2:
        fields.append(("NextContinuationToken", base64.urlsafe_b64encode(_resume_after(page[-1])).decode()))
    elif is_truncated:
        last = page[-1]
        fields.append(("NextMarker", encode(last if isinstance(last, str) else last.key)))
    fields += [("Contents", _entry(one, encode(one.key))) for one in page if isinstance(one, StoredObject)]
    fields += [("CommonPrefixes", [("Prefix", encode(one))]) for one in page if isinstance(one, str)]
    return Response(document("ListBucketResult", fields), media_type=XML_TYPE)


async def _page(
    objects: DiskObjectStore, prefix: str, delimiter: str, after: bytes, limit: int
) -> list[StoredObject | str]:
    """Objects, and common prefixes (as text) of keys that contain the delimiter."""
    found: list[StoredObject | str] = []
    while len(found) < limit and (batch := await objects.list_page(prefix, after=after, limit=limit - len(found))):
        for stored in batch:
            one = _common(stored.key, prefix, delimiter) or stored
            found.append(one)
            after = _resume_after(one)
            if isinstance(one, str):
                break  # continue after everything with this prefix
    return found


def _resume_after(one: StoredObject | str) -> bytes:
    """The position after the object, or after all objects with the common prefix."""
    return one.encode() + _AFTER_ALL if isinstance(one, str) else one.key.encode()


def _common(key: str, prefix: str, delimiter: str) -> str | None:
    if not delimiter:
        return None
    at = key.find(delimiter, len(prefix))
    return None if at < 0 else key[: at + len(delimiter)]


def _after(request: ObjectRequest) -> bytes:
    if request.query.get("list-type") != "2":
        marker, delimiter = request.query.get("marker", ""), request.query.get("delimiter", "")
        # A marker that is a common prefix stands for everything below it.
        is_prefix = bool(delimiter) and marker.endswith(delimiter)
        return marker.encode() + (_AFTER_ALL if is_prefix else b"")
    token = request.query.get("continuation-token")
    if token is None:
        return request.query.get("start-after", "").encode()
    try:
        return base64.urlsafe_b64decode(token)
    except (binascii.Error, ValueError) as error:
        raise invalid_request("InvalidArgument", "The continuation token provided is incorrect") from error


def _entry(stored: StoredObject, shown_key: str) -> list[Field]:
    return [
        ("Key", shown_key),
        ("LastModified", iso_utc(stored.modified_at)),
        ("ETag", quoted_etag(stored.etag)),
        ("Size", stored.size),
        ("StorageClass", "STANDARD"),
    ]


async def list_parts(request: ObjectRequest) -> Response:
    upload_id = request.query["uploadId"]
    limit, marker = min(request.number("max-parts", MAX_PAGE), MAX_PAGE), request.number("part-number-marker", 0)
    parts = [part for part in await request.objects.list_parts(request.key, upload_id) if part.number > marker]
    page = parts[:limit]
    fields: list[Field] = [
        ("Bucket", request.bucket),
        ("Key", request.key),
        ("UploadId", upload_id),
        ("PartNumberMarker", marker),
        ("NextPartNumberMarker", page[-1].number if page else 0),
        ("MaxParts", limit),
        ("IsTruncated", len(parts) > limit),
    ]
    for part in page:
        facts = [("PartNumber", part.number), ("LastModified", iso_utc(part.modified_at))]
        fields.append(("Part", [*facts, ("ETag", quoted_etag(part.etag)), ("Size", part.size)]))
    return Response(document("ListPartsResult", fields), media_type=XML_TYPE)


async def list_uploads(request: ObjectRequest) -> Response:
    if request.query.get("delimiter"):
        raise invalid_request("NotImplemented", "a delimiter in a list of uploads is not supported")
    prefix, limit = request.query.get("prefix", ""), min(request.number("max-uploads", MAX_PAGE), MAX_PAGE)
    encode = quote if request.query.get("encoding-type") == "url" else str
    after = (request.query.get("key-marker", "").encode(), request.query.get("upload-id-marker", ""))
    uploads = sorted(
        [one async for one in request.objects.find_uploads(prefix)], key=lambda one: (one.key.encode(), one.upload_id)
    )
    left = [one for one in uploads if _is_after(one.key, one.upload_id, *after)]
    page, is_truncated = left[:limit], len(left) > limit > 0
    fields: list[Field] = [
        ("Bucket", request.bucket),
        ("KeyMarker", encode(request.query.get("key-marker", ""))),
        ("UploadIdMarker", request.query.get("upload-id-marker", "")),
        ("Prefix", encode(prefix)),
        ("MaxUploads", limit),
        ("IsTruncated", is_truncated),
    ]
    if encode is quote:
        fields.append(("EncodingType", "url"))
    if is_truncated:
        fields += [("NextKeyMarker", encode(page[-1].key)), ("NextUploadIdMarker", page[-1].upload_id)]
    for one in page:
        facts = [("Key", encode(one.key)), ("UploadId", one.upload_id), ("Initiated", iso_utc(one.started_at))]
        fields.append(("Upload", facts))
    return Response(document("ListMultipartUploadsResult", fields), media_type=XML_TYPE)


def _is_after(key: str, upload_id: str, key_marker: bytes, id_marker: str) -> bool:
    encoded = key.encode()
    return encoded > key_marker or (encoded == key_marker and bool(id_marker) and upload_id > id_marker)
