"""AWS signature version 4: signing, presigned URLs, and verification of requests to any service that speaks it."""

from sightline.sigv4.signature import (
    MAX_EXPIRY_S,
    S3,
    TIMESTAMP,
    UNSIGNED_PAYLOAD,
    CredentialScope,
    SigningKey,
    canonical_query,
    canonical_request,
    derived_key,
    percent_encoded,
    presigned_url,
    query_pairs,
    signature,
    string_to_sign,
)
from sightline.sigv4.verification import KeyLookup, SignedRequest, VerifiedSignature, denied, verify_signature

__all__ = [
    "MAX_EXPIRY_S",
    "S3",
    "TIMESTAMP",
    "UNSIGNED_PAYLOAD",
    "CredentialScope",
    "KeyLookup",
    "SignedRequest",
    "SigningKey",
    "VerifiedSignature",
    "canonical_query",
    "canonical_request",
    "denied",
    "derived_key",
    "percent_encoded",
    "presigned_url",
    "query_pairs",
    "signature",
    "string_to_sign",
    "verify_signature",
]
