"""Owns the generic message of document 002: record, creation, scheduler, processor, keepers, and who is told of what."""

from sightline.messages.build import OpenMessages, open_messages
from sightline.messages.create import Messages
from sightline.messages.event_consumer import notice_consumer
from sightline.messages.event_notifications import Notices
from sightline.messages.message import CHANNELS, STATUSES, Channel, Message, NewMessage, Priority, Status, Telling
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
    "Notices",
    "OpenMessages",
    "Preferences",
    "Priority",
    "Status",
    "Telling",
    "due_consumer",
    "notice_consumer",
    "open_messages",
    "unknown_message",
]
