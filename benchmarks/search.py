"""Search over many segments, and the cost of indexing one more video.

.venv/bin/python benchmarks/search.py [--quick] [--json] [--only growth]

Questions are put as the API puts them: as a caller who sees all of it, with the rule of row level security, ranked, highlighted,
with the total, a page of twenty. They are made of lines like those that are there. Nobody asks for `the` alone: single words and
pairs leave out the hundred commonest words, phrases and sentences do not; what the commonest cost alone is said in the notes.
Against it: ILIKE on the same table by the same caller, with a total and a page.
"""

import json
import random
import time
from collections.abc import Awaitable, Callable
from statistics import median, quantiles
from uuid import UUID, uuid4

import asyncpg

from harness import Result, main, postgres, server_cpu_s
from screen_words import SEGMENTS_PER_VIDEO, Line, Writer
from sightline.bus import Names, PostgresBus, default_topology
from sightline.contracts.identity import LOCAL_OWNER
from sightline.db import Database, DatabaseSettings, EmbeddedPostgres, Listener, open_database
from sightline.text import SearchRequest, SegmentIndexJob, TextSettings, replace_readings, search_segments
from sightline.text.search import passage_rows, search_rows
from sightline.text.segments import find_blocks, find_entities
from sightline.videos import VideoMoves

SIZES = (10_000, 100_000, 1_000_000)
QUICK_SIZES = (1_000, 5_000)
VIDEOS_AT_ONCE = 100
GOAL_P95_MS = 30.0
COMMON_WORDS = 100

NAIVE = """WITH found AS MATERIALIZED (SELECT id, t_start FROM segments WHERE is_merged AND normalized_text ILIKE $1)
SELECT (SELECT count(*) FROM found), ARRAY(SELECT id FROM found ORDER BY t_start LIMIT 20)"""


COLUMNS = {
    "videos": "id owner_id name status",
    "segments": "id video_id owner_id text normalized_text text_hash t_start t_end confidence bounding_box frame_ms is_merged",
    "search_rows": "segment_id video_id owner_id weight t_start t_end language folded common tags",
    "search_common_words": "word video_id owner_id hits",
    "search_passages": "video_id owner_id scope scene weight t_start t_end folded unit_starts tags segment_ids",
}
KEY_INDEXES = ("search_rows_keys", "search_passages_block_keys", "search_passages_moment_keys")
"""Dropped while rows are added, and made again: ten times faster than what segment_index does."""


class Library:
    """A database that is filled with videos."""

    def __init__(
        self, server: EmbeddedPostgres, database: Database, admin: asyncpg.Connection, moves: VideoMoves
    ) -> None:
        self.server = server
        self.database = database
        self.moves = moves
        self.writer = Writer()
        self.videos = 0
        self._admin = admin

    async def grow_to(self, segments: int) -> None:
        """Fills the tables as segment_index does, but builds the index at the end, which is ten times faster."""
        made = [await self._admin.fetchval("SELECT pg_get_indexdef($1::regclass)", name) for name in KEY_INDEXES]
        for name in KEY_INDEXES:
            await self._admin.execute(f"DROP INDEX {name}")
        while self.videos * SEGMENTS_PER_VIDEO < segments:
            await self._add(min(VIDEOS_AT_ONCE, segments // SEGMENTS_PER_VIDEO - self.videos))
        await self._admin.execute("SET maintenance_work_mem = '512MB'")
        for name, statement in zip(KEY_INDEXES, made, strict=True):
            await self._admin.execute(statement)
            await self._admin.execute(f"ALTER INDEX {name} ALTER COLUMN 1 SET STATISTICS 0")
        for table in COLUMNS:
            await self._admin.execute(f"VACUUM ANALYZE {table}")

    async def _add(self, videos: int) -> None:
        owner = LOCAL_OWNER.user_id
        rows: dict[str, list[tuple[object, ...]]] = {table: [] for table in COLUMNS}
        for _ in range(videos):
            self.videos += 1
            video_id = UUID(int=self.videos)
            segments = list(self.writer.segments(video_id))
            entities = {one.id: find_entities(one.text) for one in segments}
            found = search_rows(segments, entities)
            rows["videos"].append((video_id, owner, f"video {self.videos}.mp4", "COMPLETED"))
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

    async def index_one(self) -> float:
        """Milliseconds that segment_index takes for one more video."""
        video_id = uuid4()
        async with self.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO videos (id, owner_id, name, status) VALUES ($1, $2, 'one.mp4', 'PRINTING')",
                video_id,
                LOCAL_OWNER.user_id,
            )
            await replace_readings(tx, video_id, self.writer.readings(), from_ms=0, until_ms=None)
        job = SegmentIndexJob(self.moves, TextSettings())
        started = time.perf_counter()
        async with self.database.transaction() as tx:
            await job.index(tx, video_id)
        return (time.perf_counter() - started) * 1000

    async def search(self, request: SearchRequest) -> float:
        started = time.perf_counter()
        async with self.database.as_caller(LOCAL_OWNER.claims()) as tx:
            await search_segments(tx, request)
        return (time.perf_counter() - started) * 1000

    async def search_naively(self, words: str) -> float:
        started = time.perf_counter()
        async with self.database.as_caller(LOCAL_OWNER.claims()) as tx:
            await tx.fetch(NAIVE, f"%{words}%")
        return (time.perf_counter() - started) * 1000


def _words(line: Line) -> list[str]:
    return [word for word in line.words if word.isalpha()]


def _typo(word: str, rng: random.Random) -> str:
    at = rng.randrange(len(word))
    return word[:at] + rng.choice("aeioubcdfg") + word[at + 1 :]


def make_requests(writer: Writer, count: int, seed: int = 7) -> dict[str, list[SearchRequest]]:
    """Search requests by kind, `count` of each."""
    rng = random.Random(seed)
    common = set(writer.vocabulary[:COMMON_WORDS])
    found: dict[str, list[SearchRequest]] = {}
    while not found or len(found["word"]) < count:
        words = _words(writer.line())
        rare = [word for word in words if word not in common]
        long = [word for word in rare if len(word) >= 5]
        if len(rare) < 2 or not long:
            continue
        start = rng.randrange(len(words) - 1)
        word = rng.choice(long)
        for kind, request in (
            ("word", SearchRequest(rng.choice(rare))),
            ("two words", SearchRequest(" ".join(rng.sample(rare, 2)))),
            ("phrase", SearchRequest(f'"{words[start]} {words[start + 1]}"')),
            ("prefix", SearchRequest(f"{word[:4]}*")),
            ("part", SearchRequest(f"*{word[1:5]}*")),
            ("slip", SearchRequest(_typo(word, rng))),
            ("sentence", SearchRequest(" ".join(words))),
        ):
            found.setdefault(kind, []).append(request)
    return found


def p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]


async def with_library(work: Callable[[Library], Awaitable[Result]]) -> Result:
    async with postgres() as server:
        database = await open_database(DatabaseSettings(), server.url)
        admin = await asyncpg.connect(server.admin_url)
        try:
            bus = PostgresBus(database, Listener(server.url), default_topology(stage="dev", bucket="b"), Names())
            await bus.create()
            return await work(Library(server, database, admin, VideoMoves(bus, page_url="http://localhost")))
        finally:
            await admin.close()
            await database.close()


async def measure_growth(quick: bool) -> Result:
    """Search as the library grows."""

    async def work(library: Library) -> Result:
        sizes = QUICK_SIZES if quick else SIZES
        figures: dict[str, float] = {}
        notes: list[str] = []
        requests = make_requests(library.writer, 5 if quick else 40)
        naive = [" ".join(one.q.strip('"*').split()) for one in requests["phrase"]][: 5 if quick else 10]
        for size in sizes:
            await library.grow_to(size)
            for one in (one for kind in requests.values() for one in kind):
                await library.search(one)  # warm-up, so that the pages are cached
            used = server_cpu_s(library.server)
            by_kind = {kind: [await library.search(one) for one in several] for kind, several in requests.items()}
            every = [one for times in by_kind.values() for one in times]
            figures |= {f"{size:,} segments, p50": median(every), f"{size:,} segments, p95": p95(every)}
            figures[f"{size:,} segments, CPU of the server"] = 1000 * (server_cpu_s(library.server) - used) / len(every)
            slow = [await library.search_naively(words) for words in naive]
            figures[f"{size:,} segments, ILIKE, p50"] = median(slow)
            notes.append(
                f"{size:,}: p50/p95 by kind "
                + ", ".join(f"{kind} {median(times):.1f}/{p95(times):.1f}" for kind, times in by_kind.items())
            )
            for rank, place in ((0, "four lines of ten"), (9, "one line of twenty"), (49, "one line of ninety")):
                word = SearchRequest(library.writer.vocabulary[rank])
                times = [await library.search(word) for _ in range(5)]
                notes.append(f"{size:,}: the word of rank {rank + 1}, which stands in {place}: {median(times):.1f}")
        first, last = (f"{size:,} segments" for size in (sizes[0], sizes[-1]))
        ratios = {
            "p95, largest to smallest": figures[f"{last}, p95"] / figures[f"{first}, p95"],
            "ILIKE p50 to ours p50, largest": figures[f"{last}, ILIKE, p50"] / figures[f"{last}, p50"],
        }
        if not quick:
            ratios["p95 to the goal of 30 ms"] = figures[f"{last}, p95"] / GOAL_P95_MS
        return Result("search", figures, "ms", ratios, notes)

    return await with_library(work)


async def measure_indexing(quick: bool) -> Result:
    """One more video of 100 segments, with few and with many others in the index."""

    async def work(library: Library) -> Result:
        figures: dict[str, float] = {}
        many = 50 if quick else 10_000
        for videos in (10, many):
            await library.grow_to(videos * SEGMENTS_PER_VIDEO)
            await library.index_one()
            used = server_cpu_s(library.server)
            times = [await library.index_one() for _ in range(5 if quick else 30)]
            cpu_ms = 1000 * (server_cpu_s(library.server) - used) / len(times)
            figures |= {f"{videos:,} others, p50": median(times), f"{videos:,} others, mean": sum(times) / len(times)}
            figures[f"{videos:,} others, CPU of the server"] = cpu_ms
        ratios = {
            f"many to few, {what}": figures[f"{many:,} others, {what}"] / figures[f"10 others, {what}"]
            for what in ("p50", "CPU of the server")
        }
        return Result("index one video", figures, "ms", ratios)

    return await with_library(work)


if __name__ == "__main__":
    main("SearchRequest", {"growth": measure_growth, "indexing": measure_indexing})
