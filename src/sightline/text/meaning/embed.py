"""The job `embed`: gives the passages of a video their vectors, a batch at a time.

A job that is interrupted continues after the last batch that was stored. A second run of a video that has not changed does nothing.
"""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import structlog

from sightline.contracts.jobs import Embed
from sightline.db import Database, Transaction
from sightline.errors import PermanentFailure
from sightline.jobs import Job, JobContext, JobLimits, JobQueue
from sightline.text.meaning.embedder import MAX_BATCH, NICE_OF_JOBS, Embedder, open_embedder
from sightline.text.meaning.passages import EmbeddedPassage, passages_of
from sightline.text.meaning.settings import MeaningSettings
from sightline.text.meaning.status import meaning_status
from sightline.text.meaning.vectors_store import (
    finish_embedding,
    forget_embedded,
    has_vectors,
    store_passages,
    stored_passages,
)
from sightline.text.segment_index import OnIndexed
from sightline.text.segments import read_segments
from sightline.videos import lock_video

PRIORITY_OF_NEW, PRIORITY_OF_BACKFILL = -1, -10
NO_PGVECTOR = (
    "The database has no pgvector 0.7 or newer, which search by meaning needs; install the extension on the database server, run "
    "`CREATE EXTENSION vector` in the database, and restart"
)

log = structlog.get_logger(__name__)


class EmbedJob(Job[Embed]):
    payload = Embed
    limits = JobLimits(concurrency=1, time_limit=timedelta(hours=6))

    def __init__(
        self, *, database: Database, settings: MeaningSettings, state_dir: Path, may_be_unconfined: bool
    ) -> None:
        self._database = database
        self._settings = settings
        self._state_dir = state_dir
        self._may_be_unconfined = may_be_unconfined

    async def run(self, payload: Embed, context: JobContext) -> None:
        status = meaning_status(self._settings, state_dir=self._state_dir)
        if status.folder is None or status.how_to_install is not None:
            raise PermanentFailure(status.how_to_install or "search by meaning is not installed")
        async with self._database.transaction() as tx:
            if not await has_vectors(tx):
                raise PermanentFailure(NO_PGVECTOR)
        model = status.model_key
        result: dict[str, int | str] = {"model": model}
        async with open_embedder(
            self._settings, status.folder, may_be_unconfined=self._may_be_unconfined, nice=NICE_OF_JOBS
        ) as embedder:
            made = 0
            while True:
                made += await self._make_missing(payload.video_id, model, embedder, context)
                async with self._database.transaction() as tx:
                    missing, _ = await self._missing(tx, payload.video_id, model)
                if not missing:
                    break
        async with context.finishing(result=result) as tx:
            if await lock_video(tx, payload.video_id) is not None:
                missing, passages = await self._missing(tx, payload.video_id, model)
                if not missing:  # else the text has just changed, and another job was enqueued or will be
                    await finish_embedding(tx, payload.video_id, model, [one.id(model) for one in passages])
                result |= {"passages": len(passages), "made": made}
        log.info("embed.finished", **result)

    async def _make_missing(self, video_id: UUID, model: str, embedder: Embedder, context: JobContext) -> int:
        async with self._database.transaction() as tx:
            missing, passages = await self._missing(tx, video_id, model)
        for at in range(0, len(missing), MAX_BATCH):
            batch = missing[at : at + MAX_BATCH]
            vectors = await embedder.embed([one.text for one in batch])
            async with self._database.transaction() as tx:
                await store_passages(tx, video_id, model, batch, vectors)
            context.progress((len(passages) - len(missing) + at + len(batch)) / len(passages), None)
        return len(missing)

    async def _missing(
        self, tx: Transaction, video_id: UUID, model: str
    ) -> tuple[list[EmbeddedPassage], list[EmbeddedPassage]]:
        """The passages without a vector, and all of them."""
        passages = passages_of(await read_segments(tx, video_id))
        stored = await stored_passages(tx, video_id, model)
        return [one for one in passages if one.id(model) not in stored], passages


def enqueue_embedding(jobs: JobQueue, *, is_embedded: bool) -> OnIndexed:
    """Called where the text of a video was indexed. Without a model here, older vectors are marked all the same: the backfill of
    a process that has one makes them again."""

    async def on_indexed(tx: Transaction, video_id: UUID) -> None:
        await forget_embedded(tx, video_id)
        if is_embedded:
            await jobs.enqueue(tx, Embed(video_id=video_id), priority=PRIORITY_OF_NEW)

    return on_indexed
