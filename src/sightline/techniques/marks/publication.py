"""Publishing accepted marks: a run of its own, with its own job and N+1 messages.

The set is frozen where the request is made: its result is stored and its publication recorded in the transaction that enqueues
the job. The `analyze` job finds it there, and publishes it like the result of an analyzer that has ended.
"""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from sightline.bus import TECHNIQUE_TOPIC
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
    expected_revision: int,
    by: UUID,
    topic: str | None = None,
) -> PublishedMarks:
    """Publishes the accepted marks of this revision; raises `Conflict` if they have changed since."""
    review = await store.read_review(tx, video.id, is_locked=True)
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
