"""AWS signature version 4: signing, presigned URLs, and verification of requests to any service that speaks it."""

from sightline.sigv4.errors import SignatureErrors, denied
from sightline.sigv4.signature import (
    MAX_EXPIRY_S,
    S3,
    TIMESTAMP,
    UNSIGNED_PAYLOAD,
    CredentialScope,
    SigningKey,
    percent_encoded,
    presigned_url,
    query_pairs,
    signature,
)
from sightline.sigv4.verification import MAX_CLOCK_SKEW, KeyLookup, SignedRequest, VerifiedSignature, verify_signature

__all__ = [
    "MAX_CLOCK_SKEW",
    "MAX_EXPIRY_S",
    "S3",
    "TIMESTAMP",
    "UNSIGNED_PAYLOAD",
    "CredentialScope",
    "KeyLookup",
    "SignatureErrors",
    "SignedRequest",
    "SigningKey",
    "VerifiedSignature",
    "denied",
    "percent_encoded",
    "presigned_url",
    "query_pairs",
    "signature",
    "verify_signature",
]
