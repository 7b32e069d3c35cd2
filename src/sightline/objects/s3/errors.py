"""Errors of S3 as branches of the error tree."""

from contextlib import AbstractContextManager

from sightline.aws import AwsFailure, MakeError, ServiceErrors, error_for, translate_errors, unavailable
from sightline.errors import PlatformError
from sightline.objects.errors import conflict, invalid_request, no_such_key, no_such_upload

_CONFLICTS = (
    "EntityTooLarge",
    "EntityTooSmall",
    "InvalidPart",
    "InvalidPartOrder",
    "InvalidObjectState",
    "OperationAborted",
    "PreconditionFailed",
)
_CONFLICT_STATUSES = (409, 412)
SERVER_ERRORS_FROM = 500
# Bytes that were damaged or cut off in transfer arrive intact another time.
_DAMAGED_IN_TRANSFER = ("BadDigest", "IncompleteBody", "RequestTimeout", "XAmzContentSHA256Mismatch")


def _no_such_key(failure: AwsFailure) -> PlatformError:
    return no_such_key(failure.subject.get("key", ""))


def _no_such_upload(failure: AwsFailure) -> PlatformError:
    return no_such_upload(failure.subject.get("key", ""), failure.subject.get("upload_id", ""))


def _conflict(failure: AwsFailure) -> PlatformError:
    if failure.status >= SERVER_ERRORS_FROM:
        return unavailable(failure)  # an entry of a batch delete, which is worth another attempt
    return conflict(failure.code or str(failure.status), failure.text)


def _refused(failure: AwsFailure) -> PlatformError:
    if failure.status in _CONFLICT_STATUSES:
        return _conflict(failure)
    return invalid_request(failure.code or str(failure.status), failure.text)


def _invalid(message: str) -> PlatformError:
    return invalid_request("InvalidArgument", message)


_CODES: dict[str, MakeError] = {
    "NoSuchKey": _no_such_key,
    "NoSuchUpload": _no_such_upload,
    # The operator has to create the bucket; the request itself is right.
    "NoSuchBucket": unavailable,
    **dict.fromkeys(_DAMAGED_IN_TRANSFER, unavailable),
    **dict.fromkeys(_CONFLICTS, _conflict),
}

S3 = ServiceErrors("S3", part="objects", codes=_CODES, missing=_no_such_key, other=_refused, invalid=_invalid)


def translated(key: str, *, upload_id: str | None = None) -> AbstractContextManager[None]:
    """Inside, errors of the S3 client become errors of the platform. `key` and `upload_id` are those of the call."""
    return translate_errors(S3, key=key, upload_id=upload_id or "")


def by_code(code: str, message: str, status: int, key: str) -> PlatformError:
    """The error for one object of a call about several."""
    return error_for(S3, code, message, status=status, key=key)
