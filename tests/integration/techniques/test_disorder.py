"""Any order, repetition and late delivery of the messages of several runs ends in the same tables, each run finalized once."""

import asyncio
import os
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.db import open_database
from support.postgres import DatabaseAddresses, patient_settings
from support.technique_rig import techniques_on, whole_run


@st.composite
def deliveries(draw):
    """Sizes of runs, the order in which their messages come, some of them again, and where batches end."""
    sizes = draw(st.lists(st.integers(0, 5), min_size=1, max_size=3))
    places = [(run, message) for run, size in enumerate(sizes) for message in range(size + 1)]
    again = draw(st.lists(st.sampled_from(places), max_size=10))
    order = draw(st.permutations([*places, *again]))
    cuts = draw(st.sets(st.integers(0, len(order)), max_size=8))
    known = draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))
    return sizes, order, sorted(cuts), known


@pytest.mark.req(36, 37, 41)
def test_every_order_ends_in_the_same_tables(fresh_database: DatabaseAddresses):
    loop = asyncio.new_event_loop()
    opened = loop.run_until_complete(open_database(patient_settings(), fresh_database.url))
    context = techniques_on(fresh_database.url, opened)
    rig = loop.run_until_complete(context.__aenter__())

    @settings(max_examples=200 if os.environ.get("SIGHTLINETEST_SOAK") else 25)
    @given(deliveries())
    def check(given_deliveries):
        loop.run_until_complete(run(*given_deliveries))

    async def run(sizes, order, cuts, known):
        video = await rig.video()
        jobs = [str(uuid4()) for _ in sizes]
        runs = [whole_run(video, job, size) for job, size in zip(jobs, sizes, strict=True)]
        for job, size, is_known in zip(jobs, sizes, known, strict=True):
            if is_known:  # published here; the others are of a producer elsewhere
                async with rig.database.transaction() as tx:
                    await tx.execute(
                        "INSERT INTO technique_publications (job_id, video_id, topic, total, result_key)"
                        " VALUES ($1::text::uuid, $2, 't', $3, 'k')",
                        job,
                        video,
                        size,
                    )
        messages = [runs[number][message] for number, message in order]
        earlier = len(await rig.live_messages())
        for start, end in zip([0, *cuts], [*cuts, len(messages)], strict=True):
            if messages[start:end]:
                await rig.receive(*messages[start:end])
        found = {
            row["job_id"]: (
                row["received_count"],
                row["total_event_count"],
                row["finalized"],
                row["told_least"],
                row["told_most"],
                row["totals_disagree"],
            )
            for row in await rig.status(video)
        }
        assert found == {
            job: (size, size, True, size or None, size or None, False) for job, size in zip(jobs, sizes, strict=True)
        }
        stored = [(row["job_id"], row["event_index"]) for row in await rig.events(video)]
        expected = [(job, index) for job, size in zip(jobs, sizes, strict=True) for index in range(1, size + 1)]
        assert sorted(stored) == sorted(expected)
        assert len(await rig.live_messages()) - earlier == len(sizes)

    try:
        check()
    finally:
        loop.run_until_complete(context.__aexit__(None, None, None))
        loop.run_until_complete(opened.close())
        loop.close()
