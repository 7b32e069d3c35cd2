"""Alive, and ready: what an orchestrator asks."""

import shutil

import pytest

from sightline import __version__
from sightline.api import create_app, create_probe_app
from sightline.objects import ObjectsSettings
from support.live_rig import http_client
from support.waiting import until


@pytest.mark.req(183)
async def test_whether_it_lives_needs_no_known_caller_and_how_it_is_does(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    answer = await client.get("/api/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "version": __version__})
    assert (await client.get("/api/health?deep=true")).status_code == 401
    assert (await client.get("/api/health?deep=true", headers=signed_in("ann"))).status_code == 200


@pytest.mark.req(183, 307)
async def test_ready_names_database_objects_and_bus_when_all_is_well(client):
    answer = await client.get("/api/health", params={"deep": "true"})
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    parts = answer.json()["parts"]
    assert set(parts) == {"database", "objects", "messages", "bus", "vision"}
    assert {part["status"] for part in parts.values()} == {"ok"}
    assert all(part["milliseconds"] >= 0 and "error" not in part for part in parts.values())


@pytest.mark.req(183, 307)
async def test_a_lost_objects_directory_is_named_and_the_others_are_well(client, tmp_path):
    shutil.rmtree(tmp_path / "state" / "objects")
    answer = await client.get("/api/health?deep=true")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
    parts = answer.json()["parts"]
    assert {name: part["status"] for name, part in parts.items()} == {
        "database": "ok",
        "objects": "unavailable",
        "messages": "ok",
        "bus": "ok",
        "vision": "ok",
    }
    assert "cannot write" in parts["objects"]["error"]


@pytest.mark.req(307)
async def test_a_full_disk_makes_objects_sick(client_with):
    client = await client_with(objects=ObjectsSettings(minimum_free_bytes=2**62))
    answer = await client.get("/api/health?deep=true")
    assert answer.status_code == 503
    assert "bytes are free" in answer.json()["parts"]["objects"]["error"]


@pytest.mark.req(183, 307)
async def test_a_database_that_is_gone_is_named_without_its_password(client_with, database_wire, fresh_database):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    answer = await client.get("/api/health?deep=true")
    parts = answer.json()["parts"]
    assert answer.status_code == 503
    assert (parts["database"]["status"], parts["bus"]["status"], parts["objects"]["status"]) == (
        "unavailable",
        "unavailable",
        "ok",
    )
    assert fresh_database.url.split(":")[2].split("@")[0] not in answer.text


@pytest.mark.req(307)
async def test_without_its_database_it_is_alive_and_ready_again_once_that_is_back(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    assert (await client.get("/api/health")).status_code == 200
    assert (await client.get("/api/health?deep=true")).status_code == 503
    await database_wire.mend()

    async def is_ready() -> bool:
        return bool((await client.get("/api/health?deep=true")).status_code == 200)

    await until(is_ready)


async def test_a_question_that_is_neither_yes_nor_no_is_refused(client):
    for deep in ("maybe", "", "2", "%00", "tru%C3%A9"):
        answer = await client.get(f"/api/health?deep={deep}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "VALIDATION_ERROR"), deep


@pytest.mark.req(307)
async def test_a_process_that_serves_no_people_answers_health_alone(platform, client_for):
    client = client_for(create_probe_app(platform))
    paths = ["/api/health", "/api/health?deep=true", "/metrics", "/videos", "/docs"]
    assert [(await client.get(path)).status_code for path in paths] == [200, 200, 200, 404, 404]


async def test_the_services_of_the_process_are_for_operators(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    nobody: dict[str, str] = {}
    statuses = [
        (await client.get("/api/status", headers=headers)).status_code
        for headers in (nobody, signed_in("ann"), signed_in("olga", sightline_role="operator"))
    ]
    assert statuses == [401, 403, 200]


@pytest.mark.req(307)
async def test_health_is_answered_on_a_real_socket_too(platform, serving):
    async with serving(create_app(platform)) as port, http_client(port) as client:
        answer = await client.get("/api/health?deep=true")
    assert answer.status_code == 200
    assert "server" not in answer.headers
