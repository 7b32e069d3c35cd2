"""Search by words and meaning together, with the real model."""

from uuid import uuid4

import pytest

from sightline.text import Box, EntityType, SearchFilter
from support.screen_text import reading

BILLS = "The customer must pay the bill within thirty days"
WEATHER = "Heavy rain and thunderstorms are expected on Sunday"
RECIPE = "Bake the bread for forty minutes until it is golden"
PASSWORD = "Choose Forgot credentials to get a new sign-in code"


def texts(found):
    return [hit.text for hit in found.hits]


@pytest.mark.req(736)
async def test_a_paraphrase_finds_what_shares_no_word_with_it(client, embedded):
    await embedded(BILLS, WEATHER, RECIPE, PASSWORD)
    answer = (await client.get("/search", params={"q": "will it be stormy at the weekend"})).json()
    (hit, *_) = answer["hits"]
    assert hit["text"] == WEATHER
    assert (hit["matched"], hit["match"]) == ("meaning", "meaning")
    assert 0.25 <= hit["similarity"] <= 1
    assert answer["meaning_used"] is True
    assert answer["total"] == answer["meaning_total"] == len(answer["hits"])
    words = (await client.get("/search", params={"q": "will it be stormy at the weekend", "meaning": "off"})).json()
    assert (words["total"], words["meaning_used"], words["meaning_total"]) == (0, False, 0)
    wrong = await client.get("/search", params={"q": "rain", "meaning": "maybe"})
    assert wrong.status_code == 422


@pytest.mark.req(737)
async def test_exact_hits_stay_first_and_none_is_lost(embedded, look_for):
    await embedded(WEATHER, "rain", "The umbrella protects you from a downpour", "Rain coats are sold here", BILLS)
    words = await look_for("rain", mode="off")
    both = await look_for("rain")
    assert texts(both)[: words.total] == texts(words)
    assert [hit.found_as for hit in both.hits[: words.total]] == ["exact"] * words.total
    later = both.hits[words.total :]
    assert "The umbrella protects you from a downpour" in [hit.text for hit in later]
    assert {hit.found_as for hit in later} == {"meaning"}
    assert both.total == words.total + both.by_meaning == len(both.hits)
    assert len({hit.row.id for hit in both.hits}) == both.total
    pages = [await look_for("rain", page=page, page_size=2) for page in (1, 2, 3)]
    assert [text for page in pages for text in texts(page)] == texts(both)
    assert {page.total for page in pages} == {both.total}


@pytest.mark.req(737)
async def test_grouped_results_have_what_is_similar_apart_and_nothing_that_is_on_another_page(client, embedded):
    await embedded("Rain coats are sold here")
    await embedded(WEATHER)
    await embedded("The umbrella protects you from a downpour")
    params = {"q": "rain", "group": "video", "facets": "true", "page_size": 1}
    answer = (await client.get("/search", params=params)).json()
    assert (answer["total"], answer["total_videos"], len(answer["groups"])) == (2, 2, 1)
    similar = [hit["text"] for hit in answer["similar"]]
    assert "The umbrella protects you from a downpour" in similar
    assert not {WEATHER, "Rain coats are sold here"} & set(similar)
    assert answer["meaning_total"] == len(similar)
    second = (await client.get("/search", params=params | {"page": 2})).json()
    assert (len(second["groups"]), second["similar"]) == (1, [])


@pytest.mark.req(737)
async def test_a_misreading_and_a_passage_by_meaning_follow_the_exact_hits_in_one_order(embedded, look_for):
    await embedded("invoice", "lnvoice", "The bill was sent to the customer", WEATHER)
    found = await look_for("invoice")
    assert [hit.found_as for hit in found.hits][:2] == ["exact", "slip"]
    assert ("The bill was sent to the customer", "meaning") in [(hit.text, hit.found_as) for hit in found.hits]


@pytest.mark.req(737)
async def test_quotes_and_substrings_ask_for_these_letters_alone(embedded, look_for):
    await embedded(WEATHER, "The umbrella protects you from a downpour")
    for q in ('"heavy rain"', "rain*", "*ainy*"):
        assert (await look_for(q)).is_meaning_used is False
    assert (await look_for("heavy rain", match="substring")).is_meaning_used is False


@pytest.mark.req(736)
async def test_only_meaning_leaves_words_out_and_says_when_it_cannot(client, embedded):
    await embedded(WEATHER, BILLS)
    found = (await client.get("/search", params={"q": "rain", "meaning": "only"})).json()
    assert {hit["matched"] for hit in found["hits"]} == {"meaning"}
    assert found["hits"][0]["text"] == WEATHER
    empty = await client.get("/search", params={"q": "12:30", "meaning": "only"})
    assert (empty.status_code, "needs words" in empty.json()["error"]["message"]) == (422, True)


@pytest.mark.req(738)
async def test_callers_find_by_meaning_what_they_may_see_and_nothing_else(embedded, look_for):
    team, stranger, mate = uuid4(), uuid4(), uuid4()
    await embedded("Snow will fall in the mountains")
    await embedded("A storm is coming from the sea", owner=mate, team=team)
    await embedded("Fog in the valleys tomorrow morning", owner=stranger)
    q = "weather forecast"
    assert set(texts(await look_for(q, mode="only", teams=(team,)))) == {
        "Snow will fall in the mountains",
        "A storm is coming from the sea",
    }
    assert texts(await look_for(q, mode="only")) == ["Snow will fall in the mountains"]
    assert texts(await look_for(q, mode="only", caller=stranger)) == ["Fog in the valleys tomorrow morning"]
    assert texts(await look_for(q, mode="only", caller=uuid4())) == []
    ours = SearchFilter(team_id=team)
    assert texts(await look_for(q, mode="only", teams=(team,), filters=ours)) == ["A storm is coming from the sea"]


@pytest.mark.req(738)
async def test_filters_of_words_are_filters_of_meaning(embedded, look_for):
    first = await embedded("Heavy rain on Sunday for $12.50", "It will be sunny and warm on Monday")
    second = await embedded("Snow is expected in the mountains")
    q = "weather forecast"

    async def found(**filters):
        return set(texts(await look_for(q, mode="only", filters=SearchFilter(**filters))))

    assert await found(video_id=second) == {"Snow is expected in the mountains"}
    assert await found(video_id=first, until_ms=2500) == {"Heavy rain on Sunday for $12.50"}
    assert await found(video_id=first, from_ms=2500) == {"It will be sunny and warm on Monday"}
    assert await found(entity_type=EntityType.NUMBER) == {"Heavy rain on Sunday for $12.50"}
    assert await found(entity_value="$12.50") == {"Heavy rain on Sunday for $12.50"}
    assert await found(language="deu") == set()


@pytest.mark.req(736)
async def test_lines_that_are_read_as_one_are_one_hit(embedded, look_for):
    lines = ["Reset your", "account access from", "the help page"]
    await embedded(
        readings=[
            reading(text, 0, 4000, box=Box(100, 100 + n * 40, 300, 30), confidence=0.9 - n / 10)
            for n, text in enumerate(lines)
        ]
    )
    (hit,) = (await look_for("I forgot my password", mode="only")).hits
    assert hit.text == "\n".join(lines)
    assert hit.row.box == Box(100, 100, 300, 110)
    assert (hit.row.t_start, hit.row.t_end) == (0, 4000)
    assert hit.row.confidence == pytest.approx(0.7)


@pytest.mark.req(739)
async def test_more_like_this_finds_what_is_similar_to_a_text(client, embedded):
    await embedded(WEATHER, BILLS)
    await embedded("Expect showers and lightning at the weekend", WEATHER, RECIPE)
    (exact, *_) = (await client.get("/search", params={"q": "thunderstorms", "meaning": "off"})).json()["hits"]
    answer = (await client.get("/search/similar", params={"segment_id": exact["segment_id"]})).json()
    assert answer["hits"][0]["text"] == "Expect showers and lightning at the weekend"
    assert WEATHER not in [hit["text"] for hit in answer["hits"]]  # shown again is not similar, but the same
    assert answer["total"] == answer["meaning_total"] == len(answer["hits"])
    unknown = await client.get("/search/similar", params={"segment_id": str(uuid4())})
    assert unknown.status_code == 404
    assert (await client.get("/search/similar", params={"segment_id": "x"})).status_code == 422


@pytest.mark.req(738, 739)
async def test_more_like_this_of_another_tenants_text_is_not_found(use, client, embedded):
    theirs = await embedded(WEATHER, owner=uuid4())
    await embedded("Expect showers and lightning at the weekend")
    (row,) = await use.sql("SELECT id FROM segments WHERE video_id = $1", theirs)
    answer = await client.get("/search/similar", params={"segment_id": str(row["id"])})
    assert answer.status_code == 404
    async with use.platform.database.as_caller({"sub": str(uuid4())}) as tx:
        model = use.platform.meaning.status().model_key
        assert (
            await tx.fetchval("SELECT sightline.vector_of_segment_as_caller($1, $2, $3)", row["id"], theirs, model)
            is None
        )


@pytest.mark.req(739)
async def test_a_text_without_a_vector_is_compared_by_its_words_and_a_number_by_nothing(use, client, embedded, shown):
    await embedded("Expect showers and lightning at the weekend")
    video_id = await shown(WEATHER, "12:30")
    rows = await use.sql("SELECT id, text FROM segments WHERE video_id = $1", video_id)
    ids = {row["text"]: str(row["id"]) for row in rows}
    similar = (await client.get("/search/similar", params={"segment_id": ids[WEATHER]})).json()
    assert similar["hits"][0]["text"] == "Expect showers and lightning at the weekend"
    assert (await client.get("/search/similar", params={"segment_id": ids["12:30"]})).json()["total"] == 0
