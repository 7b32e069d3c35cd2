"""Sixth family of clips: written after the reader was frozen, and read once."""

import random

from PIL import ImageDraw

import reading_texts_six as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Banded, Film, Pan, Size, drawn, photo, plain

HD: Size = (1280, 720)
PORTRAIT: Size = (720, 1280)


def departures(chance: random.Random) -> Drawing:
    """A board with dots for letters, whose last row changes."""
    items = []
    for row, cells in enumerate((texts.DEPARTURES_HEADERS, *texts.DEPARTURES)):
        for cell, x in zip(cells, (80, 300, 720, 1060), strict=True):
            fill = (255, 176, 0) if row else (200, 200, 200)
            items.append(Item(cell, x, 80 + row * 110, font("dotgothic16", 46 if row else 32), fill, 0, 4000))
    return Drawing(HD, 4, [Scene(0, plain(HD, (10, 10, 12)))], items)


def bank(chance: random.Random) -> Drawing:
    items, face = [], font("ibm-plex-sans", 24)
    for row, cells in enumerate((texts.BANK_HEADERS, *texts.BANK)):
        for column, cell in enumerate(cells):
            x = (90, 240)[column] if column < 2 else (900, 1120)[column - 2] - face.getlength(cell)
            items.append(Item(cell, x, 120 + row * 84, face, (20, 24, 30), 0, 4000))
    ground = drawn(HD, (255, 255, 255), lambda pen: pen.line((80, 180, 1140, 180), fill=(210, 214, 220), width=2))
    return Drawing(HD, 4, [Scene(0, ground)], items)


def calendar(chance: random.Random) -> Drawing:
    """A week with coloured blocks; an entry is added after a while."""

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for day in range(6):
            pen.line((130 + day * 220, 60, 130 + day * 220, 720), fill=(220, 222, 226))
        for row in range(6):
            pen.line((0, 90 + row * 100, 1280, 90 + row * 100), fill=(232, 234, 238))

    colours = ((52, 120, 246), (30, 140, 90), (200, 80, 40), (130, 60, 170))
    items = [
        Item(hour, 40, 98 + row * 100, font("overpass", 20), (110, 114, 120), 0, 4000)
        for row, hour in enumerate(texts.CALENDAR_HOURS)
    ]
    items += [
        Item(day, 150 + number * 220, 40, font("overpass", 26), (40, 42, 48), 0, 4000)
        for number, day in enumerate(texts.CALENDAR_DAYS)
    ]
    for number, (day, row, text) in enumerate(texts.CALENDAR):
        start = 1500 if number == 2 else 0
        x, y, plate = 142 + day * 220, 130 + row * 100, colours[number % 4]
        items.append(Item(text, x, y, font("overpass", 22), (255, 255, 255), start, 4000, plate=plate))
    return Drawing(HD, 4, [Scene(0, drawn(HD, (255, 255, 255), draw))], items)


def mail(chance: random.Random) -> Drawing:
    """Three panes in small print."""

    def draw(pen: ImageDraw.ImageDraw) -> None:
        pen.rectangle((0, 0, 200, 720), fill=(32, 44, 60))
        pen.line((560, 0, 560, 720), fill=(200, 204, 210))

    items = [
        Item(name, 30, 60 + row * 52, font("ibm-plex-sans", 19), (214, 220, 230), 0, 4000)
        for row, name in enumerate(texts.MAIL_FOLDERS)
    ]
    for row, (who, subject) in enumerate(texts.MAIL):
        items.append(Item(who, 230, 50 + row * 100, font("ibm-plex-sans", 20, "600SemiBold"), (20, 20, 20), 0, 4000))
        items.append(Item(subject, 230, 82 + row * 100, font("ibm-plex-sans", 17), (90, 94, 100), 0, 4000))
    items += [
        Item(line, 600, 120 + row * 56, font("crimson-pro", 28), (30, 30, 30), 1000, 4000)
        for row, line in enumerate(texts.MAIL_BODY)
    ]
    return Drawing(HD, 4, [Scene(0, drawn(HD, (250, 250, 252), draw))], items)


def security_camera(chance: random.Random) -> Drawing:
    """A name and a clock burnt into a noisy picture."""
    face = font("azeret-mono", 24)
    items = [Item(texts.CAMERA, 30, 24, face, (255, 255, 255), 0, 4000, outline=(0, 0, 0), outline_px=2)]
    for number, at in enumerate(texts.CAMERA_TIMES):
        start = number * 1000
        items.append(Item(at, 880, 670, face, (255, 255, 255), start, start + 1000, outline=(0, 0, 0), outline_px=2))
    film = Film(HD, "bikes.mp4", chance, brightness=0.7)
    return Drawing(HD, 4, [Scene(0, film)], items, fps=15, crf=28, grain=7.0)


def cooking(chance: random.Random) -> Drawing:
    """Ingredients in a soft serif over film, on plates that let it through, fading in and out."""
    items = []
    for number, lines in enumerate(texts.INGREDIENTS):
        for row, line in enumerate(lines):
            start = 200 + number * 1700
            shown = font("bree-serif", 44)
            items.append(
                Item(
                    line,
                    110,
                    430 + row * 90,
                    shown,
                    (70, 40, 20),
                    start,
                    start + 1600,
                    plate=(255, 250, 240),
                    plate_opacity=0.75,
                    fade_ms=250,
                )
            )
    return Drawing(HD, 5.2, [Scene(0, Film(HD, "carphone_pristine.mp4", chance))], items)


def swimming(chance: random.Random) -> Drawing:
    """Lanes of a race: plates side by side, row by row, over film."""
    items, plates = [], ((20, 60, 120), (20, 60, 120), (240, 240, 240), (250, 210, 40))
    for row, cells in enumerate(texts.SWIMMING):
        for column, cell in enumerate(cells):
            fill = (255, 255, 255) if column < 2 else (10, 10, 20)
            x, y = (70, 120, 420, 530)[column], 380 + row * 66
            items.append(Item(cell, x, y, font("kanit", 30), fill, row * 400, 4000, plate=plates[column]))
    return Drawing(HD, 4, [Scene(0, Film(HD, "bigbuckbunny.mp4", chance, brightness=0.8))], items)


def chart(chance: random.Random) -> Drawing:
    heights = [chance.randint(150, 480) for _ in range(12)]

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for row in range(4):
            pen.line((140, 560 - row * 120, 1200, 560 - row * 120), fill=(215, 215, 220))
        pen.line([(150 + n * 92, 620 - h) for n, h in enumerate(heights)], fill=(200, 70, 40), width=4)

    face, title = font("source-serif-4", 24), texts.CHART[0]
    items = [Item(title, 140, 40, font("source-serif-4", 36), (30, 30, 30), 0, 4000)]
    items += [Item(text, 180 + n * 280, 600, face, (80, 80, 80), 0, 4000) for n, text in enumerate(texts.CHART[1:5])]
    items += [Item(text, 70, 545 - n * 120, face, (80, 80, 80), 0, 4000) for n, text in enumerate(texts.CHART[5:9])]
    items.append(Item(texts.CHART[9], 760, 120, face, (200, 70, 40), 1500, 4000))
    return Drawing(HD, 4, [Scene(0, drawn(HD, (253, 252, 248), draw))], items)


def notebook(chance: random.Random) -> Drawing:
    """Cells of code with their prompts in a column of their own, which appear one by one."""
    items, face = [], font("azeret-mono", 19)
    for row, (prompt, line) in enumerate(texts.NOTEBOOK):
        y, start = 90 + row * 96, row * 500
        if prompt:
            items.append(Item(prompt, 60, y, face, (48, 63, 159), start, 4500))
        items.append(Item(line, 220, y, face, (30, 30, 30), start, 4500))
    return Drawing(HD, 4.5, [Scene(0, plain(HD, (247, 247, 247)))], items)


def theorem(chance: random.Random) -> Drawing:
    items = [
        Item(line, 110, 110 + row * 120, font("source-serif-4", 46 if row == 0 else 36), (16, 16, 60), row * 600, 4000)
        for row, line in enumerate(texts.THEOREM)
    ]
    return Drawing(HD, 4, [Scene(0, plain(HD, (255, 255, 255)))], items)


def live_captions(chance: random.Random) -> Drawing:
    """Captions that gain a word at a time, over a speaker."""
    items = []
    for number, line in enumerate(texts.LIVE_CAPTIONS):
        start = 200 + number * 2200
        items.append(
            Item(
                line,
                360,
                620,
                font("overpass", 36),
                (255, 255, 255),
                start,
                start + 2100,
                plate=(0, 0, 0),
                typed_ms=900,
            )
        )
    return Drawing(HD, 6.8, [Scene(0, Film(HD, "carphone_pristine.mp4", chance))], items)


def street(chance: random.Random) -> Drawing:
    """Enamel signs on walls, askew as the camera is."""
    items, scenes = [], []
    looks = (((20, 60, 150), (255, 255, 255)), ((255, 255, 255), (190, 20, 30)))
    for number, (text, angle) in enumerate(texts.STREET):
        start = number // 2 * 2000
        if number % 2 == 0:
            scenes.append(Scene(start, photo(HD, ("gravel.png", "brick.png")[number // 2], chance)))
        plate, fill = looks[number % 2]
        x, y, face = 150 + number % 2 * 480, 160 + number % 2 * 260, font("cairo", 58)
        items.append(Item(text, x, y, face, fill, start, start + 2000, plate=plate, angle=angle))
    return Drawing(HD, 4, scenes, items)


def lock_screen(chance: random.Random) -> Drawing:
    """A phone with two messages that come in."""
    clock, day, *rest = texts.LOCK_SCREEN
    light, items = (255, 255, 255), []
    items.append(Item(clock, 220, 180, font("oxanium", 130), light, 0, 4000))
    items.append(Item(day, 210, 350, font("cairo", 36), light, 0, 4000))
    for row, text in enumerate(rest):
        face = font("cairo", 28) if row % 2 else font("cairo", 28, "700Bold")
        start = 800 * (1 + row // 2)
        items.append(Item(text, 80, 620 + row * 70, face, (20, 20, 20), start, 4000, plate=(235, 235, 240)))
    return Drawing(PORTRAIT, 4, [Scene(0, photo(PORTRAIT, "rocket.jpg", chance, brightness=0.7))], items)


def callouts(chance: random.Random) -> Drawing:
    """Wide letters on a moving picture, which appear one after the other."""
    items = [
        Item(text, 120 + row % 2 * 560, 120 + row * 130, font("oxanium", 40), (255, 255, 255), row * 500, 4500)
        for row, text in enumerate(texts.CALLOUTS)
    ]
    return Drawing(HD, 4.5, [Scene(0, Pan(HD, "motorcycle_left.png", chance, brightness=0.35))], items)


def scrolled_credits(chance: random.Random) -> Drawing:
    items = []
    for row, line in enumerate(texts.SCROLLED_CREDITS):
        face = font("crimson-pro", 40)
        items.append(
            Item(line, (HD[0] - face.getlength(line)) / 2, 740 + row * 110, face, (240, 240, 240), 0, 9000, dy=-150)
        )
    return Drawing(HD, 9, [Scene(0, Film(HD, "bikes.mp4", chance, brightness=0.35))], items, fps=24)


def markets(chance: random.Random) -> Drawing:
    items, x, face = [], 700.0, font("kanit", 34)
    for line in texts.MARKETS:
        items.append(Item(line, x, 652, face, (255, 220, 80), 0, 10_000, dx=-210))
        x += face.getlength(line) + 90
    ground = Banded(Film(HD, "bigbuckbunny.mp4", chance), (0, 640, 1280, 708), (16, 24, 60))
    return Drawing(HD, 10, [Scene(0, ground)], items)


def hexadecimal(chance: random.Random) -> Drawing:
    items = [
        Item(line, 90, 100 + row * 90, font("courier-prime", 26), (160, 255, 170), 0, 4000)
        for row, line in enumerate(texts.HEX)
    ]
    return Drawing(HD, 4, [Scene(0, plain(HD, (12, 16, 12)))], items)


def wordless(chance: random.Random) -> Drawing:
    """Film and stones without a word."""
    film, still = Film(HD, "bigbuckbunny.mp4", chance), Pan(HD, "coins.png", chance)
    return Drawing(HD, 6, [Scene(0, film), Scene(3000, still)], [], grain=2.0)


STYLES: tuple[Style, ...] = (
    Style("departure board", departures),
    Style("bank statement", bank),
    Style("calendar", calendar),
    Style("mail", mail),
    Style("security camera", security_camera),
    Style("cooking show", cooking),
    Style("swimming", swimming),
    Style("chart", chart),
    Style("notebook", notebook),
    Style("theorem", theorem),
    Style("live captions", live_captions),
    Style("street signs", street),
    Style("lock screen", lock_screen),
    Style("callouts", callouts),
    Style("credits over film", scrolled_credits),
    Style("markets ticker", markets),
    Style("hexadecimal", hexadecimal),
    Style("wordless film and coins", wordless),
)
