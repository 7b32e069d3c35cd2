"""Which handler answers a request: by method and by the names in its query. Everything else is refused as not implemented."""

from sightline.api.s3.buckets import (
    ABSENT_SETTINGS,
    Handler,
    access_control,
    bucket_location,
    bucket_versioning,
    create_bucket,
    head_bucket,
    object_tags,
    request_payment,
)
from sightline.api.s3.copies import SOURCE_HEADER, copy_object, copy_part
from sightline.api.s3.get import get_object
from sightline.api.s3.listing import list_buckets, list_objects, list_parts, list_uploads
from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.stored_headers import not_implemented
from sightline.api.s3.writes import (
    abort_upload,
    complete_upload,
    create_upload,
    delete_object,
    delete_objects,
    put_object,
    put_part,
)

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
    ("GET", frozenset({"acl"})): access_control,
    ("GET", frozenset({"tagging"})): object_tags,
}
_COPIES: dict[Handler, Handler] = {put_object: copy_object, put_part: copy_part}
_BUCKET_HANDLERS: dict[tuple[str, frozenset[str]], Handler] = {
    ("HEAD", frozenset()): head_bucket,
    ("PUT", frozenset()): create_bucket,
    ("GET", frozenset()): list_objects,
    ("GET", frozenset({"uploads"})): list_uploads,
    ("GET", frozenset({"location"})): bucket_location,
    ("GET", frozenset({"versioning"})): bucket_versioning,
    ("GET", frozenset({"requestPayment"})): request_payment,
    ("GET", frozenset({"acl"})): access_control,
    ("POST", frozenset({"delete"})): delete_objects,
} | {("GET", frozenset({name})): handler for name, handler in ABSENT_SETTINGS.items()}
# Parameters that filter a list or page through it.
_LIST_PARAMETERS = frozenset(
    {
        "prefix",
        "delimiter",
        "marker",
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


def handler_of(request: ObjectRequest) -> Handler:
    method = request.http.method
    if not request.bucket:
        if method == "GET" and not request.selectors:
            return list_buckets
        raise not_implemented("this operation needs a bucket")
    table = _OBJECT_HANDLERS if request.key else _BUCKET_HANDLERS
    found = table.get((method, request.selectors - _LIST_PARAMETERS))
    if found is None:
        named = ", ".join(sorted(request.selectors)) or "nothing else"
        raise not_implemented(f"{method} with {named} in the query is not supported")
    return _COPIES.get(found, found) if request.header(SOURCE_HEADER) is not None else found
