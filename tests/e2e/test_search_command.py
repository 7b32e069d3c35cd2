"""`sightline search` on a database with a video in it."""

import json
from functools import partial
from uuid import uuid4

import pytest

from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import Listener
from sightline.videos import VideoMoves
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
