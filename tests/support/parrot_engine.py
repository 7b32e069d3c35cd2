"""A package, as pip installs it, that registers an OCR engine which reads the same word everywhere."""

from pathlib import Path

PLUGIN = """
from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import RecognizedWord

LIBRARIES = ()

def needed_files(languages):
    return []

class Parrot:
    def read_line(self, picture):
        height, width = picture.shape
        return [RecognizedWord("Polly", 0.9, 0.9, Rect(0, 0, width, height), "eng")]

def open_engine(languages):
    return Parrot()
"""


def install_parrot(site: Path) -> Path:
    """Registers `parrot`, `absent` (whose module is missing) and another `tesseract`. Returns the directory for the path."""
    info = site / "parrot_ocr-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "parrot_ocr.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: parrot-ocr\nVersion: 1.0\n")
    points = "parrot = parrot_ocr\nabsent = no_such_module\ntesseract = parrot_ocr\n"
    (info / "entry_points.txt").write_text(f"[sightline.ocr_engines]\n{points}")
    return site
