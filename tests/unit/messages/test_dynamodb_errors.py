"""Errors of DynamoDB, on the branch of the error tree that says whether to try again."""

import pytest

from sightline.aws import error_for
from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.messages.dynamodb.client import DYNAMODB, ConditionFailed, TableMissing


@pytest.mark.parametrize(
    ("code", "status", "branch"),
    [
        ("ConditionalCheckFailedException", 400, ConditionFailed),
        ("ResourceNotFoundException", 400, TableMissing),
        ("ProvisionedThroughputExceededException", 400, Throttled),
        ("ThrottlingException", 400, Throttled),
        ("RequestLimitExceeded", 400, Throttled),
        ("LimitExceededException", 400, BackendUnavailable),
        ("ResourceInUseException", 400, BackendUnavailable),
        ("InternalServerError", 500, BackendUnavailable),
        ("ValidationException", 400, PermanentFailure),
        ("AccessDeniedException", 400, PermanentFailure),
    ],
)
def test_each_error_becomes_its_branch(code: str, status: int, branch: type[Exception]):
    error = error_for(DYNAMODB, code, "the reason", status=status)
    assert type(error) is branch
    assert "the reason" in error.message
