"""Owns security events: cameras, detections, batches, risk assessment, the life of an event, alert rules, retention."""

from sightline.security.build import OpenSecurity, open_security
from sightline.security.events.broadcast_marks import BroadcastMarks
from sightline.security.retention import RetentionJob
from sightline.security.settings import SecuritySettings

__all__ = ["BroadcastMarks", "OpenSecurity", "RetentionJob", "SecuritySettings", "open_security"]
