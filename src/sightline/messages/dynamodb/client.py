"""The DynamoDB client, and the errors of DynamoDB as branches of the error tree."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Any

from sightline.aws import (
    AwsAccount,
    AwsFailure,
    MakeError,
    ServiceErrors,
    open_client,
    permanent_failure,
    translate_errors,
    unavailable,
)
from sightline.errors import BackendUnavailable, PlatformError
from sightline.messages.settings import MessagesSettings


class ConditionFailed(PlatformError):
    """The item is not in the state that the update expected."""


class TableMissing(BackendUnavailable):
    """There is no such table."""


@asynccontextmanager
async def open_dynamodb(settings: MessagesSettings) -> AsyncIterator[Any]:
    """Every update is conditional, so one whose response got lost may safely be repeated."""
    account = AwsAccount(
        settings.dynamodb_region,
        settings.dynamodb_endpoint,
        settings.dynamodb_access_key_id,
        settings.dynamodb_secret_access_key,
    )
    async with open_client("dynamodb", account, required_by="SIGHTLINE_MESSAGES_BACKEND is dynamodb") as client:
        yield client


def _condition_failed(failure: AwsFailure) -> PlatformError:
    return ConditionFailed(failure.text)


def _table_missing(failure: AwsFailure) -> PlatformError:
    return TableMissing(failure.service.part, failure.text)


_CODES: dict[str, MakeError] = {
    "ConditionalCheckFailedException": _condition_failed,
    "ResourceNotFoundException": _table_missing,
    "ResourceInUseException": unavailable,
    "LimitExceededException": unavailable,
    "TransactionInProgressException": unavailable,
}

DYNAMODB = ServiceErrors(
    "DynamoDB",
    part="messages",
    codes=_CODES,
    throttled_codes=frozenset({"ProvisionedThroughputExceededException"}),
    missing=permanent_failure,
)


def translated() -> AbstractContextManager[None]:
    """Inside, errors of the AWS client become errors of the platform."""
    return translate_errors(DYNAMODB)
