"""Owns mails: which events call for one, their words, the channels they leave by, the record that keeps each to one."""

from sightline.notifications.mail import Language, Mail, MailStatus, TemplateName
from sightline.notifications.metrics import MailMetrics
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
    "TemplateName",
    "existing_mail",
    "list_mails",
    "resend",
]
