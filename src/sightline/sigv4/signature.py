"""AWS signature version 4: canonical form, signature, and presigned URLs. Pure."""

import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Protocol
from urllib.parse import quote, unquote_to_bytes, urlsplit

ALGORITHM = "AWS4-HMAC-SHA256"
S3 = "s3"
UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD"
MAX_EXPIRY_S = 7 * 24 * 3600
TIMESTAMP = "%Y%m%dT%H%M%SZ"

_SPACES = re.compile(r" +")


class SecretKey(Protocol):
    """A key, of which a signature needs the secret alone."""

    @property
    def secret(self) -> str: ...


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key id and its secret."""

    key_id: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CredentialScope:
    """The scope of a signature: one day, one region, one service."""

    date: str
    region: str
    service: str = S3

    def __str__(self) -> str:
        return f"{self.date}/{self.region}/{self.service}/aws4_request"


def percent_encoded(text: str | bytes, *, keep: str = "") -> str:
    """Percent-encoded as the canonical form requires: everything but letters, digits and `-_.~`."""
    return quote(text, safe=keep + "-_.~")


def canonical_path(raw_path: str, service: str = S3) -> str:
    """The canonical form of the path. `raw_path` is bytes decoded as latin-1, as headers are.

    S3 has one form however the client encoded it. All other services encode what was sent again, so that a slash
    inside of a parameter stays apart from those between parameters.
    """
    if raw_path == "/":  # of nearly all calls of services other than S3
        return raw_path
    raw = raw_path.encode("latin-1")
    return percent_encoded(unquote_to_bytes(raw) if service == S3 else raw, keep="/") or "/"


def canonical_query(pairs: Collection[tuple[str | bytes, str | bytes]]) -> str:
    if not pairs:
        return ""
    return "&".join(
        f"{name}={value}" for name, value in sorted((percent_encoded(n), percent_encoded(v)) for n, v in pairs)
    )


def query_pairs(raw_query: str) -> list[tuple[bytes, bytes]]:
    """Names and values of a query string, which is bytes decoded as latin-1. A plus sign is not a space."""
    split = (item.partition(b"=") for item in raw_query.encode("latin-1").split(b"&") if item)
    return [(unquote_to_bytes(name), unquote_to_bytes(value)) for name, _, value in split]


def canonical_request(
    method: str, path: str, query: str, signed: Sequence[str], values: Iterable[str], payload: str
) -> str:
    """`path` and `query` in canonical form; `values` are those of the headers that are `signed`, by lower-case name."""
    return _canonical_head(method, path, query, tuple(signed), tuple(values)) + payload


@lru_cache(maxsize=64)
def _canonical_head(method: str, path: str, query: str, signed: tuple[str, ...], values: tuple[str, ...]) -> str:
    """Cached, since the calls of a client in one second often differ in their body alone."""
    lines = "".join([f"{name}:{_one_space(value)}\n" for name, value in zip(signed, values, strict=True)])
    return "\n".join((method, path, query, lines, ";".join(signed), ""))


def _one_space(value: str) -> str:
    value = value.strip()
    return _SPACES.sub(" ", value) if "  " in value else value


def string_to_sign(timestamp: str, scope: CredentialScope, canonical: str) -> str:
    return f"{ALGORITHM}\n{timestamp}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"


def signature(key: SecretKey, scope: CredentialScope, text: str) -> str:
    begun = _begun_signature(key.secret, scope.date, scope.region, scope.service).copy()
    begun.update(text.encode())
    return begun.hexdigest()


@lru_cache(maxsize=1024)
def _begun_signature(secret: str, *scope: str) -> hmac.HMAC:
    """What is the same in all signatures by the key of one day, region and service; cached, since it is the larger half of one.
    The cache compares texts: comparing keys and scopes by their fields took as long as the signature itself."""
    derived = f"AWS4{secret}".encode()
    for part in (*scope, "aws4_request"):
        derived = hmac.digest(derived, part.encode(), "sha256")
    return hmac.new(derived, digestmod="sha256")


def presigned_url(
    key: SigningKey,
    method: str,
    url: str,
    query: Mapping[str, str],
    *,
    at: datetime,
    expires_s: int,
    region: str,
    headers: Mapping[str, str] | None = None,
) -> str:
    """`url` with a signature that permits this request for `expires_s` seconds.

    `headers` must be sent with exactly these values; Host always is one of them.
    """
    parts = urlsplit(url)
    timestamp = at.strftime(TIMESTAMP)
    scope = CredentialScope(timestamp[:8], region)
    with_host = {"host": parts.netloc, **(headers or {})}
    signed = sorted(with_host)
    pairs = [
        *query.items(),
        ("X-Amz-Algorithm", ALGORITHM),
        ("X-Amz-Credential", f"{key.key_id}/{scope}"),
        ("X-Amz-Date", timestamp),
        ("X-Amz-Expires", str(expires_s)),
        ("X-Amz-SignedHeaders", ";".join(signed)),
    ]
    path, text = canonical_path(parts.path), canonical_query(pairs)
    values = [with_host[name] for name in signed]
    canonical = canonical_request(method, path, text, signed, values, UNSIGNED_PAYLOAD)
    signed_with = signature(key, scope, string_to_sign(timestamp, scope, canonical))
    return f"{parts.scheme}://{parts.netloc}{path}?{text}&X-Amz-Signature={signed_with}"
