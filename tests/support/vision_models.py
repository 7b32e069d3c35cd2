"""Tests that run models: they wait for what `make test` installs, and are skipped with a reason where it is missing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

import pytest

from sightline.vision import VisionSettings, open_detector, packaged_directory
from support import installed

HOW = "`make vision` installs it"


def need_runtime() -> None:
    """For tests that run small models of their own."""
    _wait()
    if find_spec("onnxruntime") is None:
        pytest.skip(f"onnxruntime is not installed; {HOW}")


def need_model(name: str = "yolov4-tiny") -> None:
    need_runtime()
    if not (packaged_directory() / f"{name}.onnx").is_file():
        pytest.skip(f"the model {name} is not installed; {HOW}")


@asynccontextmanager
async def opened(settings: VisionSettings, **given: Any) -> AsyncIterator[Any]:
    """The detector of these settings, which must be installed."""
    async with open_detector(settings, **given) as detector:
        assert detector is not None
        yield detector


def _wait() -> None:
    try:
        installed.wait_for(installed.VISION)
    except RuntimeError:
        return  # whether it is there is decided by what is found
