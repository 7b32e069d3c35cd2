"""Audio encoding to stereo AAC, on the same clock as the video."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from av import AudioFrame, Packet
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.filter import Graph

BIT_RATE = 128_000
_RATES = (44_100, 48_000)


class AudioEncoder:
    """Fills gaps with silence and leaves out audio outside of [start, end), exact to the sample."""

    def __init__(
        self,
        output: OutputContainer,
        source: AudioStream,
        mux: Callable[["Packet[Any]"], None],
        *,
        start_s: float = 0.0,
        end_s: float | None = None,
        keeps_priming: bool = True,
    ) -> None:
        """`keeps_priming`: whether the container can mark the encoder's first packet as inaudible; MPEG-TS cannot."""
        rate = source.codec_context.sample_rate
        self._rate = rate if rate in _RATES else 48_000
        self._mux = mux
        self._stream = output.add_stream("aac", rate=self._rate, options={"b": str(BIT_RATE)})
        self._stream.layout = "stereo"
        self._start_s = start_s
        self._end_s = end_s
        self._graph: Graph | None = None
        self._form: tuple[int, str, str] | None = None
        self._written = 0
        self._keeps_priming = keeps_priming

    def hear(self, frame: AudioFrame, at_s: float) -> None:
        """Encodes audio that starts at this time of the video."""
        form = (frame.sample_rate, frame.format.name, frame.layout.name)
        if form != self._form:
            self._drain()
            self._graph, self._form = self._build(frame), form
        assert self._graph is not None
        frame.time_base = Fraction(1, frame.sample_rate)
        frame.pts = round((at_s - self._start_s) * frame.sample_rate)
        self._graph.push(frame)
        self._pull()

    def continue_with(self, *, start_s: float, end_s: float) -> None:
        """Continues with another part of the source, which ends at `end_s` of it; `start_s` is where 0 would be by now."""
        self._drain()
        self._form = None
        self._start_s, self._end_s = start_s, end_s

    def end(self) -> None:
        self._drain()
        for packet in self._stream.encode(None):
            self._put(packet)

    def _put(self, packet: "Packet[Any]") -> None:
        if self._keeps_priming or packet.pts is None or packet.pts >= 0:
            self._mux(packet)

    def _build(self, frame: AudioFrame) -> Graph:
        graph = Graph()
        # first_pts cuts what comes before and fills what is missing with silence; async does the same for later gaps.
        first = round(self._written)
        steps = [
            graph.add_abuffer(
                sample_rate=frame.sample_rate,
                format=frame.format,
                layout=frame.layout,
                time_base=Fraction(1, frame.sample_rate),
            ),
            graph.add("aresample", f"{self._rate}:async=1:min_hard_comp=0.1:first_pts={first}"),
            graph.add("aformat", f"sample_fmts=fltp:channel_layouts=stereo:sample_rates={self._rate}"),
        ]
        if self._end_s is not None:
            steps.append(graph.add("atrim", f"end={self._end_s - self._start_s:.6f}"))
        graph.link_nodes(*steps, graph.add("abuffersink")).configure()
        return graph

    def _drain(self) -> None:
        if self._graph is not None:
            self._graph.push(None)
            self._pull()
            self._graph = None

    def _pull(self) -> None:
        assert self._graph is not None
        while True:
            try:
                frame = self._graph.pull()
            except (BlockingIOError, EOFError):
                return
            assert isinstance(frame, AudioFrame)
            frame.pts, frame.time_base = self._written, Fraction(1, self._rate)
            self._written += frame.samples
            for packet in self._stream.encode(frame):
                self._put(packet)
