"""The S3 backend's object store, through aiobotocore."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from sightline.objects.key_rules import check_key
from sightline.objects.protocol import attachment_disposition, check_expiry, check_part_number
from sightline.objects.s3.clients import open_clients
from sightline.objects.s3.errors import translated
from sightline.objects.s3.multipart import S3Multipart
from sightline.objects.settings import ObjectsSettings


class S3ObjectStore(S3Multipart):
    etags_are_md5 = False

    def in_bucket(self, bucket: str) -> "S3ObjectStore":
        return S3ObjectStore(self._clients, bucket)

    async def readable(self, key: str, *, expires_s: float = 6 * 3600) -> str:
        return await self.sign_get(key, expires_s=expires_s)

    async def sign_get(
        self, key: str, *, expires_s: float, download_as: str | None = None, content_type: str | None = None
    ) -> str:
        params = {}
        if content_type is not None:
            params["ResponseContentType"] = content_type
        if download_as is not None:
            params["ResponseContentDisposition"] = attachment_disposition(download_as)
        return await self._sign("get_object", key, params, expires_s)

    async def sign_part(
        self, key: str, upload_id: str, number: int, *, expires_s: float, length: int | None = None
    ) -> str:
        params: dict[str, Any] = {"UploadId": upload_id, "PartNumber": check_part_number(number)}
        if length is not None:
            params["ContentLength"] = length
        return await self._sign("upload_part", key, params, expires_s)

    async def revoke_urls(self, video_id: UUID) -> bool:
        """S3 checks a presigned URL by its key and time alone. What an operator can do is in ADR 0043."""
        return False

    async def usable_bytes(self) -> int | None:
        return None

    async def _sign(self, operation: str, key: str, params: dict[str, Any], expires_s: float) -> str:
        params |= {"Bucket": self.bucket, "Key": check_key(key)}
        with translated(key):
            url = await self._clients.signer.generate_presigned_url(
                operation, Params=params, ExpiresIn=check_expiry(expires_s)
            )
        return str(url)


@asynccontextmanager
async def open_s3_object_store(settings: ObjectsSettings) -> AsyncIterator[S3ObjectStore]:
    async with open_clients(settings) as clients:
        yield S3ObjectStore(clients, settings.bucket)
