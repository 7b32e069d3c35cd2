"""The one bucket: its existence, its location, and the settings of buckets that it does not have."""

from collections.abc import Awaitable, Callable

from starlette.responses import Response

from sightline.api.s3.body import read_document
from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.stored_headers import not_implemented
from sightline.api.s3.xml import XML_TYPE, Field, document
from sightline.objects.protocol import invalid_request

Handler = Callable[[ObjectRequest], Awaitable[Response]]

_OWNER: Field = ("Owner", [("ID", "sightline"), ("DisplayName", "sightline")])
_XSI = "http://www.w3.org/2001/XMLSchema-instance"


async def head_bucket(request: ObjectRequest) -> Response:
    return Response(headers={"x-amz-bucket-region": "us-east-1"})


async def create_bucket(request: ObjectRequest) -> Response:
    if request.header("content-length") not in (None, "0"):
        await read_document(request)
    if request.bucket == request.objects.bucket:
        raise invalid_request(
            "BucketAlreadyOwnedByYou",
            "Your previous request to create the named bucket succeeded and you already own it.",
        )
    raise not_implemented(f"this endpoint has one bucket, {request.objects.bucket}; further ones cannot be created")


async def bucket_location(request: ObjectRequest) -> Response:
    return Response(document("LocationConstraint", ()), media_type=XML_TYPE)


async def bucket_versioning(request: ObjectRequest) -> Response:
    return Response(document("VersioningConfiguration", ()), media_type=XML_TYPE)


async def request_payment(request: ObjectRequest) -> Response:
    return Response(document("RequestPaymentConfiguration", [("Payer", "BucketOwner")]), media_type=XML_TYPE)


async def access_control(request: ObjectRequest) -> Response:
    """Of the bucket and of every object: the holder of the key may do everything, others nothing."""
    if request.key and await request.objects.head(request.key) is None:
        raise invalid_request("NoSuchKey", "The specified key does not exist.")
    grantee = ("Grantee", [("ID", "sightline"), ("DisplayName", "sightline")])
    grant: Field = ("Grant", [grantee, ("Permission", "FULL_CONTROL")])
    content = document("AccessControlPolicy", [_OWNER, ("AccessControlList", [grant])])
    typed = f'<Grantee xmlns:xsi="{_XSI}" xsi:type="CanonicalUser">'.encode()
    return Response(content.replace(b"<Grantee>", typed), media_type=XML_TYPE)


async def object_tags(request: ObjectRequest) -> Response:
    if await request.objects.head(request.key) is None:
        raise invalid_request("NoSuchKey", "The specified key does not exist.")
    return Response(document("Tagging", [("TagSet", [])]), media_type=XML_TYPE)


def _absent(code: str, what: str) -> Handler:
    async def absent(request: ObjectRequest) -> Response:
        raise invalid_request(code, f"The bucket has no {what}.")

    return absent


# Settings that clients ask for before they work, by the name in the query. The bucket has none of them.
ABSENT_SETTINGS: dict[str, Handler] = {
    "cors": _absent("NoSuchCORSConfiguration", "CORS configuration of its own; signed URLs work from every origin"),
    "encryption": _absent("ServerSideEncryptionConfigurationNotFoundError", "encryption configuration"),
    "lifecycle": _absent("NoSuchLifecycleConfiguration", "lifecycle configuration"),
    "object-lock": _absent("ObjectLockConfigurationNotFoundError", "object lock configuration"),
    "ownershipControls": _absent("OwnershipControlsNotFoundError", "ownership controls"),
    "policy": _absent("NoSuchBucketPolicy", "policy"),
    "publicAccessBlock": _absent("NoSuchPublicAccessBlockConfiguration", "public access block; it is always private"),
    "replication": _absent("ReplicationConfigurationNotFoundError", "replication configuration"),
    "tagging": _absent("NoSuchTagSet", "tags"),
    "website": _absent("NoSuchWebsiteConfiguration", "website configuration"),
}
