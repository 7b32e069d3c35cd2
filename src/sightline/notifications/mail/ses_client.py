"""Opens the client of SES, and turns what SES answers into branches of our error tree."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Any

from sightline.aws import AwsAccount, open_client
from sightline.errors import (
    BackendUnavailable,
    NotFound,
    PermanentFailure,
    PlatformError,
    Throttled,
)
from sightline.notifications.settings import NotificationsSettings

ANSWER_S = 20
RETRY_AFTER = timedelta(seconds=5)

_BUSY = frozenset({"TooManyRequestsException", "LimitExceededException", "Throttling", "ThrottlingException"})
# About this one mail: another may well be taken.
_ABOUT_THE_MAIL = frozenset({"MessageRejected", "BadRequestException", "InvalidParameterValue", "ValidationException"})


@asynccontextmanager
async def open_ses(settings: NotificationsSettings) -> AsyncIterator[Any]:
    account = AwsAccount(
        settings.ses_region, settings.ses_endpoint, settings.ses_access_key_id, settings.ses_secret_access_key
    )
    # One attempt: SES knows no idempotency, so a call whose answer got lost must not be repeated behind our back.
    opening = open_client("sesv2", account, wanted_by="mails are to go by SES", attempts=1, read_timeout=ANSWER_S)
    async with opening as client:
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
        return PermanentFailure(f"SES: {error}")
    if isinstance(
        error, (botocore.BotoCoreError, botocore.HTTPClientError, aiohttp.ClientError, OSError, TimeoutError)
    ):
        return BackendUnavailable("ses", f"SES does not answer: {str(error) or type(error).__name__}")
    return None


def by_code(code: str, message: str, *, status: int) -> PlatformError:
    """What is wrong with the mail is final; an account that may not send, or sends too fast, may do so later."""
    said = f"SES: {message or code} ({code})"
    if code in _BUSY or status == 429:
        return Throttled(said, retry_after=RETRY_AFTER)
    if code == "NotFoundException":
        return NotFound(said)
    if code in _ABOUT_THE_MAIL:
        return PermanentFailure(said, details={"aws_code": code})
    return BackendUnavailable("ses", said)
