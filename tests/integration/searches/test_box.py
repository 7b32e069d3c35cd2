"""The search box on the embedded server: operators, names, orders, groups and facets."""

from uuid import uuid4

import pytest

from sightline.errors import InvalidInput
from sightline.text import SearchFilter
from support.screen_text import reading


@pytest.mark.req(748)
async def test_said_and_shown_choose_where_a_word_was(video_with, texts):
    await video_with("invoice on a slide", said=("the invoice is late", "thank you"))
    assert await texts("invoice") == ["invoice on a slide", "the invoice is late"]
    assert await texts("said:invoice") == ["the invoice is late"]
    assert await texts('said:"is late" the') == ["the invoice is late"]
    assert await texts("shown:invoice") == ["invoice on a slide"]
    assert await texts("kind:speech") == ["thank you", "the invoice is late"]
    assert await texts("invoice kind:text") == ["invoice on a slide"]
    assert await texts("invoice kind:video") == []


@pytest.mark.req(748)
async def test_words_and_phrases_are_left_out(video_with, texts):
    await video_with("invoice draft", "invoice not final", "invoice final, not draft", "invoice C++", "invoice")
    assert await texts("invoice -draft") == ["invoice", "invoice C++", "invoice not final"]
    assert await texts('invoice -"not final"') == [
        "invoice",
        "invoice C++",
        "invoice draft",
        "invoice final, not draft",
    ]
    assert await texts('invoice -draft -"not final" -C++') == ["invoice"]
    assert await texts("invoice -fin*") == ["invoice", "invoice C++", "invoice draft"]
    assert await texts("invoice -*oice*") == []
    # What is left out is left out of the misspelled ones too.
    assert await texts("lnvoice -draft") == ["invoice", "invoice C++", "invoice not final"]
    with pytest.raises(InvalidInput, match="say what to search for"):
        await texts("-draft")


@pytest.mark.req(748)
async def test_videos_are_chosen_by_name_id_tag_and_date(video_with, texts):
    first = await video_with("invoice one", name="Lecture 1.mp4", tags=("Uni",), day="2026-02-28T23:59:59Z")
    await video_with("invoice two", name="Lecture 2.mp4", tags=("uni", "exam"), day="2026-03-01T00:00:00Z")
    await video_with("invoice three", name="Film.mp4", day="2026-04-01T00:00:00Z")
    for q, expected in {
        "invoice in:lecture": ["invoice one", "invoice two"],
        'invoice in:"lecture 1"': ["invoice one"],
        f"in:{first}": ["invoice one"],
        "invoice in:film in:2": ["invoice three", "invoice two"],
        "invoice tag:UNI": ["invoice one", "invoice two"],
        "tag:uni tag:exam": ["invoice two"],
        "invoice tag:un": [],
        "invoice in:nothing": [],
        f"invoice in:{uuid4()}": [],
        "invoice before:2026-03-01": ["invoice one"],
        "invoice after:2026-03-01 before:2026-04": ["invoice two"],
        "invoice after:2026-03": ["invoice three", "invoice two"],
        "invoice tag:uni in:film": [],
    }.items():
        assert await texts(q) == expected, q
    assert await texts("invoice", tags=("exam",)) == ["invoice two"]


@pytest.mark.req(749)
async def test_videos_are_found_by_name_tag_and_description_best_first(video_with, box):
    await video_with("nothing", name="budget.mp4", day="2026-01-01T00:00:00Z")
    await video_with("nothing", name="Budget yearly.mp4", day="2026-01-02T00:00:00Z")
    await video_with("nothing", name="budgeting.mp4", day="2026-01-03T00:00:00Z")
    await video_with("nothing", name="a.mp4", tags=("Budget",), day="2026-01-04T00:00:00Z")
    await video_with("nothing", name="b.mp4", description="Where the bûdget went", day="2026-01-05T00:00:00Z")
    await video_with("nothing", name="budget theirs.mp4", owner=uuid4())
    found = await box("budget")
    assert found.total == 0
    names = ["budget.mp4", "Budget yearly.mp4", "budgeting.mp4", "b.mp4", "a.mp4"]
    assert sorted(hit.name for hit in found.named) == sorted(names)
    assert [hit.name for hit in found.named][2:] == names[2:]
    assert found.named[-2].excerpt == "Where the bûdget went"
    assert {hit.kind for hit in found.named} == {"video"}
    assert next(hit for hit in found.named if hit.name == "budgeting.mp4").spans == [(0, 9)]
    assert [hit.name for hit in (await box("budget mp4 -yearly after:2026-01-02 before:2026-01-04")).named] == [
        "budgeting.mp4"
    ]
    assert (await box("said:budget")).named == []
    assert [hit.name for hit in (await box("tag:budget")).named] == ["a.mp4"]
    assert (await box("budget", asked={"page": 2})).named == []
    assert (await box("budget", asked={"filters": SearchFilter(kind="text")})).named == []


@pytest.mark.req(749)
async def test_techniques_and_cameras_are_found_by_name(database, video_with, box):
    video = await video_with("nothing", name="roll.mp4")
    other = await video_with("nothing", owner=uuid4())
    async with database.transaction() as tx:
        for of in (video, other):
            run = await tx.fetchval(
                "INSERT INTO video_analysis_status (video_id, total_event_count) VALUES ($1, 1) RETURNING run_id", of
            )
            event = await tx.fetchval(
                "INSERT INTO technique_events (id, run_id, video_id, event_index, total_events, start_s, end_s, digest)"
                " VALUES (gen_random_uuid(), $1, $2, 1, 1, 12, 15, 0) RETURNING id",
                run,
                of,
            )
            await tx.execute(
                "INSERT INTO technique_candidates (event_id, id, position, role, skill_name, category, confidence)"
                " VALUES ($1, gen_random_uuid(), 1, 'attacker', 'Armbar from Guard', 'SUBMISSION', 0.9)",
                event,
            )
        await tx.execute(
            "INSERT INTO cameras (camera_id, name, owner_id) SELECT 'guard_house', 'Guard house', owner_id"
            " FROM videos WHERE id = ANY ($1)",
            [video, other],
        )
    found = (await box("guard")).named
    assert [(hit.kind, hit.name, hit.video_id, hit.t_start, hit.camera_id) for hit in found] == [
        ("technique", "Armbar from Guard", video, 12_000, None),
        ("camera", "Guard house", None, None, "guard_house"),
    ]
    assert found[0].spans == [(12, 17)]
    assert [hit.kind for hit in (await box("guard kind:camera")).named] == ["camera"]
    assert [hit.kind for hit in (await box("guard armb")).named] == ["technique"]


@pytest.mark.req(750)
async def test_results_are_sorted_grouped_and_counted(video_with, box):
    old = await video_with("invoice a", "invoice b", name="old.mp4", tags=("x",), day="2025-12-31T23:00:00Z")
    new = await video_with(
        *(f"invoice {number} of many" for number in range(9)),
        name="new.mp4",
        tags=("x", "y"),
        day="2026-03-05T00:00:00Z",
        said=("the invoice",),
    )
    await video_with("invoice theirs", owner=uuid4())

    async def order(sort):
        hits = (await box("invoice", sort=sort, asked={"page_size": 100})).hits
        return [(hit.row.video_id, hit.row.t_start) for hit in hits]

    newest, oldest, by_time = await order("newest"), await order("oldest"), await order("time")
    assert [video for video, _ in newest] == [new] * 10 + [old] * 2
    assert [video for video, _ in oldest] == [old] * 2 + [new] * 10
    assert by_time == [*sorted(by_time[:10], key=lambda one: one[1]), (old, 0), (old, 1000)]

    found = await box("invoice", is_grouped=True, has_facets=True)
    assert (found.total, found.total_videos, found.hits, found.is_partial) == (12, 2, [], False)
    groups = {group.video_id: (group.hits, [hit.row.t_start for hit in hits]) for group, hits in found.groups}
    assert groups[old] == (2, [0, 1000])
    assert groups[new][0] == 10
    assert len(groups[new][1]) == 6
    assert groups[new][1] == sorted(groups[new][1])
    counted: dict[str, list[tuple[str, int]]] = {name: [] for name in ("kind", "language", "video", "tag", "month")}
    for one in found.facets:
        counted[one.facet].append((one.label, one.hits))
    assert counted == {
        "kind": [("text", 11), ("speech", 1)],
        "language": [("eng", 12)],
        "video": [("new.mp4", 10), ("old.mp4", 2)],
        "tag": [("x", 12), ("y", 10)],
        "month": [("2026-03", 10), ("2025-12", 2)],
    }
    second = await box("invoice", is_grouped=True, sort="oldest", asked={"page": 2, "page_size": 1})
    assert [group.video_id for group, _ in second.groups] == [new]


@pytest.mark.req(751)
async def test_only_a_doubtful_reading_may_be_misread(video_with, box):
    readings = [reading("Invoise total", 0, 1000, confidence=0.6), reading("Invoisc", 5000, 6000, confidence=0.97)]
    await video_with(readings=readings)
    hits = (await box("invoice")).hits + (await box("invoise")).hits
    doubts = {(hit.text, hit.found_as, hit.may_be_misread) for hit in hits}
    assert ("Invoise total", "slip", True) in doubts
    assert ("Invoisc", "slip", False) in doubts
    assert ("Invoise total", "exact", False) in doubts
