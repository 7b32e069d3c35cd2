"""Cameras with their picture sources as JSON. No answer holds a password."""

from typing import Self

from pydantic import BaseModel, Field

from sightline.api.answers.security import EXAMPLE_TIME, CameraAnswer, ZoneAnswer
from sightline.cameras import CameraSource, RecordMode, SourceKind, SourceState, Transport
from sightline.security import Camera, CameraZone
from sightline.timing import iso_utc


class SourceAnswer(BaseModel):
    kind: SourceKind = Field(examples=["stream"])
    address: str = Field(examples=["rtsp://192.168.1.20:554/stream1"], description="Without credentials.")
    sub_address: str = Field(
        examples=["rtsp://192.168.1.20:554/stream2"],
        description="The stream that is looked at; empty: the main one. Without credentials.",
    )
    username: str | None = Field(examples=["viewer"])
    has_password: bool = Field(examples=[True], description="The password itself is never shown.")
    transport: Transport = Field(examples=["auto"])
    verifies_certificate: bool = Field(examples=[True])
    looks_per_s: float = Field(examples=[5.0])
    detects: bool = Field(examples=[True])
    reports_motion: bool = Field(examples=[False])
    detect_only_in_zones: bool = Field(examples=[False])
    record_mode: RecordMode = Field(examples=["off"])
    record_days: int | None = Field(examples=[7])
    record_max_bytes: int | None = Field(examples=[None])
    is_enabled: bool = Field(examples=[True])

    @classmethod
    def of(cls, source: CameraSource) -> Self:
        return cls(**{name: getattr(source, name) for name in cls.model_fields})


class UploadAnswer(BaseModel):
    """Where a camera of kind folder puts its files."""

    folder: str | None = Field(
        examples=["/var/lib/sightline/camera-folders/7c1d…"],
        description="Directory on the machine of the platform; for operators, and where nobody signs in.",
    )
    ftp_username: str = Field(
        examples=["7c1d2f5a-9d5c-4d0e-9a51-1f0c2b3a4d5e"],
        description="User name at the FTP server. The password is the camera's, or an API key of its owner.",
    )
    ftp_port: int | None = Field(examples=[2121], description="Null: the FTP server is switched off.")


class CameraStateAnswer(BaseModel):
    state: SourceState = Field(
        examples=["live"],
        description="connecting, live, lost (tried again by itself), refused (a person has to change something) or off.",
    )
    code: str | None = Field(examples=[None], description="Why, as a word for programs: wrong_password, timed_out …")
    reason: str | None = Field(examples=[None], description="Why, and what to do.")
    since: str = Field(examples=[EXAMPLE_TIME])
    last_picture_at: str | None = Field(examples=[EXAMPLE_TIME])
    width: int | None = Field(examples=[1920])
    height: int | None = Field(examples=[1080])
    codec: str | None = Field(examples=["h264"])
    fps: float | None = Field(examples=[25.0])

    @classmethod
    def of(cls, source: CameraSource) -> Self:
        return cls(
            state=source.state,
            code=source.state_code,
            reason=source.state_reason,
            since=iso_utc(source.state_since),
            last_picture_at=None if source.last_picture_at is None else iso_utc(source.last_picture_at),
            width=source.width,
            height=source.height,
            codec=source.codec,
            fps=source.fps,
        )


class WatchedCameraAnswer(CameraAnswer):
    source: SourceAnswer | None = Field(
        examples=[None], description="Null: the camera's detections are posted by another program."
    )
    state: CameraStateAnswer | None = Field(examples=[None], description="Null without a source.")
    upload: UploadAnswer | None = Field(
        examples=[None], description="Of a camera of kind folder, for those who may change it."
    )
    may_change: bool = Field(examples=[True], description="Whether the caller may edit and delete it.")

    @classmethod
    def with_source(
        cls, camera: Camera, source: CameraSource | None, *, may_change: bool, upload: UploadAnswer | None
    ) -> Self:
        return cls(
            **CameraAnswer.of(camera).model_dump(),
            source=None if source is None else SourceAnswer.of(source),
            state=None if source is None else CameraStateAnswer.of(source),
            upload=upload,
            may_change=may_change,
        )


class WholeCameraAnswer(WatchedCameraAnswer):
    zones: list[ZoneAnswer]

    @classmethod
    def with_zones(cls, shown: WatchedCameraAnswer, zones: list[CameraZone]) -> Self:
        return cls(**shown.model_dump(), zones=[ZoneAnswer.of(zone) for zone in zones])


class CamerasAnswer(BaseModel):
    cameras: list[WatchedCameraAnswer]
    next_cursor: str | None = Field(
        examples=["front_door"], description="Pass it as `cursor` to get the next page; null at the end."
    )


class TriedSubStreamAnswer(BaseModel):
    width: int = Field(examples=[640])
    height: int = Field(examples=[360])
    codec: str = Field(examples=["h264"])
    fps: float | None = Field(examples=[15.0])


class TriedSourceAnswer(BaseModel):
    picture: str = Field(examples=["data:image/jpeg;base64,/9j/4AAQ…"], description="The first picture, as a data URL.")
    width: int = Field(examples=[1920])
    height: int = Field(examples=[1080])
    codec: str = Field(examples=["h264"])
    fps: float | None = Field(examples=[25.0])
    took_ms: int = Field(examples=[840])
    sub_stream: TriedSubStreamAnswer | None = Field(None, examples=[None], description="If it has one; tried too.")
