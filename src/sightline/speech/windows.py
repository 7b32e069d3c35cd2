"""Windows of sound: pieces are joined until there is enough to hear, and what was not heard begins the next window. Pure."""

from dataclasses import dataclass, field

from sightline.media.sound import BYTES_PER_SAMPLE, SAMPLES_PER_S

BYTES_PER_MS = SAMPLES_PER_S * BYTES_PER_SAMPLE // 1000
WINDOW_MS = 60_000
MAX_GAP_MS = 250
"""A longer gap in the sound ends a window."""


@dataclass(slots=True)
class SoundWindow:
    at_ms: int = 0
    samples: bytearray = field(default_factory=bytearray)

    @property
    def end_ms(self) -> int:
        return self.at_ms + len(self.samples) // BYTES_PER_MS

    @property
    def is_full(self) -> bool:
        return len(self.samples) >= WINDOW_MS * BYTES_PER_MS

    def continues_at(self, at_ms: int) -> bool:
        return not self.samples or abs(at_ms - self.end_ms) <= MAX_GAP_MS

    def add(self, at_ms: int, samples: bytes) -> None:
        if not self.samples:
            self.at_ms = at_ms
        self.samples += samples

    def drop(self, heard_samples: int) -> None:
        """Removes what was heard."""
        del self.samples[: heard_samples * BYTES_PER_SAMPLE]
        self.at_ms += heard_samples * 1000 // SAMPLES_PER_S
