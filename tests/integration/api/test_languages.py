"""Languages over HTTP: everybody sees them, operators add and remove those that have a known name."""

from uuid import UUID

import pytest

from sightline.supervisor import ServiceStatus
from sightline.text import LanguageAdditions, LanguageStore, TextSettings
from sightline.timing import utc_now
from support.asking import is_error
from support.language_registry import language_registry
from support.waiting import until

ANN = UUID(int=21)


@pytest.fixture
async def reading_here(platform):
    """The platform as `sightline up` runs it, with a worker that reads text, and a registry on this machine."""
    async with language_registry() as registry:
        platform.languages = LanguageAdditions(LanguageStore(platform.languages.store.directory, registry.url))
        platform.statuses = lambda: [ServiceStatus("worker:ocr", "running", utc_now())]
        yield registry
        await platform.languages.close()


async def listed(client):
    answer = await client.get("/api/languages")
    assert answer.status_code == 200
    return answer.json()


@pytest.mark.req(441, 445)
async def test_a_language_is_added_by_name_listed_and_removed(client, reading_here):
    before = await listed(client)
    assert before["cannot_change"] is None
    assert {"eng", "deu"} <= {one["code"] for one in before["installed"]}
    assert {"code": "por", "name": "Portuguese", "download_bytes": 8124452, "size_bytes": 2422444} in before[
        "available"
    ]
    answer = await client.post("/api/languages", json={"language": "Portuguese"})
    assert (answer.status_code, answer.json()["code"]) == (202, "por")

    async def is_installed():
        found = await listed(client)
        return "por" in {one["code"] for one in found["installed"]} and not found["additions"]

    await until(is_installed)
    after = await listed(client)
    assert after["additions"] == []
    assert [one["source"] for one in after["installed"] if one["code"] == "por"] == ["added"]
    assert (await client.delete("/api/languages/por")).status_code == 204
    assert not await is_installed()
    assert is_error(await client.delete("/api/languages/por"), 404, "UNKNOWN_LANGUAGE")


@pytest.mark.req(443, 445)
async def test_only_known_names_are_added(client, reading_here):
    for name in ("../../etc/passwd", "portugese", "http://localhost/x"):
        assert is_error(await client.post("/api/languages", json={"language": name}), 404, "UNKNOWN_LANGUAGE")
    assert reading_here.ranges == []


@pytest.mark.req(445)
async def test_a_failed_addition_says_why(client, reading_here):
    reading_here.cut_after = 1000
    await client.post("/api/languages", json={"language": "por"})

    async def has_failed():
        return any(one["error"] for one in (await listed(client))["additions"])

    await until(has_failed)
    (addition,) = (await listed(client))["additions"]
    assert "cannot be downloaded" in addition["error"]


@pytest.mark.req(445)
async def test_an_api_without_workers_says_where_languages_are_added(client):
    assert (await listed(client))["cannot_change"] == "workers_elsewhere"
    assert is_error(await client.post("/api/languages", json={"language": "por"}), 409, "CONFLICT")


async def test_a_language_of_the_settings_that_is_not_installed_is_shown(client_with):
    client = await client_with(text=TextSettings(engine="tesseract", languages=("eng", "por")))
    assert (await listed(client))["missing"] == ["por"]


@pytest.mark.req(445)
async def test_others_than_operators_only_look(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    ann = signed_in(ANN)
    answer = await client.get("/api/languages", headers=ann)
    assert answer.json()["cannot_change"] == "not_operator"
    assert is_error(await client.post("/api/languages", json={"language": "por"}, headers=ann), 403, "FORBIDDEN")
    assert is_error(await client.delete("/api/languages/por", headers=ann), 403, "FORBIDDEN")
    assert is_error(await client.get("/api/languages"), 401, "UNAUTHORIZED")
