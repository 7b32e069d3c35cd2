"""Owns mails (which events call for one, their words, the record that keeps each to one) and the channels of push notifications."""

from sightline.notifications.mail import Language, Mail, MailStatus, TemplateName
from sightline.notifications.metrics import MailMetrics
from sightline.notifications.push import Picture, Push, PushChannel
from sightline.notifications.push_channels import open_push_channels
from sightline.notifications.push_settings import PushSettings
from sightline.notifications.pusher import Pusher, PutOff
from sightline.notifications.resend import resend
from sightline.notifications.retention import MailRetention
from sightline.notifications.settings import NotificationsSettings
from sightline.notifications.store import existing_mail, list_mails
from sightline.notifications.worker import NotificationWorker

__all__ = [
    "Language",
    "Mail",
    "MailMetrics",
    "MailRetention",
    "MailStatus",
    "NotificationWorker",
    "NotificationsSettings",
    "Picture",
    "Push",
    "PushChannel",
    "PushSettings",
    "Pusher",
    "PutOff",
    "TemplateName",
    "existing_mail",
    "list_mails",
    "open_push_channels",
    "resend",
]
