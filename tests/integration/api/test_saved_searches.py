"""Saved searches over HTTP: each person's own, within a quota."""

from uuid import UUID, uuid4

import pytest

from sightline.searches import SearchesSettings
from support.asking import is_error

ANN, BEN = UUID(int=11), UUID(int=12)


@pytest.fixture
async def closed(client_with, auth_on):
    return await client_with(auth=auth_on, searches=SearchesSettings(max_saved=2))


@pytest.mark.req(754)
async def test_a_person_saves_changes_lists_and_deletes(closed, signed_in):
    ann = signed_in(ANN, email="ann@example.com")
    made = await closed.post("/api/saved-searches", headers=ann, json={"name": " Bills ", "q": "invoice -draft"})
    assert made.status_code == 201, made.text
    saved = made.json()
    assert (saved["name"], saved["q"], saved["has_alerts"], saved["alerts"]) == ("Bills", "invoice -draft", False, [])
    path = f"/api/saved-searches/{saved['search_id']}"
    changed = await closed.patch(path, headers=ann, json={"has_alerts": True})
    assert (changed.json()["has_alerts"], changed.json()["q"]) == (True, "invoice -draft")
    await closed.patch(path, headers=ann, json={"name": "Invoices", "q": "invoice"})
    listed = (await closed.get("/api/saved-searches", headers=ann)).json()
    assert [(one["name"], one["q"], one["has_alerts"]) for one in listed["searches"]] == [("Invoices", "invoice", True)]
    assert listed["limit"] == 2
    assert (await closed.get(path, headers=ann)).json()["name"] == "Invoices"
    assert (await closed.delete(path, headers=ann)).status_code == 204
    assert is_error(await closed.delete(path, headers=ann), 404, "SAVED_SEARCH_NOT_FOUND")


@pytest.mark.req(754)
async def test_saved_searches_are_the_owners_alone(closed, signed_in):
    team = [str(uuid4())]
    made = await closed.post(
        "/api/saved-searches", headers=signed_in(ANN, team_ids=team), json={"name": "a", "q": "invoice"}
    )
    path, ben = f"/api/saved-searches/{made.json()['search_id']}", signed_in(BEN, team_ids=team)
    assert (await closed.get("/api/saved-searches", headers=ben)).json()["searches"] == []
    for answer in (
        await closed.get(path, headers=ben),
        await closed.patch(path, headers=ben, json={"name": "b"}),
        await closed.delete(path, headers=ben),
    ):
        is_error(answer, 404, "SAVED_SEARCH_NOT_FOUND")


@pytest.mark.req(754)
async def test_names_are_unique_and_the_quota_holds(closed, signed_in):
    ann = signed_in(ANN)

    async def save(name):
        return await closed.post("/api/saved-searches", headers=ann, json={"name": name, "q": "invoice"})

    first = (await save("a")).json()
    assert (await save("a")).status_code == 409
    assert (await save("b")).status_code == 201
    refused = await save("c")
    assert refused.status_code in (403, 409, 413, 429, 507), refused.text
    assert "2 saved searches" in refused.json()["error"]["message"]
    taken = await closed.patch(f"/api/saved-searches/{first['search_id']}", headers=ann, json={"name": "b"})
    assert taken.status_code == 409
    other = await closed.post("/api/saved-searches", headers=signed_in(BEN), json={"name": "a", "q": "invoice"})
    assert other.status_code == 201


@pytest.mark.req(754)
@pytest.mark.parametrize(
    "body",
    [
        {"name": "a", "q": ""},
        {"name": " ", "q": "x"},
        {"name": "a", "q": "before:never"},
        {"name": "a", "q": "-x"},
        {"name": "a", "q": "before:2026"},
        {"name": "a", "q": "x" * 501},
        {"name": "x" * 101, "q": "x"},
        {"q": "x"},
        {"name": "a", "q": "x", "owner_id": str(ANN)},
    ],
)
async def test_a_search_that_cannot_be_run_is_not_saved(closed, signed_in, body):
    answer = await closed.post("/api/saved-searches", headers=signed_in(ANN), json=body)
    assert answer.status_code == 400, answer.text
