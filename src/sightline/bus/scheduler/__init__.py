"""EventBridge Scheduler and the schedules of rules: when targets are called by the clock."""

from sightline.bus.scheduler.expressions import rule_ticks
from sightline.bus.scheduler.rule_clocks import follow_rule

__all__ = ["follow_rule", "rule_ticks"]
