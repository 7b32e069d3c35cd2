"""Hits by name: videos by their names, descriptions and tags, techniques, and cameras."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.text import HitKind, TextSpan, begins_of_words, marks_of_words
from sightline.videos import Video, read_videos

MAX_PER_KIND = 8
_CANDIDATES = 100

_sql = load_queries(Path(__file__).with_name("named.sql"))


@dataclass(frozen=True, slots=True)
class NamedHit:
    kind: HitKind
    """video, technique or camera."""
    name: str
    spans: list[TextSpan]
    created_at: datetime | None = None
    """Of the video."""
    video_id: UUID | None = None
    video_name: str | None = None
    camera_id: str | None = None
    t_start: int | None = None
    times: int | None = None
    """How often a technique was found in the video."""
    excerpt: str | None = None
    """Of a video's description, if the words are there."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameQuery:
    words: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    video_ids: frozenset[UUID] | None = None
    created_from: datetime | None = None
    created_until: datetime | None = None
    kinds: frozenset[HitKind] = field(default_factory=frozenset)

    def allows(self, video_id: UUID, created_at: datetime, text: str) -> bool:
        return (
            (self.video_ids is None or video_id in self.video_ids)
            and (self.created_from is None or created_at >= self.created_from)
            and (self.created_until is None or created_at < self.created_until)
            and not any(begins_of_words(text, [one]) for one in self.excluded)
        )


async def find_by_name(tx: Transaction, query: NameQuery, *, is_everywhere: bool = False) -> list[NamedHit]:
    """Videos first, then techniques and cameras; a few of each. One statement, and one more if there are videos."""
    if (not query.words and not query.tags) or not query.kinds - {"text", "speech"}:
        return []
    rows = await _sql["find_everywhere" if is_everywhere else "find_as_caller"].rows(
        tx, words=list(query.words), tags=list(query.tags), kinds=sorted(query.kinds), limit=_CANDIDATES
    )
    ids = dict.fromkeys(row["video_id"] for row in rows if row["video_id"] is not None)
    videos = {video.id: video for video in await read_videos(tx, list(ids))} if ids else {}
    found: dict[HitKind, list[NamedHit]] = {"video": [], "technique": [], "camera": []}
    for row in sorted(rows, key=lambda row: row["place"]):
        kind: HitKind = row["kind"]
        hit = _camera(row, query) if kind == "camera" else _of_video(row, videos, query)
        if hit is not None and len(found[kind]) < MAX_PER_KIND:
            found[kind].append(hit)
    return [hit for hits in found.values() for hit in hits]


def _of_video(row: asyncpg.Record, videos: Mapping[UUID, Video], query: NameQuery) -> NamedHit | None:
    video = videos.get(row["video_id"])
    if video is None:
        return None
    if row["kind"] == "technique":
        return _technique(row, video, query)
    is_allowed = query.allows(video.id, video.created_at, " ".join([video.name, *video.tags]))
    return _video(video, query.words) if is_allowed else None


def _video(video: Video, words: Sequence[str]) -> NamedHit:
    name = unicodedata.normalize("NFC", video.name)
    spans = marks_of_words(name, words)
    is_elsewhere = bool(words) and not begins_of_words(" ".join([name, *video.tags]), words)
    return NamedHit(
        kind="video",
        name=name,
        spans=spans,
        created_at=video.created_at,
        video_id=video.id,
        video_name=name,
        excerpt=video.description if is_elsewhere else None,
        tags=video.tags,
    )


def _technique(row: asyncpg.Record, video: Video, query: NameQuery) -> NamedHit | None:
    name = unicodedata.normalize("NFC", row["name"])
    if not query.allows(video.id, video.created_at, name):
        return None
    return NamedHit(
        kind="technique",
        name=name,
        spans=marks_of_words(name, query.words),
        created_at=video.created_at,
        video_id=video.id,
        video_name=video.name,
        t_start=row["first_s"] * 1000,
        times=row["times"],
    )


def _camera(row: asyncpg.Record, query: NameQuery) -> NamedHit | None:
    name = unicodedata.normalize("NFC", row["name"])
    if query.video_ids is not None or any(begins_of_words(name, [one]) for one in query.excluded):
        return None
    return NamedHit(kind="camera", name=name, spans=marks_of_words(name, query.words), camera_id=row["camera_id"])
