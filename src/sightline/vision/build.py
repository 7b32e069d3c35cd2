"""Which detector the settings name, whether it is installed, and opening it."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import structlog
from prometheus_client import CollectorRegistry

from sightline.errors import ConfigurationError
from sightline.vision.detector import Detector, DetectorStatus, ModelCard
from sightline.vision.metrics import VisionMetrics
from sightline.vision.model_spec import ModelSpec
from sightline.vision.models.install import InstalledModel, installed_models
from sightline.vision.settings import VisionSettings

RUNTIME = "onnxruntime"
CUSTOM_SIDE = 640
"""Input size of a model of the user's that takes any size."""
INSTALL_COMMAND = "sightline vision install"
INSTALL_RUNTIME = "pip install 'sightline[vision]'"

log = structlog.get_logger(__name__)


def detector_status(settings: VisionSettings, *, state_dir: Path | None = None) -> DetectorStatus:
    """What is there, without starting anything."""
    if settings.url is not None:
        card = _server_card(settings)
        return DetectorStatus(True, None, (card,), f"objects are detected by the server {card.file}")
    if find_spec(RUNTIME) is None:
        how = f"{INSTALL_RUNTIME} && {INSTALL_COMMAND}" if settings.model is None else INSTALL_RUNTIME
        return _not_installed(f"Object detection is not installed; run `{how}`")
    if settings.model is not None:
        try:
            card = _custom_card(settings)
        except ConfigurationError as error:
            return DetectorStatus(True, None, (), "objects cannot be detected", error.message)
        return DetectorStatus(True, None, (card,), f"objects are detected by {card.name}")
    found = installed_models(state_dir)
    if not found:
        return _not_installed(f"The models of object detection are not installed; run `{INSTALL_COMMAND}`")
    cards = tuple(map(_known_card, found))
    return DetectorStatus(True, None, cards, f"objects are detected by {' and '.join(card.name for card in cards)}")


@asynccontextmanager
async def open_detector(
    settings: VisionSettings,
    *,
    state_dir: Path | None = None,
    may_be_unconfined: bool = False,
    registry: CollectorRegistry | None = None,
) -> AsyncIterator[Detector | None]:
    """The detector that the settings name; None if it is not installed.

    Raises `ConfigurationError` for a file that is not there. The models are loaded by the first picture, in a process of their
    own; a file that is no model is an error of that request.
    """
    status = await asyncio.to_thread(detector_status, settings, state_dir=state_dir)
    if not status.is_installed:
        yield None
        return
    if status.error is not None:
        raise ConfigurationError(status.error)
    metrics = VisionMetrics(registry)
    for card in status.models:
        log.info("vision.model_used", model=card.name, file=card.file, sha256=card.sha256)
    # Imported here: a process without a detector needs none of it.
    if settings.url is not None:
        from sightline.vision.http_detector import open_http_detector

        async with open_http_detector(settings, status.models[0], metrics) as remote:
            yield remote
        return
    from sightline.vision.process_detector import open_process_detector

    async with open_process_detector(
        settings, _specs(settings, state_dir), status.models, may_be_unconfined=may_be_unconfined, metrics=metrics
    ) as local:
        yield local


def _not_installed(how: str) -> DetectorStatus:
    return DetectorStatus(False, how, (), "objects are not detected")


def _specs(settings: VisionSettings, state_dir: Path | None) -> list[ModelSpec]:
    if settings.model is not None:
        file = settings.model.absolute()
        labels = tuple(_read_labels(settings))
        return [ModelSpec(name=file.name, file=str(file), side=CUSTOM_SIDE, labels=labels, form=settings.model_input)]
    return [
        ModelSpec(
            name=one.known.name,
            file=str(one.file),
            side=one.known.side,
            labels=one.known.labels,
            calibration=one.known.calibration,
        )
        for one in installed_models(state_dir)
    ]


def _known_card(one: InstalledModel) -> ModelCard:
    return ModelCard(
        name=one.known.name,
        purpose=one.known.purpose,
        file=str(one.file),
        sha256=_hash_of(one.file),
        labels=one.known.labels,
        licence=one.known.licence,
        source=one.known.package.title,
        cannot_see=one.known.cannot_see,
        is_calibrated=bool(one.known.calibration),
    )


def _custom_card(settings: VisionSettings) -> ModelCard:
    assert settings.model is not None
    file = settings.model.absolute()
    if not file.is_file():
        raise ConfigurationError(f"SIGHTLINE_VISION_MODEL names {file}, and there is no such file")
    return ModelCard(
        name=file.name,
        purpose="a detector of your own",
        file=str(file),
        sha256=_hash_of(file),
        labels=tuple(_read_labels(settings)),
        licence="as its source says",
        source="SIGHTLINE_VISION_MODEL",
        cannot_see=("anything but its classes; its scores are shown as they are, not calibrated",),
        is_calibrated=False,
    )


def _server_card(settings: VisionSettings) -> ModelCard:
    return ModelCard(
        name="detection server",
        purpose="a detector of your own, asked over HTTP",
        file=shown_origin(settings.url or ""),
        sha256=None,
        labels=(),
        licence="as its source says",
        source="SIGHTLINE_VISION_URL",
        cannot_see=("anything but the classes of its model; its scores are shown as they are, not calibrated",),
        is_calibrated=False,
    )


def shown_origin(url: str) -> str:
    """Scheme, host and port: the rest of a URL may hold credentials, and people and logs see this."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    return f"{parts.scheme}://{host}" + ("" if parts.port is None else f":{parts.port}")


def _read_labels(settings: VisionSettings) -> Sequence[str]:
    if settings.labels is None:
        return ()
    try:
        lines = settings.labels.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"SIGHTLINE_VISION_LABELS: {settings.labels} cannot be read: {error}") from error
    labels = [line.strip() for line in lines]
    while labels and not labels[-1]:
        labels.pop()
    if not labels:
        raise ConfigurationError(f"SIGHTLINE_VISION_LABELS: {settings.labels} is empty; write one class per line")
    return labels


def _hash_of(file: Path) -> str:
    found = file.stat()
    return _hashed(str(file), found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=16)
def _hashed(file: str, changed_ns: int, size_bytes: int) -> str:
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
