"""Tables of `reading.py`, in the form that `RESULTS.md` has."""

from collections.abc import Callable, Iterable
from typing import Any

from harness import machine
from reading_score import Score, calibration_error, middle, ninth_tenth

Scores = dict[str, dict[str, Score]]
NAMES = {
    "ours": "Sightline",
    "before": "last release",
    "tesseract": "Tesseract on every kept frame",
    "rapidocr": "RapidOCR on every kept frame",
}


def as_markdown(family: str, scores: Scores) -> str:
    return "\n\n".join(
        (_all_together(family, scores), _by_style(scores), *(_measures(name, scores) for name in scores))
    )


def by_family(found: dict[str, Scores]) -> str:
    """The families beside one another, and all of them: every style with the same weight, whichever family it is of."""
    names = list(next(iter(found.values())))
    whole = {
        name: {f"{family}: {style}": one for family in found for style, one in found[family][name].items()}
        for name in names
    }
    columns = [*found.values(), whole]
    rows = [(NAMES[name], *(f"{_mean(scores[name])[1]:.1f}" for scores in columns if scores[name])) for name in names]
    header = ("contestant", *(f"{family} ({len(scores[names[0]])} styles)" for family, scores in found.items()), "all")
    return f"Exact %, by family\n\n{_table(header, rows)}\n\n{_all_together('all', whole)}"


def as_json(scores: Scores) -> dict[str, Any]:
    return {
        name: {style: dict(zip(_MEASURES, _values(one), strict=True)) for style, one in styles.items()}
        for name, styles in scores.items()
    }


def _all_together(family: str, scores: Scores) -> str:
    load = machine()
    title = f"Family {family}: every style with the same weight ({load['cpus']} cores, load {load['load']:.1f})"
    rows = [(NAMES[name], *_figures(_mean(styles))) for name, styles in scores.items()]
    return f"{title}\n\n{_table(('contestant', 'texts', *_MEASURES), rows)}"


def _by_style(scores: Scores) -> str:
    """Exact and letters of all, beside one another."""
    styles = next(iter(scores.values()))
    rows = []
    for style in styles:
        cells = [
            f"{100 * made.exact_part:.0f} / {100 * made.letters_part:.1f}"
            if (made := scores[name][style]).texts
            else "–"
            for name in scores
        ]
        rows.append((style, str(styles[style].texts), *cells))
    return f"Exact % / letters %\n\n{_table(('style', 'texts', *(NAMES[name] for name in scores)), rows)}"


def _measures(name: str, scores: Scores) -> str:
    rows = [(style, *_figures((made.texts, *_values(made)))) for style, made in scores[name].items()]
    return f"{NAMES[name]}\n\n{_table(('style', 'texts', *_MEASURES), rows)}"


_OF_TEXTS: dict[str, Callable[[Score], float]] = {
    "exact %": lambda made: 100 * made.exact_part,
    "letters %": lambda made: 100 * made.letters_part,
    "start ms": lambda made: middle(made.start_errors_ms),
    "start p90": lambda made: ninth_tenth(made.start_errors_ms),
    "end ms": lambda made: middle(made.end_errors_ms),
    "end p90": lambda made: ninth_tenth(made.end_errors_ms),
    "pieces": lambda made: made.pieces / max(1, made.texts),
}
"""Measures that say nothing about a clip without words."""
_OF_CLIPS: dict[str, Callable[[Score], float]] = {
    "junk/min": lambda made: made.junk_per_minute,
    "CPU s/s": lambda made: made.cpu_s / made.seconds,
    "ECE": lambda made: calibration_error(made.judged),
}
_MEASURES = (*_OF_TEXTS, *_OF_CLIPS)
_DIGITS = {"pieces": 2, "CPU s/s": 2, "ECE": 3, "exact %": 1, "letters %": 1, "junk/min": 1}


def _values(made: Score) -> tuple[float, ...]:
    return tuple(measure(made) for measure in (_OF_TEXTS | _OF_CLIPS).values())


def _mean(styles: dict[str, Score]) -> tuple[float, ...]:
    with_words = [made for made in styles.values() if made.texts] or list(styles.values())
    means = [sum(map(measure, with_words)) / len(with_words) for measure in _OF_TEXTS.values()]
    means += [sum(map(measure, styles.values())) / len(styles) for measure in _OF_CLIPS.values()]
    # Few segments of one style say little about calibration, so that of all of them is shown.
    means[-1] = calibration_error(pair for made in styles.values() for pair in made.judged)
    return sum(made.texts for made in styles.values()), *means


def _figures(values: Iterable[float]) -> list[str]:
    names = ("texts", *_MEASURES)
    return [f"{value:.{_DIGITS.get(name, 0)}f}" for name, value in zip(names, values, strict=True)]


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = list(header)
    lines = [cells, ["---", *["--:"] * (len(cells) - 1)], *(list(row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
