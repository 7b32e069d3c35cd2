"""Web Push: notifications to browsers, encrypted for each of them (RFC 8030, 8188, 8291, 8292)."""

from sightline.notifications.web_push.channel import WebPushChannel
from sightline.notifications.web_push.device import Device, check_endpoint, decode_key
from sightline.notifications.web_push.device_store import MAX_DEVICES, Devices
from sightline.notifications.web_push.vapid import VapidKey, vapid_key

__all__ = [
    "MAX_DEVICES",
    "Device",
    "Devices",
    "VapidKey",
    "WebPushChannel",
    "check_endpoint",
    "decode_key",
    "vapid_key",
]
