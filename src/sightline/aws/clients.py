"""Clients of AWS services: one session per process, the credentials and the region of each caller."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import SecretStr

from sightline.errors import ConfigurationError

CONNECT_TIMEOUT_S = 5
READ_TIMEOUT_S = 10
MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class AwsAccount:
    """Region, endpoint and credentials of a client. Without keys the library finds them itself, as on a machine of AWS."""

    region: str
    endpoint: str | None
    key_id: str | None
    secret: SecretStr | None


@cache
def _session() -> Any:
    """One per process, because reading the descriptions of the services takes most of a second."""
    from aiobotocore.session import get_session

    return get_session()


@asynccontextmanager
async def open_client(
    service: str,
    account: AwsAccount,
    *,
    required_by: str,
    max_attempts: int = MAX_ATTEMPTS,
    long_poll_s: int = 0,
    **config: Any,
) -> AsyncIterator[Any]:
    """The client is untyped, since the library describes its operations at run time. `config` goes into its configuration.

    `long_poll_s` is how long the service may hold a call open; the read timeout begins after it.
    """
    try:
        from aiobotocore.config import AioConfig
    except ImportError as error:
        raise ConfigurationError(
            f"{required_by}, but the AWS client is not installed: pip install 'sightline[aws]'"
        ) from error
    retries = {"mode": "standard", "total_max_attempts": max_attempts}
    timeouts = {"connect_timeout": CONNECT_TIMEOUT_S, "read_timeout": READ_TIMEOUT_S + long_poll_s}
    opening = _session().create_client(
        service,
        region_name=account.region,
        endpoint_url=account.endpoint,
        aws_access_key_id=account.key_id,
        aws_secret_access_key=None if account.secret is None else account.secret.get_secret_value(),
        config=AioConfig(retries=retries, **(timeouts | config)),
    )
    async with opening as client:
        yield client
