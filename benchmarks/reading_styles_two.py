"""Second family of clips, part one: slides, screens and tables, in other fonts and looks than the first. `STYLES` has all of it."""

import random
from collections.abc import Sequence

from PIL import ImageDraw

import reading_texts_two as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Size, drawn, photo, plain
from reading_moving_two import MOVING

HD: Size = (1280, 720)
FULL_HD: Size = (1920, 1080)


def lecture(chance: random.Random) -> Drawing:
    """A dark heading bar, numbered points that come one by one."""
    items, scenes = [], []
    head, body = font("montserrat", 46, "600SemiBold"), font("lato", 36)
    bar = drawn(HD, (244, 246, 250), lambda pen: pen.rectangle((0, 0, 1280, 130), fill=(28, 62, 90)))
    for number, (heading, points) in enumerate(texts.LECTURE):
        start, end = number * 4200, (number + 1) * 4200
        scenes.append(Scene(start, bar))
        items.append(Item(heading, 60, 34, head, (255, 255, 255), start, end))
        for line, point in enumerate(points):
            items.append(Item(point, 110, 200 + line * 110, body, (34, 38, 44), start + 500 * line, end))
    return Drawing(HD, 4.2 * len(texts.LECTURE), scenes, items)


def posters(chance: random.Random) -> Drawing:
    items, scenes = [], []
    for number, (heading, line, small) in enumerate(texts.POSTERS):
        start, end = number * 3200, (number + 1) * 3200
        scenes.append(Scene(start, plain(HD, (245, 196, 60), (222, 90, 60))))
        items.append(Item(heading, 90, 130, font("anton", 110), (40, 20, 60), start, end))
        items.append(Item(line, 94, 340, font("roboto-slab", 42), (60, 20, 30), start, end))
        items.append(Item(small, 94, 600, font("roboto-slab", 30, "700Bold"), (255, 250, 240), start, end))
    return Drawing(HD, 3.2 * len(texts.POSTERS), scenes, items)


def food_label(chance: random.Random) -> Drawing:
    items = [
        Item(line, 120, 90 + row * 64, font("barlow-condensed", 14 + row), (20, 20, 20), 300, 6700)
        for row, line in enumerate(texts.LABEL)
    ]
    return Drawing(HD, 7, [Scene(0, plain(HD, (255, 253, 246)))], items, crf=21)


def _editor(lines: Sequence[str], name: str, size: int, back: int, ink: tuple[int, int, int]) -> Drawing:
    face, items = font(name, size), []
    for number, line in enumerate(lines):
        x = 300 + face.getlength(" ") * (len(line) - len(line.lstrip()))
        items.append(Item(line.strip(), x, 130 + number * round(size * 1.7), face, ink, number * 120, 8000))
    ground = drawn(
        FULL_HD, (back, back, back), lambda pen: pen.rectangle((0, 0, 240, 1080), fill=(back // 2 + 30,) * 3)
    )
    return Drawing(FULL_HD, 8, [Scene(0, ground)], items, fps=30, crf=21)


def rust_editor(chance: random.Random) -> Drawing:
    return _editor(texts.RUST, "fira-code", 12, 26, (222, 222, 214))


def query_editor(chance: random.Random) -> Drawing:
    return _editor(texts.QUERY, "source-code-pro", 13, 250, (40, 40, 60))


def log_window(chance: random.Random) -> Drawing:
    face = font("source-code-pro", 18)
    items = [
        Item(line, 60, 140 + row * 60, face, (250, 200, 90) if "WARN" in line else (230, 230, 230), row * 800, 8500)
        for row, line in enumerate(texts.LOG)
    ]
    return Drawing(HD, 8.5, [Scene(0, plain(HD, (38, 20, 44)))], items)


def _table(rows: Sequence[Sequence[str]], widths: Sequence[int], height: int, name: str, size: int) -> list[Item]:
    items = []
    for row, cells in enumerate(rows):
        x = 140
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            face = font(name, size)
            at = x + 12 if column == 0 else x + width - 16 - face.getlength(cell)
            items.append(Item(cell, at, 150 + row * height + (height - size) / 2 - 4, face, (26, 30, 36), 0, 6000))
            x += width
    return items


def budget(chance: random.Random) -> Drawing:
    """Cells without rules: only alignment keeps columns apart."""
    rows = (texts.BUDGET_HEADERS, *texts.BUDGET)
    items = _table(rows, (240, 140, 140, 170, 200), 58, "lato", 22)
    return Drawing(HD, 6, [Scene(0, plain(HD, (255, 255, 255)))], items)


def league(chance: random.Random) -> Drawing:
    rows = (texts.MEDALS_HEADERS, *texts.MEDALS)

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for row in range(len(rows)):
            pen.rectangle((140, 150 + row * 76, 1040, 150 + (row + 1) * 76), outline=(120, 130, 140), width=2)

    items = _table(rows, (420, 160, 160, 160), 76, "montserrat", 30)
    return Drawing(HD, 6, [Scene(0, drawn(HD, (226, 238, 228), draw))], items)


def accents(chance: random.Random) -> Drawing:
    items, scenes = [], []
    for number, lines in enumerate(texts.ACCENTS):
        start = number * 2600
        scenes.append(Scene(start, plain(HD, (30, 34, 60) if number % 2 else (250, 248, 244))))
        face = font("merriweather", 38) if number % 2 else font("roboto-slab", 40)
        fill = (240, 240, 235) if number % 2 else (30, 30, 40)
        items += [Item(line, 110, 220 + row * 150, face, fill, start, start + 2600) for row, line in enumerate(lines)]
    return Drawing(HD, 2.6 * len(texts.ACCENTS), scenes, items)


def japanese(chance: random.Random) -> Drawing:
    face = font("noto-sans-jp", 50)
    items = [
        Item(line, 150, 120 + row * 140, face, (20, 20, 30), row * 1500, 8000)
        for row, line in enumerate(texts.JAPANESE)
    ]
    return Drawing(HD, 8, [Scene(0, plain(HD, (248, 240, 232)))], items)


def grey_hints(chance: random.Random) -> Drawing:
    items = [
        Item(line, 140, 110 + row * 110, font("lato", 26), (92 + 6 * row,) * 3, 400, 5600)
        for row, line in enumerate(texts.GREY)
    ]
    return Drawing(HD, 6, [Scene(0, plain(HD, (48, 48, 52)))], items)


def sticky_notes(chance: random.Random) -> Drawing:
    items = [
        Item(line, 160, 80 + row * 118, font("kalam", 48), (50, 44, 40), row * 900, 7000)
        for row, line in enumerate(texts.NOTES)
    ]
    return Drawing(HD, 7, [Scene(0, plain(HD, (255, 240, 140)))], items)


def scoreboard(chance: random.Random) -> Drawing:
    items = []
    for number, (name, values) in enumerate(texts.SCOREBOARD):
        x, y = 100 + number % 3 * 390, 130 + number // 3 * 270
        items.append(Item(name, x, y, font("barlow-condensed", 30, "600SemiBold"), (180, 190, 200), 0, 9000))
        for turn, value in enumerate(values):
            items.append(Item(value, x, y + 50, font("anton", 72), (255, 214, 64), turn * 3000, turn * 3000 + 3000))
    return Drawing(HD, 9, [Scene(0, plain(HD, (14, 18, 26)))], items)


def settings_page(chance: random.Random) -> Drawing:
    def draw(pen: ImageDraw.ImageDraw) -> None:
        for row in range(len(texts.SETTINGS)):
            pen.rounded_rectangle((60, 60 + row * 190, 660, 220 + row * 190), 24, fill=(255, 255, 255))

    items = []
    for row, (name, value) in enumerate(texts.SETTINGS):
        items.append(Item(name, 96, 84 + row * 190, font("lato", 34, "700Bold"), (20, 24, 30), 0, 6000))
        items.append(Item(value, 96, 146 + row * 190, font("lato", 26), (110, 116, 124), 250 * row, 6000))
    size = (720, 1280)
    return Drawing(size, 6, [Scene(0, drawn(size, (238, 240, 244), draw))], items)


def signs(chance: random.Random) -> Drawing:
    """Words straight on photos, with a soft shadow only."""
    names, items, scenes = ("astronaut.png", "motorcycle_left.png", "grass.png"), [], []
    for number in range(0, len(texts.SIGNS), 2):
        start = number * 1300
        scenes.append(Scene(start, photo(HD, names[number // 2], chance, brightness=0.8)))
        for row in range(2):
            face = font("anton", 66) if row else font("montserrat", 52, "600SemiBold")
            items.append(
                Item(
                    texts.SIGNS[number + row],
                    140,
                    140 + 340 * row,
                    face,
                    (255, 255, 255),
                    start,
                    start + 2600,
                    shadow_px=4,
                )
            )
    return Drawing(HD, 7.8, scenes, items)


STYLES: tuple[Style, ...] = (
    Style("lecture", lecture),
    Style("posters", posters),
    Style("food label", food_label),
    Style("Rust editor", rust_editor),
    Style("SQL editor", query_editor),
    Style("log window", log_window),
    Style("budget without rules", budget),
    Style("league table", league),
    Style("accents, six languages", accents),
    Style("japanese", japanese, languages=("jpn", "eng")),
    Style("grey hints", grey_hints),
    Style("sticky notes", sticky_notes),
    Style("scoreboard", scoreboard),
    Style("settings page", settings_page),
    Style("signs on photos", signs),
    *MOVING,
)
