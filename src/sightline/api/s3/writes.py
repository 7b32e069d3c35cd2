"""Objects and parts that clients send, and multipart uploads."""

from starlette.responses import Response

from sightline.api.s3.body import RequestBody, read_document
from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.stored_headers import content_type, not_implemented, refuse_unsupported, stored_headers
from sightline.api.s3.xml import XML_TYPE, Field, document, read_completion, read_deletion
from sightline.errors import PlatformError
from sightline.objects.protocol import CHECKSUM_HEADER_PREFIX, check_part_number, quoted_etag

_OBJECT_CHECKSUMS = ("crc32", "crc32c", "crc64nvme", "sha1", "sha256")


async def put_object(request: ObjectRequest) -> Response:
    refuse_unsupported(request)
    body = RequestBody(request)
    await request.check_space(body.length)
    async with request.objects.receiver.object(
        request.key,
        length=body.length,
        content_type=content_type(request),
        headers=stored_headers(request),
        checksums=body.checksums,
    ) as incoming:
        async for chunk in body.chunks():
            await incoming.write(chunk)
        await incoming.flush()
        checked = body.check(incoming.digests)
        stored = await incoming.commit()
    return Response(headers={"ETag": quoted_etag(stored.etag), **checked})


async def put_part(request: ObjectRequest) -> Response:
    refuse_unsupported(request)
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
    refuse_unsupported(request)
    await request.check_space(None)
    upload_id = await request.objects.create_upload(
        request.key, content_type=content_type(request), headers=stored_headers(request)
    )
    fields = [("Bucket", request.bucket), ("Key", request.key), ("UploadId", upload_id)]
    return Response(document("InitiateMultipartUploadResult", fields), media_type=XML_TYPE)


async def complete_upload(request: ObjectRequest) -> Response:
    refuse_unsupported(request)
    if any(request.header(CHECKSUM_HEADER_PREFIX + name) is not None for name in _OBJECT_CHECKSUMS):
        # Here these headers are about the whole object, not about the document in the body.
        raise not_implemented("a checksum of the whole object is not checked at completion; send one with each part")
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
    fields: list[Field] = []
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
