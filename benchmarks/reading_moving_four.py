"""Fourth family of clips, part two: news, games, sports, subtitles, credits and titles over film, and text that moves."""

import random
from collections.abc import Sequence
from dataclasses import replace

import reading_texts_four as texts
from reading_drawing import Drawing, Item, Scene, Style
from reading_fonts import Face, font
from reading_grounds import Banded, Film, Pan, Shots, Size, photo, plain

HD: Size = (1280, 720)


def steps(starts: Sequence[int], shift: float, took_ms: int = 160) -> tuple[tuple[int, float, float], ...]:
    """A path that moves up by `shift` at each of these times."""
    path: list[tuple[int, float, float]] = [(0, 0.0, 0.0)]
    for number, at in enumerate(starts):
        path += [(at, 0.0, -shift * number), (at + took_ms, 0.0, -shift * (number + 1))]
    return tuple(path)


def news(chance: random.Random) -> Drawing:
    """A strap that slides in over a film, with a clock and a mark that stay."""
    live, first, second, place = texts.NEWS
    red, white, navy = (200, 10, 30), (255, 255, 255), (12, 24, 60)
    items = [
        Item(live, 70, 40, font("titillium-web", 30), white, 0, 8000, plate=red),
        Item(place, 170, 40, font("titillium-web", 28, "400Regular"), white, 0, 8000, plate=navy),
    ]
    for number, clock in enumerate(texts.NEWS_CLOCK):
        items.append(
            Item(clock, 1140, 40, font("titillium-web", 30), white, number * 4000, 4000 + number * 4000, plate=navy)
        )
    slide = ((0, -1100.0, 0.0), (400, 0.0, 0.0))
    for begin, (large, small) in ((600, (first, second)), (4300, texts.NEWS_SECOND)):
        end = begin + 3300
        items.append(Item(large, 80, 520, font("titillium-web", 48), navy, begin, end, plate=white, path=slide))
        face = font("titillium-web", 30, "400Regular")
        items.append(Item(small, 80, 615, face, white, begin, end, plate=navy, path=slide))
    return Drawing(HD, 8, [Scene(0, Film(HD, "bikes.mp4", chance))], items)


def karaoke(chance: random.Random) -> Drawing:
    """Lyrics whose words take another colour one after the other."""
    face, items = font("bangers", 62), []
    ground = Pan(HD, "hubble_deep_field.jpg", chance)
    for number, line in enumerate(texts.KARAOKE):
        start, end = 200 + number * 2000, 2100 + number * 2000
        x = (HD[0] - face.getlength(line)) / 2
        whole = Item(line, x, 560, face, (255, 255, 255), start, end, outline=(20, 10, 40), outline_px=4)
        items.append(whole)
        words = line.split()
        for turn, word in enumerate(words):
            before = " ".join([*words[:turn], ""])
            begin = start + 300 + turn * 1400 // len(words)
            at = x + face.getlength(before)
            items.append(replace(whole, text=word, x=at, fill=(255, 210, 0), start_ms=begin, is_truth=False))
    return Drawing(HD, 8.4, [Scene(0, ground)], items, fps=30)


def game(chance: random.Random) -> Drawing:
    items = []
    places = ((60, 640), (1060, 640), (960, 40))
    for (x, y), values in zip(places, texts.HUD, strict=True):
        for turn, value in enumerate(values):
            face, start = font("orbitron", 28), turn * 2300
            shown = Item(value, x, y, face, (120, 255, 200), start, start + 2300, shadow_px=2)
            items.append(replace(shown, outline=(0, 0, 0), outline_px=1))
    for row, line in enumerate(texts.HUD_STILL):
        face = font("rajdhani", 34)
        items.append(Item(line, 60, 40 + row * 46, face, (255, 240, 200), 300, 6900, outline=(0, 0, 0), outline_px=2))
    return Drawing(HD, 6.9, [Scene(0, Film(HD, "bigbuckbunny.mp4", chance))], items, fps=30)


def _subtitles(lines: Sequence[Sequence[str]], face: Face, every_ms: int) -> list[Item]:
    items = []
    for number, rows in enumerate(lines):
        start = 300 + number * every_ms
        for row, line in enumerate(rows):
            x, y = (HD[0] - face.getlength(line)) / 2, 640 - round(face.size * 1.75) * (len(rows) - 1 - row)
            items.append(Item(line, x, y, face, (255, 255, 255), start, start + every_ms - 200))
    return items


def boxed_subtitles(chance: random.Random) -> Drawing:
    lines = _subtitles(texts.BOXED, font("mulish", 34), 2000)
    items = [replace(line, plate=(0, 0, 0), plate_opacity=0.8) for line in lines]
    return Drawing(HD, 8.5, [Scene(0, Film(HD, "bigbuckbunny.mp4", chance))], items)


def thin_subtitles(chance: random.Random) -> Drawing:
    lines = _subtitles(texts.OUTLINED, font("arimo", 36), 2000)
    items = [replace(line, outline=(0, 0, 0), outline_px=1) for line in lines]
    return Drawing(HD, 8.5, [Scene(0, Film(HD, "bikes.mp4", chance, brightness=0.9))], items, fps=24)


def score_bar(chance: random.Random) -> Drawing:
    """A match with a clock that runs."""
    items, face, dark = [], font("teko", 44), (16, 16, 40)
    home, away, half = texts.SCORE_BAR
    for text, x in ((home, 70), (away, 260)):
        items.append(Item(text, x, 44, face, (255, 255, 255), 0, 8000, plate=dark))
    for turn, pair in enumerate(texts.SCORES):
        for text, x in zip(pair, (166, 216), strict=True):
            items.append(Item(text, x, 44, face, (20, 20, 20), turn * 4000, turn * 4000 + 4000, plate=(250, 210, 40)))
    for turn, clock in enumerate(texts.MATCH_CLOCK):
        items.append(Item(clock, 370, 44, face, (255, 255, 255), turn * 1000, turn * 1000 + 1000, plate=(120, 20, 40)))
    items.append(Item(half, 500, 48, font("teko", 36), (255, 255, 255), 0, 8000, plate=dark))
    return Drawing(HD, 8, [Scene(0, Pan(HD, "grass.png", chance))], items)


def terminal(chance: random.Random) -> Drawing:
    """Output that scrolls up by a line whenever the window is full."""
    rows, height, every_ms, face = 9, 62, 550, font("ubuntu-mono", 28)
    items = []
    for number, line in enumerate(texts.TERMINAL):
        start, row = number * every_ms, min(number, rows - 1)
        moves = [later * every_ms - start for later in range(max(rows, number + 1), len(texts.TERMINAL))]
        x = 60 + face.getlength(" ") * (len(line) - len(line.lstrip()))
        shown = Item(line.strip(), x, 80 + row * height, face, (230, 230, 230), start, 9000)
        items.append(replace(shown, path=steps(moves, height, 1), window=(0, 60, 1280, 600)))
    return Drawing(HD, 9, [Scene(0, plain(HD, (48, 10, 36)))], items, fps=30)


def flying_titles(chance: random.Random) -> Drawing:
    """Titles that grow, fly in, fade, and drift slowly towards the viewer."""
    first, second, third, fourth, fifth = texts.FLYING
    face, white = font("cinzel", 60), (240, 240, 240)

    def middle(text: str) -> float:
        return (HD[0] - face.getlength(text)) / 2

    items = [
        Item(first, middle(first), 310, face, (255, 170, 60), 200, 2300, zoom=((0, 0.3), (500, 1.0), (2100, 1.0))),
        Item(second, middle(second), 320, face, white, 2500, 4600, fade_ms=400, zoom=((0, 1.0), (2100, 1.12))),
        Item(third, middle(third), 320, face, white, 4800, 6600, path=((0, 900.0, 0.0), (350, 0.0, 0.0))),
        Item(fourth, middle(fourth), 240, face, white, 6800, 9000, path=((0, 0.0, -400.0), (300, 0.0, 0.0))),
        Item(fifth, middle(fifth), 420, face, white, 7200, 9000, fade_ms=300),
    ]
    return Drawing(HD, 9.2, [Scene(0, photo(HD, "hubble_deep_field.jpg", chance, brightness=0.3))], items, fps=30)


def two_columns(chance: random.Random) -> Drawing:
    """Credits in two columns over a darkened film."""
    items = []
    for number, (what, who) in enumerate(texts.CREDITS):
        y, face = HD[1] + number * 84, font("eb-garamond", 36)
        items.append(Item(what, 600 - face.getlength(what), y, face, (205, 205, 205), 0, 11_000, dy=-125))
        items.append(Item(who, 660, y, font("eb-garamond", 36, "500Medium"), (255, 255, 255), 0, 11_000, dy=-125))
    return Drawing(HD, 11, [Scene(0, Film(HD, "bikes.mp4", chance, brightness=0.22))], items, fps=24)


def stop_motion(chance: random.Random) -> Drawing:
    """Words of 120 to 200 ms on changing grounds."""
    names = ("brick.png", "gravel.png", "camera.png", "rocket.jpg")
    scenes, items, ms = [Scene(0, plain(HD, (10, 10, 10)))], [], 400
    for number, (length_ms, text) in enumerate(texts.STOP_MOTION):
        ground = photo(HD, names[number // 2], chance, brightness=0.35) if number % 2 else plain(HD, (230, 60, 40))
        scenes += [Scene(ms - 200, ground)]
        x, y = 100 + chance.randint(0, 300), 120 + chance.randint(0, 380)
        items.append(Item(text, x, y, font("archivo-black", 76), (255, 255, 255), ms, ms + length_ms))
        ms += length_ms + 520
    return Drawing(HD, ms / 1000, scenes, items, fps=25)


def old_television(chance: random.Random) -> Drawing:
    """Yellow captions on woven, noisy pictures."""
    face, items = font("pt-serif", 40, "700Bold"), []
    for number, line in enumerate(texts.OLD_TELEVISION):
        start = 300 + number * 2000
        x = (HD[0] - face.getlength(line)) / 2
        items.append(Item(line, x, 600, face, (250, 230, 80), start, start + 1800, outline=(0, 0, 0), outline_px=2))
    grounds = [Film(HD, "bikes.mp4", chance, brightness=0.7), Film(HD, "carphone_pristine.mp4", chance)]
    return Drawing(HD, 8.4, [Scene(0, Shots(grounds, 3000))], items, grain=9.0, is_woven=True, crf=27)


def two_tickers(chance: random.Random) -> Drawing:
    """Quotes that run fast above headlines that run slowly."""
    items, x = [], 900.0
    for text in texts.QUOTES:
        face = font("share-tech-mono", 30)
        items.append(Item(text, x, 596, face, (120, 255, 140), 0, 12_000, dx=-230))
        x += face.getlength(text) + 120
    x = 500.0
    for text in texts.HEADLINES:
        face = font("barlow", 34)
        items.append(Item(text, x, 656, face, (20, 20, 20), 0, 12_000, dx=-150))
        x += face.getlength(text) + 120
    ground = Banded(Pan(HD, "chelsea.png", chance), (0, 584, 1280, 640), (10, 10, 14))
    return Drawing(HD, 12, [Scene(0, Banded(ground, (0, 644, 1280, 704), (245, 245, 245)))], items, fps=30)


def wordless(chance: random.Random) -> Drawing:
    """Noisy films and textures without a word."""
    film, other, still = (
        Film(HD, "carphone_pristine.mp4", chance),
        Film(HD, "bigbuckbunny.mp4", chance),
        Pan(HD, "retina.jpg", chance),
    )
    return Drawing(HD, 9, [Scene(0, film), Scene(3000, other), Scene(6000, still)], [], grain=6.0, is_woven=True)


MOVING: tuple[Style, ...] = (
    Style("news strap", news),
    Style("karaoke", karaoke),
    Style("game display", game),
    Style("boxed subtitles", boxed_subtitles),
    Style("thin subtitles", thin_subtitles),
    Style("score bar with clock", score_bar),
    Style("scrolling terminal", terminal),
    Style("flying titles", flying_titles),
    Style("credits in two columns", two_columns),
    Style("stop motion", stop_motion),
    Style("old television", old_television),
    Style("two tickers", two_tickers),
    Style("wordless noise", wordless),
)
