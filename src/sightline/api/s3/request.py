"""A verified request to the object endpoint: its bucket, key and query."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from starlette.requests import Request

from sightline.errors import NotFound
from sightline.objects import DiskObjectStore
from sightline.objects.disk import GENERATION_PARAMETER
from sightline.objects.protocol import invalid_request
from sightline.sigv4 import S3, SignedRequest, SigningKey, VerifiedSignature, denied, query_pairs, verify_signature

# Parameters about the client or the response; they do not select the operation.
_NEUTRAL_PARAMETERS = (
    "x-amz-",
    "x-sightline-",
    "response-",
    "x-id",
    "awsaccesskeyid",
    "list-type",
    "encoding-type",
    "fetch-owner",
    "metadata",
)


CheckSpace = Callable[[int | None], Awaitable[None]]
"""Raises `StorageFull` if so many bytes do not fit; None if their number is not known."""


@dataclass(frozen=True, slots=True)
class Addressing:
    """Where the endpoint answers, and how its requests name the bucket."""

    prefix: str = ""
    """The path before the bucket."""
    bucket: str | None = None
    """The bucket that the host names; None: the path does."""
    public_url: str | None = None
    """What clients sign for, if a proxy in front changes it."""


@dataclass(frozen=True, slots=True)
class ObjectRequest:
    objects: DiskObjectStore
    check_space: CheckSpace
    http: Request
    bucket: str
    key: str
    query: dict[str, str]
    verified: VerifiedSignature[SigningKey]
    endpoint_url: str
    """Where the client reached the endpoint."""

    @property
    def selectors(self) -> frozenset[str]:
        """The names in the query that select the operation."""
        return frozenset(name for name in self.query if not name.lower().startswith(_NEUTRAL_PARAMETERS))

    def header(self, name: str) -> str | None:
        return self.http.headers.get(name)

    def number(self, name: str, default: int, *, minimum: int = 0) -> int:
        text = self.query.get(name, str(default))
        if not text.isdecimal() or len(text) > 9 or int(text) < minimum:
            raise invalid_request("InvalidArgument", f"{name} must be a number of at least {minimum}")
        return int(text)


def raw_resource(request: Request, addressing: Addressing) -> str:
    """The path of bucket and key, as it was sent."""
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    path = raw.partition(b"?")[0].decode("latin-1").removeprefix(addressing.prefix)
    return path if addressing.bucket is None else f"/{addressing.bucket}{path}"


async def read_request(
    objects: DiskObjectStore, check_space: CheckSpace, request: Request, addressing: Addressing
) -> ObjectRequest:
    """Raises with the error codes of S3 for an invalid signature or an unknown bucket."""
    raw = raw_resource(request, addressing)
    raw_query = request.scope["query_string"].decode("latin-1")
    sent = raw if addressing.bucket is None else raw.removeprefix(f"/{addressing.bucket}")
    signed = SignedRequest(request.method, addressing.prefix + sent, raw_query, _headers(request))
    verified = await verify_signature(
        signed, objects.find_key, service=S3, now=objects.clock(), public_url=addressing.public_url
    )
    bucket, _, key = raw.removeprefix("/").partition("/")
    query = {_text(name): _text(value) for name, value in query_pairs(raw_query)}
    found = ObjectRequest(
        objects,
        check_space,
        request,
        _text(unquote_to_bytes(bucket)),
        _text(unquote_to_bytes(key)),
        query,
        verified,
        addressing.public_url or f"{request.url.scheme}://{request.headers.get('host', '')}",
    )
    if found.bucket and found.bucket != objects.bucket and (found.key or request.method != "PUT"):
        raise NotFound(f"The specified bucket does not exist: {found.bucket[:100]}", details={"code": "NoSuchBucket"})
    # A request with a signed header was made by the holder of the key itself, not with an address that was given out.
    is_by_url = "X-Amz-Signature" in query
    if is_by_url and query.get(GENERATION_PARAMETER, "0") != str(objects.generations.of_key(found.key)):
        raise denied("AccessDenied", "This address was revoked. Request a new one.")
    return found


def _headers(request: Request) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in request.headers.items():
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise invalid_request("InvalidURI", "Couldn't parse the specified URI.") from error
