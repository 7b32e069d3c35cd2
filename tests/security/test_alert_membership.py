"""Alert rules see what their owner may see when they fire, and pause when the owner leaves the team."""

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api import create_app
from sightline.api.auth.membership_store import RECORD_EVERY_S, Memberships
from sightline.bus import NOTICE_QUEUE
from sightline.config import AuthSettings
from sightline.contracts import Caller
from support.hand_clock import HandClock
from support.security_rig import MIDNIGHT, Watch, new_detection

MEMBER, HEAD, TEAM = UUID(int=7), UUID(int=8), UUID(int=77)
NOW = int(time.time())


class Site:
    """A team's camera that belongs to its head, and a member whose rule watches it."""

    def __init__(self, watch: Watch, client: httpx.AsyncClient, header: Any) -> None:
        self.watch = watch
        self.client = client
        self._header = header

    def member(self, *teams: UUID, iat: int = NOW) -> dict[str, str]:
        """The header of a token that names these teams."""
        header: dict[str, str] = self._header(MEMBER, team_ids=[str(team) for team in teams], iat=iat)
        return header

    async def sign_in(self, *teams: UUID, iat: int = NOW) -> None:
        found = await self.client.get("/api/me", headers=self.member(*teams, iat=iat))
        assert found.status_code == 200, found.text

    async def rule(self) -> dict[str, Any]:
        made = await self.client.post(
            "/api/alert-rules", json={"name": "Team", "team_id": str(TEAM)}, headers=self.member(TEAM)
        )
        assert made.status_code == 201, made.text
        found: dict[str, Any] = made.json()
        return found

    async def paused(self) -> str | None:
        """As the member reads it, without a sign-in that would change it."""
        rows = await self.watch.rows("SELECT team_ids, issued_at FROM caller_memberships WHERE user_id = $1", MEMBER)
        teams, issued_at = rows[0]
        old = self.member(*teams, iat=int(issued_at.timestamp()) - 1)  # older than what is known, so it changes nothing
        (rule,) = (await self.client.get("/api/alert-rules", headers=old)).json()["rules"]
        assert (await self.client.get(f"/api/alert-rules/{rule['rule_id']}", headers=old)).json() == rule
        found: str | None = rule["paused"]
        return found

    async def alerts_after_event(self, camera_id: str = "front_door") -> int:
        """How many alerts one more event raises for the member."""
        before = await self._alerts()
        await self.watch.event(new_detection("knife", detected_at=MIDNIGHT, camera_id=camera_id))
        await self.watch.run("UPDATE alerts SET created_at = created_at - interval '1 hour'")  # past the cooldown
        return await self._alerts() - before

    async def notified(self) -> list[str]:
        """Whom the notifications since the last call are for."""
        found = await self.watch.platform.bus.receive(NOTICE_QUEUE, limit=10, wait_s=0)
        await self.watch.platform.bus.acknowledge(None, found)
        return sorted(json.loads(one.body)["detail"]["userId"] for one in found)

    async def _alerts(self) -> int:
        return len(await self.watch.rows("SELECT FROM alerts WHERE owner_id = $1", MEMBER))


@pytest.fixture
async def site(platform_with, client_for, auth_on: AuthSettings, signed_in) -> Site:
    platform = await platform_with(auth=auth_on)
    await platform.bus.create()
    watch = Watch(platform)
    await watch.camera(owner_id=HEAD, team_id=TEAM)
    return Site(watch, client_for(create_app(platform)), signed_in)


@pytest.mark.req(352)
async def test_a_rule_of_a_member_watches_the_teams_cameras(site: Site):
    assert (await site.rule())["paused"] is None
    assert await site.paused() is None
    assert await site.alerts_after_event() == 1
    assert str(MEMBER) in await site.notified()


@pytest.mark.req(352)
async def test_a_rule_pauses_when_its_owner_leaves_the_team_and_resumes_on_return(site: Site):
    await site.rule()
    await site.sign_in(iat=NOW + 1)
    assert await site.paused() == "no longer a member"
    await site.notified()
    assert await site.alerts_after_event() == 0
    assert str(MEMBER) not in await site.notified()
    await site.sign_in(TEAM, iat=NOW + 2)
    assert await site.paused() is None
    assert await site.alerts_after_event() == 1


@pytest.mark.req(352)
async def test_a_rule_pauses_when_its_owner_does_not_come_back(site: Site):
    await site.rule()
    await site.watch.run("UPDATE caller_memberships SET expires_at = now() - interval '1 s'")
    assert await site.paused() == "no longer a member"
    assert await site.alerts_after_event() == 0


@pytest.mark.req(352)
async def test_a_token_from_before_the_departure_brings_no_rule_back(site: Site):
    await site.rule()
    await site.sign_in(iat=NOW + 10)
    await site.sign_in(TEAM, iat=NOW + 5)  # still valid, and used on another machine
    assert await site.paused() == "no longer a member"
    assert await site.alerts_after_event() == 0


@pytest.mark.req(352)
async def test_a_paused_rule_still_watches_its_owners_own_cameras(site: Site):
    await site.rule()
    await site.watch.camera("own_door", owner_id=MEMBER)
    await site.sign_in(iat=NOW + 1)
    assert await site.alerts_after_event("own_door") == 1
    assert await site.alerts_after_event() == 0


@pytest.mark.req(352)
async def test_an_alert_does_not_escalate_to_someone_who_has_left(site: Site):
    await site.rule()
    assert await site.alerts_after_event() == 1
    await site.watch.run("UPDATE alerts SET escalate_at = now()")
    await site.sign_in(iat=NOW + 1)
    await site.notified()
    assert (await site.watch.security.alert_watch.look())[1] == 0
    assert await site.notified() == []
    await site.sign_in(TEAM, iat=NOW + 2)
    assert (await site.watch.security.alert_watch.look())[1] == 1


async def test_a_paused_rule_can_be_turned_off_and_cannot_move_to_another_team(site: Site):
    made = await site.rule()
    left = site.member(iat=NOW + 1)
    path, body = f"/api/alert-rules/{made['rule_id']}", {"name": "Team", "team_id": str(TEAM)}
    changed = await site.client.put(path, json=body | {"is_enabled": False}, headers=left)
    assert (changed.status_code, changed.json()["is_enabled"], changed.json()["paused"]) == (
        200,
        False,
        "no longer a member",
    )
    elsewhere = await site.client.put(path, json=body | {"team_id": str(UUID(int=78))}, headers=left)
    assert elsewhere.status_code == 403


async def test_teams_are_written_when_they_change_and_otherwise_once_an_hour(database):
    clock = HandClock()
    memberships = Memberships(database, days=7, clock=clock)
    member, issued_at = Caller(MEMBER, team_ids=(TEAM,)), datetime.now(UTC)

    async def seen_at() -> datetime:
        async with database.transaction() as tx:
            return await tx.fetchval("SELECT seen_at FROM caller_memberships WHERE user_id = $1", MEMBER)

    await memberships.record(member, issued_at=issued_at)
    first = await seen_at()
    await memberships.record(member, issued_at=issued_at + timedelta(seconds=1))
    assert await seen_at() == first
    clock.now += RECORD_EVERY_S + 1
    await memberships.record(member, issued_at=issued_at + timedelta(seconds=2))
    assert (again := await seen_at()) > first
    await memberships.record(Caller(MEMBER), issued_at=issued_at + timedelta(seconds=3))
    assert await seen_at() > again
