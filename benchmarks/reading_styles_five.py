"""Fifth family of clips: small, for a figure of the reader as it is after its misses in the fourth were worked on."""

import random
from dataclasses import replace

from PIL import ImageDraw

import reading_texts_five as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Banded, Film, Inset, Pan, Size, drawn, photo, plain

HD: Size = (1280, 720)
PORTRAIT: Size = (720, 1280)


def photo_slides(chance: random.Random) -> Drawing:
    """Slides of which a photo takes a third."""
    items, scenes = [], []
    for number, (heading, points) in enumerate(texts.SLIDES):
        start, end = number * 3600, (number + 1) * 3600
        page = plain(HD, (252, 250, 244))
        scenes.append(Scene(start, Inset(page, photo((420, 720), ("grass.png", "coffee.png")[number], chance), 860, 0)))
        items.append(Item(heading, 70, 70, font("jost", 54, "600SemiBold"), (150, 80, 0), start, end))
        for row, point in enumerate(points):
            items.append(Item(point, 90, 220 + row * 105, font("jost", 36), (50, 46, 40), start + 350 * row, end))
    return Drawing(HD, 7.2, scenes, items)


def review(chance: random.Random) -> Drawing:
    """Changed code on red and green bands."""
    face, items = font("noto-sans-mono", 18), []

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for row, (_, kind) in enumerate(texts.REVIEW):
            if kind:
                fill = (255, 225, 225) if kind == 1 else (218, 251, 225)
                pen.rectangle((120, 96 + row * 46, 1160, 96 + (row + 1) * 46), fill=fill)

    for row, (line, _) in enumerate(texts.REVIEW):
        x = 180 + face.getlength(" ") * (len(line) - len(line.lstrip()))
        items.append(Item(line.strip(), x, 104 + row * 46, face, (30, 34, 40), 0, 5000))
    return Drawing(HD, 5, [Scene(0, drawn(HD, (255, 255, 255), draw))], items)


def invoice(chance: random.Random) -> Drawing:
    ends, items = (170, 200, 820, 960, 1150), []
    for row, cells in enumerate((texts.INVOICE_HEADERS, *texts.INVOICE)):
        face = font("hind", 26, "" if row else "600SemiBold")
        for column, cell in enumerate(cells):
            x = ends[column] if column == 1 else ends[column] - face.getlength(cell)
            items.append(Item(cell, x, 110 + row * 76, face, (30, 30, 34), 0, 5000))
    face = font("hind", 30, "600SemiBold")
    name, total = texts.INVOICE_TOTAL
    items += [
        Item(name, 200, 600, face, (30, 30, 34), 1000, 5000),
        Item(total, 1150 - face.getlength(total), 600, face, (30, 30, 34), 1000, 5000),
    ]
    page = drawn(HD, (255, 255, 255), lambda pen: pen.line((100, 580, 1180, 580), fill=(60, 60, 60), width=2))
    return Drawing(HD, 5, [Scene(0, page)], items)


def documentary(chance: random.Random) -> Drawing:
    """White letters with a soft shadow on a film with grain."""
    face, items = font("asap", 38), []
    for number, lines in enumerate(texts.DOCUMENTARY):
        start = 400 + number * 2400
        for row, line in enumerate(lines):
            x, y = (HD[0] - face.getlength(line)) / 2, 630 - 58 * (len(lines) - 1 - row)
            items.append(Item(line, x, y, face, (255, 255, 255), start, start + 2100, shadow_px=3))
    return Drawing(HD, 7.8, [Scene(0, Film(HD, "bikes.mp4", chance, brightness=0.85))], items, fps=24, grain=4.0)


def breaking(chance: random.Random) -> Drawing:
    """A ticker whose first item is wider than the picture."""
    face, items, x = font("fjalla-one", 34), [], 900.0
    for line in texts.BREAKING:
        items.append(Item(line, x, 640, face, (255, 255, 255), 0, 15_000, dx=-230))
        x += face.getlength(line) + 110
    ground = Banded(Film(HD, "carphone_pristine.mp4", chance), (0, 628, 1280, 696), (170, 0, 20))
    return Drawing(HD, 15, [Scene(0, ground)], items, fps=30)


def cards(chance: random.Random) -> Drawing:
    """Credits as cards that fade in and out over a moving picture."""
    items = []
    for number, lines in enumerate(texts.CARDS):
        start = 300 + number * 2500
        for row, line in enumerate(lines):
            face = font("domine", 46, "700Bold") if row else font("domine", 30)
            x, y = (HD[0] - face.getlength(line)) / 2, 260 + row * 80
            items.append(Item(line, x, y, face, (245, 240, 230), start, start + 2300, fade_ms=400, shadow_px=2))
    return Drawing(HD, 8, [Scene(0, Pan(HD, "rocket.jpg", chance, brightness=0.5))], items)


def race(chance: random.Random) -> Drawing:
    """Places and gaps of a race, which change half-way, over a film."""
    items = []
    for turn in range(2):
        for row, (place, gap) in enumerate(zip(texts.RACE[turn], texts.RACE_GAPS[turn], strict=True)):
            start, y = turn * 3000, 60 + row * 64
            shown = Item(place, 70, y, font("russo-one", 28), (255, 255, 255), start, start + 3000, plate=(20, 20, 26))
            items += [shown, replace(shown, text=gap, x=230, fill=(250, 220, 60))]
    return Drawing(HD, 6, [Scene(0, Film(HD, "bigbuckbunny.mp4", chance))], items)


def recipe(chance: random.Random) -> Drawing:
    """A recipe on a phone, scrolled once."""
    items, path = [], ((0, 0.0, 0.0), (2800, 0.0, 0.0), (3500, 0.0, -420.0))
    for row, line in enumerate(texts.RECIPE):
        face, fill = font("comfortaa", 44 if row == 0 else 32), (90, 40, 20) if row == 0 else (40, 40, 40)
        shown = Item(line, 50, 120 + row * 125, face, fill, 0, 6500)
        items.append(replace(shown, path=path, window=(0, 90, 720, 1190)))
    return Drawing(PORTRAIT, 6.5, [Scene(0, plain(PORTRAIT, (255, 248, 236)))], items, fps=30)


def notes(chance: random.Random) -> Drawing:
    """Notes by hand, a little askew, on a wall."""
    items = [
        Item(
            line,
            130 + row % 2 * 480,
            120 + row * 130,
            font("gaegu", 56),
            (40, 40, 60),
            row * 700,
            6000,
            plate=(255, 242, 150),
            angle=(-3.0, 4.0, 2.0, -2.0)[row],
        )
        for row, line in enumerate(texts.NOTES)
    ]
    return Drawing(HD, 6, [Scene(0, photo(HD, "brick.png", chance))], items)


def repl(chance: random.Random) -> Drawing:
    face, items, ms = font("cousine", 26), [], 300
    for row, line in enumerate(texts.REPL):
        is_typed = line.startswith(">>>")
        items.append(Item(line, 80, 90 + row * 80, face, (220, 220, 210), ms, 7500, typed_ms=800 if is_typed else 0))
        ms += 1200 if is_typed else 500
    return Drawing(HD, 7.5, [Scene(0, plain(HD, (0, 43, 54)))], items)


def map_labels(chance: random.Random) -> Drawing:
    """A map that is dragged twice; its labels are in several languages."""

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for _ in range(16):
            points = [(chance.randint(0, 1280), chance.randint(0, 720)) for _ in range(3)]
            pen.line(points, fill=(255, 255, 255), width=chance.choice((6, 10, 16)), joint="curve")

    path = ((0, 0.0, 0.0), (2200, 0.0, 0.0), (2700, -140.0, -60.0), (4600, -140.0, -60.0), (5000, -40.0, 50.0))
    items = [
        Item(
            label, 220 + row % 2 * 500, 140 + row // 2 * 200, font("public-sans", 28), (60, 60, 70), 0, 6500, path=path
        )
        for row, label in enumerate(texts.MAP_LABELS)
    ]
    return Drawing(HD, 6.5, [Scene(0, drawn(HD, (235, 230, 220), draw))], items, fps=30)


def wordless(chance: random.Random) -> Drawing:
    """Film and textures without a word."""
    film, still = Film(HD, "bikes.mp4", chance), Pan(HD, "hubble_deep_field.jpg", chance)
    return Drawing(HD, 8, [Scene(0, film), Scene(4000, still)], [], grain=3.0)


STYLES: tuple[Style, ...] = (
    Style("slides with photos", photo_slides),
    Style("code review", review),
    Style("invoice", invoice),
    Style("documentary", documentary),
    Style("breaking news", breaking),
    Style("credit cards", cards),
    Style("race", race),
    Style("recipe, scrolled", recipe),
    Style("notes on a wall", notes),
    Style("interpreter", repl),
    Style("map, dragged", map_labels),
    Style("wordless film and stars", wordless),
)
