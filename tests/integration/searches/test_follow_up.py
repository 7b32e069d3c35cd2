"""What follows when a video was indexed: suggested words, and alerts of saved searches, once each."""

import asyncio
from uuid import UUID, uuid4

import pytest

from sightline.contracts import Caller
from sightline.searches import (
    SearchFollowUp,
    add_saved,
    change_saved,
    list_saved,
    suggest,
)
from sightline.videos import remove_video
from support.screen_text import OWNER, index, insert_video, one_after_another, read_and_index

MATE, TEAM = UUID(int=5), UUID(int=77)


@pytest.fixture
def follow_up(platform) -> SearchFollowUp:
    opened = platform.open_messages
    return SearchFollowUp(
        platform.database, opened.event_notifications, opened.store, platform.live, page_url="https://example.com"
    )


@pytest.fixture
def database(platform):
    return platform.database


@pytest.fixture
def moves(platform):
    return platform.videos


@pytest.fixture
def save(database):
    async def add(q, *, owner=OWNER, has_alerts=True, name="Invoices", quota=100):
        async with database.transaction() as tx:
            return await add_saved(tx, owner, owner_email=None, name=name, q=q, has_alerts=has_alerts, quota=quota)

    return add


@pytest.fixture
def alerts(database):
    async def found():
        async with database.transaction() as tx:
            return await tx.fetch("SELECT search_id, video_id, owner_id, hits FROM saved_search_alerts")

    return found


@pytest.fixture
def messages(database):
    """Notifications and live messages of saved searches."""

    async def found():
        async with database.transaction() as tx:
            sent = await tx.fetch("SELECT notification FROM messages WHERE payload->>'event_kind' = 'saved_search'")
            live = await tx.fetch("SELECT data, owner_id FROM live_messages WHERE type = 'search.alert'")
        return [row["notification"] for row in sent], live

    return found


async def _suggested(database, q, *, caller=OWNER, teams=()):
    async with database.as_caller(Caller(caller, team_ids=teams).claims()) as tx:
        return [(one.kind, one.text, one.q) for one in await suggest(tx, q)]


@pytest.mark.req(752)
async def test_words_names_tags_and_operators_are_suggested(database, video_with, follow_up):
    await video_with(
        "Invoice total, invoices", "INVITATION 2026", name="Inventory.mp4", tags=("Inverness", "two words")
    )
    await video_with("invoice", owner=uuid4(), name="Invisible.mp4", tags=("Invicta",))
    assert await follow_up.follow_up() == 2
    found = await _suggested(database, "total inv")
    assert found == [
        ("word", "invoice", "total invoice "),
        ("word", "invoices", "total invoices "),
        ("word", "invitation", "total invitation "),
        ("video", "Inventory.mp4", 'total in:"Inventory.mp4" '),
        ("tag", "Inverness", "total tag:Inverness "),
    ]
    assert await _suggested(database, "-invoi") == [
        ("word", "invoice", "-invoice "),
        ("word", "invoices", "-invoices "),
    ]
    assert await _suggested(database, "said:tot") == [("word", "total", "said:total ")]
    assert await _suggested(database, "tag:tw") == [("tag", "two words", 'tag:"two words" ')]
    assert await _suggested(database, "tag:") == [
        ("tag", "Inverness", "tag:Inverness "),
        ("tag", "two words", 'tag:"two words" '),
    ]
    assert await _suggested(database, "x kind:sp") == [("kind", "speech", "x kind:speech ")]
    assert ("operator", "before:", "before:") in await _suggested(database, "bef")
    for q in ("", " ", "2026-", "inv ", "before:20", "'", "\\", "%", "in:"):
        assert [one for one in await _suggested(database, q) if one[0] == "word"] == [], q


@pytest.mark.req(752)
async def test_suggestions_follow_the_video_and_are_the_callers_own(database, moves, video_with, follow_up):
    video = await video_with("Invoice total", team=TEAM)
    await video_with("invoices", owner=MATE)
    await follow_up.follow_up()
    assert await _suggested(database, "invoi", caller=uuid4()) == []
    shared = [text for _, text, _ in await _suggested(database, "invoi", caller=MATE, teams=(TEAM,))]
    assert shared == ["invoice", "invoices"]
    await read_and_index(database, moves, video, one_after_another("Receipt"))
    await follow_up.follow_up()
    assert await _suggested(database, "invoi") == []
    assert [text for _, text, _ in await _suggested(database, "rec")] == ["receipt"]
    async with database.transaction() as tx:
        await remove_video(tx, video, store_upload_id=None)
    await follow_up.follow_up()
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM search_vocabulary WHERE scope <> $1", MATE) == 0
        assert await tx.fetchval("SELECT count(*) FROM search_changes") == 0


@pytest.mark.req(753)
async def test_a_new_video_alerts_once_however_often_it_is_indexed(
    database, moves, video_with, follow_up, save, alerts, messages
):
    await video_with("old invoice")
    await follow_up.follow_up()
    search = await save("invoice -draft")
    video = await video_with("invoice one", "invoice two", "invoice draft", name="new.mp4")
    assert await asyncio.gather(follow_up.follow_up(), follow_up.follow_up())
    await follow_up.follow_up()
    assert [tuple(row) for row in await alerts()] == [(search.search_id, video, OWNER, 2)]
    (sent,), (live,) = await messages()
    assert (sent["title"], sent["body"]) == ("New results: Invoices", "Results for invoice -draft in new.mp4: 2.")
    assert sent["click"] == f"https://example.com/ui/search?q=invoice+-draft&video={video}"
    assert live["owner_id"] == OWNER
    assert (live["data"]["videoId"], live["data"]["hits"]) == (str(video), 2)
    await index(database, moves, video)
    async with database.transaction() as tx:  # the same change, delivered again
        await tx.execute("INSERT INTO search_changes (video_id) VALUES ($1) ON CONFLICT DO NOTHING", video)
    await follow_up.follow_up()
    assert [len(one) for one in await messages()] == [1, 1]
    async with database.as_caller(Caller(OWNER).claims()) as tx:
        (listed,) = await list_saved(tx)
    assert [(one.video_name, one.hits) for one in listed.alerts] == [("new.mp4", 2)]


@pytest.mark.req(753)
async def test_a_run_that_dies_half_way_is_done_again(database, video_with, follow_up, save, messages, monkeypatch):
    await save("invoice")
    await video_with("invoice")
    append = follow_up._live.append

    async def die(tx, message):
        raise ConnectionError("killed")

    monkeypatch.setattr(follow_up._live, "append", die)
    await follow_up.follow_up()
    assert await messages() == ([], [])
    monkeypatch.setattr(follow_up._live, "append", append)
    assert await follow_up.follow_up() == 0  # not at once: others come first
    async with database.transaction() as tx:
        await tx.execute("UPDATE search_changes SET changed_at = now()")
    assert await follow_up.follow_up() == 1
    assert [len(one) for one in await messages()] == [1, 1]


@pytest.mark.req(753)
async def test_only_those_who_may_see_the_video_are_alerted(database, video_with, follow_up, save, alerts):
    theirs, mates = await save("invoice", owner=uuid4()), await save("invoice", owner=MATE)
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO caller_memberships (user_id, team_ids, issued_at, expires_at)"
            " VALUES ($1, ARRAY[$2::uuid], now(), now() + interval '1 day')",
            MATE,
            TEAM,
        )
    video = await video_with("invoice", team=TEAM)
    await video_with("invoice")
    await follow_up.follow_up()
    assert [(row["search_id"], row["video_id"]) for row in await alerts()] == [(mates.search_id, video)]
    assert theirs.search_id != mates.search_id


@pytest.mark.req(753)
async def test_alerts_count_from_when_they_are_switched_on(database, moves, video_with, follow_up, save, alerts):
    search = await save("invoice", has_alerts=False)
    before = await video_with("invoice before")
    await follow_up.follow_up()
    async with database.transaction() as tx:
        await change_saved(tx, search.search_id, owner_id=OWNER, owner_email=None, has_alerts=True)
    await index(database, moves, before)
    unfinished = await insert_video(database)
    after = await video_with("invoice after")
    await video_with("something else")
    await follow_up.follow_up()
    assert [row["video_id"] for row in await alerts()] == [after]
    assert unfinished != after
    async with database.transaction() as tx:
        await change_saved(tx, search.search_id, owner_id=OWNER, owner_email=None, has_alerts=False)
    await video_with("invoice later")
    await follow_up.follow_up()
    assert len(await alerts()) == 1


@pytest.mark.req(753)
async def test_what_is_said_later_alerts_if_nothing_was_found_before(video_with, follow_up, save, alerts):
    search = await save("said:invoice")
    video = await video_with("invoice on a slide", said=("the invoice",))
    await follow_up.follow_up()
    assert [tuple(row) for row in await alerts()] == [(search.search_id, video, OWNER, 1)]
