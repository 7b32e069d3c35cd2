"""Notifications to people: ntfy, webhook, email and log channels, and the sender with its retries and limits."""

from sightline.notifications.push.build import installation_keys, open_notification_channels
from sightline.notifications.push.channel import Notification, NotificationChannel, Picture
from sightline.notifications.push.sender import NotificationPostponed, NotificationSender
from sightline.notifications.push.settings import NTFY_TOPIC, PushSettings
from sightline.notifications.push.webhook_address import check_webhook_url
from sightline.notifications.push.webhook_challenge import check_webhook
from sightline.notifications.push.webhook_secret import webhook_secret
from sightline.notifications.push.webhook_signing import InstallationKeys, as_secret

__all__ = [
    "NTFY_TOPIC",
    "InstallationKeys",
    "Notification",
    "NotificationChannel",
    "NotificationPostponed",
    "NotificationSender",
    "Picture",
    "PushSettings",
    "as_secret",
    "check_webhook",
    "check_webhook_url",
    "installation_keys",
    "open_notification_channels",
    "webhook_secret",
]
