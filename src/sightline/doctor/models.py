"""Models that can be added: what is there, and how to add what is not."""

import asyncio

from sightline.config import Settings
from sightline.doctor.diagnosis import Diagnosis, ok, warning
from sightline.speech import speech_status
from sightline.text.meaning import meaning_status
from sightline.vision import detector_status


async def examine_models(settings: Settings) -> list[Diagnosis]:
    return await asyncio.to_thread(_examine, settings)


def _examine(settings: Settings) -> list[Diagnosis]:
    state_dir = settings.state_dir
    return [
        _found("vision", detector_status(settings.vision, state_dir=state_dir).how_to_install),
        _found("speech", speech_status(settings.speech, state_dir=state_dir).how_to_install),
        _found("meaning", meaning_status(settings.meaning, state_dir=state_dir).how_to_install),
    ]


def _found(part: str, how_to_install: str | None) -> Diagnosis:
    return ok(part, "installed") if how_to_install is None else warning(part, "not installed", fix=how_to_install)
