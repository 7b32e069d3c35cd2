"""Search over many segments, and the cost of indexing one more video.

[SEARCH_LIBRARY=directory] .venv/bin/python benchmarks/search.py [--quick] [--json] [--only growth]

With SEARCH_LIBRARY the databases are kept there and used again: building a million segments takes most of the time.

Questions are put as the API puts them: as a caller who sees all of it, with the rule of row level security, ranked, highlighted,
with the total, a page of twenty. They are made of lines like those that are there. Nobody asks for `the` alone: single words and
pairs leave out the hundred commonest words, phrases and sentences do not; what the commonest cost alone is said in the notes.
Against it: ILIKE on the same table by the same caller, with a total and a page.
"""

import random
from statistics import mean, median, quantiles

from harness import Result, main, server_cpu_s
from screen_words import SEGMENTS_PER_VIDEO, Line, Writer
from search_library import IndexingCost, Library, open_library
from sightline.text import SearchRequest

SIZES = (10_000, 100_000, 1_000_000)
QUICK_SIZES = (1_000, 5_000)
FEW, MANY, QUICK_MANY = 10, 10_000, 50
GOAL_P95_MS = 30.0
COMMON_WORDS = 100


def _words(line: Line) -> list[str]:
    return [word for word in line.words if word.isalpha()]


def _typo(word: str, rng: random.Random) -> str:
    at = rng.randrange(len(word))
    return word[:at] + rng.choice("aeioubcdfg") + word[at + 1 :]


def make_requests(writer: Writer, count: int, seed: int = 7) -> dict[str, list[SearchRequest]]:
    """Search requests by kind, `count` of each."""
    rng = random.Random(seed)
    common = set(writer.vocabulary[:COMMON_WORDS])
    found: dict[str, list[SearchRequest]] = {}
    while not found or len(found["word"]) < count:
        words = _words(writer.line())
        rare = [word for word in words if word not in common]
        long = [word for word in rare if len(word) >= 5]
        if len(rare) < 2 or not long:
            continue
        start = rng.randrange(len(words) - 1)
        word = rng.choice(long)
        for kind, request in (
            ("word", SearchRequest(rng.choice(rare))),
            ("two words", SearchRequest(" ".join(rng.sample(rare, 2)))),
            ("phrase", SearchRequest(f'"{words[start]} {words[start + 1]}"')),
            ("prefix", SearchRequest(f"{word[:4]}*")),
            ("part", SearchRequest(f"*{word[1:5]}*")),
            ("slip", SearchRequest(_typo(word, rng))),
            ("sentence", SearchRequest(" ".join(words))),
        ):
            found.setdefault(kind, []).append(request)
    return found


def p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]


async def measure_growth(quick: bool) -> Result:
    """Search as the library grows."""
    async with open_library("growth") as library:
        sizes = [size for size in (QUICK_SIZES if quick else SIZES) if size >= library.videos * SEGMENTS_PER_VIDEO]
        figures: dict[str, float] = {}
        notes: list[str] = []
        requests = make_requests(Writer(), 5 if quick else 40)
        for size in sizes:
            await library.grow_to(size)
            figures |= await _searches(library, size, requests, notes)
        first, last = (f"{size:,} segments" for size in (sizes[0], sizes[-1]))
        ratios = {
            "p95, largest to smallest": figures[f"{last}, p95"] / figures[f"{first}, p95"],
            "ILIKE p50 to ours p50, largest": figures[f"{last}, ILIKE, p50"] / figures[f"{last}, p50"],
        }
        if not quick:
            ratios["p95 to the goal of 30 ms"] = figures[f"{last}, p95"] / GOAL_P95_MS
            ratios["p95 of phrases to the goal of 30 ms"] = figures[f"{last}, phrase, p95"] / GOAL_P95_MS
        return Result("search", figures, "ms", ratios, notes)


async def _searches(
    library: Library, size: int, requests: dict[str, list[SearchRequest]], notes: list[str]
) -> dict[str, float]:
    label = f"{size:,} segments"
    figures: dict[str, float] = {}
    for one in (one for kind in requests.values() for one in kind):
        await library.search(one)  # warm-up, so that the pages are cached
    every: list[float] = []
    start = server_cpu_s(library.server)
    for kind, several in requests.items():
        used = server_cpu_s(library.server)
        times = [await library.search(one) for one in several]
        figures[f"{label}, {kind}, p50"] = median(times)
        figures[f"{label}, {kind}, p95"] = p95(times)
        figures[f"{label}, {kind}, CPU of the server"] = 1000 * (server_cpu_s(library.server) - used) / len(times)
        every += times
    figures |= {f"{label}, p50": median(every), f"{label}, p95": p95(every)}
    figures[f"{label}, CPU of the server"] = 1000 * (server_cpu_s(library.server) - start) / len(every)
    beginnings = [word.q[:length] for word in requests["word"] for length in (1, 2, 3, 4)]
    for beginning in beginnings:
        await library.suggest(beginning)
    used = server_cpu_s(library.server)
    times = [await library.suggest(beginning) for beginning in beginnings]
    figures |= {f"{label}, suggestions, p50": median(times), f"{label}, suggestions, p95": p95(times)}
    figures[f"{label}, suggestions, CPU of the server"] = 1000 * (server_cpu_s(library.server) - used) / len(times)
    naive = [" ".join(one.q.strip('"*').split()) for one in requests["phrase"]][:10]
    figures[f"{label}, ILIKE, p50"] = median([await library.search_naively(words) for words in naive])
    for rank, place in ((0, "four lines of ten"), (9, "one line of twenty"), (49, "one line of ninety")):
        word = SearchRequest(library.writer.vocabulary[rank])
        times = [await library.search(word) for _ in range(5)]
        notes.append(f"{size:,}: the word of rank {rank + 1}, which stands in {place}: {median(times):.1f}")
    return figures


async def measure_indexing(quick: bool) -> Result:
    """One more video of 100 segments, with few and with many others in the index."""
    figures: dict[str, float] = {}
    many = QUICK_MANY if quick else MANY
    for videos, name in ((FEW, "few"), (many, "growth")):
        async with open_library(name) as library:
            await library.grow_to(videos * SEGMENTS_PER_VIDEO)
            costs = await _indexing(library, 5 if quick else 30)
        figures |= {f"{videos:,} others, {what}": value for what, value in costs.items()}
    ratios = {
        f"many to few, {what}": figures[f"{many:,} others, {what}"] / figures[f"{FEW} others, {what}"] for what in costs
    }
    return Result("index one video", figures, "ms, KiB, pages", ratios)


async def _indexing(library: Library, count: int) -> dict[str, float]:
    """Just after a checkpoint, when each changed page is logged as a whole once, and when that is over."""
    await library.index_one()
    await library.checkpoint()
    first = [await library.index_one() for _ in range(count)]
    later = [await library.index_one() for _ in range(count)]

    def average(costs: list[IndexingCost], name: str) -> float:
        return mean(float(getattr(one, name)) for one in costs)

    return {
        "time, p50": median(one.wall_ms for one in first + later),
        "CPU of the server": average(first + later, "cpu_ms"),
        "log after a checkpoint": average(first, "wal_kb"),
        "log later": average(later, "wal_kb"),
        "pages looked at": average(first + later, "buffers"),
    }


if __name__ == "__main__":
    main("SearchRequest", {"growth": measure_growth, "indexing": measure_indexing})
