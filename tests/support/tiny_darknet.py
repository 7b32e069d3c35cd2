"""A Darknet model of a few numbers."""

import struct

import numpy as np

CONFIG = """
[net]
width=32  # ignored

[convolutional]
batch_normalize=1
filters=4
size=3
stride=2
pad=1
activation=leaky

[maxpool]
size=2
stride=2

[convolutional]
filters=7
size=1
stride=1
pad=1
activation=linear

[yolo]
mask = 0
anchors = 8,16
classes=2
"""


def weights(extra=0):
    numbers = np.linspace(-0.5, 0.5, 4 * 4 + 4 * 27 + 7 + 7 * 4 + extra, dtype=np.float32)
    numbers[12:16] = 1.0  # variances
    return struct.pack("<iiiq", 0, 2, 0, 0) + numbers.tobytes()
