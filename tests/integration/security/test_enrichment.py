"""Text in the picture of an event is read by the platform's own reader, after the event exists, and said as a guess."""

from datetime import timedelta
from typing import Any

import cv2
import numpy as np
import pytest

from sightline.contracts.jobs import EnrichEvent
from sightline.job_types import enrich_event
from sightline.security import EnrichEventJob, SecuritySettings
from sightline.security.assessment.assessor import MAX_REASONING_LENGTH
from sightline.security.assessment.enrich_event import notes_of
from sightline.security.detections import DetectionImage
from sightline.security.events import Event
from sightline.text import PictureText
from support.security_rig import NOON, Watch, new_detection
from support.waiting import until

CAR_BOX = (0.25, 0.4, 0.5, 0.5)


@pytest.fixture
async def watch(platform) -> Watch:
    made = Watch(platform)
    await made.camera()
    return made


def picture(plate: str = "BXY 1234", sign: str = "NO PARKING") -> DetectionImage:
    """A car with a plate, and a sign behind it."""
    scene = np.full((540, 960, 3), 120, np.uint8)
    cv2.rectangle(scene, (240, 220), (720, 480), (70, 60, 60), -1)
    cv2.rectangle(scene, (400, 420), (560, 460), (240, 240, 240), -1)
    cv2.putText(scene, plate, (408, 449), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (10, 10, 10), 2, cv2.LINE_AA)
    cv2.rectangle(scene, (60, 60), (380, 130), (20, 20, 150), -1)
    cv2.putText(scene, sign, (75, 107), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (250, 250, 250), 3, cv2.LINE_AA)
    return DetectionImage(cv2.imencode(".jpg", scene)[1].tobytes(), "jpg")


async def report(watch: Watch, image: DetectionImage, *, n: int = 0, **more: Any) -> None:
    (row,) = await watch.rows("SELECT camera_key FROM cameras")
    seen = new_detection(
        "car",
        camera_key=row["camera_key"],
        box=CAR_BOX,
        source_id=str(n),
        detected_at=NOON + timedelta(seconds=n),
        **({"attributes": {"track_id": "t"}} | more),
    )
    await watch.security.incoming.receive_with_images([seen], [image], now=NOON)


async def settled(watch: Watch, *more: Any) -> Event:
    async def is_done() -> bool:
        waiting = "SELECT FROM jobs WHERE status <> 'done' AND (job_type <> 'enrich_event' OR $1)"
        return not await watch.rows(waiting, bool(more))

    async with watch.working(watch.security.assess_risk, *more):
        await until(is_done)
    (event,) = await watch.events()
    return event


@pytest.mark.req(620)
async def test_an_event_exists_before_its_picture_is_read_and_says_what_was_read_as_a_guess(watch, client):
    await report(watch, picture())
    event = await settled(watch)
    assert (event.version, list(event.notes)) == (1, [])
    enriched = await settled(watch, enrich_event(watch.platform))
    assert enriched.version == 2
    plate, text = enriched.notes
    assert plate == 'Maybe a licence plate: "BXY 1234" (read from the picture, a guess).'
    assert text == 'Text in the picture, a guess: "NO PARKING".'
    found = (await client.get("/api/events?q=parking")).json()["events"]
    assert [one["notes"] for one in found] == [list(enriched.notes)]
    rows = await watch.rows("SELECT type FROM live_messages ORDER BY sequence")
    assert [row["type"] for row in rows] == ["event", "event.updated"]
    history = (await client.get(f"/api/events/{event.id}/history")).json()["history"]
    assert [entry["action"] for entry in history] == ["created", "enriched"]


@pytest.mark.req(620)
async def test_what_was_read_stays_when_the_event_is_revised_and_is_added_once(watch):
    job = enrich_event(watch.platform)
    await report(watch, picture())
    first = await settled(watch, job)
    async with watch.database.transaction() as tx:  # delivered twice
        await watch.platform.jobs.enqueue(tx, EnrichEvent(batch_id=first.batch_id))
    assert (await settled(watch, job)).version == first.version
    loitering = {"track_id": "t", "behaviours": ["loitering"]}
    await report(watch, picture(), n=1, attributes=loitering)
    revised = await settled(watch, job)
    assert list(revised.notes) == list(first.notes)
    assert "loitered" in revised.reasoning
    assert revised.reasoning.count("NO PARKING") == 1


@pytest.mark.req(620)
async def test_what_is_no_picture_and_what_was_resolved_is_left_as_it_is(watch):
    await report(watch, DetectionImage(b"\xff\xd8\xff not really", "jpg"))
    event = await settled(watch, enrich_event(watch.platform))
    assert (event.version, list(event.notes)) == (1, [])
    await watch.security.lifecycle.acknowledge(event.id, by="ana")
    await watch.security.lifecycle.resolve(event.id, by="ana")
    async with watch.database.transaction() as tx:
        await watch.platform.jobs.enqueue(tx, EnrichEvent(batch_id=event.batch_id))

    async def fails(*_: Any) -> Any:
        raise AssertionError("nothing is read of a resolved event")

    platform = watch.platform
    await settled(watch, EnrichEventJob(platform.database, platform.live, platform.objects, fails))


@pytest.mark.req(620)
async def test_nothing_is_read_where_the_setting_says_so(platform_with):
    watch = Watch(await platform_with(security=SecuritySettings(read_picture_text=False)))
    await watch.camera()
    await report(watch, picture())
    await settled(watch)
    assert await watch.rows("SELECT FROM jobs WHERE job_type = 'enrich_event'") == []


@pytest.mark.req(620)
@pytest.mark.parametrize(
    ("text", "is_in_region", "is_plate"),
    [
        ("BXY 1234", True, True),
        ("BXY 1234", False, False),
        ("DELIVERY", True, False),
        ("2024", True, False),
        ("B-XY 12", True, True),
    ],
)
def test_only_what_looks_like_a_plate_on_a_vehicle_is_called_one(text, is_in_region, is_plate):
    (note,) = notes_of([PictureText(text, 0.9, is_in_region)])
    assert text in note
    assert "guess" in note
    assert note.startswith("Maybe a licence plate") == is_plate


@pytest.mark.req(658)
async def test_what_was_read_does_not_make_a_reason_longer_than_one_may_be(watch):
    await report(watch, picture())
    event = await settled(watch)
    await watch.run(f"UPDATE events SET reasoning = repeat('x', {MAX_REASONING_LENGTH - 5})")
    job = EnrichEventJob(watch.platform.database, watch.platform.live, watch.platform.objects, _reads_a_sign)
    enriched = await settled(watch, job)
    assert (enriched.version, len(enriched.reasoning)) == (event.version + 1, MAX_REASONING_LENGTH)
    assert list(enriched.notes) == ['Text in the picture, a guess: "NO PARKING".']


async def _reads_a_sign(*_: Any) -> Any:
    return [PictureText("NO PARKING", 0.9, False)]
