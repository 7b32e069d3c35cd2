"""Routes of the object endpoint: one handler per S3 operation."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from starlette.responses import Response

from sightline.api.s3.body import RequestBody, read_document
from sightline.api.s3.errors import error_response
from sightline.api.s3.get import get_object
from sightline.api.s3.listing import list_buckets, list_objects, list_parts, list_uploads
from sightline.api.s3.request import CheckSpace, ObjectRequest, raw_resource, read_request
from sightline.api.s3.xml import XML_TYPE, document, read_completion, read_deletion
from sightline.errors import PlatformError
from sightline.objects import DiskObjectStore
from sightline.objects.disk import OBJECTS_PATH
from sightline.objects.protocol import check_part_number, invalid_request, quoted_etag

MAX_CONTENT_TYPE_LENGTH = 255

Handler = Callable[[ObjectRequest], Awaitable[Response]]


async def put_object(request: ObjectRequest) -> Response:
    _refuse_unsupported_headers(request)
    body = RequestBody(request)
    await request.check_space(body.length)
    async with request.objects.receiver.object(
        request.key, length=body.length, content_type=_content_type(request), checksums=body.checksums
    ) as incoming:
        async for chunk in body.chunks():
            await incoming.write(chunk)
        await incoming.flush()
        checked = body.check(incoming.digests)
        stored = await incoming.commit()
    return Response(headers={"ETag": quoted_etag(stored.etag), **checked})


async def put_part(request: ObjectRequest) -> Response:
    _refuse_unsupported_headers(request)
    number, upload_id = check_part_number(request.number("partNumber", 0)), request.query["uploadId"]
    body = RequestBody(request)
    async with request.objects.receiver.part(
        request.key, upload_id, number, length=body.length, checksums=body.checksums
    ) as incoming:
        async for chunk in body.chunks():
            await incoming.write(chunk)
        await incoming.flush()
        checked = body.check(incoming.digests)
        part = await incoming.commit()
    return Response(headers={"ETag": quoted_etag(part.etag), **checked})


async def create_upload(request: ObjectRequest) -> Response:
    await request.check_space(None)
    upload_id = await request.objects.create_upload(request.key, content_type=_content_type(request))
    fields = [("Bucket", request.bucket), ("Key", request.key), ("UploadId", upload_id)]
    return Response(document("InitiateMultipartUploadResult", fields), media_type=XML_TYPE)


async def complete_upload(request: ObjectRequest) -> Response:
    tags = read_completion(await read_document(request))
    stored = await request.objects.complete_upload(request.key, request.query["uploadId"], tags)
    fields = [
        ("Location", request.objects.url_of(request.key)),
        ("Bucket", request.bucket),
        ("Key", request.key),
        ("ETag", quoted_etag(stored.etag)),
    ]
    return Response(document("CompleteMultipartUploadResult", fields), media_type=XML_TYPE)


async def abort_upload(request: ObjectRequest) -> Response:
    await request.objects.check_upload(request.key, request.query["uploadId"])
    await request.objects.abort_upload(request.key, request.query["uploadId"])
    return Response(status_code=204)


async def delete_object(request: ObjectRequest) -> Response:
    await request.objects.delete([request.key])
    return Response(status_code=204)


async def delete_objects(request: ObjectRequest) -> Response:
    keys, is_quiet = read_deletion(await read_document(request))
    fields = []
    for key in keys:
        try:
            await request.objects.delete([key])
        except PlatformError as error:
            code = str(error.details.get("code", "InternalError"))
            fields.append(("Error", [("Key", key), ("Code", code), ("Message", error.public_message)]))
        else:
            if not is_quiet:
                fields.append(("Deleted", [("Key", key)]))
    return Response(document("DeleteResult", fields), media_type=XML_TYPE)


async def head_bucket(request: ObjectRequest) -> Response:
    return Response()


async def bucket_location(request: ObjectRequest) -> Response:
    return Response(document("LocationConstraint", ()), media_type=XML_TYPE)


# Handlers by method and by the names in the query that select the operation.
_OBJECT_HANDLERS: dict[tuple[str, frozenset[str]], Handler] = {
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
_BUCKET_HANDLERS: dict[tuple[str, frozenset[str]], Handler] = {
    ("HEAD", frozenset()): head_bucket,
    ("GET", frozenset()): list_objects,
    ("GET", frozenset({"uploads"})): list_uploads,
    ("GET", frozenset({"location"})): bucket_location,
    ("POST", frozenset({"delete"})): delete_objects,
}
# Parameters that filter a list or page through it.
_LIST_PARAMETERS = frozenset(
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


def create_objects_router(objects: DiskObjectStore, check_space: CheckSpace) -> APIRouter:
    """Not in the OpenAPI schema: this is the S3 API, for S3 clients."""
    router = APIRouter(include_in_schema=False)

    async def on_objects(http: Request) -> Response:
        try:
            request = read_request(objects, check_space, http)
            return await _handler(request)(request)
        except PlatformError as error:
            return error_response(error, raw_resource(http))

    for path in (OBJECTS_PATH, OBJECTS_PATH + "/", OBJECTS_PATH + "/{bucket}", OBJECTS_PATH + "/{bucket}/{key:path}"):
        router.add_api_route(path, on_objects, methods=["GET", "HEAD", "PUT", "POST", "DELETE"])
    return router


def _handler(request: ObjectRequest) -> Handler:
    method = request.http.method
    if not request.bucket:
        if method == "GET" and not request.selectors:
            return list_buckets
        raise _not_implemented("this operation needs a bucket")
    table = _OBJECT_HANDLERS if request.key else _BUCKET_HANDLERS
    found = table.get((method, request.selectors - _LIST_PARAMETERS))
    if found is None or (found is list_objects and request.query.get("list-type") != "2"):
        named = ", ".join(sorted(request.selectors)) or "nothing else"
        raise _not_implemented(f"{method} with {named} in the query is not supported")
    return found


def _refuse_unsupported_headers(request: ObjectRequest) -> None:
    """Ignoring these headers would store something else than the client meant."""
    for header in ("x-amz-copy-source", "if-match", "if-none-match", "x-amz-write-offset-bytes"):
        if request.header(header) is not None:
            raise _not_implemented(f"A header you provided implies functionality that is not implemented: {header}")


def _content_type(request: ObjectRequest) -> str | None:
    given = request.header("content-type")
    if given and len(given) > MAX_CONTENT_TYPE_LENGTH:
        raise invalid_request(
            "InvalidArgument", f"a Content-Type may have at most {MAX_CONTENT_TYPE_LENGTH} characters"
        )
    return given or None


def _not_implemented(message: str) -> PlatformError:
    return invalid_request("NotImplemented", message)
