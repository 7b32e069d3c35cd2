"""Which run of an analysis an event is of, although its message does not say. Pure.

Events carry no job id. Those that Sightline publishes have an id made of job and index, so whoever knows the jobs of a video
knows the run of each of its events; until the job is known, such an event waits by itself. Events of other
producers have ids that tell nothing: they are of the run that is under way, and without one they wait together for
the next completion.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from sightline.contracts.technique_events import is_event_id

_DERIVED = 5
"""The version of UUIDs that are made of names, as ours are."""


@dataclass(slots=True)
class AnalysisRun:
    run_id: int | None
    """None until it has a row."""
    job_id: str | None
    is_ours: bool
    """Published here, so every event of it can be told by its id."""
    completion_received: bool = False
    finalized: bool = False


@dataclass(slots=True)
class VideoRuns:
    """The runs of one video that are known at this moment."""

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
            return self._last  # most events come with others of their run
        for job_id in self.named:
            if is_event_id(found, job_id, index):
                self._last = job_id
                return job_id
        return None

    def under_way(self) -> str | None:
        """The newest run of another producer that still misses events."""
        for job_id, run in reversed(self.named.items()):
            if run.completion_received and not run.finalized and not run.is_ours:
                return job_id
        return None


def is_derived_id(found: UUID) -> bool:
    return found.version == _DERIVED


def events_claimed_by(run: AnalysisRun, waiting: Iterable[tuple[UUID, int]]) -> list[UUID]:
    """Which of the waiting events (id, index) a run that was just named takes."""
    assert run.job_id is not None
    taken = []
    for found, index in waiting:
        is_of_it = is_event_id(found, run.job_id, index) if is_derived_id(found) else not run.is_ours
        if is_of_it:
            taken.append(found)
    return taken
