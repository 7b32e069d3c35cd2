"""First family of clips, part two: films, and text that moves, fades, flashes or is typed."""

import random

import reading_texts_one as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Banded, Film, Pan, Shots, Size, photo, plain

HD: Size = (1280, 720)
PORTRAIT: Size = (720, 1280)


def film_captions(chance: random.Random) -> Drawing:
    """White letters with a thin shadow straight on a film."""
    face, items = font("inter", 40), []
    for number, line in enumerate(texts.FILM_CAPTIONS):
        x = (HD[0] - face.getlength(line)) / 2
        start = 300 + number * 2000
        items.append(Item(line, x, 620, face, (245, 245, 240), start, start + 1700, outline=(0, 0, 0), outline_px=2))
    return Drawing(HD, 12.5, [Scene(0, Film(HD, "bikes.mp4", chance))], items, fps=25)


def subtitles(chance: random.Random) -> Drawing:
    """Two lines in yellow on a film."""
    face, items = font("lora", 36, "700Bold"), []
    for number, lines in enumerate(texts.SUBTITLES):
        start = 400 + number * 2400
        for row, line in enumerate(lines):
            x = (HD[0] - face.getlength(line)) / 2
            y = 640 - 50 * (len(lines) - 1 - row)
            items.append(
                Item(line, x, y, face, (255, 226, 60), start, start + 2100, outline=(20, 20, 20), outline_px=2)
            )
    return Drawing(HD, 12.5, [Scene(0, Pan(HD, "chelsea.png", chance))], items, fps=24)


def lower_thirds(chance: random.Random) -> Drawing:
    """A name on a plate with a function below it, over a moving picture."""
    items = []
    for number, (name, role) in enumerate(texts.LOWER_THIRDS):
        start = 500 + number * 3000
        items.append(Item(name, 90, 540, font("oswald", 46), (255, 255, 255), start, start + 2500, plate=(160, 20, 30)))
        items.append(
            Item(
                role,
                90,
                625,
                font("inter", 26),
                (20, 20, 20),
                start,
                start + 2500,
                plate=(240, 240, 240),
                plate_opacity=0.9,
            )
        )
    return Drawing(HD, 12.5, [Scene(0, Pan(HD, "coffee.png", chance))], items)


def ticker(chance: random.Random) -> Drawing:
    """News that run from right to left on a band over a film; the channel's name stays."""
    face, speed, items, x = font("inter", 30, "700Bold"), 190.0, [], float(HD[0])
    for line in texts.TICKER:
        items.append(Item(line, x, 652, face, (255, 255, 255), 0, 18_000, dx=-speed))
        x += face.getlength(line) + 90
    items.append(Item("NEWS 24", 60, 60, font("oswald", 40), (255, 255, 255), 0, 18_000, plate=(190, 20, 30)))
    ground = Banded(Film(HD, "bikes.mp4", chance, brightness=0.8), (0, 636, 1280, 706), (12, 30, 80))
    return Drawing(HD, 18, [Scene(0, ground)], items)


def credits_roll(chance: random.Random) -> Drawing:
    """Roles and names that rise on black."""
    role, name, items = font("lora", 26), font("lora", 34, "700Bold"), []
    for number, (what, who) in enumerate(texts.CREDITS):
        y = HD[1] + number * 150
        for text, face, shift in ((what, role, 0), (who, name, 40)):
            x = (HD[0] - face.getlength(text)) / 2
            items.append(Item(text, x, y + shift, face, (235, 235, 235), 0, 16_000, dy=-120))
    return Drawing(HD, 16, [Scene(0, plain(HD, (4, 4, 6)))], items, fps=24)


def fades(chance: random.Random) -> Drawing:
    """Lines that fade in and out, then lines that are typed."""
    items = []
    serif, mono = font("playfair-display", 48), font("ibm-plex-mono", 30)
    for number, line in enumerate(texts.FADES):
        start = 200 + number * 2200
        x = (HD[0] - serif.getlength(line)) / 2
        items.append(Item(line, x, 320, serif, (240, 236, 226), start, start + 2000, fade_ms=500))
    begin = 200 + len(texts.FADES) * 2200
    for number, line in enumerate(texts.TYPED):
        start = begin + number * 1100
        items.append(Item(line, 90, 480 + number * 60, mono, (160, 240, 160), start, begin + 5500, typed_ms=900))
    return Drawing(HD, (begin + 5800) / 1000, [Scene(0, plain(HD, (16, 16, 20)))], items)


def flashes(chance: random.Random) -> Drawing:
    """Words that stand for 33 to 500 ms each."""
    items, ms = [], 500
    for number, (length_ms, text) in enumerate(texts.FLASHES):
        face = font("oswald", 90) if number % 2 else font("poppins", 80, "600SemiBold")
        x, y = 120 + chance.randint(0, 400), 120 + chance.randint(0, 380)
        items.append(Item(text, x, y, face, (20, 20, 24), ms, ms + length_ms))
        ms += length_ms + 700
    return Drawing(HD, ms / 1000, [Scene(0, plain(HD, (246, 214, 92)))], items, fps=30)


def watermark(chance: random.Random) -> Drawing:
    """Two half-transparent lines that stay while the photos behind them change."""
    names = ("chelsea.png", "coffee.png", "gravel.png", "rocket.jpg", "chelsea.png", "coffee.png")
    grounds = [photo(HD, name, chance) for name in names]
    scenes = [Scene(number * 1500, ground) for number, ground in enumerate(grounds)]
    first, second = texts.WATERMARK
    items = [
        Item(first, 60, 50, font("poppins", 34, "600SemiBold"), (255, 255, 255), 0, 9000, opacity=0.8, shadow_px=2),
        Item(second, 880, 650, font("poppins", 28), (255, 255, 255), 0, 9000, opacity=0.8, shadow_px=2),
    ]
    return Drawing(HD, 9, scenes, items)


def portrait(chance: random.Random) -> Drawing:
    """A phone's video, stored turned, with captions on plates."""
    face, items = font("poppins", 38, "600SemiBold"), []
    for number in range(0, len(texts.PORTRAIT), 2):
        start = number * 1250
        for row in range(2):
            line = texts.PORTRAIT[number + row]
            x = (PORTRAIT[0] - face.getlength(line)) / 2
            plate = (255, 255, 255) if number % 4 else None
            fill = (10, 10, 10) if plate else (255, 255, 255)
            items.append(
                Item(
                    line,
                    x,
                    820 + 90 * row,
                    face,
                    fill,
                    start + 200,
                    start + 2400,
                    plate=plate,
                    outline=None if plate else (0, 0, 0),
                    outline_px=0 if plate else 3,
                )
            )
    ground = Shots([Pan(PORTRAIT, "coffee.png", chance), Pan(PORTRAIT, "chelsea.png", chance)], 5000)
    return Drawing(PORTRAIT, 10, [Scene(0, ground)], items, fps=30, turned=90)


def wordless(chance: random.Random) -> Drawing:
    """A film and photos without a word: whatever is read is junk."""
    film, still = Film(HD, "bikes.mp4", chance), Pan(HD, "rocket.jpg", chance)
    return Drawing(HD, 10, [Scene(0, film), Scene(5000, still)], [])


MOVING: tuple[Style, ...] = (
    Style("film captions", film_captions),
    Style("two-line subtitles", subtitles),
    Style("lower thirds", lower_thirds),
    Style("news ticker", ticker),
    Style("rolling credits", credits_roll),
    Style("fades and typing", fades),
    Style("flashes", flashes),
    Style("watermark over photos", watermark),
    Style("portrait, turned", portrait),
    Style("wordless film", wordless),
)
