"""The form in which sound is handed on: what speech recognition takes."""

SAMPLES_PER_S = 16_000
BYTES_PER_SAMPLE = 2
"""16-bit, mono."""
