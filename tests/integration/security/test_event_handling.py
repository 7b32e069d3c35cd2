"""Events in daily life: reopened, assigned, snoozed, commented, filtered, and a history of all of it."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from sightline.access import find_entries
from sightline.api import create_app
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.errors import Conflict
from sightline.security.events import Actor
from sightline.timing import iso_utc, utc_now
from support.security_rig import NOON, Watch, new_detection
from support.waiting import until

OWNER, MATE, STRANGER, OPERATOR, TEAM = (UUID(int=n) for n in (7, 8, 9, 10, 77))


@pytest.fixture
async def watch(platform) -> Watch:
    made = Watch(platform)
    await made.camera()
    return made


class People:
    """A team with an event, and a stranger."""

    def __init__(self, watch: Watch, client: Any, signed_in: Any) -> None:
        self.watch = watch
        self.client = client
        self.owner = signed_in(OWNER, email="owner@example.com", team_ids=[str(TEAM)])
        self.mate = signed_in(MATE, email="mate@example.com", team_ids=[str(TEAM)])
        self.stranger = signed_in(STRANGER, email="eve@example.com")
        self.operator = signed_in(OPERATOR, sightline_role="operator")


@pytest.fixture
async def people(platform_with, auth_on, client_for, signed_in) -> People:
    platform = await platform_with(auth=auth_on)
    watch = Watch(platform)
    await watch.camera(owner_id=OWNER, team_id=TEAM)
    made = People(watch, client_for(create_app(platform)), signed_in)
    for one in (made.owner, made.mate, made.stranger):
        assert (await made.client.get("/api/me", headers=one)).status_code == 200
    return made


async def history(client, event_id: int, **more: Any) -> list[tuple[str, str | None]]:
    found = (await client.get(f"/api/events/{event_id}/history", **more)).json()["history"]
    return [(entry["action"], entry["by"]) for entry in found]


async def kinds(watch: Watch) -> list[str]:
    return [row["type"] for row in await watch.rows("SELECT type FROM live_messages ORDER BY sequence")]


@pytest.mark.req(603)
async def test_a_resolved_event_is_reopened_as_acknowledged_and_can_be_resolved_again(watch, client):
    event = await watch.event()
    path = f"/api/events/{event.id}"
    assert (await client.patch(f"{path}/reopen")).status_code == 409
    await client.patch(f"{path}/acknowledge")
    await client.patch(f"{path}/resolve", json={"notes": "the postman"})
    reopened = (await client.patch(f"{path}/reopen", json={"version": 3})).json()
    assert (reopened["state"], reopened["version"]) == ("acknowledged", 4)
    assert (reopened["resolved_at"], reopened["resolution_notes"]) == (None, None)
    assert (await client.patch(f"{path}/reopen")).json() == reopened  # repeated, it changes nothing
    again = (await client.patch(f"{path}/resolve", json={"notes": "a burglar"})).json()
    assert (again["state"], again["resolution_notes"]) == ("resolved", "a burglar")
    me = "owner@localhost"
    assert await history(client, event.id) == [
        ("created", None),
        ("acknowledged", me),
        ("resolved", me),
        ("reopened", me),
        ("resolved", me),
    ]
    assert (await kinds(watch))[-2:] == ["event.reopened", "event.resolved"]


@pytest.mark.req(603)
async def test_the_database_lets_nobody_unresolve_an_event_without_a_new_version(watch):
    event = await watch.event()
    await watch.security.lifecycle.acknowledge(event.id, by="ana")
    await watch.security.lifecycle.resolve(event.id, by="ana")
    with pytest.raises(asyncpg.CheckViolationError, match="cannot go back"):
        await watch.run("UPDATE events SET resolved_at = NULL WHERE id = $1", event.id)
    with pytest.raises(asyncpg.CheckViolationError, match="cannot go back"):
        await watch.run("UPDATE events SET acknowledged_at = NULL, version = 9 WHERE id = $1", event.id)


@pytest.mark.req(604)
async def test_notes_of_a_second_resolver_are_kept_once_beside_the_first(people):
    event = await people.watch.event()
    path = f"/api/events/{event.id}"
    await people.client.patch(f"{path}/acknowledge", headers=people.owner)
    await people.client.patch(f"{path}/resolve", headers=people.owner, json={"notes": "the postman", "version": 2})
    for _ in range(2):
        late = await people.client.patch(
            f"{path}/resolve", headers=people.mate, json={"notes": "I saw him too", "version": 2}
        )
        assert (late.status_code, late.json()["resolution_notes"]) == (200, "the postman")
    found = (await people.client.get(f"{path}/history", headers=people.owner)).json()["history"]
    assert [(one["action"], one["by"], one["details"].get("notes")) for one in found[2:]] == [
        ("resolved", "owner@example.com", "the postman"),
        ("resolution_added", "mate@example.com", "I saw him too"),
    ]


@pytest.mark.req(605)
async def test_an_event_is_assigned_to_people_who_may_see_it_and_to_nobody_else(people):
    event = await people.watch.event()
    path = f"/api/events/{event.id}"
    listed = (await people.client.get(f"{path}/assignees", headers=people.mate)).json()["people"]
    assert {(one["user_id"], one["name"]) for one in listed} == {
        (str(OWNER), "owner@example.com"),
        (str(MATE), "mate@example.com"),
    }
    given = await people.client.patch(f"{path}/assign", headers=people.owner, json={"user_id": str(MATE)})
    assert given.json()["assignee"] == {"user_id": str(MATE), "name": "mate@example.com"}
    refused = await people.client.patch(f"{path}/assign", headers=people.owner, json={"user_id": str(STRANGER)})
    assert refused.status_code == 400
    stale = await people.client.patch(f"{path}/assign", headers=people.owner, json={"user_id": None, "version": 1})
    assert stale.status_code == 409
    for who, count in (("me", 1), (str(OWNER), 0), ("anyone", 1), ("nobody", 0)):
        answer = await people.client.get(f"/api/events?assigned_to={who}", headers=people.mate)
        assert len(answer.json()["events"]) == count, who
    assert (await people.client.get("/api/events?assigned_to=x", headers=people.mate)).status_code == 400
    nobody = await people.client.patch(f"{path}/assign", headers=people.mate, json={"user_id": None})
    assert nobody.json()["assignee"] is None
    assert (await history(people.client, event.id, headers=people.owner))[1:] == [
        ("assigned", "owner@example.com"),
        ("unassigned", "mate@example.com"),
    ]


@pytest.mark.req(606)
async def test_comments_are_listed_and_changed_by_their_authors_only(people):
    event = await people.watch.event()
    path = f"/api/events/{event.id}/comments"
    said = await people.client.post(path, headers=people.mate, json={"text": " =1+1 who is this? "})
    assert (said.status_code, said.json()["text"]) == (201, "=1+1 who is this?")
    one = f"{path}/{said.json()['comment_id']}"
    assert (await people.client.patch(one, headers=people.owner, json={"text": "x"})).status_code == 403
    assert (await people.client.delete(one, headers=people.owner)).status_code == 403
    edited = await people.client.patch(one, headers=people.mate, json={"text": "my aunt"})
    assert edited.json()["edited_at"] is not None
    (listed,) = (await people.client.get(path, headers=people.owner)).json()["comments"]
    assert (listed["text"], listed["author"]["name"], listed["is_own"]) == ("my aunt", "mate@example.com", False)
    (event_answer,) = (await people.client.get("/api/events", headers=people.owner)).json()["events"]
    assert event_answer["comment_count"] == 1
    assert (await people.client.delete(one, headers=people.mate)).status_code == 204
    assert (await people.client.delete(one, headers=people.mate)).status_code == 404
    assert (await people.client.post(path, headers=people.mate, json={"text": "  "})).status_code == 400
    actions = [action for action, _ in await history(people.client, event.id, headers=people.mate)]
    assert actions == ["created", "commented", "comment_edited", "comment_deleted"]
    assert (await kinds(people.watch))[1:] == ["event.commented"] * 3


@pytest.mark.req(607)
async def test_a_snoozed_event_is_left_out_until_then(watch, client):
    event = await watch.event()
    path = f"/api/events/{event.id}/snooze"
    assert (await client.patch(path, json={"until": "2020-01-01T00:00:00Z"})).status_code == 400
    snoozed = (await client.patch(path, json={"minutes": 30})).json()
    assert snoozed["snoozed_until"] is not None
    assert (await client.get("/api/events?snoozed=false")).json()["events"] == []
    assert len((await client.get("/api/events?snoozed=true")).json()["events"]) == 1
    await watch.run("UPDATE events SET snoozed_until = now() - interval '1 s'")
    assert len((await client.get("/api/events?snoozed=false")).json()["events"]) == 1
    await client.patch(path, json={"until": None})
    assert await history(client, event.id) == [
        ("created", None),
        ("snoozed", "owner@localhost"),
        ("unsnoozed", "owner@localhost"),
    ]


@pytest.mark.req(608)
async def test_a_stranger_finds_no_event_and_nothing_that_belongs_to_it(people):
    event = await people.watch.event()
    path = f"/api/events/{event.id}"
    said = await people.client.post(f"{path}/comments", headers=people.owner, json={"text": "secret"})
    one = f"{path}/comments/{said.json()['comment_id']}"
    eve = {"headers": people.stranger}
    answers = [
        await people.client.patch(f"{path}/reopen", **eve),
        await people.client.patch(f"{path}/assign", json={"user_id": str(STRANGER)}, **eve),
        await people.client.patch(f"{path}/snooze", json={"minutes": 5}, **eve),
        await people.client.post(f"{path}/comments", json={"text": "hi"}, **eve),
        await people.client.patch(one, json={"text": "hi"}, **eve),
        await people.client.delete(one, **eve),
        await people.client.get(f"{path}/comments", **eve),
        await people.client.get(f"{path}/history", **eve),
        await people.client.get(f"{path}/assignees", **eve),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert "secret" not in (await people.client.get("/api/events/export?format=json", **eve)).text
    async with people.watch.database.as_caller({"sub": str(STRANGER), "team_ids": []}) as tx:
        for table in ("event_history", "event_comments"):
            assert await tx.fetch(f"SELECT FROM {table}") == []


@pytest.mark.req(609)
async def test_acknowledged_resolved_and_reopened_at_once_each_happens_once_and_in_order(watch):
    event = await watch.event()
    lifecycle = watch.security.lifecycle

    async def all_of_it(name: str) -> None:
        actor = Actor(UUID(int=ord(name)), name)
        for move in (
            lambda: lifecycle.acknowledge(event.id, by=name, actor=actor),
            lambda: lifecycle.resolve(event.id, by=name, actor=actor, notes=name),
            lambda: lifecycle.reopen(event.id, actor=actor),
        ):
            with suppress(Conflict):
                await move()

    await asyncio.gather(*(all_of_it(name) for name in "abcdef"))
    rows = await watch.rows("SELECT action FROM event_history ORDER BY at")
    actions = [row["action"] for row in rows if row["action"] in ("acknowledged", "resolved", "reopened")]
    assert actions.count("acknowledged") == 1
    moves = actions[1:]
    assert moves == (["resolved", "reopened"] * len(moves))[: len(moves)]
    (now,) = await watch.events()
    assert now.version == 1 + len(actions)
    feed = [
        row["type"].removeprefix("event.")
        for row in await watch.rows("SELECT type FROM live_messages ORDER BY sequence")
    ]
    assert [kind for kind in feed if kind in ("acknowledged", "resolved", "reopened")] == actions


@pytest.mark.req(610)
async def test_events_are_filtered_by_object_zone_and_behaviour(watch, client):
    box = (0.2, 0.2, 0.1, 0.1)
    await watch.run(
        "INSERT INTO camera_zones (camera_key, name, kind, polygon) SELECT camera_key, 'Porch', 'entry', $1 FROM cameras",
        [[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]],
    )
    porch = await watch.event(
        new_detection(box=box, attributes={"behaviours": [{"kind": "loitering", "zone": "Porch"}]})
    )
    dog = await watch.event(new_detection("dog", box=(0.7, 0.7, 0.1, 0.1)))
    for query, found in (
        ("object=person", [porch.id]),
        ("object=Dog", [dog.id]),
        ("object=dog&object=person", [dog.id, porch.id]),
        ("object=cat", []),
        ("zone=Porch", [porch.id]),
        ("zone=Yard", []),
        ("behaviour=loitering", [porch.id]),
        ("behaviour=line_crossed", []),
    ):
        answer = (await client.get(f"/api/events?{query}")).json()["events"]
        assert [event["id"] for event in answer] == found, query
    (shown,) = (await client.get("/api/events?zone=Porch")).json()["events"]
    assert (shown["objects"], shown["zones"], shown["behaviours"]) == (["person"], ["Porch"], ["loitering"])
    assert "loitered in Porch" in shown["summary"]


@pytest.mark.req(610)
async def test_an_event_found_in_a_video_names_the_moment(watch, client):
    video = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
    event = await watch.event(new_detection(attributes={"video_id": video, "t_ms": 12_400}))
    shown = (await client.get(f"/api/events/{event.id}")).json()
    assert shown["video"] == {"video_id": video, "t_ms": 12_400}


@pytest.mark.req(611)
async def test_operators_see_and_search_the_whole_archive_and_nobody_changes_it(people):
    event = await people.watch.event(new_detection("bear"))
    path = f"/api/events/{event.id}"
    await people.client.post(f"{path}/comments", headers=people.owner, json={"text": "a bear!"})
    assert (await people.client.get(path, headers=people.operator)).status_code == 404  # live: not theirs
    await people.watch.run("UPDATE events SET created_at = now() - interval '31 days'")
    await people.watch.security.cleaner.clean()
    archived = "/api/events?state=archived"
    for who, count in ((people.operator, 1), (people.owner, 1), (people.stranger, 0)):
        assert len((await people.client.get(f"{archived}&q=bear", headers=who)).json()["events"]) == count
    assert (await people.client.get(f"{archived}&q=wolf", headers=people.operator)).json()["events"] == []
    assert (await people.client.get(path, headers=people.operator)).json()["state"] == "archived"
    assert len((await people.client.get(f"{path}/comments", headers=people.operator)).json()["comments"]) == 1
    assert (await people.client.get(path, headers=people.stranger)).status_code == 404
    refused = await people.client.post(f"{path}/comments", headers=people.owner, json={"text": "late"})
    assert (refused.status_code, refused.json()["error"]["details"]["state"]) == (409, "archived")
    await people.watch.run("UPDATE events_archive SET archived_at = now() - interval '336 days'")
    await people.watch.security.cleaner.clean()
    for table in ("event_history", "event_comments"):
        assert await people.watch.rows(f"SELECT FROM {table}") == []


@pytest.mark.req(609)
async def test_further_sightings_and_a_person_change_an_event_at_once_and_neither_is_lost(watch):
    def sighting(n: int):
        did = {"track_id": "t", "behaviours": ["loitering"] if n else []}
        return new_detection(detected_at=NOON + timedelta(seconds=n), attributes=did, source_id=str(n))

    async with watch.working():
        (taken,) = await watch.receive(sighting(0))
        event = await watch.event_of(taken.batch_id)
        handling, actor = watch.security.handling, Actor(LOCAL_OWNER_ID, "ana")
        await asyncio.gather(
            watch.security.lifecycle.acknowledge(event.id, by="ana", actor=actor),
            handling.assign(event.id, LOCAL_OWNER_ID, actor=actor),
            handling.comment(event.id, "hm", author=actor),
            *(watch.receive(sighting(n)) for n in range(1, 5)),
        )

        async def is_revised() -> bool:
            (now,) = await watch.events()
            return list(now.behaviours) == ["loitering"] and now.ended_at == NOON + timedelta(seconds=4)

        await until(is_revised)
    (now,) = await watch.events()
    assert (now.acknowledged_by, now.assignee, now.state) == ("ana", "ana", "acknowledged")


@pytest.mark.req(693)
async def test_several_events_are_acknowledged_at_once_each_decided_by_itself(people):
    watch, client = people.watch, people.client
    first, second, resolved = await watch.event(), await watch.event(), await watch.event()
    await client.patch(f"/api/events/{resolved.id}/acknowledge", headers=people.owner)
    await client.patch(f"/api/events/{resolved.id}/resolve", headers=people.owner)
    body = {"ids": [first.id, second.id, resolved.id, 999, first.id]}
    answer = await client.post("/api/events/acknowledge", json=body, headers=people.mate)
    assert answer.status_code == 200, answer.text
    results = answer.json()["results"]
    assert [(one["event_id"], one["is_done"], one["state"], one["code"]) for one in results] == [
        (first.id, True, "acknowledged", None),
        (second.id, True, "acknowledged", None),
        (resolved.id, False, "resolved", "CONFLICT"),
        (999, False, None, "EVENT_NOT_FOUND"),
    ]
    assert await history(client, first.id, headers=people.owner) == [
        ("created", None),
        ("acknowledged", "mate@example.com"),
    ]
    repeated = await client.post("/api/events/acknowledge", json={"ids": [first.id]}, headers=people.owner)
    assert repeated.json()["results"][0]["is_done"] is True
    foreign = await client.post("/api/events/acknowledge", json={"ids": [second.id]}, headers=people.stranger)
    assert foreign.json()["results"][0]["code"] == "EVENT_NOT_FOUND"
    async with watch.platform.database.transaction() as tx:
        entries = await find_entries(tx, limit=100, action="event.acknowledged")
    by_mate = [(one.event.target, one.event.outcome) for one in entries if one.event.actor_id == MATE]
    assert set(by_mate) == {
        (f"event {first.id}", "done"),
        (f"event {second.id}", "done"),
        (f"event {resolved.id}", "failed"),
        ("event 999", "failed"),
    }
    assert len(by_mate) == 4
    refused: list[dict[str, Any]] = [{"ids": []}, {"ids": [0]}, {"ids": list(range(1, 202))}, {}]
    for wrong in refused:
        assert (await client.post("/api/events/acknowledge", json=wrong, headers=people.owner)).status_code == 400


@pytest.mark.req(658)
async def test_a_snooze_ends_within_thirty_days_however_it_is_said(watch, client):
    event = await watch.event(new_detection())
    path = f"/api/events/{event.id}/snooze"
    for days, status in ((29, 200), (31, 400)):
        until = iso_utc(utc_now() + timedelta(days=days))
        answer = await client.patch(path, json={"until": until})
        assert answer.status_code == status, answer.text
    assert "30 days" in answer.json()["error"]["message"]
    assert (await client.patch(path, json={"minutes": 31 * 24 * 60})).status_code == 400
