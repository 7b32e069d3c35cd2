"""Opens the clients of S3: the one place that knows endpoint, keys and timeouts."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from sightline.aws import AwsAccount, open_client
from sightline.objects.settings import ObjectsSettings

ANSWER_S = 60
CONNECTIONS = 64


class S3Clients:
    """Open clients. They are untyped, since the library describes its operations at run time."""

    def __init__(self, *, calls: Any, addresses: Any) -> None:
        self.calls = calls
        self.addresses = addresses
        """Signs addresses for clients, who may know the service under another name; never called itself."""


@asynccontextmanager
async def open_clients(settings: ObjectsSettings) -> AsyncIterator[S3Clients]:
    async with AsyncExitStack() as stack:

        async def client(endpoint: str | None) -> Any:
            account = AwsAccount(settings.s3_region, endpoint, settings.s3_access_key_id, settings.s3_secret_access_key)
            opening = open_client(
                "s3",
                account,
                wanted_by="SIGHTLINE_OBJECTS_BACKEND is s3",
                signature_version="s3v4",
                # Names of buckets in host names work on AWS alone; everybody else knows them in paths.
                s3={"addressing_style": "path" if settings.s3_endpoint else "auto"},
                # Newer checksums are left out unless S3 insists: not every S3 service knows them. Content-MD5 is sent instead.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
                read_timeout=ANSWER_S,
                max_pool_connections=CONNECTIONS,
            )
            return await stack.enter_async_context(opening)

        calls = await client(settings.s3_endpoint)
        public = settings.s3_public_endpoint
        yield S3Clients(calls=calls, addresses=calls if public is None else await client(public))
