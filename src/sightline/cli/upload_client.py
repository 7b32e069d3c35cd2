"""Sends a file in parts: in parallel, each checked by its md5, and from where a former try left off."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from sightline.cli.api_client import TRIES, ApiClient
from sightline.errors import BackendUnavailable, Conflict, InvalidInput, PermanentFailure

CHUNK = 1024 * 1024
_URLS_AHEAD = 8

Progress = Callable[[int, str], None]
"""Bytes more that are safely there (negative when a part has to be sent again), and what is being done."""


@dataclass(frozen=True, slots=True)
class Started:
    """An upload that the server knows."""

    video_id: str
    total_size: int
    part_size: int
    total_parts: int
    arrived: dict[int, str] = field(default_factory=dict)
    """Part number → md5."""

    def size_of(self, number: int) -> int:
        return min(self.part_size, self.total_size - self.part_size * (number - 1))


class UploadClient:
    """Speaks to the API of document 004, as any other client could."""

    def __init__(self, api: ApiClient, *, parallel: int = 4) -> None:
        self._api = api
        self._parallel = parallel

    async def upload(self, path: Path, *, is_new: bool, progress: Progress) -> str:
        """Sends the whole file and returns the id of its video."""
        size = (await asyncio.to_thread(path.stat)).st_size
        if size == 0:
            raise InvalidInput(f"{path}: an empty file is no video")
        started = None if is_new else await self._unfinished(path, size)
        if started is None:
            started = await self._begin(path, size)
        else:
            progress(0, "checking what is there")
            await self._check_same(path, started, progress)
        await self._send_missing(path, started, progress)
        progress(0, "completing")
        await self._api.ask("POST", f"/videos/{started.video_id}/complete")
        return started.video_id

    async def _begin(self, path: Path, size: int) -> Started:
        answer = await self._api.ask("POST", "/videos", json={"totalSize": size, "filename": path.name})
        return _started(answer)

    async def _unfinished(self, path: Path, size: int) -> Started | None:
        """The upload of such a file that was begun before, here or on another device; the latest if there are several."""
        found = await self._api.ask("GET", "/uploads", params={"limit": 100})
        for one in found["uploads"]:
            if one["name"] == path.name and one["totalSize"] == size:
                # Asking for addresses again makes the server look what the store has; reports may have been lost.
                await self._api.ask("GET", f"/videos/{one['videoId']}/upload-urls", params={"fromPart": 1})
                progress = await self._api.ask("GET", f"/videos/{one['videoId']}/progress")
                arrived = {part["partNumber"]: part["etag"] for part in progress["parts"]}
                return _started(one, arrived)
        return None

    async def _check_same(self, path: Path, started: Started, progress: Progress) -> None:
        """The parts that are there must be those of this file: the same name and size prove nothing."""
        for number, etag in sorted(started.arrived.items()):
            if await asyncio.to_thread(_md5_of, path, started, number) != etag:
                raise Conflict(
                    f"{path}: an upload of this name and size was begun with another file (part {number} differs); "
                    "use --new to begin anew"
                )
            progress(started.size_of(number), "checking what is there")

    async def _send_missing(self, path: Path, started: Started, progress: Progress) -> None:
        missing = [number for number in range(1, started.total_parts + 1) if number not in started.arrived]
        waiting = iter(missing)
        addresses = _Addresses(self._api, started.video_id)

        async def lane() -> None:
            for number in waiting:
                await self._send(path, started, number, addresses, progress)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._parallel, len(missing))):
                group.create_task(lane())

    async def _send(
        self, path: Path, started: Started, number: int, addresses: "_Addresses", progress: Progress
    ) -> None:
        md5 = await asyncio.to_thread(_md5_of, path, started, number)
        for attempt in range(1, TRIES + 1):
            sent = 0

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
                url = await addresses.get(number)
                answer = await self._api.http.put(url, content=body(), headers=headers)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                if answer.status_code == 200:
                    etag = answer.headers.get("etag", "").strip('"')
                    if etag not in ("", md5) and len(etag) == len(md5):
                        raise PermanentFailure(f"{path}: the store has other bytes for part {number} than were sent")
                    await self._api.ask(
                        "POST", f"/videos/{started.video_id}/parts/{number}", json={"etag": etag or md5}
                    )
                    return
                reason = f"{answer.status_code} {answer.text[:200]}"
                if answer.status_code == 403:
                    addresses.forget(number)  # expired; the next try asks for another
                elif answer.status_code < 500 and answer.status_code not in (408, 429):
                    raise PermanentFailure(f"{path}: part {number} was refused: {reason}")
            progress(-sent, f"part {number} again")
            if attempt == TRIES:
                raise BackendUnavailable("objects", f"{path}: part {number} could not be sent: {reason}")
            await self._api.wait(attempt)


class _Addresses:
    """Where parts go, asked for a few at a time and only when needed: on a slow link addresses of all would expire."""

    def __init__(self, api: ApiClient, video_id: str) -> None:
        self._api = api
        self._video_id = video_id
        self._known: dict[int, str] = {}
        self._asking = asyncio.Lock()

    async def get(self, number: int) -> str:
        async with self._asking:
            if number not in self._known:
                numbers = ",".join(str(one) for one in range(number, number + _URLS_AHEAD))
                self._known |= await self._ask(numbers, str(number))
            return self._known.pop(number)

    def forget(self, number: int) -> None:
        self._known.pop(number, None)

    async def _ask(self, several: str, one: str) -> dict[int, str]:
        path = f"/videos/{self._video_id}/upload-urls"
        try:
            answer = await self._api.ask("GET", path, params={"partNumbers": several})
        except InvalidInput:  # there are not so many more
            answer = await self._api.ask("GET", path, params={"partNumbers": one})
        return {url["partNumber"]: url["url"] for url in answer["urls"]}


def _started(answer: dict[str, Any], arrived: dict[int, str] | None = None) -> Started:
    return Started(
        answer["videoId"], answer["totalSize"], answer["partSize"], answer["totalParts"], arrived=arrived or {}
    )


def _md5_of(path: Path, started: Started, number: int) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    left = started.size_of(number)
    with path.open("rb") as file:
        file.seek(started.part_size * (number - 1))
        while left and (piece := file.read(min(CHUNK, left))):
            digest.update(piece)
            left -= len(piece)
    if left:
        raise InvalidInput(f"{path} became shorter while it was being sent")
    return digest.hexdigest()


async def _read(path: Path, started: Started, number: int) -> AsyncIterator[bytes]:
    left = started.size_of(number)
    with await asyncio.to_thread(path.open, "rb") as file:
        file.seek(started.part_size * (number - 1))
        while left:
            piece = await asyncio.to_thread(file.read, min(CHUNK, left))
            if not piece:
                raise InvalidInput(f"{path} became shorter while it was being sent")
            left -= len(piece)
            yield piece
