"""Security events made through the API, as a detector of another program makes them."""

from uuid import uuid4

import httpx

from sightline.timing import iso_utc, utc_now
from support.waiting import until


async def report_knife(http: httpx.AsyncClient, name: str) -> int:
    """A weapon makes an event at once, of a camera of its own; returns its id."""
    made = await http.post("/api/cameras", json={"name": f"{name} {uuid4().hex[:8]}"})
    camera = made.json()["camera_id"]
    seen = {"camera_id": camera, "object_type": "knife", "confidence": 0.97, "detected_at": iso_utc(utc_now())}
    response = await http.post("/api/detections", json=seen)
    assert response.is_success, response.text
    found: list[int] = []

    async def is_there() -> bool:
        events = (await http.get("/api/events", params={"camera_id": camera})).json()["events"]
        found[:] = [event["id"] for event in events if event["state"] == "broadcasted"]
        return bool(found)

    await until(is_there)
    return found[0]
