"""The clips that the pipeline is measured on, each with what is true of it; made once and kept in `.reports/clips`."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import ROOT
from support.clip_maker import Clip, Found, Score, TextEvent, make_clip, score

KEPT = ROOT / ".reports" / "clips"
SIZE = (1920, 1080)
CODECS = {
    "h264": ("libx264", {"preset": "veryfast", "crf": "20"}),
    "hevc": ("libx265", {"preset": "ultrafast", "crf": "22", "x265-params": "log-level=error"}),
}
"""Browsers play the first as it is; the second has to be encoded anew."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A clip of 1080p at 30 frames a second, with sound."""

    kind: str
    style: str
    seed: int
    seconds: int
    codec: str = "h264"

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.style}-{self.seed}-{self.seconds}-{self.codec}".replace(" ", "_")

    def clip(self) -> Clip:
        """Made if it is not there yet: drawing takes longer than anything that is measured on it."""
        film, truth = KEPT / f"{self.name}.mp4", KEPT / f"{self.name}.json"
        if truth.is_file():
            return _from_json(film, json.loads(truth.read_text()))
        KEPT.mkdir(parents=True, exist_ok=True)
        codec, options = CODECS[self.codec]
        made = make_clip(
            film,
            self.kind,
            size=SIZE,
            seconds=self.seconds,
            style=self.style,
            seed=self.seed,
            with_sound=True,
            codec=codec,
            options=options,
        )
        truth.write_text(json.dumps(asdict(made) | {"path": film.name}))
        return made


def scored(clip: Clip, segments: Iterable[dict[str, Any]]) -> Score:
    """Of segments as `sightline process --json` tells them."""
    return score(clip, [Found(one["text"], one["t_start"], one["t_end"]) for one in segments])


def _from_json(film: Path, told: dict[str, Any]) -> Clip:
    events = tuple(TextEvent(**event | {"box": tuple(event["box"])}) for event in told["events"])
    return Clip(
        film,
        told["width"],
        told["height"],
        told["duration_ms"],
        tuple(told["frame_times_ms"]),
        events,
        tuple(told["moving"]),
    )
