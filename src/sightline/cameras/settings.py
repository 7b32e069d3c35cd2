"""Settings of cameras."""

import ssl
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sightline.comma_separated import CommaSeparated

WATCHED_LABELS = (
    *("person", "vehicle", "car", "truck", "bus", "motorcycle", "bicycle", "boat"),
    *("animal", "dog", "cat", "bird", "horse", "sheep", "cow", "bear"),
    *("bag", "backpack", "handbag", "suitcase", "umbrella", "package"),
)
"""Things that come and go. A detector also knows furniture, which a shadow may seem to move."""


class CamerasSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    max_per_owner: int = Field(64, ge=0, description="Cameras with an address that one person may add; 0 is no limit.")
    allow_private_addresses: bool = Field(
        False,
        description="Whether people who sign in may add cameras in private networks (192.168.…, 10.…). Operators always may, and "
        "so may everybody where nobody signs in. This machine itself and cloud metadata stay out of reach.",
    )
    max_watched: int = Field(
        32, ge=0, description="Cameras that one process watches; more wait for another process. 0 is no limit."
    )
    lease_s: float = Field(
        15.0, ge=3, description="A camera whose process was killed is watched by another one after this long."
    )
    connect_timeout_s: float = Field(10.0, gt=0, description="Time for a camera to answer and send its first picture.")
    ca_file: Path | None = Field(
        None,
        description="Certificates (PEM) of authorities that are trusted beside those of the system: for cameras and MQTT brokers "
        "whose certificates come from an authority of your own.",
    )
    stall_timeout_s: float = Field(
        15.0, gt=0, description="A camera that sends no picture for this long is disconnected and connected again."
    )
    picture_every_s: float = Field(
        10.0, gt=0, description="How often the newest picture of a camera is stored while nobody looks at it."
    )
    picture_width: int = Field(
        1280, ge=320, le=3840, description="Widest picture that is stored or given to the detector."
    )
    jpeg_quality: int = Field(
        80, ge=30, le=95, description="JPEG quality of pictures of events and of the newest picture."
    )
    labels: CommaSeparated = Field(
        WATCHED_LABELS, description="What is reported of all that the detector knows, comma-separated."
    )
    process_memory_bytes: int = Field(
        2 * 1024**3, ge=256 * 1024**2, description="Address space of the process that reads one camera."
    )
    folders: Path | None = Field(
        None,
        description="Directory with a folder for each camera of kind folder, named by its key; FTP uploads go there. "
        "Unset: `camera-folders` in the state directory.",
    )
    folder_poll_s: float = Field(2.0, gt=0, description="How often watched folders are looked through for new files.")
    folder_settle_s: float = Field(
        2.0,
        ge=0,
        description="A file that has not changed for this long is whole. One that ends too early is given a minute.",
    )
    folder_max_file_bytes: int = Field(
        512 * 1024**2, ge=1024, description="Largest picture or clip of a watched folder or an FTP upload."
    )
    folder_remove_days: int = Field(
        0,
        ge=0,
        le=3650,
        description="Days after which files of watched folders that were looked at are removed; 0 keeps them.",
    )
    discovery_wait_s: float = Field(
        3.0,
        gt=0,
        le=30,
        description="How long cameras of the local network may take to answer when they are looked for.",
    )
    discovery_address: str = Field(
        "239.255.255.250:3702",
        pattern=r"^\d{1,3}(\.\d{1,3}){3}:\d{1,5}$",
        description="Where the question for ONVIF cameras is sent: the multicast group of WS-Discovery, or one camera.",
    )

    @field_validator("ca_file")
    @classmethod
    def _holds_certificates(cls, file: Path | None) -> Path | None:
        if file is not None:
            try:
                ssl.create_default_context(cafile=file)
            except (OSError, ssl.SSLError) as error:
                raise ValueError(f"{file} cannot be read as certificates (PEM): {error}") from error
        return file

    def discovery_target(self) -> tuple[str, int]:
        host, _, port = self.discovery_address.partition(":")
        return host, int(port)
