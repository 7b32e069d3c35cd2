"""One look through what a camera recorded in a span of time: what was found, by episodes that are over."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from sightline.cameras.detect.detect import EpisodeLimits, OpenLooks
from sightline.cameras.detect.detection_run import DetectionRun, frame_file, thumbnail_file
from sightline.cameras.detect.found_tracks import FoundTrack
from sightline.cameras.detect.recordings.footage import Footage
from sightline.cameras.detect.recordings.moment_ids import MomentIds
from sightline.cameras.detect.sightings import VideoSighting, by_episode, sightings_of
from sightline.cameras.shapes import Shapes
from sightline.geometry import foot_of
from sightline.vision import Detector

MAX_GAP = timedelta(seconds=3)
"""Nobody is followed over a longer gap in the recording."""
MAX_UNSETTLED = timedelta(minutes=10)
"""What is over is reported after so long though something that began before is still followed."""

Passing = Callable[[datetime], Awaitable[None]]
"""Called with the moment of each look; may raise to end the run."""


class SpanLook:
    """Times of tracks are in ms since `base`."""

    def __init__(
        self,
        camera_key: UUID,
        detector: Detector,
        shapes: Shapes,
        directory: Path,
        *,
        base: datetime,
        labels: Collection[str],
        episodes: EpisodeLimits,
    ) -> None:
        self._base = base
        self._shapes = shapes
        self._directory = directory
        self._labels = frozenset(labels)
        self._models = [card.name for card in detector.models]
        self._episodes = episodes
        self._ids = MomentIds(camera_key)
        self._run = DetectionRun(camera_key, detector, shapes, directory, new_id=self._ids, keeps_frames=True)
        self._waiting: list[VideoSighting] = []
        self._reached = base

    async def see(
        self, footage: Footage, file: Path, open_footage: OpenLooks, looks_per_s: float, passing: Passing
    ) -> None:
        if footage.started_at - self._reached > MAX_GAP:
            self.break_off()
        async with open_footage(str(file), looks_per_s) as looks:
            async for look in looks:
                moment = max(footage.moment(look.at_ms), self._reached)
                await passing(moment)
                at_ms = self._ms(moment)
                self._ids.set_moment(moment)
                if self._run.wants_picture(at_ms, look.gray):
                    await self._run.see(at_ms, await looks.picture())
                self._run.pass_time(at_ms)
                self._reached = moment
        self._reached = max(self._reached, footage.ended_at)

    def break_off(self) -> None:
        """The recording has a gap, or ends."""
        self._run.break_off(self._ms(self._reached))

    def take_ended(self) -> list[FoundTrack]:
        """Objects that are of interest and are gone."""
        found = self._run.take_ended()
        kept = [one for one in found if self._counts(one)]
        self.forget([one.track.track_id for one in found if one not in kept])
        return kept

    def add(self, found: Sequence[FoundTrack]) -> None:
        """These are to be reported."""
        self._waiting += sightings_of(found, video_id=None, started_at=self._base, models=self._models)
        self._waiting.sort(key=lambda one: (one.at, one.track_id, one.number))

    def take_over(self, *, is_end: bool = False) -> list[list[VideoSighting]]:
        """Episodes to which nothing that comes later can belong."""
        idle_s, age_s = self._episodes.idle_s, self._episodes.age_s
        settled = self._settled()
        over: list[list[VideoSighting]] = []
        rest: list[VideoSighting] = []
        for episode in by_episode(self._waiting, idle_s=idle_s, age_s=age_s):
            if is_end or episode[-1].at + timedelta(seconds=idle_s) < settled:
                over.append(episode)
            else:
                rest += episode
        self._waiting = rest
        return over

    @property
    def safe_until(self) -> datetime:
        """What was filmed before is reported; a run that begins here finds all that was not."""
        first = min(
            (one.at - timedelta(seconds=float(one.attributes["seconds"])) for one in self._waiting), default=None
        )
        settled = self._settled()
        return settled if first is None else min(first, settled)

    def picture(self, sighting: VideoSighting) -> bytes | None:
        return frame_file(self._directory, sighting.track_id).read_bytes() if sighting.has_picture else None

    def forget(self, track_ids: Sequence[str]) -> None:
        for track_id in track_ids:
            frame_file(self._directory, track_id).unlink(missing_ok=True)
            thumbnail_file(self._directory, track_id).unlink(missing_ok=True)

    def _settled(self) -> datetime:
        """No track that is still followed began before, unless it began long ago."""
        since_ms = self._run.unsettled_since(self._ms(self._reached))
        return max(self._base + timedelta(milliseconds=since_ms), self._reached - MAX_UNSETTLED)

    def _counts(self, found: FoundTrack) -> bool:
        return (
            found.is_worth_reporting
            and found.track.label in self._labels
            and any(self._shapes.is_watched(foot_of(box)) for _, box in found.boxes)
        )

    def _ms(self, moment: datetime) -> int:
        return round((moment - self._base) / timedelta(milliseconds=1))
