"""Video filters between decoder and encoder: deinterlacing, scaling to square pixels, rotation, 8 bits, tone mapping."""

from fractions import Fraction

from av import VideoFrame
from av.filter import Graph

from sightline.media.input.orientation import Orientation

TICK = Fraction(1, 90_000)
"""The clock of MPEG-TS, in which common frame rates are exact or nearly so."""

TONE_MAPPED = ":out_transfer=bt709:out_primaries=bt709:out_color_matrix=bt709:intent=perceptual"
"""Maps HDR into the range of common screens; without it everything looks grey."""


class VideoFilters:
    """Converts frames of any size and format to one size. Size and format may change within a video."""

    def __init__(self, *, width: int, height: int, orientation: Orientation, is_interlaced: bool, is_hdr: bool) -> None:
        self._width, self._height = (height, width) if orientation.swaps_sides else (width, height)
        self._orientation = orientation
        self._is_interlaced = is_interlaced
        self._is_hdr = is_hdr
        self._graph: Graph | None = None
        self._form: tuple[int, int, str] | None = None

    def push(self, frame: VideoFrame, ticks: int) -> list[VideoFrame]:
        """Filters a frame shown at `ticks`; returned frames have their time as pts."""
        form = (frame.width, frame.height, frame.format.name)
        done = [] if form == self._form else self.end()
        if self._graph is None:
            self._graph, self._form = self._build(frame), form
        frame.pts, frame.time_base = ticks, TICK
        self._graph.push(frame)
        return done + self._pull()

    def end(self) -> list[VideoFrame]:
        if self._graph is None:
            return []
        self._graph.push(None)
        left = self._pull()
        self._graph = None
        return left

    def _build(self, frame: VideoFrame) -> Graph:
        graph = Graph()
        steps = [graph.add_buffer(width=frame.width, height=frame.height, format=frame.format, time_base=TICK)]
        if self._is_interlaced:
            steps.append(graph.add("bwdif", "mode=send_frame:deint=interlaced"))
        colours = TONE_MAPPED if self._is_hdr else ""
        steps.append(graph.add("scale", f"{self._width}:{self._height}:flags=bicubic:out_range=tv{colours}"))
        steps.append(graph.add("format", "yuv420p"))
        steps += [graph.add(name, arguments) for name, arguments in self._orientation.filters]
        steps.append(graph.add("setsar", "1"))
        graph.link_nodes(*steps, graph.add("buffersink")).configure()
        return graph

    def _pull(self) -> list[VideoFrame]:
        assert self._graph is not None
        found: list[VideoFrame] = []
        while True:
            try:
                frame = self._graph.pull()
            except (BlockingIOError, EOFError):
                return found
            assert isinstance(frame, VideoFrame)
            assert frame.pts is not None
            unit: Fraction = frame.time_base or TICK
            frame.pts, frame.time_base = round(frame.pts * unit / TICK), TICK  # some filters use a finer clock
            found.append(frame)
