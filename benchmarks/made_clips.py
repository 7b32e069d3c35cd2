"""Benchmark clips of the pipeline, each with the text that it shows; drawn once and kept in `.reports/clips`."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import ROOT
from support.clip_maker import Clip, Found, Score, TextEvent, make_clip, score

CLIPS_DIRECTORY = ROOT / ".reports" / "clips"
SIZE = (1920, 1080)
CODECS = {
    "h264": ("libx264", {"preset": "veryfast", "crf": "20"}),
    "hevc": ("libx265", {"preset": "ultrafast", "crf": "22", "x265-params": "log-level=error"}),
}
"""Browsers play the first as it is; the second has to be transcoded."""


@dataclass(frozen=True, slots=True)
class ClipSpec:
    """What to draw: a clip of 1080p at 30 frames per second, with audio."""

    kind: str
    style: str
    seed: int
    seconds: int
    codec: str = "h264"

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.style}-{self.seed}-{self.seconds}-{self.codec}".replace(" ", "_")

    def clip(self) -> Clip:
        """The clip, drawn on first use: drawing takes longer than anything that is measured on it."""
        film, truth_file = CLIPS_DIRECTORY / f"{self.name}.mp4", CLIPS_DIRECTORY / f"{self.name}.json"
        if truth_file.is_file():
            return _from_json(film, json.loads(truth_file.read_text()))
        CLIPS_DIRECTORY.mkdir(parents=True, exist_ok=True)
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
        truth_file.write_text(json.dumps(asdict(made) | {"path": film.name}))
        return made


def scored(clip: Clip, segments: Iterable[dict[str, Any]]) -> Score:
    """Score of segments from `sightline process --json`."""
    return score(clip, [Found(one["text"], one["t_start"], one["t_end"]) for one in segments])


def _from_json(film: Path, truth: dict[str, Any]) -> Clip:
    events = tuple(TextEvent(**event | {"box": tuple(event["box"])}) for event in truth["events"])
    return Clip(
        film,
        truth["width"],
        truth["height"],
        truth["duration_ms"],
        tuple(truth["frame_times_ms"]),
        events,
        tuple(truth["moving"]),
    )
