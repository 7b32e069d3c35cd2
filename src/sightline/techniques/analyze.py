"""analyze: technique clips of a video, stored as a result and told to the topic as N+1 messages.

Once the result is stored, it is the truth: an attempt that follows a crash publishes that result on, and does not ask the analyzer
again, whose second answer might be another.
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
from sightline.techniques.progress import DOWNLOADING, PUBLISHING, UPLOADING, processing_progress, publishing_progress
from sightline.techniques.publish import PublishedByAnotherWorker, Publisher
from sightline.techniques.result import Analysis, decode_clips, encode_result
from sightline.videos import need_video

log = structlog.get_logger(__name__)

ChooseAnalyzer = Callable[[str], Analyzer]
"""The analyzer of a name."""


class AnalyzeJob(Job[Analyze]):
    payload = Analyze
    limits = JobLimits(concurrency=2, time_limit=timedelta(hours=5))
    keeps_progress = True  # document 000's progress never falls, whatever happens in between

    def __init__(self, database: Database, objects: ObjectStore, sender: Sender, choose: ChooseAnalyzer) -> None:
        self._database = database
        self._objects = objects
        self._publisher = Publisher(database, sender)
        self._choose = choose

    async def run(self, payload: Analyze, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            begun = await publications.get(tx, context.job_id)
        if begun is None:
            clips, fps = await self._analyze(payload, context)
        else:
            log.info("techniques.publication_continued", published=begun.published, events=begun.total)
            content = await self._objects.get(begun.result_key)
            clips, fps = await asyncio.to_thread(decode_clips, content, key=begun.result_key)
        context.progress(PUBLISHING, f"publishing {len(clips)} events")
        publication = await self._publisher.publish_events(
            context.job_id,
            clips,
            fps=fps,
            told=lambda said, total: context.progress(
                publishing_progress(said, total), f"published {said} of {total} events"
            ),
        )
        uri = f"s3://{self._objects.bucket}/{publication.result_key}"
        result = {"result_s3_uri": uri, "total_event_count": publication.total}
        async with context.finishing(result=result) as tx:
            await self._publisher.publish_completion(tx, publication, result_s3_uri=uri)

    async def _analyze(self, payload: Analyze, context: JobContext) -> tuple[list[TechniqueClip], float]:
        context.progress(DOWNLOADING, "downloading")
        async with self._database.transaction() as tx:
            video = await need_video(tx, payload.video_id)
        question = AnalysisTask(video, payload.sampling_rate)
        analysis = await self._choose(payload.analyzer).analyze(
            question, lambda done, said: context.progress(processing_progress(done), said)
        )
        _reject_invalid_clips(analysis)
        context.progress(UPLOADING, "storing the result")
        key = payload.result_key or result_key(payload.video_id, context.job_id)
        await self._store(analysis, payload, context.job_id, key)
        return analysis.clips, analysis.fps

    async def _store(self, analysis: Analysis, payload: Analyze, job_id: UUID, key: str) -> None:
        ids = {"job_id": str(job_id), "video_id": str(payload.video_id)}
        content = await asyncio.to_thread(encode_result, analysis, analyzer=payload.analyzer, **ids)
        await self._objects.put(key, content, content_type="application/json")
        async with self._database.transaction() as tx:
            is_first = await publications.begin(
                tx,
                job_id=job_id,
                video_id=payload.video_id,
                topic=payload.sns_topic_arn or TECHNIQUE_TOPIC,
                total=len(analysis.clips),
                result_key=key,
            )
        if not is_first:
            raise PublishedByAnotherWorker(f"job {job_id} was analyzed by another worker meanwhile")


def _reject_invalid_clips(analysis: Analysis) -> None:
    """What may not be published is listed in the result and logged; it is not counted in N."""
    checked = check_clips(analysis.clips)
    analysis.clips = checked.kept
    analysis.left_out += checked.left_out
    for one in analysis.left_out:
        log.warning("techniques.clip_left_out", reason=one.reason, start_frame=one.clip.start_frame)
