"""The copy of searchable text in OpenSearch: complete, once, and without what was removed."""

import asyncio
import json

import pytest

from sightline.errors import BackendUnavailable
from sightline.text import OpenSearchSettings
from sightline.text.opensearch import SearchProjection
from sightline.text.opensearch.documents import bulk_bodies
from sightline.text.opensearch.projection_store import documents_of, mark_sent, unsent_videos
from support.opensearch_server import OpenSearchServer
from support.screen_text import one_after_another, read_and_index
from support.waiting import until


@pytest.fixture
async def server():
    running = OpenSearchServer()
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
def projection(database, server):
    settings = OpenSearchSettings(url=server.url, username="sightline", password="secret")
    return SearchProjection(database, settings, server.url)


async def remove(database, video_id):
    async with database.transaction() as tx:
        await tx.execute("DELETE FROM videos WHERE id = $1", video_id)


async def rows_of(database):
    async with database.transaction() as tx:
        return await tx.fetch("SELECT * FROM search_projection")


@pytest.mark.req(798)
async def test_indexed_text_is_copied_with_owner_team_and_times_and_sent_once(projection, server, video_with):
    video_id = await video_with("Invoice total", "Thank you", "Straße 漢字 \U0001f600")
    await projection.send()
    assert server.texts == ["Invoice total", "Straße 漢字 \U0001f600", "Thank you"]
    (document,) = [one for _, one in server.documents.values() if one["text"] == "Thank you"]
    assert document["video_id"] == str(video_id)
    assert document["kind"] == "text"
    assert document["t_start"] < document["t_end"]
    assert {"owner_id", "team_id", "language", "confidence", "video_created_at", "generation"} <= set(document)
    assert server.asked[0].headers["authorization"] == "Basic c2lnaHRsaW5lOnNlY3JldA=="
    asked = len(server.asked)
    await projection.send()
    assert len(server.asked) == asked


@pytest.mark.req(798)
async def test_text_that_changed_replaces_what_was_there_and_a_removed_video_is_removed(
    projection, server, database, moves, video_with
):
    first, second = await video_with("Old title", "Kept line"), await video_with("Other video")
    await projection.send()
    await read_and_index(database, moves, first, one_after_another("New title", "Kept line"))
    await projection.send()
    assert server.texts == ["Kept line", "New title", "Other video"]
    await remove(database, first)
    await projection.send()
    assert server.texts == ["Other video"]
    assert [row["video_id"] for row in await rows_of(database)] == [second]


@pytest.mark.req(799)
async def test_a_server_that_is_away_or_overloaded_gets_everything_later(projection, server, video_with):
    server.is_down = True
    await video_with("While it was away")
    with pytest.raises(BackendUnavailable):
        await projection.send()
    server.is_down = False
    busy = {"items": [{"index": {"status": 429, "error": {"reason": "rejected execution"}}}], "errors": True}
    await projection._client.ensure_index()
    projection._has_index = True
    server.answers = [(200, {}, json.dumps(busy).encode())]
    with pytest.raises(BackendUnavailable, match="overloaded"):
        await projection.send()
    assert server.texts == []
    await projection.send()
    assert server.texts == ["While it was away"]


@pytest.mark.req(799)
async def test_a_change_while_it_is_sent_is_sent_too(projection, server, database, moves, video_with):
    video_id = await video_with("First")
    server.may_answer.clear()
    sending = asyncio.create_task(projection.send())
    await until(lambda: bool(server.asked))
    await read_and_index(database, moves, video_id, one_after_another("Second"))
    server.may_answer.set()
    await sending
    await projection.send()
    assert server.texts == ["Second"]


@pytest.mark.req(799)
async def test_what_a_slow_process_sends_too_late_does_not_stay(projection, server, database, moves, video_with):
    video_id = await video_with("First")
    async with database.transaction() as tx:
        (generation,) = (await unsent_videos(tx, limit=1)).values()
        read_before = await documents_of(tx, video_id, generation, after=None, limit=10)
    await read_and_index(database, moves, video_id, one_after_another("Second"))
    await projection.send()
    for body in bulk_bodies(read_before):
        await projection._client.index(body)
    assert server.texts == ["First", "Second"]
    async with database.transaction() as tx:
        await mark_sent(tx, {video_id: generation}, {})
    await projection.send()
    assert server.texts == ["Second"]


@pytest.mark.req(799)
async def test_a_video_that_is_refused_does_not_hold_up_the_others_and_says_why(
    projection, server, database, moves, video_with
):
    server.refuses = "poison"
    bad = await video_with("poison text")
    await video_with("good text")
    await projection.send()
    assert server.texts == ["good text"]
    assert await projection.check() == "0 videos to send, 1 refused"
    (error,) = [row["error"] for row in await rows_of(database) if row["video_id"] == bad]
    assert "strict" in error
    await read_and_index(database, moves, bad, one_after_another("mended text"))
    await projection.send()
    assert server.texts == ["good text", "mended text"]
    assert await projection.check() == "0 videos to send"
