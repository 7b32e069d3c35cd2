"""The disk keeper's objects under signed addresses, spoken to as S3 is: `/objects/{bucket}/{key}` (docs/objects.md)."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from starlette.responses import Response

from sightline.api.s3.body import Body, small_body
from sightline.api.s3.errors import error_answer
from sightline.api.s3.get import get_object
from sightline.api.s3.listing import list_buckets, list_objects, list_parts, list_uploads
from sightline.api.s3.request import PATH, ObjectRequest, raw_resource, read_request
from sightline.api.s3.xml import XML_TYPE, document, read_completion, read_deletion
from sightline.errors import PlatformError
from sightline.objects import DiskObjects
from sightline.objects.etags import quoted
from sightline.objects.part_rules import check_number
from sightline.objects.refusals import refused

LONGEST_TYPE = 255

Handler = Callable[[ObjectRequest], Awaitable[Response]]


async def put_object(asked: ObjectRequest) -> Response:
    _refuse_what_is_not_done(asked)
    body = Body(asked)
    async with asked.objects.receiving.object(
        asked.key, length=body.length, content_type=_content_type(asked), checksums=body.checksums
    ) as incoming:
        async for piece in body.pieces():
            await incoming.take(piece)
        await incoming.settle()
        checked = body.check(incoming.digests)
        stored = await incoming.keep()
    return Response(headers={"ETag": quoted(stored.etag), **checked})


async def put_part(asked: ObjectRequest) -> Response:
    _refuse_what_is_not_done(asked)
    number, upload_id = check_number(asked.number("partNumber", 0)), asked.query["uploadId"]
    body = Body(asked)
    async with asked.objects.receiving.part(
        asked.key, upload_id, number, length=body.length, checksums=body.checksums
    ) as incoming:
        async for piece in body.pieces():
            await incoming.take(piece)
        await incoming.settle()
        checked = body.check(incoming.digests)
        part = await incoming.keep()
    return Response(headers={"ETag": quoted(part.etag), **checked})


async def create_upload(asked: ObjectRequest) -> Response:
    upload_id = await asked.objects.create_upload(asked.key, content_type=_content_type(asked))
    fields = [("Bucket", asked.bucket), ("Key", asked.key), ("UploadId", upload_id)]
    return Response(document("InitiateMultipartUploadResult", fields), media_type=XML_TYPE)


async def complete_upload(asked: ObjectRequest) -> Response:
    tags = read_completion(await small_body(asked))
    stored = await asked.objects.complete_upload(asked.key, asked.query["uploadId"], tags)
    fields = [
        ("Location", asked.objects.address_of(asked.key)),
        ("Bucket", asked.bucket),
        ("Key", asked.key),
        ("ETag", quoted(stored.etag)),
    ]
    return Response(document("CompleteMultipartUploadResult", fields), media_type=XML_TYPE)


async def abort_upload(asked: ObjectRequest) -> Response:
    await asked.objects.check_upload(asked.key, asked.query["uploadId"])
    await asked.objects.abort_upload(asked.key, asked.query["uploadId"])
    return Response(status_code=204)


async def delete_object(asked: ObjectRequest) -> Response:
    await asked.objects.delete([asked.key])
    return Response(status_code=204)


async def delete_objects(asked: ObjectRequest) -> Response:
    keys, is_quiet = read_deletion(await small_body(asked))
    fields = []
    for key in keys:
        try:
            await asked.objects.delete([key])
        except PlatformError as error:
            code = str(error.details.get("code", "InternalError"))
            fields.append(("Error", [("Key", key), ("Code", code), ("Message", error.message)]))
        else:
            if not is_quiet:
                fields.append(("Deleted", [("Key", key)]))
    return Response(document("DeleteResult", fields), media_type=XML_TYPE)


async def head_bucket(asked: ObjectRequest) -> Response:
    return Response()


async def bucket_location(asked: ObjectRequest) -> Response:
    return Response(document("LocationConstraint", ()), media_type=XML_TYPE)


# By method and by the names in the query that choose what is done.
_ON_OBJECTS: dict[tuple[str, frozenset[str]], Handler] = {
    ("GET", frozenset()): get_object,
    ("HEAD", frozenset()): get_object,
    ("PUT", frozenset()): put_object,
    ("DELETE", frozenset()): delete_object,
    ("POST", frozenset({"uploads"})): create_upload,
    ("PUT", frozenset({"uploadId", "partNumber"})): put_part,
    ("GET", frozenset({"uploadId"})): list_parts,
    ("POST", frozenset({"uploadId"})): complete_upload,
    ("DELETE", frozenset({"uploadId"})): abort_upload,
}
_ON_THE_BUCKET: dict[tuple[str, frozenset[str]], Handler] = {
    ("HEAD", frozenset()): head_bucket,
    ("GET", frozenset()): list_objects,
    ("GET", frozenset({"uploads"})): list_uploads,
    ("GET", frozenset({"location"})): bucket_location,
    ("POST", frozenset({"delete"})): delete_objects,
}
# They narrow a list down or page through it.
_OF_LISTS = frozenset(
    {
        "prefix",
        "delimiter",
        "max-keys",
        "start-after",
        "continuation-token",
        "max-parts",
        "part-number-marker",
        "max-uploads",
        "key-marker",
        "upload-id-marker",
    }
)


def create_router(objects: DiskObjects) -> APIRouter:
    """Not in the API's own schema: S3 has documented it, and clients of S3 are what it is for."""
    router = APIRouter(include_in_schema=False)

    async def on_objects(request: Request) -> Response:
        try:
            asked = read_request(objects, request)
            return await _handler(asked)(asked)
        except PlatformError as error:
            return error_answer(error, raw_resource(request))

    for path in (PATH, PATH + "/", PATH + "/{bucket}", PATH + "/{bucket}/{key:path}"):
        router.add_api_route(path, on_objects, methods=["GET", "HEAD", "PUT", "POST", "DELETE"])
    return router


def _handler(asked: ObjectRequest) -> Handler:
    method = asked.request.method
    if not asked.bucket:
        if method == "GET" and not asked.asks_for:
            return list_buckets
        raise _not_done("this is not done without a bucket")
    table = _ON_OBJECTS if asked.key else _ON_THE_BUCKET
    found = table.get((method, asked.asks_for - _OF_LISTS))
    if found is None or (found is list_objects and asked.query.get("list-type") != "2"):
        wanted = ", ".join(sorted(asked.asks_for)) or "nothing else"
        raise _not_done(f"{method} with {wanted} in the query is not done here")
    return found


def _refuse_what_is_not_done(asked: ObjectRequest) -> None:
    """Rather than to store something other than was meant."""
    for header in ("x-amz-copy-source", "if-match", "if-none-match", "x-amz-write-offset-bytes"):
        if asked.header(header) is not None:
            raise _not_done(f"A header you provided implies functionality that is not implemented: {header}")


def _content_type(asked: ObjectRequest) -> str | None:
    given = asked.header("content-type")
    if given and len(given) > LONGEST_TYPE:
        raise refused("InvalidArgument", f"a Content-Type may have {LONGEST_TYPE} letters at the most")
    return given or None


def _not_done(message: str) -> PlatformError:
    return refused("NotImplemented", message)
