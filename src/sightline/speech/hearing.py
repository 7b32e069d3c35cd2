"""The service of the confined process: opens the Whisper model once, then turns each window of sound into words."""

from typing import Any

import faster_whisper
import numpy as np
from faster_whisper.vad import VadOptions, get_speech_timestamps
from numpy.typing import NDArray

from sightline.errors import PermanentFailure

PAUSE_S = 0.3
"""A pause in which a window may be cut."""
MIN_HEARD_SHARE = 0.5
"""A window is cut in its second half, or at its end."""

Sound = NDArray[np.float32]


def open_service(argument: dict[str, Any]) -> "HearingService":
    try:
        model = faster_whisper.WhisperModel(
            argument["folder"],
            device="cpu",
            compute_type="int8",
            cpu_threads=argument["threads"],
            num_workers=1,
            local_files_only=True,
        )
    except (RuntimeError, ValueError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise PermanentFailure(f"{argument['folder']} is not a Whisper model that can be loaded: {reason}") from error
    return HearingService(model, beam_size=argument["beam_size"], rate=argument["rate"])


class HearingService:
    """A `Handler` of `jobs.ServedProcess`."""

    def __init__(self, model: "faster_whisper.WhisperModel", *, beam_size: int, rate: int) -> None:
        self._model = model
        self._rate = rate
        self._beam_size = beam_size

    def __call__(self, header: dict[str, Any], content: memoryview) -> dict[str, Any]:
        """`heard_samples` says how much of the window the words cover; the rest begins the next one."""
        sound = np.frombuffer(content, np.int16).astype(np.float32) / 32768.0
        speech = get_speech_timestamps(sound, VadOptions(min_silence_duration_ms=500))
        heard = len(sound) if header["is_last"] else _cut(speech, len(sound), min_pause=PAUSE_S * self._rate)
        if not any(span["start"] < heard for span in speech):
            return {"heard_samples": heard, "words": [], "language": None, "language_probability": 0.0}
        found, about = self._model.transcribe(
            sound[:heard],
            language=header["language"],
            beam_size=self._beam_size,
            vad_filter=True,
            word_timestamps=True,
            condition_on_previous_text=False,  # else one invented sentence is followed by more of them
        )
        words = [
            [word.word, float(word.start), float(word.end), float(word.probability)]
            for segment in found
            for word in segment.words or ()
        ]
        return {
            "heard_samples": heard,
            "words": words,
            "language": about.language,
            "language_probability": float(about.language_probability),
        }


def _cut(speech: list[Any], length: int, *, min_pause: float) -> int:
    """The middle of the last pause in the second half of the window; its end if there is none."""
    ends = [0, *(span["end"] for span in speech)]
    starts = [*(span["start"] for span in speech), length]
    pauses = [
        (end + start) // 2
        for end, start in zip(ends, starts, strict=True)
        if start - end >= min_pause and (end + start) // 2 >= MIN_HEARD_SHARE * length
    ]
    return int(pauses[-1]) if pauses else length
