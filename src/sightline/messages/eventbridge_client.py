"""Opens the client of EventBridge Scheduler, with the keys and the region of the bus."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from sightline.bus import BusSettings
from sightline.errors import ConfigurationError

CONNECT_S = 5
ANSWER_S = 10


@cache
def _session() -> Any:
    """One per process, because reading the descriptions of the services takes most of a second."""
    from aiobotocore.session import get_session

    return get_session()


@asynccontextmanager
async def open_eventbridge_scheduler(bus: BusSettings) -> AsyncIterator[Any]:
    """The client is untyped, since the library describes its operations at run time."""
    try:
        from aiobotocore.config import AioConfig
    except ImportError as error:
        raise ConfigurationError(
            "SIGHTLINE_MESSAGES_CLOCK is eventbridge, but its client is not installed: pip install 'sightline[aws]'"
        ) from error
    secret = bus.aws_secret_access_key
    opening = _session().create_client(
        "scheduler",
        region_name=bus.region,
        endpoint_url=bus.aws_endpoint,
        aws_access_key_id=bus.aws_access_key_id,
        aws_secret_access_key=None if secret is None else secret.get_secret_value(),
        config=AioConfig(
            connect_timeout=CONNECT_S, read_timeout=ANSWER_S, retries={"mode": "standard", "total_max_attempts": 3}
        ),
    )
    async with opening as client:
        yield client
