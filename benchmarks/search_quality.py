"""Search quality: do people find the moment they mean among the first three results?

.venv/bin/python benchmarks/search_quality.py [--json] [--only one|two]

Videos with known text (search_questions_one.py, search_questions_two.py) are indexed as `segment_index` does, among videos whose
lines are made of the same words at random. Each question names the video and a time at which what it asks for is visible or heard;
a hit counts if it is in that video and on screen at that time. Set one was written with the rules, set two after they were frozen.
Paraphrases are counted where the sentence model is installed (`make meaning`); without vectors nothing can find them.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import search_questions_one as one
import search_questions_two as two
from harness import Result, main, postgres
from screen_words import Writer
from search_questions import NUMBER, PARAPHRASE, Question, Video
from sightline.bus import Names, PostgresBus, default_topology
from sightline.contracts.identity import LOCAL_OWNER
from sightline.db import Database, DatabaseSettings, Listener, open_database
from sightline.text import (
    Box,
    SearchRequest,
    SegmentIndexJob,
    SpeechSegment,
    TextReading,
    TextSettings,
    read_segments,
    replace_readings,
    replace_speech,
)
from sightline.text.meaning import (
    Embedder,
    MeaningSearch,
    MeaningSettings,
    meaning_status,
    open_embedder,
    open_meaning_search,
    passages_of,
)
from sightline.text.meaning.vectors_store import finish_embedding, store_passages
from sightline.videos import VideoMoves

FIRST = 3
OTHER_VIDEOS, LINES_PER_VIDEO = 60, 40
MADE_UP_WORDS = 1000
GOAL = 0.95


async def store(database: Database, moves: VideoMoves, video: Video) -> UUID:
    video_id = uuid4()
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO videos (id, owner_id, name, status, duration_ms) VALUES ($1, $2, $3, 'PRINTING', 600000)",
            video_id,
            LOCAL_OWNER.user_id,
            video.name,
        )
        shown = [
            TextReading(text, start * 1000, end * 1000, confidence, Box(*box))
            for start, end, text, confidence, box in video.lines()
        ]
        await replace_readings(tx, video_id, shown, from_ms=0, until_ms=None)
        said = [
            SpeechSegment(text, start * 1000, end * 1000, 0.8, video.language, ()) for start, end, text in video.speech
        ]
        await replace_speech(tx, video_id, said, from_ms=0, until_ms=600_000)
        await SegmentIndexJob(moves, TextSettings()).index(tx, video_id)
    return video_id


def others(videos: list[Video], questions: list[Question]) -> list[Video]:
    """Videos of lines with the same words and made-up ones in any order, some of them below each other.

    What is asked for by one word or number alone is in none of them: it would be as right an answer there.
    """
    rng = random.Random(5)
    unique = {(one.video, one.at_s) for one in questions if len(one.q.split()) == 1 or one.kind == NUMBER}
    words = [
        word
        for video in videos
        for start, end, text, _, _ in video.lines()
        if not any(name == video.name and start <= at < end for name, at in unique)
        for word in text.split()
    ]
    words += Writer().vocabulary[:MADE_UP_WORDS]
    found = []
    for number in range(OTHER_VIDEOS):
        blocks = []
        for line in range(LINES_PER_VIDEO):
            text = " ".join(rng.choices(words, k=rng.randint(2, 6)))
            place = rng.randint(40, 900), 60 + 44 * rng.randint(0, 20)
            blocks.append((line * 3, line * 3 + rng.randint(2, 7), *place, 32, text))
        found.append(Video(f"other {number}.mp4", blocks=blocks))
    return found


async def embed(database: Database, ids: Iterable[UUID], embedder: Embedder, model: str) -> None:
    """Vectors for all passages, as the job `embed` makes them."""
    for video_id in ids:
        async with database.transaction() as tx:
            passages = passages_of(await read_segments(tx, video_id))
            if passages:
                vectors = await embedder.embed([one.text for one in passages])
                await store_passages(tx, video_id, model, passages, vectors)
            await finish_embedding(tx, video_id, model, [one.id(model) for one in passages])


async def rank(database: Database, ids: dict[str, UUID], question: Question, meaning: MeaningSearch) -> int | None:
    """The place of the first right hit, from 1; None if it is not among the first ten."""
    async with database.as_caller(LOCAL_OWNER.claims()) as tx:
        found = await meaning.search(tx, SearchRequest(question.q, page_size=10))
    for place, hit in enumerate(found.hits, start=1):
        row = hit.row
        if row.video_id == ids[question.video] and row.t_start <= question.at_s * 1000 < row.t_end:
            return place
    return None


@asynccontextmanager
async def opened_meaning() -> AsyncIterator[tuple[MeaningSearch, Embedder | None, str]]:
    """Without an embedder where the model is not installed."""
    settings = MeaningSettings(query_timeout_s=60)
    status = meaning_status(settings)
    async with AsyncExitStack() as stack:
        search = await stack.enter_async_context(
            open_meaning_search(settings, state_dir=Path(), may_be_unconfined=True)
        )
        embedder = None
        if status.folder is not None:
            embedder = await stack.enter_async_context(open_embedder(settings, status.folder, may_be_unconfined=True))
        yield search, embedder, status.model_key


async def measure(name: str, videos: list[Video], questions: list[Question]) -> Result:
    async with postgres() as server:
        database = await open_database(DatabaseSettings(), server.url)
        try:
            bus = PostgresBus(database, Listener(server.url), default_topology(stage="dev", bucket="b"), Names())
            await bus.create()
            moves = VideoMoves(bus, page_url="http://localhost")
            ids = {video.name: await store(database, moves, video) for video in [*videos, *others(videos, questions)]}
            async with opened_meaning() as (meaning, embedder, model):
                if embedder is not None:
                    await embed(database, ids.values(), embedder, model)
                ranks = {question: await rank(database, ids, question, meaning) for question in questions}
        finally:
            await database.close()
    has_meaning = embedder is not None
    asked, found = Counter[str](), Counter[str]()
    notes = []
    for question, place in ranks.items():
        asked[question.kind] += 1
        if place is not None and place <= FIRST:
            found[question.kind] += 1
        elif has_meaning or question.kind != PARAPHRASE:
            notes.append(f"missed: {question.q} ({question.kind}), {f'place {place}' if place else 'not found'}")
    counted = [kind for kind in asked if has_meaning or kind != PARAPHRASE]
    share = sum(found[kind] for kind in counted) / sum(asked[kind] for kind in counted)
    figures = {f"{kind}, of {asked[kind]}": float(found[kind]) for kind in asked}
    figures["all, percent" if has_meaning else "all but paraphrases, percent"] = 100 * share
    return Result(
        f"search quality, set {name}", figures, "found in the first three", {"to the goal": share / GOAL}, notes
    )


async def measure_one(quick: bool) -> Result:
    return await measure("one", one.VIDEOS, one.QUESTIONS[:10] if quick else one.QUESTIONS)


async def measure_two(quick: bool) -> Result:
    return await measure("two", two.VIDEOS, two.QUESTIONS[:10] if quick else two.QUESTIONS)


if __name__ == "__main__":
    main("Search quality", {"one": measure_one, "two": measure_two})
