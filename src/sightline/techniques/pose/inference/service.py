"""The service of the confined process: finds people in pictures, and says what pairs of them look like."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sightline.errors import PermanentFailure
from sightline.techniques.pose.clothing import clothes
from sightline.techniques.pose.inference.classifier import PairClassifier
from sightline.techniques.pose.pairing import possible_pairs
from sightline.techniques.pose.people import SeenPerson
from sightline.techniques.pose.skeleton import JOINT_COUNT, from_coco
from sightline.vision import Picture
from sightline.vision.poses import (
    FURTHER_VIEWS,
    WHOLE_PICTURE,
    PictureView,
    PosedPerson,
    PoseModel,
    merge_people,
    zoom_on,
)

MAX_PEOPLE = 8


def open_service(argument: dict[str, Any]) -> "PoseService":
    threads = int(argument["threads"])
    file, side = argument["pose_model"], int(argument["side"])
    return PoseService(
        lambda: PoseModel(file, side=side, threads=threads),
        PairClassifier(argument["classifier"], argument["learned"], threads=threads),
    )


class PoseService:
    """A `Handler` of `jobs.ServedProcess`. The model of poses is opened by the first picture: stored poses need none."""

    def __init__(self, open_poses: Callable[[], PoseModel], classifier: PairClassifier) -> None:
        self._open_poses = open_poses
        self._poses: PoseModel | None = None
        self._classifier = classifier

    def __call__(self, header: dict[str, Any], content: memoryview) -> dict[str, Any]:
        match header["kind"]:
            case "people":
                picture = np.frombuffer(content, np.uint8).reshape(header["height"], header["width"], 3)
                return {"people": [_as_json(one) for one in self._people(picture)]}
            case "classify":
                pairs = np.frombuffer(content, np.float32).reshape(-1, 2, JOINT_COUNT, 3)
                logits, hidden = self._classifier.classify(pairs)
                found = {"logits": logits.round(4).tolist()}
                return found | ({"hidden": hidden.round(4).tolist()} if header.get("hidden") else {})
        raise PermanentFailure(f"unknown request {header['kind']!r}")

    def _people(self, picture: Picture) -> list[SeenPerson]:
        """Turned and enlarged views cost as much as the first each, so they are taken only where no pair is found."""
        poses = self._poses = self._poses or self._open_poses()
        found: list[PosedPerson] = []
        people: list[SeenPerson] = []
        for views in self._views(found):
            found[:] = merge_people([*found, *poses.people(picture, views)])[:MAX_PEOPLE]
            people = [_seen(one, picture) for one in found]
            if isinstance(possible_pairs(people), list):
                break
        return people

    @staticmethod
    def _views(found: list[PosedPerson]) -> Iterator[tuple[PictureView, ...]]:
        """`found` is what the views so far have found."""
        yield (WHOLE_PICTURE,)
        yield FURTHER_VIEWS
        if found:
            part = zoom_on([one.box for one in found[:2]])
            if part is not None:
                yield (PictureView(part),)
                yield tuple(PictureView(part, view.quarter_turns) for view in FURTHER_VIEWS)


def _seen(one: PosedPerson, picture: Picture) -> SeenPerson:
    points = one.points * np.array([one.aspect, 1, 1], np.float32)
    joints = from_coco(points)
    upper, lower = clothes(picture, joints)
    return SeenPerson(joints, upper, lower)


def _as_json(one: SeenPerson) -> list[Any]:
    return [one.joints.round(4).tolist(), one.upper, one.lower]
