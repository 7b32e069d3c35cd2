"""The `analyze` job: finds technique clips in a video, stores the result and publishes it to the topic as N+1 messages.

A stored result is final: an attempt after a crash resumes its publication, and does not run the analyzer again, which might
find something else.
"""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import structlog

from sightline.bus import TECHNIQUE_TOPIC, Sender
from sightline.contracts.jobs import Analyze
from sightline.db import Database
from sightline.jobs import Job, JobContext, JobLimits
from sightline.objects import ObjectStore, result_key
from sightline.techniques import publications_store as publications
from sightline.techniques.analyzers.analyzer import AnalysisTask, Analyzer
from sightline.techniques.clip import TechniqueClip, check_clips
from sightline.techniques.marks import add_candidates
from sightline.techniques.progress import DOWNLOADING, PUBLISHING, UPLOADING, processing_progress, publishing_progress
from sightline.techniques.publish import PublishedByAnotherWorker, Publisher
from sightline.techniques.result import Analysis, decode_clips, encode_result
from sightline.videos import need_video

log = structlog.get_logger(__name__)

ChooseAnalyzer = Callable[[str], Analyzer]
"""Returns the analyzer with this name."""


class AnalyzeJob(Job[Analyze]):
    payload = Analyze
    limits = JobLimits(concurrency=2, time_limit=timedelta(hours=5))
    keeps_progress = True  # progress as in document 000 never decreases, not even after a retry

    def __init__(self, database: Database, objects: ObjectStore, sender: Sender, choose: ChooseAnalyzer) -> None:
        self._database = database
        self._objects = objects
        self._sender = sender
        self._publisher = Publisher(database, sender)
        self._choose = choose

    async def run(self, payload: Analyze, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            started = await publications.get(tx, context.job_id)
        # Checked before the analyzer works, which may cost money, and again before anything is published.
        await self._check_topic(payload)
        if started is None:
            clips, fps = await self._analyze(payload, context)
            await self._check_topic(payload)
        else:
            log.info("techniques.publication_resumed", published=started.published, events=started.total)
            content = await self._bucket(started.result_bucket).get(started.result_key)
            clips, fps = await asyncio.to_thread(decode_clips, content, key=started.result_key)
            await self._publisher.retry_refused(context.job_id)
        context.progress(PUBLISHING, f"publishing {len(clips)} events")
        publication = await self._publisher.publish_events(
            context.job_id,
            clips,
            fps=fps,
            report_progress=lambda published, total: context.progress(
                publishing_progress(published, total), f"published {published} of {total} events"
            ),
        )
        uri = f"s3://{publication.result_bucket or self._objects.bucket}/{publication.result_key}"
        result = {"result_s3_uri": uri, "total_event_count": publication.total}
        async with context.finishing(result=result) as tx:
            await self._publisher.publish_completion(tx, publication, result_s3_uri=uri)

    async def _check_topic(self, payload: Analyze) -> None:
        """A topic that a request names may be gone by now; the job then fails with that reason."""
        if payload.sns_topic_arn is not None:
            await self._sender.check_topic(payload.sns_topic_arn)

    def _bucket(self, bucket: str | None) -> ObjectStore:
        return self._objects if bucket is None else self._objects.in_bucket(bucket)

    async def _analyze(self, payload: Analyze, context: JobContext) -> tuple[list[TechniqueClip], float]:
        context.progress(DOWNLOADING, "downloading")
        async with self._database.transaction() as tx:
            video = await need_video(tx, payload.video_id)
        task = AnalysisTask(video, payload.sampling_rate)
        analysis = await self._choose(payload.analyzer).analyze(
            task, lambda done, message: context.progress(processing_progress(done), message)
        )
        _reject_invalid_clips(analysis, duration_ms=video.measured_duration_ms)
        context.progress(UPLOADING, "storing the result")
        key = payload.result_key or result_key(payload.video_id, context.job_id)
        await self._store(analysis, payload, context.job_id, key)
        return analysis.clips, analysis.fps

    async def _store(self, analysis: Analysis, payload: Analyze, job_id: UUID, key: str) -> None:
        ids = {"job_id": str(job_id), "video_id": str(payload.video_id)}
        content = await asyncio.to_thread(encode_result, analysis, analyzer=payload.analyzer, **ids)
        await self._bucket(payload.result_bucket).put(key, content, content_type="application/json")
        async with self._database.transaction() as tx:
            is_first = await publications.start(
                tx,
                job_id=job_id,
                video_id=payload.video_id,
                topic=payload.sns_topic_arn or TECHNIQUE_TOPIC,
                total=len(analysis.clips),
                result_key=key,
                result_bucket=payload.result_bucket,
            )
            if is_first:
                await add_candidates(
                    tx,
                    payload.video_id,
                    analysis.clips,
                    fps=analysis.fps,
                    analyzer=payload.analyzer,
                    job_id=str(job_id),
                )
        if not is_first:
            raise PublishedByAnotherWorker(f"job {job_id} was analyzed by another worker in the meantime")


def _reject_invalid_clips(analysis: Analysis, *, duration_ms: int | None) -> None:
    """Clips that may not be published are listed in the result and logged, and are not counted in N."""
    checked = check_clips(analysis.clips, fps=analysis.fps, duration_ms=duration_ms)
    analysis.clips = checked.kept
    analysis.left_out += checked.left_out
    for one in analysis.left_out:
        log.warning("techniques.clip_skipped", reason=one.reason, start_frame=one.clip.start_frame)
