"""Export of events: CSV that runs nothing in a spreadsheet, JSON, and a ZIP file with pictures."""

import csv
import io
import json
import zipfile

import pytest

from sightline.api.events import export as event_export
from sightline.security.detections import DetectionImage
from sightline.security.events import Event
from sightline.security.events.export import csv_lines
from sightline.spreadsheet_cells import safe_cell
from support.security_rig import NOON, Watch, new_detection

JPEG = b"\xff\xd8\xff\xe0 a picture"


@pytest.fixture
async def watch(platform) -> Watch:
    made = Watch(platform)
    await made.camera()
    return made


async def pictured_event(watch: Watch) -> Event:
    (row,) = await watch.rows("SELECT camera_key FROM cameras")
    seen = new_detection(camera_key=row["camera_key"], confidence=0.95)
    (taken,) = await watch.security.incoming.receive_with_images([seen], [DetectionImage(JPEG, "jpg")], now=NOON)
    assert taken.batch_id is not None
    async with watch.working():
        return await watch.event_of(taken.batch_id)


@pytest.mark.req(612)
async def test_csv_and_json_hold_the_events_that_match_with_comments_and_history(watch, client):
    event = await watch.event()
    await watch.event(new_detection("dog"))
    await client.post(f"/api/events/{event.id}/comments", json={"text": "=HYPERLINK('http://evil')"})
    answer = await client.get("/api/events/export?object=person")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"].startswith('attachment; filename="events-')
    (row,) = csv.DictReader(io.StringIO(answer.text, newline=""))
    assert (row["id"], row["camera_id"], row["objects"]) == (str(event.id), "front_door", "person")
    assert row["comments"] == "owner@localhost: =HYPERLINK('http://evil')"
    found = (await client.get("/api/events/export?format=json")).json()["events"]
    assert [one["objects"] for one in found] == [["dog"], ["person"]]
    assert [entry["action"] for entry in found[1]["history"]] == ["created", "commented"]
    nothing = await client.get("/api/events/export?format=json&object=cat")
    assert nothing.json() == {"events": []}


@pytest.mark.req(612)
async def test_a_zip_file_holds_pictures_and_a_picture_that_is_gone_is_left_out(watch, client):
    event = await pictured_event(watch)
    shown = (await client.get(f"/api/events/{event.id}")).json()
    assert shown["picture_url"] is not None
    answer = await client.get("/api/events/export?format=zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert sorted(file.namelist()) == ["events.csv", "events.json", f"pictures/{event.id}.jpg"]
        assert file.read(f"pictures/{event.id}.jpg") == JPEG
        assert json.loads(file.read("events.json"))["events"][0]["picture"] == f"pictures/{event.id}.jpg"
    await watch.platform.objects.delete([event.picture_key])
    answer = await client.get("/api/events/export?format=zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert file.namelist() == ["events.csv", "events.json"]


@pytest.mark.req(612)
async def test_more_events_than_an_export_may_hold_are_refused_and_pages_are_joined(watch, client, monkeypatch):
    for _ in range(3):
        await watch.event()
    monkeypatch.setattr(event_export, "PAGE_EVENTS", 1)
    assert len((await client.get("/api/events/export?format=json")).json()["events"]) == 3
    monkeypatch.setitem(event_export.MAX_EVENTS, "csv", 2)
    refused = await client.get("/api/events/export")
    assert (refused.status_code, "More than 2 events" in refused.json()["error"]["message"]) == (400, True)


@pytest.mark.req(612)
@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\r=1", "＝1"])
def test_text_that_a_spreadsheet_would_run_is_quoted(text):
    assert safe_cell(text) == f"'{text}"
    assert safe_cell("a person - at the door") == "a person - at the door"
    assert safe_cell(-5) == -5


def test_the_head_of_the_csv_names_every_column():
    assert csv_lines([], with_head=True).startswith(b"id,camera_id,risk_score,")
