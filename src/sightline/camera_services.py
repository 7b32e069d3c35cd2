"""Services of watched cameras: what they are given of the other features, and what they hand to them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from uuid import UUID

from sightline.bootstrap import Platform
from sightline.cameras import LearnedMotion, Shapes, shapes_of
from sightline.cameras.watch import (
    CameraSighting,
    CameraStates,
    CameraWatchService,
    WatchedCamera,
    WatchMetrics,
    WatchParts,
)
from sightline.security import zones_of
from sightline.security.detections import DetectionImage, NewDetection
from sightline.security.home_assistant import HomeAssistantPublisher
from sightline.supervisor import Service
from sightline.timing import utc_now
from sightline.vision import Detector


def camera_watch(platform: Platform, detector: Detector | None) -> CameraWatchService:
    """Without a detector, motion alone is seen."""
    metrics = WatchMetrics(platform.registry)  # here, since a service that failed is run again
    return CameraWatchService(
        platform.database,
        platform.listener,
        platform.settings.cameras,
        partial(_open_parts, platform, detector, metrics),
    )


@asynccontextmanager
async def _open_parts(
    platform: Platform, detector: Detector | None, metrics: WatchMetrics, watcher: UUID
) -> AsyncIterator[WatchParts]:
    yield WatchParts(
        settings=platform.settings.cameras,
        sealing=platform.sealing,
        states=CameraStates(platform.database, platform.live, watcher),
        pictures=platform.camera_pictures,
        learned=LearnedMotion(platform.objects),
        recorders=platform.recorder_parts,
        report=partial(report_sightings, platform),
        load_shapes=partial(load_shapes, platform),
        detector=detector,
        metrics=metrics,
        database=platform.database,
        folders=platform.camera_folders,
        may_be_unconfined=platform.settings.media.allow_unconfined,
    )


def ftp_server(platform: Platform) -> Service | None:
    """None unless a port is set."""
    settings = platform.settings
    if settings.ftp.port == 0:
        return None
    from sightline.cameras.ftp import FtpAccounts, FtpService  # pyftpdlib, which few installations need

    accounts = FtpAccounts(platform.database, platform.sealing, platform.camera_folders, platform.api_keys)
    return FtpService(settings.ftp, accounts, max_file_bytes=settings.cameras.folder_max_file_bytes)


def home_assistant(platform: Platform) -> Service | None:
    """None unless a broker is set."""
    settings = platform.settings.home_assistant
    if settings.broker is None:
        return None
    ca_file = platform.settings.cameras.ca_file
    return HomeAssistantPublisher(platform.database, settings, page_url=platform.public_url, ca_file=ca_file)


async def report_sightings(platform: Platform, sightings: Sequence[CameraSighting]) -> None:
    """Sightings become detections with pictures; one that is reported again is the same detection."""
    detections = [
        NewDetection(
            camera_key=one.camera_key,
            camera_id=one.camera_id,
            object_type=one.label,
            confidence=one.score,
            detected_at=one.at,
            box=one.box,
            attributes=one.attributes,
            source_id=one.source_id,
        )
        for one in sightings
    ]
    images = [None if one.picture is None else DetectionImage(one.picture, "jpg") for one in sightings]
    await platform.security.incoming.receive_with_images(detections, images, now=utc_now())


async def load_shapes(platform: Platform, camera: WatchedCamera) -> Shapes:
    async with platform.database.transaction() as tx:
        drawn = await zones_of(tx, camera.camera_id, owner_id=camera.owner_id)
    return shapes_of(drawn, only_in_zones=camera.source.detect_only_in_zones)
