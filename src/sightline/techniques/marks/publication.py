"""Publishing accepted marks: a run of its own, with its own job and N+1 messages.

The set is frozen where the request is made: its result is stored and its publication recorded in the transaction that enqueues
the job. The `analyze` job finds it there, and publishes it like the result of an analyzer that has ended.

A revision is published once: a client that repeats its request, because it heard nothing, gets the run that there is.
"""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from sightline.bus import TECHNIQUE_TOPIC, Names, topic_arn_of
from sightline.contracts.jobs import Analyze
from sightline.db import Transaction
from sightline.errors import Conflict, InvalidInput
from sightline.jobs import JobQueue
from sightline.objects import ObjectStore, result_key
from sightline.techniques import publications_store as publications
from sightline.techniques.clip import check_clips
from sightline.techniques.marks import store
from sightline.techniques.marks.mark import MS_PER_S
from sightline.techniques.marks.review import accepted_marks
from sightline.techniques.result import Analysis, encode_result
from sightline.videos import Video

MARKS_ANALYZER = "marks"
"""What results and jobs of published marks name as their analyzer."""


@dataclass(frozen=True, slots=True)
class PublishedMarks:
    job_id: UUID
    total: int


async def publish_marks(
    tx: Transaction,
    video: Video,
    *,
    jobs: JobQueue,
    objects: ObjectStore,
    names: Names,
    expected_revision: int,
    by: UUID,
    topic: str | None = None,
    again: bool = False,
) -> PublishedMarks:
    """Publishes the accepted marks of this revision; raises `Conflict` if they have changed since.

    If it was the last one to be published, returns its run and sends nothing, unless `again` asks for another run.
    """
    review = await store.read_review(tx, video.id, is_locked=True)
    if review.published is not None and review.published.revision == expected_revision and not again:
        await _check_same_topic(tx, review.published.job_id, topic or TECHNIQUE_TOPIC, names)
        return PublishedMarks(review.published.job_id, review.published.total)
    if review.revision != expected_revision:
        raise Conflict(
            "The techniques changed since you opened them. Review them and publish again.",
            details={"revision": review.revision},
        )
    if review.revision == 0:
        raise Conflict(f"video {video.id} has no marks; mark techniques or find some first")
    clips = [mark.to_clip() for mark in await accepted_marks(tx, video.id)]
    checked = check_clips(clips, fps=MS_PER_S, duration_ms=video.measured_duration_ms)
    if checked.left_out:
        reasons = "; ".join(f"{one.clip.specific_technique}: {one.reason}" for one in checked.left_out[:20])
        raise InvalidInput(f"these techniques cannot be published; change or reject them: {reasons}")
    payload = Analyze(video_id=video.id, analyzer=MARKS_ANALYZER, sns_topic_arn=topic)
    job = await jobs.enqueue(tx, payload)
    analysis = Analysis(f"{len(clips)} techniques that a person accepted", clips, MS_PER_S)
    key = result_key(video.id, job.id)
    ids = {"job_id": str(job.id), "video_id": str(video.id)}
    content = await asyncio.to_thread(encode_result, analysis, analyzer=MARKS_ANALYZER, **ids)
    # Stored before the commit, since the job may run right after it. If the commit fails, the object goes with its video.
    await objects.put(key, content, content_type="application/json")
    await publications.start(
        tx,
        job_id=job.id,
        video_id=video.id,
        topic=topic or TECHNIQUE_TOPIC,
        total=len(clips),
        result_key=key,
    )
    await store.record_publication(tx, video.id, revision=review.revision, job_id=job.id, total=len(clips), by=by)
    return PublishedMarks(job.id, len(clips))


async def _check_same_topic(tx: Transaction, job_id: UUID, topic: str, names: Names) -> None:
    """A repeated request names the same topic; one that names another wants messages that were never sent."""
    publication = await publications.get(tx, job_id)
    if publication is not None and topic_arn_of(publication.topic, names) != topic_arn_of(topic, names):
        raise Conflict(
            f"These techniques were published to {publication.topic} already. "
            f"To publish them to {topic} too, send the request with again=true.",
            details={"job_id": str(job_id), "topic": publication.topic},
        )
