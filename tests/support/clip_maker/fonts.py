"""Fonts of generated clips, all from packages, so that a clip looks the same on every machine."""

from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from PIL import ImageFont

_FILES = {
    "open-sans": ("ttf_opensans", "ttf/OpenSans-Regular.ttf"),
    "open-sans-bold": ("ttf_opensans", "ttf/OpenSans-Bold.ttf"),
    "source-serif": ("font_source_serif_pro", "files/SourceSerifPro-Regular.ttf"),
    "source-serif-bold": ("font_source_serif_pro", "files/SourceSerifPro-Bold.ttf"),
    "dejavu-mono": ("barcode", "fonts/DejaVuSansMono.ttf"),
    "caladea": ("font_caladea", "files/Caladea-Regular.ttf"),
    "caladea-bold": ("font_caladea", "files/Caladea-Bold.ttf"),
    "hanken": ("font_hanken_grotesk", "files/HankenGrotesk-Medium.otf"),
    "hanken-bold": ("font_hanken_grotesk", "files/HankenGrotesk-Bold.otf"),
    "manrope": ("font_manrope", "files/Manrope-Medium.ttf"),
    "manrope-bold": ("font_manrope", "files/Manrope-ExtraBold.ttf"),
    "source-sans": ("font_source_sans_pro", "files/SourceSansPro-Regular.ttf"),
    "source-sans-bold": ("font_source_sans_pro", "files/SourceSansPro-Bold.ttf"),
    "droid-mono": ("captcha", "data/DroidSansMono.ttf"),
}


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """`plain` is the font that comes with Pillow."""
    if name == "plain":
        built_in = ImageFont.load_default(size)
        assert isinstance(built_in, ImageFont.FreeTypeFont)
        return built_in
    return ImageFont.truetype(BytesIO(_bytes(name)), size)


@cache
def _bytes(name: str) -> bytes:
    package, file = _FILES[name]
    found = find_spec(package)  # found, not imported: some of these packages import what they need not
    assert found is not None
    assert found.origin is not None, package
    return (Path(found.origin).parent / file).read_bytes()
