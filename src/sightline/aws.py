"""Opens clients of AWS services: one session per process, the keys and the region of whoever asks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import SecretStr

from sightline.errors import ConfigurationError

CONNECT_S = 5
ANSWER_S = 10
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class AwsAccount:
    """Where a service is, and who asks. Without keys the library finds them itself, as on a machine of AWS."""

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
    service: str, account: AwsAccount, *, wanted_by: str, attempts: int = ATTEMPTS, **more: Any
) -> AsyncIterator[Any]:
    """The client is untyped, since the library describes its operations at run time. `more` goes into its configuration."""
    try:
        from aiobotocore.config import AioConfig
    except ImportError as error:
        raise ConfigurationError(
            f"{wanted_by}, but its client is not installed: pip install 'sightline[aws]'"
        ) from error
    retries = {"mode": "standard", "total_max_attempts": attempts}
    times = {"connect_timeout": CONNECT_S, "read_timeout": ANSWER_S}
    opening = _session().create_client(
        service,
        region_name=account.region,
        endpoint_url=account.endpoint,
        aws_access_key_id=account.key_id,
        aws_secret_access_key=None if account.secret is None else account.secret.get_secret_value(),
        config=AioConfig(retries=retries, **(times | more)),
    )
    async with opening as client:
        yield client
