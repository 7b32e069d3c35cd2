"""Hits by name: videos by their names, descriptions and tags, techniques, and cameras."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text import HitKind, TextSpan, begins_of_words, marks_of_words
from sightline.videos import Video, find_videos, read_videos

MAX_PER_KIND = 8
_CANDIDATES = 100

_sql = load_queries(Path(__file__).with_name("named.sql"))


@dataclass(frozen=True, slots=True)
class NamedHit:
    kind: HitKind
    """video, technique or camera."""
    name: str
    spans: list[TextSpan]
    created_at: datetime
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
    """Videos first, then techniques and cameras; a few of each."""
    found: list[NamedHit] = []
    if "video" in query.kinds and (query.words or query.tags):
        found += await _videos(tx, query, is_everywhere=is_everywhere)
    if "technique" in query.kinds and query.words:
        found += await _techniques(tx, query, is_everywhere=is_everywhere)
    if "camera" in query.kinds and query.words and query.video_ids is None:
        found += await _cameras(tx, query)
    return found


async def _videos(tx: Transaction, query: NameQuery, *, is_everywhere: bool) -> list[NamedHit]:
    found = await find_videos(tx, query.words, tags=query.tags, limit=_CANDIDATES, is_everywhere=is_everywhere)
    hits: list[NamedHit] = []
    for video in await read_videos(tx, [one.id for one in found]):
        if len(hits) == MAX_PER_KIND:
            break
        if query.allows(video.id, video.created_at, " ".join([video.name, *video.tags])):
            hits.append(_video(video, query.words))
    return hits


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


async def _techniques(tx: Transaction, query: NameQuery, *, is_everywhere: bool) -> list[NamedHit]:
    rows = await _sql["techniques_everywhere" if is_everywhere else "techniques_as_caller"].rows(
        tx, words=list(query.words), limit=_CANDIDATES
    )
    return [
        NamedHit(
            kind="technique",
            name=row["skill_name"],
            spans=marks_of_words(unicodedata.normalize("NFC", row["skill_name"]), query.words),
            created_at=row["created_at"],
            video_id=row["video_id"],
            video_name=row["video_name"],
            t_start=row["first_s"] * 1000,
            times=row["times"],
        )
        for row in rows
        if query.allows(row["video_id"], row["created_at"], row["skill_name"])
    ][:MAX_PER_KIND]


async def _cameras(tx: Transaction, query: NameQuery) -> list[NamedHit]:
    rows = await _sql["cameras"].rows(tx, words=list(query.words), limit=MAX_PER_KIND)
    return [
        NamedHit(
            kind="camera",
            name=row["name"],
            spans=marks_of_words(unicodedata.normalize("NFC", row["name"]), query.words),
            created_at=row["created_at"],
            camera_id=row["camera_id"],
        )
        for row in rows
        if not any(begins_of_words(row["name"], [one]) for one in query.excluded)
    ]
