"""Emails and pushes of people go to addresses that their owner has confirmed, whichever way a message is caused."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.api import create_app
from sightline.bootstrap import Platform
from sightline.bus import message_queue
from sightline.config import AuthSettings
from sightline.contracts.video_events import STATUS_CHANGED, VIDEO_SOURCE
from sightline.db import Database
from sightline.errors import InvalidInput
from sightline.messages import NotificationRequest
from sightline.notifications import MailMetrics, NotificationsSettings, PushSettings
from sightline.notifications.addresses.address import SentChallenge, TooManyChallenges, check_limits
from sightline.notifications.addresses.tokens import ChallengeKey, LinkContent
from sightline.queue_consumers import event_notifications, message_worker, notification_worker
from support.mailing import MailServer, body, mail_server
from support.ntfy_server import Asked, HttpDouble, NtfyServer, ntfy_server
from support.services import running
from support.waiting import until

ANA, EVE, BOSS = UUID(int=31), UUID(int=32), UUID(int=33)
PREFERENCES = "/api/notification-preferences"
ADDRESSES = "/api/notification-addresses"


class Receiver(HttpDouble):
    """A webhook that returns challenges, or not."""

    returns_challenges = True

    def answer(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        content = json.loads(asked.body)
        if content["kind"] == "challenge" and self.returns_challenges:
            return 200, {}, json.dumps({"challenge": content["challenge"]}).encode()
        return 200, {}, b"{}"


@dataclass
class Rig:
    """The API and its workers, with a real mail server, ntfy server and webhook receiver outside."""

    platform: Platform
    client: httpx.AsyncClient
    mails: MailServer
    ntfy: NtfyServer
    webhook: Receiver
    sign_in: Callable[..., dict[str, str]]

    async def put(self, who: dict[str, str], **preferences: Any) -> dict[str, Any]:
        answer = await self.client.put(PREFERENCES, json=preferences, headers=who)
        assert answer.status_code == 200, answer.text
        return await self.states(who)

    async def states(self, who: dict[str, str]) -> dict[str, Any]:
        found = (await self.client.get(ADDRESSES, headers=who)).json()["addresses"]
        return {one["channel"]: one["state"] for one in found}

    async def send(self, who: dict[str, str], channel: str, **more: Any) -> httpx.Response:
        wanted = {
            "message_type": "manual_notification",
            "payload": {"title": "Hi", "message": "Spam"},
            "channel": channel,
        }
        return await self.client.post("/api/messages", json=wanted | more, headers=who)

    async def link(self, count: int = 1) -> str:
        """Path and query of the link in the newest mail."""
        await until(lambda: len(self.mails.received) >= count)
        found = re.search(r"http\S+/confirm-address\?token=\S+", body(self.mails.received[-1], "plain"))
        assert found is not None
        parts = urlsplit(found[0])
        return f"{parts.path}?{parts.query}"

    async def statuses(self, owner: UUID | None) -> list[str]:
        async with self.platform.database.transaction() as tx:
            rows = await tx.fetch("SELECT status::text FROM messages WHERE owner_id IS NOT DISTINCT FROM $1", owner)
        return sorted(row["status"] for row in rows)


@pytest.fixture
async def rig(
    platform_with: Callable[..., Awaitable[Platform]],
    client_for: Callable[..., httpx.AsyncClient],
    auth_on: AuthSettings,
    signed_in: Callable[..., dict[str, str]],
) -> AsyncIterator[Rig]:
    receiver = Receiver()
    await receiver.start()
    async with mail_server() as mails, ntfy_server() as ntfy:
        platform = await platform_with(
            auth=auth_on,
            notifications=NotificationsSettings(
                channel="smtp",
                from_address="Sightline <s@example.com>",
                smtp_host="127.0.0.1",
                smtp_port=mails.port,
                smtp_tls="none",
                language="en",
            ),
            push=PushSettings(ntfy_server=ntfy.url, webhook_allow_private=True, retry_first_s=0.01, tries=1),
        )
        queue = message_queue(platform.settings.bus.stage)
        mail_worker = notification_worker(platform, MailMetrics(None))
        services = (message_worker(platform, queue), mail_worker, event_notifications(platform))
        async with running(*services):
            yield Rig(platform, client_for(create_app(platform)), mails, ntfy, receiver, signed_in)
    await receiver.stop()


@pytest.mark.req(338)
async def test_an_address_counts_after_its_link_is_confirmed_by_a_form(rig: Rig) -> None:
    ana = rig.sign_in(ANA)
    assert await rig.put(ana, email="ana@example.com") == {"email": "pending"}
    refused = await rig.send(ana, "email")
    assert refused.status_code == 409
    assert "not confirmed" in refused.json()["error"]["message"]
    path = await rig.link()
    assert rig.mails.recipients == ["ana@example.com"]
    # A program that opens links changes nothing, and needs no sign-in to see the page.
    for language, button in (("pt", "Confirmar"), ("es", "Confirmar"), ("de", "Bestätigen"), ("en", "Confirm")):
        page = await rig.client.get(path, headers={"accept-language": f"{language}-XX,fr;q=0.8"})
        assert page.status_code == 200
        assert f'lang="{language}"' in page.text
        assert f"<button>{button}</button>" in page.text
        assert "ana@example.com" in page.text
    assert await rig.states(ana) == {"email": "pending"}
    token = path.partition("token=")[2]
    done = await rig.client.post("/confirm-address", data={"token": token}, headers={"accept-language": "en"})
    assert done.status_code == 200
    assert "Confirmed" in done.text
    assert await rig.states(ana) == {"email": "confirmed"}
    assert (await rig.send(ana, "email")).status_code == 202
    await until(lambda: len(rig.mails.received) == 2)


@pytest.mark.req(447, 1110)
async def test_challenges_are_in_the_language_of_the_owner(rig: Rig) -> None:
    subjects = {
        "en": ("Confirm your email address", "Confirm this topic"),
        "pt": ("Confirme seu endereço de e-mail", "Confirme este tópico"),
        "es": ("Confirma tu dirección de correo", "Confirma este tema"),
        "de": ("Bestätige deine E-Mail-Adresse", "Bestätige dieses Thema"),
    }
    for count, (language, (subject, title)) in enumerate(subjects.items(), start=1):
        who = rig.sign_in(UUID(int=40 + count))
        await rig.put(who, language=language, email=f"{language}@example.com", ntfy_topic=f"topic-{language}")
        await rig.link(count)
        await until(lambda: len(rig.ntfy.published) == len(rig.mails.received))
        mail = rig.mails.received[-1]
        assert (mail["Subject"], mail["Content-Language"]) == (subject, language)
        assert f'<html lang="{language}">' in body(mail, "html")
        assert rig.ntfy.published[-1]["title"].startswith(f"{title}: ")


@pytest.mark.req(338)
async def test_the_owner_of_a_challenge_cannot_read_its_link(rig: Rig) -> None:
    eve = rig.sign_in(EVE)
    await rig.put(eve, email="victim@example.com", ntfy_topic="victim")
    await rig.link()
    await until(lambda: len(rig.ntfy.published) == 1)
    listed = (await rig.client.get("/api/messages", headers=eve)).json()
    assert listed["messages"] == []
    async with rig.platform.database.as_caller({"sub": str(EVE), "role": "authenticated"}) as tx:
        assert await tx.fetch("SELECT * FROM messages") == []
    async with rig.platform.database.transaction() as tx:
        stored = await tx.fetchrow("SELECT * FROM notification_addresses WHERE channel = 'ntfy'")
    code = re.search(r"\d{8}", rig.ntfy.published[0]["title"])
    assert stored is not None
    assert code is not None
    assert code[0].encode() not in stored["challenge"]


@pytest.mark.req(338)
async def test_a_link_is_bound_to_its_owner_and_address_expires_and_cannot_be_forged(rig: Rig) -> None:
    ana = rig.sign_in(ANA)
    await rig.put(ana, email="ana@example.com")
    token = (await rig.link()).partition("token=")[2]
    changed = token[:-2] + ("AA" if token[-2:] != "AA" else "BB")
    for wrong in (changed, "", "x.y", token.partition(".")[0]):
        assert (await rig.client.post("/confirm-address", data={"token": wrong})).status_code == 400
    # The address was replaced in the meantime: the old link confirms neither.
    await rig.put(ana, email="other@example.com")
    assert (await rig.client.post("/confirm-address", data={"token": token})).status_code == 400
    assert await rig.states(ana) == {"email": "pending"}


@pytest.mark.req(338)
def test_an_old_link_and_a_link_of_another_key_are_refused() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    key = ChallengeKey(b"one")
    token = key.sign(LinkContent(ANA, "ana@example.com", b"n", now + timedelta(days=2)))
    assert key.read(token, now=now).address == "ana@example.com"
    with pytest.raises(InvalidInput, match="expired"):
        key.read(token, now=now + timedelta(days=2))
    with pytest.raises(InvalidInput, match="not valid"):
        ChallengeKey(b"two").read(token, now=now)


@pytest.mark.req(339)
async def test_a_challenge_is_sent_again_within_limits_only(rig: Rig) -> None:
    ana, eve = rig.sign_in(ANA), rig.sign_in(EVE)
    await rig.put(ana, email="ana@example.com")
    again = await rig.client.post(f"{ADDRESSES}/email/challenge", headers=ana)
    assert again.status_code == 429
    assert int(again.headers["retry-after"]) > 0
    # Another account cannot make the same mailbox ring either; its preferences are saved all the same.
    await rig.put(eve, email="ana@example.com")
    await rig.link()
    await _let_minutes_pass(rig.platform.database, 2)
    assert (await rig.client.post(f"{ADDRESSES}/email/challenge", headers=ana)).status_code == 202
    await rig.link(2)
    assert len(rig.mails.received) == 2


@pytest.mark.req(339)
def test_limits_count_every_account_for_an_address_and_every_address_for_an_account() -> None:
    minutes = [timedelta(minutes=m) for m in (5, 15, 25)]
    with pytest.raises(TooManyChallenges):
        check_limits([SentChallenge(age, is_own=False, is_here=True) for age in minutes])
    with pytest.raises(TooManyChallenges):
        check_limits([SentChallenge(timedelta(minutes=n + 2), is_own=True, is_here=False) for n in range(10)])
    check_limits([SentChallenge(age, is_own=True, is_here=True) for age in minutes[:2]])


@pytest.mark.req(340)
async def test_an_ntfy_topic_is_confirmed_by_the_code_it_gets(rig: Rig) -> None:
    ana = rig.sign_in(ANA)
    assert await rig.put(ana, ntfy_topic="ana-1") == {"ntfy": "pending"}
    assert (await rig.send(ana, "ntfy")).status_code == 409
    await until(lambda: len(rig.ntfy.published) == 1)
    found = re.search(r"\d{8}", rig.ntfy.published[0]["title"])
    assert found is not None
    wrong = f"{(int(found[0]) + 1) % 10**8:08d}"
    assert (await rig.client.post(f"{ADDRESSES}/ntfy/code", json={"code": wrong}, headers=ana)).status_code == 400
    right = await rig.client.post(f"{ADDRESSES}/ntfy/code", json={"code": found[0]}, headers=ana)
    assert right.json()["addresses"][0]["state"] == "confirmed"
    assert (await rig.send(ana, "ntfy")).status_code == 202
    await until(lambda: len(rig.ntfy.published) == 2)


@pytest.mark.req(340)
async def test_a_code_can_be_tried_five_times(rig: Rig) -> None:
    ana = rig.sign_in(ANA)
    await rig.put(ana, ntfy_topic="ana-1")
    await until(lambda: len(rig.ntfy.published) == 1)
    found = re.search(r"\d{8}", rig.ntfy.published[0]["title"])
    assert found is not None
    wrong = f"{(int(found[0]) + 1) % 10**8:08d}"
    for code in (*[wrong] * 5, found[0]):
        assert (await rig.client.post(f"{ADDRESSES}/ntfy/code", json={"code": code}, headers=ana)).status_code == 400
    assert await rig.states(ana) == {"ntfy": "pending"}


@pytest.mark.req(340)
async def test_a_webhook_is_confirmed_when_it_returns_the_challenge(rig: Rig) -> None:
    ana = rig.sign_in(ANA)
    url = f"{rig.webhook.url}/hook"
    assert await rig.put(ana, webhook_url=url) == {"webhook": "pending"}
    assert (await rig.send(ana, "webhook")).status_code == 409
    rig.webhook.returns_challenges = False
    refused = await rig.client.post(f"{ADDRESSES}/webhook/challenge", headers=ana)
    assert refused.status_code == 400
    assert "127.0.0.1" not in refused.text
    assert await rig.states(ana) == {"webhook": "pending"}
    rig.webhook.returns_challenges = True
    await _let_minutes_pass(rig.platform.database, 2)
    answer = await rig.client.post(f"{ADDRESSES}/webhook/challenge", headers=ana)
    assert answer.json()["addresses"][0]["state"] == "confirmed"
    assert (await rig.send(ana, "webhook")).status_code == 202
    await until(lambda: json.loads(rig.webhook.asked[-1].body)["kind"] == "manual_notification")


@pytest.mark.req(341)
async def test_every_other_way_to_a_foreign_address_is_closed(rig: Rig) -> None:
    eve = rig.sign_in(EVE, email="victim@example.com")
    assert (await rig.send(eve, "email", target="victim@example.com")).status_code == 403
    assert (await rig.send(eve, "email")).status_code == 409  # the address of an unverified claim
    schedule = {"name": "spam", "expression": "rate(1 minute)", "message_type": "x", "channel": "email"}
    assert (await rig.client.post("/api/schedules", json=schedule, headers=eve)).status_code == 409
    # A message that was created while the address counted is refused when it is sent.
    async with rig.platform.database.transaction() as tx:
        await rig.platform.open_messages.messages.create(
            tx,
            message_type="manual_notification",
            payload={},
            notification=NotificationRequest(channel="email", target="victim@example.com", title="t", body="b"),
            source="web-api",
            created_by="user",
            owner_id=EVE,
        )
    await until(lambda: _equals(rig.statuses(EVE), ["failed"]))
    # An event of the person reaches the log, not the address.
    video_id = uuid4()
    await _announce_video(rig.platform, video_id, EVE, "victim@example.com")
    await until(lambda: _has_mail(rig.platform, video_id, "skipped"))
    await until(lambda: _equals(rig.statuses(EVE), ["completed", "failed"]))
    assert rig.mails.received == []


@pytest.mark.req(341)
async def test_operators_may_send_anywhere(rig: Rig) -> None:
    boss = rig.sign_in(BOSS, sightline_role="operator")
    assert (await rig.send(boss, "email", target="new@example.com")).status_code == 202
    await until(lambda: rig.mails.recipients == ["new@example.com"])
    assert await rig.put(boss, email="boss@example.com", ntfy_topic="boss") == {
        "email": "confirmed",
        "ntfy": "confirmed",
    }


@pytest.mark.req(342)
@pytest.mark.parametrize(
    ("claims", "status"), [({"email_verified": True}, "sent"), ({"email_verified": "true"}, "skipped"), ({}, "skipped")]
)
async def test_an_email_claim_counts_if_the_identity_provider_verified_it(
    rig: Rig, claims: dict[str, Any], status: str
) -> None:
    ana = rig.sign_in(ANA, email="Ana@Example.com", **claims)
    assert (await rig.client.get("/api/me", headers=ana)).status_code == 200
    video_id = uuid4()
    await _announce_video(rig.platform, video_id, ANA, "Ana@Example.com")
    await until(lambda: _has_mail(rig.platform, video_id, status))
    assert len(rig.mails.received) == (status == "sent")


@pytest.mark.req(343)
async def test_addresses_stored_before_are_used_for_thirty_days(rig: Rig) -> None:
    ana = rig.sign_in(ANA)
    await rig.put(ana, ntfy_topic="ana-1")
    async with rig.platform.database.transaction() as tx:
        await tx.execute(
            "UPDATE notification_addresses SET confirmed_at = now(), confirmed_by = 'stored before',"
            " confirmed_until = now() + interval '30 days'"
        )
    (shown,) = (await rig.client.get(ADDRESSES, headers=ana)).json()["addresses"]
    assert (shown["state"], shown["confirmed_until"] is not None) == ("confirmed", True)
    async with rig.platform.database.transaction() as tx:
        await tx.execute("UPDATE notification_addresses SET confirmed_until = now() - interval '1 s'")
    assert await rig.states(ana) == {"ntfy": "pending"}
    assert (await rig.send(ana, "ntfy")).status_code == 409


@pytest.mark.req(344)
async def test_what_stays_on_the_machine_needs_no_confirmation_and_says_so(
    platform_with: Callable[..., Awaitable[Platform]],
    client_for: Callable[..., httpx.AsyncClient],
    auth_on: AuthSettings,
    signed_in: Callable[..., dict[str, str]],
) -> None:
    client = client_for(create_app(await platform_with(auth=auth_on)))
    ana = signed_in(ANA)
    await client.put(PREFERENCES, json={"email": "ana@example.com", "ntfy_topic": "ana-1"}, headers=ana)
    states = {one["channel"]: one["state"] for one in (await client.get(ADDRESSES, headers=ana)).json()["addresses"]}
    assert states == {"email": "not_needed", "ntfy": "pending"}


async def _announce_video(platform: Platform, video_id: UUID, owner_id: UUID, email: str) -> None:
    from sightline.bus import BusEvent
    from sightline.contracts.video_events import VideoStatusChanged

    change = VideoStatusChanged(
        video_id=video_id,
        status="FAILED",
        user_id=owner_id,
        user_email=email,
        video_name="a.mp4",
        error_reason="broken",
        changed_at=datetime.now(UTC),
        move=5,
    )
    async with platform.database.transaction() as tx:
        await platform.bus.put_events(
            tx, BusEvent(VIDEO_SOURCE, STATUS_CHANGED, change.to_detail(), lane=str(owner_id))
        )


async def _has_mail(platform: Platform, video_id: UUID, status: str) -> bool:
    async with platform.database.transaction() as tx:
        return await tx.fetchval("SELECT status::text FROM mails WHERE video_id = $1", video_id) == status


async def _equals(found: Awaitable[list[str]], wanted: list[str]) -> bool:
    return await found == wanted


async def _let_minutes_pass(database: Database, minutes: int) -> None:
    async with database.transaction() as tx:
        await tx.execute("UPDATE notification_challenges SET sent_at = sent_at - make_interval(mins => $1)", minutes)
