"""Real clips of `reading.py`: files of public repositories, whose texts somebody read by eye (`reading_real.json`)."""

import json
from collections.abc import Sequence
from pathlib import Path

from reading_drawing import MadeClip, Truth

TRUTH_FILE = Path(__file__).parent / "reading_real.json"


def real_clips(checkouts: Path) -> Sequence[MadeClip]:
    """Those whose files are there; the others are named, because a run that leaves out clips has to say so."""
    clips = []
    for known in json.loads(TRUTH_FILE.read_text()):
        file = checkouts / known["repository"] / known["path"]
        if not file.is_file():
            print(f"left out: {file} is missing", flush=True)
            continue
        truths = [
            Truth(text, start, end, tuple(box), start - slack, end + slack)
            for text, start, end, box, slack in (
                (one["text"], one["start_ms"], one["end_ms"], one["box"], one.get("slack_ms", 0))
                for one in known["texts"]
            )
        ]
        clips.append(MadeClip(known["name"], file, known["seconds"], truths, tuple(known.get("languages", ()))))
    return clips
