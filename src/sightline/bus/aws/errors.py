"""What AWS answers when it does not do what was asked, as branches of our error tree."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from sightline.bus.limits import BusRefusal
from sightline.bus.names import unknown_queue
from sightline.errors import BackendUnavailable, InvalidInput, NotFound, PermanentFailure, PlatformError, Throttled

RETRY_AFTER = timedelta(seconds=1)
PURGE_EVERY = timedelta(seconds=60)

NO_SUCH_QUEUE = frozenset({"AWS.SimpleQueueService.NonExistentQueue", "QueueDoesNotExist"})
NO_SUCH_THING = frozenset({"NotFound", "NotFoundException", "ResourceNotFoundException", "ResourceNotFound"})
BAD_RECEIPT = "ReceiptHandleIsInvalid"
_PURGING = frozenset({"AWS.SimpleQueueService.PurgeQueueInProgress", "PurgeQueueInProgress"})
_BUSY = frozenset(
    {"OverLimit", "TooManyRequestsException", "RequestLimitExceeded", "SlowDown", "LimitExceededException"}
)
_NOT_YET = frozenset({"AWS.SimpleQueueService.QueueDeletedRecently", "QueueDeletedRecently", "ConcurrentModification"})
_DENIED = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "AuthorizationError",
        "AuthorizationErrorException",
        "ExpiredToken",
        "ExpiredTokenException",
        "InvalidClientTokenId",
        "InvalidSecurity",
        "NotAuthorizedException",
        "OptInRequired",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)


@contextmanager
def translated(service: str, *, queue: str | None = None) -> Iterator[None]:
    """Inside, errors of the AWS client become ours. `queue` is the one that is spoken of."""
    try:
        yield
    except PlatformError:
        raise
    except Exception as error:
        if (ours := translate(error, service, queue=queue)) is None:
            raise
        raise ours from error


def translate(error: Exception, service: str, *, queue: str | None = None) -> PlatformError | None:
    """None for an error that did not come from the AWS client or the way to it."""
    # Imported here, so that an installation without AWS can import everything and is told what it lacks.
    import aiohttp
    from botocore import exceptions as botocore

    if isinstance(error, botocore.ClientError):
        found = error.response.get("Error", {})
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        return by_code(
            str(found.get("Code", "")), str(found.get("Message", error)), service, status=status, queue=queue
        )
    if isinstance(error, botocore.ParamValidationError):
        return InvalidInput(f"{service}: {error}")
    if isinstance(
        error, (botocore.BotoCoreError, botocore.HTTPClientError, aiohttp.ClientError, OSError, TimeoutError)
    ):
        return BackendUnavailable("bus", f"{service} does not answer: {str(error) or type(error).__name__}")
    return None


def by_code(code: str, message: str, service: str, *, status: int = 400, queue: str | None = None) -> PlatformError:
    """The branch for an error code, of a whole call or of one entry in a batch."""
    said = f"{service}: {message or code} ({code})"
    if code in NO_SUCH_QUEUE:
        return unknown_queue(queue or message)
    if code in _PURGING:
        return Throttled(said, retry_after=PURGE_EVERY)
    if code in _BUSY or "throttl" in code.lower() or status == 429:
        return Throttled(said, retry_after=RETRY_AFTER)
    if code in NO_SUCH_THING or status == 404:
        return NotFound(said, code="NotFound")
    if code in _DENIED or code.startswith(("KMS", "Kms")) or status in {401, 403}:
        return PermanentFailure(said, details={"aws_code": code})
    if code in _NOT_YET or status == 408 or status >= 500:
        return BackendUnavailable("bus", said)
    return BusRefusal(said, code)


def by_entry(failed: dict[str, Any], service: str, *, queue: str | None = None) -> PlatformError:
    """Why one entry of a batch was not taken; without a fault of the sender's it is worth another try."""
    status = 400 if failed.get("SenderFault", True) else 500
    return by_code(str(failed.get("Code", "")), str(failed.get("Message", "")), service, status=status, queue=queue)
