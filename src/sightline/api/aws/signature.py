"""Authentication of AWS calls: signature version 4 under an access key of this platform."""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from sightline.access import AccessKey, AccessKeys
from sightline.api.aws.call import AwsError
from sightline.api.aws.request import AwsRequest
from sightline.errors import NotAllowed
from sightline.sigv4 import MAX_CLOCK_SKEW, TIMESTAMP, SignedRequest, verify_signature
from sightline.timing import Clock, utc_now

# Services that report errors in JSON have other codes for the same refusals.
_JSON_SERVICES = frozenset({"events", "scheduler"})


class Signatures:
    def __init__(self, keys: AccessKeys, *, public_url: str, clock: Clock = utc_now) -> None:
        self._keys = keys
        self._public_url = public_url
        self._clock = clock

    async def check(self, request: AwsRequest) -> tuple[AccessKey, str]:
        """The access key that signed the request, and the region it was signed for."""
        body_sha256 = hashlib.sha256(request.body).hexdigest()
        query = request.raw_query.replace("+", "%20")  # a plus is a space, as in any form; clients sign it as one
        verified = await verify_signature(
            SignedRequest(request.method, request.raw_path, query, request.headers, body_sha256),
            self._keys.find,
            now=self._clock(),
            service=request.service,
            errors=_JSON_ERRORS if request.service in _JSON_SERVICES else _ERRORS,
            public_url=self._public_url,
        )
        return verified.key, verified.scope.region


class _Errors:
    """The codes and words of services other than S3."""

    def __init__(self, *, is_json: bool) -> None:
        self._is_json = is_json

    def missing(self) -> AwsError:
        return AwsError("MissingAuthenticationToken", "Request is missing Authentication Token", status=403)

    def invalid(self, message: str) -> AwsError:
        return AwsError("IncompleteSignature", message)

    malformed_query = invalid

    def malformed_header(self, reason: str) -> AwsError:
        return self.invalid(f"The Authorization header is malformed; {reason}")

    def unknown_key(self) -> AwsError:
        code = "UnrecognizedClientException" if self._is_json else "InvalidClientTokenId"
        return AwsError(code, "The security token included in the request is invalid.", status=403)

    def unsigned_headers(self) -> AwsError:
        return self._refused("The headers Host and X-Amz-* of the request must be signed.")

    def mismatch(self) -> AwsError:
        return self._refused(
            "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
            "Access Key and signing method. Consult the service documentation for details."
        )

    def malformed_date(self) -> AwsError:
        return self.invalid("Date must be of the form 20260117T100000Z")

    def other_day(self) -> AwsError:
        return self._refused("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date")

    def too_early(self, timestamp: str, now: datetime, *, is_url: bool) -> AwsError:
        latest = (now + MAX_CLOCK_SKEW).strftime(TIMESTAMP)
        return self._refused(f"Signature not yet current: {timestamp} is still later than {latest}")

    def too_late(self, timestamp: str, now: datetime, *, is_url: bool) -> AwsError:
        earliest = (now - MAX_CLOCK_SKEW).strftime(TIMESTAMP)
        return self._refused(
            "Signature expired: the time of the signed address is over"
            if is_url
            else f"Signature expired: {timestamp} is now earlier than {earliest}"
        )

    def _refused(self, message: str) -> AwsError:
        return AwsError("InvalidSignatureException" if self._is_json else "SignatureDoesNotMatch", message, status=403)


_ERRORS, _JSON_ERRORS = _Errors(is_json=False), _Errors(is_json=True)


def check_scope(scopes: Iterable[str]) -> None:
    """Refuses a key that was not made for this endpoint."""
    if "bus:use" not in scopes:
        raise NotAllowed(
            "This access key lacks the scope bus:use. Create one with: sightline keys create --scope bus:use"
        )
