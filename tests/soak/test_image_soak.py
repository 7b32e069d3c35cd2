"""The image, made without Docker: everything that is installed is started from it, and the platform answers.

Prints the sizes of the layers and the times of two starts.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.emulators import free_port
from support.waiting import until

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from assemble_image import assemble, stages  # noqa: E402

pytestmark = pytest.mark.skipif("SIGHTLINETEST_SOAK" not in os.environ, reason="a long run: make soak")
# Libraries of the base image, python:slim: the C library and what Python itself is linked to.
OF_THE_BASE = re.compile(
    r"(ld-linux-.*|lib(c|m|mvec|dl|rt|pthread|util|resolv|ncursesw|tinfo|readline|gcc_s|stdc\+\+|z|bz2|lzma|ffi|ssl|crypto|sqlite3|uuid|expat|python3.*)\.so.*"
    r"|locale-archive|gconv-modules\.cache|.*\.mo)$"
)
LOADS_EVERYTHING = """
import importlib, pkgutil, sys
import sightline
for one in pkgutil.walk_packages(sightline.__path__, "sightline."):
    if not one.name.endswith("__main__"):
        try:
            importlib.import_module(one.name)
        except ModuleNotFoundError as error:
            if error.name != "faster_whisper":  # an extra that the image does not have
                raise
import av, cv2, onnxruntime, rapidocr, tesserocr
for line in open("/proc/self/maps"):
    path = line.split(maxsplit=5)[-1].strip() if line.count("/") else ""
    if path.startswith("/") and ".so" in path:
        print(path)
"""


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    directory = ROOT / ".reports" / "image"
    shutil.rmtree(directory, ignore_errors=True)
    yield assemble(directory, measures=True)
    shutil.rmtree(directory)


def settings_of_the_image(state: Path) -> dict[str, str]:
    text = {one.keyword: one.text for one in stages((ROOT / "Dockerfile").read_text())[-1]}["ENV"]
    return dict(re.findall(r"(\w+)=(\S+)", text)) | {"HOME": str(state), "SIGHTLINE_STATE_DIR": str(state)}


@contextmanager
def started(image: Path, state: Path, port: int) -> Iterator[dict[str, str]]:
    entry = json.loads({one.keyword: one.text for one in stages((ROOT / "Dockerfile").read_text())[-1]}["ENTRYPOINT"])
    command = [image / "usr/local/bin/python", image / "usr/local/bin" / entry[0], "up", "--port", str(port)]
    environment = settings_of_the_image(state)
    process = subprocess.Popen(
        command, cwd=state, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield environment
        assert process.poll() is None
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()


@pytest.mark.time_limit(1800)
def test_nothing_in_the_image_needs_a_library_that_its_base_does_not_have(image: Path, tmp_path: Path):
    command = [str(image / "usr/local/bin/python"), "-c", LOADS_EVERYTHING]
    done = subprocess.run(command, env=settings_of_the_image(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    mapped = {Path(line) for line in done.stdout.splitlines()}
    interpreter = Path(sys.base_prefix)
    outside = {path for path in mapped if not path.is_relative_to(image) and not path.is_relative_to(interpreter)}
    assert len(mapped) > 100
    assert [str(path) for path in outside if not OF_THE_BASE.match(path.name)] == []


@pytest.mark.time_limit(1800)
async def test_the_platform_answers_from_the_image_twice(image: Path, tmp_path: Path):
    for start in ("first start, with an empty directory", "second start"):
        port = free_port()
        began = time.monotonic()
        with started(image, tmp_path, port) as environment:

            def is_healthy(port: int = port, environment: dict[str, str] = environment) -> bool:
                command = [str(image / "usr/local/bin/python"), "-m", "sightline.probe", "--deep", str(port)]
                return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0

            await until(is_healthy, within_s=120)
            print(f"{start}: {time.monotonic() - began:.1f} s")
