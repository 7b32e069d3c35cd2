"""PP-OCR: a network that finds text in a picture, and one that reads a line of it."""

from sightline.text.reading.ppocr.models import PPOCR_LIBRARIES, PpocrModels, find_ppocr, unread_by_ppocr

__all__ = ["PPOCR_LIBRARIES", "PpocrModels", "find_ppocr", "unread_by_ppocr"]
