"""Alert rules: cooldown, trial, notifications, escalation, and the life of an alert."""

import json
from typing import Any
from uuid import UUID

import pytest

from sightline.api import create_app
from sightline.bus import NOTICE_QUEUE
from sightline.contracts.identity import LOCAL_OWNER_ID
from support.security_rig import MIDNIGHT, Watch, new_detection

OWNER, STRANGER, TEAM = UUID(int=7), UUID(int=9), UUID(int=77)


@pytest.fixture
async def watch(platform) -> Watch:
    await platform.bus.create()
    made = Watch(platform)
    await made.camera()
    return made


async def notifications(watch: Watch) -> list[dict[str, Any]]:
    """Those that came since this was asked last."""
    found = await watch.platform.bus.receive(NOTICE_QUEUE, limit=10, wait_s=0)
    await watch.platform.bus.acknowledge(None, found)
    details = [json.loads(one.body)["detail"] for one in found]
    return sorted(details, key=lambda detail: (detail["eventId"], detail["summary"]))


async def rule(client, name="Rule", **more) -> dict[str, Any]:
    conditions = more.pop("conditions", {})
    answer = await client.post("/api/alert-rules", json={"name": name, "conditions": conditions, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def critical():
    return new_detection("knife", detected_at=MIDNIGHT)


@pytest.mark.req(243)
async def test_repeats_within_the_cooldown_give_one_alert_per_camera_and_rule(watch, client):
    await watch.camera("yard")
    made = await rule(client, "All")
    assert made["cooldown_s"] == 300
    first, again = await watch.event(), await watch.event()
    elsewhere = await watch.event(new_detection(camera_id="yard"))
    alerts = (await client.get("/api/alerts")).json()["alerts"]
    assert [alert["event_id"] for alert in alerts] == [elsewhere.id, first.id]
    met = (await client.get(f"/api/events/{again.id}")).json()["alert_rules"]
    assert [(one["alert_id"], one["is_cooled_down"]) for one in met] == [(alerts[1]["alert_id"], True)]
    await watch.run("UPDATE alerts SET created_at = created_at - interval '301 s'")
    later = await watch.event()
    assert (await client.get("/api/alerts")).json()["alerts"][0]["event_id"] == later.id


@pytest.mark.req(243)
async def test_a_trial_shows_which_recent_events_would_have_matched(watch, client):
    knife, dog = await watch.event(critical()), await watch.event(new_detection("dog"))
    made = await rule(client, conditions={"risk_threshold": 60, "object_types": ["knife"]})
    tried = (await client.post(f"/api/alert-rules/{made['rule_id']}/test")).json()
    assert tried["looked_at"] == 2
    assert [event["id"] for event in tried["matched"]] == [knife.id]
    assert [(one["event"]["id"], one["unmet"]) for one in tried["others"]] == [
        (dog.id, ["risk_threshold", "object_types"])
    ]
    assert (await client.get("/api/alerts")).json()["alerts"] == []


async def test_a_disabled_rule_and_one_of_somebody_else_raise_nothing(watch, client):
    made = await rule(client, is_enabled=False)
    await watch.run("INSERT INTO alert_rules (owner_id, name, conditions) VALUES ($1, 'theirs', '{}')", STRANGER)
    await watch.event()
    assert await watch.rows("SELECT FROM alerts") == []
    changed = await client.put(f"/api/alert-rules/{made['rule_id']}", json={"name": "On", "is_enabled": True})
    assert changed.json()["is_enabled"]
    await watch.event()
    assert [row["rule_id"] for row in await watch.rows("SELECT rule_id FROM alerts")] == [made["rule_id"]]


async def test_rules_are_listed_renamed_and_removed(watch, client):
    made = await rule(client, "One")
    assert (await client.post("/api/alert-rules", json={"name": "One"})).status_code == 409
    assert [one["name"] for one in (await client.get("/api/alert-rules")).json()["rules"]] == ["One"]
    assert (await client.get(f"/api/alert-rules/{made['rule_id']}")).json() == made
    assert (await client.delete(f"/api/alert-rules/{made['rule_id']}")).status_code == 204
    gone = await client.get(f"/api/alert-rules/{made['rule_id']}")
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "ALERT_RULE_NOT_FOUND")


@pytest.mark.req(244)
@pytest.mark.parametrize("settle", ["acknowledge", "dismiss"])
async def test_an_alert_is_settled_from_pending_or_delivered_and_only_once(watch, client, settle):
    await rule(client, cooldown_s=0)
    await watch.event()
    await watch.event()
    second, first = (await client.get("/api/alerts")).json()["alerts"]
    await watch.run("UPDATE alerts SET state = 'delivered' WHERE alert_id = $1", first["alert_id"])
    for alert in (first, second):
        done = await client.patch(f"/api/alerts/{alert['alert_id']}/{settle}")
        assert done.status_code == 200
        assert done.json()["settled_by"] == "owner@localhost"
        for again in ("acknowledge", "dismiss"):
            refused = await client.patch(f"/api/alerts/{alert['alert_id']}/{again}")
            assert (refused.status_code, refused.json()["error"]["details"]["state"]) == (409, done.json()["state"])


async def test_a_critical_event_is_told_once_and_by_the_bus_with_its_commit(watch, client):
    event = await watch.event(critical())
    await watch.event(new_detection("dog"))
    (notification,) = await notifications(watch)
    assert notification["eventId"] == str(event.id)
    assert notification["userId"] == str(LOCAL_OWNER_ID)
    assert (notification["riskLevel"], notification["riskScore"], notification["cameraId"]) == (
        "critical",
        100,
        "front_door",
    )
    assert notification["clickUrl"].endswith(f"/ui/events/{event.id}")


async def test_an_alert_tells_of_events_that_are_not_critical_too(watch, client):
    await rule(client, "Any dog", conditions={"object_types": ["dog"]}, severity="high")
    await watch.event(new_detection("dog"))
    (notification,) = await notifications(watch)
    assert (notification["riskLevel"], notification["riskScore"]) == ("high", 5)
    assert notification["summary"].startswith("Any dog: ")


async def test_an_alert_on_a_critical_event_has_the_events_own_key(watch, client):
    await rule(client)
    event = await watch.event(critical())
    assert {(notification["eventId"], notification["riskLevel"]) for notification in await notifications(watch)} == {
        (str(event.id), "critical")
    }


async def test_an_alert_whose_event_no_client_has_escalates_once(watch, client):
    await rule(client, escalate_after_s=3600)
    event = await watch.event(critical())
    await notifications(watch)
    assert await watch.security.alert_watch.look() == (0, 0)
    await watch.run("UPDATE alerts SET escalate_at = now()")
    assert await watch.security.alert_watch.look() == (0, 1)
    assert await watch.security.alert_watch.look() == (0, 0)
    (notification,) = await notifications(watch)
    assert notification["eventId"].startswith(f"{event.id}/escalated-")
    assert notification["summary"].startswith("Nobody has received this yet (Rule): ")
    assert notification["riskLevel"] == "critical"


async def test_an_alert_is_delivered_once_a_client_has_confirmed_its_event(live):
    watch = Watch(live.platform)
    await watch.camera()
    await watch.run(
        "INSERT INTO alert_rules (owner_id, name, conditions, escalate_after_s) VALUES ($1, 'r', '{}', 3600)",
        LOCAL_OWNER_ID,
    )
    client = await live.connect()
    event = await watch.event(critical())
    assert await watch.security.alert_watch.look() == (0, 0)
    await client.ack(event.sequence)
    await watch.run("UPDATE alerts SET escalate_at = now()")
    assert await watch.security.alert_watch.look() == (1, 0)
    assert [row["state"] for row in await watch.rows("SELECT state FROM alerts")] == ["delivered"]


async def test_rules_of_a_team_watch_its_cameras(platform_with, auth_on, client_for, signed_in):
    platform = await platform_with(auth=auth_on)
    watch, client = Watch(platform), client_for(create_app(platform))
    await watch.camera(owner_id=OWNER, team_id=TEAM)
    mate = signed_in(8, team_ids=[str(TEAM)])
    body = {"name": "Team", "team_id": str(TEAM)}
    assert (await client.post("/api/alert-rules", json=body, headers=signed_in(STRANGER))).status_code == 403
    assert (await client.post("/api/alert-rules", json=body, headers=mate)).status_code == 201
    await watch.event()
    (alert,) = (await client.get("/api/alerts", headers=mate)).json()["alerts"]
    assert (await client.get("/api/alerts", headers=signed_in(OWNER))).json()["alerts"] == []
    theirs = await client.patch(f"/api/alerts/{alert['alert_id']}/acknowledge", headers=signed_in(OWNER))
    assert theirs.status_code == 404
