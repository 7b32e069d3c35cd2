"""The analyzer `pose`: candidates from the poses of two people, offline. It says little, and says why it is silent."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Self
from uuid import UUID

import structlog

from sightline.errors import ConfigurationError
from sightline.objects import original_key
from sightline.techniques.analyzers.analyzer import AnalysisTask, AnalyzerParts, ProgressReporter
from sightline.techniques.clip import TechniqueClip
from sightline.techniques.pose.candidates import Candidate, candidates
from sightline.techniques.pose.clothing import roles
from sightline.techniques.pose.installed import HOW_TO_INSTALL, InstalledPoses, installed_poses
from sightline.techniques.pose.pair_tracker import PairTracker
from sightline.techniques.pose.pairing import Pair, Silence
from sightline.techniques.pose.phase_spans import phase_spans, silent_spans
from sightline.techniques.pose.phase_windows import PoseLook, Values, windows_of
from sightline.techniques.pose.pose_parts import PART_LOOKS, PeopleLook, PosePart, PoseParts
from sightline.techniques.pose.pose_process import PoseProcess, open_pose_process
from sightline.techniques.pose.steadying import steadied_pairs
from sightline.techniques.result import Analysis, AnalysisProblem

LOOKS_PER_S = 4.0
FPS = 1000.0
"""Clips count milliseconds, whatever the frame rate of the video."""
MAX_SAMPLING_RATE = 4
"""Fewer looks than one per second say nothing about a window of two."""

Progress = Callable[[int], None]
"""Takes the time that was reached, in ms."""

log = structlog.get_logger(__name__)


class PoseAnalyzer:
    def __init__(self, parts: AnalyzerParts, installed: InstalledPoses) -> None:
        self._parts = parts
        self._installed = installed

    @classmethod
    def build(cls, parts: AnalyzerParts) -> Self:
        found = installed_poses(parts.state_dir)
        if found is None:
            raise ConfigurationError(HOW_TO_INSTALL)
        if parts.open_looks is None:
            raise ConfigurationError("the analyzer pose needs a worker that decodes videos")
        return cls(parts, found)

    async def analyze(self, task: AnalysisTask, report: ProgressReporter) -> Analysis:
        video = task.video
        video.need_original()
        looks: list[PoseLook] = []
        tracker = PairTracker()
        duration_ms = max(video.duration_ms or 0, 1)
        async with AsyncExitStack() as stack:
            process = await stack.enter_async_context(
                open_pose_process(
                    self._installed.files, self._parts.vision, may_be_unconfined=self._parts.may_be_unconfined
                )
            )
            async for part in self._people(
                task, process, lambda at_ms: report(min(at_ms / duration_ms, 1.0), "looking")
            ):
                looks += await _classified(part, tracker, process, source=str(video.id))
        return self._analysis(looks, tracker)

    def _analysis(self, looks: list[PoseLook], tracker: PairTracker) -> Analysis:
        windows = windows_of(looks, self._installed.card.calibration)
        spans, silent = phase_spans(windows), silent_spans(windows)
        found = candidates(spans, roles(tracker.athletes))
        spoken_ms = sum(span.end_ms - span.start_ms for span in spans)
        share = spoken_ms / max(looks[-1].at_ms, 1) if looks else 0.0
        summary = (
            f"{len(found)} candidates from poses, to be reviewed. They cover {share:.0%} of the video; "
            "about the rest nothing is said."
        )
        problems = [AnalysisProblem(one.start_ms, one.end_ms, f"no candidate: {one.reason.value}") for one in silent]
        log.info("techniques.poses_analyzed", looks=len(looks), candidates=len(found), spoken_share=round(share, 3))
        return Analysis(summary, [_clip(one) for one in found], FPS, problems=problems)

    async def _people(self, task: AnalysisTask, process: PoseProcess, report: Progress) -> AsyncIterator[PosePart]:
        """Part by part; parts that an earlier attempt stored are not looked at again."""
        looks_per_s = LOOKS_PER_S / min(task.sampling_rate, MAX_SAMPLING_RATE)
        store = PoseParts(self._parts.objects, task.video.id, f"{self._installed.origin}@{looks_per_s:g}")
        number = 0
        while (known := await store.load(number)) is not None:
            yield known
            number += 1
            if known.is_last:
                return
        async for part in self._new_parts(task.video.id, process, looks_per_s, number * PART_LOOKS, report):
            await store.store(number, part)
            number += 1
            yield part

    async def _new_parts(
        self, video_id: UUID, process: PoseProcess, looks_per_s: float, skip: int, report: Progress
    ) -> AsyncIterator[PosePart]:
        assert self._parts.open_looks is not None
        found: list[PeopleLook] = []
        readable = await self._parts.objects.readable(original_key(video_id))
        async with self._parts.open_looks(readable, looks_per_s) as looks:
            async for look in looks:
                if skip:
                    skip -= 1
                    continue
                if len(found) == PART_LOOKS:
                    yield PosePart(tuple(found), is_last=False)
                    found = []
                people = await process.people(await looks.picture(), source=str(video_id))
                found.append(PeopleLook(look.at_ms, tuple(people)))
                report(look.at_ms)
        yield PosePart(tuple(found), is_last=True)


async def _classified(part: PosePart, tracker: PairTracker, process: PoseProcess, *, source: str) -> list[PoseLook]:
    seen = [(look.at_ms, tracker.see(look.at_ms, look.people)) for look in part.looks]
    found = [(at_ms, pair) for at_ms, pair in seen if isinstance(pair, Pair)]
    pairs = steadied_pairs([at_ms for at_ms, _ in found], [pair for _, pair in found])
    said = iter(zip(pairs, await process.classify(pairs, source=source), strict=True))
    return [
        PoseLook(at_ms, silence=pair) if isinstance(pair, Silence) else _look(at_ms, *next(said))
        for at_ms, pair in seen
    ]


def _look(at_ms: int, pair: Pair, logits: Values) -> PoseLook:
    return PoseLook(at_ms, logits, lead=_lead(pair))


def _lead(pair: Pair) -> float | None:
    first, second = pair.first.trunk_height(), pair.second.trunk_height()
    return None if first is None or second is None else (first - second) / max(pair.size, 1e-6)


def _clip(one: Candidate) -> TechniqueClip:
    return TechniqueClip(
        start_frame=one.start_ms,
        end_frame=one.end_ms,
        category=one.category.value,
        specific_technique=one.name,
        role=one.role,
        confidence=one.confidence,
        reasoning=one.reasoning,
    )
