"""What an analysis by a vision model will take, before it runs: calls, pictures, tokens and cost. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sightline.techniques.analyzers.vision_prompt import INSTRUCTIONS, MAX_CONTEXT_LENGTH
from sightline.techniques.analyzers.windows import Window
from sightline.techniques.settings import TechniquesSettings

CHARACTERS_PER_TOKEN = 4
TOKENS_AROUND_PICTURE = 12
"""The line that says the time of a picture."""
TILE_PX, TOKENS_PER_TILE, TOKENS_PER_PICTURE = 512, 170, 85
"""Large pictures are cut into tiles, each of which costs so much beside the picture itself."""
MAX_SIDE_PX, MAX_SHORT_SIDE_PX = 2048, 768
"""To which a picture is shrunk before it is cut into tiles."""
UNKNOWN_SIZE = (1280, 720)


@dataclass(frozen=True, slots=True)
class AnalysisEstimate:
    calls: int
    pictures: int
    prompt_tokens: int
    """About; servers count pictures in different ways."""
    max_completion_tokens: int
    """At most; without requests that have to be repeated."""
    max_cost: float | None
    """At most, by the prices in the settings; None without prices."""


def estimate_analysis(
    settings: TechniquesSettings, windows: Sequence[Window], size: tuple[int | None, int | None]
) -> AnalysisEstimate:
    """`size` is the width and height of the video's pictures."""
    pictures = sum(len(window.frames) for window in windows)
    width, height = size
    per_picture = settings.model_picture_tokens or picture_tokens((width, height) if width and height else UNKNOWN_SIZE)
    text_tokens = math.ceil((len(INSTRUCTIONS) + MAX_CONTEXT_LENGTH) / CHARACTERS_PER_TOKEN)
    prompt_tokens = len(windows) * text_tokens + pictures * (per_picture + TOKENS_AROUND_PICTURE)
    completion_tokens = len(windows) * settings.model_max_tokens
    has_prices = settings.price_per_million_input > 0 or settings.price_per_million_output > 0
    return AnalysisEstimate(
        calls=len(windows),
        pictures=pictures,
        prompt_tokens=prompt_tokens,
        max_completion_tokens=completion_tokens,
        max_cost=token_cost(settings, prompt_tokens, completion_tokens) if has_prices else None,
    )


def picture_tokens(size: tuple[int, int]) -> int:
    """Tokens of a picture of this size, as hosted models count them."""
    scale = min(1.0, MAX_SIDE_PX / max(size), MAX_SHORT_SIDE_PX / min(size))
    tiles = math.prod(math.ceil(side * scale / TILE_PX) for side in size)
    return TOKENS_PER_PICTURE + TOKENS_PER_TILE * tiles


def token_cost(settings: TechniquesSettings, prompt_tokens: int, completion_tokens: int) -> float:
    prices = settings.price_per_million_input, settings.price_per_million_output
    return (prompt_tokens * prices[0] + completion_tokens * prices[1]) / 1e6
