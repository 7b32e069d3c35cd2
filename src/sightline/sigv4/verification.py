"""Verification of signed requests: by URL or Authorization header, for the right service, with a known key, in time."""

import hmac
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import urlsplit

from sightline.sigv4.errors import S3SignatureErrors, SignatureErrors
from sightline.sigv4.signature import (
    ALGORITHM,
    MAX_EXPIRY_S,
    S3,
    TIMESTAMP,
    UNSIGNED_PAYLOAD,
    CredentialScope,
    SecretKey,
    canonical_path,
    canonical_query,
    canonical_request,
    query_pairs,
    signature,
    string_to_sign,
)

MAX_CLOCK_SKEW = timedelta(minutes=15)
_S3_ERRORS = S3SignatureErrors()
_PAYLOAD = "x-amz-content-sha256"
_ADDED_BY_PROXIES = frozenset({"x-amz-cf-id"})  # added by CloudFront
_HEADER = re.compile(rf"{ALGORITHM} +Credential=([^,\s]+), *SignedHeaders=([^,\s]+), *")
_SIGNATURE = re.compile(r"[0-9a-f]+")


class SignedRequest(NamedTuple):
    """A request as it arrived, not decoded."""

    method: str
    raw_path: str
    raw_query: str
    headers: Mapping[str, str]
    """By lower-case name; several values of one name joined by commas."""
    body_sha256: str | None = None
    """Of the whole body; needed for services other than S3, whose requests need not declare it."""


Key = TypeVar("Key", bound=SecretKey)
KeyLookup = Callable[[str], Awaitable[Key | None]]
"""The key with this id; None if there is none."""


class VerifiedSignature(NamedTuple, Generic[Key]):
    """A valid signature, and what it says about the body."""

    payload: str
    """A sha256, UNSIGNED-PAYLOAD or one of the STREAMING- kinds."""
    timestamp: str
    scope: CredentialScope
    signature: str
    key: Key


class _SignatureClaim(NamedTuple):
    """The signature that a request claims to have."""

    key_id: str
    scope: CredentialScope
    timestamp: str
    signed: Sequence[str]
    signature: str
    payload: str
    query: Sequence[tuple[bytes, bytes]]
    expires_s: int | None


async def verify_signature(
    request: SignedRequest,
    find_key: KeyLookup[Key],
    *,
    now: datetime,
    service: str = S3,
    errors: SignatureErrors = _S3_ERRORS,
    public_url: str | None = None,
) -> VerifiedSignature[Key]:
    """Raises one of `errors`. `public_url` is what clients use when a proxy rewrites the host or strips a path."""
    claim = _read(request, service, errors)
    key = await find_key(claim.key_id)
    if key is None:
        raise errors.unknown_key()
    if not _signs_what_matters(request, claim):
        raise errors.unsigned_headers()
    if not _matches(request, claim, key, request.headers.get("host", ""), "") and not any(
        _matches(request, claim, key, host, prefix) for host, prefix in _other_origins(request, public_url)
    ):
        raise errors.mismatch()
    _check_time(claim, now, errors)  # last, so that only who has a good signature learns of its time
    return VerifiedSignature(claim.payload, claim.timestamp, claim.scope, claim.signature, key)


def _read(request: SignedRequest, service: str, errors: SignatureErrors) -> _SignatureClaim:
    if not request.raw_query and "authorization" in request.headers:
        return _read_header(request, service, [], errors)
    pairs = query_pairs(request.raw_query)
    query = {name.decode("latin-1"): value.decode("latin-1") for name, value in pairs}
    if "X-Amz-Signature" in query or "X-Amz-Algorithm" in query:
        return _read_query(request, service, query, pairs, errors)
    if "authorization" in request.headers:
        return _read_header(request, service, pairs, errors)
    if "AWSAccessKeyId" in query:  # version 2, which newer regions of S3 do not support either
        raise errors.invalid(f"The authorization mechanism you have provided is not supported. Please use {ALGORITHM}.")
    raise errors.missing()


def _read_query(
    request: SignedRequest,
    service: str,
    query: Mapping[str, str],
    pairs: list[tuple[bytes, bytes]],
    errors: SignatureErrors,
) -> _SignatureClaim:
    needed = ("Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature")
    try:
        algorithm, credential, date, expires, signed, made = (query[f"X-Amz-{name}"] for name in needed)
    except KeyError as error:
        raise errors.malformed_query(
            f"Query-string authentication needs the parameters X-Amz-{', '.join(needed)}."
        ) from error
    if algorithm != ALGORITHM:
        raise errors.malformed_query(f'X-Amz-Algorithm only supports "{ALGORITHM}"')
    if not re.fullmatch(r"[0-9]{1,9}", expires) or not 0 < int(expires) <= MAX_EXPIRY_S:
        raise errors.malformed_query(f"X-Amz-Expires must be a number of seconds from 1 to {MAX_EXPIRY_S}")
    key_id, scope = _credential(credential, service, errors.malformed_query)
    kept = [pair for pair in pairs if pair[0] != b"X-Amz-Signature"]
    payload = request.body_sha256 if service != S3 else query.get("X-Amz-Content-Sha256")
    payload = payload or request.headers.get(_PAYLOAD) or UNSIGNED_PAYLOAD
    return _SignatureClaim(key_id, scope, date, signed.split(";"), made, payload, kept, int(expires))


def _read_header(
    request: SignedRequest, service: str, pairs: list[tuple[bytes, bytes]], errors: SignatureErrors
) -> _SignatureClaim:
    start, _, made = request.headers["authorization"].strip().rpartition("Signature=")
    named = _credential_and_headers(start)
    if named is None or not _SIGNATURE.fullmatch(made):
        raise errors.malformed_header(f"{ALGORITHM} with Credential, SignedHeaders and Signature is understood")
    credential, signed = named
    key_id, scope = _credential(credential, service, errors.malformed_header)
    payload = request.headers.get(_PAYLOAD) if service == S3 else request.body_sha256
    if payload is None:
        raise errors.invalid(f"Missing required header for this request: {_PAYLOAD}")
    timestamp = request.headers.get("x-amz-date", "")
    return _SignatureClaim(key_id, scope, timestamp, signed, made, payload, pairs, None)


@lru_cache(maxsize=256)
def _credential_and_headers(start: str) -> tuple[str, tuple[str, ...]] | None:
    """What an Authorization header says before its signature; cached, since a client says the same all day."""
    match = _HEADER.fullmatch(start)
    return None if match is None else (match[1], tuple(match[2].split(";")))


def _credential(credential: str, service: str, malformed: Callable[[str], Exception]) -> tuple[str, CredentialScope]:
    found = _read_credential(credential, service)
    if found is None:
        raise malformed(f"the credential must end with a date, a region, {service} and aws4_request")
    return found


@lru_cache(maxsize=256)
def _read_credential(credential: str, service: str) -> tuple[str, CredentialScope] | None:
    """Key id and scope; None if it is not one for this service. Cached, since a client has the same one all day."""
    key_id, *rest = credential.rsplit("/", 4)
    is_whole = len(rest) == 4 and rest[2:] == [service, "aws4_request"]
    return (key_id, CredentialScope(rest[0], rest[1], service)) if is_whole else None


def _signs_what_matters(request: SignedRequest, claim: _SignatureClaim) -> bool:
    """Headers that could change the meaning of a request must be signed."""
    signed = claim.signed
    unsigned = [name for name in request.headers if name.startswith("x-amz-") and name not in signed]
    return "host" in signed and (not unsigned or _ADDED_BY_PROXIES.issuperset(unsigned))


def _other_origins(request: SignedRequest, public_url: str | None) -> Iterator[tuple[str, str]]:
    """Host and path prefix under which the client may have signed the request, if not under the host that it names."""
    received = request.headers.get("host", "")
    public = urlsplit(public_url or "")
    for host in dict.fromkeys((received, public.netloc or received)):
        for prefix in dict.fromkeys(("", public.path.rstrip("/"))):
            if (host, prefix) != (received, ""):
                yield host, prefix


def _matches(request: SignedRequest, claim: _SignatureClaim, key: SecretKey, host: str, prefix: str) -> bool:
    headers = request.headers
    # A signed header that is missing counts as empty, which then matches nothing.
    values = [host if name == "host" else headers.get(name, "") for name in claim.signed]
    canonical = canonical_request(
        request.method,
        canonical_path(prefix + request.raw_path, claim.scope.service),
        canonical_query(claim.query),
        claim.signed,
        values,
        claim.payload,
    )
    made = signature(key, claim.scope, string_to_sign(claim.timestamp, claim.scope, canonical))
    return hmac.compare_digest(made.encode(), claim.signature.encode())


def _check_time(claim: _SignatureClaim, now: datetime, errors: SignatureErrors) -> None:
    try:
        signed_at = _read_timestamp(claim.timestamp)
    except ValueError as error:
        raise errors.malformed_date() from error
    if claim.scope.date != claim.timestamp[:8]:
        raise errors.other_day()
    is_url = claim.expires_s is not None
    if signed_at > now + MAX_CLOCK_SKEW:
        raise errors.too_early(claim.timestamp, now, is_url=is_url)
    if now >= signed_at + (MAX_CLOCK_SKEW if claim.expires_s is None else timedelta(seconds=claim.expires_s)):
        raise errors.too_late(claim.timestamp, now, is_url=is_url)


@lru_cache(maxsize=256)
def _read_timestamp(text: str) -> datetime:
    """Cached, since all requests of a second have the same one, and reading it takes as long as checking the signature."""
    return datetime.strptime(text, TIMESTAMP).replace(tzinfo=UTC)
