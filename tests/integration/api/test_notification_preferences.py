"""Which events tell whom, as people set it."""

from uuid import UUID

import pytest

CHOICE = {
    "events": {"video_failed": ["ntfy", "webhook"], "video_completed": []},
    "ntfy_topic": "ana-1",
    "webhook_url": "https://hooks.example.com/x",
    "quiet_hours": {"start": "22:00", "end": "07:00", "zone": "America/Sao_Paulo"},
}


async def test_without_a_choice_the_rules_hold(client):
    answer = (await client.get("/api/notification-preferences")).json()
    rules = {rule["event"]: rule for rule in answer["rules"]}
    assert rules["security_critical"]["channels"] == ["ntfy", "email", "web_push"]
    assert (rules["video_failed"]["is_default"], rules["video_failed"]["has_mail"]) == (True, True)


async def test_a_choice_is_kept_and_is_nobody_elses(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    ana, ben = signed_in(UUID(int=101)), signed_in(UUID(int=102))
    put = await client.put("/api/notification-preferences", json=CHOICE, headers=ana)
    assert put.status_code == 200, put.text
    answer = (await client.get("/api/notification-preferences", headers=ana)).json()
    assert answer == put.json()
    assert answer["preferences"]["quiet_hours"]["zone"] == "America/Sao_Paulo"
    rules = {rule["event"]: rule["channels"] for rule in answer["rules"]}
    assert (rules["video_failed"], rules["video_completed"]) == (["ntfy", "webhook"], [])
    assert "ntfy_topic" not in (await client.get("/api/notification-preferences", headers=ben)).json()["preferences"]


@pytest.mark.parametrize(
    "choice",
    [
        {"events": {"sunrise": ["ntfy"]}},
        {"events": {"video_failed": ["email"]}},
        {"events": {"video_failed": ["ntfy", "ntfy"]}},
        {"ntfy_topic": "a/b"},
        {"webhook_url": "ftp://x"},
        {"email": "nobody"},
        {"quiet_hours": {"start": "22:00", "end": "07:00", "zone": "Mars/Base"}},
        {"quiet_hours": {"start": "22:00", "end": "22:00"}},
    ],
)
async def test_what_cannot_be_is_refused(client, choice):
    answer = await client.put("/api/notification-preferences", json=choice)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "VALIDATION_ERROR")
