"""Resumable uploads: sends a file in parts, in parallel, each checked by its md5, and resumes earlier uploads."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from sightline.client.api_client import ApiClient
from sightline.errors import BackendUnavailable, Conflict, InvalidInput, PermanentFailure, PlatformError

CHUNK = 1024 * 1024
PART_BYTES = 8 * 1024 * 1024
"""What a cut connection loses at most. The server makes parts larger where there would be over 10,000."""
_URLS_AHEAD = 8
# A cut cable sends no error; a part is sent again when nothing has moved for so long.
_PUT_TIMEOUT = httpx.Timeout(120.0, connect=30.0)

Progress = Callable[[int, str], None]
"""Called with the number of bytes stored since the last call (negative when a part is sent again), and the current action."""


@dataclass(frozen=True, slots=True)
class StartedPartsUpload:
    """An upload that the server has created."""

    video_id: str
    total_size: int
    part_size: int
    total_parts: int
    stored_parts: dict[int, str] = field(default_factory=dict)
    """Part number → md5."""

    def size_of(self, number: int) -> int:
        return min(self.part_size, self.total_size - self.part_size * (number - 1))

    @property
    def kept_bytes(self) -> int:
        """Bytes that need not be sent again, whatever happens now."""
        return sum(self.size_of(number) for number in self.stored_parts)


class UploadClient:
    """Uses the API of document 004 as any other client could."""

    def __init__(self, api: ApiClient, *, parallel: int = 4, team_id: UUID | None = None) -> None:
        self._api = api
        self._parallel = parallel
        self._team_id = None if team_id is None else str(team_id)
        self.started: StartedPartsUpload | None = None
        """The upload under way, or the last one."""

    async def upload(self, path: Path, *, is_new: bool, progress: Progress) -> str:
        """Sends the whole file and returns the id of its video."""
        size = (await asyncio.to_thread(path.stat)).st_size
        if size == 0:
            raise InvalidInput(f"{path}: the file is empty")
        self.started = None
        started = None if is_new else await self._unfinished(path, size)
        if started is None:
            self.started = started = await self._begin(path, size)
        else:
            progress(0, "checking uploaded parts")
            await self._check_same(path, started, progress)
            self.started = started
        self._api = self._api.patient()  # from here on there is something to lose
        try:
            await self._send_missing(path, started, progress)
            progress(0, "completing")
            await self._api.call("POST", f"/videos/{started.video_id}/complete", is_repeatable=True)
        except (Conflict, BaseExceptionGroup) as error:
            if not _is_conflict(error) or not await self._is_complete(started):
                raise
        return started.video_id

    async def _begin(self, path: Path, size: int) -> StartedPartsUpload:
        body: dict[str, Any] = {"totalSize": size, "filename": path.name, "partSize": PART_BYTES}
        if self._team_id is not None:
            body["teamId"] = self._team_id
        # Repeated after a lost response, it leaves an unfinished upload without parts, which is removed by itself.
        return _started(await self._api.call("POST", "/videos", json=body, is_repeatable=True))

    async def _is_complete(self, started: StartedPartsUpload) -> bool:
        """The server completes an upload by itself when all its parts are stored and the client was away for long."""
        try:
            found = await self._api.call("GET", f"/videos/{started.video_id}/progress")
        except PlatformError:
            return False
        return found["status"] not in ("CREATED", "UPLOADING", "FAILED")

    async def _unfinished(self, path: Path, size: int) -> StartedPartsUpload | None:
        """The latest unfinished upload with this name and size, from this device or another."""
        found = await self._api.call("GET", "/uploads", params={"limit": 100})
        for one in found["uploads"]:
            if one["name"] == path.name and one["totalSize"] == size and await self._is_of_team(one["videoId"]):
                # Requesting URLs makes the server check which parts are stored; reports of some may have been lost.
                await self._api.call("GET", f"/videos/{one['videoId']}/upload-urls", params={"fromPart": 1})
                progress = await self._api.call("GET", f"/videos/{one['videoId']}/progress")
                stored_parts = {part["partNumber"]: part["etag"] for part in progress["parts"]}
                return _started(one, stored_parts)
        return None

    async def _is_of_team(self, video_id: str) -> bool:
        """Whether an unfinished upload goes where this one is to go; servers of earlier versions know of no teams."""
        found = await self._api.call("GET", f"/videos/{video_id}")
        return bool(found.get("teamId") == self._team_id)

    async def _check_same(self, path: Path, started: StartedPartsUpload, progress: Progress) -> None:
        """Compares the uploaded parts with the file: another file may have the same name and size."""
        for number, etag in sorted(started.stored_parts.items()):
            if await asyncio.to_thread(_md5_of, path, started, number) != etag:
                raise Conflict(
                    f"{path}: an unfinished upload of this name and size is of another file (part {number} differs); "
                    "start over with a new upload (--new, is_new=True)"
                )
            progress(started.size_of(number), "checking uploaded parts")

    async def _send_missing(self, path: Path, started: StartedPartsUpload, progress: Progress) -> None:
        missing = [number for number in range(1, started.total_parts + 1) if number not in started.stored_parts]
        waiting = iter(missing)
        urls = _PartUrls(self._api, started.video_id)

        async def send_next() -> None:
            for number in waiting:
                await self._send(path, started, number, urls, progress)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._parallel, len(missing))):
                group.create_task(send_next())

    async def _send(
        self, path: Path, started: StartedPartsUpload, number: int, urls: "_PartUrls", progress: Progress
    ) -> None:
        md5 = await asyncio.to_thread(_md5_of, path, started, number)
        attempts = self._api.attempts()
        while True:
            sent, status = 0, None

            async def body() -> AsyncIterator[bytes]:
                nonlocal sent
                async for piece in _read(path, started, number):
                    yield piece
                    sent += len(piece)
                    progress(len(piece), "sending")

            headers = {
                "content-length": str(started.size_of(number)),
                "content-md5": base64.b64encode(bytes.fromhex(md5)).decode(),
            }
            try:
                url = await urls.get(number)
                if url is None:  # stored by an earlier attempt, whose response was lost
                    _check_etag(path, number, urls.arrived.pop(number), md5)
                    started.stored_parts[number] = md5
                    progress(started.size_of(number), "sending")
                    return
                answer = await self._api.http.put(url, content=body(), headers=headers, timeout=_PUT_TIMEOUT)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                status = answer.status_code
                if status == 200:
                    etag = answer.headers.get("etag", "").strip('"')
                    _check_etag(path, number, etag, md5)
                    report = f"/videos/{started.video_id}/parts/{number}"
                    await self._api.call("POST", report, json={"etag": etag or md5}, is_repeatable=True)
                    started.stored_parts[number] = md5
                    return
                reason = f"{status} {answer.text[:200]}"
                if status == 403:
                    urls.forget(number)  # expired; the next attempt requests another
                elif status < 500 and status not in (408, 429):
                    raise PermanentFailure(f"{path}: part {number} was refused: {reason}")
            progress(-sent, f"retrying part {number}")
            attempts.failed(status)
            if attempts.are_over:
                raise BackendUnavailable("objects", f"{path}: part {number} could not be uploaded: {reason}")
            await self._api.wait(attempts)


class _PartUrls:
    """Upload URLs, requested a few at a time: on a slow link the URLs of later parts would expire before their turn."""

    def __init__(self, api: ApiClient, video_id: str) -> None:
        self._api = api
        self._video_id = video_id
        self._known: dict[int, str] = {}
        self._lock = asyncio.Lock()
        self.arrived: dict[int, str] = {}
        """ETags of requested parts that need no URL."""

    async def get(self, number: int) -> str | None:
        """None if the part has arrived."""
        async with self._lock:
            if number not in self._known:
                numbers = ",".join(str(one) for one in range(number, number + _URLS_AHEAD))
                answer = await self._request(numbers, str(number))
                self._known |= {url["partNumber"]: url["url"] for url in answer["urls"]}
                self.arrived |= {part["partNumber"]: part["etag"] for part in answer["etags"]}
            return self._known.pop(number, None)

    def forget(self, number: int) -> None:
        self._known.pop(number, None)

    async def _request(self, several: str, one: str) -> Any:
        path = f"/videos/{self._video_id}/upload-urls"
        try:
            return await self._api.call("GET", path, params={"partNumbers": several})
        except InvalidInput:  # fewer parts are left
            return await self._api.call("GET", path, params={"partNumbers": one})


def _is_conflict(error: BaseException) -> bool:
    return isinstance(error, Conflict) or (
        isinstance(error, BaseExceptionGroup) and error.subgroup(Conflict) is not None
    )


def _check_etag(path: Path, number: int, etag: str, md5: str) -> None:
    """An ETag that is no md5 sum says nothing about the bytes."""
    if etag not in ("", md5) and len(etag) == len(md5):
        raise PermanentFailure(
            f"{path}: the stored part {number} differs from the file; start over with a new upload (--new, is_new=True)"
        )


def _started(answer: dict[str, Any], stored_parts: dict[int, str] | None = None) -> StartedPartsUpload:
    return StartedPartsUpload(
        answer["videoId"],
        answer["totalSize"],
        answer["partSize"],
        answer["totalParts"],
        stored_parts=stored_parts or {},
    )


def _md5_of(path: Path, started: StartedPartsUpload, number: int) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    left = started.size_of(number)
    with path.open("rb") as file:
        file.seek(started.part_size * (number - 1))
        while left and (piece := file.read(min(CHUNK, left))):
            digest.update(piece)
            left -= len(piece)
    if left:
        raise InvalidInput(f"{path} changed while it was being uploaded")
    return digest.hexdigest()


async def _read(path: Path, started: StartedPartsUpload, number: int) -> AsyncIterator[bytes]:
    left = started.size_of(number)
    with await asyncio.to_thread(path.open, "rb") as file:
        file.seek(started.part_size * (number - 1))
        while left:
            piece = await asyncio.to_thread(file.read, min(CHUNK, left))
            if not piece:
                raise InvalidInput(f"{path} changed while it was being uploaded")
            left -= len(piece)
            yield piece
