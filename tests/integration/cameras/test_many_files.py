"""A folder of very many files, on a real disk."""

import os
import tracemalloc
from pathlib import Path

import pytest

from sightline.cameras.folder import Folder

MANY = 5_000
FEW = 50
SEARCHES = 3


def folder_of(path: Path, files: int) -> Folder:
    path.mkdir()
    handle = os.open(path, os.O_RDONLY)
    for number in range(files):
        os.mknod(f"{number}.jpg", dir_fd=handle)
    os.close(handle)
    return Folder(path)


def peak_bytes(folder: Folder, files: int) -> int:
    """What a search needs at most. The least of several: other threads of the tests may need memory meanwhile."""
    return min(_peak_bytes(folder, files) for _ in range(SEARCHES))


def _peak_bytes(folder: Folder, files: int) -> int:
    tracemalloc.start()
    try:
        assert sum(1 for _ in folder.files()) == files
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.req(634)
def test_many_files_need_no_more_memory_than_few(tmp_path):
    few, many = folder_of(tmp_path / "few", FEW), folder_of(tmp_path / "many", MANY)
    peak_bytes(few, FEW)  # what is kept from the first search on, such as caches
    # A list of the names alone would take some hundred kilobytes.
    assert peak_bytes(many, MANY) < peak_bytes(few, FEW) + 50_000
