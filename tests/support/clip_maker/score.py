"""Scores of a reading against the known text of a clip: exact events, letters, and invented text."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Levenshtein

from support.clip_maker.clip import Clip, TextEvent

TOLERANCE_MS = 100


@dataclass(frozen=True, slots=True)
class Found:
    """A segment that was read."""

    text: str
    start_ms: int
    end_ms: int


@dataclass(slots=True)
class Score:
    events: int
    exact: int
    """Events with the right words at the right times."""
    right_words: int
    letters: float
    """The share of letters that were read correctly, 0 to 1."""
    junk: list[Found] = field(default_factory=list)
    junk_per_minute: float = 0.0
    by_kind: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Exact events and all events, by kind."""
    missed: list[tuple[TextEvent, str]] = field(default_factory=list)
    """Each event with the most similar text that was read."""

    @property
    def exact_part(self) -> float:
        return self.exact / self.events if self.events else 1.0


def score(clip: Clip, found: Sequence[Found]) -> Score:
    result = Score(len(clip.events), 0, 0, 0.0)
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    letters = right = 0.0
    explained: set[int] = set()
    for event in clip.events:
        near = [(number, one) for number, one in enumerate(found) if _overlap(event, one) > 0]
        expected = _plain(event.text)
        alike = [(similarity(expected, _plain(one.text)), number, one) for number, one in near]
        explained |= {number for how, number, _ in alike if how > 0.5}
        best = max(alike, default=(0.0, -1, Found("", 0, 0)))
        same = [one for one in found if _plain(one.text) == expected]
        is_exact = any(_on_time(event, one) for one in same)
        letters += len(expected)
        right += best[0] * len(expected)
        kinds[event.kind][0] += is_exact
        kinds[event.kind][1] += 1
        result.exact += is_exact
        result.right_words += any(_overlap(event, one) > 0 for one in same)
        if not is_exact:
            nearest = f"{best[2].text!r} {best[2].start_ms}-{best[2].end_ms}" if best[1] >= 0 else "nothing"
            result.missed.append((event, nearest))
    running = " ".join(_plain(text) for text in clip.moving)
    result.junk = [
        one for number, one in enumerate(found) if number not in explained and not _is_part(_plain(one.text), running)
    ]
    result.letters = right / letters if letters else 1.0
    result.junk_per_minute = len(result.junk) / (clip.duration_ms / 60_000)
    result.by_kind = {kind: (exact, all_) for kind, (exact, all_) in sorted(kinds.items())}
    return result


def similarity(expected: str, read: str) -> float:
    """1 - edit distance / length, never below 0."""
    return max(0.0, 1 - Levenshtein.distance(expected, read) / max(1, len(expected)))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _overlap(event: TextEvent, one: Found) -> int:
    return min(event.end_ms, one.end_ms) - max(event.start_ms, one.start_ms)


def _on_time(event: TextEvent, one: Found) -> bool:
    return abs(event.start_ms - one.start_ms) <= TOLERANCE_MS and abs(event.end_ms - one.end_ms) <= TOLERANCE_MS


def _is_part(text: str, running: str) -> bool:
    """Whether it is a fragment of the moving text, that is, contains mostly words of it."""
    words = text.split()
    known = _pieces(running)
    return bool(words) and sum(word in known for word in words[1:-1] or words) >= 0.6 * len(words[1:-1] or words)


def _pieces(running: str) -> set[str]:
    words = running.split()
    return {word[a:] for word in words for a in range(len(word))} | {
        word[:b] for word in words for b in range(1, len(word) + 1)
    }


def as_found(rows: Iterable[tuple[str, int, int]]) -> list[Found]:
    return [Found(*row) for row in rows]
