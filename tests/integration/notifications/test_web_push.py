"""Web Push end to end: a browser subscribes, an event reaches it through a push service, and what goes wrong is dealt with."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from sightline.api import create_app
from sightline.bootstrap import Platform
from sightline.bus import alert_queue, message_queue
from sightline.contracts import LOCAL_OWNER_ID
from sightline.messages import EventKind
from sightline.notifications import PushSettings
from sightline.queue_consumers import message_worker
from support.push_service import PushService, push_service
from support.services import running
from support.waiting import until

BROWSERS = "/api/push-browsers"
TEST = "/api/notification-preferences/test"


@dataclass
class Rig:
    platform: Platform
    client: httpx.AsyncClient
    service: PushService

    async def subscribe(self) -> str:
        answer = await self.client.post(BROWSERS, json=self.service.subscription | {"name": "Firefox · Linux"})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["browser_id"])

    async def ended(self, message_id: str) -> dict[str, Any]:
        found: dict[str, Any] = {}

        async def is_over() -> bool:
            found.update((await self.client.get(f"/api/messages/{message_id}")).json())
            return found["status"] in ("completed", "failed")

        await until(is_over)
        return found

    async def notify(self, kind: EventKind = "security_critical", *, key: str) -> list[str]:
        async with self.platform.database.transaction() as tx:
            created = await self.platform.open_messages.event_notifications.notify(
                tx,
                kind,
                LOCAL_OWNER_ID,
                {"summary": "1 person at Door", "risk_score": 90, "click_url": "http://localhost:8400/ui/events/7"},
                key=key,
            )
        return [one.message_id for one in created if one.notification.channel == "web_push"]


@pytest.fixture
async def rig(platform_with: Any, client_for: Callable[..., httpx.AsyncClient]) -> AsyncIterator[Rig]:
    async with push_service() as service:
        push = PushSettings(webhook_allow_private=True, tries=2, retry_first_s=0)
        platform = await platform_with(push=push)
        client = client_for(create_app(platform))
        service.server_key = (await client.get(BROWSERS)).json()["public_key"]
        stage = platform.settings.bus.stage
        workers = [message_worker(platform, queue) for queue in (message_queue(stage), alert_queue(stage))]
        async with running(*workers):
            yield Rig(platform, client, service)


@pytest.mark.req(930, 931)
async def test_a_critical_event_reaches_the_browser_encrypted_for_it(rig: Rig) -> None:
    await rig.subscribe()
    [message_id] = await rig.notify(key="7")
    message = await rig.ended(message_id)
    assert message["status"] == "completed", message
    [shown] = rig.service.shown
    assert (shown["title"], shown["url"], shown["isCritical"]) == ("Critical security event", "/ui/events/7", True)
    assert "1 person at Door" in shown["body"]
    [asked] = rig.service.asked
    assert (asked.headers["urgency"], int(asked.headers["ttl"]) > 3600) == ("high", True)
    assert b"Door" not in asked.body
    [browser] = (await rig.client.get(BROWSERS)).json()["browsers"]
    assert browser["last_sent_at"] is not None


@pytest.mark.req(931)
async def test_a_push_service_that_fails_is_tried_again(rig: Rig) -> None:
    await rig.subscribe()
    rig.service.answers.append((503, {}, b"later"))
    [message_id] = await rig.notify(key="8")
    assert (await rig.ended(message_id))["status"] == "completed"
    assert (len(rig.service.asked), len(rig.service.shown)) == (2, 1)


@pytest.mark.req(931)
async def test_a_browser_that_unsubscribed_is_forgotten(rig: Rig) -> None:
    browser = await rig.subscribe()
    rig.service.is_subscribed = False
    tested = await rig.client.post(TEST, json={"channel": "web_push", "browser_id": browser})
    message = await rig.ended(tested.json()["message_id"])
    assert message["status"] == "failed"
    assert "is not subscribed any more" in message["error_message"]
    assert (await rig.client.get(BROWSERS)).json()["browsers"] == []
    assert await rig.notify(key="9") == []


@pytest.mark.req(920)
async def test_a_test_says_what_came_of_it(rig: Rig) -> None:
    browser = await rig.subscribe()
    tested = await rig.client.post(TEST, json={"channel": "web_push", "browser_id": browser})
    assert (await rig.ended(tested.json()["message_id"]))["status"] == "completed"
    assert rig.service.shown[0]["title"] == "Test from Sightline"
    kept = await rig.ended((await rig.client.post(TEST, json={"channel": "email"})).json()["message_id"])
    assert (kept["status"], kept["is_kept"]) == ("completed", True)
    refused = await rig.client.post(TEST, json={"channel": "ntfy"})
    assert (refused.status_code, "no address for ntfy" in refused.text) == (400, True)


async def test_a_second_subscription_of_a_browser_replaces_the_first_and_one_can_be_removed(rig: Rig) -> None:
    await rig.subscribe()
    browser = await rig.subscribe()
    assert len((await rig.client.get(BROWSERS)).json()["browsers"]) == 1
    assert (await rig.client.delete(f"{BROWSERS}/{browser}")).status_code == 204
    assert (await rig.client.delete(f"{BROWSERS}/{browser}")).status_code == 404
    channels = (await rig.client.get("/api/notification-preferences")).json()["channels"]
    assert {"channel": "web_push", "cannot": "no_address"} in channels


@pytest.mark.req(933)
async def test_a_push_service_inside_is_refused_as_a_webhook_there_is(client_with: Any) -> None:
    client = await client_with()
    async with push_service() as service:
        inside = service.subscription | {"name": "x"}
        assert (await client.post(BROWSERS, json=inside)).status_code == 400
        encrypted = inside | {"endpoint": "https://127.0.0.1:1/send"}
        added = await client.post(BROWSERS, json=encrypted)
        assert added.status_code == 201  # as with webhooks, the address is resolved and checked when it is called
        assert service.asked == []


@pytest.mark.req(933)
async def test_browsers_of_others_are_neither_seen_nor_tested(
    client_with: Any, auth_on: Any, signed_in: Callable[..., dict[str, str]]
) -> None:
    client = await client_with(auth=auth_on, push=PushSettings(webhook_allow_private=True))
    ana, eve = signed_in("00000000-0000-0000-0000-000000000041"), signed_in("00000000-0000-0000-0000-000000000042")
    async with push_service() as service:
        body = service.subscription | {"name": "Ana's"}
        browser = (await client.post(BROWSERS, json=body, headers=ana)).json()["browser_id"]
        assert (await client.get(BROWSERS, headers=eve)).json()["browsers"] == []
        asked = {"channel": "web_push", "browser_id": browser}
        assert (await client.post(TEST, json=asked, headers=eve)).status_code == 404
        assert (await client.delete(f"{BROWSERS}/{browser}", headers=eve)).status_code == 404
