"""Text in the forms of document 001: lower case with single spaces, and a hash that equal texts share. Pure."""

import hashlib
import unicodedata

HASH_LENGTH = 32


def normalize(text: str) -> str:
    """Lower case, runs of white space as one space, none at the ends. Letters keep their accents."""
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


def text_hash(normalized_text: str) -> str:
    """The same for equal normalized texts, and for no others."""
    return hashlib.sha256(normalized_text.encode()).hexdigest()[:HASH_LENGTH]


def storable(text: str) -> str:
    """In NFC, without what PostgreSQL cannot keep: NUL, and halves of characters."""
    return unicodedata.normalize("NFC", text.replace("\0", "").encode("utf-8", "ignore").decode())
