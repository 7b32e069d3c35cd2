"""Search by meaning beside search by words: what is found, what it costs, and how long it takes.

.venv/bin/python benchmarks/meaning.py [--quick] [--json] [--only questions|cost|latency]

Questions are put in other words than the videos use, and have one right passage each (meaning_texts.py, meaning_questions_*.py):
the first half was used to tune the search, the second was written after that and changed nothing.
"""

import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from uuid import UUID, uuid4

import asyncpg
import numpy as np

import meaning_questions_one
import meaning_questions_two
from harness import Result, main, server_cpu_s
from meaning_texts import VIDEOS
from search import make_requests, p95
from search_library import Library, open_library
from sightline.contracts.identity import LOCAL_OWNER
from sightline.text import (
    Box,
    SearchRequest,
    SearchResults,
    SegmentIndexJob,
    SpeechSegment,
    TextReading,
    TextSettings,
    index_segments,
    read_segments,
    replace_readings,
    replace_speech,
)
from sightline.text.meaning import (
    Embedder,
    MeaningMode,
    MeaningSearch,
    MeaningSettings,
    meaning_status,
    open_embedder,
    open_meaning_search,
    passages_of,
)
from sightline.text.meaning.encoder import open_service
from sightline.text.meaning.vectors_store import finish_embedding, store_passages

FIRST = 3
SECONDS = 6
MODES: dict[str, MeaningMode] = {"words": "off", "words and meaning": "auto"}


async def add_video(library: Library, name: str, texts: Sequence[str], embedder: Embedder, model: str) -> None:
    """As the pipeline would: texts are read line by line, speech is heard sentence by sentence."""
    video_id = uuid4()
    shown: list[TextReading] = []
    said: list[SpeechSegment] = []
    for number, text in enumerate(texts):
        start, end = number * SECONDS * 1000, (number + 1) * SECONDS * 1000 - 3000
        if text.startswith("»"):
            said.append(SpeechSegment(text[1:], start, end, 0.9, "eng", ()))
        else:
            shown += [
                TextReading(line, start, end, 0.9, Box(80, 100 + 40 * row, 12 * len(line), 30))
                for row, line in enumerate(text.split("\n"))
            ]
    async with library.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO videos (id, owner_id, name, status) VALUES ($1, $2, $3, 'PRINTING')",
            video_id,
            LOCAL_OWNER.user_id,
            name,
        )
        await replace_readings(tx, video_id, shown, from_ms=0, until_ms=None)
        await replace_speech(tx, video_id, said, from_ms=0, until_ms=10**8)
        await SegmentIndexJob(library.moves, TextSettings()).index(tx, video_id)
        await index_segments(tx, video_id)
        passages = passages_of(await read_segments(tx, video_id))
        vectors = await embedder.embed([one.text for one in passages])
        await store_passages(tx, video_id, model, passages, vectors)
        await finish_embedding(tx, video_id, model, [one.id(model) for one in passages])


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[MeaningSearch, Embedder, str]]:
    settings = MeaningSettings(query_timeout_s=60)
    status = meaning_status(settings)
    assert status.folder is not None, status.how_to_install
    async with (
        open_meaning_search(settings, state_dir=Path(), may_be_unconfined=True) as search,
        open_embedder(settings, status.folder, may_be_unconfined=True) as embedder,
    ):
        yield search, embedder, status.model_key


async def ask(library: Library, search: MeaningSearch, q: str, mode: MeaningMode) -> SearchResults:
    async with library.database.as_caller(LOCAL_OWNER.claims()) as tx:
        return await search.search(tx, SearchRequest(q), mode=mode)


def place_of(found: SearchResults, video: str, text: str) -> int | None:
    """The place of the right hit, from 1; None if it is not among them."""
    for place, hit in enumerate(found.hits, start=1):
        if hit.row.video_name == video and hit.text.startswith(text):
            return place
    return None


async def measure_questions(quick: bool) -> Result:
    """Of how many questions the right passage is among the first three."""

    async def work(library: Library) -> Result:
        async with opened() as (search, embedder, model):
            for name, texts in VIDEOS.items():
                await add_video(library, name, texts, embedder, model)
            for number in range(2 if quick else 20):
                lines = [library.writer.line().text for _ in range(100)]
                await add_video(library, f"noise {number}.mp4", lines, embedder, model)
            figures: dict[str, float] = {}
            notes: list[str] = []
            halves = {"first half": meaning_questions_one.QUESTIONS, "second half": meaning_questions_two.QUESTIONS}
            for half, questions in ((half, asked) for half, asked in halves.items() if asked):
                for label, mode in MODES.items():
                    places = [place_of(await ask(library, search, q, mode), v, t) for q, v, t in questions]
                    hits = sum(place is not None and place <= FIRST for place in places)
                    figures[f"{half} ({len(questions)}), {label}"] = 100 * hits / len(questions)
                    if mode == "auto":
                        missed = [
                            f"{q!r} at {place or 'no place'}"
                            for (q, _, _), place in zip(questions, places, strict=True)
                            if place is None or place > FIRST
                        ]
                        notes.append(f"{half}, not among the first three: {'; '.join(missed) or 'none'}")
            return Result("right passage among the first three", figures, "% of questions", notes=notes)

    async with open_library("meaning") as library:
        return await work(library)


async def measure_cost(quick: bool) -> Result:
    """CPU of the model for passages as videos have them. It runs in this process, whose times are known."""
    texts = [text.lstrip("»") for video in VIDEOS.values() for text in video]
    texts = [f"{text} {n}" for n in range(8) for text in texts][: 100 if quick else 1000]
    status = meaning_status(MeaningSettings())
    assert status.folder is not None, status.how_to_install
    begun = time.process_time()
    service = open_service({"folder": str(status.folder), "threads": 1})
    loaded = time.process_time()
    for text in texts:
        service.encode(text)
    used = time.process_time() - loaded
    return Result(
        "CPU of vectors", {"1,000 passages": 1000 * used / len(texts), "loading the model": loaded - begun}, "s"
    )


async def measure_latency(quick: bool) -> Result:
    """Queries as callers put them: of the owner of nearly everything, and of an owner of a twentieth."""
    size = 2_000 if quick else 100_000

    async def work(library: Library) -> Result:
        await library.grow_to(size)
        admin = await asyncpg.connect(library.server.admin_url)
        async with opened() as (search, embedder, model):
            sample = await embedder.embed([text for video in VIDEOS.values() for text in video])
            await fill(admin, model, sample, size)
            small = UUID(int=7)
            await admin.execute(
                "UPDATE passage_vectors SET owner_id = $1 WHERE ('x' || right(video_id::text, 4))::bit(16)::int % 20 = 0",
                small,
            )
            await admin.execute("VACUUM ANALYZE passage_vectors")
            figures: dict[str, float] = {}
            questions = [q for q, _, _ in meaning_questions_one.QUESTIONS]
            words = [one.q for one in make_requests(library.writer, 5 if quick else 20)["two words"]]
            claims = {"large": LOCAL_OWNER.claims(), "small": {"sub": str(small)}}
            for label, mode in MODES.items():
                for kind, queries in (("questions", questions), ("two words", words)):
                    times = await each(library, search, queries, mode, claims["large"])
                    figures |= {f"{kind}, {label}, p50": median(times), f"{kind}, {label}, p95": p95(times)}
            times = await each(library, search, questions, "only", claims["small"])
            figures |= {"owner of 5 %, meaning only, p50": median(times), "owner of 5 %, meaning only, p95": p95(times)}
            vectors = [(await embedder.embed([f"{q}?"]))[0].tolist() for q in questions]
            figures["vector of a query alone, p50"] = median(
                [await embedding_ms(embedder, f"{q} now") for q in questions]
            )
            await compare(admin, figures, vectors, model, LOCAL_OWNER.user_id)
            used = server_cpu_s(library.server)
            for q in questions:
                await timed(library, search, q, "only", claims["large"])
            figures["CPU of the server, meaning only"] = 1000 * (server_cpu_s(library.server) - used) / len(questions)
        await admin.close()
        return Result(f"queries over {size:,} passages", figures, "ms")

    async with open_library("meaning") as library:
        return await work(library)


async def fill(admin: asyncpg.Connection, model: str, sample: np.ndarray, size: int) -> None:
    """A vector for each segment: those of real texts, moved a little. The index is built at the end, which is faster."""
    rng = np.random.default_rng(5)
    index = await admin.fetchval("SELECT pg_get_indexdef('passage_vectors_nearest'::regclass)")
    await admin.execute("DROP INDEX passage_vectors_nearest")
    rows = await admin.fetch("SELECT id, video_id, t_start, t_end FROM segments LIMIT $1", size)
    for at in range(0, len(rows), 1000):
        part = rows[at : at + 1000]
        vectors = sample[rng.integers(0, len(sample), len(part))] + 0.04 * rng.standard_normal(
            (len(part), sample.shape[1])
        )
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        by_video: dict[UUID, list[int]] = {}
        for number, row in enumerate(part):
            by_video.setdefault(row["video_id"], []).append(number)
        for video_id, numbers in by_video.items():
            await admin.execute(
                "SELECT sightline.store_passages($1, $2, $3, $4::jsonb, $5, $6, $7, $8, 384)",
                video_id,
                model,
                [part[n]["id"] for n in numbers],
                json.dumps([[str(part[n]["id"])] for n in numbers]),
                [part[n]["t_start"] for n in numbers],
                [part[n]["t_end"] for n in numbers],
                ["eng"] * len(numbers),
                vectors[numbers].ravel().tolist(),
            )
    await admin.execute("SET maintenance_work_mem = '512MB'")
    await admin.execute(index)


async def compare(
    admin: asyncpg.Connection, figures: dict[str, float], vectors: Sequence[list[float]], model: str, owner: UUID
) -> None:
    """The HNSW index against comparing all rows of the owner, in the database alone; how many of the nearest it finds."""
    near = "SELECT segment_ids FROM sightline.{}($1, '{{}}', $2, $3, 0, 50{})"
    found: dict[str, list[set[tuple[UUID, ...]]]] = {}
    # A filter that keeps everything makes the search compare all rows.
    for label, statement in {
        "all rows compared": near.format("search_meaning", """, '{"from_ms": -1}'"""),
        "HNSW index": near.format("nearest_by_index", ""),
    }.items():
        times = []
        for vector in vectors:
            started = time.perf_counter()
            rows = await admin.fetch(statement, owner, vector, model)
            times.append((time.perf_counter() - started) * 1000)
            found.setdefault(label, []).append({tuple(row["segment_ids"]) for row in rows})
        figures |= {f"large owner, {label}, p50": median(times), f"large owner, {label}, p95": p95(times)}
    exact, index = found.values()
    shared = [len(one & other) / len(one) for one, other in zip(exact, index, strict=True) if one]
    figures["% of the nearest 50 that the index finds"] = 100 * sum(shared) / len(shared)


async def timed(library: Library, search: MeaningSearch, q: str, mode: MeaningMode, claims: dict[str, object]) -> float:
    started = time.perf_counter()
    async with library.database.as_caller(claims) as tx:
        await search.search(tx, SearchRequest(q), mode=mode)
    return (time.perf_counter() - started) * 1000


async def each(
    library: Library, search: MeaningSearch, queries: Sequence[str], mode: MeaningMode, claims: dict[str, object]
) -> list[float]:
    """Each query once to warm up, and once with another word, so that its vector is not remembered."""
    for q in queries:
        await timed(library, search, q, mode, claims)
    return [await timed(library, search, f"{q} {mode}", mode, claims) for q in queries]


async def embedding_ms(embedder: Embedder, text: str) -> float:
    started = time.perf_counter()
    await embedder.embed([text])
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main("Search by meaning", {"questions": measure_questions, "cost": measure_cost, "latency": measure_latency})
