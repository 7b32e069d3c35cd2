"""What a motion gate has learned, as bytes that outlive a restart."""

import io
import zipfile

import numpy as np

from sightline.cameras.motion.activity import Activity
from sightline.cameras.motion.background import Background
from sightline.cameras.motion.gate import MotionGate

VERSION = 1
MAX_STATE_BYTES = 4 * 1024 * 1024
MAX_SIDE = 2048
_NOISE_STEPS = 16
_CELLS = ("rate", "onsets", "density")


def save_gate(gate: MotionGate) -> bytes | None:
    """Some tens of kilobytes; None if the gate has seen nothing yet."""
    if gate.state is None:
        return None
    background, activity = gate.state
    file = io.BytesIO()
    np.savez_compressed(
        file,
        version=np.array(VERSION),
        picture=background.picture,
        noise=np.clip(background.noise * _NOISE_STEPS, 0, 255).astype(np.uint8),
        learned=activity.learned,
        rate=activity.rate.astype(np.float16),
        onsets=activity.onsets.astype(np.float16),
        density=activity.density.astype(np.float16),
    )
    return file.getvalue()


def restore_gate(gate: MotionGate, state: bytes) -> bool:
    """Whether the state could be used. One that cannot, of another version or damaged, changes nothing."""
    if len(state) > MAX_STATE_BYTES:
        return False
    try:
        with np.load(io.BytesIO(state), allow_pickle=False) as stored:
            if int(stored["version"]) != VERSION:
                return False
            picture, noise = stored["picture"], stored["noise"]
            if picture.dtype != np.uint8 or picture.ndim != 2 or noise.shape != picture.shape:
                return False
            if max(picture.shape) > MAX_SIDE:
                return False
            background, activity = Background(picture), Activity(picture.shape)
            background.noise[:] = noise.astype(np.float32) / _NOISE_STEPS
            activity.learned[:] = stored["learned"]
            for name in _CELLS:
                getattr(activity, name)[:] = np.nan_to_num(stored[name].astype(np.float32), posinf=0, neginf=0)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
        return False
    gate.resume(background, activity)
    return True
