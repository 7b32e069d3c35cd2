"""The segment writer: packets of a camera become segment files, without transcoding. Runs inside the camera process.

Packets of the open segment are held in memory, and a segment is written at once when the key frame after it arrives: a process
that is killed leaves whole files only, and a full disk costs segments and nothing else.
"""

import os
import time
from collections import deque
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import av
from av import Packet
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from sightline.cameras.recording.segment import (
    MAX_SEGMENT_BYTES,
    MAX_SEGMENT_S,
    FinishedSegment,
    is_segment_name,
    new_run,
    segment_name,
)
from sightline.cameras.recording.segments.muxing import MuxedSegment, Sound, mux_segment
from sightline.cameras.recording.segments.sample_times import (
    TICKS,
    CodedSample,
    SampleTime,
    is_jump,
    sample_times,
    with_clock,
)
from sightline.cameras.recording.segments.tracks import (
    AAC_SAMPLES,
    PictureTrack,
    SoundTrack,
    picture_track,
    sound_of,
    sound_track,
    track_of_key_frame,
)
from sightline.cameras.recording.segments.wall_clock import WallClock

SEGMENT_S = 4.0
MAX_WAITING_BYTES = 256 * 1024 * 1024
"""Of files in the directory that the parent has not taken; beyond it segments are dropped."""
_LEAD_S = 1.0
"""A run's clock starts here, because the first pictures may be decoded before the one that is shown first."""
_MAX_SOUND_DRIFT_S = 0.3
_MAX_SOUND_PACKETS = 4096


@dataclass(slots=True)
class _Run:
    """Segments that share a clock."""

    track: PictureTrack
    origin_s: float
    id: str
    number: int = 0
    reached: int | None = None
    """Where the last segment ended, in ticks."""
    sound: SoundTrack | None = None
    """Decided with the first segment: one initialization serves them all."""
    sound_reached: int | None = None
    clock: WallClock = field(default_factory=WallClock)


class SegmentWriter:
    """Writes segments of about `segment_s` into `directory`, each beginning with a key frame."""

    def __init__(
        self,
        directory: Path,
        stream: VideoStream,
        audio: AudioStream | None = None,
        *,
        segment_s: float = SEGMENT_S,
        max_waiting_bytes: int = MAX_WAITING_BYTES,
    ) -> None:
        self.problem: str | None = None
        """Why the last segment was dropped; None after one that was written."""
        self.dropped = 0
        """Segments that could not be written."""
        self.left_out = None if audio is None or sound_track(audio) else audio.codec_context.name
        """The coding of sound that is not recorded, because MP4 could not play it."""
        self._directory = directory
        self._segment_s = segment_s
        self._max_waiting_bytes = max_waiting_bytes
        self._video = stream
        self._track = picture_track(stream)
        self._sound_source = audio
        self._sound: SoundTrack | None = sound_track(audio)
        self._run: _Run | None = None
        self._samples: list[CodedSample] = []
        self._voices: deque[CodedSample] = deque(maxlen=_MAX_SOUND_PACKETS)
        self._bytes = 0

    def write(self, packet: "Packet[Any]", at_s: float | None = None) -> list[FinishedSegment]:
        """Takes a packet that arrived at `at_s`, in seconds since 1970; returns segments that are finished by it.

        The packet is left as it is, so that it can be decoded too.
        """
        if packet.size == 0 or packet.is_corrupt:
            return []
        sample = _sample(packet, time.time() if at_s is None else at_s)
        if packet.stream_index != self._video.index:
            self._hear(packet, sample)
            return []
        before = self._samples[-1] if self._samples else None
        sample = with_clock(sample, before)
        finished: list[FinishedSegment] = []
        if before is not None and is_jump(before, sample):
            finished = self.close()
        if sample.is_key:
            finished += self._cut_at_key(packet, sample)
        elif self._samples and self._is_too_long(sample):
            finished += self._finish(sample)
        if self._run is not None:
            self._samples.append(sample)
            self._bytes += len(sample.data)
        return finished

    def close(self) -> list[FinishedSegment]:
        """Finishes the open segment. The next one begins a new run, with the next key frame."""
        finished = self._finish(None)
        self._run = None
        self._voices.clear()
        return finished

    def _cut_at_key(self, packet: "Packet[Any]", sample: CodedSample) -> list[FinishedSegment]:
        finished: list[FinishedSegment] = []
        track = track_of_key_frame(self._track, packet, sample.data)
        if track != self._track or self._has_new_sound():
            self._track = track
            finished = self.close()
        elif self._samples and _length_s(self._samples, sample) >= self._segment_s - 0.5 / TICKS:
            finished = self._finish(sample)
        if self._run is None:
            assert sample.pts_s is not None
            self._run = _Run(self._track, sample.pts_s - _LEAD_S, new_run(sample.arrived_s))
        return finished

    def _has_new_sound(self) -> bool:
        """Whether sound can be recorded now and could not be when the run began."""
        run = self._run
        return run is not None and run.number > 0 and run.sound is None and self._usable_sound() is not None

    def _usable_sound(self) -> SoundTrack | None:
        return self._sound if self._sound is not None and self._sound.configuration and self._voices else None

    def _is_too_long(self, sample: CodedSample) -> bool:
        return _length_s(self._samples, sample) >= MAX_SEGMENT_S or self._bytes >= MAX_SEGMENT_BYTES

    def _hear(self, packet: "Packet[Any]", sample: CodedSample) -> None:
        is_ours = self._sound_source is not None and packet.stream_index == self._sound_source.index
        if self._sound is None or not is_ours or self._run is None or sample.clock_s is None:
            return
        self._sound, bare = sound_of(self._sound, sample.data)
        self._voices.append(replace(sample, data=bare))

    def _finish(self, following: CodedSample | None) -> list[FinishedSegment]:
        run, samples, self._samples, self._bytes = self._run, self._samples, [], 0
        if run is None or not samples:
            return []
        times = sample_times(samples, origin_s=run.origin_s, after=run.reached, following=following)
        sound = self._sound_of(run)
        number = run.number
        run.number += 1
        run.reached = times[-1].dts + times[-1].duration
        try:
            muxed = mux_segment(run.track, samples, times, sound)
            self._store(segment_name(run.id, number), muxed)
        except (OSError, ValueError) as error:  # FFmpeg's errors are among them
            return self._drop(_reason(error))
        self.problem = None
        return [_finished(run, number, samples, times, muxed, has_sound=sound is not None)]

    def _sound_of(self, run: _Run) -> Sound | None:
        """Everything that was heard so far."""
        if run.number == 0:
            run.sound = self._usable_sound()
        track, voices = run.sound, list(self._voices)
        self._voices.clear()
        if track is None:
            return None
        start = run.sound_reached or 0
        if voices:
            began = round(((voices[0].clock_s or 0.0) - run.origin_s) * track.rate)
            if run.sound_reached is None or began - start > _MAX_SOUND_DRIFT_S * track.rate:
                start = max(began, start)
        run.sound_reached = start + len(voices) * AAC_SAMPLES
        return Sound(track, [voice.data for voice in voices], start)

    def _store(self, name: str, muxed: MuxedSegment) -> None:
        waiting = sum(entry.stat().st_size for entry in os.scandir(self._directory) if is_segment_name(entry.name))
        if waiting + len(muxed.content) > self._max_waiting_bytes:
            raise OSError("segments are taken too slowly")
        part = self._directory / f"{name}.part"
        try:
            part.write_bytes(muxed.content)
            part.rename(self._directory / name)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def _drop(self, reason: str) -> list[FinishedSegment]:
        self.problem = reason
        self.dropped += 1
        return []


def _sample(packet: "Packet[Any]", arrived_s: float) -> CodedSample:
    tick = float(packet.time_base)
    return CodedSample(
        data=bytes(packet),
        pts_s=None if packet.pts is None else packet.pts * tick,
        dts_s=None if packet.dts is None else packet.dts * tick,
        is_key=packet.is_keyframe,
        arrived_s=arrived_s,
    )


def _length_s(samples: list[CodedSample], following: CodedSample) -> float:
    return (following.pts_s or 0.0) - (samples[0].pts_s or 0.0)


def _finished(
    run: _Run,
    number: int,
    samples: list[CodedSample],
    times: list[SampleTime],
    muxed: MuxedSegment,
    *,
    has_sound: bool,
) -> FinishedSegment:
    duration_s = sum(one.duration for one in times) / TICKS
    begins_s = min(sample.pts_s or 0.0 for sample in samples)
    started_s = run.clock.started_at_s(begins_s, [(sample.pts_s or 0.0, sample.arrived_s) for sample in samples])
    return FinishedSegment(
        run=run.id,
        number=number,
        started_at=datetime.fromtimestamp(started_s, UTC),
        duration_s=duration_s,
        bytes=len(muxed.content),
        init_bytes=muxed.init_bytes,
        codec=run.track.codec,
        width=run.track.width,
        height=run.track.height,
        has_audio=has_sound,
        is_independent=samples[0].is_key,
    )


def _reason(error: Exception) -> str:
    if isinstance(error, av.FFmpegError):
        return f"the segment cannot be written: {error.strerror}"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
