"""What S3 answers when it does not do what was asked, as branches of our error tree."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from sightline.errors import BackendUnavailable, PermanentFailure, PlatformError, Throttled
from sightline.objects.refusals import conflict, no_such_key, no_such_upload, refused

RETRY_AFTER = timedelta(seconds=1)

_BUSY = frozenset({"SlowDown", "RequestLimitExceeded", "TooManyRequests", "Throttling", "ThrottlingException"})
_CONFLICTS = frozenset(
    {
        "EntityTooLarge",
        "EntityTooSmall",
        "InvalidPart",
        "InvalidPartOrder",
        "InvalidObjectState",
        "OperationAborted",
        "PreconditionFailed",
    }
)
# Bytes that were damaged or cut off on the way arrive whole another time.
_ANOTHER_TIME = frozenset({"BadDigest", "IncompleteBody", "RequestTimeout", "XAmzContentSHA256Mismatch"})


@contextmanager
def translated(key: str, *, upload_id: str | None = None) -> Iterator[None]:
    """Inside, errors of the S3 client become ours. `key` and `upload_id` are those that are spoken of."""
    try:
        yield
    except PlatformError:
        raise
    except Exception as error:
        if (ours := translate(error, key, upload_id=upload_id)) is None:
            raise
        raise ours from error


def translate(error: Exception, key: str, *, upload_id: str | None = None) -> PlatformError | None:
    """None for an error that did not come from the S3 client or the way to it."""
    # Imported here, so that an installation without AWS can import everything and is told what it lacks.
    import aiohttp
    from botocore import exceptions as botocore

    if isinstance(error, botocore.ClientError):
        found = error.response.get("Error", {})
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        return by_code(str(found.get("Code", "")), str(found.get("Message", error)), status, key, upload_id=upload_id)
    if isinstance(error, botocore.ParamValidationError):
        return refused("InvalidArgument", f"S3: {error}")
    if isinstance(
        error, (botocore.BotoCoreError, botocore.HTTPClientError, aiohttp.ClientError, OSError, TimeoutError)
    ):
        return BackendUnavailable("objects", f"S3 does not answer: {str(error) or type(error).__name__}")
    return None


def by_code(code: str, message: str, status: int, key: str, *, upload_id: str | None = None) -> PlatformError:
    said = f"S3, asked for {key}: {message or code} ({code})"
    if code == "NoSuchUpload":
        return no_such_upload(key, upload_id or "")
    if code == "NoSuchBucket":
        return BackendUnavailable("objects", said)  # somebody has to make it; what is asked for is not wrong
    if code == "NoSuchKey" or status == 404:
        return no_such_key(key)
    if code in _BUSY or status == 429:
        return Throttled(said, retry_after=RETRY_AFTER)
    if status >= 500 or status == 408 or code in _ANOTHER_TIME:
        return BackendUnavailable("objects", said)
    if status in (401, 403):
        return PermanentFailure(said, details={"aws_code": code})
    if code in _CONFLICTS or status in (409, 412):
        return conflict(code or str(status), said)
    return refused(code or str(status), said)
