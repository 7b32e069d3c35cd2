"""Each way in which AWS says no stands on the branch that tells whether to try again."""

import asyncio

import pytest
from botocore.exceptions import (
    ClientError,
    EndpointConnectionError,
    NoCredentialsError,
    ParamValidationError,
)

from sightline.bus.aws.errors import by_entry, translate, translated
from sightline.errors import (
    BackendUnavailable,
    InvalidInput,
    NotFound,
    PermanentFailure,
    PlatformError,
    Throttled,
)


def _said(code: str, status: int = 400) -> ClientError:
    return ClientError(
        {"Error": {"Code": code, "Message": "said"}, "ResponseMetadata": {"HTTPStatusCode": status}}, "Do"
    )


@pytest.mark.parametrize(
    ("error", "branch"),
    [
        (_said("RequestThrottled"), Throttled),
        (_said("ThrottlingException"), Throttled),
        (_said("KMS.ThrottlingException"), Throttled),
        (_said("OverLimit", 403), Throttled),
        (_said("Whatever", 429), Throttled),
        (_said("PurgeQueueInProgress", 403), Throttled),
        (_said("AWS.SimpleQueueService.NonExistentQueue"), NotFound),
        (_said("QueueDoesNotExist"), NotFound),
        (_said("NotFound", 404), NotFound),
        (_said("ResourceNotFoundException"), NotFound),
        (_said("AccessDenied", 403), PermanentFailure),
        (_said("AccessDeniedException"), PermanentFailure),
        (_said("InvalidClientTokenId", 403), PermanentFailure),
        (_said("KMSDisabled"), PermanentFailure),
        (_said("InternalError", 500), BackendUnavailable),
        (_said("ServiceUnavailable", 503), BackendUnavailable),
        (_said("QueueDeletedRecently"), BackendUnavailable),
        (_said("InvalidParameterValue"), InvalidInput),
        (_said("InvalidMessageContents"), InvalidInput),
        (ParamValidationError(report="x"), InvalidInput),
        (EndpointConnectionError(endpoint_url="http://x"), BackendUnavailable),
        (NoCredentialsError(), BackendUnavailable),
        (ConnectionResetError(), BackendUnavailable),
        (TimeoutError(), BackendUnavailable),
    ],
    ids=str,
)
def test_an_error_stands_on_its_branch(error: Exception, branch: type[PlatformError]):
    assert type(translate(error, "SQS", queue="work")) in {branch, *branch.__subclasses__()}


def test_what_is_not_of_aws_passes():
    assert translate(KeyError("x"), "SQS") is None
    with pytest.raises(KeyError), translated("SQS"):
        raise KeyError("x")
    with pytest.raises(asyncio.CancelledError), translated("SQS"):
        raise asyncio.CancelledError


def test_an_unknown_queue_is_named():
    with pytest.raises(NotFound, match="work"), translated("SQS", queue="work"):
        raise _said("QueueDoesNotExist")


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
def test_an_entry_of_a_batch_has_its_own_branch(failed: dict[str, object], branch: type[PlatformError]):
    assert isinstance(by_entry(failed, "SNS"), branch)
