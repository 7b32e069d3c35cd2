"""The notification channels that settings allow, on one HTTP client."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from sightline.http import HttpClient
from sightline.notifications.push.channel import NotificationChannel
from sightline.notifications.push.email_channel import open_email
from sightline.notifications.push.log_channel import LogNotificationChannel
from sightline.notifications.push.ntfy_channel import NtfyChannel
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.push.webhook_channel import WebhookChannel
from sightline.notifications.push.webhook_signing import InstallationKeys, key_of
from sightline.notifications.settings import NotificationsSettings
from sightline.notifications.web_push import Devices, VapidKey, WebPushChannel


def installation_keys(push: PushSettings, webhook_secret: bytes) -> InstallationKeys:
    previous = push.webhook_previous_secret
    return InstallationKeys(
        key_of(webhook_secret.decode()), None if previous is None else key_of(previous.get_secret_value())
    )


@asynccontextmanager
async def open_notification_channels(
    push: PushSettings,
    mail: NotificationsSettings,
    *,
    webhook_secret: bytes,
    devices: Devices | None = None,
    vapid: VapidKey | None = None,
) -> AsyncIterator[dict[str, NotificationChannel]]:
    async with AsyncExitStack() as stack:
        http = HttpClient("push")
        stack.callback(http.close)
        channels: list[NotificationChannel] = [
            LogNotificationChannel(),
            NtfyChannel(http, push),
            WebhookChannel(http, push, secret=webhook_secret, keys=installation_keys(push, webhook_secret)),
            await stack.enter_async_context(open_email(mail)),
        ]
        if devices is not None and vapid is not None:
            channels.append(WebPushChannel(http, devices, vapid, allow_private=push.webhook_allow_private))
        yield {channel.name: channel for channel in channels}
