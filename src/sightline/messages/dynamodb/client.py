"""Opens the client of DynamoDB, and turns what DynamoDB answers into branches of our error tree."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Any

from sightline.aws import AwsAccount, open_client
from sightline.errors import BackendUnavailable, PermanentFailure, PlatformError, Throttled
from sightline.messages.settings import MessagesSettings

RETRY_AFTER = timedelta(seconds=1)

_BUSY = frozenset(
    {"ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException", "Throttling"}
)
_NOT_YET = frozenset({"ResourceInUseException", "LimitExceededException", "TransactionInProgressException"})


class ConditionFailed(PlatformError):
    """The item is not in the state that the update expected."""


class TableMissing(BackendUnavailable):
    """There is no such table."""


@asynccontextmanager
async def open_dynamodb(settings: MessagesSettings) -> AsyncIterator[Any]:
    """Every update is conditional, so one whose answer got lost may safely be repeated."""
    account = AwsAccount(
        settings.dynamodb_region,
        settings.dynamodb_endpoint,
        settings.dynamodb_access_key_id,
        settings.dynamodb_secret_access_key,
    )
    async with open_client("dynamodb", account, wanted_by="SIGHTLINE_MESSAGES_BACKEND is dynamodb") as client:
        yield client


@contextmanager
def translated() -> Iterator[None]:
    """Inside, errors of the AWS client become ours."""
    try:
        yield
    except PlatformError:
        raise
    except Exception as error:
        if (ours := _translate(error)) is None:
            raise
        raise ours from error


def _translate(error: Exception) -> PlatformError | None:
    import aiohttp
    from botocore import exceptions as botocore

    if isinstance(error, botocore.ClientError):
        found = error.response.get("Error", {})
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        return by_code(str(found.get("Code", "")), str(found.get("Message", error)), status=status)
    if isinstance(error, botocore.ParamValidationError):
        return PermanentFailure(f"DynamoDB: {error}")
    if isinstance(
        error, (botocore.BotoCoreError, botocore.HTTPClientError, aiohttp.ClientError, OSError, TimeoutError)
    ):
        return BackendUnavailable("messages", f"DynamoDB does not answer: {str(error) or type(error).__name__}")
    return None


def by_code(code: str, message: str, *, status: int) -> PlatformError:
    said = f"DynamoDB: {message or code} ({code})"
    if code == "ConditionalCheckFailedException":
        return ConditionFailed(said)
    if code == "ResourceNotFoundException":
        return TableMissing("messages", said)
    if code in _BUSY or status == 429:
        return Throttled(said, retry_after=RETRY_AFTER)
    if code in _NOT_YET or status >= 500:
        return BackendUnavailable("messages", said)
    return PermanentFailure(said, details={"aws_code": code})
