"""Backfill: videos from before the model was installed, or of another model, get their vectors; a few at a time, owners in turn."""

from pathlib import Path

import structlog

from sightline.contracts.jobs import Embed
from sightline.db import Database
from sightline.jobs import JobQueue, NewJob
from sightline.supervisor import Every
from sightline.text.meaning.embed import PRIORITY_OF_BACKFILL
from sightline.text.meaning.settings import MeaningSettings
from sightline.text.meaning.status import meaning_status
from sightline.text.meaning.vectors_store import has_vectors, videos_to_embed

log = structlog.get_logger(__name__)


class MeaningBackfill:
    def __init__(self, database: Database, jobs: JobQueue, settings: MeaningSettings, *, state_dir: Path) -> None:
        self._database = database
        self._jobs = jobs
        self._settings = settings
        self._state_dir = state_dir

    def service(self) -> Every:
        return Every("meaning-backfill", self._settings.backfill_every_s, self.run_once)

    async def run_once(self) -> int:
        """Enqueues jobs for videos without vectors; returns how many. Nothing while the model is not installed."""
        status = meaning_status(self._settings, state_dir=self._state_dir)
        if not status.is_installed:
            return 0
        async with self._database.transaction() as tx:
            if not await has_vectors(tx):
                return 0
            found = await videos_to_embed(tx, status.model_key, max_waiting=self._settings.backfill_jobs)
            await self._jobs.enqueue_many(
                tx, [NewJob(Embed(video_id=video_id), PRIORITY_OF_BACKFILL) for video_id in found]
            )
        if found:
            log.info("meaning.backfill", videos=len(found))
        return len(found)
