"""Times of samples: repairs what cameras get wrong, so that every segment has rising decoding times. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

TICKS = 90_000
"""Ticks per second of the video track."""
MAX_STEP_BACK_S = 0.5
"""Reordered pictures step back by less."""
MAX_STEP_S = 15.0
"""A picture that stands for longer ends the run."""
MAX_AHEAD_S = 5.0
"""How much more than the time between two arrivals a clock may advance before it counts as set anew."""
DEFAULT_STEP_S = 1 / 25


@dataclass(frozen=True, slots=True)
class CodedSample:
    """One coded picture or piece of sound, with the times of its source in seconds, where it has them."""

    data: bytes
    pts_s: float | None
    dts_s: float | None
    is_key: bool
    arrived_s: float

    @property
    def clock_s(self) -> float | None:
        return self.pts_s if self.dts_s is None else self.dts_s


@dataclass(frozen=True, slots=True)
class SampleTime:
    """In ticks since the run began."""

    pts: int
    dts: int
    duration: int


def is_jump(before: CodedSample, after: CodedSample) -> bool:
    """Whether the source's clock was set anew, or pictures are missing for so long that a new run begins."""
    arrived_step_s = after.arrived_s - before.arrived_s
    if before.clock_s is None or after.clock_s is None:
        return arrived_step_s > MAX_STEP_S
    step_s = after.clock_s - before.clock_s
    return step_s < -MAX_STEP_BACK_S or step_s > MAX_STEP_S or step_s > arrived_step_s + MAX_AHEAD_S


def with_clock(sample: CodedSample, before: CodedSample | None) -> CodedSample:
    """The sample with a presentation time: its own, that of decoding, or by its arrival after the one before."""
    if sample.pts_s is not None:
        return sample
    if sample.dts_s is not None:
        pts_s = sample.dts_s
    elif before is None or before.pts_s is None:
        pts_s = sample.arrived_s
    else:
        pts_s = before.pts_s + max(sample.arrived_s - before.arrived_s, 1 / TICKS)
    return CodedSample(sample.data, pts_s, sample.dts_s, sample.is_key, sample.arrived_s)


def sample_times(
    samples: Sequence[CodedSample], *, origin_s: float, after: int | None, following: CodedSample | None
) -> list[SampleTime]:
    """Times of the samples of a segment, in their order of decoding.

    `after` is the end of the segment before, `following` the first sample of the next one: they make segments meet without a gap.
    """
    pts = [round(((sample.pts_s or 0.0) - origin_s) * TICKS) for sample in samples]
    dts = _decoding_times(samples, pts, origin_s)
    if after is not None and dts[0] < after:
        dts = _shifted(dts, after)
    pts = [max(one, at) for one, at in zip(pts, dts, strict=True)]
    steps = [later - earlier for earlier, later in pairwise(dts)]
    steps.append(_last_step(steps, dts[-1], samples[-1], following, origin_s))
    return [SampleTime(*one) for one in zip(pts, dts, steps, strict=True)]


def _decoding_times(samples: Sequence[CodedSample], pts: Sequence[int], origin_s: float) -> list[int]:
    known = [sample.dts_s for sample in samples]
    if all(one is not None for one in known):
        dts = [round((one - origin_s) * TICKS) for one in known if one is not None]
        if all(earlier < later for earlier, later in pairwise(dts)) and all(
            decoded <= shown for decoded, shown in zip(dts, pts, strict=True)
        ):
            return dts
    # Pictures are decoded in order of their numbers and as late as the most reordered one allows.
    ordered = sorted(pts)
    delay = max(shown - own for shown, own in zip(ordered, pts, strict=True))
    return _rising([one - delay for one in ordered])


def _rising(times: Sequence[int]) -> list[int]:
    found: list[int] = []
    for one in times:
        found.append(one if not found or one > found[-1] else found[-1] + 1)
    return found


def _shifted(dts: Sequence[int], after: int) -> list[int]:
    """Starts at `after`; times that are late enough stay."""
    return _rising([max(one, after) for one in dts])


def _last_step(
    steps: Sequence[int], last: int, sample: CodedSample, following: CodedSample | None, origin_s: float
) -> int:
    """Until the next segment if that follows in time, and otherwise as long as the sample before."""
    usual = sorted(steps)[len(steps) // 2] if steps else round(DEFAULT_STEP_S * TICKS)
    if following is None or following.clock_s is None or is_jump(sample, following):
        return max(usual, 1)
    starts = following.dts_s if following.dts_s is not None and sample.dts_s is not None else None
    until = usual if starts is None else round((starts - origin_s) * TICKS) - last
    return until if 0 < until <= MAX_STEP_S * TICKS else max(usual, 1)
