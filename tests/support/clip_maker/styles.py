"""Styles of clips: fonts, colours, sizes, positions. `plain` and `broad` are for tuning, the others for evaluation."""

from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes are shares of the frame's height."""

    title_font: str
    text_font: str
    mono_font: str
    slide: tuple[Colour, Colour, Colour]
    """Paper, title, text."""
    terminal: tuple[Colour, Colour]
    """Screen and letters."""
    plate: tuple[Colour, float, Colour, Colour]
    """Of lower thirds: colour and opacity of the plate, colour of the name, of the line below."""
    subtitle: tuple[Colour, Colour, float]
    """Letters, outline, and the outline's width as a part of the letters' size."""
    caption: tuple[Colour, Colour | None]
    """Letters, and the outline if there is one."""
    ticker: tuple[Colour, Colour]
    title_size: float = 0.065
    text_size: float = 0.042
    mono_size: float = 0.030
    clock_size: float = 0.13
    subtitle_size: float = 0.050
    caption_size: float = 0.045
    left: float = 0.07
    caption_at: tuple[float, float] = (0.06, 0.08)
    subtitle_at: float = 0.86
    third_at: tuple[float, float] = (0.06, 0.70)


STYLES = {
    "plain": Style(
        title_font="open-sans-bold",
        text_font="open-sans",
        mono_font="dejavu-mono",
        slide=((250, 250, 246), (30, 40, 90), (40, 40, 40)),
        terminal=((12, 14, 18), (200, 220, 200)),
        plate=((20, 60, 140), 0.85, (255, 255, 255), (220, 230, 245)),
        subtitle=((255, 255, 255), (0, 0, 0), 0.07),
        caption=((255, 255, 255), (0, 0, 0)),
        ticker=((180, 20, 30), (255, 255, 255)),
    ),
    "broad": Style(
        title_font="source-serif-bold",
        text_font="source-serif",
        mono_font="dejavu-mono",
        slide=((24, 34, 44), (255, 210, 90), (228, 232, 236)),
        terminal=((250, 246, 232), (60, 62, 68)),
        plate=((245, 245, 245), 0.92, (20, 20, 20), (90, 20, 20)),
        subtitle=((255, 235, 60), (10, 10, 10), 0.06),
        caption=((255, 240, 120), (20, 20, 60)),
        ticker=((16, 16, 16), (250, 220, 80)),
        title_size=0.075,
        text_size=0.038,
        mono_size=0.026,
        caption_at=(0.55, 0.82),
        third_at=(0.30, 0.12),
    ),
    "tiny": Style(
        title_font="plain",
        text_font="plain",
        mono_font="plain",
        slide=((255, 255, 255), (0, 0, 0), (30, 30, 30)),
        terminal=((0, 0, 0), (235, 235, 235)),
        plate=((0, 0, 0), 1.0, (255, 255, 255), (255, 255, 255)),
        subtitle=((255, 255, 255), (0, 0, 0), 0.10),
        caption=((255, 255, 255), (0, 0, 0)),
        ticker=((0, 0, 0), (255, 255, 255)),
        title_size=0.12,
        text_size=0.09,
        mono_size=0.075,
        clock_size=0.22,
        subtitle_size=0.10,
        caption_size=0.10,
        third_at=(0.06, 0.62),
        subtitle_at=0.82,
    ),
    "held-out": Style(
        title_font="manrope-bold",
        text_font="hanken",
        mono_font="droid-mono",
        slide=((228, 238, 232), (150, 40, 20), (20, 60, 50)),
        terminal=((34, 20, 44), (240, 190, 230)),
        plate=((230, 120, 20), 0.75, (25, 15, 5), (60, 30, 10)),
        subtitle=((235, 255, 235), (30, 30, 30), 0.05),
        caption=((20, 20, 20), (250, 250, 250)),
        ticker=((20, 90, 60), (235, 255, 240)),
        title_size=0.058,
        text_size=0.046,
        mono_size=0.028,
        clock_size=0.09,
        subtitle_size=0.044,
        caption_size=0.052,
        left=0.20,
        caption_at=(0.35, 0.45),
        subtitle_at=0.10,
        third_at=(0.45, 0.55),
    ),
    "held-out-serif": Style(
        title_font="caladea-bold",
        text_font="caladea",
        mono_font="droid-mono",
        slide=((70, 16, 30), (250, 250, 250), (245, 225, 210)),
        terminal=((0, 40, 52), (147, 181, 181)),
        plate=((0, 0, 0), 0.55, (255, 255, 255), (255, 220, 120)),
        subtitle=((255, 255, 255), (0, 0, 0), 0.12),
        caption=((255, 255, 255), None),
        ticker=((235, 235, 235), (30, 30, 120)),
        title_size=0.085,
        text_size=0.034,
        mono_size=0.034,
        clock_size=0.20,
        subtitle_size=0.060,
        caption_size=0.038,
        left=0.04,
        caption_at=(0.10, 0.90),
        subtitle_at=0.80,
        third_at=(0.05, 0.05),
    ),
}
