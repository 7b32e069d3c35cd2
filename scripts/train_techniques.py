"""Trains the classifier of pairs on GrappleMap, and writes it with its card.

    scripts/train_techniques.py ../shared/data/GrappleMap.txt

The positions are split into families that look alike, and the families into four folds. Four networks are trained, each on the
families of three folds; all figures are those of a network about the fold that it has not seen. The file holds the mean of
the four.
The same file of GrappleMap gives the same model on the same machine: everything is seeded, and NumPy does all of it. With
OPENBLAS_NUM_THREADS=1 the four processes do not get in each other's way.
"""

import argparse
import hashlib
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]

from grapplemap import camera  # noqa: E402 - found by the path above
from grapplemap.clips import Clips, about_clips, joined_clips, said_about  # noqa: E402
from grapplemap.data_file import read_entries  # noqa: E402
from grapplemap.examples import SPLIT_SEED, Examples, read_examples  # noqa: E402
from grapplemap.families import FAMILIES, FOLDS  # noqa: E402
from grapplemap.figures import (  # noqa: E402
    Answers,
    about_frames,
    about_windows,
    accuracies,
    calibration_error,
    confusion,
    fitted,
    joined,
    names_recalled,
    spoken_shares,
)
from grapplemap.network import Network  # noqa: E402
from grapplemap.onnx_export import onnx_bytes  # noqa: E402
from grapplemap.training import Plan, classifier_of, train  # noqa: E402
from sightline.techniques.pose.model_card import DIRECTORY  # noqa: E402
from sightline.techniques.pose.phase_windows import Calibration  # noqa: E402

SEED = 7
THRESHOLDS = (0.5, 0.65, 0.7, 0.8, 0.85, 0.86, 0.87, 0.88, 0.89, 0.9, 0.92, 0.95)
KINDS = ("frame", "held window", "moving window")
Said = dict[tuple[str, str], Answers]
"""By kind and level of noise."""
LIMITS = (
    "It has seen drawn poses from simulated cameras, no real pictures.",
    "Who acts is not in a pose: GUARD_PLAY and GUARD_PASSING are often the same picture, and DEFENSE_ESCAPES is none.",
    "Strikes, and grips of hands and clothes, are not in its skeleton of 13 joints.",
    "Rare positions, back control and submissions are recognised worse than the table suggests.",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="GrappleMap.txt")
    parser.add_argument("--out", type=Path, default=DIRECTORY, help="where pairs.onnx and pairs.json are written")
    parser.add_argument("--rounds", type=int, default=Plan().rounds, help="fewer train faster and worse")
    parser.add_argument("--pictures", type=int, default=Plan().pictures, help="pictures per round")
    chosen = parser.parse_args()
    plan = replace(Plan(), rounds=chosen.rounds, pictures=chosen.pictures)
    examples = read_examples(chosen.file)
    with ProcessPoolExecutor(max_workers=FOLDS) as pool:
        trained = list(pool.map(partial(_trained, examples, plan), range(FOLDS)))
    networks, said, clips = (list(one) for one in zip(*trained, strict=True))
    _write(chosen.out, networks, _card(chosen.file, examples, plan, said, clips))


def _trained(examples: Examples, plan: Plan, fold: int) -> tuple[Network, Said, Clips]:
    """A network that has not seen the fold, and what it says about it."""
    network = train(examples.only(examples.trained_on(fold)), plan, SEED + fold, lambda text: None)
    classify, held_out, found = classifier_of([network]), examples.only(examples.held_out(fold)), Said()
    for level in camera.LEVELS:
        found["frame", level] = about_frames(classify, held_out, level, 100 + fold)
        found["held window", level] = about_windows(classify, held_out, level, 200 + fold, of_moves=False)
        found["moving window", level] = about_windows(classify, held_out, level, 300 + fold, of_moves=True)
    clips = about_clips(classify, held_out, "medium", 400 + fold)
    medium = accuracies(found["frame", "medium"], Calibration())
    print(f"fold {fold}: {medium} after {time.process_time():.0f} s of CPU time", flush=True)
    return network, found, clips


def _card(file: Path, examples: Examples, plan: Plan, said: list[Said], clips: list[Clips]) -> dict[str, Any]:
    """Calibrated on two folds and checked on the other two; the file gets the temperatures of all four."""
    held = [one["held window", "medium"] for one in said]
    calibration = fitted(joined(held))
    halves = [(joined(held[:2]), joined(held[2:])), (joined(held[2:]), joined(held[:2]))]
    entries = read_entries(file)
    return {
        "name": "pairs",
        "purpose": "phase, category and position of two people who grapple, from their joints in a picture",
        "data": {
            "source": "GrappleMap by Eelis van der Weegen, public domain",
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "positions": sum(one.is_position for one in entries),
            "transitions": sum(not one.is_position for one in entries),
            "frames_with_a_label": int((examples.labels >= 0).any(axis=1).sum()),
            "positions_in_the_figures": int(((examples.moves < 0) & (examples.truths >= 0)).sum()),
        },
        "split": f"{FAMILIES} families by complete linkage of the distances between joints, in {FOLDS} folds (seed {SPLIT_SEED}); "
        "transitions between a fold that is trained on and the one held out are in neither",
        "windows": "eight looks in two seconds of one camera, steadied by each other and averaged; a made clip holds a "
        "position for five seconds, moves on in two, and holds the next for five",
        "noise": {level: asdict(noise) for level, noise in camera.LEVELS.items()},
        "training": asdict(plan) | {"seed": SEED},
        "accuracy": {
            kind: {
                level: accuracies(joined([one[kind, level] for one in said]), calibration) for level in camera.LEVELS
            }
            for kind in KINDS
        },
        "accuracy_by_fold_at_medium": [
            {kind: accuracies(one[kind, "medium"], calibration) for kind in KINDS} for one in said
        ],
        "confusion_of_frames_at_medium": confusion(joined([one["frame", "medium"] for one in said]), calibration),
        "names_in_first_three_at_medium": names_recalled(joined([one["frame", "medium"] for one in said]), calibration),
        "calibration": {
            "temperatures": asdict(calibration),
            "error_on_other_folds": [calibration_error(test, fitted(fit)) for fit, test in halves],
        },
        "spoken": {
            kind: {
                level: spoken_shares(joined([one[kind, level] for one in said]), calibration, THRESHOLDS)
                for level in camera.LEVELS
            }
            for kind in KINDS
        },
        "spoken_in_made_clips_at_medium": [
            {"probability": one} | said_about(joined_clips(clips), calibration, one) for one in THRESHOLDS
        ],
        "limits": LIMITS,
    }


def _write(directory: Path, networks: list[Network], card: dict[str, Any]) -> None:
    content = onnx_bytes(networks, {"data_sha256": card["data"]["sha256"]})
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "pairs.onnx").write_bytes(content)
    written = {"sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)} | card
    (directory / "pairs.json").write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"wrote {directory / 'pairs.onnx'} ({len(content)} bytes, SHA-256 {written['sha256']})")


if __name__ == "__main__":
    main()
