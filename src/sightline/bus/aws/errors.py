"""Errors of SNS, SQS and EventBridge as branches of the error tree."""

from datetime import timedelta
from typing import Any

from sightline.aws import (
    AwsFailure,
    MakeError,
    ServiceErrors,
    error_for,
    not_found,
    permanent_failure,
    unavailable,
)
from sightline.bus.limits import BusRefusal
from sightline.bus.names import unknown_queue
from sightline.errors import InvalidInput, PlatformError, Throttled

PURGE_EVERY = timedelta(seconds=60)
INVALID_RECEIPT = "ReceiptHandleIsInvalid"

_MISSING_QUEUE = ("AWS.SimpleQueueService.NonExistentQueue", "QueueDoesNotExist")
_MISSING = ("NotFound", "NotFoundException", "ResourceNotFoundException", "ResourceNotFound")
_PURGING = ("AWS.SimpleQueueService.PurgeQueueInProgress", "PurgeQueueInProgress")
_TEMPORARY = ("AWS.SimpleQueueService.QueueDeletedRecently", "QueueDeletedRecently", "ConcurrentModification")
_DENIED = (
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
)
_ENCRYPTION_PREFIXES = ("KMS", "Kms")


def _missing_queue(failure: AwsFailure) -> PlatformError:
    return unknown_queue(failure.subject.get("queue") or failure.message)


def _purging(failure: AwsFailure) -> PlatformError:
    return Throttled(failure.text, retry_after=PURGE_EVERY)


def _refused(failure: AwsFailure) -> PlatformError:
    if failure.code.startswith(_ENCRYPTION_PREFIXES):
        return permanent_failure(failure)
    return BusRefusal(failure.text, failure.code)


_CODES: dict[str, MakeError] = {
    **dict.fromkeys(_MISSING_QUEUE, _missing_queue),
    **dict.fromkeys(_MISSING, not_found),
    **dict.fromkeys(_PURGING, _purging),
    **dict.fromkeys(_TEMPORARY, unavailable),
    **dict.fromkeys(_DENIED, permanent_failure),
}


def bus_service(name: str) -> ServiceErrors:
    """The error table of a service that the bus uses."""
    return ServiceErrors(
        name,
        part="bus",
        codes=_CODES,
        throttled_codes=frozenset({"OverLimit", "LimitExceededException"}),
        other=_refused,
        invalid=InvalidInput,
    )


SQS = bus_service("SQS")
SNS = bus_service("SNS")
EVENT_BRIDGE = bus_service("EventBridge")


def entry_error(entry: dict[str, Any], service: ServiceErrors, *, queue: str = "") -> PlatformError:
    """Why one entry of a batch was not accepted; unless the sender is at fault it is worth another attempt."""
    status = 400 if entry.get("SenderFault", True) else 500
    return error_for(service, str(entry.get("Code", "")), str(entry.get("Message", "")), status=status, queue=queue)
