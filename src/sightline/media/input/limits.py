"""Limits of input videos."""

from dataclasses import dataclass

from sightline.media.settings import MediaSettings


@dataclass(frozen=True, slots=True)
class MediaLimits:
    pixels: int
    duration_s: float
    gap_s: float
    streams: int

    @classmethod
    def of(cls, settings: MediaSettings) -> "MediaLimits":
        return cls(settings.max_pixels, settings.max_duration_s, settings.max_gap_s, settings.max_streams)
