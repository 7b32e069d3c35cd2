"""Where a camera of kind folder puts its files: what its owner types into the camera."""

from sightline.api.answers.cameras import UploadAnswer
from sightline.api.camera_sources.bodies import reach_of
from sightline.bootstrap import Platform
from sightline.cameras import CameraSource
from sightline.cameras.folder import folder_of
from sightline.contracts import Caller


def upload_of(
    platform: Platform, caller: Caller, source: CameraSource | None, *, may_change: bool
) -> UploadAnswer | None:
    """None for other kinds, and for those who may not change the camera."""
    if source is None or source.kind != "folder" or not may_change:
        return None
    folder = None
    if (
        reach_of(platform, caller) == "any" and source.reach == "any"
    ):  # paths of the machine are for who may choose them
        folder = folder_of(source.camera_key, source.address, source.reach, folders=platform.camera_folders.absolute())
    return UploadAnswer(
        folder=None if folder is None else str(folder),
        ftp_username=source.username or str(source.camera_key),
        ftp_port=platform.settings.ftp.port or None,
    )
