"""Ids of tracks by the moment at which they begin: a repeated look, from another beginning too, gives the same ones."""

from datetime import datetime
from uuid import UUID, uuid5

from sightline.timing import iso_utc


class MomentIds:
    def __init__(self, camera_key: UUID) -> None:
        self._camera_key = camera_key
        self._moment: datetime | None = None
        self._number = 0

    def set_moment(self, moment: datetime) -> None:
        """Of the next look."""
        self._moment, self._number = moment, 0

    def __call__(self) -> str:
        assert self._moment is not None
        self._number += 1
        return str(uuid5(self._camera_key, f"recording:{iso_utc(self._moment)}:{self._number}"))
