"""Overview: figures over time for charts, and current numbers."""

from typing import Annotated

from fastapi import APIRouter, Query

from sightline.api.answers.overview import (
    EventFiguresAnswer,
    JobAgesAnswer,
    JobFiguresAnswer,
    NowAnswer,
    OverviewAnswer,
    ProcessingFiguresAnswer,
    UploadFiguresAnswer,
    jobs_now,
)
from sightline.api.answers.queues import QueueAnswer
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.health import ServiceAnswer
from sightline.bootstrap import Platform
from sightline.bus import queue_overview
from sightline.contracts import Caller
from sightline.jobs import count_open_jobs
from sightline.overview import (
    Period,
    Span,
    ages_of,
    count_critical_waiting,
    count_dead_jobs,
    count_videos,
    event_figures,
    job_figures,
    processing_figures,
    span_of,
    upload_figures,
)
from sightline.timing import iso_utc, utc_now

router = APIRouter(tags=["overview"])


@router.get("/api/overview")
async def overview(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    period: Annotated[Period, Query(description="Length of the period.", examples=["24h"])] = "24h",
) -> OverviewAnswer:
    """Uploads, processing, events and jobs over time, and current numbers.

    Videos and events are those that the caller may see; jobs, queues and services are for operators, and null for others.
    """
    span = span_of(period, utc_now())
    answer = await _seen_by(platform, caller, period, span)
    if caller.is_operator:
        await _add_operators_part(platform, span, answer)
    return answer


async def _seen_by(platform: Platform, caller: Caller, period: Period, span: Span) -> OverviewAnswer:
    async with platform.database.as_caller(caller.claims()) as tx:
        return OverviewAnswer(
            period=period,
            step_s=int(span.step.total_seconds()),
            times=[iso_utc(time) for time in span.times],
            uploads=UploadFiguresAnswer.of(await upload_figures(tx, span)),
            processing=ProcessingFiguresAnswer.of(await processing_figures(tx, span)),
            events=EventFiguresAnswer.of(await event_figures(tx, span)),
            jobs=None,
            job_ages=None,
            now=NowAnswer(
                videos=await count_videos(tx),
                critical_unacknowledged=await count_critical_waiting(tx),
                jobs=None,
                queues=None,
                services_not_running=None,
            ),
        )


async def _add_operators_part(platform: Platform, span: Span, answer: OverviewAnswer) -> None:
    async with platform.database.transaction() as tx:
        figures = await job_figures(tx, span)
        answer.now.jobs = jobs_now(await count_open_jobs(tx), await count_dead_jobs(tx))
    answer.jobs = [JobFiguresAnswer.of(one) for one in figures]
    answer.job_ages = JobAgesAnswer.of(ages_of(figures, span))
    queues = queue_overview(platform.bus.topology, await platform.bus.counts())
    answer.now.queues = [QueueAnswer.of(one) for one in queues]
    answer.now.services_not_running = [
        ServiceAnswer.model_validate(one.as_json()) for one in platform.statuses() if one.state != "running"
    ]
