"""The messages of document 002: record, creation, schedules, processing, stores, and notifications of events."""

from sightline.messages.address_challenges import CONFIRM_PATH, AddressChallenges
from sightline.messages.announce import MAX_CREATOR_LENGTH, MAX_TYPE_LENGTH
from sightline.messages.build import OpenMessages, open_messages
from sightline.messages.create import Messages, id_for
from sightline.messages.event_consumer import event_notification_consumer
from sightline.messages.event_notifications import EventNotifications
from sightline.messages.message import (
    CHANNELS,
    EVENT_CHANNELS,
    STATUSES,
    Channel,
    EventChannel,
    Message,
    NewMessage,
    NotificationRequest,
    Priority,
    Status,
)
from sightline.messages.metrics import MessageMetrics
from sightline.messages.preferences import EVENT_KINDS, NOTIFICATION_RULES, EventKind, Preferences
from sightline.messages.preferences_store import PreferredLanguage, preferences_of, put_preferences
from sightline.messages.retention import DeadLetterCount, MessageRetention
from sightline.messages.schedules import EXTERNAL_CLOCK_GRACE, MessageScheduler, due_consumer
from sightline.messages.settings import MessagesSettings
from sightline.messages.store import MessageFilter, MessageStore, unknown_message
from sightline.messages.wording import notification_request
from sightline.messages.worker import MessageWorker

__all__ = [
    "CHANNELS",
    "CONFIRM_PATH",
    "EVENT_CHANNELS",
    "EVENT_KINDS",
    "EXTERNAL_CLOCK_GRACE",
    "MAX_CREATOR_LENGTH",
    "MAX_TYPE_LENGTH",
    "NOTIFICATION_RULES",
    "STATUSES",
    "AddressChallenges",
    "Channel",
    "DeadLetterCount",
    "EventChannel",
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
    "PreferredLanguage",
    "Priority",
    "Status",
    "due_consumer",
    "event_notification_consumer",
    "id_for",
    "notification_request",
    "open_messages",
    "preferences_of",
    "put_preferences",
    "unknown_message",
]
