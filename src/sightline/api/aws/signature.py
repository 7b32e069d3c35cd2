"""Authentication of AWS calls: signature version 4 under an access key of this platform."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from urllib.parse import quote, urlsplit

from sightline.access import AccessKey, AccessKeys
from sightline.api.aws.call import AwsError
from sightline.api.aws.request import AwsRequest
from sightline.sigv4 import (
    TIMESTAMP,
    CredentialScope,
    SigningKey,
    canonical_query,
    canonical_request,
    derived_key,
    query_pairs,
    string_to_sign,
)
from sightline.timing import Clock, utc_now

MAX_CLOCK_SKEW = timedelta(minutes=15)
MAX_EXPIRY_S = 7 * 24 * 3600
_HEADER = re.compile(r"AWS4-HMAC-SHA256 +Credential=([^,\s]+), *SignedHeaders=([^,\s]+), *Signature=([0-9a-f]+)")
# Services that report errors in JSON have other codes for the same refusals.
_JSON_SERVICES = frozenset({"events", "scheduler"})


@dataclass(frozen=True, slots=True)
class _Claim:
    key_id: str
    scope: CredentialScope
    timestamp: str
    signed: tuple[str, ...]
    signature: str
    pairs: list[tuple[bytes, bytes]]
    expires_s: int | None = None


class Signatures:
    def __init__(self, keys: AccessKeys, *, public_url: str, clock: Clock = utc_now) -> None:
        self._keys = keys
        self._public_host = urlsplit(public_url).netloc
        self._clock = clock

    async def check(self, request: AwsRequest) -> tuple[AccessKey, str]:
        """The access key that signed the request, and the region it was signed for."""
        claim = _read(request)
        key = await self._keys.find(claim.key_id)
        if key is None:
            is_json = request.service in _JSON_SERVICES
            code = "UnrecognizedClientException" if is_json else "InvalidClientTokenId"
            raise AwsError(code, "The security token included in the request is invalid.", status=403)
        hosts = dict.fromkeys((request.headers.get("host", ""), self._public_host))
        if "host" not in claim.signed or not any(_matches(request, claim, key.secret, host) for host in hosts):
            raise _mismatch(
                request,
                "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
                "Access Key and signing method. Consult the service documentation for details.",
            )
        _check_time(request, claim, self._clock())
        return key, claim.scope.region


def _read(request: AwsRequest) -> _Claim:
    header = request.headers.get("authorization")
    if header is not None:
        match = _HEADER.fullmatch(header.strip())
        if match is None:
            raise AwsError("IncompleteSignature", f"Authorization header requires all parameters: {header[:40]}")
        credential, signed, signature = match.groups()
        timestamp = request.headers.get("x-amz-date", "")
        return _claim(
            credential, timestamp, signed, signature, query_pairs(request.raw_query) if request.raw_query else []
        )
    query = dict(request.query)
    if "X-Amz-Signature" not in query:
        raise AwsError("MissingAuthenticationToken", "Request is missing Authentication Token", status=403)
    pairs = [pair for pair in query_pairs(request.raw_query) if pair[0] != b"X-Amz-Signature"]
    expires = query.get("X-Amz-Expires", "")
    if not re.fullmatch("[0-9]{1,7}", expires) or int(expires) > MAX_EXPIRY_S:
        raise AwsError("IncompleteSignature", f"X-Amz-Expires must be a number of seconds up to {MAX_EXPIRY_S}")
    try:
        return _claim(
            query["X-Amz-Credential"],
            query["X-Amz-Date"],
            query["X-Amz-SignedHeaders"],
            query["X-Amz-Signature"],
            pairs,
            int(expires),
        )
    except KeyError as error:
        raise AwsError("IncompleteSignature", f"The request lacks the parameter {error.args[0]}") from error


def _claim(
    credential: str,
    timestamp: str,
    signed: str,
    signature: str,
    pairs: list[tuple[bytes, bytes]],
    expires_s: int | None = None,
) -> _Claim:
    key_id, *rest = credential.rsplit("/", 4)
    if len(rest) != 4 or rest[3] != "aws4_request":
        raise AwsError(
            "IncompleteSignature",
            "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term",
        )
    date, region, service, _ = rest
    return _Claim(
        key_id, CredentialScope(date, region, service), timestamp, tuple(signed.split(";")), signature, pairs, expires_s
    )


def _matches(request: AwsRequest, claim: _Claim, secret: str, host: str) -> bool:
    headers = {name: request.headers.get(name, "") for name in claim.signed} | {"host": host}
    # The path is encoded once more than it was sent: all services but S3 do so.
    path = quote(request.raw_path, safe="/-_.~")
    payload = hashlib.sha256(request.body).hexdigest()
    canonical = canonical_request(
        request.method, path, canonical_query(claim.pairs) if claim.pairs else "", headers, claim.signed, payload
    )
    text = string_to_sign(claim.timestamp, claim.scope, canonical)
    made = hmac.new(_cached_key(claim.key_id, secret, claim.scope), text.encode(), "sha256").hexdigest()
    return hmac.compare_digest(made.encode(), claim.signature.encode())


@lru_cache(maxsize=1024)
def _cached_key(key_id: str, secret: str, scope: CredentialScope) -> bytes:
    return derived_key(SigningKey(key_id, secret), scope)


def _check_time(request: AwsRequest, claim: _Claim, now: datetime) -> None:
    try:
        signed_at = datetime.strptime(claim.timestamp, TIMESTAMP).replace(tzinfo=UTC)
    except ValueError as error:
        raise AwsError("IncompleteSignature", "Date must be of the form 20260117T100000Z") from error
    if claim.scope.date != claim.timestamp[:8]:
        raise _mismatch(request, "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date")
    ends_at = signed_at + (MAX_CLOCK_SKEW if claim.expires_s is None else timedelta(seconds=claim.expires_s))
    if now > ends_at:
        raise _mismatch(
            request, f"Signature expired: {claim.timestamp} is now earlier than {_text(now - MAX_CLOCK_SKEW)}"
        )
    if signed_at > now + MAX_CLOCK_SKEW:
        raise _mismatch(
            request, f"Signature not yet current: {claim.timestamp} is still later than {_text(now + MAX_CLOCK_SKEW)}"
        )


def _text(at: datetime) -> str:
    return at.strftime(TIMESTAMP)


def _mismatch(request: AwsRequest, message: str) -> AwsError:
    code = "InvalidSignatureException" if request.service in _JSON_SERVICES else "SignatureDoesNotMatch"
    return AwsError(code, message, status=403)


def check_scope(scopes: Iterable[str], service: str) -> None:
    """Refuses a key that was not made for this endpoint."""
    if "bus:use" in scopes:
        return
    code = {"sns": "AuthorizationError", "sqs": "AccessDenied"}.get(service, "AccessDeniedException")
    raise AwsError(
        code,
        "This access key lacks the scope bus:use. Create one with: sightline keys create --scope bus:use",
        status=403,
    )
