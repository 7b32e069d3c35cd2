"""Errors of model files."""

from sightline.errors import PermanentFailure


class BadModel(PermanentFailure):
    """A model file, or what was downloaded, is not what it should be. The message says what was found."""
