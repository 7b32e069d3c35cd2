"""Sandboxed work: decodes the sound of a video to 16 kHz mono, piece by piece. Each piece says when in the video it begins."""

from collections.abc import Iterator
from typing import Any

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from av.container import InputContainer
from numpy.typing import NDArray

from sightline.jobs import ChildChannel
from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.source import audio_stream, open_media, origin_s, read_packets, video_stream
from sightline.media.input.steady_clock import may_jump
from sightline.media.sound.form import SAMPLES_PER_S

PIECE_SAMPLES = 10 * SAMPLES_PER_S
MAX_GAP_S = 0.2
"""A longer pause in the file's clock begins another piece."""

Samples = NDArray[np.int16]


def listen_to_video(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Sends `piece` and waits for `next`; at the end `end`, or `unreadable` with the reason. A video without sound ends at once."""
    try:
        _listen(argument, channel)
    except MediaUnreadable as error:
        channel.send("unreadable", {"reason": error.message})


def _listen(argument: dict[str, Any], channel: ChildChannel) -> None:
    readable = f"{argument['kind']}{argument['video']}"
    with open_media(readable, MediaLimits(**argument["media_limits"])) as container:
        stream = audio_stream(container)
        if stream is not None:
            for at_s, samples in _pieces(_sound_of(container, stream, readable, float(argument["from_s"]))):
                channel.send("piece", {"at_ms": round(at_s * 1000)}, samples)
                if channel.receive() is None:
                    return
    channel.send("end")


def _sound_of(
    container: InputContainer, stream: AudioStream, readable: str, from_s: float
) -> Iterator[tuple[float, Samples]]:
    """Decoded sound with its time. What cannot be decoded is left out."""
    start_s = origin_s(container)
    if from_s > 0 and not may_jump(container.format.name):  # else its times are known only from the beginning on
        container.seek(round((from_s + start_s) * av.time_base))
    resampler, at_s = AudioResampler(format="s16", layout="mono", rate=SAMPLES_PER_S), from_s
    for frame in _frames(container, stream, readable):
        at_s = at_s if frame.time is None else frame.time - start_s
        if at_s + frame.samples / max(frame.sample_rate, 1) <= from_s:
            continue
        frame.pts = None  # the resampler fills gaps by itself otherwise, however long they are
        for part in resampler.resample(frame):
            samples: Samples = part.to_ndarray().reshape(-1).astype(np.int16, copy=False)
            yield max(at_s, 0.0), samples
            at_s += len(samples) / SAMPLES_PER_S


def _frames(container: InputContainer, stream: AudioStream, readable: str) -> Iterator[AudioFrame]:
    """The clock of the whole file is that of its pictures, so both are read. A file that breaks off is used up to there."""
    has_begun = False
    try:
        for packet in read_packets(container, [video_stream(container), stream], readable):
            if packet.stream_index != stream.index:
                continue
            try:
                frames: list[Any] = list(packet.decode())
            except av.error.InvalidDataError:
                continue  # one damaged packet; the next may be whole
            has_begun = has_begun or bool(frames)
            yield from frames
    except MediaUnreadable:
        if not has_begun:
            raise


def _pieces(sound: Iterator[tuple[float, Samples]]) -> Iterator[tuple[float, Samples]]:
    """Sound without gaps, of about ten seconds each."""
    begun_s, held = 0.0, np.empty(0, np.int16)
    for at_s, samples in sound:
        end_s = begun_s + len(held) / SAMPLES_PER_S
        if len(held) and (len(held) >= PIECE_SAMPLES or abs(at_s - end_s) > MAX_GAP_S):
            yield begun_s, held
            held = np.empty(0, np.int16)
        if not len(held):
            begun_s = at_s
        held = np.concatenate((held, samples))
    if len(held):
        yield begun_s, held
