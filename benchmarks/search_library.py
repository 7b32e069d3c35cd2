"""A database that is filled with videos, to search in and to index one more video in."""

import json
import os
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import asyncpg

from harness import postgres, server_cpu_s
from screen_words import SEGMENTS_PER_VIDEO, Writer
from sightline.bus import Names, PostgresBus, default_topology
from sightline.contracts.identity import LOCAL_OWNER
from sightline.db import Database, DatabaseSettings, EmbeddedPostgres, Listener, open_database
from sightline.searches import suggest
from sightline.searches.words import suggestible_words
from sightline.text import SearchRequest, SegmentIndexJob, TextSettings, replace_readings, search_segments
from sightline.text.search import passage_rows, search_rows
from sightline.text.segments import find_blocks, find_entities
from sightline.videos import VideoMoves

KEPT = os.environ.get("SEARCH_LIBRARY")
"""A directory in which the database is kept, so that what takes long to build can be measured again."""
VIDEOS_AT_ONCE = 100

NAIVE = """WITH found AS MATERIALIZED (SELECT id, t_start FROM segments WHERE is_merged AND normalized_text ILIKE $1)
SELECT (SELECT count(*) FROM found), ARRAY(SELECT id FROM found ORDER BY t_start LIMIT 20)"""

COLUMNS = {
    "videos": "id owner_id name tags status",
    "segments": "id video_id owner_id text normalized_text text_hash t_start t_end confidence bounding_box frame_ms is_merged",
    "search_rows": "segment_id video_id owner_id weight t_start t_end language folded common tags",
    "search_common_words": "word video_id owner_id hits",
    "search_passages": "video_id owner_id scope scene weight t_start t_end folded unit_starts tags segment_ids",
}
KEY_INDEXES = """SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made FROM pg_index
JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_am AS a ON a.oid = c.relam
WHERE indrelid::regclass::text ~ '^search_(rows|passages)' AND a.amname = 'gin' AND NOT c.relispartition"""
"""Dropped while rows are added, and made again: ten times faster than what segment_index does."""


@dataclass(frozen=True, slots=True)
class IndexingCost:
    """What indexing one more video costs the server; all but the time is the same on a busy machine."""

    wall_ms: float
    cpu_ms: float
    wal_kb: float
    buffers: float
    """Pages of 8 KiB that were looked at."""


class Library:
    def __init__(
        self, server: EmbeddedPostgres, database: Database, admin: asyncpg.Connection, moves: VideoMoves
    ) -> None:
        self.server = server
        self.database = database
        self.moves = moves
        self.writer = Writer()
        self.videos = 0
        self._admin = admin

    async def resume(self) -> None:
        """Goes on from what a kept database has."""
        self.videos = await self._admin.fetchval("SELECT count(*) FROM videos WHERE id < $1", UUID(int=1 << 64))
        self.writer.continue_with(Random(self.videos))

    async def grow_to(self, segments: int) -> None:
        """Fills the tables as segment_index does, but builds the indexes of keys at the end."""
        if self.videos * SEGMENTS_PER_VIDEO >= segments:
            return
        indexes = await self._admin.fetch(KEY_INDEXES)
        for one in indexes:
            await self._admin.execute(f"DROP INDEX {one['name']}")
        counts: Counter[str] = Counter()
        while self.videos * SEGMENTS_PER_VIDEO < segments:
            await self._add(min(VIDEOS_AT_ONCE, segments // SEGMENTS_PER_VIDEO - self.videos), counts)
        await self._admin.execute(
            "INSERT INTO search_vocabulary AS v SELECT $1, * FROM unnest($2::text[], $3::integer[]) "
            "ON CONFLICT (scope, word) DO UPDATE SET videos = v.videos + excluded.videos",
            LOCAL_OWNER.user_id,
            list(counts),
            list(counts.values()),
        )
        await self._admin.execute("TRUNCATE search_changes, search_projection")
        await self._admin.execute("SET maintenance_work_mem = '512MB'")
        for one in indexes:
            await self._admin.execute(one["made"])
        for table in (*COLUMNS, "search_vocabulary"):
            await self._admin.execute(f"VACUUM ANALYZE {table}")

    async def _add(self, videos: int, counts: Counter[str]) -> None:
        owner = LOCAL_OWNER.user_id
        rows: dict[str, list[tuple[object, ...]]] = {table: [] for table in COLUMNS}
        for _ in range(videos):
            self.videos += 1
            video_id = UUID(int=self.videos)
            segments = list(self.writer.segments(video_id))
            entities = {one.id: find_entities(one.text) for one in segments}
            found = search_rows(segments, entities)
            counts.update(suggestible_words(row.folded for row in found.rows.values()))
            words = self.writer.line().words
            rows["videos"].append((video_id, owner, f"{' '.join(words[:3])} {self.videos}.mp4", words[:2], "COMPLETED"))
            for one in segments:
                row, place = found.rows[one.id], (one.t_start, one.t_end)
                box = json.dumps(one.box.to_json())
                rows["segments"].append(
                    (one.id, video_id, owner, one.text, one.normalized_text, "-", *place, 0.9, box, one.frame_ms, True)
                )
                common = f" {' '.join(row.common)} " if row.common else None
                rows["search_rows"].append(
                    (one.id, video_id, owner, row.weight, *place, "eng", row.folded, common, list(row.tags) or None)
                )
            rows["search_passages"] += [
                (
                    *(video_id, owner, one.scope, one.scene, one.weight, one.t_start, one.t_end, one.folded),
                    *(list(one.unit_starts), list(one.tags) or None, list(one.segment_ids)),
                )
                for one in passage_rows(segments, find_blocks(segments), entities)
            ]
            rows["search_common_words"] += [(word, video_id, owner, hits) for word, hits in found.common_words.items()]
        for table, columns in COLUMNS.items():
            await self._admin.copy_records_to_table(table, records=rows[table], columns=columns.split())

    async def index_one(self) -> IndexingCost:
        """What segment_index costs for one more video."""
        video_id = uuid4()
        async with self.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO videos (id, owner_id, name, status) VALUES ($1, $2, 'one.mp4', 'PRINTING')",
                video_id,
                LOCAL_OWNER.user_id,
            )
            await replace_readings(tx, video_id, self.writer.readings(), from_ms=0, until_ms=None)
            await tx.execute("SELECT pg_stat_force_next_flush()")
        job = SegmentIndexJob(self.moves, TextSettings())
        used, before = server_cpu_s(self.server), await self._counters()
        started = time.perf_counter()
        async with self.database.transaction() as tx:
            await job.index(tx, video_id)
            await tx.execute("SELECT pg_stat_force_next_flush()")
        wall_ms = (time.perf_counter() - started) * 1000
        after = await self._counters()
        cpu_ms = (server_cpu_s(self.server) - used) * 1000
        return IndexingCost(wall_ms, cpu_ms, (after[0] - before[0]) / 1024, after[1] - before[1])

    async def _counters(self) -> tuple[int, int]:
        """Bytes of the write-ahead log so far, and pages that were looked at."""
        row = await self._admin.fetchrow(
            "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint AS wal, blks_hit + blks_read AS buffers "
            "FROM pg_stat_database WHERE datname = current_database()"
        )
        assert row is not None
        return row["wal"], row["buffers"]

    async def checkpoint(self) -> None:
        """From here on each page is logged as a whole the first time it is changed."""
        await self._admin.execute("CHECKPOINT")

    async def search(self, request: SearchRequest) -> float:
        started = time.perf_counter()
        async with self.database.as_caller(LOCAL_OWNER.claims()) as tx:
            await search_segments(tx, request)
        return (time.perf_counter() - started) * 1000

    async def suggest(self, typed: str) -> float:
        started = time.perf_counter()
        async with self.database.as_caller(LOCAL_OWNER.claims()) as tx:
            await suggest(tx, typed)
        return (time.perf_counter() - started) * 1000

    async def search_naively(self, words: str) -> float:
        started = time.perf_counter()
        async with self.database.as_caller(LOCAL_OWNER.claims()) as tx:
            await tx.fetch(NAIVE, f"%{words}%")
        return (time.perf_counter() - started) * 1000


@asynccontextmanager
async def open_library(name: str) -> AsyncIterator[Library]:
    """A new library, or the kept one of this name."""
    async with postgres(Path(KEPT) / name if KEPT else None) as server:
        database = await open_database(DatabaseSettings(), server.url)
        admin = await asyncpg.connect(server.admin_url)
        try:
            bus = PostgresBus(database, Listener(server.url), default_topology(stage="dev", bucket="b"), Names())
            await bus.create()
            library = Library(server, database, admin, VideoMoves(bus, page_url="http://localhost"))
            await library.resume()
            yield library
        finally:
            await admin.close()
            await database.close()
