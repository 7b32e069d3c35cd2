"""Queues and dead letters over HTTP."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from sightline.bootstrap import Platform
from sightline.bus import SPLIT_QUEUE, STORAGE_QUEUE, TECHNIQUE_QUEUE, Attribute, QueueMessage, Received
from support.asking import is_error

LETTERS = f"/api/queues/{SPLIT_QUEUE}/dead-letters"
UNKNOWN = "0f8b6c1e-2d4a-4f53-9b60-7c1d2e3f4a5b"
Bury = Callable[..., Awaitable[list[str]]]


@pytest.fixture
def bury(platform: Platform) -> Bury:
    """Sends messages and lets each die of the reason; returns their ids."""

    async def work(*bodies: str, reason: str = "it was bad", queue: str = SPLIT_QUEUE, **attributes: str) -> list[str]:
        named = {name: Attribute("String", value) for name, value in attributes.items()}
        async with platform.database.transaction() as tx:
            ids = await platform.bus.send(tx, queue, *(QueueMessage(body, named) for body in bodies))
        await bury_again(platform, queue, len(bodies), reason)
        return ids

    return work


async def bury_again(platform: Platform, queue: str, count: int, reason: str = "it was bad") -> list[Received]:
    received: list[Received] = []
    while len(received) < count:
        found = await platform.bus.receive(queue, limit=10, wait_s=1)
        assert found
        received += found
    for one in received:
        await platform.bus.bury(one, reason)
    return received


def _ids(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [letter["message_id"] for letter in answer.json()["dead_letters"]]


@pytest.mark.req(176)
async def test_queues_tell_what_waits_and_what_lies_dead(client, platform, bury):
    await bury("{}", "{}")
    async with platform.database.transaction() as tx:
        await platform.bus.send(tx, SPLIT_QUEUE, QueueMessage("a"), QueueMessage("b"), QueueMessage("c", delay_s=900))
        await tx.execute("UPDATE sightline.bus_messages SET entered_at = entered_at - interval '1 hour'")
    await platform.bus.receive(SPLIT_QUEUE, limit=1, wait_s=0)
    found = {queue["queue"]: queue for queue in (await client.get("/api/queues")).json()["queues"]}
    age = found[SPLIT_QUEUE].pop("oldest_age_s")
    assert 3600 <= age < 7200
    assert found[SPLIT_QUEUE] == {
        "queue": SPLIT_QUEUE,
        "visible": 1,
        "in_flight": 1,
        "delayed": 1,
        "dead_letter_queue": f"{SPLIT_QUEUE}-dlq",
        "dead_letters": 2,
    }
    assert found[TECHNIQUE_QUEUE]["dead_letters"] == 0
    assert found[TECHNIQUE_QUEUE]["oldest_age_s"] is None
    assert set(found) == {queue.name for queue in platform.bus.topology.queues}


async def test_dead_letters_are_listed_oldest_first_by_either_name(client, bury):
    ids = await bury("{}", "{}") + await bury("{}")
    assert _ids(await client.get(LETTERS)) == ids
    assert _ids(await client.get(f"/api/queues/{SPLIT_QUEUE}-dlq/dead-letters")) == ids
    assert _ids(await client.get(LETTERS)) == ids  # looking changes nothing


async def test_pages_continue_behind_the_last_letter(client, bury):
    ids = await bury(*["{}"] * 5)
    first = await client.get(LETTERS, params={"limit": 2})
    second = await client.get(LETTERS, params={"limit": 2, "after": first.json()["next_cursor"]})
    third = await client.get(LETTERS, params={"limit": 2, "after": second.json()["next_cursor"]})
    assert _ids(first) + _ids(second) + _ids(third) == ids
    assert third.json()["next_cursor"] is None


async def test_filters_narrow_the_list(client, bury):
    [one] = await bury('{"video": "v1"}', reason="Not JSON", event_type="clip", team="7")
    [two] = await bury('{"event_type": "cut"}', reason="too late")
    for params, meant in (
        ({"reason": "not json"}, [one]),
        ({"type": "clip"}, [one]),
        ({"type": "cut"}, [two]),
        ({"attribute": "team=7"}, [one]),
        ({"contains": '"v1"'}, [one]),
        ({"older_than_s": 3600}, []),
        ({"older_than_s": 0}, [one, two]),
        ({"source_queue": STORAGE_QUEUE}, []),
        ({"redrives_at_most": 0}, [one, two]),
    ):
        assert _ids(await client.get(LETTERS, params=params)) == meant, params


@pytest.mark.req(172)
async def test_one_letter_is_shown_whole(client, bury):
    [one] = await bury('{"video": "v1"', reason="not JSON", event_type="clip")
    answer = (await client.get(f"{LETTERS}/{one}")).json()
    times = [answer.pop(name) for name in ("sent_at", "first_received_at", "dead_since")]
    assert times == sorted(times)
    assert answer == {
        "message_id": one,
        "queue": f"{SPLIT_QUEUE}-dlq",
        "source_queue": SPLIT_QUEUE,
        "type": "clip",
        "reason": "not JSON",
        "receive_count": 1,
        "redrives": 0,
        "topic_arn": None,
        "body": '{"video": "v1"',
        "attributes": {"event_type": {"Type": "String", "Value": "clip"}},
        "context": {},
    }


@pytest.mark.req(175)
async def test_chosen_letters_return_with_a_fresh_receive_count(client, platform, bury):
    one, two, three = await bury("1", "2", "3")
    answer = await client.post(f"{LETTERS}/redrive", json={"ids": [one, three]})
    assert answer.json() == {
        "queue": SPLIT_QUEUE,
        "dry_run": False,
        "matched": 2,
        "moved": 2,
        "skipped": 0,
        "without_source": 0,
        "by_source": {SPLIT_QUEUE: 2},
        "ids": [one, three],
        "not_found": [],
        "has_more": False,
    }
    received = await platform.bus.receive(SPLIT_QUEUE, limit=10, wait_s=1)
    assert {letter.message_id: letter.receive_count for letter in received} == {one: 1, three: 1}
    assert _ids(await client.get(LETTERS)) == [two]


@pytest.mark.req(175)
async def test_all_letters_return(client, platform, bury):
    ids = await bury("1", "2", "3")
    assert (await client.post(f"{LETTERS}/redrive", json={"all": True})).json()["moved"] == 3
    assert {one.message_id for one in await platform.bus.receive(SPLIT_QUEUE, limit=10, wait_s=1)} == set(ids)


async def test_letters_return_by_filter_and_limit(client, bury):
    ids = await bury("1", "2", "3", reason="too late")
    other = await bury("4", reason="not JSON")
    body = {"filter": {"reason": "too late", "attributes": {}}, "limit": 2, "rate": 400}
    answer = (await client.post(f"{LETTERS}/redrive", json=body)).json()
    assert (answer["moved"], answer["has_more"]) == (2, True)
    assert _ids(await client.get(LETTERS)) == [ids[2], *other]


async def test_a_dry_run_moves_nothing(client, bury):
    ids = await bury("1", "2")
    for move in ("redrive", "discard"):
        answer = (await client.post(f"{LETTERS}/{move}", json={"all": True, "dry_run": True})).json()
        assert (answer["dry_run"], answer["moved"], answer["ids"]) == (True, 0, ids)
    assert _ids(await client.get(LETTERS)) == ids


async def test_a_letter_that_dies_again_and_again_is_left_unless_forced(client, platform, bury):
    [one] = await bury("1")
    for _ in range(3):
        assert (await client.post(f"{LETTERS}/redrive", json={"ids": [one]})).json()["moved"] == 1
        await bury_again(platform, SPLIT_QUEUE, 1)
    answer = (await client.post(f"{LETTERS}/redrive", json={"ids": [one]})).json()
    assert (answer["matched"], answer["moved"], answer["skipped"]) == (1, 0, 1)
    assert (await client.get(f"{LETTERS}/{one}")).json()["redrives"] == 3
    assert (await client.post(f"{LETTERS}/redrive", json={"ids": [one], "force": True})).json()["moved"] == 1


async def test_discarded_letters_are_gone_and_unknown_ids_are_told(client, bury):
    one, two = await bury("1", "2")
    answer = (await client.post(f"{LETTERS}/discard", json={"ids": [one, UNKNOWN]})).json()
    assert (answer["moved"], answer["not_found"]) == (1, [UNKNOWN])
    assert _ids(await client.get(LETTERS)) == [two]


UNCLEAR: tuple[dict[str, Any], ...] = (
    {},
    {"all": False},
    {"filter": {}},
    {"all": True, "ids": [UNKNOWN]},
    {"ids": []},
    {"ids": ["x"]},
    {"all": True, "rate": 501},
    {"all": True, "rate": 0},
    {"all": True, "limit": 0},
    {"all": True, "dryRun": True},  # unheard, it would do what was only asked about
    {"filter": {"reson": "x"}},
)


@pytest.mark.parametrize("move", ["redrive", "discard"])
async def test_what_is_not_clearly_said_moves_nothing(client, bury, move: str):
    ids = await bury("1")
    for body in UNCLEAR:
        is_error(await client.post(f"{LETTERS}/{move}", json=body), 400, "VALIDATION_ERROR")
        assert _ids(await client.get(LETTERS)) == ids, body


async def test_a_query_that_makes_no_sense_is_refused(client):
    for query in ("limit=0", "limit=501", "after=x", "older_than_s=-1", "attribute=x", "typ=x"):
        answer = await client.get(f"{LETTERS}?{query}")
        assert answer.status_code == 400, query
        is_error(answer, 400, "VALIDATION_ERROR")


@pytest.mark.req(184)
async def test_unknown_queues_and_letters_are_told_apart(client):
    for answer in (
        await client.get("/api/queues/nope/dead-letters"),
        await client.get(f"/api/queues/nope/dead-letters/{UNKNOWN}"),
        await client.post("/api/queues/nope/dead-letters/redrive", json={"all": True}),
        await client.post("/api/queues/nope/dead-letters/discard", json={"all": True}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "QUEUE_NOT_FOUND")
        assert SPLIT_QUEUE in answer.json()["error"]["message"]
    answer = await client.get(f"{LETTERS}/{UNKNOWN}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "MESSAGE_NOT_FOUND")


async def test_only_operators_see_or_move_anything(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    paths = [("GET", "/api/queues"), ("GET", LETTERS), ("GET", f"{LETTERS}/{UNKNOWN}")]
    paths += [("POST", f"{LETTERS}/redrive"), ("POST", f"{LETTERS}/discard")]
    for method, path in paths:
        body = {"all": True} if method == "POST" else None
        assert (await client.request(method, path, json=body)).status_code == 401
        assert (await client.request(method, path, json=body, headers=signed_in("ann"))).status_code == 403
        operator = signed_in("ann", sightline_role="operator")
        assert (await client.request(method, path, json=body, headers=operator)).status_code in (200, 404)


async def test_who_moved_letters_is_logged(client, bury, log_lines):
    await bury("1", "2")
    await client.post(f"{LETTERS}/redrive", json={"all": True, "limit": 1, "dry_run": True})
    await client.post(f"{LETTERS}/redrive", json={"all": True, "limit": 1})
    await client.post(f"{LETTERS}/discard", json={"all": True})
    told = [line for line in log_lines() if line["event"].startswith("dead_letters.")]
    assert [(line["event"], line["moved"], line["queue"]) for line in told] == [
        ("dead_letters.redriven", 1, SPLIT_QUEUE),
        ("dead_letters.discarded", 1, SPLIT_QUEUE),
    ]
    assert all(line["by"] and line["correlation_id"] for line in told)
