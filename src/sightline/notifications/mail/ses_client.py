"""The SES client, and the errors of SES as branches of the error tree."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any

from sightline.aws import (
    AwsAccount,
    MakeError,
    ServiceErrors,
    not_found,
    open_client,
    permanent_failure,
    translate_errors,
    unavailable,
)
from sightline.notifications.settings import NotificationsSettings

READ_TIMEOUT_S = 20


@asynccontextmanager
async def open_ses(settings: NotificationsSettings) -> AsyncIterator[Any]:
    account = AwsAccount(
        settings.ses_region, settings.ses_endpoint, settings.ses_access_key_id, settings.ses_secret_access_key
    )
    # One attempt: SES has no idempotency, so a call whose response got lost must not be repeated by the library.
    opening = open_client(
        "sesv2", account, required_by="emails are to be sent by SES", max_attempts=1, read_timeout=READ_TIMEOUT_S
    )
    async with opening as client:
        yield client


# These are about this one email: another may well be accepted.
_ABOUT_THE_EMAIL = ("MessageRejected", "BadRequestException", "InvalidParameterValue", "ValidationException")

_CODES: dict[str, MakeError] = {
    "NotFoundException": not_found,
    **dict.fromkeys(_ABOUT_THE_EMAIL, permanent_failure),
}

# An account that may not send may be allowed to later, so every other refusal is worth another attempt.
SES = ServiceErrors(
    "SES",
    part="ses",
    codes=_CODES,
    throttled_codes=frozenset({"LimitExceededException"}),
    retry_after=timedelta(seconds=5),
    missing=unavailable,
    denied=unavailable,
    other=unavailable,
)


def translated() -> AbstractContextManager[None]:
    """Inside, errors of the AWS client become errors of the platform."""
    return translate_errors(SES)
