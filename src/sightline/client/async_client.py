"""`AsyncSightline`: the platform's API for asyncio. `Sightline` (`sync_client.py`) is the same without `await`."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote
from uuid import UUID

import httpx

from sightline.client import downloads
from sightline.client.api_client import MAX_ATTEMPTS, ApiClient, Sleep
from sightline.client.decoding import decode, decode_all, decode_search_page, decode_video
from sightline.client.failures import ProcessingFailed
from sightline.client.live_rules import FeedPosition
from sightline.client.models import (
    Clip,
    EventInfo,
    Frame,
    JobInfo,
    SearchPage,
    SearchResult,
    Segment,
    UploadStatus,
    VideoInfo,
)
from sightline.client.pages import by_cursor, by_number
from sightline.client.parameters import Parameter, query_of
from sightline.client.polling import poll
from sightline.client.upload_client import UploadClient
from sightline.errors import InvalidInput, PlatformError
from sightline.timing import Backoff

if TYPE_CHECKING:
    from sightline.client.live import LiveClient

VideoRef = str | UUID | VideoInfo
ClipRef = str | Clip
EventRef = int | EventInfo

MAX_PICTURE_BYTES = 32 * 1024 * 1024
_SIGN_IN_HINT = "pass token= or api_key="


class AsyncSightline:
    """A client of one platform. Close it, or use it in an `async with` block.

    Every failure is a `sightline.client.PlatformError`. Calls that are safe to repeat are repeated with growing delays while the
    server is away; `timeout_s` limits each attempt.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 30.0,
        max_attempts: int = MAX_ATTEMPTS,
        backoff: Backoff | None = None,
        verify: ssl.SSLContext | bool = True,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        if token is not None and api_key is not None:
            raise InvalidInput("give either a token or an API key, not both")
        self.url = _checked_url(url)
        self._credential = token or api_key
        timeout = httpx.Timeout(timeout_s, connect=min(timeout_s, 10.0))
        self._http = httpx.AsyncClient(base_url=self.url, timeout=timeout, verify=verify, transport=transport)
        headers = {} if self._credential is None else {"authorization": f"Bearer {self._credential}"}
        self._api = ApiClient(
            self._http,
            headers=headers,
            backoff=backoff,
            sleep=sleep,
            sign_in_hint=_SIGN_IN_HINT,
            max_attempts=max_attempts,
        )
        self._sleep = sleep

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    # Videos

    async def upload(
        self,
        path: str | PathLike[str],
        *,
        progress: Callable[[UploadStatus], None] | None = None,
        parallel: int = 4,
        is_new: bool = False,
        team_id: UUID | str | None = None,
    ) -> VideoInfo:
        """Sends a file in parts, for a team if one is named. An interrupted upload of the same file is continued, from this
        machine or another."""
        file = Path(path)
        if not await asyncio.to_thread(file.is_file):
            raise InvalidInput(f"{file} is not a file")
        total_bytes, sent_bytes = (await asyncio.to_thread(file.stat)).st_size, 0

        def report(more: int, action: str) -> None:
            nonlocal sent_bytes
            sent_bytes += more
            if progress is not None:
                progress(UploadStatus(sent_bytes, total_bytes, action))

        try:
            client = UploadClient(self._api, parallel=parallel, team_id=None if team_id is None else UUID(str(team_id)))
            video_id = await client.upload(file, is_new=is_new, progress=report)
        except BaseExceptionGroup as errors:  # of parts that were sent at the same time
            raise _first(errors) from errors
        return await self.video(video_id)

    async def wait_until_searchable(
        self, video: VideoRef, *, timeout_s: float | None = None, on_change: Callable[[VideoInfo], None] | None = None
    ) -> VideoInfo:
        """Waits for COMPLETED. `ProcessingFailed` if the video cannot be processed, `StillProcessing` after `timeout_s`."""
        shown: str | None = None

        async def look() -> VideoInfo | None:
            nonlocal shown
            found = await self.video(video)
            if found.status != shown and on_change is not None:
                on_change(found)
            shown = found.status
            if found.has_failed:
                raise ProcessingFailed(f"{found.name} could not be processed: {found.error_reason}")
            return found if found.is_searchable else None

        return await poll(look, timeout_s=timeout_s, sleep=self._sleep, what=f"video {_id_of(video)}")

    def videos(
        self, *, status: str | list[str] | None = None, limit: int | None = None, page_size: int = 50
    ) -> AsyncIterator[VideoInfo]:
        """The newest first."""
        query = {"status": status}
        return by_cursor(self._api, "/videos", query, "videos", decode_video, limit=limit, page_size=page_size)

    async def video(self, video: VideoRef) -> VideoInfo:
        return decode_video(await self._api.call("GET", f"/videos/{_id_of(video)}"))

    async def delete_video(self, video: VideoRef) -> None:
        """Deletes it with everything that was made of it."""
        await self._api.call("DELETE", f"/videos/{_id_of(video)}")

    def page_url(self, video: VideoRef, *, at_ms: int | None = None) -> str:
        """Address of the web page that plays the video, from this time on."""
        at = "" if at_ms is None else f"?t={at_ms / 1000:g}"
        return f"{self.url}/ui/videos/{_id_of(video)}{at}"

    # Text

    async def search_page(
        self, /, q: str = "", *, page: int = 1, page_size: int = 20, **parameters: Parameter
    ) -> SearchPage:
        """One page of results. Further parameters are those of `GET /search`, such as `video_id`, `fuzzy` or `from_ms`."""
        query = query_of({"q": q, "page": page, "page_size": page_size, **parameters})
        return decode_search_page(await self._api.call("GET", "/search", params=query))

    async def search(
        self, /, q: str = "", *, limit: int | None = None, page_size: int = 50, **parameters: Parameter
    ) -> AsyncIterator[SearchResult]:
        """All results, best first; pages are requested as they are needed. Further parameters: see `search_page`."""
        page, count = 1, 0
        while limit is None or count < limit:
            found = await self.search_page(q, page=page, page_size=page_size, **parameters)
            for hit in found.hits[: None if limit is None else limit - count]:
                yield hit
                count += 1
            if not found.hits or page * found.page_size >= found.total:
                return
            page += 1

    def segments(
        self,
        /,
        video: VideoRef,
        *,
        from_ms: int | None = None,
        until_ms: int | None = None,
        kind: str | None = None,
        limit: int | None = None,
        page_size: int = 500,
        **parameters: Parameter,
    ) -> AsyncIterator[Segment]:
        """What was shown and said, by time. `kind`: `text`, `speech`, or both."""
        query = {"from_ms": from_ms, "until_ms": until_ms, "kind": kind, **parameters}
        path = f"/videos/{_id_of(video)}/segments"
        return by_number(self._api, path, query, "segments", Segment, limit=limit, page_size=page_size)

    async def captions(self, video: VideoRef, *, kind: str = "text") -> str:
        """A WebVTT track of what was shown (`text`) or said (`speech`)."""
        response = await self._api.request("GET", f"/videos/{_id_of(video)}/captions.vtt", params={"kind": kind})
        return response.text

    # Frames

    async def frames(self, video: VideoRef, *, is_all: bool = False) -> AsyncIterator[Frame]:
        """The frames that show something new; with `is_all` every sampled one."""
        after_ms: int | None = None
        while True:
            query = query_of({"limit": 500, "after_ms": after_ms, "all": is_all or None})
            found = await self._api.call("GET", f"/videos/{_id_of(video)}/frames", params=query)
            for frame in decode_all(Frame, found["frames"]):
                yield frame
            after_ms = found["next_after_ms"]
            if after_ms is None:
                return

    async def frame_at(self, video: VideoRef, at_ms: int) -> Frame:
        """The sampled frame that shows what was on screen at this time."""
        found = await self._api.call("GET", f"/videos/{_id_of(video)}/frames", params={"at_ms": at_ms})
        return decode(Frame, found["frames"][0])

    async def picture(self, frame: Frame, *, max_bytes: int = MAX_PICTURE_BYTES) -> bytes:
        """The JPEG file of a frame."""
        return await downloads.read_url(self._api, frame.url, max_bytes=max_bytes)

    # Clips

    async def make_clip(self, video: VideoRef, t_start: int, t_end: int, *, padding_ms: int = 2000) -> Clip:
        """Starts to cut a clip of this range in ms; `wait_for_clip` returns it when it is done."""
        body = {"video_id": _id_of(video), "t_start": t_start, "t_end": t_end, "padding_ms": padding_ms}
        return decode(Clip, await self._api.call("POST", "/clips", json=body))

    async def clip(self, clip: ClipRef) -> Clip:
        return decode(Clip, await self._api.call("GET", f"/clips/{_clip_id_of(clip)}"))

    def clips(self, video: VideoRef, *, limit: int | None = None, page_size: int = 50) -> AsyncIterator[Clip]:
        """The clips of a video, the newest first."""
        path = f"/videos/{_id_of(video)}/clips"
        return by_cursor(self._api, path, {}, "clips", lambda one: decode(Clip, one), limit=limit, page_size=page_size)

    async def wait_for_clip(self, clip: ClipRef, *, timeout_s: float | None = None) -> Clip:
        async def look() -> Clip | None:
            found = await self.clip(clip)
            if found.status == "failed":
                raise ProcessingFailed(f"the clip could not be cut: {found.error_reason}")
            return found if found.status == "done" else None

        return await poll(look, timeout_s=timeout_s, sleep=self._sleep, what=f"clip {_clip_id_of(clip)}")

    async def download_clip(
        self,
        clip: ClipRef,
        target: str | PathLike[str],
        *,
        progress: downloads.DownloadProgress | None = None,
        timeout_s: float | None = None,
    ) -> Path:
        """Waits for the clip and writes it to a file, which appears when it is complete."""
        found = await self.wait_for_clip(clip, timeout_s=timeout_s)
        if found.download_url is None:
            raise ProcessingFailed(f"clip {found.clip_id} has no file")
        return await downloads.download_file(self._api, found.download_url, Path(target), progress=progress)

    # Security events

    def events(
        self, /, *, limit: int | None = None, page_size: int = 50, **parameters: Parameter
    ) -> AsyncIterator[EventInfo]:
        """The newest first. Parameters are those of `GET /api/events`: `camera_id`, `risk_level`, `state`, `since`, `q` …"""
        return by_cursor(
            self._api,
            "/api/events",
            parameters,
            "events",
            lambda one: decode(EventInfo, one),
            limit=limit,
            page_size=page_size,
        )

    async def event(self, event: EventRef) -> EventInfo:
        return decode(EventInfo, await self._api.call("GET", f"/api/events/{_event_id_of(event)}"))

    async def acknowledge(self, event: EventRef, *, version: int | None = None) -> EventInfo:
        """The first acknowledgement counts. With `version` it is refused as `Conflict` if the event has changed since."""
        body = {} if version is None else {"version": version}
        path = f"/api/events/{_event_id_of(event)}/acknowledge"
        # Repeating it changes nothing, but after the first one the event has another version.
        return decode(EventInfo, await self._api.call("PATCH", path, json=body, is_repeatable=version is None))

    async def resolve(self, event: EventRef, notes: str | None = None, *, version: int | None = None) -> EventInfo:
        """Resolves an acknowledged event. One that is not acknowledged is refused as `Conflict`."""
        body = {name: value for name, value in (("notes", notes), ("version", version)) if value is not None}
        return decode(EventInfo, await self._api.call("PATCH", f"/api/events/{_event_id_of(event)}/resolve", json=body))

    def live(
        self,
        stream: str = "events",
        *,
        client_id: str | None = None,
        position: FeedPosition | None = None,
        patterns: tuple[str, ...] = (),
    ) -> "LiveClient":
        """Follows a stream, `events` or `videos`: an endless iterator that reconnects by itself (docs/live.md)."""
        from sightline.client.live import LiveClient  # on first use: the WebSocket library takes longest to import

        return LiveClient(
            self.url, stream, token=self._credential, client_id=client_id, position=position, patterns=patterns
        )

    # Jobs

    def jobs(
        self,
        *,
        video: VideoRef | None = None,
        job_type: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        page_size: int = 50,
    ) -> AsyncIterator[JobInfo]:
        """The newest first. For operators."""
        query = {"video_id": None if video is None else _id_of(video), "job_type": job_type, "status": status}
        return by_cursor(
            self._api, "/jobs", query, "jobs", lambda one: decode(JobInfo, one), limit=limit, page_size=page_size
        )

    async def job(self, job_id: str | UUID) -> JobInfo:
        return decode(JobInfo, await self._api.call("GET", f"/jobs/{_quoted(str(job_id))}"))


def _checked_url(url: str) -> str:
    scheme, _, rest = url.rstrip("/").partition("://")
    if scheme not in {"http", "https"} or not rest:
        raise InvalidInput(f"{url!r} is not the URL of a Sightline server; use http://host:port")
    return f"{scheme}://{rest}"


def _id_of(video: VideoRef) -> str:
    return _quoted(video.video_id if isinstance(video, VideoInfo) else str(video))


def _clip_id_of(clip: ClipRef) -> str:
    return _quoted(clip.clip_id if isinstance(clip, Clip) else clip)


def _event_id_of(event: EventRef) -> int:
    return event.id if isinstance(event, EventInfo) else int(event)


def _quoted(text: str) -> str:
    """An id as one part of a path, whatever it holds; a name of only dots would be another path."""
    if not text.strip("."):
        raise InvalidInput(f"{text!r} is not an id")
    return quote(text, safe="")


def _first(errors: BaseExceptionGroup[Any]) -> BaseException:
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = next((one for one in found.exceptions if isinstance(one, PlatformError)), found.exceptions[0])
    return found
