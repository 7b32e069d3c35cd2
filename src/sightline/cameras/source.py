"""The picture source of a camera: where its pictures come from, how they are looked at, and how it is doing."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from sightline.cameras.recording import RecordMode

SourceKind = Literal["stream", "mjpeg", "snapshot", "folder", "mqtt", "sample", "push"]
SourceState = Literal["connecting", "live", "lost", "refused", "off"]
"""`lost` is tried again by itself; `refused` needs a person first, and is tried again rarely."""
Reach = Literal["public", "lan", "any"]
Transport = Literal["auto", "tcp", "udp"]

DEFAULT_LOOKS_PER_S = 5.0


@dataclass(frozen=True, slots=True)
class CameraSource:
    """A row of `camera_sources`, without its secrets."""

    camera_key: UUID
    kind: SourceKind
    address: str
    sub_address: str
    """Of a stream of low resolution, which is looked at while the main one is recorded; empty: the main one is looked at."""
    username: str | None
    has_password: bool
    reach: Reach
    transport: Transport
    verifies_certificate: bool
    looks_per_s: float
    detects: bool
    reports_motion: bool
    detect_only_in_zones: bool
    record_mode: RecordMode
    record_days: int | None
    record_max_bytes: int | None
    is_enabled: bool
    state: SourceState
    state_code: str | None
    state_reason: str | None
    state_since: datetime
    last_picture_at: datetime | None
    width: int | None
    height: int | None
    codec: str | None
    fps: float | None
    revision: int
    updated_at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class SourceSecrets:
    """What only the process that connects sees."""

    address: str
    username: str | None = None
    password: str | None = None
    sub_address: str = ""

    def __repr__(self) -> str:
        return "SourceSecrets(…)"


@dataclass(frozen=True, slots=True)
class SourceChange:
    """A new source, or the new values of one. The secrets are sealed already."""

    kind: SourceKind
    address: str
    username: str | None
    has_password: bool
    sealed: bytes | None
    reach: Reach
    sub_address: str = ""
    transport: Transport = "auto"
    verifies_certificate: bool = True
    looks_per_s: float = DEFAULT_LOOKS_PER_S
    detects: bool = True
    reports_motion: bool = False
    detect_only_in_zones: bool = False
    record_mode: RecordMode = "off"
    record_days: int | None = None
    record_max_bytes: int | None = None
    is_enabled: bool = True
