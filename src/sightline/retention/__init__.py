"""Retention: rules that remove what is old or more than fits, and the measured use of storage."""

from sightline.retention.rules import RetentionRule, UpcomingRemoval, retention_rules, upcoming_removals
from sightline.retention.settings import RetentionSettings
from sightline.retention.sweep import RetentionMetrics, RuleOutcome, RuleSweep
from sightline.retention.usage import KindUsage, StorageMeter, StorageUsage, measure_video, move_stored

__all__ = [
    "KindUsage",
    "RetentionMetrics",
    "RetentionRule",
    "RetentionSettings",
    "RuleOutcome",
    "RuleSweep",
    "StorageMeter",
    "StorageUsage",
    "UpcomingRemoval",
    "measure_video",
    "move_stored",
    "retention_rules",
    "upcoming_removals",
]
