"""Whole objects on S3."""

import asyncio
import base64
import hashlib
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from sightline.errors import BackendUnavailable, InvalidInput, NotFound, PlatformError, TransientFailure
from sightline.objects.content_types import content_type_of
from sightline.objects.errors import invalid_request
from sightline.objects.key_rules import check_key
from sightline.objects.protocol import bare_etag
from sightline.objects.s3.clients import S3Clients
from sightline.objects.s3.errors import by_code, translated
from sightline.objects.store import StoredObject
from sightline.timing import Backoff, utc_now

READ_BYTES = 1024 * 1024
MAX_DELETES = 1000  # the limit of S3 for one call
MAX_TRIES = 4
_UNSUPPORTED = frozenset({"NotImplemented", "MethodNotAllowed"})


class S3WholeObjects:
    def __init__(self, clients: S3Clients, bucket: str, *, backoff: Backoff | None = None) -> None:
        self._clients = clients
        self._s3 = clients.calls
        self._backoff = backoff or Backoff(first_s=0.5, max_s=5.0)
        self.bucket = bucket

    async def put(self, key: str, content: bytes, *, content_type: str | None = None) -> StoredObject:
        kind = content_type or content_type_of(check_key(key))
        md5 = await asyncio.to_thread(content_md5, content)
        with translated(key):
            response = await self._s3.put_object(
                Bucket=self.bucket, Key=key, Body=content, ContentType=kind, ContentMD5=md5
            )
        return StoredObject(key, len(content), bare_etag(response["ETag"]), utc_now(), kind)

    async def get(self, key: str, *, start: int = 0, end: int | None = None) -> bytes:
        return b"".join([chunk async for chunk in self.stream(key, start=start, end=end)])

    async def stream(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Resumes where it stopped when the connection breaks, as long as the object is the same."""
        check_key(key)
        etag, failures = None, 0
        while end is None or start < end:
            try:
                with translated(key):
                    response = await self._get(key, start, end, etag)
                    if response is None:
                        return
                    etag = response["ETag"]
                    async with response["Body"] as body:
                        async for chunk in body.iter_chunks(READ_BYTES):
                            yield chunk
                            start, failures = start + len(chunk), 0
                return
            except TransientFailure:
                failures += 1
                if failures == MAX_TRIES:
                    raise
                await asyncio.sleep(self._backoff.delay_s(failures))
        if await self.head(key) is None:
            raise by_code("NoSuchKey", "", 404, key)

    async def _get(self, key: str, start: int, end: int | None, etag: str | None) -> Any:
        """None when the object ends before `start`."""
        params: dict[str, Any] = {"Bucket": self.bucket, "Key": key}
        if start or end is not None:
            params["Range"] = f"bytes={start}-{'' if end is None else end - 1}"
        if etag is not None:
            params["IfMatch"] = etag
        try:
            with translated(key):
                return await self._s3.get_object(**params)
        except InvalidInput as error:
            if error.details.get("code") == "InvalidRange":
                return None
            raise

    async def head(self, key: str) -> StoredObject | None:
        try:
            with translated(check_key(key)):
                found = await self._s3.head_object(Bucket=self.bucket, Key=key)
        except NotFound:
            return None
        kind = found.get("ContentType") or content_type_of(key)
        return StoredObject(key, found["ContentLength"], bare_etag(found["ETag"]), found["LastModified"], kind)

    async def find(self, prefix: str) -> AsyncIterator[StoredObject]:
        """S3 lists no content types; they are taken from the extensions of the keys."""
        pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
        with translated(prefix):
            async for page in pages:
                for one in page.get("Contents", ()):
                    key = one["Key"]
                    yield StoredObject(
                        key, one["Size"], bare_etag(one["ETag"]), one["LastModified"], content_type_of(key)
                    )

    async def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            check_key(key)
        for start in range(0, len(keys), MAX_DELETES):
            await self._delete(keys[start : start + MAX_DELETES])

    async def delete_prefix(self, prefix: str) -> int:
        if not prefix:
            raise invalid_request("InvalidArgument", "an empty prefix would delete everything; name a prefix")
        keys = [stored.key async for stored in self.find(prefix)]
        for start in range(0, len(keys), MAX_DELETES):
            await self._delete(keys[start : start + MAX_DELETES])
        return len(keys)

    async def _delete(self, keys: Sequence[str]) -> None:
        try:
            if len(keys) > 1:
                await self._delete_together(keys)
                return
        except PlatformError as error:
            if error.details.get("code") not in _UNSUPPORTED:
                raise
        for key in keys:
            with translated(key):
                await self._s3.delete_object(Bucket=self.bucket, Key=key)

    async def _delete_together(self, keys: Sequence[str]) -> None:
        deletion = {"Objects": [{"Key": key} for key in keys], "Quiet": True}
        with translated(keys[0]):
            response = await self._s3.delete_objects(Bucket=self.bucket, Delete=deletion)
        for failed in response.get("Errors", ()):
            if failed.get("Code") != "NoSuchKey":
                raise by_code(failed.get("Code", ""), failed.get("Message", ""), 500, failed.get("Key", ""))

    @asynccontextmanager
    async def local(self, key: str) -> AsyncIterator[Path]:
        with tempfile.TemporaryDirectory(prefix="sightline-object-") as directory:
            # The file keeps its name, because programs recognize file types by extension.
            path = Path(directory) / PurePosixPath(check_key(key)).name
            with path.open("wb") as file:
                async for chunk in self.stream(key):
                    await asyncio.to_thread(file.write, chunk)
            yield path

    async def check(self) -> None:
        try:
            with translated(self.bucket):
                await self._s3.head_bucket(Bucket=self.bucket)
        except NotFound as error:
            raise BackendUnavailable("objects", f"S3 has no bucket {self.bucket}; create it") from error


def content_md5(content: bytes) -> str:
    return base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode()
