"""Speech recognition on this machine: a Whisper model in one confined process that lives as long as the work on a video."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sightline.jobs import ProcessCrashed, ProcessLimits, Sandbox, ServedProcess, ServiceSpec, open_served_process
from sightline.media.sound import BYTES_PER_SAMPLE, SAMPLES_PER_S
from sightline.speech.settings import SpeechSettings
from sightline.speech.spoken import SpokenWord, UnreadableWords, read_words

SERVICE = "sightline.speech.hearing"
NICE = 5
"""Speech recognition yields to requests of people, as other work on videos does."""
_MODEL_FILES = (
    "model.bin",
    "config.json",
    "tokenizer.json",
    "vocabulary.json",
    "vocabulary.txt",
    "preprocessor_config.json",
)


@dataclass(frozen=True, slots=True)
class HeardWindow:
    """What was heard in a window of sound."""

    words: list[SpokenWord]
    heard_samples: int
    """How much of the window the words cover; what follows has to be heard again."""
    language: str | None
    """Whisper's code; None if nobody spoke."""
    language_probability: float


class SpeechRecognizer:
    def __init__(self, served: ServedProcess) -> None:
        self._served = served

    async def hear(self, samples: bytes, *, at_ms: int, is_last: bool, language: str | None) -> HeardWindow:
        """`samples` are 16-bit mono at 16 kHz and begin at `at_ms`. Without `is_last` the end is left for the next window."""
        result = await self._served.request({"is_last": is_last, "language": language}, samples)
        count = len(samples) // BYTES_PER_SAMPLE
        match result:
            case {"heard_samples": int() as heard, "words": found, "language": str() | None as spoken} if (
                0 < heard <= count
            ):
                probability = result.get("language_probability")
                try:
                    words = read_words(found, offset_ms=at_ms, duration_ms=heard * 1000 // SAMPLES_PER_S)
                except UnreadableWords as error:
                    raise ProcessCrashed("the process that hears sent words that cannot be read") from error
                return HeardWindow(words, heard, spoken, probability if isinstance(probability, float) else 0.0)
        raise ProcessCrashed("the process that hears sent a result that cannot be read")


@asynccontextmanager
async def open_recognizer(
    settings: SpeechSettings, folder: Path, *, may_be_unconfined: bool
) -> AsyncIterator[SpeechRecognizer]:
    files = await asyncio.to_thread(_files_of, folder)
    service = ServiceSpec(
        name="speech",
        opener=f"{SERVICE}:open_service",
        argument={
            "folder": str(folder),
            "threads": settings.threads,
            "beam_size": settings.beam_size,
            "rate": SAMPLES_PER_S,
        },
        sandbox=Sandbox(readable=(str(folder), *files), modules=(SERVICE,)),
        limits=ProcessLimits(memory_bytes=settings.memory_limit_bytes, nice=NICE, may_be_unconfined=may_be_unconfined),
        request_timeout_s=settings.window_timeout_s,
    )
    async with open_served_process(service) as served:
        yield SpeechRecognizer(served)


def _files_of(folder: Path) -> list[str]:
    return [str(folder / name) for name in _MODEL_FILES if (folder / name).is_file()]
