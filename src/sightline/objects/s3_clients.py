"""Opens the clients of S3: the one place that knows endpoint, keys and timeouts."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import Any

from sightline.errors import ConfigurationError
from sightline.objects.settings import ObjectsSettings

CONNECT_S = 5
ANSWER_S = 60
CONNECTIONS = 64


class S3Clients:
    """Open clients. They are untyped, since the library describes its operations at run time."""

    def __init__(self, *, calls: Any, addresses: Any) -> None:
        self.calls = calls
        self.addresses = addresses
        """Signs addresses for clients, who may know the service under another name; never called itself."""


@cache
def _session() -> Any:
    """One per process, because reading the description of the service takes a good part of a second."""
    from aiobotocore.session import get_session

    return get_session()


@asynccontextmanager
async def open_clients(settings: ObjectsSettings) -> AsyncIterator[S3Clients]:
    try:
        from aiobotocore.config import AioConfig
    except ImportError as error:
        raise ConfigurationError(
            "SIGHTLINE_OBJECTS_KEEPER is s3, but its client is not installed: pip install 'sightline[aws]'"
        ) from error
    secret = settings.s3_secret_access_key
    config = AioConfig(
        signature_version="s3v4",
        # Names of buckets in host names work on AWS alone; everybody else knows them in paths.
        s3={"addressing_style": "path" if settings.s3_endpoint else "auto"},
        # Newer checksums are left out unless S3 insists: not every S3 service knows them. Content-MD5 is sent instead.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        connect_timeout=CONNECT_S,
        read_timeout=ANSWER_S,
        max_pool_connections=CONNECTIONS,
        retries={"mode": "standard", "total_max_attempts": 3},
    )
    async with AsyncExitStack() as stack:

        async def client(endpoint: str | None) -> Any:
            return await stack.enter_async_context(
                _session().create_client(
                    "s3",
                    config=config,
                    region_name=settings.s3_region,
                    endpoint_url=endpoint,
                    aws_access_key_id=settings.s3_access_key_id,
                    aws_secret_access_key=None if secret is None else secret.get_secret_value(),
                )
            )

        calls = await client(settings.s3_endpoint)
        public = settings.s3_public_endpoint
        yield S3Clients(calls=calls, addresses=calls if public is None else await client(public))
