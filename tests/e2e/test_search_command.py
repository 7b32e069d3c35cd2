"""`sightline search` on a database with a video in it."""

import json
from functools import partial
from uuid import uuid4

import pytest

from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import Listener
from sightline.text import read_segments
from sightline.text.meaning import MeaningSettings, meaning_status, open_embedder, passages_of
from sightline.text.meaning.vectors_store import store_passages
from sightline.videos import VideoMoves
from support import installed
from support.platform_process import ask
from support.screen_text import insert_video, one_after_another, read_and_index


@pytest.fixture
def command(clean_environment, fresh_database):
    (clean_environment / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    return partial(ask, "search", COLUMNS="120")


@pytest.mark.req(132, 133)
async def test_words_are_found_in_the_terminal(command, database, fresh_database):
    bus = PostgresBus(database, Listener(fresh_database.url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    video_id = await insert_video(database, owner=uuid4(), name="talk.mp4")
    moves = VideoMoves(bus, page_url="http://localhost")
    await read_and_index(database, moves, video_id, one_after_another("Agenda", "Invoice total: $1,299.99"))

    code, out, err = await command("lnvoice", "total")
    assert code == 0, err
    assert [line.split() for line in out.splitlines()] == [
        ["video", "time", "text"],
        ["talk.mp4", "0:01.0–0:02.0", "Invoice", "total:", "$1,299.99"],
        ["1", "result"],
    ]

    code, out, err = await command("--entity", "number", "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert answer["total"] == 1
    assert answer["hits"][0]["video_id"] == str(video_id)

    assert await command("nowhere", "--exact") == (0, "No results\n", "")
    code, out, err = await command("--entity", "place")
    assert (code, out) == (1, "")
    assert "unknown entity type 'place'" in err


@pytest.mark.req(736, 742)
async def test_passages_similar_in_meaning_follow_with_a_label(command, database, fresh_database):
    installed.wait_for(installed.MEANING)
    bus = PostgresBus(database, Listener(fresh_database.url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    video_id = await insert_video(database, owner=uuid4(), name="talk.mp4")
    moves = VideoMoves(bus, page_url="http://localhost")
    await read_and_index(database, moves, video_id, one_after_another("Agenda", "The bill must be paid in thirty days"))
    async with database.transaction() as tx:
        passages = passages_of(await read_segments(tx, video_id))
        status = meaning_status(MeaningSettings())
        assert status.folder is not None
        async with open_embedder(MeaningSettings(), status.folder, may_be_unconfined=False) as embedder:
            vectors = await embedder.embed([one.text for one in passages])
        await store_passages(tx, video_id, status.model_key, passages, vectors)
    code, out, err = await command("--meaning", "deadline", "for", "the", "invoice", SIGHTLINE_MEANING_EMBED="auto")
    assert code == 0, err
    assert "Similar in meaning: The bill must be paid in thirty days" in out
    code, out, err = await command("--meaning", "bill", SIGHTLINE_MEANING_EMBED="auto", SIGHTLINE_MEANING_MODEL="large")
    assert (code, "The bill must be paid" in out) == (0, True)
    assert "SIGHTLINE_MEANING_MODEL is 'large'" in err
