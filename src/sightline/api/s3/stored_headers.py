"""Headers of a request that stores an object: those kept with it, and those that ask for what this endpoint does not have."""

from sightline.api.s3.request import ObjectRequest
from sightline.errors import PlatformError
from sightline.objects.protocol import invalid_request

MAX_CONTENT_TYPE_LENGTH = 255
MAX_STORED_BYTES = 2048
"""As S3 limits user metadata. It also keeps them below what ext4 has room for beside a file, which is 4 KiB."""
USER_METADATA_PREFIX = "x-amz-meta-"

_KEPT = ("cache-control", "content-disposition", "content-encoding", "content-language", "expires")
# Ignoring these headers would store something else than the client meant.
_UNSUPPORTED = (
    "if-match",
    "if-none-match",
    "x-amz-grant-",
    "x-amz-object-lock-",
    "x-amz-server-side-encryption",
    "x-amz-tagging",
    "x-amz-website-redirect-location",
    "x-amz-write-offset-bytes",
)


def content_type(request: ObjectRequest) -> str | None:
    given = request.header("content-type")
    if given and len(given) > MAX_CONTENT_TYPE_LENGTH:
        raise invalid_request(
            "InvalidArgument", f"a Content-Type may have at most {MAX_CONTENT_TYPE_LENGTH} characters"
        )
    return given or None


def stored_headers(request: ObjectRequest) -> tuple[tuple[str, str], ...]:
    """Headers that are returned with the object: user metadata, and what browsers need to show it."""
    found: dict[str, str] = {}
    for name, value in request.http.headers.items():
        if name in _KEPT or name.startswith(USER_METADATA_PREFIX):
            text = _text(name, value)
            found[name] = f"{found[name]},{text}" if name in found else text
    encoding = [one.strip() for one in found.pop("content-encoding", "").split(",")]
    if kept := ",".join(one for one in encoding if one not in ("", "aws-chunked")):
        found["content-encoding"] = kept
    size = sum(len(name.encode()) + len(value.encode()) for name, value in found.items())
    if size > MAX_STORED_BYTES:
        raise invalid_request(
            "MetadataTooLarge",
            f"metadata and headers have {size} bytes together, at most {MAX_STORED_BYTES} are stored",
        )
    return tuple(found.items())


def refuse_unsupported(request: ObjectRequest) -> None:
    for name, value in request.http.headers.items():
        if name.startswith(_UNSUPPORTED):
            raise not_implemented(f"A header you provided implies functionality that is not implemented: {name}")
        if name == "x-amz-acl" and value != "private":
            raise not_implemented(f"objects are private; the ACL {value[:40]!r} is not supported")
        if name == "x-amz-storage-class" and value != "STANDARD":
            raise invalid_request("InvalidStorageClass", "The storage class you specified is not valid: use STANDARD")


def not_implemented(message: str) -> PlatformError:
    return invalid_request("NotImplemented", message)


def _text(name: str, value: str) -> str:
    """Servers read headers as latin-1; clients mean UTF-8."""
    try:
        text = value.encode("latin-1").decode()
    except UnicodeDecodeError as error:
        raise invalid_request("InvalidArgument", f"the header {name} is not UTF-8") from error
    if not text.isprintable():
        raise invalid_request("InvalidArgument", f"the header {name} contains characters that are not allowed")
    return text
