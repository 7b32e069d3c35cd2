"""Multipart uploads on S3, by clients and by the platform itself."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from sightline.errors import NotFound
from sightline.objects.content_types import content_type_of
from sightline.objects.errors import NO_SUCH_UPLOAD, no_such_key
from sightline.objects.key_rules import check_key
from sightline.objects.protocol import bare_etag, check_part_number, check_part_order, etag_of_parts, quoted_etag
from sightline.objects.s3.errors import translated
from sightline.objects.s3.whole_objects import S3WholeObjects, content_md5
from sightline.objects.store import MAX_PARTS, OpenUpload, PartTag, StoredObject, StoredPart
from sightline.timing import utc_now

PART_BYTES = 16 * 1024 * 1024
MAX_CONCURRENT_PARTS = 4
PARTS_PAGE = 1000  # the limit of S3 for one call


class S3Multipart(S3WholeObjects):
    async def put_file(
        self, key: str, path: Path, *, content_type: str | None = None, etag: str | None = None
    ) -> StoredObject:
        size = (await asyncio.to_thread(path.stat)).st_size
        if size <= PART_BYTES:
            return await self.put(key, await asyncio.to_thread(path.read_bytes), content_type=content_type)
        upload_id = await self.create_upload(key, content_type=content_type)
        try:
            parts = await self._put_parts(key, upload_id, path, size)
            return await self.complete_upload(key, upload_id, parts)
        except BaseException:
            # S3 charges for the parts of an unfinished upload until it is aborted.
            await asyncio.shield(self.abort_upload(key, upload_id))
            raise

    async def _put_parts(self, key: str, upload_id: str, path: Path, size: int) -> list[PartTag]:
        length = max(PART_BYTES, -(-size // MAX_PARTS))
        slots = asyncio.Semaphore(MAX_CONCURRENT_PARTS)

        async def put(number: int) -> PartTag:
            async with slots:
                content = await asyncio.to_thread(_read, path, (number - 1) * length, length)
                return PartTag(number, (await self.put_part(key, upload_id, number, content)).etag)

        tasks = [asyncio.create_task(put(number)) for number in range(1, -(-size // length) + 1)]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def create_upload(self, key: str, *, content_type: str | None = None) -> str:
        kind = content_type or content_type_of(check_key(key))
        with translated(key):
            response = await self._s3.create_multipart_upload(Bucket=self.bucket, Key=key, ContentType=kind)
        return str(response["UploadId"])

    async def put_part(self, key: str, upload_id: str, number: int, content: bytes) -> StoredPart:
        check_part_number(number)
        md5 = await asyncio.to_thread(content_md5, content)
        with translated(check_key(key), upload_id=upload_id):
            response = await self._s3.upload_part(
                Bucket=self.bucket, Key=key, UploadId=upload_id, PartNumber=number, Body=content, ContentMD5=md5
            )
        return StoredPart(number, bare_etag(response["ETag"]), len(content), utc_now())

    async def list_parts(self, key: str, upload_id: str) -> list[StoredPart]:
        pages = self._s3.get_paginator("list_parts").paginate(
            Bucket=self.bucket,
            Key=check_key(key),
            UploadId=upload_id,
            PaginationConfig={"PageSize": PARTS_PAGE},
        )
        found: list[StoredPart] = []
        with translated(key, upload_id=upload_id):
            async for page in pages:
                found += [
                    StoredPart(one["PartNumber"], bare_etag(one["ETag"]), one["Size"], one["LastModified"])
                    for one in page.get("Parts", ())
                ]
        return found

    async def complete_upload(self, key: str, upload_id: str, parts: Sequence[PartTag]) -> StoredObject:
        check_part_order(parts)
        named = [{"PartNumber": part.number, "ETag": quoted_etag(bare_etag(part.etag))} for part in parts]
        try:
            with translated(check_key(key), upload_id=upload_id):
                await self._s3.complete_multipart_upload(
                    Bucket=self.bucket, Key=key, UploadId=upload_id, MultipartUpload={"Parts": named}
                )
        except NotFound as error:
            # It may be complete already: the response to an earlier try was lost, or another caller was faster.
            stored = await self.head(key) if error.code == NO_SUCH_UPLOAD else None
            if stored is None or stored.etag != etag_of_parts(part.etag for part in parts):
                raise
            return stored
        stored = await self.head(key)
        if stored is None:
            raise no_such_key(key)
        return stored

    async def abort_upload(self, key: str, upload_id: str) -> None:
        try:
            with translated(check_key(key), upload_id=upload_id):
                await self._s3.abort_multipart_upload(Bucket=self.bucket, Key=key, UploadId=upload_id)
        except NotFound:
            return

    async def find_uploads(self, prefix: str) -> AsyncIterator[OpenUpload]:
        pages = self._s3.get_paginator("list_multipart_uploads").paginate(Bucket=self.bucket, Prefix=prefix)
        with translated(prefix):
            async for page in pages:
                for one in page.get("Uploads", ()):
                    yield OpenUpload(one["Key"], one["UploadId"], one["Initiated"])


def _read(path: Path, start: int, length: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(length)
