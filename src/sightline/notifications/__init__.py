"""Emails about videos, and the channels by which notifications reach people."""

from sightline.notifications.mail import (
    MAIL_STATUSES,
    Language,
    Mail,
    MailRetention,
    MailStatus,
    NotificationWorker,
    TemplateName,
    check_address,
    existing_mail,
    list_mails,
    one_line,
    resend,
    unknown_mail,
)
from sightline.notifications.metrics import MailMetrics
from sightline.notifications.push import (
    NTFY_TOPIC,
    Notification,
    NotificationChannel,
    NotificationPostponed,
    NotificationSender,
    Picture,
    PushSettings,
    check_webhook_url,
    open_notification_channels,
    webhook_secret,
)
from sightline.notifications.settings import NotificationsSettings

__all__ = [
    "MAIL_STATUSES",
    "NTFY_TOPIC",
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
    "check_address",
    "check_webhook_url",
    "existing_mail",
    "list_mails",
    "one_line",
    "open_notification_channels",
    "resend",
    "unknown_mail",
    "webhook_secret",
]
