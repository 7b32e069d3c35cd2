"""Cameras: sources of pictures, motion, recordings and live view. Hands what was seen to the callables it is given.

Light to import, since settings are read by every command: what decodes and looks is in `motion`, `sources` and `watch`.
"""

from sightline.cameras.address import (
    HIDDEN,
    MAX_ADDRESS_LENGTH,
    MAX_CREDENTIAL_LENGTH,
    SCHEMES,
    CameraAddress,
    read_address,
)
from sightline.cameras.behaviours import BehaviourKind, Behaviours, BehaviourSettings, TrackBehaviour
from sightline.cameras.ftp_settings import FtpSettings
from sightline.cameras.latest_pictures import LatestPicture, LatestPictures
from sightline.cameras.learned_mask import LearnedMask, read_learned_mask
from sightline.cameras.learned_motion import LearnedMotion
from sightline.cameras.mqtt.topics import read_topics
from sightline.cameras.problems import SourceProblem
from sightline.cameras.recording import RecordMode
from sightline.cameras.sample import SAMPLE_CAMERA_ID, SAMPLE_CAMERA_NAME
from sightline.cameras.secrets import open_secrets, seal_secrets
from sightline.cameras.settings import CamerasSettings
from sightline.cameras.shapes import Line, Shapes, Zone, shapes_of
from sightline.cameras.source import (
    DEFAULT_LOOKS_PER_S,
    CameraSource,
    Reach,
    SourceChange,
    SourceKind,
    SourceSecrets,
    SourceState,
    Transport,
)
from sightline.cameras.sources_store import (
    CHANGED_CHANNEL,
    count_sources,
    create_source,
    delete_source,
    mark_viewed,
    notify_changed,
    replace_source,
    sealed_secrets,
    source_of,
    sources_of,
    watch_anew,
)

__all__ = [
    "CHANGED_CHANNEL",
    "DEFAULT_LOOKS_PER_S",
    "HIDDEN",
    "MAX_ADDRESS_LENGTH",
    "MAX_CREDENTIAL_LENGTH",
    "SAMPLE_CAMERA_ID",
    "SAMPLE_CAMERA_NAME",
    "SCHEMES",
    "BehaviourKind",
    "BehaviourSettings",
    "Behaviours",
    "CameraAddress",
    "CameraSource",
    "CamerasSettings",
    "FtpSettings",
    "LatestPicture",
    "LatestPictures",
    "LearnedMask",
    "LearnedMotion",
    "Line",
    "Reach",
    "RecordMode",
    "Shapes",
    "SourceChange",
    "SourceKind",
    "SourceProblem",
    "SourceSecrets",
    "SourceState",
    "TrackBehaviour",
    "Transport",
    "Zone",
    "count_sources",
    "create_source",
    "delete_source",
    "mark_viewed",
    "notify_changed",
    "open_secrets",
    "read_address",
    "read_learned_mask",
    "read_topics",
    "replace_source",
    "seal_secrets",
    "sealed_secrets",
    "shapes_of",
    "source_of",
    "sources_of",
    "watch_anew",
]
