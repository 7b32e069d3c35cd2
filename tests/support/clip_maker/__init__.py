"""Generated clips with known words, times and positions; the same seed makes the same clip."""

from support.clip_maker.clip import Clip, TextEvent, write_clip
from support.clip_maker.kinds import KINDS, make_clip
from support.clip_maker.score import Found, Score, score
from support.clip_maker.styles import STYLES, Style

__all__ = ["KINDS", "STYLES", "Clip", "Found", "Score", "Style", "TextEvent", "make_clip", "score", "write_clip"]
