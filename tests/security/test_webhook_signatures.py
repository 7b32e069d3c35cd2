"""Webhooks: a secret per receiver, rotated with overlap, over recipient, id and time; the documented verifier refuses replay."""

import base64
import json
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import httpx
import pytest
from pydantic import SecretStr
from standardwebhooks import Webhook, WebhookVerificationError

from sightline.api import create_app
from sightline.bootstrap import Platform
from sightline.bus import message_queue
from sightline.config import AuthSettings
from sightline.http import HttpClient
from sightline.notifications import InstallationKeys, Notification, PushSettings, as_secret, installation_keys
from sightline.notifications.push.webhook_channel import WebhookChannel
from sightline.notifications.push.webhook_signing import key_of
from sightline.queue_consumers import message_worker
from support.ntfy_server import Asked, HttpDouble
from support.services import running
from support.waiting import until

ANA = UUID(int=41)
ROOT = Path(__file__).parents[2]
SALT, OLDER_SALT = b"salt of today....", b"salt of yesterday"
KEYS = InstallationKeys(b"the key of the installation")


def documented_verifier() -> Any:
    """The code in the documents, as a receiver would copy it."""
    text = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")
    code = re.search(r"```python verifier\n(.*?)```", text, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)
    return SimpleNamespace(**names)


@pytest.fixture
async def receiver() -> Any:
    opened = HttpDouble()
    await opened.start()
    yield opened
    await opened.stop()


async def _call(receiver: HttpDouble, *, salts: tuple[bytes, ...] = (SALT,), **settings: Any) -> Asked:
    push = PushSettings.model_validate({"webhook_allow_private": True} | settings)
    http = HttpClient("push")
    try:
        channel = WebhookChannel(http, push, secret=b"shared", keys=KEYS)
        notification = Notification(
            "id-1", "test", f"{receiver.url}/hook", "Tïtle", "b", datetime(2026, 1, 1, tzinfo=UTC), salts=salts
        )
        await channel.send(notification)
    finally:
        http.close()
    return receiver.asked[-1]


def _secret(receiver: HttpDouble, salt: bytes = SALT) -> str:
    return as_secret(KEYS.receiver_keys(f"{receiver.url}/hook", (salt,))[0])


@pytest.mark.req(345)
async def test_an_independent_verifier_accepts_a_call_and_refuses_a_changed_one(receiver: HttpDouble) -> None:
    asked = await _call(receiver)
    webhook = Webhook(_secret(receiver))
    content = webhook.verify(asked.body, asked.headers)
    assert content["recipient"] == f"{receiver.url}/hook"
    for header, value in (
        ("webhook-id", "id-2"),
        ("webhook-timestamp", str(int(asked.headers["webhook-timestamp"]) + 1)),
    ):
        with pytest.raises(WebhookVerificationError):
            webhook.verify(asked.body, asked.headers | {header: value})
    with pytest.raises(WebhookVerificationError):
        webhook.verify(asked.body.replace(b"test", b"best"), asked.headers)


@pytest.mark.req(345)
async def test_receivers_have_different_secrets_and_none_is_the_installations(receiver: HttpDouble) -> None:
    urls = [f"{receiver.url}/a", f"{receiver.url}/b"]
    keys = [KEYS.receiver_keys(url, (salt,))[0] for url in urls for salt in (SALT, OLDER_SALT)]
    assert len({*keys, KEYS.current}) == 5
    assert all(len(key) == 32 for key in keys)


@pytest.mark.req(345)
async def test_the_documented_verifier_refuses_replay_old_times_and_other_recipients(receiver: HttpDouble) -> None:
    documented = documented_verifier()
    asked = await _call(receiver)
    sent_at = int(asked.headers["webhook-timestamp"])
    secret, url = _secret(receiver), f"{receiver.url}/hook"
    verifier = documented.Verifier(secret, url, clock=lambda: sent_at + 10)
    assert verifier.verify(asked.headers, asked.body)["title"] == "Tïtle"
    with pytest.raises(documented.Refused, match="handled before"):
        verifier.verify(asked.headers, asked.body)
    for off_s in (301, -301):
        late = documented.Verifier(secret, url, clock=lambda off_s=off_s: sent_at + off_s)
        with pytest.raises(documented.Refused, match="too far off"):
            late.verify(asked.headers, asked.body)
    other = documented.Verifier(secret, "https://other.example/hook", clock=lambda: sent_at)
    with pytest.raises(documented.Refused, match="another receiver"):
        other.verify(asked.headers, asked.body)
    stranger = documented.Verifier(_secret(receiver, OLDER_SALT), url, clock=lambda: sent_at)
    with pytest.raises(documented.Refused, match="signature"):
        stranger.verify(asked.headers, asked.body)
    with pytest.raises(documented.Refused, match="missing"):
        verifier.verify({}, asked.body)


@pytest.mark.req(346)
async def test_during_a_rotation_both_secrets_verify(receiver: HttpDouble) -> None:
    asked = await _call(receiver, salts=(SALT, OLDER_SALT))
    assert len(asked.headers["webhook-signature"].split(" ")) == 2
    for salt in (SALT, OLDER_SALT):
        Webhook(_secret(receiver, salt)).verify(asked.body, asked.headers)


@pytest.mark.req(346)
async def test_the_key_of_the_installation_is_rotated_with_overlap_too(receiver: HttpDouble) -> None:
    settings = PushSettings(webhook_previous_secret=SecretStr("old"))
    keys = installation_keys(settings, b"new")
    assert [as_secret(key) for key in keys.receiver_keys("https://x.example", ())] == [
        "whsec_" + base64.b64encode(text).decode() for text in (b"new", b"old")
    ]
    assert len(keys.receiver_keys("https://x.example", (SALT,))) == 2
    assert key_of("whsec_" + base64.b64encode(b"raw").decode()) == b"raw"


@pytest.mark.req(345)
@pytest.mark.parametrize(
    ("legacy", "salts", "is_sent"),
    [("installation", (), True), ("installation", (SALT,), False), ("all", (SALT,), True), ("none", (), False)],
)
async def test_the_older_signature_is_not_sent_to_webhooks_of_users_unless_settings_say_so(
    receiver: HttpDouble, legacy: str, salts: tuple[bytes, ...], is_sent: bool
) -> None:
    asked = await _call(receiver, salts=salts, webhook_legacy_signature=legacy)
    assert ("x-sightline-signature" in asked.headers) == is_sent


@pytest.mark.req(346)
async def test_a_secret_is_shown_once_rotated_with_overlap_and_stored_nowhere(
    platform_with: Callable[..., Awaitable[Platform]],
    client_for: Callable[..., httpx.AsyncClient],
    auth_on: AuthSettings,
    signed_in: Callable[..., dict[str, str]],
    receiver: HttpDouble,
) -> None:
    platform = await platform_with(auth=auth_on, push=PushSettings(webhook_allow_private=True))
    client, ana = client_for(create_app(platform)), signed_in(ANA)
    url = f"{receiver.url}/hook"
    none = await client.post("/api/notification-addresses/webhook/secret", headers=ana)
    assert none.status_code == 404
    await client.put("/api/notification-preferences", json={"webhook_url": url}, headers=ana)
    first = (await client.post("/api/notification-addresses/webhook/secret", headers=ana)).json()
    second = (await client.post("/api/notification-addresses/webhook/secret", headers=ana)).json()
    assert first["secret"] != second["secret"]
    assert (first["previous_until"], second["previous_until"] is None) == (None, False)
    listed = await client.get("/api/notification-addresses", headers=ana)
    stored = await _everything_stored(platform)
    for made in (first, second):
        assert made["secret"] not in listed.text
        assert base64.b64decode(made["secret"].removeprefix("whsec_")).hex() not in stored
    await platform.addresses.confirm(ANA, "webhook", url, by="challenge")
    async with running(message_worker(platform, message_queue(platform.settings.bus.stage))):
        body = {"message_type": "x", "payload": {"title": "Hi"}, "channel": "webhook"}
        assert (await client.post("/api/messages", json=body, headers=ana)).status_code == 202
        await until(lambda: len(receiver.asked) == 1)
    asked = receiver.asked[0]
    for made in (first, second):
        assert Webhook(made["secret"]).verify(asked.body, asked.headers)["recipient"] == url
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE notification_addresses SET previous_until = now() - interval '1 s'")
    async with running(message_worker(platform, message_queue(platform.settings.bus.stage))):
        assert (await client.post("/api/messages", json=body, headers=ana)).status_code == 202
        await until(lambda: len(receiver.asked) == 2)
    with pytest.raises(WebhookVerificationError):
        Webhook(first["secret"]).verify(receiver.asked[1].body, receiver.asked[1].headers)


async def _everything_stored(platform: Platform) -> str:
    async with platform.database.transaction() as tx:
        rows = await tx.fetch("SELECT to_jsonb(a)::text AS stored FROM notification_addresses AS a")
    return json.dumps([row["stored"] for row in rows])
