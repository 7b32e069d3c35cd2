"""Following of text over key frames: what a detector finds, how long it stays, and where it moves."""

from sightline.text.reading.following.follow_texts import TextFollower

__all__ = ["TextFollower"]
