"""Zones, masks and lines over the API."""

import pytest

YARD = {"name": "Yard"}
ENTRY = {"name": "Porch", "kind": "entry", "polygon": [[0, 0.5], [1, 0.5], [1, 1], [0, 1]]}
MASK = {"name": "Street", "kind": "mask", "polygon": [[0, 0], [1, 0], [1, 0.4], [0, 0.4]]}
LINE = {"name": "Gate", "kind": "line", "polygon": [[0.5, 0], [0.5, 1]]}
PERSON = {"camera_id": "yard", "object_type": "person", "confidence": 0.6}


@pytest.mark.req(554)
async def test_areas_masks_and_lines_are_added_changed_listed_and_removed(client):
    await client.post("/api/cameras", json=YARD)
    made = [(await client.post("/api/cameras/yard/zones", json=zone)).json() for zone in (ENTRY, MASK, LINE)]
    assert [(zone["kind"], zone["loiter_s"], zone["direction"]) for zone in made] == [
        ("entry", 60, None),
        ("mask", None, None),
        ("line", None, "both"),
    ]
    path = f"/api/cameras/yard/zones/{made[2]['zone_id']}"
    changed = await client.put(path, json=LINE | {"name": "Garden gate", "direction": "to_left"})
    assert (changed.status_code, changed.json()["zone_id"]) == (200, made[2]["zone_id"])
    listed = (await client.get("/api/cameras/yard/zones")).json()["zones"]
    assert [(zone["name"], zone["direction"]) for zone in listed][2] == ("Garden gate", "to_left")
    assert (await client.put(path, json=LINE | {"name": "Porch"})).status_code == 409
    assert (await client.put(path, json=ENTRY | {"name": "Garden gate", "loiter_s": None})).json()["loiter_s"] is None
    assert (await client.delete(path)).status_code == 204
    assert (await client.put(path, json=LINE)).status_code == 404
    assert len((await client.get("/api/cameras/yard")).json()["zones"]) == 2


@pytest.mark.req(553)
async def test_a_shape_that_cannot_be_used_is_refused_with_a_reason(client):
    await client.post("/api/cameras", json=YARD)
    for wrong, words in (
        (ENTRY | {"polygon": [[0, 0], [1, 1], [1, 0], [0, 1]]}, "cross"),
        (ENTRY | {"polygon": [[0, 0], [1, 1]]}, "3 different corners"),
        (LINE | {"polygon": ENTRY["polygon"]}, "a start and an end"),
        (LINE | {"loiter_s": 60}, "nobody stays in a line"),
        (ENTRY | {"direction": "both"}, "only a line"),
        (ENTRY | {"loiter_s": 1}, "loiter_s"),
    ):
        refused = await client.post("/api/cameras/yard/zones", json=wrong)
        assert refused.status_code == 400
        assert words in refused.json()["error"]["message"]


@pytest.mark.req(553)
async def test_a_camera_has_a_limited_number_of_zones(client):
    await client.post("/api/cameras", json=YARD)
    for number in range(50):
        await client.post("/api/cameras/yard/zones", json=LINE | {"name": f"line {number}"})
    refused = await client.post("/api/cameras/yard/zones", json=LINE)
    assert (refused.status_code, "delete one first" in refused.json()["error"]["message"]) == (409, True)


@pytest.mark.req(554)
async def test_what_stands_inside_a_mask_is_not_kept(client):
    await client.post("/api/cameras", json=YARD)
    await client.post("/api/cameras/yard/zones", json=MASK)
    boxes = [[0.4, 0.1, 0.1, 0.2], [0.4, 0.1, 0.1, 0.6], None]
    told = await client.post("/api/detections", json={"detections": [PERSON | {"bbox": box} for box in boxes]})
    assert [one["id"] is not None for one in told.json()["detections"]] == [False, True, True]
    assert told.json()["taken_in"] == 2
