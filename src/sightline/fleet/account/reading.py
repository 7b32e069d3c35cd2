"""Clients of an account, and reading from it. Nothing here creates or changes anything."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from sightline.aws import AwsAccount, ServiceErrors, not_found, open_client, translate_errors
from sightline.config import Settings
from sightline.errors import ConfigurationError, NotFound

_MISSING = (
    "AWS.SimpleQueueService.NonExistentQueue",
    "QueueDoesNotExist",
    "NotFound",
    "NotFoundException",
    "ResourceNotFoundException",
    "NoSuchBucket",
    "NoSuchCORSConfiguration",
    "NoSuchLifecycleConfiguration",
    "TemplateDoesNotExist",
)
_ERRORS = ServiceErrors("AWS", "AWS", codes=dict.fromkeys(_MISSING, not_found))


class AccountReader:
    """Open clients by service. They are untyped, since the library describes its operations at run time."""

    def __init__(self, clients: dict[str, Any]) -> None:
        self._clients = clients

    async def read(self, service: str, operation: str, **arguments: Any) -> dict[str, Any] | None:
        """The response, or None if what is asked for does not exist."""
        call: Callable[..., Awaitable[dict[str, Any]]] = getattr(self._clients[service], operation)
        try:
            with translate_errors(_ERRORS):
                return await call(**arguments)
        except NotFound:
            return None

    async def read_all(self, service: str, operation: str, key: str, **arguments: Any) -> list[Any]:
        """Every item of a list, over all its pages."""
        found: list[Any] = []
        with translate_errors(_ERRORS):
            async for page in self._clients[service].get_paginator(operation).paginate(**arguments):
                found += page.get(key, [])
        return found


@asynccontextmanager
async def open_account(settings: Settings) -> AsyncIterator[AccountReader]:
    """Refuses another account than the settings name before anything of it is looked at."""
    bus, objects, messages, mail = settings.bus, settings.objects, settings.messages, settings.notifications
    of_bus = AwsAccount(bus.region, bus.aws_endpoint, bus.aws_access_key_id, bus.aws_secret_access_key)
    accounts = {
        **dict.fromkeys(("sts", "sns", "sqs", "events", "scheduler"), of_bus),
        "s3": AwsAccount(
            objects.s3_region, objects.s3_endpoint, objects.s3_access_key_id, objects.s3_secret_access_key
        ),
        "dynamodb": AwsAccount(
            messages.dynamodb_region,
            messages.dynamodb_endpoint,
            messages.dynamodb_access_key_id,
            messages.dynamodb_secret_access_key,
        ),
        "sesv2": AwsAccount(mail.ses_region, mail.ses_endpoint, mail.ses_access_key_id, mail.ses_secret_access_key),
    }
    async with AsyncExitStack() as stack:
        clients = {}
        for service, account in accounts.items():
            clients[service] = await stack.enter_async_context(
                open_client(service, account, required_by="this command reads an AWS account")
            )
        reader = AccountReader(clients)
        identity = await reader.read("sts", "get_caller_identity")
        if identity is None or identity["Account"] != bus.account_id:
            found = "no account" if identity is None else f"account {identity['Account']}"
            raise ConfigurationError(
                f"the credentials belong to {found}, but SIGHTLINE_BUS_ACCOUNT_ID names {bus.account_id}; nothing was read"
            )
        yield reader
