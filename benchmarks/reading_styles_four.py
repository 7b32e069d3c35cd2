"""Fourth family of clips, part one: talks, screens, tables and signs as they are met in recordings. `STYLES` has all of it."""

import random

from PIL import ImageDraw

import reading_texts_four as texts
from reading_drawing import Box, Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Colour, Film, Inset, Pan, Size, drawn, photo, plain
from reading_moving_four import MOVING, steps

HD: Size = (1280, 720)
FULL_HD: Size = (1920, 1080)
PORTRAIT: Size = (720, 1280)


def camera_talk(chance: random.Random) -> Drawing:
    """Slides with the speaker, who moves, in a corner."""
    items, scenes = [], []
    for number, (heading, points) in enumerate(texts.CAMERA_TALK):
        start, end = number * 4000, (number + 1) * 4000
        slide = drawn(HD, (255, 255, 255), lambda pen: pen.rectangle((0, 690, 1280, 720), fill=(0, 94, 130)))
        scenes.append(Scene(start, Inset(slide, Film((320, 240), "carphone_pristine.mp4", chance), 940, 20)))
        items.append(Item(heading, 60, 60, font("dm-sans", 48, "700Bold"), (0, 94, 130), start, end))
        for row, point in enumerate(points):
            items.append(Item(point, 90, 200 + row * 110, font("dm-sans", 36), (40, 40, 40), start + 500 * row, end))
    return Drawing(HD, 8, scenes, items)


def squeezed_talk(chance: random.Random) -> Drawing:
    """Slides at a bit rate that leaves blocks and halos around letters."""
    items, scenes = [], []
    for number, (heading, points) in enumerate(texts.SQUEEZED_TALK):
        start, end = number * 3500, (number + 1) * 3500
        scenes.append(Scene(start, plain(HD, (20, 40, 80), (50, 80, 140))))
        items.append(Item(heading, 80, 70, font("heebo", 50, "700Bold"), (255, 255, 255), start, end))
        for row, point in enumerate(points):
            items.append(Item(point, 120, 210 + row * 100, font("heebo", 32), (225, 232, 245), start, end))
    return Drawing(HD, 7, scenes, items, crf=38)


def phone(chance: random.Random) -> Drawing:
    """A list on a phone that a finger scrolls twice, below a bar that stays."""
    window: Box = (0, 150, 720, 1130)
    path = steps((2200, 4400), 400, 350)
    items = [
        Item("Reminders", 40, 70, font("manrope", 46, "700Bold"), (10, 10, 14), 0, 7000),
        Item("9:41", 610, 16, font("manrope", 26, "700Bold"), (10, 10, 14), 0, 7000),
    ]
    for row, (day, what, when) in enumerate(texts.PHONE):
        y = 180 + row * 200
        for text, x, down, face, fill in (
            (day, 50, 0, font("manrope", 24), (130, 130, 140)),
            (what, 50, 44, font("manrope", 34), (20, 20, 24)),
            (when, 50, 104, font("manrope", 26), (0, 122, 255)),
        ):
            items.append(Item(text, x, y + down, face, fill, 0, 7000, path=path, window=window))
    ground = drawn(PORTRAIT, (255, 255, 255), lambda pen: pen.line((0, 148, 720, 148), fill=(200, 200, 205), width=2))
    return Drawing(PORTRAIT, 7, [Scene(0, ground)], items, fps=30)


def chat_window(chance: random.Random) -> Drawing:
    """A desktop chat: each new message pushes the others up."""
    items, window, every_ms = [], (240, 60, 1040, 600), 1000
    for number, (who, text) in enumerate(texts.CHAT):
        start = number * every_ms
        path = steps([(later + 1) * every_ms for later in range(len(texts.CHAT) - number - 1)], 110, 120)
        face, is_own = font("dm-sans", 28), who == "Me"
        x = 1200 - face.getlength(text) if is_own else 290
        plate, fill = ((92, 60, 190), (255, 255, 255)) if is_own else ((52, 54, 62), (236, 236, 240))
        items.append(Item(text, x, 560, face, fill, start, 9000, plate=plate, path=path, window=window))
    items += [
        Item(name, 40, 80 + row * 70, font("dm-sans", 24), (200, 202, 210), 0, 9000)
        for row, name in enumerate(("Rosa", "Landlord", "Team 7", "Dr. Weiss"))
    ]
    ground = drawn(HD, (30, 31, 36), lambda pen: pen.rectangle((0, 0, 230, 720), fill=(22, 23, 28)))
    return Drawing(HD, 9, [Scene(0, ground)], items)


def gauges(chance: random.Random) -> Drawing:
    def draw(pen: ImageDraw.ImageDraw) -> None:
        for number in range(6):
            x, y = 70 + number % 3 * 400, 60 + number // 3 * 330
            pen.arc((x, y, x + 300, y + 300), 150, 390, fill=(60, 80, 100), width=18)
            pen.arc((x, y, x + 300, y + 300), 150, chance.randint(200, 360), fill=(0, 200, 160), width=18)

    items = []
    for number, (name, values) in enumerate(texts.GAUGES):
        face, x, y = font("exo-2", 40), 220 + number % 3 * 400, 60 + number // 3 * 330
        label = font("exo-2", 22)
        items.append(Item(name, x - label.getlength(name) / 2, y + 240, label, (150, 165, 180), 0, 6600))
        for turn, value in enumerate(values):
            at = x - face.getlength(value) / 2
            items.append(Item(value, at, y + 120, face, (235, 245, 250), turn * 2200, turn * 2200 + 2200))
    return Drawing(HD, 6.6, [Scene(0, drawn(HD, (14, 20, 28), draw))], items)


def weather_map(chance: random.Random) -> Drawing:
    def draw(pen: ImageDraw.ImageDraw) -> None:
        for _ in range(9):
            x, y = chance.randint(100, 1100), chance.randint(80, 620)
            points = [(x + chance.randint(-220, 220), y + chance.randint(-160, 160)) for _ in range(7)]
            green = 120 + chance.randint(0, 70)
            pen.polygon(points, fill=(90, green, 80), outline=(230, 230, 220))
        for number in range(5):
            pen.arc((100 + 160 * number, 100, 700 + 160 * number, 800), 200, 320, fill=(255, 255, 255), width=3)

    items = []
    for number, (city, degrees) in enumerate(texts.WEATHER):
        x, y, start = 110 + number % 4 * 300, 220 + number // 4 * 210, 300 * number
        items.append(Item(city, x, y, font("barlow", 30), (255, 255, 255), start, 7000, shadow_px=2))
        plate = (200, 60, 40) if not degrees.startswith("-") else (40, 80, 190)
        face = font("barlow", 40, "700Bold")
        items.append(Item(degrees, x + 20, y + 56, face, (255, 255, 255), start, 7000, plate=plate))
    title, note = texts.WEATHER_TITLE
    items.append(Item(title, 60, 50, font("barlow", 46, "700Bold"), (255, 255, 255), 0, 7000, plate=(10, 40, 90)))
    items.append(Item(note, 60, 630, font("barlow", 34), (20, 20, 30), 0, 7000, plate=(250, 220, 60)))
    return Drawing(HD, 7, [Scene(0, drawn(HD, (60, 120, 180), draw))], items)


def scrolled_sheet(chance: random.Random) -> Drawing:
    """A spreadsheet that is scrolled row by row below its header."""
    widths, left, top, height = (190, 90, 130, 130, 110, 160), 60, 70, 46
    window: Box = (0, top + height + 1, 1280, 9 * height - 2)
    path = steps((2000, 2300, 2600, 2900), height, 40)

    def draw(pen: ImageDraw.ImageDraw) -> None:
        pen.rectangle((left, top, left + sum(widths), top + height), fill=(230, 230, 230))
        for row in range(11):
            y = top + row * height
            pen.line((left, y, left + sum(widths), y), fill=(205, 205, 205))
        for column in range(len(widths) + 1):
            x = left + sum(widths[:column])
            pen.line((x, top, x, top + 10 * height), fill=(205, 205, 205))

    items = []
    for row, cells in enumerate((texts.SHEET_HEADERS, *texts.SHEET)):
        face = font("arimo", 20, "" if row else "700Bold")
        for column, cell in enumerate(cells):
            x, room = left + sum(widths[:column]), widths[column]
            at = x + 10 if column in (0, 5) else x + room - 10 - face.getlength(cell)
            y = top + row * height + 11
            if row:
                items.append(Item(cell, at, y, face, (25, 25, 25), 0, 6000, path=path, window=window))
            else:
                items.append(Item(cell, at, y, face, (25, 25, 25), 0, 6000))
    return Drawing(HD, 6, [Scene(0, drawn(HD, (255, 255, 255), draw))], items, fps=30)


def scrolled_page(chance: random.Random) -> Drawing:
    """A page of a paper that rests, glides up, and rests again."""
    window: Box = (140, 40, 1000, 640)
    path = ((0, 0.0, 0.0), (2600, 0.0, 0.0), (4200, 0.0, -230.0), (7000, 0.0, -230.0))
    items = []
    for row, line in enumerate(texts.PAPER):
        face = font("tinos", 30, "700Bold") if line[:3] in ("3.2", "3.3") else font("tinos", 28)
        items.append(Item(line, 240, 90 + row * 56, face, (20, 20, 20), 0, 7000, path=path, window=window))
    ground = drawn(HD, (110, 112, 116), lambda pen: pen.rectangle((140, 40, 1140, 680), fill=(255, 255, 255)))
    return Drawing(HD, 7, [Scene(0, ground)], items)


def whiteboard(chance: random.Random) -> Drawing:
    items = [
        Item(line, 110, 60 + row * 120, font("patrick-hand", 58), (30, 50, 150), row * 900, 8000, typed_ms=700)
        for row, line in enumerate(texts.WHITEBOARD)
    ]
    items += [
        Item(line, 760, 200 + row * 150, font("permanent-marker", 46), (190, 30, 40), 4700 + row * 500, 8000, angle=2.0)
        for row, line in enumerate(texts.MARKER)
    ]
    return Drawing(HD, 8, [Scene(0, plain(HD, (238, 240, 238), (216, 220, 222)))], items, grain=3.0)


INKS: tuple[Colour, ...] = (
    (212, 212, 212),
    (197, 134, 192),
    (206, 145, 120),
    (78, 201, 176),
    (220, 220, 170),
    (181, 206, 168),
    (106, 153, 85),
)


def dark_ide(chance: random.Random) -> Drawing:
    """Words of one line in several colours; a file list at the side; lines that are typed."""
    face, items = font("inconsolata", 17), []
    for row, parts in enumerate(texts.IDE):
        line = "".join(part for part, _ in parts)
        y, start, x = (
            110 + row * 27,
            400 * max(0, row - 5),
            330 + face.getlength(" ") * (len(line) - len(line.lstrip())),
        )
        items.append(Item(line.strip(), x, y, face, INKS[parts[0][1]], start, 7000))
        at = 0
        for part, ink in parts:
            shown = part.strip()
            left = 330 + face.getlength(line[: at + len(part) - len(part.lstrip())])
            if at and shown:
                items.append(Item(shown, left, y, face, INKS[ink], start, 7000, is_truth=False))
            at += len(part)
    for row, name in enumerate(texts.IDE_FILES):
        items.append(Item(name, 40, 90 + row * 30, font("heebo", 16), (190, 190, 190), 0, 7000))

    def draw(pen: ImageDraw.ImageDraw) -> None:
        pen.rectangle((0, 0, 280, 1080), fill=(37, 37, 38))
        pen.rectangle((0, 1050, 1920, 1080), fill=(0, 122, 204))

    return Drawing(FULL_HD, 7, [Scene(0, drawn(FULL_HD, (30, 30, 30), draw))], items, fps=30)


def maths(chance: random.Random) -> Drawing:
    items = [
        Item(line, 90 + row // 5 * 600, 100 + row % 5 * 110, font("noto-serif", 34), (24, 24, 40), 250 * row, 6500)
        for row, line in enumerate(texts.MATHS)
    ]
    return Drawing(HD, 6.5, [Scene(0, plain(HD, (250, 248, 240)))], items)


def seven_languages(chance: random.Random) -> Drawing:
    items, scenes = [], []
    for number, lines in enumerate(texts.LANGUAGES):
        start, is_photo = number * 1500, number % 3 == 2
        scenes.append(
            Scene(start, photo(HD, "retina.jpg", chance, brightness=0.4) if is_photo else plain(HD, (16, 60, 50)))
        )
        for row, line in enumerate(lines):
            face = font("noto-serif", 44) if row else font("barlow", 46)
            items.append(Item(line, 120, 220 + row * 150, face, (248, 248, 240), start, start + 1500))
    return Drawing(HD, 1.5 * len(texts.LANGUAGES), scenes, items)


def shop(chance: random.Random) -> Drawing:
    """A page of a shop with a photo, in small and large print."""
    looks = (
        (font("manrope", 18), (130, 130, 130)),
        (font("manrope", 17), (90, 96, 104)),
        (font("manrope", 36, "700Bold"), (20, 20, 20)),
        (font("manrope", 20), (20, 120, 60)),
        (font("manrope", 24, "700Bold"), (255, 255, 255)),
    )
    items, y = [], 40
    for text, look in texts.SHOP:
        face, fill = looks[look]
        x = 640 if y > 110 else 60
        items.append(Item(text, x, y, face, fill, 0, 5000, plate=(230, 90, 30) if look == 4 else None))
        y += 76 if look in (2, 4) else 66
    page = drawn(HD, (255, 255, 255), lambda pen: pen.rectangle((40, 30, 600, 74), outline=(200, 200, 200), width=2))
    return Drawing(HD, 5, [Scene(0, Inset(page, photo((520, 480), "coffee.png", chance), 60, 170))], items)


def video_call(chance: random.Random) -> Drawing:
    """Four moving pictures with names on plates."""
    ground: Film | Pan | Inset = Film(HD, "carphone_pristine.mp4", chance, brightness=0.3)
    items: list[Item] = []
    for number, name in enumerate(texts.CALL):
        x, y = 40 + number % 2 * 610, 70 + number // 2 * 320
        small = Pan((580, 290), ("rocket.jpg", "chelsea.png", "camera.png", "coffee.png")[number], chance)
        ground = Inset(ground, small, x, y)
        face = font("heebo", 20)
        items.append(Item(name, x + 20, y + 250, face, (255, 255, 255), 0, 6000, plate=(0, 0, 0), plate_opacity=0.65))
    for number, note in enumerate(texts.CALL_NOTES):
        items.append(Item(note, 60 + number * 380, 20, font("heebo", 22), (255, 255, 255), 0, 6000, plate=(40, 40, 44)))
    return Drawing(HD, 6, [Scene(0, ground)], items)


def tilted_signs(chance: random.Random) -> Drawing:
    """Signs that do not hang straight, on photos."""
    names, items, scenes = ("brick.png", "grass.png", "rocket.jpg"), [], []
    for number, (text, angle) in enumerate(texts.TILTED):
        start = number // 2 * 2200
        if number % 2 == 0:
            scenes.append(Scene(start, photo(HD, names[number // 2], chance)))
        face = font("bebas-neue", 72) if number % 2 == 0 else font("permanent-marker", 52)
        plate = (250, 246, 232) if number % 2 == 0 else (30, 70, 50)
        fill = (20, 20, 20) if number % 2 == 0 else (255, 255, 255)
        x, y = 140 + number % 2 * 380, 140 + number % 2 * 280
        items.append(Item(text, x, y, face, fill, start, start + 2200, plate=plate, angle=angle))
    return Drawing(HD, 6.6, scenes, items)


STYLES: tuple[Style, ...] = (
    Style("talk with speaker", camera_talk),
    Style("talk at low bit rate", squeezed_talk),
    Style("phone list, scrolled", phone),
    Style("chat that moves up", chat_window),
    Style("gauges", gauges),
    Style("weather map", weather_map),
    Style("sheet, scrolled", scrolled_sheet),
    Style("paper, scrolled", scrolled_page),
    Style("whiteboard", whiteboard),
    Style("dark IDE", dark_ide),
    Style("maths and money", maths),
    Style("seven languages", seven_languages),
    Style("shop page", shop),
    Style("video call", video_call),
    Style("tilted signs", tilted_signs),
    *MOVING,
)
