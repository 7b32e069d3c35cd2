"""Errors of SNS, SQS and EventBridge, on the branch of the error tree that says whether to try again."""

import asyncio

import pytest
from botocore.exceptions import (
    ClientError,
    EndpointConnectionError,
    NoCredentialsError,
    ParamValidationError,
)

from sightline.aws import translate, translate_errors
from sightline.bus.aws.errors import SNS, SQS, entry_error
from sightline.errors import (
    BackendUnavailable,
    InvalidInput,
    NotFound,
    PermanentFailure,
    PlatformError,
    Throttled,
)


def _error(code: str, status: int = 400) -> ClientError:
    return ClientError(
        {"Error": {"Code": code, "Message": "the reason"}, "ResponseMetadata": {"HTTPStatusCode": status}}, "Do"
    )


@pytest.mark.parametrize(
    ("error", "branch"),
    [
        (_error("RequestThrottled"), Throttled),
        (_error("ThrottlingException"), Throttled),
        (_error("KMS.ThrottlingException"), Throttled),
        (_error("OverLimit", 403), Throttled),
        (_error("Whatever", 429), Throttled),
        (_error("PurgeQueueInProgress", 403), Throttled),
        (_error("AWS.SimpleQueueService.NonExistentQueue"), NotFound),
        (_error("QueueDoesNotExist"), NotFound),
        (_error("NotFound", 404), NotFound),
        (_error("ResourceNotFoundException"), NotFound),
        (_error("AccessDenied", 403), PermanentFailure),
        (_error("AccessDeniedException"), PermanentFailure),
        (_error("InvalidClientTokenId", 403), PermanentFailure),
        (_error("KMSDisabled"), PermanentFailure),
        (_error("InternalError", 500), BackendUnavailable),
        (_error("ServiceUnavailable", 503), BackendUnavailable),
        (_error("QueueDeletedRecently"), BackendUnavailable),
        (_error("InvalidParameterValue"), InvalidInput),
        (_error("InvalidMessageContents"), InvalidInput),
        (ParamValidationError(report="x"), InvalidInput),
        (EndpointConnectionError(endpoint_url="http://x"), BackendUnavailable),
        (NoCredentialsError(), BackendUnavailable),
        (ConnectionResetError(), BackendUnavailable),
        (TimeoutError(), BackendUnavailable),
    ],
    ids=str,
)
def test_each_error_becomes_its_branch(error: Exception, branch: type[PlatformError]):
    assert type(translate(error, SQS, queue="work")) in {branch, *branch.__subclasses__()}


def test_an_error_that_is_not_from_aws_passes_unchanged():
    assert translate(KeyError("x"), SQS) is None
    with pytest.raises(KeyError), translate_errors(SQS):
        raise KeyError("x")
    with pytest.raises(asyncio.CancelledError), translate_errors(SQS):
        raise asyncio.CancelledError


def test_an_unknown_queue_is_named_in_the_error():
    with pytest.raises(NotFound, match="work"), translate_errors(SQS, queue="work"):
        raise _error("QueueDoesNotExist")


@pytest.mark.parametrize(
    ("failed", "branch"),
    [
        ({"Code": "InvalidMessageContents", "SenderFault": True}, InvalidInput),
        ({"Code": "InternalError", "SenderFault": False}, BackendUnavailable),
        ({"Code": "ThrottlingException", "SenderFault": True}, Throttled),
        ({"Code": "AccessDenied", "SenderFault": True}, PermanentFailure),
    ],
    ids=str,
)
def test_each_entry_of_a_batch_has_its_own_branch(failed: dict[str, object], branch: type[PlatformError]):
    assert isinstance(entry_error(failed, SNS), branch)
