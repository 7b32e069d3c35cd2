"""Captions as a track of an MP4 file (mov_text), which players show on request. Runs in the sandbox."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from av import Packet
from av.container import OutputContainer

from sightline.media.clips.captions import CaptionSpan

MILLISECOND = Fraction(1, 1000)
MAX_SAMPLE_BYTES = 65_535
# The style of the track in the form that the encoder asks for; texts are written as they are, without markup.
_FIELDS = {
    "Name": "Default",
    "Fontname": "Arial",
    "Fontsize": "16",
    "PrimaryColour": "&Hffffff",
    "SecondaryColour": "&Hffffff",
    "OutlineColour": "&H0",
    "BackColour": "&H0",
    "Bold": "0",
    "Italic": "0",
    "Underline": "0",
    "StrikeOut": "0",
    "ScaleX": "100",
    "ScaleY": "100",
    "Spacing": "0",
    "Angle": "0",
    "BorderStyle": "1",
    "Outline": "1",
    "Shadow": "0",
    "Alignment": "2",
    "MarginL": "10",
    "MarginR": "10",
    "MarginV": "10",
    "Encoding": "1",
}
_STYLE = (
    "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\n"
    f"Format: {', '.join(_FIELDS)}\nStyle: {','.join(_FIELDS.values())}\n\n"
    "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
).encode()


class SoftCaptions:
    """Add it before anything is written; then give the spans as the clip's time passes them."""

    def __init__(self, output: OutputContainer, spans: Sequence[CaptionSpan]) -> None:
        self._output = output
        self._spans = spans
        self._written = 0
        self._stream = output.add_stream("mov_text")
        self._stream.codec_context.subtitle_header = _STYLE
        self._stream.time_base = self._stream.codec_context.time_base = MILLISECOND

    def write_until(self, at_s: float) -> None:
        """Writes all spans that begin before this time."""
        while self._written < len(self._spans) and self._spans[self._written].start_ms < at_s * 1000:
            self._write(self._spans[self._written])
            self._written += 1

    def _write(self, span: CaptionSpan) -> None:
        text = "\n".join(span.lines).encode()[: MAX_SAMPLE_BYTES - 2].decode("utf-8", "ignore").encode()
        packet: Packet[Any] = Packet(len(text).to_bytes(2, "big") + text)
        packet.stream = self._stream
        packet.pts = packet.dts = span.start_ms
        packet.duration = max(1, span.end_ms - span.start_ms)
        packet.time_base = MILLISECOND
        self._output.mux_one(packet)
