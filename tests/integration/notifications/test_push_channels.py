"""ntfy and webhooks at the HTTP boundary, e-mail over a mail server: headers, bodies, refusals."""

import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import SecretStr

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.http import HttpClient
from sightline.notifications import Notification, NotificationsSettings, Picture, PushSettings
from sightline.notifications.push.email_channel import open_email
from sightline.notifications.push.ntfy_channel import NtfyChannel
from sightline.notifications.push.webhook_address import AddressRefused
from sightline.notifications.push.webhook_channel import WebhookChannel
from support.mailing import mail_server
from support.ntfy_server import HttpDouble, NtfyServer, ntfy_server

NOW = datetime.now(UTC)
NOTIFICATION = Notification(
    id="550e8400-e29b-41d4-a716-446655440000",
    kind="event_notification",
    target="topic",
    title="Vídeo pronto ✔",
    body="Linha 1\nLinha 2",
    created_at=NOW,
    priority="critical",
    tags=("rotating_light", "vídeo"),
    click="https://sightline.example/ui",
    correlation_id="c-1",
)


@pytest.fixture
async def server() -> AsyncIterator[NtfyServer]:
    async with ntfy_server(token="tk_secret") as opened:
        yield opened


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    client = HttpClient("push")
    yield client
    client.close()


def _ntfy(http: HttpClient, server: NtfyServer, token: str = "tk_secret") -> NtfyChannel:
    return NtfyChannel(http, PushSettings(ntfy_server=server.url, ntfy_token=SecretStr(token)))


async def test_words_are_published_as_json_with_everything_in_its_place(http, server):
    notification_id = await _ntfy(http, server).send(NOTIFICATION)
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/")
    assert asked.headers["authorization"] == "Bearer tk_secret"
    assert asked.headers["content-type"] == "application/json"
    assert json.loads(asked.body) == {
        "topic": "topic",
        "title": "Vídeo pronto ✔",
        "message": "Linha 1\nLinha 2",
        "priority": 5,
        "tags": ["rotating_light", "vídeo"],
        "click": "https://sightline.example/ui",
        "sequence_id": NOTIFICATION.id,
    }
    assert notification_id == server.published[0]["id"]


async def test_a_picture_is_the_body_and_the_words_are_headers(http, server):
    picture = Picture("poster.jpg", b"\xff\xd8 a picture")
    await _ntfy(http, server).send(replace(NOTIFICATION, picture=picture))
    (asked,) = server.asked
    assert (asked.method, asked.path, asked.body) == ("PUT", "/topic", picture.content)
    (kept,) = server.published
    assert (kept["title"], kept["message"], kept["priority"]) == (NOTIFICATION.title, NOTIFICATION.body, 5)
    assert (kept["tags"], kept["click"]) == (list(NOTIFICATION.tags), NOTIFICATION.click)
    assert (kept["attachment"], kept["sequence_id"]) == ({"name": "poster.jpg", "size": 12}, NOTIFICATION.id)


async def test_one_that_is_in_the_cache_is_found(http, server):
    channel = _ntfy(http, server)
    assert await channel.find(NOTIFICATION) is None
    notification_id = await channel.send(NOTIFICATION)
    assert await channel.find(NOTIFICATION) == notification_id


@pytest.mark.req(187)
@pytest.mark.parametrize(
    ("status", "headers", "kind"),
    [
        (400, {}, PermanentFailure),
        (403, {}, PermanentFailure),
        (301, {"Location": "http://169.254.169.254/"}, PermanentFailure),
        (429, {"Retry-After": "7"}, Throttled),
        (500, {}, BackendUnavailable),
        (503, {}, BackendUnavailable),
    ],
)
async def test_answers_fall_into_never_again_and_later(http, server, status, headers, kind):
    server.answers = [(status, headers, b"why")]
    with pytest.raises(kind) as caught:
        await _ntfy(http, server).send(NOTIFICATION)
    assert f"ntfy responded with {status}: why" in str(caught.value)
    if isinstance(caught.value, Throttled):
        assert caught.value.retry_after.total_seconds() == 7
    assert len(server.asked) == 1


async def test_a_wrong_token_a_wrong_topic_and_a_server_that_is_away(http, server):
    with pytest.raises(PermanentFailure, match="403"):
        await _ntfy(http, server, "tk_wrong").send(NOTIFICATION)
    with pytest.raises(PermanentFailure, match="not an ntfy topic"):
        await _ntfy(http, server).send(replace(NOTIFICATION, target="../v1/account"))
    channel = _ntfy(http, server)
    await server.stop()
    with pytest.raises(BackendUnavailable, match="cannot be reached"):
        await channel.send(NOTIFICATION)


async def test_a_long_text_stays_a_message(http, server):
    await _ntfy(http, server).send(replace(NOTIFICATION, body="é" * 5000))
    assert len(server.published[0]["message"].encode()) <= 4096


@pytest.fixture
async def hook() -> AsyncIterator[HttpDouble]:
    double = HttpDouble()
    await double.start()
    yield double
    await double.stop()


def _webhook(http: HttpClient, ip: str = "127.0.0.1", **settings: Any) -> WebhookChannel:
    async def resolve(host: str, port: int) -> list[str]:
        return [ip]

    return WebhookChannel(http, PushSettings(**settings), secret=b"s3cret", resolve=resolve, clock=lambda: NOW)


async def test_a_webhook_is_called_at_the_pinned_address_and_signed(http, hook):
    notification = replace(NOTIFICATION, target=f"http://hooks.example.com:{hook.port}/in?x=1")
    await _webhook(http, webhook_allow_private=True).send(notification)
    (asked,) = hook.asked
    assert (asked.method, asked.path) == ("POST", "/in?x=1")
    assert asked.headers["host"] == f"hooks.example.com:{hook.port}"
    timestamp = asked.headers["x-sightline-timestamp"]
    assert timestamp == str(int(NOW.timestamp()))
    expected = hmac.new(b"s3cret", f"{timestamp}.".encode() + asked.body, hashlib.sha256).hexdigest()
    assert asked.headers["x-sightline-signature"] == f"v1={expected}"
    assert asked.headers["x-sightline-message"] == NOTIFICATION.id
    content = json.loads(asked.body)
    assert (content["title"], content["priority"], content["correlation_id"]) == (NOTIFICATION.title, "critical", "c-1")


async def test_a_webhook_to_this_machine_is_refused_before_anything_is_sent(http, hook):
    notification = replace(NOTIFICATION, target=f"http://hooks.example.com:{hook.port}/in")
    with pytest.raises(AddressRefused):
        await _webhook(http).send(notification)
    assert hook.asked == []


async def test_a_redirect_is_not_followed(http, hook):
    hook.answers = [(302, {"Location": f"http://127.0.0.1:{hook.port}/secret"}, b"")]
    with pytest.raises(PermanentFailure, match="302"):
        await _webhook(http, webhook_allow_private=True).send(
            replace(NOTIFICATION, target=f"http://h.example:{hook.port}/")
        )
    assert len(hook.asked) == 1


async def test_an_e_mail_leaves_by_the_channel_of_mails():
    async with mail_server() as server:
        settings = NotificationsSettings(
            channel="smtp",
            smtp_host="127.0.0.1",
            smtp_port=server.port,
            smtp_tls="none",
            from_address="Sightline <a@example.com>",
        )
        async with open_email(settings) as channel:
            first = await channel.send(replace(NOTIFICATION, target="ana@example.com", body="a <b> & c"))
            second = await channel.send(replace(NOTIFICATION, target="ana@example.com", body="a <b> & c"))
            with pytest.raises(PermanentFailure):
                await channel.send(replace(NOTIFICATION, target="not an address"))
        assert first == second
        message = server.received[0]
    assert (message["To"], message["Subject"], message["Message-ID"]) == ("ana@example.com", NOTIFICATION.title, first)
    html = message.get_body(("html",))
    assert html is not None
    assert "a &lt;b&gt; &amp; c" in html.get_content()
