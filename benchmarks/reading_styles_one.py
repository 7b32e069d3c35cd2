"""First family of clips, part one: slides, screens and tables. `STYLES` has all of the family."""

import random
from collections.abc import Sequence

from PIL import ImageDraw

import reading_texts_one as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import font
from reading_grounds import Colour, Size, drawn, photo, plain
from reading_moving_one import MOVING

HD: Size = (1280, 720)
FULL_HD: Size = (1920, 1080)


def talk(chance: random.Random) -> Drawing:
    """Bullet lists whose points come one by one, on white."""
    each_ms, items, scenes = 4000, [], []
    title, body = font("inter", 54, "700Bold"), font("inter", 34)
    for number, (heading, points) in enumerate(texts.TALKS):
        start, end = number * each_ms, (number + 1) * each_ms
        scenes.append(Scene(start, plain(HD, (252, 252, 250))))
        items.append(Item(heading, 80, 70, title, (24, 40, 92), start, end))
        for line, point in enumerate(points):
            y, shown = 200 + line * 90, start + 400 * line
            items.append(Item("•", 100, y, body, (40, 40, 44), shown, end, is_truth=False))
            items.append(Item(point, 128, y, body, (40, 40, 44), shown, end))
    return Drawing(HD, 4 * len(texts.TALKS), scenes, items)


def slides(chance: random.Random) -> Drawing:
    """A serif deck on dark slopes, text in the middle."""
    each_ms, items, scenes = 3500, [], []
    title, body, note = font("playfair-display", 72, "700Bold"), font("lora", 40), font("lora", 26)
    for number, (heading, line, small) in enumerate(texts.SLIDES_LARGE):
        start, end = number * each_ms, (number + 1) * each_ms
        scenes.append(Scene(start, plain(HD, (20 + 8 * number, 30, 60), (60, 20 + 10 * number, 70))))
        for text, face, y, fill in (
            (heading, title, 200, (250, 240, 220)),
            (line, body, 350, (220, 220, 230)),
            (small, note, 640, (170, 175, 190)),
        ):
            items.append(Item(text, (HD[0] - face.getlength(text)) / 2, y, face, fill, start, end))
    return Drawing(HD, 3.5 * len(texts.SLIDES_LARGE), scenes, items)


def small_print(chance: random.Random) -> Drawing:
    """Condensed letters of 9 to 18 px below a product."""
    items = []
    y, size = 60.0, 9
    for number, line in enumerate(texts.SMALL_PRINT):
        face = font("roboto-condensed", size + number * 9 // 11)
        items.append(Item(line, 90, y, face, (60, 60, 60), 500, 7500))
        y += 52
    ground = drawn(HD, (248, 246, 240), lambda pen: pen.ellipse((860, 180, 1200, 520), fill=(196, 60, 40)))
    return Drawing(HD, 8, [Scene(0, ground)], items, crf=21)


def _editor(lines: Sequence[str], *, is_dark: bool, size: int, name: str) -> Drawing:
    back, ink, dim = ((30, 30, 36), (214, 214, 210), (110, 112, 120))
    colours: tuple[Colour, ...] = ((214, 214, 210), (150, 200, 140), (130, 170, 240), (220, 170, 110))
    if not is_dark:
        back, ink, dim = ((255, 255, 255), (30, 30, 30), (160, 160, 160))
        colours = ((30, 30, 30), (20, 110, 40), (20, 50, 170), (150, 40, 30))
    face, gutter = font(name, size), font(name, size)
    step, left, top = round(size * 1.55), 330, 90

    def draw(pen: ImageDraw.ImageDraw) -> None:
        side = tuple(max(0, min(255, v + (8 if is_dark else -10))) for v in back)
        pen.rectangle((0, 0, 260, 1080), fill=side)
        pen.rectangle((0, 0, 1920, 40), fill=side)

    items, ms = [], 0
    for number, line in enumerate(lines):
        y = top + number * step
        items.append(Item(str(number + 1), left - 40, y, gutter, dim, 0, 9000, is_truth=False))
        if line.strip():
            ms = number * 150
            x = left + face.getlength(" ") * (len(line) - len(line.lstrip()))
            fill = dim if line.strip().startswith("//") else colours[number % len(colours)]
            items.append(Item(line.strip(), x, y, face, fill, ms, 9000))
    for number, file in enumerate(("src", "intervals.py", "README.md", "setup.cfg")):
        items.append(Item(file, 24, 60 + number * 26, font("inter", 13), ink, 0, 9000))
    return Drawing(FULL_HD, 9, [Scene(0, drawn(FULL_HD, back, draw))], items, fps=30, crf=20)


def code_light(chance: random.Random) -> Drawing:
    return _editor(texts.CODE, is_dark=False, size=12, name="jetbrains-mono")


def code_dark(chance: random.Random) -> Drawing:
    return _editor(texts.SCRIPT, is_dark=True, size=11, name="ibm-plex-mono")


def terminal(chance: random.Random) -> Drawing:
    """Lines that come one after the other."""
    face, items = font("ibm-plex-mono", 20), []
    for number, line in enumerate(texts.TERMINAL):
        x = 40 + face.getlength(" ") * (len(line) - len(line.lstrip()))
        items.append(Item(line.strip(), x, 60 + number * 42, face, (120, 230, 120), number * 600, 10_000))
    return Drawing(HD, 10, [Scene(0, plain(HD, (12, 14, 12)))], items)


def _grid(
    rows: Sequence[Sequence[str]], widths: Sequence[int], left: int, top: int, height: int
) -> list[tuple[str, int, int, int]]:
    """Text, x, y and row of every cell."""
    found = []
    for row, cells in enumerate(rows):
        x = left
        for cell, width in zip(cells, widths, strict=True):
            found.append((cell, x, top + row * height, row))
            x += width
    return found


def spreadsheet(chance: random.Random) -> Drawing:
    widths, left, top, height = (150, 120, 120, 120, 110, 160), 70, 90, 34
    face, bold = font("inter", 16), font("inter", 16, "700Bold")
    rows = (texts.SHEET_HEADERS, *texts.SHEET)

    def draw(pen: ImageDraw.ImageDraw) -> None:
        pen.rectangle((0, 0, 1280, 56), fill=(33, 115, 70))
        pen.rectangle((left, top, left + sum(widths), top + height), fill=(226, 239, 230))
        for row in range(len(rows) + 9):
            pen.line((left, top + row * height, left + sum(widths), top + row * height), fill=(212, 212, 212))
        for column in range(len(widths) + 1):
            x = left + sum(widths[:column])
            pen.line((x, top, x, top + (len(rows) + 8) * height), fill=(212, 212, 212))

    items = []
    for number, (cell, x, y, row) in enumerate(_grid(rows, widths, left, top, height)):
        column = number % len(widths)
        used = bold if row == 0 else face
        at = x + 8 if column in (0, 5) else x + widths[column] - 8 - used.getlength(cell)
        items.append(Item(cell, at, y + 7, used, (32, 32, 32), 0 if row < 7 else 2000, 7000))
    return Drawing(HD, 7, [Scene(0, drawn(HD, (255, 255, 255), draw))], items, crf=21)


def bordered_table(chance: random.Random) -> Drawing:
    """A timetable with heavy rules and striped rows."""
    widths, left, top, height = (170, 330, 150, 150, 260), 110, 120, 68
    rows = (texts.TABLE_HEADERS, *texts.TABLE)
    face, bold = font("poppins", 26), font("poppins", 26, "600SemiBold")

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for row in range(len(rows)):
            fill = (16, 42, 67) if row == 0 else ((236, 240, 244) if row % 2 else (255, 255, 255))
            pen.rectangle((left, top + row * height, left + sum(widths), top + (row + 1) * height), fill=fill)
        for row in range(len(rows) + 1):
            pen.line((left, top + row * height, left + sum(widths), top + row * height), fill=(60, 70, 80), width=3)
        for column in range(len(widths) + 1):
            x = left + sum(widths[:column])
            pen.line((x, top, x, top + len(rows) * height), fill=(60, 70, 80), width=3)

    items = [
        Item(cell, x + 18, y + 15, bold if row == 0 else face, (255, 255, 255) if row == 0 else (20, 24, 30), 0, 6000)
        for cell, x, y, row in _grid(rows, widths, left, top, height)
    ]
    return Drawing(HD, 6, [Scene(0, drawn(HD, (250, 250, 250), draw))], items)


def accents(chance: random.Random) -> Drawing:
    items, scenes = [], []
    for number, lines in enumerate(texts.ACCENTS):
        start = number * 3000
        scenes.append(Scene(start, plain(HD, (238, 244, 240) if number % 2 else (255, 250, 235))))
        face = font("lora", 44) if number % 2 else font("poppins", 40)
        items += [
            Item(line, 120, 180 + row * 130, face, (40, 30, 30), start, start + 3000) for row, line in enumerate(lines)
        ]
    return Drawing(HD, 3 * len(texts.ACCENTS), scenes, items)


def chinese(chance: random.Random) -> Drawing:
    items, scenes = [], []
    face = font("noto-sans-sc", 48)
    for number in range(0, len(texts.CHINESE), 2):
        start = number * 1250
        dark = number % 4 == 0
        scenes.append(Scene(start, plain(HD, (20, 40, 60) if dark else (250, 250, 246))))
        for row in range(2):
            fill = (250, 250, 250) if dark else (30, 30, 30)
            items.append(Item(texts.CHINESE[number + row], 160, 200 + row * 160, face, fill, start, start + 2500))
    return Drawing(HD, 10, scenes, items)


def faint(chance: random.Random) -> Drawing:
    """Grey on grey: 35 to 60 levels of difference."""
    items = []
    for number, line in enumerate(texts.FAINT):
        level = 235 - 60 + number * 4
        items.append(Item(line, 100, 80 + number * 95, font("poppins", 28), (level, level, level + 4), 600, 6400))
    return Drawing(HD, 7, [Scene(0, plain(HD, (235, 235, 238)))], items)


def handwriting(chance: random.Random) -> Drawing:
    def draw(pen: ImageDraw.ImageDraw) -> None:
        for y in range(120, 720, 92):
            pen.line((0, y, 1280, y), fill=(180, 205, 230), width=2)

    items = [
        Item(line, 110, 50 + number * 92, font("caveat", 62), (30, 36, 110), number * 900, 8000)
        for number, line in enumerate(texts.HANDWRITING)
    ]
    return Drawing(HD, 8, [Scene(0, drawn(HD, (253, 251, 240), draw))], items)


def counters(chance: random.Random) -> Drawing:
    """Numbers with units that change in place below labels that stay."""
    label, value = font("inter", 24), font("inter", 52, "700Bold")
    items = []
    for number, (name, values) in enumerate(texts.COUNTERS):
        x, y = 90 + number % 3 * 400, 120 + number // 3 * 280
        items.append(Item(name, x, y, label, (90, 100, 110), 0, 9000))
        for turn, text in enumerate(values):
            items.append(Item(text, x, y + 44, value, (15, 80, 130), turn * 3000, turn * 3000 + 3000))
    return Drawing(HD, 9, [Scene(0, plain(HD, (255, 255, 255)))], items)


def dashboard(chance: random.Random) -> Drawing:
    def draw(pen: ImageDraw.ImageDraw) -> None:
        pen.rectangle((0, 0, 1280, 70), fill=(22, 27, 34))
        for number in range(6):
            x, y = 40 + number % 3 * 410, 110 + number // 3 * 290
            pen.rounded_rectangle((x, y, x + 380, y + 250), 14, fill=(28, 33, 42), outline=(52, 60, 72))
            points = [(x + 20 + step * 17, y + 225 - chance.randint(0, 45)) for step in range(21)]
            pen.line(points, fill=(88, 166, 255), width=3)

    ground = drawn(HD, (13, 17, 23), draw)
    items = [Item("Operations overview", 40, 16, font("inter", 26, "700Bold"), (230, 237, 243), 0, 8000)]
    for number, (name, value, note) in enumerate(texts.DASHBOARD):
        x, y, start = 62 + number % 3 * 410, 128 + number // 3 * 290, 300 * number
        items.append(Item(name, x, y, font("inter", 18), (139, 148, 158), start, 8000))
        items.append(Item(value, x, y + 32, font("inter", 40, "700Bold"), (230, 237, 243), start, 8000))
        items.append(Item(note, x, y + 92, font("inter", 15), (126, 198, 134), start, 8000))
    return Drawing(HD, 8, [Scene(0, ground)], items)


def chat(chance: random.Random) -> Drawing:
    """Messages in bubbles, each pushed up by the next."""
    face, name_face, items = font("inter", 24), font("inter", 15, "700Bold"), []
    size = (720, 1280)
    for number, (who, text) in enumerate(texts.CHAT):
        start, is_own = number * 1100, who == "You"
        width = face.getlength(text)
        x = size[0] - 70 - width if is_own else 70
        y = 110 + number * 150
        if not is_own:
            items.append(Item(who, x, y - 34, name_face, (90, 90, 100), start, 9000))
        fill, plate = ((255, 255, 255), (0, 122, 255)) if is_own else ((20, 20, 20), (229, 229, 234))
        items.append(Item(text, x, y, face, fill, start, 9000, plate=plate))
    return Drawing(size, 9, [Scene(0, plain(size, (255, 255, 255)))], items)


def photo_labels(chance: random.Random) -> Drawing:
    """Outlined captions over photos that stand still."""
    names, items, scenes = ("coffee.png", "chelsea.png", "rocket.jpg", "brick.png"), [], []
    for number in range(0, len(texts.PHOTO_CAPTIONS), 2):
        start = number * 1250
        scenes.append(Scene(start, photo(HD, names[number // 2], chance)))
        for row in range(2):
            face = font("oswald", 64 - 12 * row)
            items.append(
                Item(
                    texts.PHOTO_CAPTIONS[number + row],
                    120 + 90 * row,
                    150 + 330 * row,
                    face,
                    (255, 255, 255),
                    start,
                    start + 2500,
                    outline=(10, 10, 10),
                    outline_px=4,
                )
            )
    return Drawing(HD, 10, scenes, items)


STYLES: tuple[Style, ...] = (
    Style("talk slides", talk),
    Style("serif slides", slides),
    Style("small print", small_print),
    Style("code, light", code_light),
    Style("code, dark", code_dark),
    Style("terminal", terminal),
    Style("spreadsheet", spreadsheet),
    Style("bordered table", bordered_table),
    Style("accents", accents),
    Style("chinese", chinese, languages=("chi_sim", "eng")),
    Style("low contrast", faint),
    Style("handwriting", handwriting),
    Style("counters", counters),
    Style("dashboard", dashboard),
    Style("chat", chat),
    Style("photo captions", photo_labels),
    *MOVING,
)
