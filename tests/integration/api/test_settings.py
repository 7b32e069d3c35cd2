"""Settings that operators change while the platform runs: stored, checked, in force at once, audited."""

from uuid import UUID

import pytest
from pydantic import SecretStr

from sightline.api import create_app
from sightline.notifications import NotificationsSettings
from sightline.queue_consumers import message_processor
from sightline.retention import RetentionSettings
from support.mailing import mail_server
from support.ntfy_server import ntfy_server
from support.services import running
from support.waiting import until

SETTINGS = "/api/settings"
DAYS = "SIGHTLINE_RETENTION_RECORDINGS_DAYS"
ANA, BOSS = UUID(int=51), UUID(int=52)


async def settings_of(client, **more):
    return {one["name"]: one for one in (await client.get(SETTINGS, **more)).json()["settings"]}


async def change(client, **values):
    return await client.put(SETTINGS, json={"values": values})


@pytest.mark.req(925, 926)
async def test_a_change_is_durable_and_in_force_at_once_and_can_be_taken_back(client, platform, platform_with):
    before = (await settings_of(client))[DAYS]
    assert (before["value"], before["source"], before["is_set"]) == (14, "default", True)
    assert (await change(client, **{DAYS: 30})).status_code == 200
    after = (await settings_of(client))[DAYS]
    assert (after["value"], after["source"], after["changed_by"]) == (30, "stored", "owner@localhost")
    assert platform.settings.retention.recordings_days == 30
    assert platform.recording_limits._days == 30
    started_later = await platform_with()
    assert started_later.settings.retention.recordings_days == 30
    assert (await change(client, **{DAYS: None})).status_code == 200
    assert (await settings_of(client))[DAYS]["source"] == "default"
    assert platform.settings.retention.recordings_days == 14


@pytest.mark.req(925)
async def test_other_processes_follow_by_themselves(client, platform_with):
    other = await platform_with()
    async with running(other.settings_watch.service()):
        await change(client, **{DAYS: 21})

        async def follows() -> bool:
            return other.settings.retention.recordings_days == 21

        await until(follows)


@pytest.mark.req(926)
async def test_what_the_environment_sets_is_shown_and_cannot_be_changed(client_with):
    client = await client_with(retention=RetentionSettings(recordings_days=3))
    pinned = (await settings_of(client))[DAYS]
    assert (pinned["value"], pinned["source"]) == (3, "environment")
    refused = await change(client, **{DAYS: 30})
    assert (refused.status_code, refused.json()["error"]["details"]) == (409, {"pinned": [DAYS]})


@pytest.mark.req(927)
async def test_a_wrong_value_changes_nothing_and_says_where_it_is(client):
    refused = await change(client, **{DAYS: -1, "SIGHTLINE_RETENTION_VIDEOS_DAYS": 90})
    assert refused.status_code == 400
    assert refused.json()["error"]["details"]["errors"][0]["field"] == DAYS
    assert (await settings_of(client))["SIGHTLINE_RETENTION_VIDEOS_DAYS"]["source"] == "default"
    unknown = await change(client, SIGHTLINE_DATABASE_URL="postgresql://elsewhere")
    assert (unknown.status_code, "in the environment" in unknown.text) == (404, True)
    together = await change(client, SIGHTLINE_NOTIFICATIONS_CHANNEL="smtp")
    assert (together.status_code, "FROM_ADDRESS" in together.text) == (400, True)


@pytest.mark.req(928)
async def test_secrets_are_sealed_and_never_returned(client, platform):
    token = "tk_do_not_show"
    answer = await change(client, SIGHTLINE_PUSH_NTFY_TOKEN=token)
    assert token not in answer.text
    shown = (await settings_of(client))["SIGHTLINE_PUSH_NTFY_TOKEN"]
    assert (shown["value"], shown["is_set"], shown["kind"]) == (None, True, "secret")
    assert platform.settings.push.ntfy_token == SecretStr(token)
    async with platform.database.transaction() as tx:
        [row] = await tx.fetch("SELECT value, sealed FROM stored_settings")
    assert row["value"] is None
    assert token.encode() not in row["sealed"]


@pytest.mark.req(928)
async def test_only_operators_see_and_change_settings_and_each_change_is_audited(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    ana, boss = signed_in(ANA), signed_in(BOSS, sightline_role="operator", email="boss@example.com")
    assert (await client.get(SETTINGS, headers=ana)).status_code == 403
    body = {"values": {DAYS: 30}}
    assert (await client.put(SETTINGS, json=body, headers=ana)).status_code == 403
    assert (await client.put(SETTINGS, json=body, headers=boss)).status_code == 200
    entries = (await client.get("/api/audit", headers=boss)).json()["entries"]
    done = [(one["action"], one["target"], one["outcome"]) for one in entries if one["action"] == "settings.changed"]
    assert ("settings.changed", f"settings {DAYS}", "done") in done
    people = (await client.get("/api/people", headers=boss)).json()
    assert {one["user_id"]: one["is_operator"] for one in people["people"]} == {str(ANA): False, str(BOSS): True}
    assert (people["role_claim"], people["operator_role"]) == ("sightline_role", "operator")
    assert (await client.get("/api/people", headers=ana)).status_code == 403


@pytest.mark.req(920, 925)
async def test_a_mail_server_that_is_set_in_the_page_sends_without_a_restart(client, platform):
    """The worker was started without one, and is built anew."""
    body = {"channel": "email"}
    async with mail_server() as mails, running(platform.settings_watch.service(), message_processor(platform)):

        async def outcome(message_id: str):
            found = (await client.get(f"/api/messages/{message_id}")).json()
            return (found["status"], found["is_kept"]) if found["status"] in ("completed", "failed") else None

        async def sent_by(is_kept: bool) -> bool:
            made = (await client.post("/api/notification-preferences/test", json=body)).json()["message_id"]
            await until(lambda: outcome(made))
            return await outcome(made) == ("completed", is_kept)

        assert await sent_by(is_kept=True)
        answer = await change(
            client,
            SIGHTLINE_NOTIFICATIONS_CHANNEL="smtp",
            SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS="Sightline <page@example.com>",
            SIGHTLINE_NOTIFICATIONS_SMTP_HOST="127.0.0.1",
            SIGHTLINE_NOTIFICATIONS_SMTP_PORT=mails.port,
            SIGHTLINE_NOTIFICATIONS_SMTP_TLS="none",
        )
        assert answer.status_code == 200, answer.text
        channels = (await client.get("/api/notification-preferences")).json()["channels"]
        assert next(one for one in channels if one["channel"] == "email").get("cannot") is None
        await until(lambda: sent_by(is_kept=False))
    assert mails.received
    assert mails.received[0]["from"] == "Sightline <page@example.com>"


@pytest.mark.req(920)
async def test_a_test_of_a_channel_that_refuses_says_why(client_for, platform_with):
    async with ntfy_server(token="tk_1") as server:
        platform = await platform_with()
        client = client_for(create_app(platform))
        topic = {"SIGHTLINE_PUSH_NTFY_SERVER": server.url, "SIGHTLINE_PUSH_NTFY_TOPIC": "all"}
        assert (await change(client, **topic)).status_code == 200
        async with running(message_processor(platform)):
            made = (await client.post("/api/notification-preferences/test", json={"channel": "ntfy"})).json()
            path = f"/api/messages/{made['message_id']}"

            async def has_failed() -> bool:
                return (await client.get(path)).json()["status"] == "failed"

            await until(has_failed)
        assert "forbidden" in (await client.get(path)).json()["error_message"]


def test_the_sink_is_no_mail_server():
    assert not NotificationsSettings().has_mail_server
