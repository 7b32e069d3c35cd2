"""EventBridge Scheduler and the schedules of rules: when targets are called by the clock."""

from sightline.bus.scheduler import store as schedule_store
from sightline.bus.scheduler.calls import ACTIONS as UNIVERSAL_ACTIONS
from sightline.bus.scheduler.calls import UNIVERSAL as UNIVERSAL_TARGET
from sightline.bus.scheduler.expressions import rule_ticks, schedule_ticks
from sightline.bus.scheduler.rule_clocks import follow_rule
from sightline.bus.scheduler.schedule import TargetSchedule, first_due
from sightline.bus.scheduler.store import ScheduleGroup, StoredSchedule

__all__ = [
    "UNIVERSAL_ACTIONS",
    "UNIVERSAL_TARGET",
    "ScheduleGroup",
    "StoredSchedule",
    "TargetSchedule",
    "first_due",
    "follow_rule",
    "rule_ticks",
    "schedule_store",
    "schedule_ticks",
]
