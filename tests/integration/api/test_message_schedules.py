"""Schedules over the API."""

from uuid import UUID, uuid4

import pytest

BODY = {
    "name": "report",
    "expression": "cron(0 9 ? * MON-FRI *)",
    "zone": "America/Sao_Paulo",
    "message_type": "manual_notification",
    "payload": {"message": "Look."},
}


@pytest.mark.req(186)
async def test_a_schedule_is_created_paused_resumed_and_deleted(client):
    made = await client.post("/api/schedules", json=BODY)
    assert made.status_code == 201, made.text
    path = f"/api/schedules/{made.json()['schedule_id']}"
    assert made.json()["state"] == "active"
    assert made.json()["next_tick"].endswith("12:00:00.000Z")
    assert (await client.post("/api/schedules", json=BODY)).status_code == 409
    paused = (await client.post(f"{path}/pause")).json()
    assert (paused["state"], paused["next_tick"]) == ("paused", None)
    assert (await client.post(f"{path}/resume")).json()["state"] == "active"
    assert "report" in [one["name"] for one in (await client.get("/api/schedules")).json()["schedules"]]
    assert (await client.delete(path)).status_code == 204
    assert (await client.get(path)).json()["error"]["code"] == "SCHEDULE_NOT_FOUND"


@pytest.mark.req(186)
@pytest.mark.parametrize(
    "change",
    [{"expression": "cron(0 9 * * *)"}, {"expression": "rate(0 hours)"}, {"zone": "Mars/Base"}, {"name": "a b"}],
)
async def test_a_bad_expression_or_zone_is_refused(client, change):
    answer = await client.post("/api/schedules", json=BODY | change)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "VALIDATION_ERROR")


async def test_schedules_of_others_are_unknown(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    ana, ben = signed_in(UUID(int=101)), signed_in(UUID(int=102))
    made = (await client.post("/api/schedules", json=BODY, headers=ana)).json()
    for method, path in (("GET", ""), ("POST", "/pause"), ("POST", "/resume"), ("DELETE", "")):
        answer = await client.request(method, f"/api/schedules/{made['schedule_id']}{path}", headers=ben)
        assert answer.status_code == 404
    assert (await client.get("/api/schedules", headers=ben)).json() == {"schedules": []}
    assert (await client.get(f"/api/schedules/{uuid4()}", headers=ana)).status_code == 404
