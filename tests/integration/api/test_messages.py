"""The endpoints of document 002."""

from datetime import timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.api import create_app
from sightline.bus import message_queue
from sightline.config import ApiSettings, Settings
from sightline.messages import MessagesSettings
from sightline.notifications import PushSettings
from sightline.queue_consumers import message_processor
from support.ntfy_server import ntfy_server
from support.waiting import until

ANA, BEN = UUID(int=101), UUID(int=102)
BODY = {"stage": "dev", "message_type": "manual_notification", "payload": {"title": "Olá", "message": "Feito ✔"}}


@pytest.mark.req(144, 148, 179, 181, 296)
async def test_a_message_is_accepted_stored_and_announced(client, platform):
    answer = await client.post("/api/messages", json=BODY, headers={"x-correlation-id": "corr-9"})
    assert answer.status_code == 202
    assert answer.headers["x-correlation-id"] == "corr-9"
    created = answer.json()
    assert (str(UUID(created["message_id"])), created["status"]) == (created["message_id"], "created")
    found = (await client.get(f"/api/messages/{created['message_id']}")).json()
    assert found["created_date"] == created["created_date"]
    assert (found["payload"], found["correlation_id"]) == (BODY["payload"], "corr-9")
    assert (found["created_by"], found["history"][0]["status"]) == ("user:owner@localhost", "created")
    (received,) = await platform.bus.receive(message_queue("dev"), wait_s=0)
    assert created["message_id"] in received.body
    assert "Feito" not in received.body


@pytest.mark.req(145, 184)
async def test_what_is_wrong_is_refused_by_name(client):
    changes: tuple[tuple[dict[str, object], str], ...] = (
        ({"stage": "test"}, "stage"),
        ({"message_type": ""}, "message_type"),
        ({"message_type": "x y"}, "message_type"),
        ({"payload": "text"}, "payload"),
        ({"unknown": 1}, "unknown"),
        ({"stage": "prod"}, "stage"),
        ({"channel": "pigeon"}, "channel"),
    )
    for change, field in changes:
        answer = await client.post("/api/messages", json=BODY | change)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "VALIDATION_ERROR"), change
        assert field in answer.json()["error"]["message"]


@pytest.mark.req(148)
async def test_a_retried_post_with_its_key_creates_one_message(client, platform):
    key = {"idempotency-key": "order-1"}
    first = await client.post("/api/messages", json=BODY, headers=key)
    second = await client.post("/api/messages", json=BODY, headers=key)
    assert first.status_code == second.status_code == 202
    assert first.json() == second.json()
    assert str(UUID(first.json()["message_id"])) == first.json()["message_id"]
    other = await client.post("/api/messages", json=BODY | {"payload": {"message": "else"}}, headers=key)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "CONFLICT")
    assert len((await client.get("/api/messages")).json()["messages"]) == 1
    counts = {one.queue: one.visible for one in await platform.bus.counts()}
    assert counts[message_queue("dev")] == 1


@pytest.mark.req(180)
async def test_lists_page_without_gaps_or_repeats_while_new_ones_arrive(client):
    created = [(await client.post("/api/messages", json=BODY)).json()["message_id"] for _ in range(7)]
    seen, cursor = [], None
    while True:
        query = {"limit": 3} | ({} if cursor is None else {"cursor": cursor})
        page = (await client.get("/api/messages", params=query)).json()
        seen += [one["message_id"] for one in page["messages"]]
        await client.post("/api/messages", json=BODY)  # newer than all that was seen
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == created[::-1]


@pytest.mark.req(180)
async def test_a_list_that_cannot_be_is_refused(client):
    for query in ({"limit": 0}, {"limit": 101}, {"cursor": "x"}, {"status": "sent"}, {"stage": "x"}):
        answer = await client.get("/api/messages", params=query)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "VALIDATION_ERROR"), query


@pytest.mark.req(180)
async def test_lists_are_filtered(client):
    await client.post("/api/messages", json=BODY)
    await client.post("/api/messages", json=BODY | {"message_type": "other"})

    async def types(**query: str) -> list[str]:
        answer = await client.get("/api/messages", params=query)
        return [one["message_type"] for one in answer.json()["messages"]]

    assert await types(message_type="other") == ["other"]
    assert await types(status="failed") == []
    assert await types(created_by="user:owner@localhost", stage="dev") == ["other", "manual_notification"]
    assert await types(created_before="2020-01-01T00:00:00Z") == []
    assert len(await types(created_after="2020-01-01T00:00:00Z")) == 2


@pytest.mark.req(181)
@pytest.mark.parametrize("message_id", [str(UUID(int=5)), "no-uuid-at-all"])
async def test_an_unknown_message_is_not_found(client, message_id):
    answer = await client.get(f"/api/messages/{message_id}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "MESSAGE_NOT_FOUND")


@pytest.mark.req(181)
async def test_people_see_their_own_messages_and_operators_all(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    ana, ben = signed_in(ANA, email="ana@example.com"), signed_in(BEN)
    operator = signed_in(UUID(int=1), sightline_role="operator")
    mine = (await client.post("/api/messages", json=BODY, headers=ana)).json()["message_id"]
    assert (await client.get(f"/api/messages/{mine}", headers=ana)).json()["created_by"] == "user:ana@example.com"
    assert (await client.get(f"/api/messages/{mine}", headers=ben)).status_code == 404
    assert (await client.get("/api/messages", headers=ben)).json()["messages"] == []
    assert len((await client.get("/api/messages", headers=operator)).json()["messages"]) == 1
    assert (await client.get("/api/metrics", headers=ana)).status_code == 403
    assert (await client.post(f"/api/messages/{mine}/retry", headers=ana)).status_code == 403


async def test_only_operators_say_where_a_message_goes(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    ana = signed_in(ANA, email="ana@example.com")
    elsewhere = BODY | {"channel": "webhook", "target": "https://example.com/x"}
    assert (await client.post("/api/messages", json=elsewhere, headers=ana)).status_code == 403
    nowhere = await client.post("/api/messages", json=BODY | {"channel": "ntfy"}, headers=ana)
    assert (nowhere.status_code, "notification preferences" in nowhere.json()["error"]["message"]) == (400, True)
    await client.put("/api/notification-preferences", json={"ntfy_topic": "ana-1"}, headers=ana)
    pending = await client.post("/api/messages", json=BODY | {"channel": "ntfy"}, headers=ana)
    assert (pending.status_code, "not confirmed" in pending.json()["error"]["message"]) == (409, True)
    assert (await client.post("/api/messages", json=BODY | {"channel": "email"}, headers=ana)).status_code == 202


@pytest.mark.req(184)
async def test_too_many_requests_are_told_when_to_come_again(client_with):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=1))
    assert (await client.post("/api/messages", json=BODY)).status_code == 202
    answer = await client.post("/api/messages", json=BODY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "RATE_LIMIT_EXCEEDED")
    assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.req(182)
async def test_metrics_tell_counts_success_and_the_last_ten(client, platform):
    store = platform.open_messages.store
    ids = [(await client.post("/api/messages", json=BODY)).json()["message_id"] for _ in range(12)]
    for number, message_id in enumerate(ids[:4]):
        claimed = await store.claim(message_id, by="p", lease=timedelta(hours=1))
        if number == 0:
            await store.fail(claimed, error="x", by="p")
        else:
            await store.complete(claimed, notification_id="n", by="p")
    for period in ("1h", "6h", "24h", "168h"):
        answer = (await client.get("/api/metrics", params={"period": period})).json()
        assert answer["counts"] == {"created": 8, "queued": 0, "processing": 0, "completed": 3, "failed": 1}
        assert (answer["period"], answer["total"], answer["success_rate"]) == (period, 12, 0.75)
        assert answer["average_processing_ms"] >= 0
        assert [one["message_id"] for one in answer["recent_messages"]] == ids[:1:-1]
    assert (await client.get("/api/metrics", params={"period": "2h"})).status_code == 400


@pytest.mark.req(183)
async def test_deep_health_asks_the_store_of_messages(client):
    answer = (await client.get("/api/health", params={"deep": "true"})).json()
    assert answer["parts"]["messages"]["status"] == "ok"
    assert answer["parts"]["bus"]["status"] == "ok"


@pytest.mark.req(183)
async def test_deep_health_is_503_when_the_message_store_fails(
    platform_with, client_for, auth_on, signed_in, fresh_database
):
    platform = await platform_with(auth=auth_on)
    client = client_for(create_app(platform))
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("ALTER TABLE public.messages RENAME TO messages_away")
    response = await client.get("/api/health?deep=true", headers=signed_in("ann"))
    assert (response.status_code, response.json()["status"]) == (503, "unavailable")
    statuses = {name: part["status"] for name, part in response.json()["parts"].items()}
    assert statuses == {"database": "ok", "objects": "ok", "messages": "unavailable", "bus": "ok", "vision": "ok"}
    assert (await client.get("/api/health")).status_code == 200
    await admin.execute("ALTER TABLE public.messages_away RENAME TO messages")
    await admin.close()
    assert (await client.get("/api/health?deep=true", headers=signed_in("ann"))).status_code == 200


@pytest.mark.req(183)
async def test_deep_health_is_503_when_a_topic_has_lost_its_queue(
    platform_with, client_for, auth_on, signed_in, monkeypatch
):
    platform = await platform_with(auth=auth_on)
    client = client_for(create_app(platform))
    monkeypatch.delitem(platform.bus._ids, message_queue("dev"))
    response = await client.get("/api/health?deep=true", headers=signed_in("ann"))
    assert (response.status_code, response.json()["status"]) == (503, "unavailable")
    parts = response.json()["parts"]
    statuses = {name: part["status"] for name, part in parts.items()}
    assert statuses == {"database": "ok", "objects": "ok", "messages": "ok", "bus": "unavailable", "vision": "ok"}
    assert message_queue("dev") in parts["bus"]["error"]


@pytest.mark.req(189)
async def test_the_whole_way_from_a_post_to_ntfy_and_its_metrics(client_for, platform_with):
    from conformance.aws_backend import serving

    async with ntfy_server(token="tk_1") as server:
        platform = await platform_with(
            push=PushSettings(ntfy_server=server.url, ntfy_topic="all", ntfy_token="tk_1"),
            messages=MessagesSettings(channel="ntfy"),
        )
        assert isinstance(platform.settings, Settings)
        client = client_for(create_app(platform))
        created = (await client.post("/api/messages", json=BODY)).json()["message_id"]

        async def is_told() -> bool:
            return (await client.get(f"/api/messages/{created}")).json()["status"] == "completed"

        async with serving(message_processor(platform)):
            await until(is_told)
        (told,) = server.published
    assert (told["topic"], told["title"], told["message"]) == ("all", "Olá", "Feito ✔")
    metrics = (await client.get("/metrics")).text
    for line in (
        'sightline_messages_created_total{message_type="manual_notification",source="web-api"} 1.0',
        'sightline_messages_processed_total{message_type="manual_notification",outcome="completed"} 1.0',
        'sightline_notifications_sent_total{channel="ntfy",outcome="sent"} 1.0',
        'sightline_notification_seconds_count{channel="ntfy"} 1.0',
        'sightline_message_processing_seconds_count{message_type="manual_notification"} 1.0',
        'sightline_circuit_breaker_state{channel="ntfy"} 0.0',
        "sightline_message_dead_letters 0.0",
    ):
        assert line in metrics


async def test_a_failed_message_gets_another_chance_by_an_operators_hand(client, platform):
    store = platform.open_messages.store
    created = (await client.post("/api/messages", json=BODY)).json()["message_id"]
    claimed = await store.claim(created, by="p", lease=timedelta(hours=1))
    assert (await client.post(f"/api/messages/{created}/retry")).status_code == 409
    await store.fail(claimed, error="x", by="p")
    answer = await client.post(f"/api/messages/{created}/retry")
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    assert (await client.post(f"/api/messages/{uuid4()}/retry")).status_code == 404
