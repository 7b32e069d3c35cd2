"""Tools that read: search, videos, what was shown and said, frames, events."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from sightline.client import AsyncSightline, EventInfo, InvalidInput, SearchResult, Segment, VideoInfo
from sightline.mcp.tool import Arguments, Content, Tool, image, lines, text

MAX_SECONDS = 7 * 24 * 3600.0
MAX_RESULTS = 50
MAX_SEGMENTS = 1000
MAX_PICTURE_BYTES = 4 * 1024 * 1024
_MAX_LINE = 500

VideoId = Annotated[UUID, Field(description="Id of the video.")]
Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS, description="Time in seconds of the video.")]
Limit = Annotated[int, Field(ge=1, le=MAX_RESULTS, description="Maximum number of results.")]


class SearchArguments(Arguments):
    query: str = Field(min_length=1, max_length=500, description='Words; "a phrase", prefix*. What was shown or said.')
    video_id: VideoId | None = None
    limit: Limit = 10


class ListVideosArguments(Arguments):
    status: Literal["COMPLETED", "FAILED", "PROCESSING", "UPLOADING"] | None = Field(
        None, description="COMPLETED: searchable."
    )
    limit: Limit = 20


class VideoArguments(Arguments):
    video_id: VideoId


class TranscriptArguments(VideoArguments):
    from_seconds: Seconds | None = None
    until_seconds: Seconds | None = None
    kind: Literal["shown", "said"] | None = Field(None, description="Unset: both.")


class MomentArguments(VideoArguments):
    at_seconds: Seconds


class ListEventsArguments(Arguments):
    camera_id: str | None = Field(None, min_length=1, max_length=100)
    risk_level: Literal["low", "medium", "high", "critical"] | None = None
    state: Literal["created", "broadcasted", "acknowledged", "resolved"] | None = None
    since: AwareDatetime | None = Field(None, description="Started then or later, such as 2026-01-31T18:00:00Z.")
    limit: Limit = 20


class ReadingTools:
    """Each method is a tool."""

    def __init__(self, client: AsyncSightline) -> None:
        self._client = client

    def tools(self) -> list[Tool[Any]]:
        return [
            Tool(
                "search_videos",
                "Search videos",
                "Find moments by words that were shown on screen or said. Each result has video id, time, text and a link.",
                SearchArguments,
                self.search,
            ),
            Tool(
                "list_videos", "List videos", "The newest videos with id, name, status and length.", ListVideosArguments,
                self.list_videos,
            ),
            Tool(
                "get_transcript",
                "Read a video",
                "What was shown and said in a video, by time; with a range only that part.",
                TranscriptArguments,
                self.transcript,
            ),
            Tool(
                "list_moments",
                "List moments",
                "Times at which the picture shows something new, such as each slide and scene, with links.",
                VideoArguments,
                self.moments,
            ),
            Tool(
                "get_frame", "Look at a moment", "The picture on screen at a time, as an image.", MomentArguments, self.frame
            ),
            Tool(
                "get_moment_link",
                "Link to a moment",
                "A link that opens the web page of the video at a time, for people.",
                MomentArguments,
                self.link,
            ),
            Tool(
                "list_events",
                "List security events",
                "What cameras and detectors reported, newest first.",
                ListEventsArguments,
                self.list_events,
            ),
        ]  # fmt: skip

    async def search(self, asked: SearchArguments) -> Content:
        page = await self._client.search_page(asked.query, page_size=asked.limit, video_id=asked.video_id)
        more = f"({page.total} results in all)" if page.total > len(page.hits) else None
        return lines([self._hit(hit) for hit in page.hits], empty=f"Nothing found for {asked.query!r}.", more=more)

    async def list_videos(self, asked: ListVideosArguments) -> Content:
        found = [_video(one) async for one in self._client.videos(status=asked.status, limit=asked.limit)]
        return lines(found, empty="There are no videos.")

    async def transcript(self, asked: TranscriptArguments) -> Content:
        from_ms, until_ms = _ms(asked.from_seconds), _ms(asked.until_seconds)
        if from_ms is not None and until_ms is not None and until_ms <= from_ms:
            raise InvalidInput("until_seconds must be after from_seconds")
        kind = None if asked.kind is None else {"shown": "text", "said": "speech"}[asked.kind]
        segments = self._client.segments(
            asked.video_id, from_ms=from_ms, until_ms=until_ms, kind=kind, limit=MAX_SEGMENTS
        )
        found = [_segment(one) async for one in segments]
        more = f"(the first {MAX_SEGMENTS}; ask for a later range)" if len(found) == MAX_SEGMENTS else None
        return lines(found, empty="Nothing was shown or said there.", more=more)

    async def moments(self, asked: VideoArguments) -> Content:
        found = [
            f"{frame.timestamp_ms / 1000:g} s  {self._client.page_url(asked.video_id, at_ms=frame.timestamp_ms)}"
            async for frame in self._client.frames(asked.video_id)
        ]
        return lines(found, empty="The video has no frames.")

    async def frame(self, asked: MomentArguments) -> Content:
        at_ms = round(asked.at_seconds * 1000)
        found = await self._client.frame_at(asked.video_id, at_ms)
        picture = await self._client.picture(found, max_bytes=MAX_PICTURE_BYTES)
        link = self._client.page_url(asked.video_id, at_ms=at_ms)
        return [image(picture), text(f"Frame of {found.timestamp_ms / 1000:g} s. {link}")]

    async def link(self, asked: MomentArguments) -> Content:
        video = await self._client.video(asked.video_id)
        if video.duration_ms is not None and asked.at_seconds * 1000 > video.duration_ms:
            raise InvalidInput(f"{video.name} is only {video.duration_ms / 1000:g} s long")
        return [text(self._client.page_url(video, at_ms=round(asked.at_seconds * 1000)))]

    async def list_events(self, asked: ListEventsArguments) -> Content:
        events = self._client.events(
            camera_id=asked.camera_id,
            risk_level=asked.risk_level,
            state=asked.state,
            since=asked.since,
            limit=asked.limit,
        )
        return lines([event_line(one) async for one in events], empty="There are no such events.")

    def _hit(self, hit: SearchResult) -> str:
        how = "said" if hit.kind == "speech" else "shown"
        link = self._client.page_url(hit.video_id, at_ms=hit.t_start)
        return f"{hit.video_name!r} ({hit.video_id}) {_span(hit.t_start, hit.t_end)} {how}: {_short(hit.text)}  {link}"


def event_line(event: EventInfo) -> str:
    return (
        f"event {event.id} {_time(event.started_at)} camera {event.camera_id} {event.risk_level} ({event.risk_score}) "
        f"{event.state}: {_short(event.summary)}"
    )


def _video(video: VideoInfo) -> str:
    length = "" if video.duration_ms is None else f" {video.duration_ms / 1000:g} s"
    reason = f" ({_short(video.error_reason)})" if video.error_reason else ""
    return f"{video.video_id} {video.name!r} {video.status}{reason}{length} added {_time(video.created_at)}"


def _segment(segment: Segment) -> str:
    how = "said" if segment.kind == "speech" else "shown"
    return f"{_span(segment.t_start, segment.t_end)} {how}: {_short(segment.text)}"


def _span(start_ms: int, end_ms: int) -> str:
    return f"{start_ms / 1000:g}–{end_ms / 1000:g} s"


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _short(content: str) -> str:
    """On one line, so that text of a video cannot look like a result of its own."""
    line = " ".join(content.split())
    return line if len(line) <= _MAX_LINE else f"{line[:_MAX_LINE]}…"
