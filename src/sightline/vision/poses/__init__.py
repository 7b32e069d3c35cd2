"""Poses of people in pictures, also of those who lie or stand on their head. Runs in a confined process."""

from sightline.vision.inference.model import open_onnx_session
from sightline.vision.poses.people import PosedPerson, merge_people
from sightline.vision.poses.pose_model import PoseModel
from sightline.vision.poses.views import FURTHER_VIEWS, WHOLE_PICTURE, PictureView, zoom_on

__all__ = [
    "FURTHER_VIEWS",
    "WHOLE_PICTURE",
    "PictureView",
    "PoseModel",
    "PosedPerson",
    "merge_people",
    "open_onnx_session",
    "zoom_on",
]
