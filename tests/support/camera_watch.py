"""Security events on a running platform, as its detectors would bring them about: each at a camera of its own."""

from typing import Any

from support.page_site import Site
from support.waiting import until

NOON = "2026-03-04T12:00:00Z"
MIDNIGHT = "2026-03-04T00:30:00Z"

# A picture of one grey pixel.
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
_EVERYWHERE = [[0, 0], [1, 0], [1, 1], [0, 1]]


async def somebody_at(site: Site, camera: str, *, critical: bool = False) -> dict[str, Any]:
    """The event of a certain person at a new camera; critical: four at night where nobody may be."""
    made = await site.ask("POST", "/api/cameras", json={"name": camera})
    camera_id = made["camera_id"]
    if critical:
        zone = {"name": "Vault", "kind": "restricted", "polygon": _EVERYWHERE}
        await site.ask("POST", f"/api/cameras/{camera_id}/zones", json=zone)
    seen = {
        "camera_id": camera_id,
        "object_type": "person",
        "confidence": 0.95,
        "detected_at": MIDNIGHT if critical else NOON,
        "bbox": [0.4, 0.3, 0.15, 0.5],
        "image": PICTURE,
    }
    await site.ask("POST", "/api/detections", json={"detections": [seen] * (4 if critical else 1)})
    found: list[dict[str, Any]] = []

    async def is_there() -> bool:
        found[:] = (await site.ask("GET", "/api/events", params={"camera_id": camera_id}))["events"]
        return bool(found)

    await until(is_there)
    return found[0]
