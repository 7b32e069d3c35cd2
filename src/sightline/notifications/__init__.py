"""Owns mails (which events call for one, their words, the record that keeps each to one) and the channels of push notifications."""

from sightline.notifications.mail.mail import Language, Mail, MailStatus, TemplateName
from sightline.notifications.mail.resend import resend
from sightline.notifications.mail.retention import MailRetention
from sightline.notifications.mail.store import existing_mail, list_mails
from sightline.notifications.mail.worker import NotificationWorker
from sightline.notifications.metrics import MailMetrics
from sightline.notifications.push.build import open_notification_channels
from sightline.notifications.push.channel import Notification, NotificationChannel, Picture
from sightline.notifications.push.sender import NotificationPostponed, NotificationSender
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.settings import NotificationsSettings

__all__ = [
    "Language",
    "Mail",
    "MailMetrics",
    "MailRetention",
    "MailStatus",
    "Notification",
    "NotificationChannel",
    "NotificationPostponed",
    "NotificationSender",
    "NotificationWorker",
    "NotificationsSettings",
    "Picture",
    "PushSettings",
    "TemplateName",
    "existing_mail",
    "list_mails",
    "open_notification_channels",
    "resend",
]
