"""Secrets of picture sources: encrypted at rest, and opened only where a connection is made."""

from sightline.bus import Sealing
from sightline.cameras.source import CameraSource, SourceSecrets
from sightline.errors import PermanentFailure


def seal_secrets(
    sealing: Sealing, secrets: SourceSecrets, *, shown_address: str, shown_sub_address: str = ""
) -> bytes | None:
    """None when there is nothing to hide."""
    hidden: dict[str, str] = {}
    if secrets.password is not None:
        hidden["password"] = secrets.password
    if secrets.address != shown_address:
        hidden["address"] = secrets.address
    if secrets.sub_address != shown_sub_address:
        hidden["sub_address"] = secrets.sub_address
    return sealing.seal(hidden) if hidden else None


def open_secrets(sealing: Sealing, source: CameraSource, sealed: bytes | None) -> SourceSecrets:
    """Raises `PermanentFailure` when the installation's secret is another one now."""
    try:
        hidden = {} if sealed is None else sealing.unseal(sealed)
    except PermanentFailure as error:
        raise PermanentFailure(
            "The camera's password was stored under another secret of this installation. Type it again."
        ) from error
    return SourceSecrets(
        hidden.get("address", source.address),
        source.username,
        hidden.get("password"),
        hidden.get("sub_address", source.sub_address),
    )
