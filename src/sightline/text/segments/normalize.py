"""Normalized text and its hash, as in document 001: lower case with single spaces. Pure."""

import hashlib
import unicodedata

HASH_LENGTH = 32


def normalize(text: str) -> str:
    """Lower case, with single spaces and none at the ends. Letters keep their accents."""
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


def text_hash(normalized_text: str) -> str:
    """Equal for equal normalized texts only."""
    return hashlib.sha256(normalized_text.encode()).hexdigest()[:HASH_LENGTH]


def storable(text: str) -> str:
    """In NFC, without characters that PostgreSQL cannot store: NUL and lone surrogates."""
    return unicodedata.normalize("NFC", text.replace("\0", "").encode("utf-8", "ignore").decode())
