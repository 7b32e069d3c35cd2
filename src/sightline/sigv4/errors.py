"""Errors of signatures: each service of AWS refuses with codes and words of its own."""

from datetime import datetime
from typing import Protocol

from sightline.errors import InvalidInput, NotAllowed


class SignatureErrors(Protocol):
    """The errors of one service. Every method returns the error to raise."""

    def missing(self) -> Exception: ...

    def invalid(self, message: str) -> Exception: ...

    def malformed_header(self, reason: str) -> Exception: ...

    def malformed_query(self, reason: str) -> Exception: ...

    def unknown_key(self) -> Exception: ...

    def unsigned_headers(self) -> Exception: ...

    def mismatch(self) -> Exception: ...

    def malformed_date(self) -> Exception: ...

    def other_day(self) -> Exception: ...

    def too_early(self, timestamp: str, now: datetime, *, is_url: bool) -> Exception: ...

    def too_late(self, timestamp: str, now: datetime, *, is_url: bool) -> Exception: ...


def denied(code: str, message: str) -> NotAllowed:
    return NotAllowed(message, details={"code": code})


class S3SignatureErrors:
    """The codes and words of S3, which clients of buckets read."""

    def missing(self) -> Exception:
        return denied("AccessDenied", "Access Denied")

    def invalid(self, message: str) -> Exception:
        return _malformed("InvalidRequest", message)

    def malformed_header(self, reason: str) -> Exception:
        return _malformed("AuthorizationHeaderMalformed", f"The authorization header is malformed; {reason}")

    def malformed_query(self, reason: str) -> Exception:
        return _malformed("AuthorizationQueryParametersError", reason)

    def unknown_key(self) -> Exception:
        return denied("InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")

    def unsigned_headers(self) -> Exception:
        return denied("AccessDenied", "There were headers present in the request which were not signed")

    def mismatch(self) -> Exception:
        return denied(
            "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
        )

    def malformed_date(self) -> Exception:
        return denied("AccessDenied", "the date of the signature must be of the form 20260117T100000Z")

    def other_day(self) -> Exception:
        return denied("SignatureDoesNotMatch", "the credential is of another day than the request")

    def too_early(self, timestamp: str, now: datetime, *, is_url: bool) -> Exception:
        return denied("AccessDenied", "Request is not valid yet") if is_url else _skewed()

    def too_late(self, timestamp: str, now: datetime, *, is_url: bool) -> Exception:
        return denied("AccessDenied", "Request has expired") if is_url else _skewed()


def _skewed() -> Exception:
    return denied("RequestTimeTooSkewed", "The difference between the request time and the current time is too large.")


def _malformed(code: str, message: str) -> InvalidInput:
    return InvalidInput(message, details={"code": code})
