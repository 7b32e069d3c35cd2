"""Notifications as mails of SES, with the words in the call: over HTTP to an emulator."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import SecretStr

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.notifications import Notification, NotificationsSettings
from sightline.notifications.mail.address import RecipientRejected
from sightline.notifications.mail.ses_client import open_ses
from sightline.notifications.push.email_channel import open_email
from support import emulators
from support.gate import Gate
from support.mailing import NOW

NOTIFICATION = Notification(
    id="550e8400-e29b-41d4-a716-446655440000",
    kind="event_notification",
    target="letters@example.com",
    title="Vídeo pronto ✔",
    body="a <b> & c\nsegunda linha",
    created_at=NOW,
    click="https://sightline.example/ui",
)


@pytest.fixture
async def gate() -> AsyncIterator[Gate]:
    opened = Gate(urlsplit(emulators.shared("ministack").endpoint).port or 0)
    await opened.open()
    async with open_ses(_settings(opened)) as client:
        if not (await client.list_email_identities())["EmailIdentities"]:
            await client.create_email_identity(EmailIdentity="example.com")
    opened.seen.clear()
    yield opened
    await opened.close()


def _settings(gate: Gate, **more: Any) -> NotificationsSettings:
    return NotificationsSettings(
        channel="ses",
        from_address="Vídeos <videos@example.com>",
        ses_endpoint=gate.endpoint,
        ses_access_key_id="test",
        ses_secret_access_key=SecretStr("test"),
        **more,
    )


async def _sent(address: str) -> list[dict[str, Any]]:
    async with httpx.AsyncClient(timeout=None) as client:
        answer = await client.get(f"{emulators.shared('ministack').endpoint}/_ministack/ses/messages")
    accounts: dict[str, list[dict[str, Any]]] = answer.json()["messages"]
    return [one for found in accounts.values() for one in found if address in one["To"]]


async def test_a_notification_is_a_mail_with_text_html_and_link(gate: Gate):
    async with open_email(_settings(gate)) as channel:
        provider_id = await channel.send(NOTIFICATION)
    (sent,) = await _sent("letters@example.com")
    assert sent["MessageId"] == provider_id
    assert sent["Source"] == "=?utf-8?q?V=C3=ADdeos?= <videos@example.com>"
    assert (sent["Subject"], sent["BodyText"]) == (
        "Vídeo pronto ✔",
        "a <b> & c\nsegunda linha\n\nhttps://sightline.example/ui\n",
    )
    assert "<p>a &lt;b&gt; &amp; c</p><p>segunda linha</p>" in sent["BodyHtml"]
    assert '<a href="https://sightline.example/ui">' in sent["BodyHtml"]


async def test_the_call_names_the_notification_and_the_configuration_set(gate: Gate):
    bodies: list[dict[str, Any]] = []

    def keep(_head: str, body: bytes) -> tuple[int, bytes]:
        bodies.append(json.loads(body))
        return 200, b'{"MessageId": "x"}'

    gate.decide = keep
    async with open_email(_settings(gate, ses_configuration_set="bounces")) as channel:
        assert await channel.send(NOTIFICATION) == "x"
        assert await channel.send(NOTIFICATION) == "x"
    first, second = bodies
    assert first["ConfigurationSetName"] == "bounces"
    assert [one["Name"] for one in first["Content"]["Simple"]["Headers"]] == ["X-Sightline-Mail"]
    assert first == second  # a repetition can be told by its header


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "MessageRejected", PermanentFailure),
        (400, "SendingPausedException", BackendUnavailable),
        (429, "TooManyRequestsException", Throttled),
        (503, "ServiceUnavailable", BackendUnavailable),
    ],
)
async def test_what_ses_answers_is_understood_and_asked_once(gate: Gate, status: int, code: str, kind: type[Exception]):
    gate.decide = lambda head, body: (status, json.dumps({"__type": code, "message": "why"}).encode())
    async with open_email(_settings(gate)) as channel:
        with pytest.raises(kind, match=f"why .{code}"):
            await channel.send(NOTIFICATION)
    assert len(gate.seen) == 1


async def test_a_sender_that_ses_does_not_know_is_refused_for_good(gate: Gate):
    settings = _settings(gate).model_copy(update={"from_address": "v@other.example"})
    async with open_email(settings) as channel:
        with pytest.raises(PermanentFailure, match="not verified"):
            await channel.send(NOTIFICATION)


@pytest.mark.parametrize("address", ["joão@example.com", "not an address", None])
async def test_what_is_no_address_for_ses_never_reaches_it(gate: Gate, address: str | None):
    async with open_email(_settings(gate)) as channel:
        with pytest.raises((RecipientRejected, PermanentFailure)):
            await channel.send(replace(NOTIFICATION, target=address))
    assert gate.seen == []
