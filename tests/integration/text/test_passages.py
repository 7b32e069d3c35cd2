"""Phrases across lines: found in a block, weaker across a screen, highlighted in each line, and only for those who may see them."""

from datetime import UTC, datetime
from uuid import uuid4

import asyncpg
import pytest

from sightline.text import (
    Box,
    SearchFilter,
    SearchRequest,
    SegmentFilter,
    SegmentIndexJob,
    TextSettings,
    list_segments,
    search_segments,
)
from support.screen_text import OWNER, index, reading


def page(*lines: str, x: int = 100, y: int = 100, t_start: int = 0, t_end: int = 4000, pitch: int = 40):
    """Lines below each other at the same time."""
    return [
        reading(text, t_start, t_end, box=Box(x, y + at * pitch, 16 * len(text), 30)) for at, text in enumerate(lines)
    ]


def marks(hit):
    return [[line.text[start:end] for start, end in line.spans] for line in hit.lines]


@pytest.mark.req(723)
async def test_a_phrase_is_found_across_the_lines_of_a_block_and_marked_in_each(video_with, look_for):
    await video_with(readings=page("Tonight at nine: Doctor", "Who and the Daleks"))
    for q in ('"doctor who"', "doctor who", "who doctor", '"nine doctor who and"'):
        found = await look_for(q)
        assert found.total == 1, q
        (hit,) = found.hits
        assert (hit.text, hit.scope, hit.found_as) == ("Tonight at nine: Doctor", "block", "exact"), q
    assert marks((await look_for('"doctor who"')).hits[0]) == [["Doctor"], ["Who"]]
    assert (await look_for('"who doctor"')).total == 0


@pytest.mark.req(723)
async def test_a_word_or_name_that_is_broken_between_two_lines_is_found(video_with, look_for):
    await video_with(readings=page("this is an exam-", "ple of a well-", "known man"))
    (hit,) = (await look_for("example")).hits
    assert (hit.text, marks(hit)) == ("this is an exam-", [["exam"], ["ple"]])
    for q in ("well known", '"well known"', '"an example of"', "wellknown"):
        assert (await look_for(q)).total == 1, q


@pytest.mark.req(723)
async def test_text_without_spaces_is_found_across_lines(video_with, look_for):
    await video_with(readings=page("新幹線で京", "都へ行きます"))
    (hit,) = (await look_for("京都")).hits
    assert (hit.scope, marks(hit)) == ("block", [["京"], ["都"]])


@pytest.mark.req(723)
async def test_a_line_that_matches_alone_is_not_found_again_as_part_of_its_block(video_with, look_for):
    await video_with(readings=page("Doctor Who", "and Doctor", "Who again"))
    found = await look_for("doctor who", is_fuzzy=True)
    assert [(hit.text, hit.scope) for hit in found.hits] == [("Doctor Who", "line")]
    assert found.total == 1


@pytest.mark.req(726)
async def test_words_on_screen_together_are_found_after_those_of_a_block_and_once_per_scene(video_with, look_for):
    far_apart = [*page("Doctor", x=100, y=100), *page("Who", x=1400, y=800)]
    subtitles = [
        one for at in range(4) for one in page(f"line {at}", x=700, y=500, t_start=at * 1000, t_end=at * 1000 + 1000)
    ]
    await video_with(readings=[*far_apart, *subtitles], name="apart")
    await video_with(readings=page("the Doctor", "Who is it"), name="block")
    await video_with("Doctor Who", name="line")
    found = await look_for("doctor who")
    assert [(hit.row.video_name, hit.scope) for hit in found.hits] == [
        ("line", "line"),
        ("block", "block"),
        ("apart", "moment"),
    ]
    assert found.total == 3
    assert [line.text for line in found.hits[2].lines] == ["Doctor", "Who"]


@pytest.mark.req(726)
async def test_what_is_not_on_screen_at_the_same_time_is_not_found_together(video_with, look_for):
    await video_with(readings=[*page("Doctor", t_end=4000), *page("Who", x=900, t_start=4000, t_end=8000)])
    assert (await look_for("doctor who")).total == 0


@pytest.mark.req(723)
async def test_pages_go_on_from_lines_to_blocks_to_moments(video_with, look_for):
    for number in range(3):
        await video_with(f"Doctor Who {number}")
        await video_with(readings=page(f"{number} the Doctor", "Who is it"))
        await video_with(readings=[*page(f"{number} Doctor"), *page("Who", x=1400, y=800)])
    seen = []
    for number in range(1, 6):
        found = await look_for("doctor who", page=number, page_size=2)
        assert found.total == 9
        seen += [(hit.row.id, hit.scope) for hit in found.hits]
    assert [scope for _, scope in seen] == ["line"] * 3 + ["block"] * 3 + ["moment"] * 3
    assert len(set(seen)) == 9


@pytest.mark.req(723)
async def test_filters_hold_for_matches_across_lines(video_with, look_for):
    one = await video_with(readings=page("Doctor", "Who"))
    await video_with(readings=page("Doctor", "Who", t_start=5000, t_end=9000))
    for filters, total in (
        (SearchFilter(video_id=one), 1),
        (SearchFilter(language="eng"), 2),
        (SearchFilter(language="deu"), 0),
        (SearchFilter(from_ms=5000), 1),
        (SearchFilter(until_ms=5000), 1),
        (SearchFilter(entity_value="#ai"), 0),
        (SearchFilter(created_from=datetime(2100, 1, 1, tzinfo=UTC)), 0),
    ):
        assert (await look_for('"doctor who"', filters=filters)).total == total, filters


@pytest.mark.req(731)
async def test_users_find_passages_of_their_own_and_their_teams_videos_alone(video_with, look_for):
    team, mate = uuid4(), uuid4()
    await video_with(readings=page("Doctor", "Who"))
    await video_with(readings=page("Doctor", "Who"), owner=mate, team=team)
    await video_with(readings=page("Doctor", "Who"), owner=uuid4())
    assert (await look_for("doctor who")).total == 1
    assert (await look_for("doctor who", teams=(team,))).total == 2
    assert (await look_for("doctor who", teams=(team,), filters=SearchFilter(team_id=team))).total == 1
    assert (await look_for("doctor who", caller=uuid4())).total == 0


@pytest.mark.req(731)
async def test_users_reach_passages_only_through_search(database, video_with):
    await video_with(readings=page("Doctor", "Who"))
    for statement in (
        "SELECT * FROM search_passages",
        "SELECT sightline.search_passages(NULL, NULL, 'block', 'x', '{}', '{}', '{}', '{}', NULL, NULL, NULL, NULL, NULL, 0, 9)",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.as_caller({"sub": str(OWNER)}) as tx:
                await tx.execute(statement)
    async with database.as_caller({}) as tx:
        assert (await search_segments(tx, SearchRequest("doctor who"))).total == 0
    async with database.as_caller({"sub": str(uuid4())}) as tx:
        wanted = "'wdoctor' | !'x'"
        total = await tx.fetchval(
            "SELECT total FROM sightline.search_passages_as_caller('block', $1::text::tsquery, '{}', '{}', '{x}', '{}', "
            "NULL, NULL, NULL, NULL, NULL, 0, 9)",
            wanted,
        )
    assert total == 0


@pytest.mark.req(723)
async def test_indexing_again_doubles_no_passage_and_removing_a_video_removes_them(
    database, moves, video_with, look_for
):
    video_id = await video_with(readings=page("Doctor", "Who"))
    await index(database, moves, video_id)
    assert (await look_for("doctor who")).total == 1
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM search_passages") == 1
        await tx.execute("DELETE FROM videos WHERE id = $1", video_id)
        assert await tx.fetchval("SELECT count(*) FROM search_passages") == 0


@pytest.mark.req(725)
async def test_blocks_are_stored_with_segments_and_list_them_in_reading_order(database, video_with):
    left = page("left one with words", "left two with words")
    right = page("right one with words", "right two with words", x=900, t_start=200)
    video_id = await video_with(readings=[*right, *left])
    async with database.as_caller({"sub": str(OWNER)}) as tx:
        found, total = await list_segments(tx, video_id, SegmentFilter(), offset=0, limit=10)
    assert [one.text.split()[:2] for one in found] == [
        ["left", "one"],
        ["left", "two"],
        ["right", "one"],
        ["right", "two"],
    ]
    assert [(one.place.block, one.place.line, one.place.kind) for one in found if one.place] == [
        (0, 0, "paragraph"),
        (0, 1, "paragraph"),
        (1, 0, "paragraph"),
        (1, 1, "paragraph"),
    ]
    assert total == 4


@pytest.mark.req(732)
async def test_segments_of_another_program_get_blocks_when_they_are_indexed(database, moves, new_video, look_for):
    video_id = await new_video()
    async with database.transaction() as tx:
        for at, text in enumerate(("Doctor", "Who")):
            await tx.execute(
                """INSERT INTO segments (video_id, owner_id, text, normalized_text, text_hash, t_start, t_end, confidence,
                                         bounding_box)
                   VALUES ($1, $2, $3, lower($3), $3, 0, 4000, 0.9, $4)""",
                video_id,
                OWNER,
                text,
                {"x": 100.4, "y": 100 + 40 * at, "width": 90, "height": 30},
            )
        await SegmentIndexJob(moves, TextSettings()).adopt(tx, video_id)
    assert [(hit.text, hit.scope) for hit in (await look_for('"doctor who"')).hits] == [("Doctor", "block")]


NUMBERS = {
    "1249.50": "Invoice total: $1,249.50",
    "3871.20": "Betrag 3.871,20 €",
    "+493055570192": "Call +49 30 5557 0192",
    "+49 30 5557 0192": "Call +49 30 5557 0192",
    "29.5": "29.5% more",
    "29.5%": "29.5% more",
    "2400000": "Revenue of $2.4 million",
}


@pytest.mark.req(730)
async def test_numbers_are_found_by_value_and_marked(video_with, look_for):
    await video_with(*dict.fromkeys(NUMBERS.values()), "1249 and 50", "129.5", "2,400 people")
    for q, text in NUMBERS.items():
        found = await look_for(q, is_fuzzy=False)
        assert [hit.text for hit in found.hits] == [text], q
        assert q == "2400000" or found.hits[0].spans, q


@pytest.mark.req(730)
async def test_a_number_with_another_unit_comes_after_the_one_that_was_asked_for(video_with, look_for):
    await video_with("99.90 €", "$99.90")
    found = await look_for("$99.90")
    assert [(hit.text, hit.found_as) for hit in found.hits] == [("$99.90", "exact"), ("99.90 €", "slip")]
