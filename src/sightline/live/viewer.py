"""Visibility of messages: a caller's rights and the patterns they subscribed to. Pure.

The rights are those of row level security (`live_messages`), checked here in memory for each message that is sent.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from uuid import UUID

from sightline.contracts import Caller
from sightline.errors import InvalidInput
from sightline.live.message import FeedRecord

MAX_PATTERNS = 50
MAX_PATTERN_LENGTH = 100
EVERYTHING = frozenset({"*"})
_PATTERN = re.compile(r"\*|[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(\.\*)?")


AudienceKey = tuple[UUID, frozenset[UUID]]
"""A person and their teams: all that decides which messages they may see."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Equal viewers get the same bytes."""

    user_id: UUID
    team_ids: frozenset[UUID] = frozenset()
    patterns: frozenset[str] = EVERYTHING

    @classmethod
    def of(cls, caller: Caller, patterns: frozenset[str] = EVERYTHING) -> "Viewer":
        return cls(caller.user_id, frozenset(caller.visible_team_ids), patterns)

    @property
    def audience(self) -> AudienceKey:
        return self.user_id, self.team_ids

    def following(self, patterns: frozenset[str]) -> "Viewer":
        return replace(self, patterns=patterns)

    def may_see(self, message: FeedRecord) -> bool:
        return message.is_for_all or message.owner_id == self.user_id or message.team_id in self.team_ids

    def wants(self, message: FeedRecord) -> bool:
        is_all, exact, prefixes = _compiled(self.patterns)
        if is_all:
            return True
        words = (message.type,) if message.topic is None else (message.type, message.topic)
        return any(word in exact or word.startswith(prefixes) for word in words)

    def sees(self, message: FeedRecord) -> bool:
        return self.may_see(message) and self.wants(message)


def check_patterns(patterns: Iterable[str]) -> frozenset[str]:
    """`*`, `alert.*` or an exact word each, and not too many of them."""
    found = frozenset(patterns)
    if len(found) > MAX_PATTERNS:
        raise InvalidInput(f"{len(found)} patterns; the limit is {MAX_PATTERNS}")
    for pattern in found:
        if len(pattern) > MAX_PATTERN_LENGTH or not _PATTERN.fullmatch(pattern):
            raise InvalidInput(
                f"{pattern[:MAX_PATTERN_LENGTH]!r} is not a valid pattern: use *, a word, or words.with.dots.*"
            )
    return found


@lru_cache(maxsize=4096)
def _compiled(patterns: frozenset[str]) -> tuple[bool, frozenset[str], tuple[str, ...]]:
    exact = frozenset(pattern for pattern in patterns if not pattern.endswith("*"))
    prefixes = tuple(pattern[:-1] for pattern in patterns if pattern.endswith(".*"))
    return "*" in patterns, exact, prefixes
