"""S3 clients: the one place that sets endpoint, keys and timeouts."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from sightline.aws import AwsAccount, open_client
from sightline.objects.settings import ObjectsSettings

READ_TIMEOUT_S = 60
MAX_CONNECTIONS = 64


class S3Clients:
    """Open clients. They are untyped, since the library describes its operations at run time."""

    def __init__(self, *, calls: Any, signer: Any) -> None:
        self.calls = calls
        self.signer = signer
        """Signs URLs for clients, which may reach the service under another host name; it makes no calls."""


@asynccontextmanager
async def open_clients(settings: ObjectsSettings) -> AsyncIterator[S3Clients]:
    async with AsyncExitStack() as stack:

        async def client(endpoint: str | None) -> Any:
            account = AwsAccount(settings.s3_region, endpoint, settings.s3_access_key_id, settings.s3_secret_access_key)
            opening = open_client(
                "s3",
                account,
                required_by="SIGHTLINE_OBJECTS_BACKEND is s3",
                signature_version="s3v4",
                # Bucket names in host names work on AWS only; other services expect them in paths.
                s3={"addressing_style": "path" if settings.s3_endpoint else "auto"},
                # Newer checksums are sent only where S3 requires them, since not every service supports them; Content-MD5 is sent.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
                read_timeout=READ_TIMEOUT_S,
                max_pool_connections=MAX_CONNECTIONS,
            )
            return await stack.enter_async_context(opening)

        calls = await client(settings.s3_endpoint)
        public = settings.s3_public_endpoint
        yield S3Clients(calls=calls, signer=calls if public is None else await client(public))
