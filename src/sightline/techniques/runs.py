"""Analysis runs, and which run an event belongs to, although its message does not say. Pure.

Events carry no job id. Those that Sightline publishes have an id derived from job and index, so that the jobs of a video
determine the run of each event; until the job is known, such an event waits. Events of other producers have random ids: they
belong to the run in progress, and without one they wait together for the next completion of such a producer. What that completion
does not account for is a stray: an event that came after its run was finalized, or that nothing announced.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from sightline.contracts.technique_events import is_event_id

_DERIVED = 5
"""The version of UUIDs derived from names, which Sightline uses for its events."""
STRAY_AFTER = timedelta(hours=1)
"""Between two events of one run there is less time than this."""


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

    @property
    def has_finalized(self) -> bool:
        return any(run.finalized for run in self.named.values())

    def in_progress(self) -> str | None:
        """The newest run of another producer that is still missing events."""
        for job_id, run in reversed(self.named.items()):
            if run.completion_received and not run.finalized and not run.is_published_here:
                return job_id
        return None


def is_derived_id(found: UUID) -> bool:
    return found.version == _DERIVED


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """An event whose run was not named yet."""

    id: UUID
    index: int
    total: int
    received_at: datetime


@dataclass(slots=True)
class ClaimedEvents:
    """What became of the waiting events of a video when a run was named; the others keep waiting."""

    claimed: list[UUID] = field(default_factory=list)
    strays: dict[UUID, str] = field(default_factory=dict)
    """Events that belong to no run, with the reason."""


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run that its completion has just named."""

    job_id: str
    total: int
    is_published_here: bool
    is_first: bool
    """No run of the video was finalized before, so no event can be a leftover of one."""
    arriving_at: datetime | None = None
    """Now, if events with random ids arrive together with the completion."""


def events_claimed_by(run: NamedRun, waiting: Iterable[WaitingEvent]) -> ClaimedEvents:
    """Which waiting events belong to a run that was just named."""
    found = ClaimedEvents()
    foreign: list[WaitingEvent] = []
    for event in waiting:
        if not is_derived_id(event.id):
            foreign.append(event)
        elif is_event_id(event.id, run.job_id, event.index):
            found.claimed.append(event.id)
    if not run.is_published_here:
        _share_out(found, foreign, run)
    return found


def _share_out(found: ClaimedEvents, foreign: Sequence[WaitingEvent], run: NamedRun) -> None:
    """Events of the announced total belong to the run; those of another total do only if it is the first one (row 39).

    The events of one run are published together, so one that came long before the others is a stray as well.
    """
    announced = [event for event in foreign if event.total == run.total]
    if not announced and run.is_first and run.total:
        announced = list(foreign)
    arrivals = [event.received_at for event in announced]
    last = max([*arrivals, *([] if run.arriving_at is None else [run.arriving_at])], default=None)
    for event in foreign:
        if event not in announced:
            found.strays[event.id] = (
                f"it says that its run has {event.total} events, and run {run.job_id} has {run.total}"
            )
        elif last is not None and last - event.received_at > STRAY_AFTER:
            found.strays[event.id] = f"it came long before the other events of run {run.job_id}"
        else:
            found.claimed.append(event.id)
