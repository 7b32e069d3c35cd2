"""Whether speech recognition is installed, with which model, and how to add it."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sightline.speech.models.catalogue import SPEECH_MODELS
from sightline.speech.settings import SpeechSettings

RUNTIME = "faster_whisper"
INSTALL_COMMAND = "sightline speech install"
INSTALL_RUNTIME = "pip install 'sightline[speech]'"


@dataclass(frozen=True, slots=True)
class SpeechStatus:
    is_installed: bool
    how_to_install: str | None
    """What to run; None if it is installed."""
    model: str
    folder: Path | None
    purpose: str | None
    licence: str | None
    cannot_hear: tuple[str, ...] = ()
    is_elsewhere: bool = False
    """Workers of other processes have it, as the settings say."""

    @property
    def is_offered(self) -> bool:
        return self.is_installed or self.is_elsewhere


def speech_status(settings: SpeechSettings, *, state_dir: Path | None = None) -> SpeechStatus:
    """What is there, without starting anything."""
    known = SPEECH_MODELS.known_model(settings.model)
    folder = SPEECH_MODELS.find_folder(settings.model, state_dir)
    steps = [
        *([INSTALL_RUNTIME] if find_spec(RUNTIME) is None else []),
        *([INSTALL_COMMAND] if folder is None and known is not None else []),
    ]
    how = f"Speech is not transcribed; to add it, run `{' && '.join(steps)}`" if steps else None
    if how is None and folder is None:
        how = SPEECH_MODELS.why_unusable(settings.model)
    return SpeechStatus(
        is_installed=how is None,
        how_to_install=how,
        model=settings.model,
        folder=folder,
        purpose="a model of your own" if known is None else known.purpose,
        licence="as its source says" if known is None else known.licence,
        cannot_hear=() if known is None else known.cannot_hear,
        is_elsewhere=settings.transcribe == "always",
    )
