"""Motion: tells cheaply whether anything moves in a picture, before any model looks at it. Pure; time is given."""

from sightline.cameras.motion.gate import Motion, MotionGate, MotionSettings
from sightline.cameras.motion.state import restore_gate, save_gate

__all__ = ["Motion", "MotionGate", "MotionSettings", "restore_gate", "save_gate"]
