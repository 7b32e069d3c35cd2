"""Second family of clips, part two: films, and text that moves, fades, flashes or is typed."""

import random

import reading_texts_two as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Banded, Film, Pan, Size, photo, plain

HD: Size = (1280, 720)
PORTRAIT: Size = (720, 1280)


def film_lines(chance: random.Random) -> Drawing:
    """Letters with a soft shadow and no outline on an animated film."""
    face, items = font("lato", 42, "700Bold"), []
    for number, line in enumerate(texts.FILM):
        start = 500 + number * 2300
        x = (HD[0] - face.getlength(line)) / 2
        items.append(Item(line, x, 610, face, (255, 255, 250), start, start + 1900, shadow_px=3))
    return Drawing(HD, 12.5, [Scene(0, Film(HD, "bigbuckbunny.mp4", chance))], items, fps=25)


def interview(chance: random.Random) -> Drawing:
    """Subtitles of one or two lines on a half-transparent plate."""
    face, items = font("montserrat", 32, "600SemiBold"), []
    for number, lines in enumerate(texts.INTERVIEW):
        start = 300 + number * 2400
        for row, line in enumerate(lines):
            x = (HD[0] - face.getlength(line)) / 2
            y = 630 - 62 * (len(lines) - 1 - row)
            items.append(
                Item(line, x, y, face, (255, 255, 255), start, start + 2200, plate=(0, 0, 0), plate_opacity=0.6)
            )
    return Drawing(HD, 10.5, [Scene(0, Film(HD, "carphone_pristine.mp4", chance))], items)


def guests(chance: random.Random) -> Drawing:
    items = []
    for number, (name, role) in enumerate(texts.GUESTS):
        start = 400 + number * 2900
        items.append(
            Item(
                name,
                700,
                500,
                font("roboto-slab", 44, "700Bold"),
                (20, 30, 60),
                start,
                start + 2400,
                plate=(250, 220, 90),
            )
        )
        items.append(Item(role, 700, 590, font("lato", 28), (255, 255, 255), start, start + 2400, plate=(20, 30, 60)))
    return Drawing(HD, 9.5, [Scene(0, Pan(HD, "astronaut.png", chance))], items)


def crawl(chance: random.Random) -> Drawing:
    """A crawl at the top, faster and smaller than the first family's."""
    face, speed, items, x = font("barlow-condensed", 34, "600SemiBold"), 240.0, [], float(HD[0])
    for line in texts.TICKER:
        items.append(Item(line, x, 18, face, (20, 20, 20), 0, 14_000, dx=-speed))
        x += face.getlength(line) + 110
    ground = Banded(Pan(HD, "rocket.jpg", chance), (0, 8, 1280, 70), (250, 210, 40))
    return Drawing(HD, 14, [Scene(0, ground)], items, fps=30)


def cast_list(chance: random.Random) -> Drawing:
    """Roles left, names right, rising over a dark photo."""
    items = []
    for number, (what, who) in enumerate(texts.CREDITS):
        y = HD[1] + number * 110
        face = font("merriweather", 30)
        items.append(Item(what, 560 - face.getlength(what), y, face, (200, 205, 215), 0, 13_000, dy=-105))
        items.append(Item(who, 720, y, font("merriweather", 30, "700Bold"), (255, 255, 255), 0, 13_000, dy=-105))
    return Drawing(HD, 13, [Scene(0, photo(HD, "moon.png", chance, brightness=0.25))], items)


def titles(chance: random.Random) -> Drawing:
    items = []
    for number, line in enumerate(texts.TITLES):
        face, start = font("merriweather", 50), 300 + number * 2600
        x = (HD[0] - face.getlength(line)) / 2
        items.append(Item(line, x, 330, face, (250, 250, 250), start, start + 2400, fade_ms=600))
    begin = 300 + 2600 * len(texts.TITLES)
    for number, line in enumerate(texts.PROMPT):
        start = begin + number * 1300
        items.append(
            Item(
                line, 120, 420 + number * 64, font("fira-code", 30), (90, 220, 255), start, begin + 5200, typed_ms=1000
            )
        )
    return Drawing(HD, (begin + 5400) / 1000, [Scene(0, plain(HD, (10, 12, 30)))], items)


def blinks(chance: random.Random) -> Drawing:
    items, ms = [], 600
    for length_ms, text in texts.BLINKS:
        x, y = 150 + chance.randint(0, 420), 150 + chance.randint(0, 340)
        items.append(Item(text, x, y, font("montserrat", 84, "600SemiBold"), (255, 255, 255), ms, ms + length_ms))
        ms += length_ms + 600
    return Drawing(HD, ms / 1000, [Scene(0, plain(HD, (150, 30, 60)))], items, fps=30)


def logo(chance: random.Random) -> Drawing:
    names = ("grass.png", "astronaut.png", "moon.png", "motorcycle_left.png", "brick.png")
    scenes = [Scene(number * 1700, photo(HD, name, chance)) for number, name in enumerate(names)]
    first, second = texts.LOGO
    items = [
        Item(
            first, 900, 48, font("montserrat", 40, "600SemiBold"), (255, 255, 255), 0, 8500, opacity=0.85, shadow_px=2
        ),
        Item(second, 60, 660, font("lato", 26), (255, 255, 255), 0, 8500, opacity=0.85, shadow_px=2),
    ]
    return Drawing(HD, 8.5, scenes, items)


def short_video(chance: random.Random) -> Drawing:
    """A phone's video with heavy outlined words, two lines at a time."""
    face, items = font("anton", 58), []
    for number in range(0, len(texts.VERTICAL), 2):
        start = number * 1400
        for row in range(2):
            line = texts.VERTICAL[number + row]
            x = (PORTRAIT[0] - face.getlength(line)) / 2
            items.append(
                Item(
                    line,
                    x,
                    300 + 110 * row,
                    face,
                    (255, 240, 60),
                    start + 200,
                    start + 2600,
                    outline=(0, 0, 0),
                    outline_px=5,
                )
            )
    return Drawing(PORTRAIT, 8.4, [Scene(0, Pan(PORTRAIT, "motorcycle_left.png", chance))], items, fps=30, turned=90)


def wordless(chance: random.Random) -> Drawing:
    """Films without a word: whatever is read is junk."""
    film, still = Film(HD, "bigbuckbunny.mp4", chance), Pan(HD, "grass.png", chance)
    return Drawing(HD, 10, [Scene(0, film), Scene(5000, still)], [])


MOVING: tuple[Style, ...] = (
    Style("film lines", film_lines),
    Style("interview subtitles", interview),
    Style("guests' names", guests),
    Style("crawl at the top", crawl),
    Style("cast list", cast_list),
    Style("titles and a prompt", titles),
    Style("blinks", blinks),
    Style("logo over photos", logo),
    Style("short video", short_video),
    Style("wordless films", wordless),
)
