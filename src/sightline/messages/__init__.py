"""Owns the generic message of document 002: record, creation, scheduler, processor, keepers, and who is told of what."""

from sightline.messages.build import OpenMessages, open_messages
from sightline.messages.create import Messages
from sightline.messages.event_consumer import event_notification_consumer
from sightline.messages.event_notifications import EventNotifications
from sightline.messages.message import (
    CHANNELS,
    STATUSES,
    Channel,
    Message,
    NewMessage,
    NotificationRequest,
    Priority,
    Status,
)
from sightline.messages.metrics import MessageMetrics
from sightline.messages.preferences import EventKind, Preferences
from sightline.messages.retention import DeadLetterCount, MessageRetention
from sightline.messages.schedules.due_consumer import due_consumer
from sightline.messages.schedules.scheduler import MessageScheduler
from sightline.messages.settings import MessagesSettings
from sightline.messages.store import MessageFilter, MessageStore, unknown_message
from sightline.messages.worker import MessageWorker

__all__ = [
    "CHANNELS",
    "STATUSES",
    "Channel",
    "DeadLetterCount",
    "EventKind",
    "EventNotifications",
    "Message",
    "MessageFilter",
    "MessageMetrics",
    "MessageRetention",
    "MessageScheduler",
    "MessageStore",
    "MessageWorker",
    "Messages",
    "MessagesSettings",
    "NewMessage",
    "NotificationRequest",
    "OpenMessages",
    "Preferences",
    "Priority",
    "Status",
    "due_consumer",
    "event_notification_consumer",
    "open_messages",
    "unknown_message",
]
