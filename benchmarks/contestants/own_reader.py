"""Reads the kept frames of a clip as the jobs `ocr` and `segment_index` do, in one process and without a platform.

own_reader.py sample FILM SECONDS DIRECTORY writes the key frames; own_reader.py read END_MS LANGUAGES FRAME... prints segments and
the CPU seconds of reading as JSON. The `sightline` that is imported is the one that is read with: `PYTHONPATH` names another.
"""

import json
import os
import sys
import time
import uuid
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any

MIN_CONFIDENCE, MERGE_GAP_MS, TARGET_FPS, THRESHOLD = 0.6, 300, 10, 0.95
"""The defaults of a fresh installation."""


def sample(film: str, seconds: float, directory: str) -> None:
    from sightline.media.input import MediaLimits
    from sightline.media.sampling.ranges import WHOLE_VIDEO
    from sightline.media.sampling.sample_work import sample_range
    from sightline.media.settings import MediaSettings

    os.chdir(directory)
    argument = {
        "readable": film,
        "media_limits": asdict(MediaLimits.of(MediaSettings())),
        "target_fps": TARGET_FPS,
        "threshold": THRESHOLD,
        "duration_s": seconds,
        "range": [WHOLE_VIDEO.first, WHOLE_VIDEO.until],
        "threads": 1,
    }
    sample_range(argument, lambda *_: None)


def read(end_ms: int, languages: list[str], frames: list[Path]) -> dict[str, Any]:
    from sightline.text.reading.engines import need_engine
    from sightline.text.reading.ocr import FRAMES_PER_CHUNK, LOOKAHEAD_FRAMES
    from sightline.text.reading.ocr_work import read_chunk
    from sightline.text.segments import Box, TextReading, merge_readings

    os.chdir(frames[0].parent)
    engine = need_engine("combined")
    files = [str(file) for file in engine.load().needed_files(languages)]
    times = [int(one.stem) for one in frames]
    ends = [*times[1:], max(end_ms, times[-1] + 1)]
    shared = {"min_confidence": MIN_CONFIDENCE, "languages": languages, "engine": astuple(engine), "files": files}
    readings: list[TextReading] = []
    used = time.process_time()
    for first in range(0, len(times), FRAMES_PER_CHUNK):
        until = min(first + FRAMES_PER_CHUNK, len(times))
        seen = range(max(0, first - 1), min(len(times), until + LOOKAHEAD_FRAMES))
        shown = [[times[at], ends[at]] for at in seen]
        argument = {"frames": shown, "first": first - seen.start, "until": until - seen.start, **shared}
        for text, start, end, confidence, box, language in read_chunk(argument, lambda *_: None)["readings"]:
            readings.append(TextReading(text, start, end, confidence, Box(*box), language))
    used = time.process_time() - used
    segments = [
        {
            "text": one.text,
            "t_start": one.t_start,
            "t_end": one.t_end,
            "confidence": one.confidence,
            "box": [one.box.x, one.box.y, one.box.width, one.box.height],
        }
        for one in merge_readings(uuid.uuid4(), readings, gap_ms=MERGE_GAP_MS)
    ]
    return {"segments": segments, "cpu_s": used}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sample", film, seconds, directory]:
            sample(film, float(seconds), directory)
        case ["read", end_ms, languages, *names]:
            print(json.dumps(read(int(end_ms), languages.split(","), [Path(name) for name in names])))
