"""Publication of the N+1 messages of an analysis: events in batches, then the completion.

Each batch and its position are stored in one transaction, so that a crash is resumed there and no event is published twice.
A repeated event would have the same id. The completion is published only after the bus has accepted every event.
"""

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

import structlog

from sightline.bus import Attribute, Sender, TopicMessage
from sightline.contracts.technique_events import AnalysisComplete, AttributeTexts
from sightline.db import Database, Transaction
from sightline.errors import TransientFailure
from sightline.techniques import publications_store as publications
from sightline.techniques.clip import TechniqueClip, event_message_of
from sightline.techniques.publications_store import Publication

BATCH_SIZE = 500

log = structlog.get_logger(__name__)


class PublishedByAnotherWorker(TransientFailure):
    """Another worker publishes for the same job; this worker's lease has expired."""


class Publisher:
    def __init__(self, database: Database, sender: Sender, *, batch: int = BATCH_SIZE) -> None:
        self._database = database
        self._sender = sender
        self._batch = batch

    async def publish_events(
        self,
        job_id: UUID,
        clips: Sequence[TechniqueClip],
        *,
        fps: float,
        report_progress: Callable[[int, int], None] = lambda _, __: None,
    ) -> Publication:
        """Publishes the events that were not published yet; returns when the bus has accepted all N."""
        publication = await self._publish_rest(job_id, clips, fps=fps, report_progress=report_progress)
        await self._sender.wait_until_accepted(_publication(job_id))
        return publication

    async def retry_refused(self, job_id: UUID) -> None:
        """Before the publication of a job is resumed: events that were refused for good get another chance."""
        async with self._database.transaction() as tx:
            await self._sender.retry_refused(tx, _publication(job_id))

    async def _publish_rest(
        self,
        job_id: UUID,
        clips: Sequence[TechniqueClip],
        *,
        fps: float,
        report_progress: Callable[[int, int], None],
    ) -> Publication:
        while True:
            async with self._database.transaction() as tx:
                present = await publications.get(tx, job_id)
                if present is None:
                    raise TransientFailure(f"the video of job {job_id} was removed while it was analyzed")
                if present.published >= present.total:
                    return present
                batch = list(_messages(present, clips, fps, self._batch))
                await self._sender.publish(tx, *batch)
                if not await publications.advance(tx, job_id, expected=present.published, count=len(batch)):
                    raise PublishedByAnotherWorker(f"the events of job {job_id} are being published by another worker")
            report_progress(present.published + len(batch), present.total)

    async def publish_completion(self, tx: Transaction, publication: Publication, *, result_s3_uri: str | None) -> None:
        """Runs in the transaction that finishes the job, so that it is done exactly if all N+1 were published."""
        if not await publications.complete(tx, publication.job_id):
            raise PublishedByAnotherWorker(
                f"the completion of job {publication.job_id} was published by another worker"
            )
        body = AnalysisComplete(
            video_id=publication.video_id,
            job_id=str(publication.job_id),
            total_event_count=publication.total,
            result_s3_uri=result_s3_uri,
        )
        await self._sender.publish(
            tx, TopicMessage(publication.topic, body.model_dump_json(), _attributes(body.attributes()))
        )
        log.info("techniques.published", events=publication.total, topic=publication.topic)


def _messages(present: Publication, clips: Sequence[TechniqueClip], fps: float, limit: int) -> Iterator[TopicMessage]:
    job_id = str(present.job_id)
    for index in range(present.published + 1, min(present.published + limit, present.total) + 1):
        event = event_message_of(clips[index - 1], video_id=present.video_id, job_id=job_id, index=index, fps=fps)
        attributes = _attributes(event.attributes(index=index, total=present.total))
        yield TopicMessage(present.topic, event.model_dump_json(), attributes, publication=_publication(present.job_id))


def _publication(job_id: UUID) -> str:
    return f"the events of analysis {job_id}"


def _attributes(texts: AttributeTexts) -> dict[str, Attribute]:
    return {name: Attribute(data_type, value) for name, (data_type, value) in texts.items()}
