"""What is said in videos: speech recognition, and the job `transcribe`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from sightline.speech.languages import whisper_language
    from sightline.speech.models.catalogue import MODELS, SPEECH_MODELS
    from sightline.speech.status import SpeechStatus, speech_status
    from sightline.speech.transcribe import TranscribeJob
    from sightline.speech.transcript_store import Transcript, transcript_of_video

__all__ = [
    "MODELS",
    "SPEECH_MODELS",
    "SpeechSettings",
    "SpeechStatus",
    "TranscribeJob",
    "Transcript",
    "speech_status",
    "transcript_of_video",
    "whisper_language",
]

_MODULE_OF = {
    "MODELS": "models.catalogue",
    "SPEECH_MODELS": "models.catalogue",
    "SpeechStatus": "status",
    "TranscribeJob": "transcribe",
    "Transcript": "transcript_store",
    "speech_status": "status",
    "transcript_of_video": "transcript_store",
    "whisper_language": "languages",
}


def __getattr__(name: str) -> Any:
    """Loads a part on first use: commands that only read settings need neither queries nor jobs."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
