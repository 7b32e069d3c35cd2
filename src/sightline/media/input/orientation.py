"""Which way up a picture is to be shown: the eight ways a display matrix can turn and mirror it. Pure."""

import struct
from enum import Enum
from typing import TypeVar

import numpy as np
from av import VideoFrame
from av.sidedata.sidedata import SideData
from numpy.typing import NDArray

Pixel = TypeVar("Pixel", bound=np.generic)


class Orientation(Enum):
    """The value names libavfilter's filters that bring the picture upright, one after the other."""

    UPRIGHT = ()
    MIRRORED = (("hflip", ""),)
    UPSIDE_DOWN = (("hflip", ""), ("vflip", ""))
    FLIPPED = (("vflip", ""),)
    TURN_CLOCKWISE = (("transpose", "clock"),)
    TURN_COUNTERCLOCKWISE = (("transpose", "cclock"),)
    TRANSPOSED = (("transpose", "cclock_flip"),)
    TRANSPOSED_BACK = (("transpose", "clock_flip"),)

    @property
    def filters(self) -> tuple[tuple[str, str], ...]:
        found: tuple[tuple[str, str], ...] = self.value
        return found

    @property
    def swaps_sides(self) -> bool:
        """Whether width and height change places."""
        return any(name == "transpose" for name, _ in self.value)

    def upright(self, picture: NDArray[Pixel]) -> NDArray[Pixel]:
        """The picture (rows, columns and maybe colours) as it is to be shown; a view where that is possible."""
        match self:
            case Orientation.UPRIGHT:
                return picture
            case Orientation.MIRRORED:
                return picture[:, ::-1]
            case Orientation.UPSIDE_DOWN:
                return picture[::-1, ::-1]
            case Orientation.FLIPPED:
                return picture[::-1]
            case Orientation.TURN_CLOCKWISE:
                return np.rot90(picture, -1)
            case Orientation.TURN_COUNTERCLOCKWISE:
                return np.rot90(picture, 1)
            case Orientation.TRANSPOSED:
                return picture.swapaxes(0, 1)
            case Orientation.TRANSPOSED_BACK:
                return np.rot90(picture, 2).swapaxes(0, 1)


def orientation_of(frame: VideoFrame) -> Orientation:
    """As the container or the camera said; upright if nobody did."""
    data = frame.side_data.get("DISPLAYMATRIX")
    if not isinstance(data, SideData):
        return Orientation.UPRIGHT
    return orientation_of_matrix(struct.unpack("<9i", bytes(data)[:36]))


def orientation_of_matrix(matrix: tuple[int, ...]) -> Orientation:
    """Of a matrix as MP4 has it: (x, y) is shown at (a x + c y, b x + d y). Skewed ones count as the nearest."""
    a, b, _, c, d, *_ = matrix
    if abs(a) + abs(d) >= abs(b) + abs(c):
        return {
            (False, False): Orientation.UPRIGHT,
            (True, False): Orientation.MIRRORED,
            (True, True): Orientation.UPSIDE_DOWN,
            (False, True): Orientation.FLIPPED,
        }[a < 0, d < 0]
    return {
        (False, False): Orientation.TRANSPOSED,
        (True, False): Orientation.TURN_COUNTERCLOCKWISE,
        (True, True): Orientation.TRANSPOSED_BACK,
        (False, True): Orientation.TURN_CLOCKWISE,
    }[b < 0, c < 0]
