"""Retention: rules that remove what is old or more than fits, and the measured use of storage."""

from sightline.retention.rules import RetentionRule, UpcomingRemoval, retention_rules, upcoming_removals
from sightline.retention.settings import RetentionSettings
from sightline.retention.sweep import RetentionMetrics, RetentionSweep, RuleOutcome
from sightline.retention.usage import KindUsage, StorageMeter, StorageUsage

__all__ = [
    "KindUsage",
    "RetentionMetrics",
    "RetentionRule",
    "RetentionSettings",
    "RetentionSweep",
    "RuleOutcome",
    "StorageMeter",
    "StorageUsage",
    "UpcomingRemoval",
    "retention_rules",
    "upcoming_removals",
]
