"""Third family of clips: small, written after the last changes to the reader. Other fonts, themes of code, print and motion."""

import random
from collections.abc import Sequence

from PIL import ImageDraw

import reading_texts_three as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Banded, Colour, Film, Pan, Size, drawn, photo, plain

HD: Size = (1280, 720)
FULL_HD: Size = (1920, 1080)


def _editor(lines: Sequence[str], name: str, size: int, back: Colour, inks: Sequence[Colour], every_ms: int) -> Drawing:
    """Code that appears line by line, each line in one of the theme's colours."""
    face, items = font(name, size), []
    for number, line in enumerate(lines):
        if line:
            x = 260 + face.getlength(" ") * (len(line) - len(line.lstrip()))
            ink = inks[number % len(inks)]
            items.append(Item(line.strip(), x, 110 + number * round(size * 1.55), face, ink, number * every_ms, 9000))
    ground = drawn(FULL_HD, back, lambda pen: pen.rectangle((0, 0, 1920, 60), fill=(70, 70, 90)))
    return Drawing(FULL_HD, 9, [Scene(0, ground)], items, fps=30, crf=22)


def kotlin_editor(chance: random.Random) -> Drawing:
    inks = ((248, 248, 242), (139, 233, 253), (80, 250, 123), (255, 184, 108))
    return _editor(texts.KOTLIN, "dm-mono", 12, (40, 42, 54), inks, 150)


def yaml_editor(chance: random.Random) -> Drawing:
    return _editor(
        texts.YAML, "overpass-mono", 13, (253, 246, 227), ((38, 139, 210), (88, 110, 117), (181, 75, 22)), 90
    )


def terms(chance: random.Random) -> Drawing:
    items = [
        Item(line, 130, 100 + row * 70, font("libre-franklin", 11 + row), (70, 70, 76), 200, 6800)
        for row, line in enumerate(texts.TERMS)
    ]
    return Drawing(HD, 7, [Scene(0, plain(HD, (250, 250, 250)))], items, crf=21)


def timetable(chance: random.Random) -> Drawing:
    rows, items = (texts.TIMETABLE_HEADERS, *texts.TIMETABLE), []
    for row, cells in enumerate(rows):
        for x, cell in zip((120, 320, 640, 800, 980), cells, strict=True):
            face = font("fira-sans-condensed", 30)
            items.append(Item(cell, x, 110 + row * 84, face, (255, 214, 90) if row else (190, 200, 220), 0, 6000))

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for row in range(0, len(rows), 2):
            pen.rectangle((90, 98 + row * 84, 1160, 98 + (row + 1) * 84), fill=(24, 34, 58))

    return Drawing(HD, 6, [Scene(0, drawn(HD, (12, 20, 40), draw))], items)


def quiz(chance: random.Random) -> Drawing:
    """Answers behind letters on their own, which stay from one question to the next."""
    items = []
    for row in range(4):
        letter = texts.CHOICES[0][row][0]
        items.append(Item(letter, 130, 210 + row * 110, font("work-sans", 44, "700Bold"), (190, 40, 70), 0, 7000))
    for turn, (question, choices) in enumerate(zip(texts.QUIZ, texts.CHOICES, strict=True)):
        start, end = turn * 3500, (turn + 1) * 3500
        items.append(Item(question, 120, 80, font("work-sans", 40, "700Bold"), (30, 30, 60), start, end))
        for row, (_, answer) in enumerate(choices):
            y = 210 + row * 110
            items.append(Item(answer, 320, y, font("work-sans", 38), (40, 40, 50), start + 400, end))
    return Drawing(HD, 7, [Scene(0, plain(HD, (236, 240, 252)))], items)


def menu_board(chance: random.Random) -> Drawing:
    items = []
    for row, (name, price) in enumerate(texts.BOARD):
        face = font("rubik", 36)
        items.append(Item(name, 140, 80 + row * 98, face, (245, 240, 225), 0, 6000))
        items.append(Item(price, 1080 - face.getlength(price), 80 + row * 98, face, (150, 220, 170), 0, 6000))
    return Drawing(HD, 6, [Scene(0, photo(HD, "brick.png", chance, brightness=0.18))], items)


def outlined(chance: random.Random) -> Drawing:
    names, items, scenes = ("rocket.jpg", "grass.png", "astronaut.png"), [], []
    for number in range(0, len(texts.OUTLINED), 2):
        start = number * 1400
        scenes.append(Scene(start, photo(HD, names[number // 2], chance)))
        for row in range(2):
            face, line = font("nunito", 50, "700Bold"), texts.OUTLINED[number + row]
            x, y = 90 + 200 * row, 90 + 470 * row
            items.append(
                Item(line, x, y, face, (255, 255, 255), start, start + 2800, outline=(20, 20, 20), outline_px=4)
            )
    return Drawing(HD, 8.4, scenes, items)


def film(chance: random.Random) -> Drawing:
    face, items = font("signika", 40, "600SemiBold"), []
    for number, line in enumerate(texts.FILM):
        start = 400 + number * 2300
        x = (HD[0] - face.getlength(line)) / 2
        items.append(
            Item(line, x, 620, face, (255, 232, 90), start, start + 2000, outline=(0, 0, 0), outline_px=2, shadow_px=2)
        )
    return Drawing(HD, 12, [Scene(0, Film(HD, "bigbuckbunny.mp4", chance))], items, fps=25)


def end_credits(chance: random.Random) -> Drawing:
    """Centred and rising, names in bold."""
    items = []
    for number, line in enumerate(texts.CREDITS):
        face = font("bitter", 34, "700Bold") if number % 2 else font("bitter", 28)
        x = (HD[0] - face.getlength(line)) / 2
        items.append(Item(line, x, HD[1] + number * 90, face, (235, 235, 230), 0, 15_000, dy=-115))
    return Drawing(HD, 15, [Scene(0, plain(HD, (6, 6, 10)))], items)


def wide_ticker(chance: random.Random) -> Drawing:
    """Two of the four items are wider than the picture."""
    face, speed, items, x = font("archivo-narrow", 36, "600SemiBold"), 260.0, [], float(HD[0])
    for line in texts.TICKER:
        items.append(Item(line, x, 648, face, (250, 250, 250), 0, 24_000, dx=-speed))
        x += face.getlength(line) + 130
    ground = Banded(Pan(HD, "motorcycle_left.png", chance), (0, 636, 1280, 704), (150, 16, 26))
    return Drawing(HD, 24, [Scene(0, ground)], items, fps=30)


def typed_terminal(chance: random.Random) -> Drawing:
    items = [
        Item(line, 90, 110 + row * 58, font("red-hat-mono", 26), (220, 225, 230), 300 + row * 1300, 8500, typed_ms=900)
        for row, line in enumerate(texts.TYPED)
    ]
    return Drawing(HD, 9, [Scene(0, plain(HD, (22, 28, 34)))], items)


def talk(chance: random.Random) -> Drawing:
    items, scenes = [], []
    for number, (heading, points) in enumerate(texts.TALK):
        start, end = number * 4500, (number + 1) * 4500
        scenes.append(Scene(start, plain(HD, (255, 250, 240), (226, 236, 244))))
        items.append(Item(heading, 80, 60, font("rubik", 54, "600SemiBold"), (40, 70, 110), start, end))
        for row, point in enumerate(points):
            items.append(
                Item(
                    point, 120, 200 + row * 105, font("signika", 38, "400Regular"), (50, 54, 60), start + 600 * row, end
                )
            )
    return Drawing(HD, 9, scenes, items)


STYLES: tuple[Style, ...] = (
    Style("Kotlin editor", kotlin_editor),
    Style("YAML editor", yaml_editor),
    Style("terms of hire", terms),
    Style("timetable", timetable),
    Style("quiz with letters", quiz),
    Style("menu board", menu_board),
    Style("outlined on photos", outlined),
    Style("outlined on film", film),
    Style("end credits", end_credits),
    Style("wide ticker", wide_ticker),
    Style("typed terminal", typed_terminal),
    Style("talk", talk),
)
