"""Clips in which a synthetic voice speaks: what is said, and when, is known."""

import ctypes
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from support import installed

RATE = 16_000
_AUDIO_OUTPUT_RETRIEVAL = 1
_SPEAK_RATE = 1
_CHARS_UTF8 = 1
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class Spoken:
    text: str
    at_s: float
    voice: str = "en-us"


@cache
def _engine() -> tuple[ctypes.CDLL, int]:
    installed.wait_for(installed.SAMPLES)
    sys.path.append(str(Path(sys.prefix) / "samples"))
    import espeakng_loader

    library = ctypes.CDLL(espeakng_loader.get_library_path())
    rate = library.espeak_Initialize(_AUDIO_OUTPUT_RETRIEVAL, 0, str(espeakng_loader.get_data_path()).encode(), 0)
    return library, rate


@cache
def say(text: str, voice: str = "en-us") -> NDArray[np.int16]:
    """The voice as 16-bit mono at 16 kHz."""
    library, rate = _engine()
    heard = bytearray()

    @_CALLBACK
    def take(samples, count, _):
        if count > 0:
            heard.extend(ctypes.string_at(samples, count * 2))
        return 0

    library.espeak_SetSynthCallback(take)
    library.espeak_SetVoiceByName(voice.encode())
    library.espeak_SetParameter(_SPEAK_RATE, 145, 0)
    spoken = text.encode()
    library.espeak_Synth(spoken, len(spoken) + 1, 0, 0, 0, _CHARS_UTF8, None, None)
    library.espeak_Synchronize()
    samples = np.frombuffer(bytes(heard), np.int16)
    positions = np.arange(0, len(samples), rate / RATE)
    return np.interp(positions, np.arange(len(samples)), samples).astype(np.int16)


def make_speaking_clip(path: Path, spoken: list[Spoken], *, seconds: float, sound_offset_s: float = 0.0) -> Path:
    """A grey video with this speech; its sound begins `sound_offset_s` after its pictures."""
    sound = np.zeros(round(seconds * RATE), np.int16)
    for one in spoken:
        voice = say(one.text, one.voice)
        at = round(one.at_s * RATE)
        sound[at : at + len(voice)] = voice[: max(0, len(sound) - at)]
    return make_sound_clip(path, sound, sound_offset_s=sound_offset_s)


def make_sound_clip(path: Path, sound: NDArray[np.int16], *, sound_offset_s: float = 0.0) -> Path:
    """A grey video of the same length as this sound, whose beginning is left out by the offset."""
    seconds = len(sound) / RATE
    with av.open(str(path), "w") as output:
        pictures = output.add_stream("libx264", rate=5)
        pictures.width, pictures.height, pictures.pix_fmt = 160, 96, "yuv420p"
        track = output.add_stream("aac", rate=RATE)
        track.layout = "mono"
        for number in range(round(seconds * 5)):
            frame = av.VideoFrame.from_ndarray(np.full((96, 160, 3), 40 + number % 3, np.uint8), format="rgb24")
            frame.pts = number
            output.mux(pictures.encode(frame))
        output.mux(pictures.encode(None))
        skipped = round(sound_offset_s * RATE)
        for begin in range(skipped, len(sound), RATE):
            part = sound[begin : begin + RATE].reshape(1, -1)
            piece = av.AudioFrame.from_ndarray(part, format="s16", layout="mono")
            piece.sample_rate, piece.pts = RATE, begin
            output.mux(track.encode(piece))
        output.mux(track.encode(None))
    return path
