"""Reads every kept frame by itself, whole, and joins what is the same in following frames.

frame_reader.py tesseract|rapidocr END_MS LANGUAGES TESSDATA FRAME...; frames are named by their time in ms. Prints segments and
the CPU seconds of reading as JSON.
"""

import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

LEAST_CONFIDENCE = 0.6
Line = tuple[str, float, list[int]]


def tesseract_lines(languages: str, models: str) -> Any:
    import tesserocr

    api = tesserocr.PyTessBaseAPI(path=models, lang=languages.replace(",", "+"))

    def lines(path: Path) -> list[Line]:
        with Image.open(path) as image:
            api.SetImage(image)
            api.Recognize()
        found = []
        for line in tesserocr.iterate_level(api.GetIterator(), tesserocr.RIL.TEXTLINE):
            text = (
                (line.GetUTF8Text(tesserocr.RIL.TEXTLINE) or "").strip()
                if not line.Empty(tesserocr.RIL.TEXTLINE)
                else ""
            )
            if text:
                left, top, right, bottom = line.BoundingBox(tesserocr.RIL.TEXTLINE)
                confidence = line.Confidence(tesserocr.RIL.TEXTLINE) / 100
                found.append((text, confidence, [left, top, right - left, bottom - top]))
        return found

    return lines


def rapidocr_lines(languages: str, models: str) -> Any:
    import onnxruntime
    from rapidocr import RapidOCR

    onnxruntime.disable_telemetry_events()
    onnxruntime.set_default_logger_severity(3)
    one_thread = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    reader = RapidOCR(params={"Global.log_level": "error", **one_thread})

    def lines(path: Path) -> list[Line]:
        answer: Any = reader(str(path))
        if answer.boxes is None:
            return []
        found = []
        for corners, text, confidence in zip(answer.boxes, answer.txts, answer.scores, strict=True):
            left, top = (int(min(corner[axis] for corner in corners)) for axis in (0, 1))
            right, bottom = (int(max(corner[axis] for corner in corners)) for axis in (0, 1))
            found.append((text.strip(), float(confidence), [left, top, right - left, bottom - top]))
        return found

    return lines


def is_near(box: list[int], other: list[int]) -> bool:
    across = min(box[0] + box[2], other[0] + other[2]) - max(box[0], other[0])
    down = min(box[1] + box[3], other[1] + other[3]) - max(box[1], other[1])
    return across > 0 and down > 0


def main(engine: str, end_ms: int, languages: str, models: str, frames: list[Path]) -> None:
    lines = {"tesseract": tesseract_lines, "rapidocr": rapidocr_lines}[engine](languages, models)
    used = time.process_time()
    segments: list[dict[str, Any]] = []
    for path, (start, end) in zip(frames, pairwise([*(int(one.stem) for one in frames), end_ms]), strict=True):
        for text, confidence, box in lines(path):
            if confidence < LEAST_CONFIDENCE:
                continue
            running = next(
                (one for one in segments if one["t_end"] == start and one["text"] == text and is_near(one["box"], box)),
                None,
            )
            if running is None:
                segments.append({"text": text, "t_start": start, "t_end": end, "confidence": confidence, "box": box})
            else:
                running["t_end"] = end
                running["confidence"] = max(confidence, running["confidence"])
    print(json.dumps({"segments": segments, "cpu_s": time.process_time() - used}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], [Path(one) for one in sys.argv[5:]])
