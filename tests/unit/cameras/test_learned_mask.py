"""The learned mask: read from what a motion gate writes, and from nothing else."""

import io
import zipfile
from typing import Any

import cv2
import numpy as np
import pytest

from sightline.cameras import read_learned_mask
from sightline.cameras.motion import MotionGate, save_gate
from sightline.errors import InvalidInput
from support.camera_clips import scene


def archive(name: str, content: bytes, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as written:
        written.writestr(name, content)
    return file.getvalue()


def npy(array: Any, **more: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **more)
    return file.getvalue()


@pytest.mark.req(687)
def test_what_a_gate_has_learned_is_a_grid_and_a_picture():
    gate = MotionGate()
    for number in range(3):
        gate.look(np.ascontiguousarray(scene(320, 240, number, walks=False)[:, :, 0]), number / 5)
    assert gate.state is not None
    _, activity = gate.state
    activity.learned[2:5, 3:9] = True
    state = save_gate(gate)
    assert state is not None
    mask = read_learned_mask(state)
    assert (mask.rows, mask.columns) == activity.learned.shape
    assert [[cell == "1" for cell in line] for line in mask.lines()] == activity.learned.tolist()
    assert mask.share == pytest.approx(activity.learned.mean())
    picture = cv2.imdecode(np.frombuffer(mask.png(), np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert (picture[:, :, 3] > 0).tolist() == activity.learned.tolist()


@pytest.mark.req(687)
@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"PK not an archive",
        archive("other.npy", npy(np.zeros((2, 2), bool))),
        archive("learned.npy", npy(np.array([{"a": 1}], object), allow_pickle=True)),
        archive("learned.npy", npy(np.zeros((2, 2), np.float64))),
        archive("learned.npy", npy(np.zeros((300, 300), bool))),
        archive("learned.npy", npy(np.zeros((2, 2), bool))[:-1]),
        archive("learned.npy", npy(np.full((2, 2), 7, np.uint8).view(bool))),
        archive("learned.npy", b"\x00" * 50_000_000),
        archive("learned.npy", npy(np.zeros((2, 2), bool)), zipfile.ZIP_LZMA),
    ],
    ids=["empty", "no archive", "other", "pickle", "floats", "large", "cut", "not bools", "bomb", "lzma"],
)
def test_anything_else_is_refused(state: bytes):
    with pytest.raises(InvalidInput, match="learns anew"):
        read_learned_mask(state)
