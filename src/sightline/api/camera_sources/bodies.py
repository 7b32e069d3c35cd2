"""Picture sources in requests: what may be given, and how a change is put together with what is stored."""

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from sightline.bootstrap import Platform
from sightline.cameras import (
    HIDDEN,
    MAX_ADDRESS_LENGTH,
    MAX_CREDENTIAL_LENGTH,
    SCHEMES,
    CameraAddress,
    CameraSource,
    Reach,
    RecordMode,
    SourceChange,
    SourceKind,
    SourceSecrets,
    Transport,
    read_address,
    read_topics,
    seal_secrets,
)
from sightline.cameras.folder import read_folder
from sightline.cameras.sources import SourceRequest
from sightline.contracts import Caller
from sightline.errors import InvalidInput

_NULLABLE_FIELDS = frozenset({"record_days", "record_max_bytes"})
_PLAIN_FIELDS = _NULLABLE_FIELDS | {
    "transport",
    "verifies_certificate",
    "looks_per_s",
    "detects",
    "reports_motion",
    "detect_only_in_zones",
    "record_mode",
    "is_enabled",
}
_CONNECTION_FIELDS = frozenset({"kind", "address", "sub_address", "username", "password"})
_PLAIN = r"^[^\x00-\x1f\x7f]*$"
Username = Annotated[str, Field(max_length=MAX_CREDENTIAL_LENGTH, pattern=_PLAIN, examples=["viewer"])]
_ADDRESS_ABOUT = (
    "Its user and password are taken off and stored encrypted; it is shown without them. A folder may be left empty."
)
_KIND_ABOUT = (
    "stream (RTSP, RTMP, HTTP), mjpeg, snapshot (one picture per request), folder (files that the camera uploads), "
    "mqtt (events of Frigate or Home Assistant), or push: another program posts the detections."
)


class SourceBody(BaseModel):
    """A source, or a change of one: what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    kind: SourceKind | None = Field(None, examples=["stream"], description=f"{_KIND_ABOUT} Unset: stream.")
    address: str | None = Field(
        None,
        max_length=MAX_ADDRESS_LENGTH,
        examples=["rtsp://192.168.1.20:554/stream1"],
        description=_ADDRESS_ABOUT,
    )
    sub_address: str | None = Field(
        None,
        max_length=MAX_ADDRESS_LENGTH,
        examples=["rtsp://192.168.1.20:554/stream2"],
        description="Of kind stream: another stream of the same camera, of low resolution. It is looked at, and the main one is "
        "recorded without decoding it. It is read with the same user and password. Empty removes it.",
    )
    username: Username | None = Field(None, examples=["viewer"], description="Empty removes it, with its password.")
    password: SecretStr | None = Field(
        None, max_length=MAX_CREDENTIAL_LENGTH, examples=["secret"], description="Never shown again. Empty removes it."
    )
    transport: Transport | None = Field(
        None, examples=["auto"], description="Of RTSP. auto: TCP, and UDP if the camera refuses TCP."
    )
    verifies_certificate: bool | None = Field(
        None, examples=[True], description="False accepts a self-signed certificate of rtsps:// and https://."
    )
    looks_per_s: float | None = Field(None, gt=0, le=30, examples=[5], description="Pictures looked at per second.")
    detects: bool | None = Field(None, examples=[True], description="Whether objects are looked for.")
    reports_motion: bool | None = Field(
        None, examples=[False], description="Whether motion alone makes an event where no detector is installed."
    )
    detect_only_in_zones: bool | None = Field(
        None,
        examples=[False],
        description="Whether only what moves inside of a zone is looked at and reported. Without zones, everything is.",
    )
    record_mode: RecordMode | None = Field(None, examples=["events"])
    record_days: int | None = Field(None, ge=1, le=3650, examples=[7])
    record_max_bytes: int | None = Field(None, ge=1, le=2**53, examples=[50_000_000_000])
    is_enabled: bool | None = Field(None, examples=[True])


@dataclass(frozen=True, slots=True, repr=False)
class StoredSource:
    """What is stored of a camera now."""

    source: CameraSource
    sealed: bytes | None
    secrets: SourceSecrets | None
    """None if they were sealed under another secret of this installation: they have to be typed again."""


def source_change(body: SourceBody, platform: Platform, caller: Caller, current: StoredSource | None) -> SourceChange:
    """The source after this change."""
    if current is not None and current.secrets is None and not body.model_fields_set & _CONNECTION_FIELDS:
        return _with_lost_secrets(body, current.source, current.sealed)
    kind = body.kind or (current.source.kind if current is not None else "stream")
    address = _address(body, kind, current)
    username, password = _credentials(body, address, current)
    sub = _sub_address(body, kind, address, current)
    merged = SourceSecrets(address.address, username, password, sub.address)
    moved = current is None or (address.shown, sub.shown) != (current.source.address, current.source.sub_address)
    reach = reach_of(platform, caller) if moved or current is None else current.source.reach
    if kind == "folder" and address.address and reach != "any":
        raise InvalidInput("Only operators can choose a folder of the machine. Leave it empty to use the camera's own.")
    base = _stored_values(None if current is None else current.source) | _given_values(body)
    return SourceChange(
        kind=kind,
        address=address.shown,
        username=username,
        has_password=password is not None,
        sub_address=sub.shown,
        sealed=seal_secrets(platform.sealing, merged, shown_address=address.shown, shown_sub_address=sub.shown),
        # Who moves the camera to another address decides what it may reach.
        reach=reach,
        **base,
    )


def _with_lost_secrets(body: SourceBody, source: CameraSource, sealed: bytes | None) -> SourceChange:
    """Secrets that cannot be opened stay as they are; a camera without them can still be switched off."""
    return SourceChange(
        kind=source.kind,
        address=source.address,
        username=source.username,
        has_password=source.has_password,
        sub_address=source.sub_address,
        sealed=sealed,
        reach=source.reach,
        **_stored_values(source) | _given_values(body),
    )


def source_request(body: SourceBody, platform: Platform, caller: Caller, current: StoredSource | None) -> SourceRequest:
    """To try a source without storing it."""
    kind = body.kind or (current.source.kind if current is not None else "stream")
    address = _address(body, kind, current)
    username, password = _credentials(body, address, current)
    sub = _sub_address(body, kind, address, current)
    base = _stored_values(None if current is None else current.source) | _given_values(body)
    return SourceRequest(
        kind,
        SourceSecrets(address.address, username, password, sub.address),
        reach=reach_of(platform, caller),
        transport=base.get("transport", "auto"),
        verifies_certificate=base.get("verifies_certificate", True),
    )


def reach_of(platform: Platform, caller: Caller) -> Reach:
    """Which networks a camera of this caller may lie in."""
    if not platform.settings.auth.is_configured or caller.is_operator:
        return "any"
    return "lan" if platform.settings.cameras.allow_private_addresses else "public"


def _address(body: SourceBody, kind: SourceKind, current: StoredSource | None) -> CameraAddress:
    if kind not in SCHEMES and kind != "folder":
        if body.address:
            raise InvalidInput(f"A camera of kind {kind} has no address.")
        return CameraAddress("", "", None, None)
    given = body.address
    if current is not None and given in (None, current.source.address):
        stored = current.source.address if current.secrets is None else current.secrets.address
        if kind == current.source.kind and HIDDEN not in stored:
            return CameraAddress(stored, current.source.address, None, None)
        # Of another kind, it has to be one that the new kind can read.
        given = stored if kind != "folder" else given
    if kind == "folder":
        folder = read_folder(given or "")
        return CameraAddress(folder, folder, None, None)
    if not given:
        raise InvalidInput("The camera's address is missing. Example: rtsp://192.168.1.20:554/stream1")
    if HIDDEN in given:
        raise InvalidInput(f"The address holds {HIDDEN} in place of a secret. Type the secret again.")
    read = read_address(given, kind)
    if kind == "mqtt":
        read_topics(read.address)
    return read


def _sub_address(
    body: SourceBody, kind: SourceKind, main: CameraAddress, current: StoredSource | None
) -> CameraAddress:
    """Of the same host as the main stream, whose password it is sent."""
    none = CameraAddress("", "", None, None)
    if kind != "stream":
        if body.sub_address:
            raise InvalidInput("Only a camera of kind stream has a sub-stream.")
        return none
    stored = none
    if current is not None:
        address = current.source.sub_address if current.secrets is None else current.secrets.sub_address
        stored = CameraAddress(address, current.source.sub_address, None, None)
    if body.sub_address == "":
        return none
    is_stored = body.sub_address in (None, stored.shown)
    if HIDDEN in (stored.address if is_stored else body.sub_address or ""):
        raise InvalidInput(f"The sub-stream's address holds {HIDDEN} in place of a secret. Type the secret again.")
    sub = stored if is_stored else read_address(body.sub_address or "", kind)
    if sub.address and urlsplit(sub.address).hostname != urlsplit(main.address).hostname:
        raise InvalidInput(
            "The sub-stream must be on the host of the main stream, since it is read with the same password. "
            "Change both addresses, or leave the sub-stream empty."
        )
    return sub


def _credentials(
    body: SourceBody, address: CameraAddress, current: StoredSource | None
) -> tuple[str | None, str | None]:
    """Fields of the request win over the address, which wins over what is stored."""
    secrets = None if current is None else current.secrets
    stored_user = None if current is None else current.source.username
    stored_password = None if secrets is None else secrets.password
    username = body.username if body.username is not None else address.username or stored_user
    if not username:
        return None, None
    if body.password is not None:
        return username, body.password.get_secret_value() or None
    if address.password is not None:
        return username, address.password
    # A password belongs to its user, and to its camera: it is not sent to another host.
    is_same = username == stored_user and secrets is not None and _host(address.address) == _host(secrets.address)
    return username, stored_password if is_same else None


def _host(address: str) -> str:
    return address.partition("://")[2].partition("/")[0]


def _stored_values(current: CameraSource | None) -> dict[str, Any]:
    return {} if current is None else {name: getattr(current, name) for name in _PLAIN_FIELDS}


def _given_values(body: SourceBody) -> dict[str, Any]:
    """Null means something for limits of recordings alone."""
    given = {name: getattr(body, name) for name in body.model_fields_set & _PLAIN_FIELDS}
    return {name: value for name, value in given.items() if value is not None or name in _NULLABLE_FIELDS}
