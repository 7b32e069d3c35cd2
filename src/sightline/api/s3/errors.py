"""Errors of the object endpoint, in the XML form and with the codes of S3."""

import structlog
from starlette.responses import Response

from sightline.api.s3.xml import XML_TYPE, document
from sightline.errors import (
    BackendUnavailable,
    Conflict,
    InvalidInput,
    NotAllowed,
    NotFound,
    PlatformError,
    Throttled,
    TransientFailure,
)
from sightline.observability import correlation_id

log = structlog.get_logger(__name__)

_STATUS_OF_CODE = {
    "AccessDenied": 403,
    "BucketAlreadyOwnedByYou": 409,
    "InsufficientStorage": 507,
    "InvalidAccessKeyId": 403,
    "InvalidRange": 416,
    "KeyConflict": 409,
    "MethodNotAllowed": 405,
    "MissingContentLength": 411,
    "NoSuchBucket": 404,
    "NoSuchBucketPolicy": 404,
    "NoSuchCORSConfiguration": 404,
    "NoSuchKey": 404,
    "NoSuchLifecycleConfiguration": 404,
    "NoSuchPublicAccessBlockConfiguration": 404,
    "NoSuchTagSet": 404,
    "NoSuchUpload": 404,
    "NoSuchWebsiteConfiguration": 404,
    "NotImplemented": 501,
    "ObjectLockConfigurationNotFoundError": 404,
    "OwnershipControlsNotFoundError": 404,
    "PreconditionFailed": 412,
    "ReplicationConfigurationNotFoundError": 404,
    "RequestTimeTooSkewed": 403,
    "ServerSideEncryptionConfigurationNotFoundError": 404,
    "SignatureDoesNotMatch": 403,
}
_BY_KIND: tuple[tuple[type[PlatformError], int, str], ...] = (
    (NotAllowed, 403, "AccessDenied"),
    (NotFound, 404, "NoSuchKey"),
    (InvalidInput, 400, "InvalidRequest"),
    (Conflict, 400, "InvalidRequest"),
    (Throttled, 503, "SlowDown"),
    (BackendUnavailable, 503, "ServiceUnavailable"),
    (TransientFailure, 503, "ServiceUnavailable"),
)


def error_response(error: PlatformError, resource: str) -> Response:
    status, code = _status_and_code(error)
    if status >= 500:
        log.error("request.failed", path=resource, error=error.message)
    fields = [
        ("Code", code),
        ("Message", error.public_message),
        ("Resource", resource),
        ("RequestId", correlation_id() or ""),
        ("HostId", "sightline"),
    ]
    headers = {}
    if code == "InvalidRange":
        headers["Content-Range"] = f"bytes */{error.details.get('size', '*')}"
    return Response(document("Error", fields, namespace=None), status, headers, XML_TYPE)


def _status_and_code(error: PlatformError) -> tuple[int, str]:
    by_kind = next(
        ((status, code) for kind, status, code in _BY_KIND if isinstance(error, kind)), (500, "InternalError")
    )
    code = str(error.details.get("code", by_kind[1]))
    if code in _STATUS_OF_CODE:
        return _STATUS_OF_CODE[code], code
    return by_kind[0], code
