"""Orientation of a picture: the eight ways in which a display matrix can rotate and mirror it. Pure."""

import struct
from enum import Enum
from typing import TypeVar

import numpy as np
from av import VideoFrame
from av.sidedata.sidedata import SideData
from numpy.typing import NDArray

Pixel = TypeVar("Pixel", bound=np.generic)


class Orientation(Enum):
    UPRIGHT = "upright"
    MIRRORED = "mirrored"
    UPSIDE_DOWN = "upside down"
    FLIPPED = "flipped"
    TURN_CLOCKWISE = "turn clockwise"
    TURN_COUNTERCLOCKWISE = "turn counterclockwise"
    TRANSPOSED = "transposed"
    TRANSPOSED_BACK = "transposed back"

    @property
    def filters(self) -> tuple[tuple[str, str], ...]:
        """The filters of libavfilter that turn the picture upright."""
        return _FILTERS[self]

    @property
    def swaps_sides(self) -> bool:
        """Whether width and height are swapped."""
        return any(name == "transpose" for name, _ in self.filters)

    def upright(self, picture: NDArray[Pixel]) -> NDArray[Pixel]:
        """The picture (rows, columns and perhaps colours) turned upright; a view where possible."""
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


# Not the values of the members: Python 3.11.2 replaces an empty tuple by something else.
_FILTERS: dict[Orientation, tuple[tuple[str, str], ...]] = {
    Orientation.UPRIGHT: (),
    Orientation.MIRRORED: (("hflip", ""),),
    Orientation.UPSIDE_DOWN: (("hflip", ""), ("vflip", "")),
    Orientation.FLIPPED: (("vflip", ""),),
    Orientation.TURN_CLOCKWISE: (("transpose", "clock"),),
    Orientation.TURN_COUNTERCLOCKWISE: (("transpose", "cclock"),),
    Orientation.TRANSPOSED: (("transpose", "cclock_flip"),),
    Orientation.TRANSPOSED_BACK: (("transpose", "clock_flip"),),
}


def orientation_of(frame: VideoFrame) -> Orientation:
    """The orientation from the display matrix; upright without one."""
    data = frame.side_data.get("DISPLAYMATRIX")
    if not isinstance(data, SideData):
        return Orientation.UPRIGHT
    return orientation_of_matrix(struct.unpack("<9i", bytes(data)[:36]))


def orientation_of_matrix(matrix: tuple[int, ...]) -> Orientation:
    """The orientation of an MP4 matrix: (x, y) is shown at (a x + c y, b x + d y). A skewed matrix counts as the nearest one."""
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
