"""Escalation in steps until a person acknowledges; quiet hours and snoozes of rules and cameras; trial of unsaved rules."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.api import create_app
from sightline.bus import NOTICE_QUEUE
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.security.alerts.chain import EscalationChain
from sightline.security.events.notifications import SecurityNotifications
from support.security_rig import MIDNIGHT, Watch, new_detection

OWNER, MATE, STRANGER, TEAM = (UUID(int=n) for n in (7, 8, 9, 77))
ALL_DAY = {"start": "00:00", "end": "00:00"}
CHAIN = [{"after_s": 60}, {"after_s": 300, "channel": "email"}]


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
    return sorted((json.loads(one.body)["detail"] for one in found), key=lambda detail: detail["eventId"])


async def rule(client, name="Rule", **more) -> dict[str, Any]:
    answer = await client.post("/api/alert-rules", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def later(watch: Watch, seconds: float) -> None:
    """The alerts are so much older."""
    await watch.run(
        "UPDATE alerts SET created_at = created_at - make_interval(secs => $1),"
        " next_step_at = next_step_at - make_interval(secs => $1)",
        seconds,
    )


async def look(watch: Watch) -> int:
    return (await watch.security.alert_watch.look())[1]


def critical():
    return new_detection("knife", detected_at=MIDNIGHT)


@pytest.mark.req(613)
async def test_each_step_is_taken_once_at_its_time_and_after_the_last_nothing_more(watch, client):
    made = await rule(client, escalation=CHAIN)
    assert [step["after_s"] for step in made["escalation"]] == [60, 300]
    event = await watch.event()
    await notifications(watch)
    assert await look(watch) == 0
    await later(watch, 61)
    assert (await look(watch), await look(watch)) == (1, 0)
    (first,) = await notifications(watch)
    assert first["summary"].startswith("Not acknowledged after 60 s (Rule): ")
    assert (first["riskLevel"], "channel" in first) == ("critical", False)
    await later(watch, 240)
    assert (await look(watch), await look(watch)) == (1, 0)
    (second,) = await notifications(watch)
    assert (second["channel"], second["eventId"].endswith("-2")) == ("email", True)
    assert second["summary"].startswith("Not acknowledged after 5 min (Rule): ")
    await later(watch, 3600)
    assert await look(watch) == 0
    history = (await client.get(f"/api/events/{event.id}/history")).json()["history"]
    assert [one["details"].get("step") for one in history if one["action"] == "escalated"] == [1, 2]
    rows = await watch.rows("SELECT data FROM live_messages WHERE type = 'event.escalated' ORDER BY sequence")
    assert [row["data"]["step"] for row in rows] == [1, 2]


@pytest.mark.req(613)
async def test_a_client_that_received_the_event_does_not_stop_the_chain_but_a_person_does(watch, client):
    await rule(client, escalation=CHAIN)
    event = await watch.event()
    await watch.run("UPDATE events SET broadcasted_at = now()")
    assert await look(watch) == 0  # and the alert is delivered
    await later(watch, 61)
    assert await look(watch) == 1
    await client.patch(f"/api/events/{event.id}/acknowledge")
    await later(watch, 600)
    assert await look(watch) == 0
    assert [row["next_step_at"] for row in await watch.rows("SELECT next_step_at FROM alerts")] == [None]


@pytest.mark.req(613)
@pytest.mark.parametrize("settle", ["acknowledge", "dismiss"])
async def test_an_alert_that_is_settled_escalates_no_more(watch, client, settle):
    await rule(client, escalation=CHAIN)
    await watch.event()
    (alert,) = (await client.get("/api/alerts")).json()["alerts"]
    await client.patch(f"/api/alerts/{alert['alert_id']}/{settle}")
    await later(watch, 61)
    assert await look(watch) == 0


@pytest.mark.req(614)
async def test_many_watchers_and_a_person_at_once_take_each_step_once_and_none_after_the_acknowledgement(watch, client):
    await rule(client, escalation=CHAIN, cooldown_s=0)
    events = [await watch.event() for _ in range(4)]
    await later(watch, 61)
    lifecycle = watch.security.lifecycle
    await asyncio.gather(
        *(look(watch) for _ in range(4)),
        *(lifecycle.acknowledge(event.id, by="ana") for event in events[:2]),
    )
    await look(watch)
    for event in events:
        rows = await watch.rows("SELECT action FROM event_history WHERE event_id = $1 ORDER BY at", event.id)
        actions = [row["action"] for row in rows][1:]
        assert actions.count("escalated") <= 1
        if "acknowledged" in actions:
            assert actions[-1] == "acknowledged"  # nothing escalated after a person said that they know
        else:
            assert actions == ["escalated"]


@pytest.mark.req(614)
async def test_a_step_that_is_interrupted_is_taken_again_and_notifies_once(watch, client, monkeypatch):
    await rule(client, escalation=CHAIN)
    await watch.event()
    await notifications(watch)
    await later(watch, 61)
    publish = SecurityNotifications.publish

    async def killed(*args: Any, **more: Any) -> None:
        await publish(*args, **more)
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(SecurityNotifications, "publish", killed)
        with pytest.raises(RuntimeError, match="killed"):
            await look(watch)
    assert await notifications(watch) == []
    assert await look(watch) == 1
    assert len(await notifications(watch)) == 1


@pytest.mark.req(613, 607)
async def test_a_snoozed_event_and_a_snoozed_rule_wait_with_their_steps(watch, client):
    made = await rule(client, escalation=CHAIN)
    event = await watch.event()
    await later(watch, 61)
    await client.patch(f"/api/events/{event.id}/snooze", json={"minutes": 30})
    assert await look(watch) == 0
    await client.patch(f"/api/events/{event.id}/snooze", json={"until": None})
    path = f"/api/alert-rules/{made['rule_id']}/snooze"
    assert (await client.patch(path, json={"minutes": 30})).json()["snoozed_until"] is not None
    assert await look(watch) == 0
    await client.patch(path, json={"until": None})
    assert await look(watch) == 1


@pytest.mark.req(607)
async def test_a_snoozed_event_does_not_escalate_where_no_client_has_it(watch, client):
    await rule(client, escalate_after_s=60)
    event = await watch.event(critical())
    await watch.run("UPDATE alerts SET escalate_at = now()")
    await client.patch(f"/api/events/{event.id}/snooze", json={"minutes": 30})
    assert await look(watch) == 0
    await watch.run("UPDATE events SET snoozed_until = now()")
    assert await look(watch) == 1


@pytest.mark.req(615)
@pytest.mark.parametrize("step", [{"after_s": 0}, {"after_s": 60, "channel": "pigeon"}, {"after_s": 60, "user": 1}])
async def test_a_step_that_cannot_be_is_refused(client, step):
    assert (await client.post("/api/alert-rules", json={"name": "R", "escalation": [step]})).status_code == 400


@pytest.mark.req(615, 672)
async def test_steps_go_up_and_notify_the_owner_or_somebody_of_the_rules_team(
    platform_with, auth_on, client_for, signed_in
):
    platform = await platform_with(auth=auth_on)
    await platform.bus.create()
    watch, client = Watch(platform), client_for(create_app(platform))
    await watch.camera(owner_id=OWNER, team_id=TEAM)
    await watch.camera("own", owner_id=OWNER)
    owner = {"headers": signed_in(OWNER, email="owner@example.com", team_ids=[str(TEAM)])}
    mate = {"headers": signed_in(MATE, email="mate@example.com", team_ids=[str(TEAM)])}
    assert (await client.get("/api/me", **mate)).status_code == 200
    (team,) = (await client.get("/api/alert-rules/recipients", **owner)).json()["teams"]
    assert team["team_id"] == str(TEAM)
    assert {one["name"] for one in team["people"]} == {"owner@example.com", "mate@example.com"}
    stranger = {"headers": signed_in(STRANGER, team_ids=[])}
    assert (await client.get("/api/alert-rules/recipients", **stranger)).json() == {"teams": []}
    body: dict[str, Any] = {"name": "Team", "team_id": str(TEAM), "cooldown_s": 0}
    for steps in (
        [{"after_s": 60, "user_id": str(STRANGER)}],
        [{"after_s": 60}, {"after_s": 60}],
    ):
        assert (await client.post("/api/alert-rules", json=body | {"escalation": steps}, **owner)).status_code == 400
    theirs = body | {"team_id": None, "escalation": [{"after_s": 60, "user_id": str(MATE)}]}
    assert (await client.post("/api/alert-rules", json=theirs, **owner)).status_code == 400
    steps = [{"after_s": 60, "user_id": str(MATE), "channel": "ntfy"}]
    assert (await client.post("/api/alert-rules", json=body | {"escalation": steps}, **owner)).status_code == 201
    await watch.event()
    await watch.event(new_detection(camera_id="own"))  # the mate may not see this one
    await notifications(watch)
    await later(watch, 61)
    assert await look(watch) == 2
    told = {(one["cameraId"], one["userId"], one["userEmail"]) for one in await notifications(watch)}
    assert told == {
        ("front_door", str(MATE), "mate@example.com"),
        ("own", str(OWNER), "owner@example.com"),
    }
    await watch.event()
    await notifications(watch)
    await watch.run("UPDATE caller_memberships SET expires_at = now() WHERE user_id = $1", MATE)
    await later(watch, 61)
    await look(watch)
    (after,) = await notifications(watch)
    assert after["userId"] == str(OWNER)  # the mate has left the team


@pytest.mark.req(616)
async def test_quiet_hours_record_alerts_and_notify_only_of_critical_events_that_may_pass(watch, client):
    await rule(client, "Quiet", quiet_hours=ALL_DAY, cooldown_s=0)
    await watch.event()
    assert len((await client.get("/api/alerts")).json()["alerts"]) == 1
    assert await notifications(watch) == []
    await watch.event(critical())
    assert {one["summary"].split(":")[0] for one in await notifications(watch)} >= {"Quiet"}
    made = (await client.get("/api/alert-rules")).json()["rules"][0]
    changed = {"name": "Silent", "quiet_hours": ALL_DAY, "quiet_lets_critical": False, "cooldown_s": 0}
    answer = await client.put(f"/api/alert-rules/{made['rule_id']}", json=changed)
    assert (answer.json()["quiet_lets_critical"], answer.json()["quiet_hours"]["zone"]) == (False, "UTC")
    await watch.event(critical())
    assert not any(one["summary"].startswith("Silent: ") for one in await notifications(watch))


@pytest.mark.req(616)
async def test_a_step_in_quiet_hours_waits_until_they_end(watch, client):
    await rule(client, escalation=CHAIN, quiet_hours={"start": "22:00", "end": "07:00"})
    await watch.event()
    await later(watch, 61)
    night = datetime(2026, 3, 4, 23, 0, tzinfo=UTC)
    chain = EscalationChain(
        watch.database,
        watch.platform.live,
        SecurityNotifications(watch.platform.bus, page_url="http://page"),
        clock=lambda: night,
    )
    assert await chain.take_due_steps() == 0
    (row,) = await watch.rows("SELECT next_step, next_step_at FROM alerts")
    assert (row["next_step"], row["next_step_at"]) == (0, night + timedelta(hours=8))


@pytest.mark.req(617)
async def test_a_person_who_snoozed_a_camera_is_not_alerted_by_it_but_of_critical_events(watch, client):
    await watch.camera("yard")
    await rule(client, cooldown_s=0)
    path = "/api/cameras/front_door/snooze"
    assert (await client.get(path)).json()["snoozed_until"] is None
    assert (await client.patch(path, json={"minutes": 60})).json()["snoozed_until"] is not None
    await watch.event()
    assert await notifications(watch) == []
    await watch.event(new_detection(camera_id="yard"))
    assert len(await notifications(watch)) == 1
    await watch.event(critical())
    assert await notifications(watch) != []
    await client.patch(path, json={"minutes": 60, "lets_critical": False})
    await watch.event(critical())
    assert await notifications(watch) == []
    await watch.run("UPDATE camera_snoozes SET until = now()")
    assert (await client.get(path)).json()["snoozed_until"] is None
    await watch.event()
    assert len(await notifications(watch)) == 1
    assert (await client.patch("/api/cameras/nowhere/snooze", json={"minutes": 5})).status_code == 404


@pytest.mark.req(618)
async def test_a_trial_says_how_often_an_unsaved_rule_would_have_alerted(watch, client):
    await watch.camera("yard")
    knife, first = await watch.event(critical()), await watch.event()
    yard = await watch.event(new_detection(camera_id="yard", confidence=0.6))
    await watch.run("UPDATE events SET started_at = now() - interval '1 hour', ended_at = now()")
    await watch.run("UPDATE events SET started_at = now() - interval '8 days' WHERE id = $1", knife.id)
    tried = (await client.post("/api/alert-rules/trial", json={"conditions": {"object_types": ["person"]}})).json()
    assert (tried["days"], tried["looked_at"], tried["matched"], tried["fired"], tried["quiet"]) == (7, 2, 2, 2, 0)
    assert [event["id"] for event in tried["events"]] == [yard.id, first.id]
    again = await watch.event()
    await watch.run(
        "UPDATE events SET started_at = now() - interval '1 hour', ended_at = now() WHERE id = $1", again.id
    )
    cooled = (await client.post("/api/alert-rules/trial", json={"quiet_hours": ALL_DAY})).json()
    assert (cooled["matched"], cooled["fired"], cooled["quiet"]) == (3, 2, 2)
    sure = {"conditions": {"min_confidence": 0.7}, "cooldown_s": 0}
    assert (await client.post("/api/alert-rules/trial", json=sure)).json()["fired"] == 2
    month = await client.post("/api/alert-rules/trial?limit=0", json={"days": 30, "cooldown_s": 0})
    assert (month.json()["fired"], month.json()["events"]) == (4, [])
    assert (await client.get("/api/alert-rules")).json()["rules"] == []
    assert await watch.rows("SELECT FROM alerts") == []


@pytest.mark.req(618)
async def test_a_trial_sees_only_events_that_the_rule_would_watch(platform_with, auth_on, client_for, signed_in):
    platform = await platform_with(auth=auth_on)
    watch, client = Watch(platform), client_for(create_app(platform))
    await watch.camera(owner_id=OWNER, team_id=TEAM)
    await watch.event()
    await watch.run("UPDATE events SET started_at = now() - interval '1 hour', ended_at = now()")
    mate = {"headers": signed_in(MATE, team_ids=[str(TEAM)])}
    path = "/api/alert-rules/trial"
    assert (await client.post(path, json={}, **mate)).json()["looked_at"] == 0
    assert (await client.post(path, json={"team_id": str(TEAM)}, **mate)).json()["fired"] == 1
    eve = {"headers": signed_in(STRANGER)}
    assert (await client.post(path, json={}, **eve)).json()["looked_at"] == 0
    assert (await client.post(path, json={"team_id": str(TEAM)}, **eve)).status_code == 403


@pytest.mark.req(619)
async def test_a_rule_matches_a_behaviour(watch, client):
    await rule(client, conditions={"behaviours": ["Loitering"]})
    await watch.event()
    assert await watch.rows("SELECT FROM alerts") == []
    event = await watch.event(new_detection(attributes={"behaviours": ["loitering"]}))
    rows = await watch.rows("SELECT event_id, owner_id FROM alerts")
    assert [tuple(row) for row in rows] == [(event.id, LOCAL_OWNER_ID)]
