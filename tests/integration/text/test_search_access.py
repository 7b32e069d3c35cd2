"""Who finds what: search obeys the rule of row level security, finds nothing unfinished, and keeps its index to itself."""

from uuid import uuid4

import asyncpg
import pytest

from sightline.text import EntityType, SearchFilter, SearchRequest, replace_readings, search_segments
from support.screen_text import OWNER, one_after_another
from support.waiting import until


@pytest.mark.req(136)
async def test_users_find_their_own_and_their_teams_videos(video_with, look_for):
    team, stranger, mate = uuid4(), uuid4(), uuid4()
    await video_with("invoice mine")
    await video_with("invoice ours", owner=mate, team=team)
    await video_with("invoice theirs", owner=stranger)
    assert {hit.text for hit in (await look_for("invoice", teams=(team,))).hits} == {"invoice mine", "invoice ours"}
    assert (await look_for("invoice", teams=(team,))).total == 2
    assert (await look_for("invoice")).total == 1
    assert (await look_for("invoice", caller=uuid4())).total == 0
    assert [hit.text for hit in (await look_for("invoice", caller=stranger)).hits] == ["invoice theirs"]
    assert [
        hit.text for hit in (await look_for("invoice", teams=(team,), filters=SearchFilter(team_id=team))).hits
    ] == ["invoice ours"]
    assert (await look_for("invoice", filters=SearchFilter(team_id=team))).total == 0


@pytest.mark.req(136)
async def test_a_query_cannot_widen_what_the_caller_may_see(database, video_with, look_for):
    stranger = uuid4()
    await video_with("invoice theirs", owner=stranger)
    for q in (f"invoice | o{stranger}", "!invoice", "' | 'winvoice", f"*o{stranger}*"):
        assert (await look_for(q)).total == 0
    async with database.as_caller({"sub": str(OWNER)}) as tx:
        total = await tx.fetchval(
            "SELECT total FROM sightline.search_as_caller(NULL, $1::text::tsquery, '{}', '{}', '{}', '{}', "
            "NULL, NULL, NULL, NULL, NULL, 0, 9)",
            f"'o{stranger}' | !'x'",
        )
    assert total == 0


@pytest.mark.req(136)
async def test_a_caller_without_identity_finds_nothing(database, video_with):
    await video_with("invoice")
    async with database.as_caller({}) as tx:
        assert (await search_segments(tx, SearchRequest("invoice"))).total == 0


@pytest.mark.req(136, 137)
async def test_users_reach_the_index_only_through_search(database):
    for statement in (
        "SELECT * FROM search_rows",
        "DELETE FROM search_rows",
        "INSERT INTO search_rows SELECT * FROM search_rows",
        "SELECT sightline.search(NULL, NULL, NULL, 'x', '{}', '{}', '{}', '{}', NULL, NULL, NULL, NULL, NULL, 0, 9)",
        "SELECT refresh_search_materialized()",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.as_caller({"sub": str(OWNER)}) as tx:
                await tx.execute(statement)


@pytest.mark.req(135)
@pytest.mark.parametrize("status", ["PRINTING", "FAILED"])
async def test_videos_that_are_not_completed_are_not_found(database, new_video, look_for, status):
    video_id = await new_video(status=status)
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, one_after_another("invoice"), from_ms=0, until_ms=None)
    assert (await look_for("invoice")).total == 0
    async with database.as_caller({"sub": str(OWNER)}) as tx:
        assert await tx.fetch("SELECT * FROM search_materialized") == []


async def test_the_platform_searches_all_videos(database, video_with):
    await video_with("invoice one")
    await video_with("invoice two", owner=uuid4())
    async with database.transaction() as tx:
        found = await search_segments(tx, SearchRequest("invoice"), is_everywhere=True)
    assert found.total == len(found.hits) == 2


@pytest.mark.req(119, 132)
async def test_entities_filter_a_search_or_are_the_whole_search(video_with, texts_for):
    await video_with("ask @Ada", "ask @Bob", "#AI now", "12 kg of #rice", "https://ex.com/a", "🎉", "ada, bob and ai")
    for filters, expected in (
        (SearchFilter(entity_type=EntityType.MENTION), ["ask @Ada", "ask @Bob"]),
        (SearchFilter(entity_type=EntityType.MENTION, entity_value="ada"), ["ask @Ada"]),
        (SearchFilter(entity_value="@ADA"), ["ask @Ada"]),
        (SearchFilter(entity_type=EntityType.HASHTAG, entity_value="#ai"), ["#AI now"]),
        (SearchFilter(entity_type=EntityType.NUMBER, entity_value="12"), ["12 kg of #rice"]),
        (SearchFilter(entity_type=EntityType.NUMBER, entity_value="12kg"), ["12 kg of #rice"]),
        (SearchFilter(entity_type=EntityType.URL, entity_value="https://Ex.com/A/"), ["https://ex.com/a"]),
        (SearchFilter(entity_value="🎉"), ["🎉"]),
        (SearchFilter(entity_value="nobody"), []),
    ):
        assert sorted(await texts_for(filters=filters)) == expected, filters


async def test_the_longest_link_is_found_by_itself(video_with, look_for):
    link = "https://example.com/" + "a" * 500
    await video_with(link)
    filters = SearchFilter(entity_type=EntityType.URL, entity_value=link)
    assert (await look_for(filters=filters)).total == 1


@pytest.mark.req(119)
async def test_entities_combine_with_words(video_with, texts_for):
    await video_with("ask @Ada", "thank @Ada")
    assert await texts_for("thank", filters=SearchFilter(entity_value="@ada")) == ["thank @Ada"]


async def test_the_views_and_functions_of_the_document_exist(database, video_with):
    video_id = await video_with("Ask @Ada", name="talk.mp4")
    async with database.transaction() as tx:
        await tx.execute("SELECT refresh_search_materialized()")
    async with database.as_caller({"sub": str(OWNER)}) as tx:
        (row,) = await tx.fetch("SELECT * FROM search_materialized")
    assert (row["video_id"], row["video_name"], row["text"]) == (video_id, "talk.mp4", "Ask @Ada")
    assert row["entities"] == ["mention:@ada"]


@pytest.mark.req(136)
async def test_the_owner_of_most_rows_is_searched_in_another_way_with_the_same_result(
    fresh_database, video_with, look_for
):
    stranger, team = uuid4(), uuid4()
    for _ in range(3):
        await video_with("invoice mine")
    await video_with("invoice ours", owner=stranger, team=team)
    await video_with("invoice theirs", owner=stranger)

    async def found(**caller):
        hits = await look_for("invoice", **caller)
        assert hits.total == len(hits.hits)
        return sorted(hit.text for hit in hits.hits)

    async def everybodys():
        return [await found(), await found(teams=(team,)), await found(caller=stranger), await found(caller=uuid4())]

    by_key = await everybodys()
    admin = await asyncpg.connect(fresh_database.admin_url)
    assert not await admin.fetchval("SELECT sightline.owns_most_search_rows($1)", OWNER)
    await admin.execute("ANALYZE search_rows")
    assert await admin.fetchval("SELECT sightline.owns_most_search_rows($1)", OWNER)
    await admin.close()
    assert await everybodys() == by_key
    assert by_key[0] == ["invoice mine"] * 3
    assert by_key[1] == ["invoice mine"] * 3 + ["invoice ours"]
    assert by_key[2] == ["invoice ours", "invoice theirs"]
    assert by_key[3] == []


@pytest.mark.req(122)
async def test_a_search_reads_the_index_and_never_the_whole_table(database, fresh_database, video_with):
    await video_with("invoice one", "lnvoice two", "Total: 9.30")
    admin = await asyncpg.connect(fresh_database.admin_url)

    async def scans():
        return await admin.fetchrow(
            "SELECT (SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'search_rows') AS whole,"
            " (SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'search_rows_keys') AS by_index"
        )

    before = await scans()
    asked = ("invoice", '"invoice one"', "inv*", "*voic*", "9:30", "invoice total")
    for q in asked:
        async with database.as_caller({"sub": str(OWNER)}) as tx:
            await search_segments(tx, SearchRequest(q))
            await tx.execute("SELECT pg_stat_force_next_flush()")

    async def are_counted():
        return (await scans())["by_index"] >= before["by_index"] + len(asked)

    await until(are_counted)
    assert (await scans())["whole"] == before["whole"]
    await admin.close()
