"""Scenes of clips, each with words whose time and position are known."""

from support.clip_maker.clip import Scene, Words
from support.clip_maker.fonts import font
from support.clip_maker.pictures import Film, Paper, Photograph
from support.clip_maker.styles import Style
from support.clip_maker.texts import TextGenerator


class Stage:
    """What scenes share: picture size, style and the source of texts."""

    def __init__(self, size: tuple[int, int], style: Style, seed: int) -> None:
        self.size = size
        self.style = style
        self.seed = seed
        self.texts = TextGenerator(seed)
        self._said: set[str] = set()

    def px(self, part: float) -> int:
        return max(1, round(part * self.size[1]))

    def x(self, part: float) -> int:
        return round(part * self.size[0])

    def fresh(self, write: str, *, face: str, size: int, room: int) -> str:
        """A line that fits and was not shown in this clip before."""
        for _ in range(300):
            line: str = getattr(self.texts, write)()
            if line not in self._said and font(face, size).getlength(line) <= room:
                break
        self._said.add(line)
        return line


def slides(stage: Stage, start: int, end: int) -> Scene:
    """A title, then points that appear one after the other."""
    look, style = stage.style.slide, stage.style
    size, pitch = stage.px(style.text_size), 2.1
    room = stage.x(1 - style.left) - size
    left = stage.x(style.left)
    title_size = stage.px(style.title_size)
    title = stage.fresh("title", face=style.title_font, size=title_size, room=room)
    words = [Words(title, left, stage.px(0.10), style.title_font, title_size, look[1], start, end, "title")]
    count = max(1, min(5, (end - start) // 900 - 1))
    for number in range(count):
        line = stage.fresh("bullet", face=style.text_font, size=size, room=room)
        y = stage.px(0.16) + title_size + round(number * pitch * size)
        appears = start + (number + 1) * (end - start) // (count + 2)
        if y + size < stage.size[1]:
            words.append(Words(line, left, y, style.text_font, size, look[2], appears, end, "bullet"))
    return Scene(start, end, Paper(stage.size, look[0], slope=0.06), words)


def clock(stage: Stage, start: int, end: int) -> Scene:
    """A clock that changes every second."""
    style = stage.style
    size = stage.px(style.clock_size)
    label_size = stage.px(style.text_size)
    words = [
        Words(
            "Time remaining",
            stage.x(style.left),
            stage.px(0.2),
            style.text_font,
            label_size,
            style.slide[2],
            start,
            end,
            "label",
        )
    ]
    for number, at in enumerate(range(start, end, 1000)):
        left = 3600 - 7 * stage.seed % 600 - number
        shown = f"{left // 60:02d}:{left % 60:02d}"
        words.append(
            Words(
                shown,
                stage.x(style.left),
                stage.px(0.4),
                style.title_font,
                size,
                style.slide[1],
                at,
                min(end, at + 1000),
                "clock",
            )
        )
    return Scene(start, end, Paper(stage.size, style.slide[0], slope=0.2), words)


def lower_thirds(stage: Stage, start: int, end: int, *, subject: str = "hills") -> Scene:
    """Names on plates and a ticker, over film."""
    style = stage.style
    colour, opacity, name_ink, role_ink = style.plate
    name_size, role_size = stage.px(style.text_size * 1.15), stage.px(style.text_size * 0.8)
    x, y = stage.x(style.third_at[0]), stage.px(style.third_at[1])
    words: list[Words] = []
    count = max(1, (end - start) // 3300)
    for number in range(count):
        begins = start + number * (end - start) // count + 400
        ends = start + (number + 1) * (end - start) // count - 400
        for write, face, size, ink, top in (
            ("name", style.title_font, name_size, name_ink, y),
            ("role", style.text_font, role_size, role_ink, y + round(name_size * 1.9)),
        ):
            line = stage.fresh(write, face=face, size=size, room=stage.size[0] - x)
            words.append(
                Words(line, x, top, face, size, ink, begins, ends, "third", plate=colour, plate_opacity=opacity)
            )
    paper, ink = style.ticker
    ticker_size = stage.px(style.text_size * 0.85)
    line = stage.texts.ticker()
    bottom = stage.size[1] - round(ticker_size * 1.6)
    words.append(
        Words(
            line,
            stage.x(0.5),
            bottom,
            style.text_font,
            ticker_size,
            ink,
            start,
            end,
            "ticker",
            plate=paper,
            speed=stage.size[0] * 0.11,
        )
    )
    return Scene(start, end, Film(stage.size, stage.seed + start, subject=subject), words)


def terminal(stage: Stage, start: int, end: int) -> Scene:
    """Lines of a program that come quickly and stay."""
    style = stage.style
    screen, ink = style.terminal
    size = stage.px(style.mono_size)
    room = stage.size[0] - 2 * size
    count = min((end - start) // 350 - 1, int(stage.size[1] / (1.7 * size)) - 1)
    words = []
    for number in range(max(1, count)):
        line = stage.fresh("command", face=style.mono_font, size=size, room=room)
        appears = start + 100 + number * 340
        words.append(
            Words(line, size, size + round(number * 1.7 * size), style.mono_font, size, ink, appears, end, "terminal")
        )
    return Scene(start, end, Paper(stage.size, screen), words)


def captions(stage: Stage, start: int, end: int, *, subject: str = "hills", every_ms: int = 700) -> Scene:
    """A caption on a photograph of which one digit changes at a time."""
    style = stage.style
    ink, edge = style.caption
    size = stage.px(style.caption_size)
    x, y = stage.x(style.caption_at[0]), stage.px(style.caption_at[1])
    first = 2410 + stage.seed * 37 % 500
    words = []
    for number, at in enumerate(range(start, end, every_ms)):
        shown = f"Photo {first + number} of 5000"
        words.append(
            Words(
                shown,
                x,
                y,
                style.title_font,
                size,
                ink,
                at,
                min(end, at + every_ms),
                "digits",
                outline=edge,
                outline_px=0 if edge is None else max(1, round(size * 0.07)),
            )
        )
    return Scene(start, end, Photograph(stage.size, stage.seed + start, subject=subject), words)


def subtitles(stage: Stage, start: int, end: int, *, on_film: bool = False, subject: str = "hills") -> Scene:
    """Spoken lines over a photograph or film, with pauses."""
    style = stage.style
    ink, edge, width = style.subtitle
    size = stage.px(style.subtitle_size)
    words = []
    count = max(1, (end - start) // 2400)
    for number in range(count):
        line = stage.fresh("subtitle", face=style.text_font, size=size, room=stage.x(0.92))
        x = round((stage.size[0] - font(style.text_font, size).getlength(line)) / 2)
        begins = start + number * (end - start) // count + 200
        ends = start + (number + 1) * (end - start) // count - 200
        words.append(
            Words(
                line,
                x,
                stage.px(style.subtitle_at),
                style.text_font,
                size,
                ink,
                begins,
                ends,
                "subtitle",
                outline=edge,
                outline_px=max(1, round(size * width)),
            )
        )
    scenery = Film if on_film else Photograph
    return Scene(start, end, scenery(stage.size, stage.seed + start + 1, subject=subject), words)


def fades(stage: Stage, start: int, end: int) -> Scene:
    """A line that fades in and out slowly."""
    style = stage.style
    size = stage.px(style.title_size)
    line = stage.fresh("title", face=style.title_font, size=size, room=stage.x(1 - style.left))
    long = (end - start) // 3
    words = [
        Words(
            line,
            stage.x(style.left),
            stage.px(0.4),
            style.title_font,
            size,
            style.slide[1],
            start,
            end,
            "fade",
            fade_ms=long,
        )
    ]
    return Scene(start, end, Paper(stage.size, style.slide[0]), words)


def film(stage: Stage, start: int, end: int, *, subject: str = "hills") -> Scene:
    """A moving scene without text."""
    return Scene(start, end, Film(stage.size, stage.seed + start, subject=subject))


def photographs(stage: Stage, start: int, end: int, *, subject: str = "hills") -> Scene:
    """A static scene without text."""
    return Scene(start, end, Photograph(stage.size, stage.seed + start, subject=subject))
