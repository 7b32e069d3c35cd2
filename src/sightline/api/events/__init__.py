"""Routes of security events: lists, changes by people, exports, alert rules and alerts."""

from sightline.api.events.access import name_of, shown_events

__all__ = ["name_of", "shown_events"]
