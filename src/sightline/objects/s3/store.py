"""The S3 keeper: any service that speaks S3, through aiobotocore."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sightline.objects.key_rules import check_key
from sightline.objects.part_rules import check_number
from sightline.objects.s3.clients import open_clients
from sightline.objects.s3.errors import translated
from sightline.objects.s3.multipart import S3Multipart
from sightline.objects.settings import ObjectsSettings
from sightline.objects.signed_url_rules import attachment, check_expiry


class S3Objects(S3Multipart):
    etags_are_md5 = False

    async def readable(self, key: str, *, expires_s: float = 6 * 3600) -> str:
        return await self.sign_get(key, expires_s=expires_s)

    async def sign_get(
        self, key: str, *, expires_s: float, download_as: str | None = None, content_type: str | None = None
    ) -> str:
        question = {}
        if content_type is not None:
            question["ResponseContentType"] = content_type
        if download_as is not None:
            question["ResponseContentDisposition"] = attachment(download_as)
        return await self._sign("get_object", key, question, expires_s)

    async def sign_part(
        self, key: str, upload_id: str, number: int, *, expires_s: float, length: int | None = None
    ) -> str:
        question: dict[str, Any] = {"UploadId": upload_id, "PartNumber": check_number(number)}
        if length is not None:
            question["ContentLength"] = length
        return await self._sign("upload_part", key, question, expires_s)

    async def _sign(self, operation: str, key: str, question: dict[str, Any], expires_s: float) -> str:
        question |= {"Bucket": self.bucket, "Key": check_key(key)}
        with translated(key):
            made = await self._clients.addresses.generate_presigned_url(
                operation, Params=question, ExpiresIn=check_expiry(expires_s)
            )
        return str(made)


@asynccontextmanager
async def open_s3_objects(settings: ObjectsSettings) -> AsyncIterator[S3Objects]:
    async with open_clients(settings) as clients:
        yield S3Objects(clients, settings.bucket)
