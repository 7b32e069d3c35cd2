"""Finalization of a run, once all its messages arrived: a summary, a bus event and a live message, each exactly once."""

from collections.abc import Sequence

import structlog

from sightline.bus import BusEvent, Sender
from sightline.contracts.technique_events import ANALYSIS_FINALIZED, FINALIZED_SOURCE, AnalysisFinalized
from sightline.db import Transaction
from sightline.live import LiveFeed, LiveMessage
from sightline.techniques import store
from sightline.techniques.marks import add_candidates_of_run
from sightline.techniques.store import FinalizedRun
from sightline.videos import get_video

log = structlog.get_logger(__name__)


async def announce_finalized(
    tx: Transaction, finalized: Sequence[FinalizedRun], *, sender: Sender, live: LiveFeed
) -> None:
    """Runs last in the transaction that finalized the runs: the live feed is locked until it commits."""
    details = []
    # Candidates lock the review of their video, so the order is the same in every transaction that locks several.
    for run in sorted(finalized, key=lambda one: (one.video_id, one.run_id)):
        summary = await store.summarize(tx, run.run_id)
        await add_candidates_of_run(tx, run.run_id, run.video_id, run.job_id)
        detail = AnalysisFinalized(
            video_id=run.video_id,
            job_id=run.job_id,
            total_event_count=run.total_event_count,
            result_s3_uri=run.result_s3_uri,
            categories={category: one["techniques"] for category, one in summary.items()},
        )
        details.append(detail)
        if run.totals_disagree:
            log.warning(
                "techniques.totals_disagree",
                video_id=str(run.video_id),
                analysis_job_id=run.job_id,
                total_event_count=run.total_event_count,
                event_totals=[run.told_least, run.told_most],
            )
        log.info(
            "techniques.finalized",
            video_id=str(run.video_id),
            analysis_job_id=run.job_id,
            events=run.received_count,
            expected=run.total_event_count,
        )
    for detail in details:
        await sender.put_events(tx, BusEvent(FINALIZED_SOURCE, ANALYSIS_FINALIZED, detail.to_detail()))
    for detail in details:
        video = await get_video(tx, detail.video_id)
        if video is not None:  # other producers publish on the topic too, about videos that are not stored here
            message = LiveMessage(
                "videos",
                "analysis_finalized",
                detail.to_detail(),
                owner_id=video.owner_id,
                team_id=video.team_id,
            )
            await live.append(tx, message)
