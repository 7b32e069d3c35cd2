"""Whether speech recognition is installed, with which model, and how to add it."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sightline.speech.models.catalogue import MODELS
from sightline.speech.models.install import WEIGHTS, find_folder
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
    known = next((one for one in MODELS if one.name == settings.model), None)
    folder = _folder(settings.model, state_dir)
    steps = [
        *([INSTALL_RUNTIME] if find_spec(RUNTIME) is None else []),
        *([INSTALL_COMMAND] if folder is None and known is not None else []),
    ]
    how = f"Speech is not transcribed; to add it, run `{' && '.join(steps)}`" if steps else None
    if how is None and folder is None:
        how = (
            f"SIGHTLINE_SPEECH_MODEL is {settings.model!r}: that is neither a model that `{INSTALL_COMMAND}` knows "
            f"({', '.join(one.name for one in MODELS)}) nor a folder with {WEIGHTS}"
        )
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


def _folder(model: str, state_dir: Path | None) -> Path | None:
    own = Path(model)
    if len(own.parts) > 1:
        return own.absolute() if (own / WEIGHTS).is_file() else None
    return find_folder(model, state_dir)
