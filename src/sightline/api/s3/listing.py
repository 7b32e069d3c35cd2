"""Lists of objects and uploads in pages, as S3 gives them."""

import base64
import binascii
from urllib.parse import quote

from starlette.responses import Response

from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.xml import XML_TYPE, Field, document
from sightline.objects import DiskObjects, StoredObject
from sightline.objects.etags import quoted
from sightline.objects.refusals import refused
from sightline.timing import iso_utc

MOST = 1000
_BEHIND_ALL = b"\xff"  # no text in UTF-8 holds this byte, so every key with a prefix comes before prefix + this


async def list_buckets(asked: ObjectRequest) -> Response:
    bucket = [("Name", asked.objects.bucket), ("CreationDate", "2026-01-01T00:00:00.000Z")]
    fields: list[Field] = [("Owner", [("ID", "sightline")]), ("Buckets", [("Bucket", bucket)])]
    return Response(document("ListAllMyBucketsResult", fields), media_type=XML_TYPE)


async def list_objects(asked: ObjectRequest) -> Response:
    """Version 2."""
    prefix, delimiter = asked.query.get("prefix", ""), asked.query.get("delimiter", "")
    most = min(asked.number("max-keys", MOST), MOST)
    found = await _page(asked.objects, prefix, delimiter, _after(asked), most + 1) if most else []
    page, is_truncated = found[:most], len(found) > most
    encode = quote if asked.query.get("encoding-type") == "url" else str
    fields: list[Field] = [
        ("Name", asked.bucket),
        ("Prefix", encode(prefix)),
        ("KeyCount", len(page)),
        ("MaxKeys", most),
        ("IsTruncated", is_truncated),
    ]
    if encode is quote:
        fields.append(("EncodingType", "url"))
    if delimiter:
        fields.append(("Delimiter", encode(delimiter)))
    if is_truncated:
        fields.append(("NextContinuationToken", base64.urlsafe_b64encode(_behind(page[-1])).decode()))
    fields += [("Contents", _entry(one, encode(one.key))) for one in page if isinstance(one, StoredObject)]
    fields += [("CommonPrefixes", [("Prefix", encode(one))]) for one in page if isinstance(one, str)]
    return Response(document("ListBucketResult", fields), media_type=XML_TYPE)


async def _page(objects: DiskObjects, prefix: str, delimiter: str, after: bytes, most: int) -> list[StoredObject | str]:
    """Objects; and as text, what several keys have in common up to the delimiter."""
    found: list[StoredObject | str] = []
    while len(found) < most and (batch := await objects.page(prefix, after=after, most=most - len(found))):
        for stored in batch:
            one = _common(stored.key, prefix, delimiter) or stored
            found.append(one)
            after = _behind(one)
            if isinstance(one, str):
                break  # look on behind everything that it stands for
    return found


def _behind(one: StoredObject | str) -> bytes:
    """Everything after this comes after the object, or after all objects that the prefix stands for."""
    return one.encode() + _BEHIND_ALL if isinstance(one, str) else one.key.encode()


def _common(key: str, prefix: str, delimiter: str) -> str | None:
    if not delimiter:
        return None
    at = key.find(delimiter, len(prefix))
    return None if at < 0 else key[: at + len(delimiter)]


def _after(asked: ObjectRequest) -> bytes:
    token = asked.query.get("continuation-token")
    if token is None:
        return asked.query.get("start-after", "").encode()
    try:
        return base64.urlsafe_b64decode(token)
    except (binascii.Error, ValueError) as error:
        raise refused("InvalidArgument", "The continuation token provided is incorrect") from error


def _entry(stored: StoredObject, shown_key: str) -> list[Field]:
    return [
        ("Key", shown_key),
        ("LastModified", iso_utc(stored.modified_at)),
        ("ETag", quoted(stored.etag)),
        ("Size", stored.size),
        ("StorageClass", "STANDARD"),
    ]


async def list_parts(asked: ObjectRequest) -> Response:
    upload_id = asked.query["uploadId"]
    most, marker = min(asked.number("max-parts", MOST), MOST), asked.number("part-number-marker", 0)
    parts = [part for part in await asked.objects.list_parts(asked.key, upload_id) if part.number > marker]
    page = parts[:most]
    fields: list[Field] = [
        ("Bucket", asked.bucket),
        ("Key", asked.key),
        ("UploadId", upload_id),
        ("PartNumberMarker", marker),
        ("NextPartNumberMarker", page[-1].number if page else 0),
        ("MaxParts", most),
        ("IsTruncated", len(parts) > most),
    ]
    for part in page:
        facts = [("PartNumber", part.number), ("LastModified", iso_utc(part.modified_at))]
        fields.append(("Part", [*facts, ("ETag", quoted(part.etag)), ("Size", part.size)]))
    return Response(document("ListPartsResult", fields), media_type=XML_TYPE)


async def list_uploads(asked: ObjectRequest) -> Response:
    prefix, most = asked.query.get("prefix", ""), min(asked.number("max-uploads", MOST), MOST)
    after = (asked.query.get("key-marker", "").encode(), asked.query.get("upload-id-marker", ""))
    uploads = sorted(
        [one async for one in asked.objects.find_uploads(prefix)], key=lambda one: (one.key.encode(), one.upload_id)
    )
    left = [one for one in uploads if _is_after(one.key, one.upload_id, *after)]
    page, is_truncated = left[:most], len(left) > most > 0
    fields: list[Field] = [
        ("Bucket", asked.bucket),
        ("Prefix", prefix),
        ("MaxUploads", most),
        ("IsTruncated", is_truncated),
    ]
    if is_truncated:
        fields += [("NextKeyMarker", page[-1].key), ("NextUploadIdMarker", page[-1].upload_id)]
    for one in page:
        facts = [("Key", one.key), ("UploadId", one.upload_id), ("Initiated", iso_utc(one.started_at))]
        fields.append(("Upload", facts))
    return Response(document("ListMultipartUploadsResult", fields), media_type=XML_TYPE)


def _is_after(key: str, upload_id: str, key_marker: bytes, id_marker: str) -> bool:
    encoded = key.encode()
    return encoded > key_marker or (encoded == key_marker and bool(id_marker) and upload_id > id_marker)
