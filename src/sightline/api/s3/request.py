"""One request to the object routes: whose key it is about, whether its signature holds, and what it asks for."""

from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from starlette.requests import Request

from sightline.errors import NotFound
from sightline.objects import DiskObjects
from sightline.objects.refusals import refused
from sightline.objects.signed_requests import SignedRequest, Verified, verify
from sightline.objects.sigv4 import query_pairs

PATH = "/objects"

# Said by clients of themselves, or of the answer; they do not choose what is done.
_ASIDE = ("x-amz-", "response-", "x-id", "awsaccesskeyid", "list-type", "encoding-type", "fetch-owner")


@dataclass(frozen=True, slots=True)
class ObjectRequest:
    objects: DiskObjects
    request: Request
    bucket: str
    key: str
    query: dict[str, str]
    verified: Verified

    @property
    def asks_for(self) -> frozenset[str]:
        """The names in the query that choose what is done."""
        return frozenset(name for name in self.query if not name.lower().startswith(_ASIDE))

    def header(self, name: str) -> str | None:
        return self.request.headers.get(name)

    def number(self, name: str, default: int, *, least: int = 0) -> int:
        text = self.query.get(name, str(default))
        if not text.isdecimal() or len(text) > 9 or int(text) < least:
            raise refused("InvalidArgument", f"{name} must be a number from {least} on")
        return int(text)


def raw_resource(request: Request) -> str:
    """The path behind `/objects`, as it was sent."""
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1").removeprefix(PATH)


def read_request(objects: DiskObjects, request: Request) -> ObjectRequest:
    """Raises in S3's words for a signature that does not hold, and for another bucket than ours."""
    raw = raw_resource(request)
    raw_query = request.scope["query_string"].decode("latin-1")
    signed = SignedRequest(request.method, PATH + raw, raw_query, _headers(request))
    verified = verify(signed, objects.signing_key, now=objects.clock(), public_url=objects.public_url)
    bucket, _, key = raw.removeprefix("/").partition("/")
    query = {_text(name): _text(value) for name, value in query_pairs(raw_query)}
    found = ObjectRequest(
        objects, request, _text(unquote_to_bytes(bucket)), _text(unquote_to_bytes(key)), query, verified
    )
    if found.bucket and found.bucket != objects.bucket:
        raise NotFound(f"The specified bucket does not exist: {found.bucket[:100]}", details={"code": "NoSuchBucket"})
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
        raise refused("InvalidURI", "Couldn't parse the specified URI.") from error
