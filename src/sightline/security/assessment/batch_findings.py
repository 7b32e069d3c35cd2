"""Reads what is known about a batch: its detections, the camera's zones, what is usual there, and other cameras."""

from sightline.db import Transaction
from sightline.security.assessment.findings import CROSS_CAMERA_SPAN, Findings
from sightline.security.cameras_store import camera_of_batch, zones_of
from sightline.security.detections import batches_store


async def fetch_findings(tx: Transaction, batch_id: str) -> Findings:
    batch = await batches_store.need_batch(tx, batch_id)
    camera = await camera_of_batch(tx, batch_id)
    detections = await batches_store.detections_of(tx, batch_id)
    types = sorted({found.object_type for found in detections})
    return Findings(
        batch_id=batch_id,
        camera=camera,
        detections=detections,
        started_at=batch.started_at,
        ended_at=batch.ended_at,
        zones=await zones_of(tx, camera.camera_id, owner_id=camera.owner_id),
        baselines=await batches_store.baselines_of(tx, camera, batch.started_at, types),
        elsewhere=await batches_store.seen_elsewhere(
            tx, camera, since=batch.started_at, until=batch.ended_at, span=CROSS_CAMERA_SPAN
        ),
    )
