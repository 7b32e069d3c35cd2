"""The life of a security event over the API, and what the live feed says of it."""

import asyncio
from uuid import UUID

import asyncpg
import pytest

from sightline.api import create_app
from sightline.security import BroadcastMarks
from support.security_rig import MIDNIGHT, NOON, Watch, new_detection
from support.waiting import until

OWNER, MATE, STRANGER, TEAM = (UUID(int=n) for n in (7, 8, 9, 77))


@pytest.fixture
def watch(platform) -> Watch:
    return Watch(platform)


def critical(**more):
    """A knife at night."""
    return new_detection("knife", detected_at=MIDNIGHT, **more)


@pytest.mark.req(223, 224, 225)
async def test_the_first_acknowledgement_counts_and_is_told(watch, client):
    await watch.camera()
    event = await watch.event()
    first = await client.patch(f"/api/events/{event.id}/acknowledge")
    again = await client.patch(f"/api/events/{event.id}/acknowledge")
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    answer = first.json()
    assert (answer["id"], answer["state"], answer["version"]) == (event.id, "acknowledged", 2)
    assert answer["acknowledged_at"].endswith("Z")
    assert answer["acknowledged_by"] == "owner@localhost"
    told = await watch.rows("SELECT type, requires_ack, data FROM live_messages ORDER BY sequence")
    assert [row["type"] for row in told] == ["event", "event.acknowledged"]
    assert told[1]["data"]["acknowledged_at"] == answer["acknowledged_at"]
    assert not told[1]["requires_ack"]


@pytest.mark.req(223)
async def test_unknown_events_answer_404(client):
    for path in ("acknowledge", "resolve"):
        answer = await client.patch(f"/api/events/4711/{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "EVENT_NOT_FOUND")
    assert (await client.get("/api/events/4711")).status_code == 404


@pytest.mark.req(226, 227, 228)
async def test_resolving_needs_an_acknowledgement_and_is_told(watch, client):
    await watch.camera()
    event = await watch.event()
    early = await client.patch(f"/api/events/{event.id}/resolve", json={"notes": "nothing"})
    assert (early.status_code, early.json()["error"]["details"]["state"]) == (409, "created")
    await client.patch(f"/api/events/{event.id}/acknowledge")
    resolved = await client.patch(f"/api/events/{event.id}/resolve", json={"notes": "the postman"})
    again = await client.patch(f"/api/events/{event.id}/resolve", json={"notes": "somebody else"})
    assert resolved.status_code == 200
    assert resolved.json() == again.json()
    assert resolved.json()["resolution_notes"] == "the postman"
    assert resolved.json()["resolved_by"] is None  # nobody has to sign in here
    assert resolved.json()["state"] == "resolved"
    told = await watch.rows("SELECT type, data FROM live_messages ORDER BY sequence")
    kinds = ["event", "event.acknowledged", "event.resolved", "event.resolution_added"]
    assert [row["type"] for row in told] == kinds
    assert told[2]["data"]["resolution_notes"] == "the postman"


@pytest.mark.req(224)
async def test_an_acknowledgement_that_comes_after_the_resolution_is_refused_and_changes_nothing(watch, client):
    await watch.camera()
    event = await watch.event()
    await client.patch(f"/api/events/{event.id}/acknowledge")
    resolved = (await client.patch(f"/api/events/{event.id}/resolve")).json()
    late = await client.patch(f"/api/events/{event.id}/acknowledge")
    assert (late.status_code, late.json()["error"]["details"]) == (409, {"state": "resolved", "version": 3})
    kept = (await client.get(f"/api/events/{event.id}")).json()
    assert {name: kept[name] for name in resolved} == resolved


@pytest.mark.req(226)
async def test_with_authentication_the_resolver_is_named(platform_with, auth_on, client_for, signed_in):
    platform = await platform_with(auth=auth_on)
    watch, client = Watch(platform), client_for(create_app(platform))
    await watch.camera(owner_id=OWNER, team_id=TEAM)
    event = await watch.event()
    mate = signed_in(MATE, email="mate@example.com", team_ids=[str(TEAM)])
    assert (await client.patch(f"/api/events/{event.id}/acknowledge", headers=mate)).status_code == 200
    resolved = await client.patch(f"/api/events/{event.id}/resolve", headers=mate)
    assert resolved.json()["resolved_by"] == "mate@example.com"
    for method, path in (("GET", ""), ("PATCH", "/acknowledge"), ("PATCH", "/resolve")):
        answer = await client.request(method, f"/api/events/{event.id}{path}", headers=signed_in(STRANGER))
        assert answer.status_code == 404
    assert (await client.get("/api/events", headers=signed_in(STRANGER))).json()["events"] == []


@pytest.mark.req(230)
async def test_a_stale_version_is_refused_with_the_present_one(watch, client):
    await watch.camera()
    event = await watch.event()
    await client.patch(f"/api/events/{event.id}/acknowledge", json={"version": 1})
    stale = await client.patch(f"/api/events/{event.id}/resolve", json={"version": 1})
    assert (stale.status_code, stale.json()["error"]["details"]["version"]) == (409, 2)
    assert (await client.patch(f"/api/events/{event.id}/resolve", json={"version": 2})).json()["version"] == 3


@pytest.mark.req(224)
async def test_acknowledged_by_many_at_once_it_is_told_once(watch):
    await watch.camera()
    event = await watch.event()
    lifecycle = watch.security.lifecycle
    answers = await asyncio.gather(*(lifecycle.acknowledge(event.id, by=f"p{n}") for n in range(8)))
    assert len({answer.acknowledged_at for answer in answers}) == 1
    assert len(await watch.rows("SELECT FROM live_messages WHERE type = 'event.acknowledged'")) == 1


@pytest.mark.req(229)
async def test_the_database_lets_no_event_go_back_or_skip_a_step(watch):
    await watch.camera()
    event = await watch.event()
    for change in ("resolved_at = now()", "risk_score = 3", "resolved_at = now(), acknowledged_at = now()"):
        with pytest.raises(asyncpg.CheckViolationError):
            await watch.run(f"UPDATE events SET {change} WHERE id = $1", event.id)
    await watch.security.lifecycle.acknowledge(event.id, by="p")
    with pytest.raises(asyncpg.CheckViolationError):
        await watch.run("UPDATE events SET acknowledged_at = NULL WHERE id = $1", event.id)


@pytest.mark.req(231)
async def test_events_are_listed_by_camera_level_state_time_and_words(watch, client):
    await watch.camera()
    await watch.camera("yard")
    low = await watch.event(new_detection("dog"))
    high = await watch.event(critical(camera_id="yard"))
    await watch.security.lifecycle.acknowledge(high.id, by="p")

    async def ids(**query):
        return [event["id"] for event in (await client.get("/api/events", params=query)).json()["events"]]

    assert await ids() == [high.id, low.id]
    assert await ids(camera_id="Yard") == [high.id]
    assert await ids(risk_level="low") == [low.id]
    assert await ids(state="acknowledged") == [high.id]
    assert await ids(since=NOON.isoformat()) == [low.id]
    assert await ids(until=NOON.isoformat()) == [high.id]
    assert await ids(q="knife") == [high.id]
    assert await ids(q='"at night"') == [high.id]
    assert await ids(q="giraffe") == []
    assert await ids(after_sequence=low.sequence) == [high.id]
    assert (await client.get("/api/events", params={"state": ["archived", "created"]})).status_code == 400


@pytest.mark.req(231)
async def test_a_cursor_leads_through_all_events(watch, client):
    await watch.camera()
    wanted = [(await watch.event()).id for _ in range(3)]
    seen, cursor = [], None
    while True:
        answer = (await client.get("/api/events", params={"limit": 1} | ({"cursor": cursor} if cursor else {}))).json()
        seen += [event["id"] for event in answer["events"]]
        cursor = answer["next_cursor"]
        if cursor is None:
            break
    assert seen == wanted[::-1]
    assert (await client.get("/api/events", params={"cursor": "junk"})).status_code == 400


@pytest.mark.req(242)
async def test_an_event_leads_to_its_detections_camera_batch_and_rules(watch, client):
    await client.post("/api/cameras", json={"name": "Front Door", "zone": "Europe/Berlin"})
    conditions = {"object_types": ["knife"]}
    rule = (await client.post("/api/alert-rules", json={"name": "Knives", "conditions": conditions})).json()
    await client.post("/api/alert-rules", json={"name": "Dogs", "conditions": {"object_types": ["dog"]}})
    unsure = new_detection("knife", confidence=0.1, detected_at=MIDNIGHT)  # a sure one would be assessed alone, at once
    event = await watch.event(unsure, new_detection("person", detected_at=MIDNIGHT))
    whole = (await client.get(f"/api/events/{event.id}")).json()
    assert {found["object_type"] for found in whole["detections"]} == {"knife", "person"}
    assert whole["camera"]["name"] == "Front Door"
    assert (whole["batch"]["batch_id"], whole["batch"]["detection_count"]) == (event.batch_id, 2)
    assert [met["rule_id"] for met in whole["alert_rules"]] == [rule["rule_id"]]


@pytest.mark.req(205, 229)
async def test_an_event_reaches_clients_in_the_documents_form(live):
    watch = Watch(live.platform)
    await watch.camera()
    client = await live.connect()
    event = await watch.event(critical())
    (message,) = await client.messages(1)
    assert list(message) == ["type", "sequence", "requires_ack", "data"]
    assert (message["type"], message["sequence"], message["requires_ack"]) == ("event", event.sequence, True)
    assert message["data"] == {
        "id": event.id,
        "event_id": event.id,
        "batch_id": event.batch_id,
        "camera_id": "front_door",
        "risk_score": 100,
        "risk_level": "critical",
        "summary": event.summary,
        "reasoning": event.reasoning,
        "started_at": "2026-03-04T00:30:00.000Z",
    }
    marks = BroadcastMarks(watch.database, live.hub)
    await marks.mark()
    assert [found.state for found in await watch.events()] == ["broadcasted"]
    await watch.security.lifecycle.acknowledge(event.id, by="p")
    assert (await client.next_of("event.acknowledged"))["data"]["event_id"] == event.id


@pytest.mark.req(208)
async def test_only_critical_events_have_to_be_confirmed(live):
    watch = Watch(live.platform)
    await watch.camera()
    client = await live.connect()
    await watch.event(new_detection("dog"))
    await watch.event(critical())
    assert [message["requires_ack"] for message in await client.messages(2)] == [False, True]


@pytest.mark.req(204, 229)
async def test_an_event_is_created_while_nobody_can_be_told_and_told_later(watch, live_with):
    await watch.camera()
    event = await watch.event(critical())
    assert event.state == "created"
    acknowledged = await watch.security.lifecycle.acknowledge(event.id, by="p")
    assert acknowledged.state == "acknowledged"
    live = await live_with()
    client = await live.connect(last_sequence=0)
    await client.next_of("resumed")
    assert [message["data"]["event_id"] for message in await client.messages(2)] == [event.id, event.id]
    stop = asyncio.Event()
    marking = asyncio.create_task(BroadcastMarks(watch.database, live.hub).service().run(stop, lambda: None))

    async def is_marked():
        return (await watch.events())[0].broadcasted_at is not None

    await until(is_marked)
    stop.set()
    await marking


@pytest.mark.req(239, 240, 241)
async def test_events_are_counted_under_the_documents_names(live):
    watch = Watch(live.platform)
    await watch.camera()
    client = await live.connect()
    await watch.event(critical())
    await client.messages(1)
    text = (await live.get("/metrics")).text
    assert "hsi_events_total 1.0" in text
    assert 'hsi_events_by_risk_level{risk_level="critical"} 1.0' in text
    assert 'hsi_events_by_risk_level_total{risk_level="critical"} 1.0' in text
    assert 'hsi_events_by_risk_level{risk_level="low"} 0.0' in text
    assert 'hsi_events_by_camera{camera_id="front_door"} 1.0' in text
    assert 'hsi_events_by_camera_total{camera_id="front_door"} 1.0' in text
    assert 'hsi_event_broadcast_duration_seconds_count{stream="events"} 1.0' in text
