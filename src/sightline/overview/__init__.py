"""Reads what is going on across videos, jobs and events: figures over time, and of now."""

from sightline.overview.figures import (
    Ages,
    EventFigures,
    JobFigures,
    ProcessingFigures,
    UploadFigures,
    ages_of,
    count_critical_waiting,
    count_dead_jobs,
    count_videos,
    event_figures,
    job_figures,
    processing_figures,
    upload_figures,
)
from sightline.overview.period import PERIODS, Period, Span, span_of

__all__ = [
    "PERIODS",
    "Ages",
    "EventFigures",
    "JobFigures",
    "Period",
    "ProcessingFigures",
    "Span",
    "UploadFigures",
    "ages_of",
    "count_critical_waiting",
    "count_dead_jobs",
    "count_videos",
    "event_figures",
    "job_figures",
    "processing_figures",
    "span_of",
    "upload_figures",
]
