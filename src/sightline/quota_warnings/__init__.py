"""Warnings of owners whose use comes near to a quota or reaches it (ADR 0109)."""

from sightline.quota_warnings.thresholds import Threshold, lasting_threshold
from sightline.quota_warnings.warnings import QuotaWarnings

__all__ = ["QuotaWarnings", "Threshold", "lasting_threshold"]
