"""Builds the transport of messages between processes: the database alone, or Redis in front of it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sightline.db import Database, Listener
from sightline.errors import ConfigurationError
from sightline.live.metrics import LiveMetrics
from sightline.live.settings import LiveSettings
from sightline.live.transport import Transport

if TYPE_CHECKING:
    from sightline.live.redis.relay import RedisRelay

# Longer than a blocking read, so that a server that disappeared is noticed.
SOCKET_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class OpenTransport:
    transport: Transport | None = None
    """Used by each API process."""
    relay: "Callable[[Database, Listener], RedisRelay] | None" = None
    """Creates the service that at least one process has to run."""


@asynccontextmanager
async def open_transport(settings: LiveSettings, metrics: LiveMetrics) -> AsyncIterator[OpenTransport]:
    if settings.redis_url is None:
        yield OpenTransport()
        return
    try:
        # Imported here, so that an installation without Redis needs no client.
        from redis.asyncio import Redis

        from sightline.live.redis.relay import RedisRelay
        from sightline.live.redis.transport import RedisTransport
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "SIGHTLINE_LIVE_REDIS_URL is set, but the client is not installed: pip install 'sightline[redis]'"
        ) from error
    try:
        redis = Redis.from_url(
            settings.redis_url.get_secret_value(),
            decode_responses=True,
            protocol=2,  # its responses have the same form in every version of the client
            socket_timeout=SOCKET_TIMEOUT_S,
            socket_connect_timeout=5,
        )
    except ValueError as error:
        raise ConfigurationError(f"SIGHTLINE_LIVE_REDIS_URL is not a valid Redis URL: {error}") from error
    try:
        yield OpenTransport(
            RedisTransport(redis, metrics), lambda database, listener: RedisRelay(database, listener, redis, metrics)
        )
    finally:
        await redis.aclose()
