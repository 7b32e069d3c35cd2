"""The notification channel to an ntfy server: JSON for text, a PUT with headers for a picture.

`sequence_id` is the message's id: apps show two notifications with one sequence id as one, and the server's cache tells whether it
has it already (ntfy 2.16 or newer; older servers ignore the field).
"""

import base64
import json

from sightline.errors import BackendUnavailable, PermanentFailure
from sightline.http import HttpClient, check_status
from sightline.notifications.mail.plain_text import shorten
from sightline.notifications.push.channel import Notification, NotificationPriority, Picture
from sightline.notifications.push.settings import NTFY_TOPIC, PushSettings

MAX_MESSAGE_BYTES = 4096  # ntfy turns longer ones into an attachment
MAX_TITLE_LENGTH = 250
MAX_TAGS = 10
LOOK_BACK_S = 60

PRIORITIES: dict[NotificationPriority, int] = {"low": 2, "normal": 3, "high": 4, "critical": 5}


class NtfyChannel:
    name = "ntfy"

    def __init__(self, http: HttpClient, settings: PushSettings) -> None:
        self._http = http
        self._server = settings.ntfy_server.rstrip("/")
        self._topic = settings.ntfy_topic
        self._headers = {}
        if settings.ntfy_token is not None:
            self._headers["Authorization"] = f"Bearer {settings.ntfy_token.get_secret_value()}"

    def destination(self, notification: Notification) -> str:
        return f"ntfy {self._topic_of(notification)}"

    async def send(self, notification: Notification) -> str:
        topic = self._topic_of(notification)
        if notification.picture is None:
            response = await self._http.request(
                "POST",
                f"{self._server}/",
                headers=self._headers | {"Content-Type": "application/json"},
                content=json.dumps(as_json(notification, topic), ensure_ascii=False).encode(),
            )
        else:
            response = await self._http.request(
                "PUT",
                f"{self._server}/{topic}",
                headers=self._headers | as_headers(notification, notification.picture),
                content=notification.picture.content,
            )
        check_status("ntfy", response)
        try:
            return str(json.loads(response.body)["id"])
        except (ValueError, KeyError, TypeError):
            return notification.id  # it was accepted; a proxy may have replaced the response

    async def find(self, notification: Notification) -> str | None:
        """Looks in the server's cache, which keeps messages for twelve hours by default."""
        since = int(notification.created_at.timestamp()) - LOOK_BACK_S
        try:
            response = await self._http.request(
                "GET", f"{self._server}/{self._topic_of(notification)}/json?poll=1&since={since}", headers=self._headers
            )
        except BackendUnavailable:
            return None  # sending shows whether it works; twice is better than never
        if response.status != 200:
            return None
        for line in response.text.splitlines():
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if (
                isinstance(found, dict)
                and found.get("event") == "message"
                and found.get("sequence_id") == notification.id
            ):
                return str(found.get("id", notification.id))
        return None

    def _topic_of(self, notification: Notification) -> str:
        topic = notification.target or self._topic
        if topic is None or not NTFY_TOPIC.fullmatch(topic):
            raise PermanentFailure(f"{topic!r} is not an ntfy topic")
        return topic


def as_json(notification: Notification, topic: str) -> dict[str, object]:
    """The notification as JSON for ntfy's root address. Pure."""
    content: dict[str, object] = {
        "topic": topic,
        "message": cut_bytes(notification.body or notification.title, max_length=MAX_MESSAGE_BYTES),
        "title": shorten(notification.title, max_length=MAX_TITLE_LENGTH),
        "priority": PRIORITIES[notification.priority],
        "sequence_id": notification.id,
    }
    if notification.tags:
        content["tags"] = list(notification.tags[:MAX_TAGS])
    if notification.click is not None:
        content["click"] = notification.click
    return content


def as_headers(notification: Notification, picture: Picture) -> dict[str, str]:
    """The notification as headers, for a request whose body is the picture. Pure."""
    headers = {
        "X-Title": encoded(shorten(notification.title, max_length=MAX_TITLE_LENGTH)),
        "X-Message": encoded(
            cut_bytes(notification.body or notification.title, max_length=MAX_MESSAGE_BYTES).replace("\n", "\\n")
        ),
        "X-Priority": str(PRIORITIES[notification.priority]),
        "X-Sequence-ID": notification.id,
        "X-Filename": encoded(picture.name),
    }
    if notification.tags:
        headers["X-Tags"] = encoded(",".join(notification.tags[:MAX_TAGS]))
    if notification.click is not None:
        headers["X-Click"] = notification.click
    return headers


def encoded(text: str) -> str:
    """Headers are ASCII; other text is encoded by RFC 2047, which ntfy reads."""
    line = " ".join(text.split("\r"))
    if line.isascii() and line.isprintable():
        return line
    return f"=?UTF-8?B?{base64.b64encode(line.encode()).decode()}?="


def cut_bytes(text: str, *, max_length: int) -> str:
    content = text.encode("utf-8", "replace")
    return text if len(content) <= max_length else content[: max_length - 3].decode("utf-8", "ignore") + "…"
