"""Analysis runs, and which run an event belongs to, although its message does not say. Pure.

Events carry no job id. Those that Sightline publishes have an id derived from job and index, so that the jobs of a video
determine the run of each event; until the job is known, such an event waits. Events of other producers have random ids: they
belong to the run in progress, and without one they wait together for the next completion.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from sightline.contracts.technique_events import is_event_id

_DERIVED = 5
"""The version of UUIDs derived from names, which Sightline uses for its events."""


@dataclass(slots=True)
class AnalysisRun:
    run_id: int | None
    """None until it has a row."""
    job_id: str | None
    is_published_here: bool
    """Published by this platform, so that the ids of its events are known."""
    completion_received: bool = False
    finalized: bool = False


@dataclass(slots=True)
class VideoRuns:
    """The known runs of one video."""

    video_id: UUID
    named: dict[str, AnalysisRun] = field(default_factory=dict)
    unnamed: AnalysisRun | None = None
    _last: str | None = None

    def add(self, run: AnalysisRun) -> None:
        if run.job_id is None:
            self.unnamed = run
        else:
            self.named[run.job_id] = run

    def job_of(self, found: UUID, index: int) -> str | None:
        """The job whose event of this index has this id."""
        if self._last is not None and is_event_id(found, self._last, index):
            return self._last  # most batches hold events of one run
        for job_id in self.named:
            if is_event_id(found, job_id, index):
                self._last = job_id
                return job_id
        return None

    def in_progress(self) -> str | None:
        """The newest run of another producer that is still missing events."""
        for job_id, run in reversed(self.named.items()):
            if run.completion_received and not run.finalized and not run.is_published_here:
                return job_id
        return None


def is_derived_id(found: UUID) -> bool:
    return found.version == _DERIVED


def events_claimed_by(run: AnalysisRun, waiting: Iterable[tuple[UUID, int]]) -> list[UUID]:
    """The waiting events (id, index) that belong to a run that was just named."""
    assert run.job_id is not None
    claimed = []
    for found, index in waiting:
        belongs = is_event_id(found, run.job_id, index) if is_derived_id(found) else not run.is_published_here
        if belongs:
            claimed.append(found)
    return claimed
