"""The projection: sends changed videos to OpenSearch, all segments of a video at a time.

Changes are noted by the database in the transaction that makes them, so that none is lost, whoever makes it. A video that is sent
twice, by two processes or after a crash, is the same documents with the same versions.
"""

from collections.abc import AsyncIterator
from uuid import UUID

import structlog

from sightline.db import Database
from sightline.errors import PermanentFailure
from sightline.supervisor import Every, NextRun
from sightline.text.opensearch.client import OpenSearchClient
from sightline.text.opensearch.documents import SegmentDocument, bulk_bodies
from sightline.text.opensearch.projection_store import documents_of, mark_sent, projection_lag, unsent_videos
from sightline.text.settings import OpenSearchSettings

EVERY_S = 2.0
VIDEOS_AT_ONCE = 50
SEGMENTS_AT_ONCE = 1000

log = structlog.get_logger(__name__)


class SearchProjection:
    def __init__(self, database: Database, settings: OpenSearchSettings, url: str) -> None:
        self._database = database
        self._client = OpenSearchClient(settings, url)
        self._has_index = False

    def service(self) -> Every:
        return Every("search-projection", EVERY_S, self.send)

    async def check(self) -> str:
        """For the health of the platform."""
        async with self._database.transaction() as tx:
            unsent, refused = await projection_lag(tx)
        return f"{unsent} videos to send" + (f", {refused} refused" if refused else "")

    async def send(self) -> NextRun | None:
        """Sends the videos that wait longest; returns at once for the next ones if there are more."""
        async with self._database.transaction() as tx:
            waiting = await unsent_videos(tx, limit=VIDEOS_AT_ONCE)
        if not waiting:
            return None
        if not self._has_index:
            await self._client.ensure_index()
            self._has_index = True
        errors: dict[UUID, str] = {}
        for video_id, generation in waiting.items():
            try:
                await self._send_video(video_id, generation)
            except PermanentFailure as error:
                errors[video_id] = str(error)
                log.error("search_projection.refused", video_id=str(video_id), error=str(error))
        await self._client.remove_older(waiting)
        async with self._database.transaction() as tx:
            await mark_sent(tx, waiting, errors)
        log.info("search_projection.sent", videos=len(waiting), refused=len(errors))
        return NextRun(0) if len(waiting) == VIDEOS_AT_ONCE else None

    async def _send_video(self, video_id: UUID, generation: int) -> None:
        async for documents in self._pages(video_id, generation):
            for body in bulk_bodies(documents):
                await self._client.index(body)

    async def _pages(self, video_id: UUID, generation: int) -> AsyncIterator[list[SegmentDocument]]:
        """No transaction is open while the server is waited for."""
        after: UUID | None = None
        while True:
            async with self._database.transaction() as tx:
                page = await documents_of(tx, video_id, generation, after=after, limit=SEGMENTS_AT_ONCE)
            if page:
                yield page
            if len(page) < SEGMENTS_AT_ONCE:
                return
            after = page[-1].segment_id
