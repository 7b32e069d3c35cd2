"""The retention sweep: applies the rules in batches, or lists what they would remove now.

Each batch is one transaction that holds the retention lock, finds what is due, and marks or deletes the rows; objects are removed
after its commit. A process that is killed in between leaves requests that the next sweep of any process handles.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from prometheus_client import CollectorRegistry, Counter

from sightline.cameras.recording import RecordingLimits
from sightline.db import Database, Transaction, delete_in_batches
from sightline.jobs import count_purgeable, purge_jobs
from sightline.media.clips import ClipExpiry, clips_over_size, end_clips
from sightline.objects import FRAMES_PREFIX, ObjectStore
from sightline.retention.rules import RetentionRule, RuleName
from sightline.retention.usage import measure
from sightline.supervisor import Every
from sightline.videos import (
    DueVideo,
    PartRemovals,
    RemovalSweep,
    VideoPart,
    due_by_age,
    due_by_size,
    lock_retention,
    remove_part,
)

BATCH = 100
JOBS_BATCH = 5000  # each batch searches all jobs: a batch of 1000 among 200,000 took about a second
EVERYTHING = 2**31 - 1

PARTS: dict[RuleName, VideoPart] = {
    "videos": VideoPart.WHOLE,
    "originals": VideoPart.ORIGINAL,
    "frames": VideoPart.FRAMES,
}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What one rule removed, or would remove."""

    rule: RuleName
    count: int
    bytes: int | None = None
    """None where it is not known."""
    items: list[str] = field(default_factory=list)
    """Ids of videos or clips."""


class RetentionMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.removed = Counter(
            "sightline_retention_removed_total",
            "What retention rules removed: videos, originals, frames (of so many videos), clips, recordings, jobs.",
            ["rule"],
            registry=registry,
        )


class RuleSweep:
    """Applies `rules`. Safe to run in several processes at once, and to be killed."""

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        rules: list[RetentionRule],
        removals: RemovalSweep,
        metrics: RetentionMetrics,
        recordings: RecordingLimits,
        *,
        every_s: float,
    ) -> None:
        self._database = database
        self._objects = objects
        self._rules = rules
        self._recordings = recordings
        self._removals = removals
        self._metrics = metrics
        self._every_s = every_s
        self._part_removals = PartRemovals(database, objects)

    def use(self, rules: list[RetentionRule]) -> None:
        """Applies other rules from the next sweep on."""
        self._rules = rules

    def service(self) -> Every | None:
        """None when it is turned off."""
        return Every("retention", self._every_s, self.sweep) if self._every_s else None

    async def sweep(self, *, batch: int = BATCH) -> list[RuleOutcome]:
        """What each rule in force removed."""
        await self._part_removals.sweep()  # what a killed process left
        outcomes = []
        for rule in self._rules:
            outcome = await self._apply(rule, batch)
            if outcome.count:
                self._metrics.removed.labels(rule.name).inc(outcome.count)
                log.info("retention.removed", rule=rule.name, count=outcome.count, bytes=outcome.bytes)
            outcomes.append(outcome)
        return outcomes

    async def preview(self) -> list[RuleOutcome]:
        """What each rule would remove now. Changes nothing."""
        outcomes: list[RuleOutcome] = []
        removed_whole: list[UUID] = []
        for rule in self._rules:
            if (part := PARTS.get(rule.name)) is not None:
                sizes = await self._sizes(part)
                async with self._database.transaction() as tx:
                    due = await _due(tx, rule, part, sizes, without=removed_whole)
                if part is VideoPart.WHOLE:
                    removed_whole = [one.id for one in due]
                known = [one.size_bytes if part is VideoPart.ORIGINAL else sizes.get(one.id, 0) for one in due]
                total = sum(size or 0 for size in known)
                outcomes.append(RuleOutcome(rule.name, len(due), total, [str(one.id) for one in due]))
            else:
                outcomes.append(await self._preview_other(rule))
        return outcomes

    async def _apply(self, rule: RetentionRule, batch: int) -> RuleOutcome:
        if rule.name == "recordings":  # cameras have limits of their own
            removed_bytes = await self._recordings.apply()
            return RuleOutcome(rule.name, len(removed_bytes), sum(removed_bytes.values()))
        if not rule.is_in_force:
            return RuleOutcome(rule.name, 0)
        if (part := PARTS.get(rule.name)) is not None:
            return await self._remove_videos(rule, part, batch)
        if rule.name == "clips":
            return await self._remove_clips(rule, batch)
        removed = await delete_in_batches(
            self._database, lambda tx, limit: _purge(tx, rule, limit), batch=max(batch, JOBS_BATCH)
        )
        return RuleOutcome(rule.name, removed)

    async def _remove_videos(self, rule: RetentionRule, part: VideoPart, batch: int) -> RuleOutcome:
        sizes = {} if rule.max_bytes is None else await self._sizes(part)
        removed: list[UUID] = []
        total = 0
        while True:
            async with self._database.transaction() as tx:
                await lock_retention(tx)
                due = {one.id: one for one in await _due(tx, rule, part, sizes, limit=batch)}
                done = await remove_part(tx, part, list(due))
            for video_id in done:
                if part is VideoPart.WHOLE:
                    await self._objects.revoke_urls(video_id)
                total += due[video_id].size_bytes or 0
            await (self._removals.sweep() if part is VideoPart.WHOLE else self._part_removals.sweep())
            removed += done
            if not done:  # also when another transaction holds all that is left
                return RuleOutcome(rule.name, len(removed), total, [str(one) for one in removed])

    async def _remove_clips(self, rule: RetentionRule, batch: int) -> RuleOutcome:
        """By age they expire by themselves, at the time that their row names."""
        ended: dict[str, int] = {}
        while rule.max_bytes is not None:
            async with self._database.transaction() as tx:
                await lock_retention(tx)
                due = await clips_over_size(tx, max_bytes=rule.max_bytes, limit=batch)
                await end_clips(tx, list(due))
            if not due:
                break
            ended |= due
        if ended:
            await ClipExpiry(self._database, self._objects).sweep()
        return RuleOutcome(rule.name, len(ended), sum(ended.values()), list(ended))

    async def _preview_other(self, rule: RetentionRule) -> RuleOutcome:
        if rule.name == "recordings":
            due_bytes = await self._recordings.preview()
            return RuleOutcome(rule.name, len(due_bytes), sum(due_bytes.values()))
        async with self._database.transaction() as tx:
            if rule.name == "clips" and rule.max_bytes is not None:
                due = await clips_over_size(tx, max_bytes=rule.max_bytes, limit=EVERYTHING)
                return RuleOutcome(rule.name, len(due), sum(due.values()), list(due))
            if rule.name != "clips" and rule.days is not None:
                return RuleOutcome(
                    rule.name, await count_purgeable(tx, failed=rule.name == "failed_jobs", days=rule.days)
                )
        return RuleOutcome(rule.name, 0)

    async def _sizes(self, part: VideoPart) -> Mapping[UUID, int]:
        """Bytes by video; those of originals are in their rows."""
        if part is VideoPart.ORIGINAL:
            return {}
        return (await measure(self._objects, FRAMES_PREFIX if part is VideoPart.FRAMES else "")).by_video


async def _due(
    tx: Transaction,
    rule: RetentionRule,
    part: VideoPart,
    sizes: Mapping[UUID, int],
    *,
    without: list[UUID] | None = None,
    limit: int = EVERYTHING,
) -> list[DueVideo]:
    """Both limits of a rule reach the oldest first, so one of the two lists holds the other."""
    by_age: list[DueVideo] = []
    by_size: list[DueVideo] = []
    if rule.days is not None:
        by_age = await due_by_age(tx, part, days=rule.days, without=without or (), limit=limit)
    if rule.max_bytes is not None:
        by_size = await due_by_size(tx, part, max_bytes=rule.max_bytes, sizes=sizes, without=without or (), limit=limit)
    return list({one.id: one for one in (*by_size, *by_age)}.values())[:limit]


async def _purge(tx: Transaction, rule: RetentionRule, limit: int) -> int:
    assert rule.days is not None, "a rule for jobs goes by age"
    return await purge_jobs(tx, failed=rule.name == "failed_jobs", days=rule.days, limit=limit)
