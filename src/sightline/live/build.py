"""Builds the way that messages take between processes: the database alone, or Redis in front of it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sightline.db import Database, Listener
from sightline.errors import ConfigurationError
from sightline.live.metrics import LiveMetrics
from sightline.live.settings import LiveSettings
from sightline.live.transport import Carrier

if TYPE_CHECKING:
    from sightline.live.redis.relay import RedisRelay

# More than a blocking read waits: a server that went without a word is noticed by then.
SOCKET_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class LiveWay:
    carrier: Carrier | None = None
    """For each API process."""
    relay: "Callable[[Database, Listener], RedisRelay] | None" = None
    """Makes the service that one process at least has to run."""


@asynccontextmanager
async def open_way(settings: LiveSettings, metrics: LiveMetrics) -> AsyncIterator[LiveWay]:
    if settings.redis_url is None:
        yield LiveWay()
        return
    try:
        # Imported here, so that an installation without Redis needs no client.
        from redis.asyncio import Redis

        from sightline.live.redis.relay import RedisRelay
        from sightline.live.redis.transport import RedisCarrier
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "SIGHTLINE_LIVE_REDIS_URL is set, but the client is not installed: pip install 'sightline[redis]'"
        ) from error
    try:
        redis = Redis.from_url(
            settings.redis_url.get_secret_value(),
            decode_responses=True,
            protocol=2,  # its answers have one form in every version of the client
            socket_timeout=SOCKET_TIMEOUT_S,
            socket_connect_timeout=5,
        )
    except ValueError as error:
        raise ConfigurationError(f"SIGHTLINE_LIVE_REDIS_URL is no address of a Redis: {error}") from error
    try:
        yield LiveWay(
            RedisCarrier(redis, metrics), lambda database, listener: RedisRelay(database, listener, redis, metrics)
        )
    finally:
        await redis.aclose()
