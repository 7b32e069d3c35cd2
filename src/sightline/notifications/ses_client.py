"""Opens the client of SES, and turns what SES answers into branches of our error tree."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from functools import cache
from typing import Any

from sightline.errors import (
    BackendUnavailable,
    ConfigurationError,
    NotFound,
    PermanentFailure,
    PlatformError,
    Throttled,
)
from sightline.notifications.settings import NotificationsSettings

CONNECT_S = 5
ANSWER_S = 20
RETRY_AFTER = timedelta(seconds=5)

_BUSY = frozenset({"TooManyRequestsException", "LimitExceededException", "Throttling", "ThrottlingException"})
# About this one mail: another may well be taken.
_ABOUT_THE_MAIL = frozenset({"MessageRejected", "BadRequestException", "InvalidParameterValue", "ValidationException"})


@cache
def _session() -> Any:
    """One per process, because reading the descriptions of the services takes most of a second."""
    from aiobotocore.session import get_session

    return get_session()


@asynccontextmanager
async def open_ses(settings: NotificationsSettings) -> AsyncIterator[Any]:
    """The client is untyped, since the library describes its operations at run time."""
    try:
        from aiobotocore.config import AioConfig
    except ImportError as error:
        raise ConfigurationError("SES needs a client that is not installed: pip install 'sightline[aws]'") from error
    secret = settings.ses_secret_access_key
    opening = _session().create_client(
        "sesv2",
        region_name=settings.ses_region,
        endpoint_url=settings.ses_endpoint,
        aws_access_key_id=settings.ses_access_key_id,
        aws_secret_access_key=None if secret is None else secret.get_secret_value(),
        config=AioConfig(
            connect_timeout=CONNECT_S,
            read_timeout=ANSWER_S,
            # One: SES knows no idempotency, so a call whose answer got lost must not be repeated behind our back.
            retries={"mode": "standard", "total_max_attempts": 1},
        ),
    )
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
