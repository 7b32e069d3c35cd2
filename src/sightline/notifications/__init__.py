"""Owns mails (which events call for one, their words, the record that keeps each to one) and the channels of push notifications."""

from sightline.notifications.mail.mail import Language, Mail, MailStatus, TemplateName
from sightline.notifications.mail.resend import resend
from sightline.notifications.mail.retention import MailRetention
from sightline.notifications.mail.store import existing_mail, list_mails
from sightline.notifications.mail.worker import NotificationWorker
from sightline.notifications.metrics import MailMetrics
from sightline.notifications.push.build import open_push_channels
from sightline.notifications.push.channel import Picture, Push, PushChannel
from sightline.notifications.push.sender import Pusher, PutOff
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.settings import NotificationsSettings

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
